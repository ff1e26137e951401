#include "tests/hostile/attack.hpp"
namespace aerogpu::hostile {
auto lifetime_attacks() -> std::span<const attack> {
  return {};
}
}  // namespace aerogpu::hostile
