// SPDX-License-Identifier: MIT
/// \file CP-031..043 and CP-119: guest-backed content and dirty ranges.
#pragma once

#include "tests/catch.hpp"
#include "tests/conformance/backends.hpp"
#include "tests/conformance/printing.hpp"
#include "tests/conformance/processor/failing_packets.hpp"
#include "tests/conformance/processor/processor_host.hpp"

#include <cstdint>

namespace aerogpu::conformance {

TEMPLATE_LIST_TEST_CASE("CP-031 DIRTY_RANGE wants a live handle and ignores host-owned resources",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  CHECK(host.run(stream_builder{}.dirty(1, 0, 4)) == error_code::unknown_handle);
  REQUIRE(host.run(stream_builder{}.create_buffer(1, 16).upload(1, 0, counting(16))) ==
          error_code::none);
  CHECK(host.run(stream_builder{}.dirty(1, 0, 16)) == error_code::none);
  // Ignored as a whole, even where no resource of that size has such bytes.
  REQUIRE(host.run(stream_builder{}.create_texture(2, {})) == error_code::none);
  for (const std::uint32_t handle : {1u, 2u}) {
    CHECK(host.run(stream_builder{}.dirty(handle, 0, 65)) == error_code::none);
    CHECK(host.run(stream_builder{}.dirty(handle, UINT64_MAX, 4)) == error_code::none);
  }
  CHECK(host.buffer(1, 16) == counting(16));
  CHECK(host.run(stream_builder{}.destroy(1).dirty(1, 0, 0)) == error_code::unknown_handle);
}

TEMPLATE_LIST_TEST_CASE("CP-032 DIRTY_RANGE outside the resource is refused, and size 0 is fine",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  host.give(1, gpa{0x10000}, 0x1000);
  REQUIRE(host.run(stream_builder{}
                       .create_buffer(1, 16, {1, 0})
                       .create_texture(2, {.pitch = 32, .memory = {1, 0}})) == error_code::none);
  const auto [offset, size, expected] = GENERATE(table<std::uint64_t, std::uint64_t, error_code>({
      {0, 0, error_code::none},
      {0xFFFFFFFFFFFFFFFF, 0, error_code::none},
      {0, 16, error_code::none},
      {15, 1, error_code::none},
      {0, 129, error_code::resource_out_of_bounds},
      {128, 1, error_code::resource_out_of_bounds},
      {0xFFFFFFFFFFFFFFFF, 1, error_code::size_overflow},
      {4, 0xFFFFFFFFFFFFFFFF, error_code::size_overflow},
  }));
  CHECK(host.run(stream_builder{}.dirty(1, offset, size)) == expected);
  CHECK(host.run(stream_builder{}.dirty(2, offset, size)) == expected);
}

TEMPLATE_LIST_TEST_CASE("CP-032 DIRTY_RANGE one byte past a buffer is out of its bounds",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  host.give(1, gpa{0x10000}, 0x1000);
  REQUIRE(host.run(stream_builder{}.create_buffer(1, 16, {1, 0})) == error_code::none);
  CHECK(host.run(stream_builder{}.dirty(1, 0, 17)) == error_code::resource_out_of_bounds);
  CHECK(host.run(stream_builder{}.dirty(1, 16, 1)) == error_code::resource_out_of_bounds);
}

TEMPLATE_LIST_TEST_CASE("CP-033 DIRTY_RANGE on a backed resource needs the allocation in the table",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  host.give(1, gpa{0x10000}, 16);
  REQUIRE(host.run(stream_builder{}.create_buffer(1, 16, {1, 0})) == error_code::none);
  CHECK(host.run_without_table(stream_builder{}.dirty(1, 0, 4)) == error_code::missing_alloc_table);
  host.take(1);
  CHECK(host.run(stream_builder{}.dirty(1, 0, 4)) == error_code::unknown_alloc_id);
  host.give(1, gpa{0x10000}, 12);
  CHECK(host.run(stream_builder{}.dirty(1, 8, 8)) == error_code::alloc_out_of_bounds);
}

TEMPLATE_LIST_TEST_CASE(
    "CP-034 dirty bytes are read when they are first used, from where the table "
    "of that submission says",
    "[conformance][processor]", backends) {
  processor_host<TestType> host;
  host.give(1, gpa{0x10000}, 16);
  host.poke(gpa{0x10000}, counting(16, 1));
  REQUIRE(host.run(stream_builder{}.create_buffer(1, 16, {1, 0}).create_buffer(2, 16)) ==
          error_code::none);
  host.give(1, gpa{0x20000}, 16);
  host.poke(gpa{0x20000}, counting(16, 50));
  REQUIRE(host.run(stream_builder{}.copy_buffer(2, 0, 1, 0, 16)) == error_code::none);
  CHECK(host.buffer(2, 16) == counting(16, 50));
}

TEMPLATE_LIST_TEST_CASE("CP-035 an allocation id may lie elsewhere in the next submission",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  host.give(1, gpa{0x10000}, 16);
  host.poke(gpa{0x10000}, counting(16, 1));
  REQUIRE(host.run(stream_builder{}.create_buffer(1, 16, {1, 0})) == error_code::none);
  CHECK(host.buffer(1, 16) == counting(16, 1));
  host.give(1, gpa{0xFFFFFFFFFFFFFFE0}, 16);
  host.poke(gpa{0xFFFFFFFFFFFFFFE0}, counting(16, 80));
  REQUIRE(host.run(stream_builder{}.dirty(1, 0, 16)) == error_code::none);
  CHECK(host.buffer(1, 16) == counting(16, 80));
  host.poke(gpa{0x10000}, filled(16, 0));
  CHECK(host.buffer(1, 16) == counting(16, 80));
}

TEMPLATE_LIST_TEST_CASE("CP-036 a clean backed resource is used without any table",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  host.give(1, gpa{0x10000}, 64);
  host.poke(gpa{0x10000}, counting(64));
  const texture_spec spec{.pitch = 16, .memory = {1, 0}};
  REQUIRE(host.run(stream_builder{}.create_buffer(1, 16, {1, 0}).create_texture(2, spec)) ==
          error_code::none);
  REQUIRE(host.run(stream_builder{}
                       .create_buffer(3, 16)
                       .copy_buffer(3, 0, 1, 0, 16)
                       .create_texture(4, {})
                       .copy_texture({4}, {2}, 4, 4)) == error_code::none);
  host.poke(gpa{0x10000}, filled(64, 0));
  CHECK(host.run_without_table(
            stream_builder{}.copy_buffer(3, 0, 1, 0, 16).copy_texture({4}, {2}, 4, 4)) ==
        error_code::none);
  CHECK(host.buffer(3, 16) == counting(16));
}

TEMPLATE_LIST_TEST_CASE(
    "CP-037 a dirty use without the table fails and stays dirty for a later one",
    "[conformance][processor]", backends) {
  processor_host<TestType> host;
  host.give(1, gpa{0x10000}, 16);
  REQUIRE(host.run(stream_builder{}.create_buffer(1, 16, {1, 0}).create_buffer(2, 16)) ==
          error_code::none);
  const auto copy = stream_builder{}.copy_buffer(2, 0, 1, 0, 16);
  CHECK(host.run_without_table(copy) == error_code::missing_alloc_table);
  host.take(1);
  CHECK(host.run(copy) == error_code::unknown_alloc_id);
  host.give(1, gpa{0x10000}, 8);
  CHECK(host.run(copy) == error_code::alloc_out_of_bounds);
  host.give(1, gpa{0x20000}, 16);
  host.unmap(gpa{0x20008}, 4);
  CHECK(host.run(copy) == error_code::guest_memory_fault);
  host.give(1, gpa{0x30000}, 16);
  host.poke(gpa{0x30000}, counting(16));
  CHECK(host.run(copy) == error_code::none);
  CHECK(host.buffer(2, 16) == counting(16));
}

TEMPLATE_LIST_TEST_CASE("CP-037 a PRESENT of what is dirty reads it, and fails without the table",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  host.give(1, gpa{0x10000}, 64);
  host.poke(gpa{0x10000}, counting(64));
  REQUIRE(
      host.run(stream_builder{}.create_texture(1, {.pitch = 16, .memory = {1, 0}}).targets({1})) ==
      error_code::none);
  CHECK(host.run_without_table(stream_builder{}.present()) == error_code::missing_alloc_table);
  auto& processor = host.rig().processor();
  CHECK(processor.presented() == nullptr);
  REQUIRE(host.run(stream_builder{}.present()) == error_code::none);
  byte_vector image(64);
  REQUIRE(processor.read_presented(image));
  CHECK(image == counting(64));
  CHECK(host.run_without_table(stream_builder{}.present()) == error_code::none);
}

TEMPLATE_LIST_TEST_CASE("CP-038 a write-back whose destination is missing leaves the source dirty",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  host.give(1, gpa{0x10000}, 16);
  host.give(2, gpa{0x20000}, 16);
  host.poke(gpa{0x10000}, counting(16, 1));
  REQUIRE(host.run(stream_builder{}.create_buffer(1, 16, {1, 0}).create_buffer(2, 16, {2, 0})) ==
          error_code::none);
  const auto copy = stream_builder{}.copy_buffer(2, 0, 1, 0, 16, AEROGPU_COPY_FLAG_WRITEBACK_DST);
  host.take(2);
  CHECK(host.run(copy) == error_code::unknown_alloc_id);
  host.poke(gpa{0x10000}, counting(16, 50));
  host.give(2, gpa{0x20000}, 16);
  CHECK(host.run(copy) == error_code::none);
  CHECK(host.peek(gpa{0x20000}, 16) == counting(16, 50));
}

TEMPLATE_LIST_TEST_CASE("CP-039 DIRTY_RANGE between two copies separates old bytes from new ones",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  host.give(1, gpa{0x10000}, 16);
  host.poke(gpa{0x10000}, counting(16, 1));
  REQUIRE(host.run(stream_builder{}.create_buffer(1, 16, {1, 0}).create_buffer(2, 32)) ==
          error_code::none);
  REQUIRE(host.run(stream_builder{}.copy_buffer(2, 0, 1, 0, 16)) == error_code::none);
  host.poke(gpa{0x10000}, counting(16, 50));
  REQUIRE(host.run(stream_builder{}
                       .copy_buffer(2, 0, 1, 0, 16)
                       .dirty(1, 4, 8)
                       .copy_buffer(2, 16, 1, 0, 16)) == error_code::none);
  byte_vector expected = counting(16, 1);
  CHECK(host.buffer(2, 16, 0) == expected);
  overwrite(expected, 4, counting(8, 54));
  CHECK(host.buffer(2, 16, 16) == expected);
}

TEMPLATE_LIST_TEST_CASE("CP-040 row padding is neither read into a texture nor written back",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  const texture_spec spec{.width = 2, .height = 3, .pitch = 24, .memory = {1, 0}};
  host.give(1, gpa{0x10000}, 72);
  host.give(2, gpa{0x20000}, 72);
  host.poke(gpa{0x10000}, counting(72));
  host.poke(gpa{0x20000}, filled(72, 0xEE));
  texture_spec other = spec;
  other.memory = {2, 0};
  REQUIRE(host.run(stream_builder{}.create_texture(1, spec).create_texture(2, other)) ==
          error_code::none);
  byte_vector tight, padded = filled(72, 0xEE);
  for (std::size_t row = 0; row < 3; ++row) {
    const auto texels = counting(8, static_cast<unsigned>(1 + row * 24));
    tight.insert(tight.end(), texels.begin(), texels.end());
    overwrite(padded, row * 24, texels);
  }
  CHECK(host.texture(1, spec) == tight);
  REQUIRE(host.run(stream_builder{}.copy_texture(
              {2}, {1}, 2, 3, AEROGPU_COPY_FLAG_WRITEBACK_DST)) == error_code::none);
  CHECK(host.peek(gpa{0x20000}, 72) == padded);
}

TEMPLATE_LIST_TEST_CASE("CP-041 each mip level of each layer comes from its own place",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  // 4x2 with pitch 20: 40, then 2x1: 8, then 1x1: 4; a layer is 52 bytes, two are 104.
  const texture_spec spec{
      .width = 4, .height = 2, .mips = 3, .layers = 2, .pitch = 20, .memory = {1, 8}};
  host.give(1, gpa{0x10000}, 112);
  host.poke(gpa{0x10008}, filled(104, 0));
  REQUIRE(host.run(stream_builder{}.create_texture(1, spec)) == error_code::none);
  CHECK(host.texture(1, spec, 2, 1) == filled(4, 0));
  host.poke(gpa{0x10008}, counting(104));
  REQUIRE(host.run(stream_builder{}.dirty(1, 0, 104)) == error_code::none);
  for (const unsigned layer : {0u, 1u}) {
    const unsigned first = 1 + layer * 52;
    byte_vector mip0 = counting(16, first);
    const byte_vector second_row = counting(16, first + 20);
    mip0.insert(mip0.end(), second_row.begin(), second_row.end());
    CHECK(host.texture(1, spec, 0, layer) == mip0);
    CHECK(host.texture(1, spec, 1, layer) == counting(8, first + 40));
    CHECK(host.texture(1, spec, 2, layer) == counting(4, first + 48));
  }
}

TEMPLATE_LIST_TEST_CASE("CP-041 a dirty byte brings in its subresource and no other",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  const texture_spec spec{
      .width = 2, .height = 1, .mips = 2, .layers = 2, .pitch = 8, .memory = {1, 0}};
  host.give(1, gpa{0x10000}, 24);
  host.poke(gpa{0x10000}, filled(24, 1));
  REQUIRE(host.run(stream_builder{}.create_texture(1, spec)) == error_code::none);
  for (const unsigned layer : {0u, 1u}) {
    CHECK(host.texture(1, spec, 0, layer) == filled(8, 1));
    CHECK(host.texture(1, spec, 1, layer) == filled(4, 1));
  }
  host.poke(gpa{0x10000}, filled(24, 2));
  REQUIRE(host.run(stream_builder{}.dirty(1, 11, 2)) == error_code::none);
  CHECK(host.texture(1, spec, 0, 0) == filled(8, 1));
  CHECK(host.texture(1, spec, 1, 0) == filled(4, 2));
  CHECK(host.texture(1, spec, 0, 1) == filled(8, 2));
  CHECK(host.texture(1, spec, 1, 1) == filled(4, 1));
}

TEMPLATE_LIST_TEST_CASE("CP-042 a block-compressed mip below 4x4 is one whole block",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  const auto [format, block] = GENERATE(table<std::uint32_t, std::uint32_t>({
      {AEROGPU_FORMAT_BC1_RGBA_UNORM, 8},
      {AEROGPU_FORMAT_BC3_RGBA_UNORM_SRGB, 16},
  }));
  const texture_spec spec{
      .format = format, .width = 4, .height = 4, .mips = 3, .pitch = block, .memory = {1, 0}};
  host.give(1, gpa{0x10000}, 3 * block);
  host.poke(gpa{0x10000}, counting(3 * block));
  REQUIRE(host.run(stream_builder{}.create_texture(1, spec)) == error_code::none);
  for (const std::uint32_t mip : {0u, 1u, 2u}) {
    CHECK(host.texture(1, spec, mip) == counting(block, 1 + mip * block));
  }
}

TEMPLATE_LIST_TEST_CASE("CP-043 a new backed resource shows guest memory without DIRTY_RANGE",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  host.give(1, gpa{0x10000}, 96);
  host.poke(gpa{0x10000}, counting(96));
  const texture_spec spec{.pitch = 16, .memory = {1, 0}};
  REQUIRE(host.run(stream_builder{}.create_buffer(1, 32, {1, 64}).create_texture(2, spec)) ==
          error_code::none);
  CHECK(host.buffer(1, 32) == counting(32, 65));
  CHECK(host.texture(2, spec) == counting(64));
  REQUIRE(host.run(stream_builder{}.create_buffer(3, 16).create_texture(4, {})) ==
          error_code::none);
  CHECK(host.buffer(3, 16) == filled(16, 0));
  CHECK(host.texture(4, {}) == filled(64, 0));
}

TEMPLATE_LIST_TEST_CASE("CP-043 a new resource without backing is zero, all of it",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  const texture_spec spec{.width = 16, .height = 16, .mips = 3, .layers = 3};
  constexpr std::uint64_t size = 3 * 4'096 + 20;
  for (int i = 0; i < 2; ++i) {  // The second time where the first one's bytes were.
    REQUIRE(host.run(stream_builder{}.create_buffer(1, size).create_texture(2, spec)) ==
            error_code::none);
    CHECK(host.buffer(1, size) == filled(size, 0));
    for (std::uint32_t layer = 0; layer < 3; ++layer) {
      for (std::uint32_t mip = 0; mip < 3; ++mip) {
        CAPTURE(layer, mip);
        CHECK(host.texture(2, spec, mip, layer) == filled(4 * (16u >> mip) * (16u >> mip), 0));
      }
    }
    REQUIRE(host.run(stream_builder{}
                         .upload(1, 0, filled(size, 0xCC))
                         .upload(2, 0, filled(3 * 1'344, 0xCC))
                         .destroy(1)
                         .destroy(2)) == error_code::none);
  }
}

TEMPLATE_LIST_TEST_CASE("CP-119 whatever fails leaves clean resources clean and dirty ones dirty",
                        "[conformance][processor]", backends) {
  const auto failing = GENERATE(from_range(failing_packets()));
  CAPTURE(failing.name);
  processor_host<TestType> host;
  host.give(1, gpa{0x10000}, 0x100);
  host.give(2, gpa{0x20000}, 0x100);
  host.give(3, gpa{0x30000}, 0x100, AEROGPU_ALLOC_FLAG_READONLY);
  host.poke(gpa{0x10000}, filled(0x100, 1));
  host.poke(gpa{0x20000}, filled(0x100, 1));
  REQUIRE(host.run(failing_objects()) == error_code::none);
  CHECK(host.buffer(failing_handles::clean_buffer, 16) == filled(16, 1));
  CHECK(host.texture(failing_handles::clean_texture, failing_texture(1)) == filled(64, 1));
  host.poke(gpa{0x10000}, filled(0x100, 2));
  host.poke(gpa{0x20000}, filled(0x100, 2));

  stream_builder stream;
  failing.add(stream);
  if (failing.missing_alloc != 0) host.take(failing.missing_alloc);
  CHECK(host.run(stream) == failing.expected);

  host.give(1, gpa{0x10000}, 0x100);
  host.give(2, gpa{0x20000}, 0x100);
  CHECK(host.buffer(failing_handles::clean_buffer, 16) == filled(16, 1));
  CHECK(host.texture(failing_handles::clean_texture, failing_texture(1)) == filled(64, 1));
  host.poke(gpa{0x20000}, filled(0x100, 3));
  CHECK(host.buffer(failing_handles::dirty_buffer, 16) == filled(16, 3));
  CHECK(host.texture(failing_handles::dirty_texture, failing_texture(2)) == filled(64, 3));
}

}  // namespace aerogpu::conformance
