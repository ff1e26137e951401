// SPDX-License-Identifier: MIT
#include "drivers/sim/runtime/portable/profile.hpp"

#include <array>
#include <cstddef>
#include <cstdlib>
#include <string_view>

namespace aerogpu::sim {
namespace {

/// The orders of attempts of umd-d3d9.md 4.5: what is there decides.
constexpr std::array routes{
    portable_routes{true, true, false, false},  portable_routes{true, true, false, true},
    portable_routes{true, false, true, false},  portable_routes{true, false, true, true},
    portable_routes{true, false, false, false}, portable_routes{true, false, false, true},
    portable_routes{false, false, false, true}, portable_routes{false, true, false, true},
};
constexpr std::array lendings{portable_lending::rotating, portable_lending::kept,
                              portable_lending::borrowed, portable_lending::allocated};

/// With the choices that depend on nothing, by turns.
[[nodiscard]] auto numbered(portable_variance how, std::size_t number) -> portable_variance {
  constexpr std::array openings{portable_opening::adapter2, portable_opening::hdc,
                                portable_opening::luid};
  constexpr std::array fences{portable_fence::id, portable_fence::value, portable_fence::pointer,
                              portable_fence::fresh};
  constexpr std::uint32_t longer_private_bytes = 40;
  how.opening = openings[number % openings.size()];
  how.fence = fences[number % fences.size()];
  how.has_create_context2 = number % 2 == 0;
  if (number % 3 == 1) how.private_bytes = longer_private_bytes;
  return how;
}

[[nodiscard]] auto may_lie_in_dma_buffer(portable_lending lending) -> bool {
  return lending == portable_lending::borrowed || lending == portable_lending::allocated;
}

}  // namespace

auto profile_of_environment() -> ddi_profile {
  const char* const chosen = std::getenv("AEROGPU_D3D9_OPENADAPTER_PROFILE");
  return chosen != nullptr && std::string_view{chosen} == "U" ? ddi_profile::u : ddi_profile::m;
}

auto describe(const portable_variance& how) -> std::string {
  constexpr std::array names{"rotating", "kept", "borrowed", "allocated"};
  std::string text;
  if (how.routes.has_render) text += how.routes.has_present_bit ? "RenderCb+bit " : "RenderCb ";
  if (how.routes.has_present) text += "PresentCb ";
  if (how.routes.has_submit_command) text += "SubmitCommandCb ";
  text += names[static_cast<std::size_t>(how.lending)];
  if (how.lies_in_dma_buffer) text += ", in DMA buffer";
  if (!how.has_patches) text += ", no patches";
  text += how.has_sync_object ? ", sync object" : ", no sync object";
  return text;
}

auto each_portable_variance() -> std::vector<portable_variance> {
  std::vector<portable_variance> all;
  for (const auto& route : routes) {
    for (const auto lending : lendings) {
      for (unsigned bits = 0; bits < 8; ++bits) {
        portable_variance how;
        how.routes = route;
        how.lending = lending;
        how.has_patches = (bits & 1) == 0;
        how.has_sync_object = (bits & 2) != 0;
        how.lies_in_dma_buffer = (bits & 4) != 0;
        if (how.lies_in_dma_buffer && !may_lie_in_dma_buffer(lending)) continue;
        all.push_back(numbered(how, all.size()));
      }
    }
  }
  return all;
}

auto some_portable_variances() -> std::vector<portable_variance> {
  std::vector<portable_variance> few;
  for (const auto& route : routes) {
    for (const auto lending : lendings) {
      const auto number = few.size();
      portable_variance how;
      how.routes = route;
      how.lending = lending;
      how.has_patches = number % 2 == 0;
      how.has_sync_object = number % 3 == 0;
      how.lies_in_dma_buffer = may_lie_in_dma_buffer(lending) && number / lendings.size() % 2 == 0;
      few.push_back(numbered(how, number));
    }
  }
  return few;
}

}  // namespace aerogpu::sim
