#include "tests/hostile/attack.hpp"
namespace aerogpu::hostile {
auto snapshot_attacks() -> std::span<const attack> {
  return {};
}
}  // namespace aerogpu::hostile
