// SPDX-License-Identifier: MIT
/// \file CP-110, CP-111 and CP-113: presents and the reset.
#pragma once

#include "tests/catch.hpp"
#include "tests/conformance/backends.hpp"
#include "tests/conformance/printing.hpp"
#include "tests/conformance/processor/draw_scene.hpp"
#include "tests/conformance/processor/processor_host.hpp"
#include "tests/support/layout_blobs.hpp"

#include <cstdint>
#include <vector>

namespace aerogpu::conformance {

namespace present_case {

inline constexpr std::uint32_t first = 1, second = 2, alias = 3;

[[nodiscard]] inline auto base_objects() -> stream_builder {
  return stream_builder{}
      .create_texture(first, scene::target_spec)
      .create_texture(second, {.width = 4, .height = 2})
      .upload(second, 0, counting(32));
}

}  // namespace present_case

TEMPLATE_LIST_TEST_CASE("CP-110 each PRESENT is reported once with its handle and flags",
                        "[conformance][processor]", backends) {
  using namespace present_case;
  processor_host<TestType> host;
  REQUIRE(host.run(base_objects()) == error_code::none);
  REQUIRE(host.run(stream_builder{}
                       .targets({first})
                       .present(0, AEROGPU_PRESENT_FLAG_VSYNC)
                       .targets({0, second, first})
                       .present_ex(3, 0, 0xFFFFFFFF)
                       .targets({})
                       .present(0, 0xFFFFFFF0)) == error_code::none);
  const auto& events = host.presents();
  REQUIRE(events.size() == 3);
  CHECK(events[0].count == 1);
  CHECK(raw(events[0].handle) == first);
  CHECK(events[0].flags == AEROGPU_PRESENT_FLAG_VSYNC);
  CHECK(events[0].scanout_id == 0);
  CHECK(events[0].width == 8);
  CHECK(events[1].count == 2);
  CHECK(raw(events[1].handle) == second);  // The first that is not a gap.
  CHECK(events[1].scanout_id == 3);
  CHECK(events[2].count == 3);
  CHECK(raw(events[2].handle) == 0);
  REQUIRE(host.run(stream_builder{}.present()) == error_code::none);
  REQUIRE(host.presents().size() == 1);
  CHECK(host.presents()[0].count == 4);
}

TEMPLATE_LIST_TEST_CASE("CP-110 scanout 0 shows the first target that is not a gap",
                        "[conformance][processor]", backends) {
  using namespace present_case;
  processor_host<TestType> host;
  REQUIRE(host.run(base_objects()) == error_code::none);
  auto& processor = host.rig().processor();
  CHECK(processor.presented() == nullptr);
  REQUIRE(host.run(stream_builder{}.targets({0, second}).present(3)) == error_code::none);
  CHECK(processor.presented() == nullptr);
  REQUIRE(host.run(stream_builder{}.present(0)) == error_code::none);
  REQUIRE(processor.presented() != nullptr);
  CHECK(processor.presented()->width == 4);
  CHECK(processor.presented()->height == 2);
  byte_vector image(32);
  CHECK(processor.read_presented(image));
  CHECK(image == counting(32));
  REQUIRE(host.run(stream_builder{}.targets({}).present(0)) == error_code::none);
  CHECK(processor.presented() == nullptr);
}

TEMPLATE_LIST_TEST_CASE("CP-111 the presented image lives until the last handle dies",
                        "[conformance][processor]", backends) {
  using namespace present_case;
  processor_host<TestType> host;
  REQUIRE(host.run(base_objects()
                       .export_surface(second, 7)
                       .import_surface(alias, 7)
                       .targets({second})
                       .present()) == error_code::none);
  auto& processor = host.rig().processor();
  REQUIRE(host.run(stream_builder{}.destroy(second)) == error_code::none);
  REQUIRE(processor.presented() != nullptr);
  byte_vector image(32);
  CHECK(processor.read_presented(image));
  CHECK(image == counting(32));
  REQUIRE(host.run(stream_builder{}.destroy(alias)) == error_code::none);
  CHECK(processor.presented() == nullptr);
  CHECK(processor.read_presented(image).why().code == error_code::unknown_handle);
}

TEMPLATE_LIST_TEST_CASE("CP-111 what was presented through a view goes with the last view",
                        "[conformance][processor]", backends) {
  using namespace present_case;
  constexpr std::uint32_t view = 4, other_view = 5;
  processor_host<TestType> host;
  REQUIRE(host.run(base_objects()
                       .create_view(view, second, {})
                       .create_view(other_view, second, {})
                       .targets({view})
                       .destroy(second)) == error_code::none);
  auto& processor = host.rig().processor();
  CHECK(processor.presented() == nullptr);
  REQUIRE(host.run(stream_builder{}.present().destroy_view(other_view)) == error_code::none);
  REQUIRE(processor.presented() != nullptr);
  byte_vector image(32);
  CHECK(processor.read_presented(image));
  CHECK(image == counting(32));
  REQUIRE(host.run(stream_builder{}.destroy_view(view)) == error_code::none);
  CHECK(processor.presented() == nullptr);
  CHECK(processor.read_presented(image).why().code == error_code::unknown_handle);
}

TEMPLATE_LIST_TEST_CASE("CP-113 a reset leaves nothing behind", "[conformance][processor]",
                        backends) {
  using namespace present_case;
  processor_host<TestType> host;
  REQUIRE(host.run(draw_scene()
                       .create_texture(first, scene::target_spec)
                       .create_buffer(second, 16)
                       .create_view(4, first, {})
                       .create_layout(5, declaration_blob({declaration_end}))
                       .create_sampler(6)
                       .export_surface(first, 7)
                       .export_surface(scene::target, 8)
                       .release_surface(8)
                       .import_surface(alias, 7)
                       .targets({first})
                       .present(),
                   9) == error_code::none);
  host.reset();
  CHECK(host.counts() == object_counts{});
  CHECK(host.rig().processor().presented() == nullptr);
  CHECK(host.presents().size() == 0);
  for (const std::uint32_t handle : {first, second, alias, 4u, scene::target}) {
    CHECK_FALSE(host.is_live(handle));
  }
  // Tokens are free again, contexts are new, and numbers serve other kinds.
  CHECK(host.run(stream_builder{}.import_surface(alias, 7)) == error_code::unknown_share_token);
  CHECK(host.run(stream_builder{}
                     .create_buffer(first, 16)
                     .create_texture(second, {})
                     .export_surface(second, 8)) == error_code::none);
  CHECK(host.run(draw_scene().bind_shaders(scene::vs, scene::ps).draw(3), 9) ==
        error_code::missing_binding);
  CHECK(host.run(stream_builder{}.present()) == error_code::none);
  CHECK(host.presents()[0].count == 1);
}

}  // namespace aerogpu::conformance
