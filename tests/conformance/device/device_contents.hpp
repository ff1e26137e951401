// SPDX-License-Identifier: MIT
/// \file DEV-128: what resources hold comes back from a snapshot: every byte, subresource and
/// token.
#pragma once

#include "aerogpu/memory/texture_layout.hpp"
#include "tests/conformance/backends.hpp"
#include "tests/conformance/device/snapshot_edits.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace aerogpu::conformance {

/// A guest that makes resources and looks at their bytes, by copies with write-back.
template <backend B>
struct contents_rig : device_rig<B> {
  using table = std::vector<aerogpu_alloc_entry>;
  static constexpr std::uint64_t read_at = 0x5000'0000;
  static constexpr std::uint32_t own = 0x7801;  ///< A handle and an allocation.

  contents_rig() { this->start(64); }

  /// Returns how many errors it gave.
  auto run(const stream_builder& stream, const table& allocations = {}) -> std::uint32_t {
    const auto before = this->error_count();
    this->submit({.fence = ++fence, .stream = stream.bytes(), .table = allocations});
    CHECK(this->completed() == fence);
    return this->error_count() - before;
  }

  [[nodiscard]] auto buffer(std::uint32_t handle, std::uint64_t size, table allocations = {})
      -> byte_vector {
    return read_back(stream_builder{}
                         .create_buffer(own, size, {own, 0})
                         .copy_buffer(own, 0, handle, 0, size, AEROGPU_COPY_FLAG_WRITEBACK_DST)
                         .destroy(own),
                     size, allocations);
  }

  /// Tight rows of one subresource.
  [[nodiscard]] auto texture(std::uint32_t handle, const test::texture_spec& spec,
                             std::uint32_t mip = 0, std::uint32_t layer = 0,
                             const table& allocations = {}) -> byte_vector {
    const auto& format = *find_format(spec.format);
    const std::uint32_t width = std::max(1u, spec.width >> mip);
    const std::uint32_t height = std::max(1u, spec.height >> mip);
    const auto pitch = static_cast<std::uint32_t>(tight_row_bytes(format, width));
    const test::texture_spec copy{.format = spec.format,
                                  .width = width,
                                  .height = height,
                                  .pitch = pitch,
                                  .memory = {own, 0}};
    return read_back(stream_builder{}
                         .create_texture(own, copy)
                         .copy_texture({own}, {handle, mip, layer}, width, height,
                                       AEROGPU_COPY_FLAG_WRITEBACK_DST)
                         .destroy(own),
                     std::uint64_t{pitch} * row_count(format, height), allocations);
  }

  std::uint64_t fence = 0;

 private:
  auto read_back(const stream_builder& stream, std::uint64_t size, table allocations)
      -> byte_vector {
    this->machine.ram.map(gpa{read_at}, size);
    allocations.push_back({own, AEROGPU_ALLOC_FLAG_NONE, read_at, size, 0});
    CHECK(run(stream, allocations) == 0);
    return this->machine.ram.peek(gpa{read_at}, static_cast<std::size_t>(size));
  }
};

namespace contents_case {

/// Bytes that are other ones in each page.
[[nodiscard]] inline auto pages_of(std::size_t size) -> byte_vector {
  byte_vector bytes(size);
  for (std::size_t i = 0; i < size; ++i) {
    bytes[i] = static_cast<std::byte>(1 + i % 251 + 7 * (i / 4096));
  }
  return bytes;
}

}  // namespace contents_case

TEMPLATE_LIST_TEST_CASE("DEV-128 buffers keep every byte of their pages", "[conformance][device]",
                        backends) {
  const std::uint64_t size = GENERATE(4u, 4'096u, 3 * 4'096u + 20);
  const auto content = contents_case::pages_of(size);
  contents_rig<TestType> rig;
  REQUIRE(
      rig.run(
          stream_builder{}.create_buffer(1, size).upload(1, 0, content).create_buffer(2, size)) ==
      0);
  for (int saves = 0; saves < 2; ++saves) {
    snapshot_case::move_to_new_device(rig);
    CHECK(rig.buffer(1, size) == content);
    CHECK(rig.buffer(2, size) == byte_vector(size));
  }
}

TEMPLATE_LIST_TEST_CASE("DEV-128 textures keep every level of every layer", "[conformance][device]",
                        backends) {
  const auto format =
      GENERATE(as<std::uint32_t>{}, AEROGPU_FORMAT_R8G8B8A8_UNORM, AEROGPU_FORMAT_B8G8R8X8_UNORM,
               AEROGPU_FORMAT_B5G6R5_UNORM, AEROGPU_FORMAT_BC2_RGBA_UNORM);
  CAPTURE(format);
  const test::texture_spec spec{.format = format, .width = 16, .height = 8, .mips = 3, .layers = 3};
  const auto layout = texture_layout::create({format, 16, 8, 3, 3, 0});
  REQUIRE(layout);
  const auto content = contents_case::pages_of(static_cast<std::size_t>(layout->total_bytes()));
  contents_rig<TestType> rig;
  REQUIRE(
      rig.run(
          stream_builder{}.create_texture(1, spec).upload(1, 0, content).create_texture(2, spec)) ==
      0);
  snapshot_case::move_to_new_device(rig);
  for (std::uint32_t layer = 0; layer < 3; ++layer) {
    for (std::uint32_t mip = 0; mip < 3; ++mip) {
      CAPTURE(layer, mip);
      const auto place = layout->locate({mip, layer});
      const auto size = static_cast<std::size_t>(place.size_bytes());
      auto expected = test::part_of(content, static_cast<std::size_t>(place.offset_bytes), size);
      auto fresh = byte_vector(size);
      if (format == AEROGPU_FORMAT_B8G8R8X8_UNORM) {
        for (std::size_t i = 3; i < size; i += 4) expected[i] = fresh[i] = std::byte{0xFF};
      }
      CHECK(rig.texture(1, spec, mip, layer) == expected);
      CHECK(rig.texture(2, spec, mip, layer) == fresh);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("DEV-128 what an X8 texture was given for alpha is in no snapshot",
                        "[conformance][device]", backends) {
  const auto saved_with = [](unsigned alpha) {
    contents_rig<TestType> rig;
    auto texels = test::filled(64, 1);
    for (std::size_t i = 3; i < 64; i += 4) texels[i] = static_cast<std::byte>(alpha);
    REQUIRE(rig.run(stream_builder{}
                        .create_texture(1, {.format = AEROGPU_FORMAT_B8G8R8X8_UNORM})
                        .upload(1, 0, texels)) == 0);
    const auto snapshot = snapshot_case::save(rig);
    const auto sections = snapshot_sections::parse(snapshot);
    REQUIRE(sections);
    return snapshot_case::copy_of(sections->bytes(snapshot_section::processor));
  };
  CHECK(saved_with(0x11) == saved_with(0x22));
}

TEMPLATE_LIST_TEST_CASE("DEV-128 what guest memory backs keeps its place, and what is dirty in it",
                        "[conformance][device]", backends) {
  constexpr std::uint64_t memory = 0x90000;
  const typename contents_rig<TestType>::table allocations{{1, 0, memory, 256, 0}};
  const test::texture_spec spec{
      .width = 4, .height = 2, .layers = 2, .pitch = 16, .memory = {1, 128}};
  contents_rig<TestType> rig;
  rig.machine.ram.poke(gpa{memory}, test::filled(256, 1));
  REQUIRE(rig.run(stream_builder{}.create_buffer(1, 64, {1, 64}).create_texture(2, spec),
                  allocations) == 0);
  REQUIRE(rig.buffer(1, 64, allocations) == test::filled(64, 1));
  for (const std::uint32_t layer : {0u, 1u}) {
    REQUIRE(rig.texture(2, spec, 0, layer, allocations) == test::filled(32, 1));
  }
  rig.machine.ram.poke(gpa{memory}, contents_case::pages_of(256));
  REQUIRE(rig.run(stream_builder{}.dirty(1, 16, 8).dirty(2, 32, 32), allocations) == 0);
  snapshot_case::move_to_new_device(rig);
  auto expected = test::filled(64, 1);
  for (std::size_t i = 16; i < 24; ++i) expected[i] = contents_case::pages_of(256)[64 + i];
  CHECK(rig.buffer(1, 64, allocations) == expected);
  CHECK(rig.texture(2, spec, 0, 0, allocations) == test::filled(32, 1));
  CHECK(rig.texture(2, spec, 0, 1, allocations) ==
        test::part_of(contents_case::pages_of(256), 128 + 32, 32));
}

TEMPLATE_LIST_TEST_CASE("DEV-128 share tokens stay bound, and retired ones retired",
                        "[conformance][device]", backends) {
  const auto texels = test::counting(64);
  contents_rig<TestType> rig;
  REQUIRE(rig.run(stream_builder{}
                      .create_texture(1, {})
                      .upload(1, 0, texels)
                      .export_surface(1, 77)
                      .export_surface(1, 78)
                      .release_surface(78)) == 0);
  snapshot_case::move_to_new_device(rig);
  REQUIRE(rig.run(stream_builder{}.import_surface(2, 77)) == 0);
  CHECK(rig.texture(2, {}) == texels);
  CHECK(rig.run(stream_builder{}.import_surface(3, 78)) == 1);
  CHECK(rig.run(stream_builder{}.export_surface(1, 78)) == 1);
  CHECK(rig.run(stream_builder{}.export_surface(1, 79)) == 0);
}

}  // namespace aerogpu::conformance
