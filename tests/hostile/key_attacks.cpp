#include "tests/hostile/attack.hpp"
namespace aerogpu::hostile {
auto key_attacks() -> std::span<const attack> {
  return {};
}
}  // namespace aerogpu::hostile
