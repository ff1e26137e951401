// SPDX-License-Identifier: MIT
// Snapshots that lie, and ones that are taken while the guest does its worst. One is taken whole or
// not at all.
#include "aerogpu/core/hash.hpp"
#include "tests/catch.hpp"
#include "tests/hostile/scene.hpp"
#include "tests/hostile/session.hpp"

#include <array>
#include <cstdint>

namespace aerogpu::hostile {

namespace snapshot_group {

using bytes = std::vector<std::byte>;

/// The checksum is no defence: whoever changes a snapshot makes a new one.
void seal(bytes& snapshot) {
  const std::size_t covered = snapshot.size() - sizeof(std::uint32_t);
  store(snapshot.data() + covered, crc32({snapshot.data(), covered}));
}

auto busy_snapshot(session& s) -> bytes {
  const guest_memory_block block = s.g().allocate(4096);
  stream_builder stream;
  scene::create(stream);
  stream.create_buffer(0x7E01, 4096, {block.id, 0})
      .create_sampler(0x7E02)
      .create_view(0x7E03, scene::texture, {.format = AEROGPU_FORMAT_R8G8B8A8_UNORM, .mips = 3})
      .export_surface(scene::texture, 77)
      .draw(3);
  s.g().must_run(stream);
  bytes saved;
  REQUIRE(s.pc().save(saved) == error_code::none);
  return saved;
}

void lying_snapshots(const computer_options& options, int rounds) {
  session s{options};
  const bytes good = busy_snapshot(s);
  std::uint64_t state = 31;
  const auto random = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 33;
  };
  constexpr std::array<std::uint32_t, 6> values{0, 1, 0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, 0x10000};
  for (int i = 0; i < rounds; ++i) {
    bytes changed = good;
    const std::size_t words = changed.size() / 4;
    // Most of it is zeros of video memory: the ends have what matters.
    const std::size_t from_end = random() % std::min<std::size_t>(words, 2'000);
    const std::size_t at = random() % 2 == 0 ? from_end : words - 1 - from_end;
    store(changed.data() + at * 4, values[random() % values.size()]);
    seal(changed);
    static_cast<void>(s.pc().load(changed));
  }
  for (std::size_t size = 0; size < good.size(); size += good.size() / 64 + 1) {
    bytes cut(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size));
    if (cut.size() > 8) seal(cut);
    CHECK(s.pc().load(cut) != error_code::none);
  }
  REQUIRE(s.pc().load(good) == error_code::none);
  s.must_serve_after_reset();
}

void lying_null() {
  lying_snapshots(on_null(), 800);
}
void lying_vulkan() {
  lying_snapshots({}, 150);
}

/// Saved and loaded again and again, in the midst of everything.
void in_the_midst() {
  session s;
  stream_builder made;
  scene::create(made);
  s.g().must_run(made);
  bytes saved;
  for (int i = 0; i < 40; ++i) {
    for (int n = 0; n < 4; ++n) {
      s.g().push(s.g().describe(stream_builder{}.draw(3).present()));
    }
    s.g().ring_doorbell();
    REQUIRE(s.pc().save(saved) == error_code::none);
    if (i % 4 == 3) {
      s.g().finish();
      REQUIRE(s.pc().save(saved) == error_code::none);
      REQUIRE(s.pc().load(saved) == error_code::none);
    }
    s.g().forget_memory();
  }
  s.g().finish();
  s.must_serve();
}

/// A guest that holds much makes a snapshot that is no larger than that, and not many times over.
void large_guest() {
  computer_options options;
  options.vulkan.bounds.staging_bytes_per_batch = 8u << 20;
  options.vulkan.bounds.staging_bytes = options.vulkan.bounds.read_back_bytes = 32u << 20;
  options.vulkan.bounds.spare_staging_bytes = 8u << 20;
  session s{options};
  stream_builder stream;
  for (std::uint32_t i = 0; i < 8; ++i) {
    stream.create_texture(0x7E10 + i, {.width = 1024, .height = 1024});
  }
  s.g().must_run(stream);
  bytes saved;
  for (int i = 0; i < 3; ++i) {
    REQUIRE(s.pc().save(saved) == error_code::none);
    REQUIRE(s.pc().load(saved) == error_code::none);
  }
  CHECK(saved.size() < (40u << 20));
  s.must_serve();
}

/// Layers of a texel each: what they cost is not their bytes. The device is waited for a few times,
/// not once for each.
void many_layers() {
  constexpr std::uint32_t layers = 2'048, textures = 4;
  session s;
  stream_builder stream;
  for (std::uint32_t i = 0; i < textures; ++i) {
    stream.create_texture(0x7E20 + i, {.width = 1, .height = 1, .layers = layers});
  }
  stream.upload(0x7E20, 0, test::counting(std::size_t{layers} * 4));
  s.g().must_run(stream);
  const auto batches = [&] { return s.pc().counters().batches; };
  std::uint64_t before = batches();
  bytes saved;
  REQUIRE(s.pc().save(saved) == error_code::none);
  CHECK(batches() - before < textures * 4);
  before = batches();
  REQUIRE(s.pc().load(saved) == error_code::none);
  CHECK(batches() - before < textures * 4);
  bytes again;
  REQUIRE(s.pc().save(again) == error_code::none);
  CHECK(again == saved);
  s.must_serve();
}

constexpr cost_limit small{.resident_mib = 128, .processor_seconds = 15};
constexpr std::array attacks{
    attack{"lying-snapshots", "a snapshot is taken whole or not at all", small, lying_null},
    attack{"lying-snapshots-vulkan", "a snapshot is taken whole or not at all", small,
           lying_vulkan},
    attack{"in-the-midst", "a snapshot waits for the device, within the watchdog", small,
           in_the_midst},
    attack{"many-layers", "a snapshot waits for the device a few times", small, many_layers},
    attack{"large-guest",
           "a snapshot costs what its guest holds",
           {.resident_mib = 320, .processor_seconds = 15},
           large_guest},
};

}  // namespace snapshot_group

auto snapshot_attacks() -> std::span<const attack> {
  return snapshot_group::attacks;
}

}  // namespace aerogpu::hostile
