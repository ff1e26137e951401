#include "tests/hostile/attack.hpp"
namespace aerogpu::hostile {
auto register_attacks() -> std::span<const attack> {
  return {};
}
}  // namespace aerogpu::hostile
