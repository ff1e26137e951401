#include "tests/hostile/attack.hpp"
namespace aerogpu::hostile {
auto cache_attacks() -> std::span<const attack> {
  return {};
}
}  // namespace aerogpu::hostile
