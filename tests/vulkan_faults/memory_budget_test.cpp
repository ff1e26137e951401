// SPDX-License-Identifier: MIT
// What the work of a guest may hold on the device: staging, read-backs, commands. Figures of a
// submission are taken before it is reported.
#include "tests/support/vulkan/vulkan_limits.hpp"
#include "tests/vulkan_faults/faulty_guest.hpp"
#include "tests/vulkan_faults/many_objects.hpp"
#include "tests/vulkan_faults/small_scene.hpp"
#include "vulkan/engine.hpp"

#include <array>
#include <memory>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

constexpr std::uint64_t mebi = 1u << 20;
constexpr std::uint32_t to_guest = AEROGPU_COPY_FLAG_WRITEBACK_DST;
constexpr std::uint32_t big = 20, other = 21, shown = 23;
constexpr gpa shown_at{0x10'0000};
constexpr std::uint32_t shown_bytes = 0x1000;

auto small_limits() -> vulkan::backend_limits {
  vulkan::backend_limits bounds;
  bounds.staging_bytes_per_batch = 2 * mebi;
  bounds.staging_bytes = 8 * mebi;
  bounds.spare_staging_bytes = 2 * mebi;
  bounds.read_back_bytes = mebi;
  bounds.commands_per_batch = 64;
  bounds.commands_in_flight = 256;
  bounds.batches_in_flight = 8;
  return bounds;
}

/// A guest with one allocation, on a backend with small limits.
struct budget_rig {
  explicit budget_rig(const vulkan::backend_limits& bounds = small_limits(),
                      bool expands_formats = false)
      : backend(open(bounds, expands_formats)), path(*backend, memory, limits{}) {
    memory.map(shown_at, shown_bytes);
  }
  ~budget_rig() {
    path.reset();
    CHECK(backend->live_objects() == 0);
  }
  static auto open(const vulkan::backend_limits& bounds, bool expands_formats)
      -> std::unique_ptr<vulkan::vulkan_backend> {
    vulkan::backend_options options = fault_options();
    options.bounds = bounds;
    options.force_format_expansion = expands_formats;
    return open_faulty_backend(options);
  }
  auto submit(const stream_builder& stream) -> error {
    return path.submit(stream.bytes(), 0,
                       {{{1, AEROGPU_ALLOC_FLAG_NONE, raw(shown_at), shown_bytes, 0}}});
  }
  auto run(const stream_builder& stream) -> error_code {
    const error why = submit(stream);
    path.finish();
    return why.code;
  }
  /// The first bytes of a buffer, by way of guest memory.
  auto bytes_of(std::uint32_t buffer, std::uint64_t size) -> byte_vector {
    constexpr std::uint32_t copy = 99;
    REQUIRE(run(stream_builder{}
                    .create_buffer(copy, size, {1, 0})
                    .copy_buffer(copy, 0, buffer, 0, size, to_guest)
                    .destroy(copy)) == error_code::none);
    return memory.peek(shown_at, size);
  }
  auto work() -> vulkan::batches& { return backend->inside().device()->work; }
  auto staged() -> std::uint64_t { return work().staging().held_bytes(); }

  std::unique_ptr<vulkan::vulkan_backend> backend;
  fake_memory memory;
  conformance::direct_path<vulkan::vulkan_backend> path;
};

/// Draws of `count` indices that lie behind their buffer, to a small target.
auto missing_indices(std::uint32_t count, std::uint32_t draws) -> stream_builder {
  stream_builder stream = small_scene::objects();
  stream.create_buffer(big, 64, {}, AEROGPU_RESOURCE_USAGE_INDEX_BUFFER).index_buffer(big);
  for (std::uint32_t i = 0; i < draws; ++i) stream.draw_indexed(count);
  return stream;
}

}  // namespace

TEST_CASE("one submission uploads many times its staging memory, and all of it arrives",
          "[faults][budget]") {
  budget_rig rig;
  stream_builder stream;
  stream.create_buffer(big, mebi);
  for (unsigned i = 0; i < 48; ++i) stream.upload(big, 0, counting(mebi, i, 7));
  const error why = rig.submit(stream);
  CHECK(why.code == error_code::none);
  CHECK(rig.staged() <= 8 * mebi);
  CHECK(rig.work().in_flight() <= 8);
  rig.path.finish();
  CHECK(rig.bytes_of(big, 256) == counting(256, 47, 7));
}

TEST_CASE("an upload that is larger than a batch may stage goes in parts", "[faults][budget]") {
  budget_rig rig;
  constexpr std::size_t size = 5 * mebi + 4;
  stream_builder stream;
  stream.create_buffer(big, size).upload(big, 0, counting(size, 3, 5));
  REQUIRE(rig.run(stream) == error_code::none);
  CHECK(rig.staged() <= 8 * mebi);
  stream = stream_builder{};
  stream.create_buffer(other, 64).copy_buffer(other, 0, big, size - 64, 64);
  REQUIRE(rig.run(stream) == error_code::none);
  CHECK(rig.bytes_of(other, 64) == part_of(counting(size, 3, 5), size - 64, 64));
}

TEST_CASE("rows that were staged survive a batch that ends before they are uploaded",
          "[faults][budget]") {
  // Expanded texels need other staging memory than the guest's bytes, so that batches end between
  // the two; with one command a batch they end everywhere.
  budget_rig rig{GENERATE(small_limits(), tight_limits()), true};
  constexpr std::uint32_t side = 32, first = 30, count = 40, copy = 100;
  const texture_spec rows{.format = AEROGPU_FORMAT_B5G6R5_UNORM,
                          .width = side,
                          .height = side,
                          .pitch = side * 2,
                          .memory = {1, 0}};
  const byte_vector texels = counting(side * side * 2, 9, 13);
  rig.memory.poke(shown_at, texels);
  stream_builder stream;
  stream.create_buffer(big, mebi).create_texture(copy, rows);
  for (std::uint32_t i = 0; i < count; ++i) {
    stream.upload(big, 0, counting(mebi / 8 + 4 * i, i))
        .create_texture(first + i, rows)
        .copy_texture({copy}, {first + i}, side, side);  // Reads what is dirty.
  }
  REQUIRE(rig.run(stream) == error_code::none);
  for (std::uint32_t i = 0; i < count; ++i) {
    rig.memory.poke(shown_at, filled(texels.size(), 0));
    REQUIRE(rig.run(stream_builder{}.copy_texture({copy}, {first + i}, side, side, to_guest)) ==
            error_code::none);
    CHECK(rig.memory.peek(shown_at, texels.size()) == texels);
  }
}

TEST_CASE("what was staged stays until all strips of it are copied", "[faults][budget]") {
  // All rows are staged at once, and are eight times as large on the device: many batches.
  vulkan::backend_limits bounds;
  bounds.staging_bytes_per_batch = 4 * mebi;
  bounds.staging_bytes = 8 * mebi;
  budget_rig rig{bounds, true};
  constexpr std::uint32_t side = 2048, pitch = side / 4 * 8, from = 30, to = 31;
  constexpr std::size_t size = std::size_t{pitch} * side / 4;
  constexpr gpa from_at{0x200'0000}, to_at{0x300'0000};
  rig.memory.map(from_at, size);
  rig.memory.map(to_at, size);
  const byte_vector texels = counting(size, 5, 13);
  rig.memory.poke(from_at, texels);
  const auto rows_in = [&](std::uint32_t allocation) {
    return texture_spec{.format = AEROGPU_FORMAT_BC1_RGBA_UNORM,
                        .width = side,
                        .height = side,
                        .pitch = pitch,
                        .memory = {allocation, 0}};
  };
  const auto stream = std::move(stream_builder{}
                                    .create_texture(from, rows_in(1))
                                    .create_texture(to, rows_in(2))
                                    .copy_texture({to}, {from}, side, side, to_guest));
  const error why = rig.path.submit(stream.bytes(), 0,
                                    {{{1, AEROGPU_ALLOC_FLAG_NONE, raw(from_at), size, 0},
                                      {2, AEROGPU_ALLOC_FLAG_NONE, raw(to_at), size, 0}}});
  CHECK(why.code == error_code::none);
  rig.path.finish();
  CHECK((rig.memory.peek(to_at, size) == texels));
}

TEST_CASE("indices that are missing again and again take no more than the budget",
          "[faults][budget]") {
  budget_rig rig;
  CHECK(rig.submit(missing_indices(60'000, 200)).code == error_code::none);  // 120 KB each.
  CHECK(rig.staged() <= 8 * mebi);
  rig.path.finish();
}

TEST_CASE("an operation that no batch can hold fails, and the guest goes on", "[faults][budget]") {
  budget_rig rig;
  constexpr std::uint32_t present = 2 * mebi / 2;  // 2 MiB of indices are there, and some are not.
  stream_builder stream = missing_indices(3, 1);
  stream.create_buffer(40, 2 * mebi, {}, AEROGPU_RESOURCE_USAGE_INDEX_BUFFER)
      .index_buffer(40)
      .draw_indexed(present + 3);
  const error why = rig.submit(stream);
  rig.path.finish();
  CHECK(why.code == error_code::out_of_memory);
  CHECK(why.limit != 0);
  CHECK(rig.staged() <= 8 * mebi);
  CHECK(rig.run(stream_builder{}.index_buffer(big).draw_indexed(3)) == error_code::none);
}

TEST_CASE("a submission of many draws is split, and commands in flight are bounded",
          "[faults][budget]") {
  budget_rig rig;
  const std::uint64_t before = rig.backend->counters().batches;
  CHECK(rig.submit(missing_indices(3, 5'000)).code == error_code::none);
  CHECK(rig.backend->counters().batches - before >= 5'000 / 64);
  CHECK(rig.work().in_flight() <= 8);
  rig.path.finish();
}

TEST_CASE("descriptor pools of batches in flight are bounded", "[faults][budget]") {
  load_vulkan();
  call_faults faults;
  vulkan::backend_limits bounds;
  bounds.descriptor_pools_in_flight = 3;
  budget_rig rig{bounds};
  REQUIRE(rig.run(many::begin()) == error_code::none);
  faults.freeze(true);
  for (std::uint32_t batch = 0; batch < 3; ++batch) {
    CHECK(rig.work().used_descriptor_pools() == batch);
    CHECK(rig.work().batch_in_the_way() == 0);
    REQUIRE(rig.submit(many::samplers(batch, 1)).code == error_code::none);
  }
  CHECK(rig.work().used_descriptor_pools() == 3);
  CHECK(rig.work().batch_in_the_way() != 0);
  faults.freeze(false);
  rig.path.finish();
  CHECK(rig.work().used_descriptor_pools() == 0);
}

TEST_CASE("submissions without work of their own do not pile up in flight", "[faults][budget]") {
  budget_rig rig;
  REQUIRE(rig.run(stream_builder{}.create_buffer(big, 64)) == error_code::none);
  for (unsigned i = 0; i < 100; ++i) {
    REQUIRE(rig.submit(stream_builder{}.upload(big, 0, counting(64, i))).code == error_code::none);
    CHECK(rig.work().in_flight() <= 8);
  }
  rig.path.finish();
  CHECK(rig.bytes_of(big, 64) == counting(64, 99));
}

TEST_CASE("rows for the guest are bounded over all submissions that were not reported",
          "[faults][budget]") {
  budget_rig rig;
  stream_builder objects, one;
  objects.create_buffer(big, shown_bytes).create_buffer(shown, shown_bytes, {1, 0});
  REQUIRE(rig.run(objects) == error_code::none);
  one.copy_buffer(shown, 0, big, 0, shown_bytes, to_guest);
  std::uint64_t accepted = 0;
  error why;
  while (accepted < 10'000) {
    why = rig.submit(one);
    if (why.code != error_code::none) break;
    ++accepted;
  }
  CHECK(why.code == error_code::out_of_memory);
  CHECK(why.limit == mebi);
  CHECK(accepted >= 4);
  CHECK(accepted <= mebi / shown_bytes);
  CHECK(rig.work().read_backs().used_bytes() <= mebi + 64 * 1024);
  // The host reads contents all the same, and the guest goes on once it heard.
  rig.path.finish();
  CHECK(rig.run(one) == error_code::none);
  CHECK(rig.work().read_backs().used_bytes() <= 64 * 1024);
}

TEST_CASE("all contents of a texture are read in one batch, as its subresources are one by one",
          "[faults][budget][contents]") {
  budget_rig rig{vulkan::backend_limits{}};
  const std::uint32_t format = GENERATE(
      std::uint32_t{AEROGPU_FORMAT_R8G8B8A8_UNORM}, std::uint32_t{AEROGPU_FORMAT_B8G8R8X8_UNORM},
      std::uint32_t{AEROGPU_FORMAT_B5G6R5_UNORM}, std::uint32_t{AEROGPU_FORMAT_D24_UNORM_S8_UINT},
      std::uint32_t{AEROGPU_FORMAT_BC3_RGBA_UNORM});
  const bool is_depth = format == AEROGPU_FORMAT_D24_UNORM_S8_UINT;
  const texture_desc desc{.name = resource_handle{1},
                          .usage_flags = is_depth ? AEROGPU_RESOURCE_USAGE_DEPTH_STENCIL
                                                  : AEROGPU_RESOURCE_USAGE_TEXTURE,
                          .format = static_cast<aerogpu_format>(format),
                          .width = 16,
                          .height = 16,
                          .mip_levels = 3,
                          .array_layers = 40};
  auto texture = rig.backend->create_texture(desc);
  REQUIRE(texture);
  const texture_layout layout = (*texture).record->layout;
  const auto size_of = [&](std::uint64_t index) {
    return static_cast<std::size_t>(layout.locate(layout.at_index(index)).size_bytes());
  };
  for (std::uint64_t i = 0; i < layout.subresource_count(); ++i) {
    const byte_vector texels = counting(size_of(i), static_cast<std::uint8_t>(i), 11);
    REQUIRE(rig.backend->write_texture(*texture, layout.at_index(i), texels));
  }
  byte_vector one_by_one;
  for (std::uint64_t i = 0; i < layout.subresource_count(); ++i) {
    byte_vector part(size_of(i));
    REQUIRE(rig.backend->read_texture(*texture, layout.at_index(i), part));
    one_by_one.insert(one_by_one.end(), part.begin(), part.end());
  }
  byte_vector whole(one_by_one.size());
  const std::uint64_t before = rig.backend->counters().batches;
  REQUIRE(rig.backend->read_whole_texture(*texture, whole));
  CHECK(rig.backend->counters().batches - before == 1);
  CHECK(whole == one_by_one);
  CHECK_FALSE(rig.backend->read_whole_texture(*texture, mutable_bytes{whole}.first(16)));
  rig.backend->destroy(*std::move(texture));
}

TEST_CASE("contents that are larger than a batch may hold are read and written in parts",
          "[faults][budget]") {
  budget_rig rig;
  constexpr std::uint32_t side = 1024;
  const std::uint32_t format = GENERATE(std::uint32_t{AEROGPU_FORMAT_R8G8B8A8_UNORM},
                                        std::uint32_t{AEROGPU_FORMAT_D24_UNORM_S8_UINT},
                                        std::uint32_t{AEROGPU_FORMAT_BC3_RGBA_UNORM});
  const bool is_depth = format == AEROGPU_FORMAT_D24_UNORM_S8_UINT;
  const texture_desc desc{.name = resource_handle{1},
                          .usage_flags = is_depth ? AEROGPU_RESOURCE_USAGE_DEPTH_STENCIL
                                                  : AEROGPU_RESOURCE_USAGE_TEXTURE,
                          .format = static_cast<aerogpu_format>(format),
                          .width = side,
                          .height = side,
                          .mip_levels = 1,
                          .array_layers = 1};
  auto texture = rig.backend->create_texture(desc);
  REQUIRE(texture);
  const std::size_t size =
      static_cast<std::size_t>((*texture).record->layout.locate({0, 0}).size_bytes());
  const byte_vector texels = counting(size, 1, 11);
  CHECK(rig.backend->write_texture(*texture, {0, 0}, texels));
  byte_vector read(size);
  CHECK(rig.backend->read_texture(*texture, {0, 0}, read));
  CHECK(read == texels);
  byte_vector whole(size);
  CHECK(rig.backend->read_whole_texture(*texture, whole));
  CHECK(whole == texels);
  CHECK(rig.staged() <= 8 * mebi);
  rig.backend->destroy(*std::move(texture));
}

TEST_CASE("a compressed texture of any size is zeroed with little memory", "[faults][budget]") {
  const bool expands = GENERATE(false, true);
  budget_rig rig{small_limits(), expands};
  constexpr std::uint32_t texture = 1, copy = 2;
  stream_builder stream;
  stream
      .create_texture(
          texture,
          {.format = AEROGPU_FORMAT_BC1_RGBA_UNORM, .width = 2048, .height = 2048, .mips = 3})
      .create_texture(copy, {.format = AEROGPU_FORMAT_BC1_RGBA_UNORM,
                             .width = 64,
                             .height = 32,
                             .pitch = 128,
                             .memory = {1, 0}})
      .copy_texture({copy}, {texture, 2}, 64, 32, to_guest);
  rig.memory.poke(shown_at, filled(1024, 0xEE));
  CHECK(rig.run(stream) == error_code::none);
  CHECK(rig.memory.peek(shown_at, 1024) == filled(1024, 0));
  CHECK(rig.staged() <= 8 * mebi);
}
