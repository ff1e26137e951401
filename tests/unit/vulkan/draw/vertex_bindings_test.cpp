// SPDX-License-Identifier: MIT
// Where the streams of a draw lie once its first vertex and instance are as small as Vulkan needs.
#include "vulkan/draw/vertex_bindings.hpp"

#include "tests/catch.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

using namespace aerogpu;
using namespace aerogpu::vulkan;

namespace {

auto handle(std::size_t number) -> VkBuffer {
  return (VkBuffer)number;  // A pointer or a number, by the platform.
}
const VkBuffer zero = handle(99);

/// Two streams of 100 bytes: 8 bytes a vertex from byte 16 on, and 4 bytes from byte 40 on.
struct streams {
  streams() {
    bindings.count = 2;
    for (std::size_t i = 0; i < 2; ++i) {
      records[i].desc.size_bytes = 100;
      bindings.records[i] = &records[i];
      bindings.buffers[i] = handle(i + 1);
    }
    bindings.offsets = {16, 40};
    bindings.strides = {8, 4};
    bindings.steps = {8, 4};
  }
  [[nodiscard]] auto shift(std::int64_t first, std::uint32_t first_instance = 0,
                           bool is_indexed = true) const -> vertex_shift {
    return shift_of(bindings, {.state = state,
                               .changes = 0,
                               .is_indexed = is_indexed,
                               .count = 3,
                               .instance_count = 1,
                               .first = is_indexed ? 0 : static_cast<std::uint32_t>(first),
                               .base_vertex = is_indexed ? static_cast<std::int32_t>(first) : 0,
                               .first_instance = first_instance});
  }
  [[nodiscard]] auto placed(const vertex_shift& shift) const -> placed_bindings {
    placed_bindings made{};
    place_bindings(bindings, shift, zero, made);
    return made;
  }

  draw_state<vulkan_backend> state{};
  std::array<buffer_record, 2> records;
  vertex_bindings bindings;
};

}  // namespace

TEST_CASE("vulkan::vertex_bindings: streams stay where a draw begins at no negative vertex",
          "[vulkan][vertex_bindings]") {
  const streams s;
  CHECK(s.shift(5, 3) == vertex_shift{});
  CHECK(s.shift(0xFFFF'FFFF, 3, false) == vertex_shift{});
  const auto placed = s.placed({});
  CHECK(placed.buffers[1] == handle(2));
  CHECK(placed.offsets[1] == 40);
  CHECK(placed.strides[1] == 4);
}

TEST_CASE("vulkan::vertex_bindings: a negative base moves all streams back, as far as each reaches",
          "[vulkan][vertex_bindings]") {
  const streams s;
  CHECK(s.shift(-1) == vertex_shift{.vertices = -1});
  CHECK(s.shift(-5) == vertex_shift{.vertices = -2});  // 16 bytes of 8.
  const auto placed = s.placed({.vertices = -2});
  CHECK(placed.offsets[0] == 0);
  CHECK(placed.offsets[1] == 32);
}

TEST_CASE("vulkan::vertex_bindings: streams that do not go by vertex hold no other back",
          "[vulkan][vertex_bindings]") {
  streams s;
  SECTION("one that goes by instance") {
    s.bindings.per_instance = 0b1;
  }
  SECTION("one whose every vertex is the same") {
    s.bindings.steps[0] = 0;
  }
  SECTION("one of zeros") {
    s.bindings.records[0] = nullptr;
  }
  CHECK(s.shift(-5) == vertex_shift{.vertices = -5});
  CHECK(s.placed({.vertices = -5}).offsets[0] == 16);
}

TEST_CASE("vulkan::vertex_bindings: streams that are copied begin at the draw's first vertex",
          "[vulkan][vertex_bindings]") {
  streams s;
  s.bindings.misplaced = 0b1;
  CHECK(s.shift(5, 3) == vertex_shift{.vertices = 5});
  s.bindings.per_instance = 0b1;
  CHECK(s.shift(5, 3) == vertex_shift{.instances = 3});
  CHECK(s.placed({.instances = 3}).buffers[0] == VkBuffer{});  // Whoever copies places it.
}

TEST_CASE("vulkan::vertex_bindings: one element for all instances is the first instance's",
          "[vulkan][vertex_bindings]") {
  streams s;
  s.bindings.per_instance = s.bindings.pinned = 0b10;
  const auto shift = s.shift(0, 3);
  CHECK(shift == vertex_shift{.instances = 3});
  CHECK(s.placed(shift).offsets[0] == 16);
  CHECK(s.placed(shift).offsets[1] == 52);
}

TEST_CASE("vulkan::vertex_bindings: a stream that ends before its first vertex reads zeros",
          "[vulkan][vertex_bindings]") {
  const streams s;
  const auto last = s.placed({.vertices = 10});
  CHECK(last.offsets[0] == 96);
  CHECK(last.buffers[0] == handle(1));
  const auto past = s.placed({.vertices = 15});
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(past.buffers[i] == zero);
    CHECK(past.offsets[i] == 0);
    CHECK(past.strides[i] == 0);
  }
}
