// SPDX-License-Identifier: MIT
/// \file Several render targets at once.
#include "tests/drivers/d3d9/resource_rig.hpp"

#include <algorithm>
#include <array>

namespace aerogpu::test::targets_cases {
namespace {

constexpr D3DCOLOR red = 0xFFFF0000, blue = 0xFF0000FF;

struct target_rig : resource_rig {
  std::array<any_surface, 4> targets{target(8, 8), target(8, 8), target(8, 8), target(8, 8)};

  void bind(DWORD index, bool is_bound = true) {
    REQUIRE(device->SetRenderTarget(index, is_bound ? targets[index].get() : nullptr) == S_OK);
  }
  void clear(D3DCOLOR color) {
    REQUIRE(device->Clear(0, nullptr, D3DCLEAR_TARGET, color, 1, 0) == S_OK);
  }
  [[nodiscard]] auto is_whole(DWORD index, D3DCOLOR color) -> bool {
    const auto texels = read(targets[index].get());
    return std::all_of(texels.begin(), texels.end(), [&](auto one) { return one == color; });
  }
};

}  // namespace

TEST_CASE("a render target behind an empty one is drawn to", "[wine][d3d9][T253]") {
  target_rig app;
  app.bind(0);
  app.bind(2);
  app.clear(blue);
  any_surface found;
  CHECK(app.device->GetRenderTarget(1, found.out()) == D3DERR_NOTFOUND);
  CHECK(app.device->GetRenderTarget(2, found.out()) == S_OK);
  CHECK(found.get() == app.targets[2].get());
  CHECK(app.is_whole(0, blue));
  CHECK(app.is_whole(2, blue));
}

TEST_CASE("a render target stays when one before it is taken away", "[wine][d3d9][T253]") {
  target_rig app;
  for (const DWORD index : {0u, 1u, 2u, 3u}) app.bind(index);
  app.clear(red);
  app.bind(1, false);
  app.clear(blue);
  CHECK(app.is_whole(0, blue));
  CHECK(app.is_whole(1, red));
  CHECK(app.is_whole(2, blue));
  CHECK(app.is_whole(3, blue));
}

TEST_CASE("Clear of a count without rectangles clears everything", "[wine][d3d9][state]") {
  target_rig app;
  app.bind(0);
  app.clear(red);
  REQUIRE(app.device->Clear(3, nullptr, D3DCLEAR_TARGET, blue, 1, 0) == S_OK);
  CHECK(app.is_whole(0, blue));
}

}  // namespace aerogpu::test::targets_cases
