// SPDX-License-Identifier: MIT
/// \file CP-011..030: creating, rebinding and destroying resources.
#pragma once

#include "tests/catch.hpp"
#include "tests/conformance/backends.hpp"
#include "tests/conformance/printing.hpp"
#include "tests/conformance/processor/processor_host.hpp"
#include "tests/support/byte_code/shaders.hpp"
#include "tests/support/layout_blobs.hpp"

#include <cstdint>

namespace aerogpu::conformance {

TEMPLATE_LIST_TEST_CASE("CP-011 CREATE_BUFFER refuses handle 0 and sizes 0 and 6",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  CHECK(host.run(stream_builder{}.create_buffer(0, 16)) == error_code::invalid_handle);
  const auto size = GENERATE(0u, 1u, 3u, 6u);
  CHECK(host.run(stream_builder{}.create_buffer(1, size)) == error_code::invalid_parameter);
  CHECK_FALSE(host.is_live(1));
}

TEMPLATE_LIST_TEST_CASE("CP-011 of two faults CREATE_BUFFER tells the one that is checked first",
                        "[conformance][processor]", backends) {
  struct row {
    std::uint32_t handle;
    std::uint64_t size;
    backing memory;
    error_code expected;
  };
  // Buffer 1 has 16 bytes, 2 is a texture, allocation 1 has 64 bytes and 9 is none.
  const auto c = GENERATE(values<row>({
      {0, 6, {}, error_code::invalid_handle},
      {2, 6, {}, error_code::handle_in_use},
      {2, 16, {9, 0}, error_code::handle_in_use},
      {3, 6, {9, 0}, error_code::invalid_parameter},
      {1, 6, {}, error_code::invalid_parameter},
      {1, 20, {9, 0}, error_code::unknown_alloc_id},
      {1, 20, {1, 48}, error_code::alloc_out_of_bounds},
      {1, 2'048, {}, error_code::rebind_mismatch},
      {3, 2'048, {9, 0}, error_code::unknown_alloc_id},
      {3, 2'048, {1, 0}, error_code::alloc_out_of_bounds},
  }));
  limits most;
  most.buffer_bytes = 1'024;
  processor_host<TestType> host{most};
  host.give(1, gpa{0x10000}, 64);
  REQUIRE(host.run(stream_builder{}.create_buffer(1, 16).create_texture(2, {})) ==
          error_code::none);
  CHECK(host.run(stream_builder{}.create_buffer(c.handle, c.size, c.memory)) == c.expected);
}

TEMPLATE_LIST_TEST_CASE("CP-012 CREATE_TEXTURE2D refuses handle 0 and any zero size or count",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  CHECK(host.run(stream_builder{}.create_texture(0, {})) == error_code::invalid_handle);
  const auto spec = GENERATE(texture_spec{.width = 0}, texture_spec{.height = 0},
                             texture_spec{.mips = 0}, texture_spec{.layers = 0});
  CHECK(host.run(stream_builder{}.create_texture(1, spec)) == error_code::invalid_parameter);
  CHECK_FALSE(host.is_live(1));
}

TEMPLATE_LIST_TEST_CASE("CP-012 of two faults CREATE_TEXTURE2D tells the one that is checked first",
                        "[conformance][processor]", backends) {
  constexpr std::uint32_t huge = 0xFFFFFFFF, bc1 = 64;
  constexpr auto shown = AEROGPU_RESOURCE_USAGE_SCANOUT;
  // 1 is a buffer, 2 a texture in allocation 1, which has 64 bytes. Allocation 9 is none.
  const texture_spec live{.pitch = 16, .memory = {1, 0}};
  const auto [what, handle, spec, expected] =
      GENERATE_COPY(table<const char*, std::uint32_t, texture_spec, error_code>({
          {"handle 0, a zero size", 0, {.width = 0}, error_code::invalid_handle},
          {"in use, a zero size", 1, {.width = 0}, error_code::handle_in_use},
          {"in use, no pitch", 1, {.memory = {1, 0}}, error_code::handle_in_use},
          {"in use, format", 1, {.format = 0}, error_code::handle_in_use},
          {"a zero count, format", 3, {.format = 0, .mips = 0}, error_code::invalid_parameter},
          {"a zero size, other properties", 2, {.width = 0}, error_code::invalid_parameter},
          {"no pitch, other properties", 2, {.memory = {1, 0}}, error_code::invalid_parameter},
          {"no pitch, format", 3, {.format = 0, .memory = {1, 0}}, error_code::invalid_parameter},
          {"other properties, format", 2, {.format = 0}, error_code::rebind_mismatch},
          {"other properties, too many mips", 2, {.mips = 9}, error_code::rebind_mismatch},
          {"other properties, no allocation",
           2,
           {.pitch = 20, .memory = {9, 0}},
           error_code::rebind_mismatch},
          {"format, too many mips", 3, {.format = 0, .mips = 9}, error_code::unsupported_format},
          {"usage, size",
           3,
           {.format = bc1, .width = huge, .height = huge, .layers = huge, .usage = shown},
           error_code::invalid_parameter},
          {"a low pitch, no allocation",
           3,
           {.pitch = 15, .memory = {9, 0}},
           error_code::invalid_parameter},
          {"size, no allocation",
           3,
           {.width = 1, .height = huge, .layers = huge, .pitch = huge, .memory = {9, 0}},
           error_code::size_overflow},
          {"no allocation, too wide",
           3,
           {.width = 65, .pitch = 260, .memory = {9, 0}},
           error_code::unknown_alloc_id},
          {"a small allocation, too many layers",
           3,
           {.layers = 5, .pitch = 16, .memory = {1, 0}},
           error_code::alloc_out_of_bounds},
      }));
  CAPTURE(what);
  limits most;
  most.texture_dimension = 64;
  most.array_layers = 4;
  processor_host<TestType> host{most};
  host.give(1, gpa{0x10000}, 64);
  REQUIRE(host.run(stream_builder{}.create_buffer(1, 16).create_texture(2, live)) ==
          error_code::none);
  CHECK(host.run(stream_builder{}.create_texture(handle, spec)) == expected);
}

TEMPLATE_LIST_TEST_CASE("CP-013 CREATE_TEXTURE2D refuses formats outside the enumeration",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  const auto format = GENERATE(0u, 11u, 31u, 34u, 63u, 72u, 0xFFFFFFFFu);
  CHECK(host.run(stream_builder{}.create_texture(1, {.format = format})) ==
        error_code::unsupported_format);
  CHECK_FALSE(host.is_live(1));
}

TEMPLATE_LIST_TEST_CASE("CP-013 CREATE_TEXTURE2D takes every format of the enumeration",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  for (const format_info& format : formats) {
    CAPTURE(format.name);
    CHECK(host.run(stream_builder{}
                       .create_texture(1, {.format = format.value, .width = 8, .height = 8})
                       .destroy(1)) == error_code::none);
  }
}

TEMPLATE_LIST_TEST_CASE("CP-014 a mip chain may be exact and not one level longer",
                        "[conformance][processor]", backends) {
  const auto [width, height, full] = GENERATE(table<std::uint32_t, std::uint32_t, std::uint32_t>({
      {1, 1, 1},
      {2, 1, 2},
      {1, 7, 3},
      {16, 16, 5},
      {5, 300, 9},
  }));
  processor_host<TestType> host;
  CHECK(host.run(stream_builder{}.create_texture(
            1, {.width = width, .height = height, .mips = full + 1})) ==
        error_code::invalid_parameter);
  CHECK(host.run(stream_builder{}.create_texture(
            1, {.width = width, .height = height, .mips = full})) == error_code::none);
  CHECK(host.run(stream_builder{}.create_texture(
            2, {.width = width, .height = height, .mips = 0xFFFFFFFF})) ==
        error_code::invalid_parameter);
}

TEMPLATE_LIST_TEST_CASE("CP-015 a backed texture needs a pitch of at least its tight row",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  host.give(1, gpa{0x10000}, 0x1000);
  const auto [pitch, expected] = GENERATE(table<std::uint32_t, error_code>({
      {0, error_code::invalid_parameter},
      {1, error_code::invalid_parameter},
      {15, error_code::invalid_parameter},
      {16, error_code::none},
      {17, error_code::none},
      {64, error_code::none},
  }));
  CHECK(host.run(stream_builder{}.create_texture(1, {.pitch = pitch, .memory = {1, 0}})) ==
        expected);
}

TEMPLATE_LIST_TEST_CASE("CP-016 a host-owned texture may leave its pitch 0 but not set it too low",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  const auto [pitch, expected] = GENERATE(table<std::uint32_t, error_code>({
      {0, error_code::none},
      {15, error_code::invalid_parameter},
      {16, error_code::none},
      {100, error_code::none},
  }));
  CHECK(host.run(stream_builder{}.create_texture(1, {.pitch = pitch})) == expected);
}

TEMPLATE_LIST_TEST_CASE("CP-017 a block-compressed texture cannot be a target nor shown",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  const auto format = GENERATE(64u, 65u, 66u, 67u, 68u, 69u, 70u, 71u);
  const auto usage = GENERATE(AEROGPU_RESOURCE_USAGE_RENDER_TARGET,
                              AEROGPU_RESOURCE_USAGE_DEPTH_STENCIL, AEROGPU_RESOURCE_USAGE_SCANOUT);
  texture_spec spec{.format = format, .width = 8, .height = 8};
  spec.usage |= usage;
  CHECK(host.run(stream_builder{}.create_texture(1, spec)) == error_code::invalid_parameter);
  spec.usage = AEROGPU_RESOURCE_USAGE_TEXTURE | 0xFFFFFF00u;  // Unknown bits are no obstacle.
  CHECK(host.run(stream_builder{}.create_texture(1, spec)) == error_code::none);
}

TEMPLATE_LIST_TEST_CASE("CP-018 a backed resource needs a table that holds its allocation",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  stream_builder buffer, texture;
  buffer.create_buffer(1, 16, {1, 0});
  texture.create_texture(2, {.pitch = 16, .memory = {1, 0}});
  CHECK(host.run(buffer) == error_code::missing_alloc_table);
  CHECK(host.run(texture) == error_code::missing_alloc_table);
  host.give(2, gpa{0x10000}, 0x1000);
  CHECK(host.run(buffer) == error_code::unknown_alloc_id);
  CHECK(host.run(texture) == error_code::unknown_alloc_id);
  host.take(2);
  CHECK(host.run(buffer) == error_code::unknown_alloc_id);
  CHECK_FALSE(host.is_live(1));
  CHECK_FALSE(host.is_live(2));
}

TEMPLATE_LIST_TEST_CASE(
    "CP-019 allocations are found by id, in whatever order the table lists them",
    "[conformance][processor]", backends) {
  processor_host<TestType> host;
  for (const std::uint32_t id : {9u, 2u, 0x80000001u, 5u, 1u}) {
    const gpa at{std::uint64_t{id % 16} * 0x10000 + 0x100000};
    host.give(id, at, 16);
    host.poke(at, counting(16, id % 16));
  }
  stream_builder stream;
  for (const std::uint32_t id : {1u, 2u, 5u, 9u, 0x80000001u}) {
    stream.create_buffer(id % 16 + 100, 16, {id, 0});
  }
  REQUIRE(host.run(stream) == error_code::none);
  CHECK(host.buffer(102, 16) == counting(16, 2));
  CHECK(host.buffer(109, 16) == counting(16, 9));
  CHECK(host.buffer(105, 16) == counting(16, 5));
}

TEMPLATE_LIST_TEST_CASE("CP-020 a backing may end exactly where its allocation ends",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  const auto [size, offset, alloc, expected] =
      GENERATE(table<std::uint64_t, std::uint32_t, std::uint64_t, error_code>({
          {16, 0, 16, error_code::none},
          {16, 240, 256, error_code::none},
          {16, 241, 256, error_code::alloc_out_of_bounds},
          {20, 240, 256, error_code::alloc_out_of_bounds},
          {16, 0xFFFFFFFF, 256, error_code::alloc_out_of_bounds},
          {0xFFFFFFFFFFFFFFFC, 0, 256, error_code::alloc_out_of_bounds},
          {0xFFFFFFFFFFFFFFFC, 4, 256, error_code::size_overflow},
      }));
  host.give(1, gpa{0x10000}, alloc);
  CHECK(host.run(stream_builder{}.create_buffer(1, size, {1, offset})) == expected);
}

TEMPLATE_LIST_TEST_CASE("CP-021 the whole mip chain of every layer must fit the allocation",
                        "[conformance][processor]", backends) {
  // The totals are spelled out, so that the layout is checked against numbers and not itself.
  const auto [spec, total] = GENERATE(table<texture_spec, std::uint64_t>({
      {{.format = AEROGPU_FORMAT_R8G8B8A8_UNORM, .width = 5, .height = 3, .pitch = 20}, 60},
      {{.format = AEROGPU_FORMAT_R8G8B8A8_UNORM, .width = 5, .height = 3, .pitch = 32}, 96},
      {{.format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
        .width = 5,
        .height = 3,
        .mips = 3,
        .layers = 2,
        .pitch = 32},
       2 * (32 * 3 + 8 + 4)},
      {{.format = AEROGPU_FORMAT_B5G6R5_UNORM, .width = 7, .height = 5, .mips = 3, .pitch = 16},
       16 * 5 + 6 * 2 + 2},
      {{.format = AEROGPU_FORMAT_BC1_RGBA_UNORM, .width = 7, .height = 5, .mips = 3, .pitch = 16},
       16 * 2 + 8 + 8},
      {{.format = AEROGPU_FORMAT_BC3_RGBA_UNORM,
        .width = 9,
        .height = 6,
        .mips = 4,
        .layers = 3,
        .pitch = 64},
       3 * (64 * 2 + 16 + 16 + 16)},
      {{.format = AEROGPU_FORMAT_BC7_RGBA_UNORM,
        .width = 30,
        .height = 18,
        .mips = 3,
        .layers = 2,
        .pitch = 128},
       1728},
      {{.format = AEROGPU_FORMAT_D24_UNORM_S8_UINT, .width = 3, .height = 3, .pitch = 12}, 36},
  }));
  processor_host<TestType> host;
  texture_spec backed = spec;
  backed.memory = {1, 64};
  host.give(1, gpa{0x10000}, 64 + total - 1);
  CHECK(host.run(stream_builder{}.create_texture(1, backed)) == error_code::alloc_out_of_bounds);
  host.give(1, gpa{0x10000}, 64 + total);
  CHECK(host.run(stream_builder{}.create_texture(1, backed)) == error_code::none);
}

TEMPLATE_LIST_TEST_CASE("CP-022 dimensions whose bytes do not fit a number are SizeOverflow",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  const auto spec = GENERATE(
      texture_spec{.width = 0xFFFFFFFF, .height = 0xFFFFFFFF, .layers = 0xFFFFFFFF},
      texture_spec{.width = 0x80000000, .height = 0x80000000, .mips = 32, .layers = 0x80000000},
      texture_spec{.width = 1, .height = 0xFFFFFFFF, .layers = 0xFFFFFFFF, .pitch = 0xFFFFFFFF});
  CHECK(host.run(stream_builder{}.create_texture(1, spec)) == error_code::size_overflow);
  CHECK(host.counts().resource_bytes == 0);
}

TEMPLATE_LIST_TEST_CASE(
    "CP-022 sizes beyond the host's limits are refused, and nothing is allocated",
    "[conformance][processor]", backends) {
  limits most;
  most.buffer_bytes = 1024;
  most.resource_bytes = 4096;
  most.texture_dimension = 64;
  most.array_layers = 4;
  processor_host<TestType> host{most};
  CHECK(host.run(stream_builder{}.create_buffer(1, 1028)) == error_code::out_of_memory);
  CHECK(host.run(stream_builder{}.create_texture(2, {.width = 65})) == error_code::unsupported);
  CHECK(host.run(stream_builder{}.create_texture(2, {.height = 65})) == error_code::unsupported);
  CHECK(host.run(stream_builder{}.create_texture(2, {.layers = 5})) == error_code::unsupported);
  CHECK(host.run(stream_builder{}.create_texture(2, {.width = 64, .height = 64})) ==
        error_code::out_of_memory);
  CHECK(host.counts().resource_bytes == 0);
  CHECK(host.run(stream_builder{}.create_buffer(1, 1024)) == error_code::none);
}

TEMPLATE_LIST_TEST_CASE(
    "CP-023 CREATE_BUFFER on a live buffer of equal properties moves its backing",
    "[conformance][processor]", backends) {
  processor_host<TestType> host;
  host.give(1, gpa{0x10000}, 64);
  host.give(2, gpa{0x20000}, 64);
  host.poke(gpa{0x10000}, counting(16, 1));
  host.poke(gpa{0x20010}, counting(16, 50));
  REQUIRE(host.run(stream_builder{}.create_buffer(1, 16, {1, 0})) == error_code::none);
  CHECK(host.buffer(1, 16) == counting(16, 1));
  REQUIRE(host.run(stream_builder{}.create_buffer(1, 16, {2, 16})) == error_code::none);
  REQUIRE(host.run(stream_builder{}.dirty(1, 0, 16)) == error_code::none);
  CHECK(host.buffer(1, 16) == counting(16, 50));
}

TEMPLATE_LIST_TEST_CASE("CP-023 CREATE_BUFFER on a live buffer of another size or usage is refused",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  host.give(1, gpa{0x10000}, 64);
  REQUIRE(host.run(stream_builder{}.create_buffer(1, 16, {1, 0})) == error_code::none);
  CHECK(host.run(stream_builder{}.create_buffer(1, 20, {1, 0})) == error_code::rebind_mismatch);
  CHECK(host.run(stream_builder{}.create_buffer(
            1, 16, {1, 0}, AEROGPU_RESOURCE_USAGE_INDEX_BUFFER)) == error_code::rebind_mismatch);
  CHECK(host.run(stream_builder{}.create_buffer(1, 16, {1, 52})) ==
        error_code::alloc_out_of_bounds);
  CHECK(host.is_live(1));
}

TEMPLATE_LIST_TEST_CASE(
    "CP-024 CREATE_TEXTURE2D on a live texture compares each immutable property",
    "[conformance][processor]", backends) {
  processor_host<TestType> host;
  host.give(1, gpa{0x10000}, 0x1000);
  const texture_spec first{
      .width = 8, .height = 8, .mips = 2, .layers = 2, .pitch = 32, .memory = {1, 0}};
  REQUIRE(host.run(stream_builder{}.create_texture(1, first)) == error_code::none);
  const auto change = GENERATE(range(0, 7));
  texture_spec other = first;
  switch (change) {
    case 0: other.format = AEROGPU_FORMAT_B8G8R8X8_UNORM; break;
    case 1: other.width = 7; break;
    case 2: other.height = 9; break;
    case 3: other.mips = 1; break;
    case 4: other.layers = 1; break;
    case 5: other.pitch = 36; break;
    default: other.usage |= AEROGPU_RESOURCE_USAGE_RENDER_TARGET; break;
  }
  CHECK(host.run(stream_builder{}.create_texture(1, other)) == error_code::rebind_mismatch);
}

TEMPLATE_LIST_TEST_CASE(
    "CP-024 CREATE_TEXTURE2D on a live texture of equal properties moves its "
    "backing",
    "[conformance][processor]", backends) {
  processor_host<TestType> host;
  host.give(1, gpa{0x10000}, 64);
  host.give(2, gpa{0x20000}, 256);
  host.poke(gpa{0x20040}, counting(64, 50));
  texture_spec spec{.pitch = 16, .memory = {1, 0}};
  REQUIRE(host.run(stream_builder{}.create_texture(1, spec)) == error_code::none);
  spec.memory = {2, 64};
  REQUIRE(host.run(stream_builder{}.create_texture(1, spec).dirty(1, 0, 64)) == error_code::none);
  CHECK(host.texture(1, spec) == counting(64, 50));
  spec.memory = {2, 256};
  CHECK(host.run(stream_builder{}.create_texture(1, spec)) == error_code::alloc_out_of_bounds);
}

TEMPLATE_LIST_TEST_CASE("CP-025 a rebind keeps content and makes nothing dirty",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  host.give(1, gpa{0x10000}, 16);
  host.give(2, gpa{0x20000}, 16);
  host.poke(gpa{0x10000}, counting(16, 1));
  host.poke(gpa{0x20000}, counting(16, 50));
  REQUIRE(host.run(stream_builder{}.create_buffer(1, 16, {1, 0})) == error_code::none);
  REQUIRE(host.buffer(1, 16) == counting(16, 1));
  REQUIRE(host.run(stream_builder{}.create_buffer(1, 16, {2, 0})) == error_code::none);
  CHECK(host.buffer(1, 16) == counting(16, 1));
}

TEMPLATE_LIST_TEST_CASE("CP-025 a rebind keeps what was dirty, to be read from the new place",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  host.give(1, gpa{0x10000}, 16);
  host.give(2, gpa{0x20000}, 16);
  host.poke(gpa{0x10000}, counting(16, 1));
  REQUIRE(host.run(stream_builder{}.create_buffer(1, 16, {1, 0})) == error_code::none);
  REQUIRE(host.buffer(1, 16) == counting(16, 1));
  host.poke(gpa{0x20000}, counting(16, 50));
  REQUIRE(host.run(stream_builder{}.dirty(1, 4, 4).create_buffer(1, 16, {2, 0})) ==
          error_code::none);
  byte_vector expected = counting(16, 1);
  overwrite(expected, 4, counting(4, 54));
  CHECK(host.buffer(1, 16) == expected);
}

TEMPLATE_LIST_TEST_CASE(
    "CP-025 what is dirty of a resource that moved to the host waits for memory",
    "[conformance][processor]", backends) {
  processor_host<TestType> host;
  host.give(1, gpa{0x10000}, 80);
  host.poke(gpa{0x10000}, counting(80));
  const texture_spec backed{.pitch = 16, .memory = {1, 16}};
  texture_spec moved = backed;
  moved.memory = {};
  REQUIRE(host.run(stream_builder{}
                       .create_buffer(1, 16, {1, 0})
                       .create_texture(2, backed)
                       .create_buffer(1, 16)
                       .create_texture(2, moved)) == error_code::none);
  CHECK(host.buffer(1, 16) == filled(16, 0));
  CHECK(host.texture(2, backed) == filled(64, 0));
  REQUIRE(host.run(stream_builder{}.create_buffer(1, 16, {1, 0}).create_texture(2, backed)) ==
          error_code::none);
  CHECK(host.buffer(1, 16) == counting(16));
  CHECK(host.texture(2, backed) == counting(64, 17));
}

TEMPLATE_LIST_TEST_CASE("CP-026 CREATE over a live resource of the other kind is HandleInUse",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  REQUIRE(host.run(stream_builder{}.create_buffer(1, 16).create_texture(2, {})) ==
          error_code::none);
  CHECK(host.run(stream_builder{}.create_texture(1, {})) == error_code::handle_in_use);
  CHECK(host.run(stream_builder{}.create_buffer(2, 16)) == error_code::handle_in_use);
}

TEMPLATE_LIST_TEST_CASE(
    "CP-027 CREATE over an alias is HandleInUse, before any allocation is looked "
    "up",
    "[conformance][processor]", backends) {
  processor_host<TestType> host;
  REQUIRE(host.run(stream_builder{}.create_texture(1, {}).export_surface(1, 7).import_surface(
              2, 7)) == error_code::none);
  CHECK(host.run(stream_builder{}.create_texture(2, {})) == error_code::handle_in_use);
  CHECK(host.run(stream_builder{}.create_buffer(2, 16)) == error_code::handle_in_use);
  CHECK(host.run(stream_builder{}.create_texture(2, {.pitch = 16, .memory = {1, 0}})) ==
        error_code::handle_in_use);
  CHECK(host.run(stream_builder{}.create_buffer(2, 16, {1, 0})) == error_code::handle_in_use);
}

TEMPLATE_LIST_TEST_CASE("CP-028 DESTROY of 0, of an unknown handle and of a dead one does nothing",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  CHECK(host.run(stream_builder{}
                     .destroy(0)
                     .destroy(99)
                     .create_buffer(1, 16)
                     .destroy(1)
                     .destroy(1)
                     .destroy_shader(0)
                     .destroy_shader(99)
                     .destroy_layout(0)
                     .destroy_layout(99)
                     .destroy_sampler(0)
                     .destroy_sampler(99)
                     .destroy_view(0)
                     .destroy_view(99)) == error_code::none);
  CHECK_FALSE(host.is_live(1));
}

TEMPLATE_LIST_TEST_CASE("CP-029 the handle of a destroyed resource serves another kind",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  const texture_spec spec;
  REQUIRE(host.run(stream_builder{}.create_buffer(1, 16).upload(1, 0, filled(16, 9)).destroy(1)) ==
          error_code::none);
  REQUIRE(host.run(stream_builder{}.create_texture(1, spec)) == error_code::none);
  CHECK(host.texture(1, spec) == filled(64, 0));
  REQUIRE(host.run(stream_builder{}.upload(1, 0, counting(64)).destroy(1).create_buffer(1, 64)) ==
          error_code::none);
  CHECK(host.buffer(1, 64) == filled(64, 0));
}

TEMPLATE_LIST_TEST_CASE("CP-030 one number may name a buffer, a shader, a layout and a sampler",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  REQUIRE(host.run(stream_builder{}
                       .create_buffer(1, 16)
                       .create_shader(1, wire_vs, vs_2_0_position())
                       .create_layout(1, declaration_blob({declaration_end}))
                       .create_sampler(1)) == error_code::none);
  REQUIRE(host.run(stream_builder{}.destroy_shader(1).destroy_layout(1).destroy_sampler(1)) ==
          error_code::none);
  CHECK(host.is_live(1));
  CHECK(host.counts().shaders == 0);
  CHECK(host.run(stream_builder{}.create_shader(1, wire_ps, ps_2_0_white()).destroy(1)) ==
        error_code::none);
  CHECK_FALSE(host.is_live(1));
  CHECK(host.counts().shaders == 1);
}

}  // namespace aerogpu::conformance
