#include "tests/hostile/attack.hpp"
namespace aerogpu::hostile {
auto vertex_attacks() -> std::span<const attack> {
  return {};
}
}  // namespace aerogpu::hostile
