// SPDX-License-Identifier: MIT
// Memory that somebody else has used. What a guest can read was written by it, or is zero.
#include "aerogpu/memory/format.hpp"
#include "tests/catch.hpp"
#include "tests/hostile/scene.hpp"
#include "tests/hostile/session.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace aerogpu::hostile {

namespace disclosure_group {

constexpr std::uint32_t first = 0x7B01;

/// Fills much memory of the device with a secret, and gives it back.
void leave_secrets(guest& g) {
  constexpr std::uint32_t victim_context = 0x77, count = 12;
  stream_builder stream;
  for (std::uint32_t i = 0; i < count; ++i) {
    stream
        .create_texture(first + i, {.format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
                                    .width = 512,
                                    .height = 512,
                                    .usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET})
        .targets({first + i})
        .clear(AEROGPU_CLEAR_COLOR, {0.7f, 0.7f, 0.7f, 0.7f})
        .create_buffer(first + count + i, 1u << 18)
        .upload(first + count + i, 0, test::filled(1u << 18, 0x5E));
  }
  stream.targets({});
  for (std::uint32_t i = 0; i < 2 * count; ++i) stream.destroy(first + i);
  g.must_run(stream, victim_context);
  g.finish();
}

auto bytes_that_are_not(mutable_bytes in, std::byte expected) -> std::size_t {
  return static_cast<std::size_t>(
      std::ranges::count_if(in, [expected](std::byte b) { return b != expected; }));
}

auto tight_pitch(std::uint32_t format, std::uint32_t width) -> std::uint32_t {
  const format_info& info = *find_format(format);
  return (width + info.block_dim - 1u) / info.block_dim * info.bytes_per_block;
}

/// Reads each level and layer of a texture through a copy into guest memory.
void texture_is_zero(guest& g, const test::texture_spec& spec) {
  constexpr std::uint32_t texture = first, copy = first + 1;
  const guest_memory_block block = g.allocate(spec.width * spec.height * 16);
  g.must_run(stream_builder{}.create_texture(texture, spec));
  for (std::uint32_t layer = 0; layer < spec.layers; ++layer) {
    for (std::uint32_t mip = 0; mip < spec.mips; ++mip) {
      const std::uint32_t width = std::max(1u, spec.width >> mip);
      const std::uint32_t height = std::max(1u, spec.height >> mip);
      test::texture_spec flat = spec;
      flat.width = width, flat.height = height, flat.mips = flat.layers = 1;
      flat.memory = {block.id, 0};
      flat.pitch = tight_pitch(spec.format, width);
      const mutable_bytes memory =
          g.memory().ram(block.at, static_cast<std::size_t>(block.size_bytes));
      std::ranges::fill(memory, std::byte{0});
      g.must_run(stream_builder{}
                     .create_texture(copy, flat)
                     .copy_texture({copy}, {texture, mip, layer}, width, height,
                                   AEROGPU_COPY_FLAG_WRITEBACK_DST)
                     .destroy(copy));
      CHECK(bytes_that_are_not(memory, std::byte{0}) == 0);
    }
  }
  g.must_run(stream_builder{}.destroy(texture));
}

void fresh_textures() {
  session s;
  for (const std::uint32_t format :
       {AEROGPU_FORMAT_B8G8R8A8_UNORM, AEROGPU_FORMAT_B5G6R5_UNORM, AEROGPU_FORMAT_BC1_RGBA_UNORM,
        AEROGPU_FORMAT_BC7_RGBA_UNORM, AEROGPU_FORMAT_R8G8B8A8_UNORM_SRGB}) {
    leave_secrets(s.g());
    texture_is_zero(s.g(), {.format = format, .width = 128, .height = 128, .mips = 8, .layers = 2});
    s.g().forget_memory();
  }
  s.must_serve();
}

void fresh_buffers() {
  session s;
  for (const std::uint32_t size : {4u, 68u, 4096u, 1u << 20}) {
    leave_secrets(s.g());
    s.g().must_run(stream_builder{}.create_buffer(first, size));
    byte_vector bytes = s.g().read_buffer(first, 0, size);
    CHECK(bytes_that_are_not(bytes, std::byte{0}) == 0);
    s.g().must_run(stream_builder{}.destroy(first));
  }
  s.must_serve();
}

/// A partial upload says nothing about the rest.
void partly_written() {
  session s;
  leave_secrets(s.g());
  constexpr std::uint32_t side = 64;
  const guest_memory_block block = s.g().allocate(side * side * 4);
  s.g().must_run(
      stream_builder{}
          .create_texture(first,
                          {.format = AEROGPU_FORMAT_R8G8B8A8_UNORM, .width = side, .height = side})
          .upload(first, 0, test::filled(64, 0))
          .create_texture(first + 1, {.format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
                                      .width = side,
                                      .height = side,
                                      .pitch = side * 4,
                                      .memory = {block.id, 0}})
          .copy_texture({first + 1}, {first}, side, side, AEROGPU_COPY_FLAG_WRITEBACK_DST));
  CHECK(bytes_that_are_not(s.g().memory().ram(block.at, side * side * 4), std::byte{0}) == 0);
  s.must_serve();
}

/// Rows of a write-back are written, and nothing between or behind them.
void write_back_padding() {
  session s;
  leave_secrets(s.g());
  constexpr std::uint32_t width = 5, height = 7, pitch = 64;
  const guest_memory_block block = s.g().allocate(pitch * height + 256);
  const mutable_bytes memory =
      s.g().memory().ram(block.at, static_cast<std::size_t>(block.size_bytes));
  std::ranges::fill(memory, std::byte{0xC3});
  s.g().must_run(
      stream_builder{}
          .create_texture(
              first, {.format = AEROGPU_FORMAT_R8G8B8A8_UNORM, .width = width, .height = height})
          .create_texture(first + 1, {.format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
                                      .width = width,
                                      .height = height,
                                      .pitch = pitch,
                                      .memory = {block.id, 0}})
          .copy_texture({first + 1}, {first}, width, height, AEROGPU_COPY_FLAG_WRITEBACK_DST));
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < memory.size(); ++i) {
    const bool is_pixel = i / pitch < height && i % pitch < width * 4;
    wrong += memory[i] != (is_pixel ? std::byte{0} : std::byte{0xC3}) ? 1 : 0;
  }
  CHECK(wrong == 0);
  s.must_serve();
}

/// A target that was never cleared is sampled and presented.
void never_cleared_target() {
  session s;
  leave_secrets(s.g());
  stream_builder stream;
  stream
      .create_texture(first,
                      {.width = 128, .height = 128, .usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET})
      .targets({first})
      .present();
  s.g().must_run(stream);
  rgba8_image image;
  REQUIRE(s.pc().read_display(image) == error_code::none);
  std::size_t colored = 0;
  for (std::uint32_t y = 0; y < image.height(); ++y) {
    const auto row = image.row(y);
    for (std::size_t i = 0; i < row.size(); ++i) {
      colored += i % 4 != 3 && row[i] != std::byte{0} ? 1 : 0;
    }
  }
  CHECK(colored == 0);
  s.must_serve_after_reset();
}

/// Video memory of a machine that was switched off and on.
void bar1_after_reset() {
  session s{on_null()};
  std::size_t wrong = 0;
  for (std::uint64_t at = 0; at < (1u << 20); at += 8) wrong += s.pc().bar1_read(at, 8) != 0;
  CHECK(wrong == 0);
  s.must_serve();
}

/// A second machine on the same device of the host sees nothing of the first one.
void other_machine() {
  session mine;
  leave_secrets(mine.g());
  session other;
  texture_is_zero(other.g(),
                  {.format = AEROGPU_FORMAT_R8G8B8A8_UNORM, .width = 512, .height = 512});
  other.must_serve();
  mine.must_serve();
}

/// A snapshot of a guest that drew nothing holds nothing of others.
void snapshot_of_a_fresh_guest() {
  session s;
  leave_secrets(s.g());
  s.g().must_run(stream_builder{}
                     .create_texture(first, {.width = 256, .height = 256})
                     .create_buffer(first + 1, 1u << 18));
  std::vector<std::byte> saved;
  REQUIRE(s.pc().save(saved) == error_code::none);
  const std::array secret{std::byte{0x5E}, std::byte{0x5E}, std::byte{0x5E}, std::byte{0x5E},
                          std::byte{0x5E}, std::byte{0x5E}, std::byte{0x5E}, std::byte{0x5E}};
  const std::array drawn{std::byte{0xB3}, std::byte{0xB3}, std::byte{0xB3}, std::byte{0xB3},
                         std::byte{0xB3}, std::byte{0xB3}, std::byte{0xB3}, std::byte{0xB3}};
  const auto is_in_saved = [&saved](const auto& bytes) {
    return std::search(saved.begin(), saved.end(), bytes.begin(), bytes.end()) != saved.end();
  };
  CHECK_FALSE(is_in_saved(secret));
  CHECK_FALSE(is_in_saved(drawn));
  s.must_serve();
}

constexpr cost_limit small{.resident_mib = 160, .processor_seconds = 10};
constexpr std::array attacks{
    attack{"fresh-textures", "a new texture is zero, all of it", small, fresh_textures},
    attack{"fresh-buffers", "a new buffer is zero", small, fresh_buffers},
    attack{"partly-written", "what was not uploaded is zero", small, partly_written},
    attack{"write-back-padding", "padding is not written", small, write_back_padding},
    attack{"never-cleared-target", "a new target is zero", small, never_cleared_target},
    attack{"bar1-after-reset", "video memory is zero at first", small, bar1_after_reset},
    attack{"other-machine",
           "machines share no memory",
           {.resident_mib = 160, .processor_seconds = 10, .more_devices = 1},
           other_machine},
    attack{"snapshot-of-a-fresh-guest", "a snapshot holds what its guest has", small,
           snapshot_of_a_fresh_guest},
};

}  // namespace disclosure_group

auto disclosure_attacks() -> std::span<const attack> {
  return disclosure_group::attacks;
}

}  // namespace aerogpu::hostile
