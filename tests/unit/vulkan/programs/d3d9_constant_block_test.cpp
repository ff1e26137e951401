// SPDX-License-Identifier: MIT
// Constant registers in uniform memory.
#include "vulkan/programs/d3d9_constant_block.hpp"

#include "tests/catch.hpp"

#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::vulkan;

namespace {

constexpr auto stale = std::byte{0xEE};

/// Registers, a program, and memory that others have used, of which it may write the block alone.
struct written_block {
  std::vector<vec4f> floats;
  std::vector<vec4i> ints;
  std::vector<std::uint8_t> bools;
  d3d9::translation shader;
  std::vector<std::byte> memory;

  void write() {
    const std::size_t size = constant_block_bytes(shader);
    memory.assign(size + 16, stale);
    write_constant_block({floats, ints, bools}, shader, std::span{memory}.first(size));
    CHECK(std::ranges::all_of(std::span{memory}.subspan(size),
                              [](std::byte b) { return b == stale; }));
  }

  template <class T>
  [[nodiscard]] auto at(std::size_t offset) const -> T {
    T value{};
    REQUIRE(offset + sizeof value <= memory.size());
    std::memcpy(&value, memory.data() + offset, sizeof value);
    return value;
  }
  [[nodiscard]] auto float_register(std::size_t i) const -> vec4f {
    return at<vec4f>(float_constants_offset(shader) + i * sizeof(vec4f));
  }
};

}  // namespace

TEST_CASE("constant block: it ends with the last float register that the program reads",
          "[vulkan][constants]") {
  d3d9::translation shader;
  shader.float_constants = 256;
  CHECK(constant_block_bytes(shader) == sizeof(d3d9::constant_block::floats));
  shader.uses_ints_or_bools = true;
  CHECK(constant_block_bytes(shader) == sizeof(d3d9::constant_block));
  shader.float_constants = 0;
  CHECK(constant_block_bytes(shader) == offsetof(d3d9::constant_block, floats));
}

TEST_CASE("constant block: float registers that are set are copied, and others are zero",
          "[vulkan][constants]") {
  written_block block;
  block.floats = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 9, 9, 9}};
  const std::uint16_t wanted = GENERATE(values<std::uint16_t>({0, 2, 3, 5}));
  CAPTURE(wanted);
  block.shader.float_constants = wanted;
  block.write();
  for (std::size_t i = 0; i < wanted; ++i) {
    CHECK(block.float_register(i) == (i < 3 ? block.floats[i] : vec4f{}));
  }
}

TEST_CASE("constant block: integers and booleans are written for programs that read some",
          "[vulkan][constants]") {
  written_block block;
  block.ints = {{1, -2, 3, -4}};
  block.bools = {1, 0, 1};
  block.shader.float_constants = 1;
  block.shader.uses_ints_or_bools = true;
  block.write();
  CHECK(block.at<vec4i>(0) == block.ints[0]);
  CHECK(block.at<vec4i>(sizeof(vec4i)) == vec4i{});
  CHECK(block.at<vec4i>(15 * sizeof(vec4i)) == vec4i{});
  CHECK(block.at<std::uint32_t>(offsetof(d3d9::constant_block, bools)) == 0b101);
  CHECK(block.float_register(0) == vec4f{});

  block.shader.uses_ints_or_bools = false;
  block.floats = {{5, 6, 7, 8}};
  block.write();
  CHECK(block.at<vec4f>(0) == block.floats[0]);
}

TEST_CASE("constant block: integers and booleans end with those of the hardware",
          "[vulkan][constants]") {
  written_block block;
  block.ints.assign(17, {7, 7, 7, 7});
  block.bools.assign(17, 1);
  block.shader.float_constants = 0;
  block.shader.uses_ints_or_bools = true;
  block.write();
  CHECK(block.at<vec4i>(15 * sizeof(vec4i)) == vec4i{7, 7, 7, 7});
  CHECK(block.at<std::uint32_t>(offsetof(d3d9::constant_block, bools)) == 0xFFFF);
}
