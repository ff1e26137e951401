// SPDX-License-Identifier: MIT
#include "aerogpu/processor/snapshot/tables_snapshot.hpp"

#include "tests/catch.hpp"
#include "tests/support/byte_code/shaders.hpp"
#include "tests/support/layout_blobs.hpp"
#include "tests/unit/processor/processor_fixture.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

auto save(processor_fixture& f) -> byte_vector {
  snapshot_writer out;
  REQUIRE(f.processor.save(out));
  return {out.bytes().begin(), out.bytes().end()};
}
auto load(processor_fixture& f, const byte_vector& bytes) -> error {
  snapshot_reader in{bytes};
  return f.processor.load(in).why();
}

/// Draws once, presents, shares, and leaves everything in place.
auto busy_stream() -> stream_builder {
  stream_builder stream;
  stream.create_buffer(1, 64)
      .upload(1, 0, counting(64))
      .create_texture(2, {.usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET})
      .upload(2, 0, counting(64, 5))
      .create_view(3, 2, {})
      .export_surface(2, 77)
      .import_surface(4, 77)
      .create_shader(1, wire_vs, vs_2_0_position())
      .create_shader(2, wire_ps, ps_2_0_textured())
      .create_layout(1, declaration_blob({declaration_element{}, declaration_end}))
      .create_sampler(1)
      .bind_shaders(1, 2)
      .set_layout(1)
      .vertex_buffer(0, 1)
      .constants_f(wire_ps, 3, {{1, 2, 3, 4}})
      .render_state(27, 1)
      .targets({2})
      .draw(3)
      .present()
      .destroy(2)
      .targets({4});
  return stream;
}

}  // namespace

TEST_CASE("a loaded processor saves the same bytes, and goes on where the other was",
          "[tables_snapshot]") {
  processor_fixture from;
  REQUIRE(from.run(busy_stream(), 3) == error_code::none);
  const byte_vector saved = save(from);
  processor_fixture to;
  REQUIRE(to.run(stream_builder{}.create_buffer(1, 16).create_sampler(9)) == error_code::none);
  REQUIRE(load(to, saved).code == error_code::none);
  CHECK(to.processor.counts() == from.processor.counts());
  CHECK(save(to) == saved);

  CHECK(to.buffer(1, 64) == counting(64));
  REQUIRE(to.processor.presented() != nullptr);
  byte_vector image(64);
  REQUIRE(to.processor.read_presented(image));
  CHECK(image == counting(64, 5));
  const auto draws = to.inner.counters().draws;
  CHECK(to.run(stream_builder{}.draw(3), 3) == error_code::none);
  CHECK(to.inner.counters().draws == draws + 1);
  CHECK(to.run(stream_builder{}.draw(3), 4) == error_code::missing_binding);
  CHECK(to.run(stream_builder{}.create_buffer(2, 16)) == error_code::handle_in_use);
  CHECK(to.run(stream_builder{}.import_surface(8, 77)) == error_code::none);
}

TEST_CASE("who made what is part of a snapshot", "[tables_snapshot]") {
  processor_fixture from;
  REQUIRE(from.run(busy_stream(), 3) == error_code::none);
  REQUIRE(from.run(stream_builder{}.create_sampler(8), 4) == error_code::none);
  processor_fixture to;
  REQUIRE(load(to, save(from)).code == error_code::none);
  REQUIRE(to.run(stream_builder{}.end_context(), 3) == error_code::none);
  CHECK(to.processor.counts() == object_counts{.samplers = 1, .contexts = 1, .retired_tokens = 1});
}

TEST_CASE("a snapshot of before owners were known is one without them", "[tables_snapshot]") {
  constexpr std::uint32_t sampler = 0x5A3B1E57, maker = 3;
  processor_fixture from;
  REQUIRE(from.run(stream_builder{}.create_sampler(sampler), maker) == error_code::none);
  byte_vector saved = save(from);
  const const_bytes name = bytes_of(sampler);
  const auto at = std::search(saved.begin(), saved.end(), name.begin(), name.end());
  REQUIRE(at != saved.end());
  saved.erase(at + 4, at + 8);
  store(saved.data() + 4, std::uint32_t{2});
  processor_fixture to;
  REQUIRE(load(to, saved).code == error_code::none);
  REQUIRE(to.run(stream_builder{}.end_context(), maker) == error_code::none);
  CHECK(to.processor.counts().samplers == 1);
}

TEST_CASE("a snapshot that is not good changes nothing and leaves nothing", "[tables_snapshot]") {
  processor_fixture from;
  REQUIRE(from.run(busy_stream(), 3) == error_code::none);
  byte_vector saved = save(from);
  const std::size_t step = 1 + saved.size() / 64;
  for (std::size_t size = 0; size < saved.size(); size += step) {
    processor_fixture to;
    REQUIRE(to.run(stream_builder{}.create_buffer(1, 16).upload(1, 0, filled(16, 9))) ==
            error_code::none);
    CHECK(load(to, part_of(saved, 0, size)).code == error_code::corrupt);
    CHECK(to.backend.live_objects() == 1);
    CHECK(to.buffer(1, 16) == filled(16, 9));
  }
}

TEST_CASE("a snapshot of another version is told from a corrupt one", "[tables_snapshot]") {
  processor_fixture f;
  byte_vector saved = save(f);
  byte_vector newer = saved;
  store(newer.data() + 4, processor_snapshot_version + 1);
  CHECK(load(f, newer).code == error_code::bad_version);
  saved[0] ^= std::byte{1};
  CHECK(load(f, saved).code == error_code::corrupt);
}

TEST_CASE("no changed byte of a snapshot crashes or leaks", "[tables_snapshot]") {
  processor_fixture from;
  REQUIRE(from.run(busy_stream(), 3) == error_code::none);
  const byte_vector saved = save(from);
  processor_fixture to;
  std::size_t accepted = 0;
  for (std::size_t at = 0; at < saved.size(); at += 1 + at / 512) {
    byte_vector bytes = saved;
    bytes[at] ^= std::byte{0xFF};
    if (load(to, bytes).code != error_code::none) continue;
    ++accepted;
    static_cast<void>(to.run(stream_builder{}.draw(3).destroy(4).destroy(1).present(), 3));
    to.processor.reset();
    CHECK(to.backend.live_objects() == 0);
  }
  CHECK(accepted > 200);
}

TEST_CASE("a processor's snapshot with bytes behind it changes nothing", "[tables_snapshot]") {
  processor_fixture from;
  REQUIRE(from.run(busy_stream(), 3) == error_code::none);
  byte_vector longer = save(from);
  longer.push_back(std::byte{0});
  processor_fixture to;
  const byte_vector before = save(to);
  CHECK(load(to, longer).code == error_code::corrupt);
  CHECK(save(to) == before);
}

namespace {

constexpr std::uint32_t flip_texture = 2, other_flip_texture = 5, unbacked_texture = 6;
constexpr gpa flip_memory{0x40'0000}, other_flip_memory{0x41'0000};

/// Two backed textures and one that is not.
auto flip_stream() -> stream_builder {
  constexpr std::uint32_t usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET;
  stream_builder stream;
  stream.create_texture(flip_texture, {.pitch = 16, .memory = {1, 0}, .usage = usage})
      .create_texture(other_flip_texture, {.pitch = 16, .memory = {2, 0}, .usage = usage})
      .create_texture(unbacked_texture, {.usage = usage})
      .targets({flip_texture});
  return stream;
}
void give_flip_memory(processor_fixture& f) {
  f.memory.poke(flip_memory, filled(64, 1));
  f.memory.poke(other_flip_memory, filled(64, 2));
  f.give(1, flip_memory, 64);
  f.give(2, other_flip_memory, 64);
}

/// Where the snapshot says what is shown: the first byte that a PRESENT changes.
auto offset_of_shown() -> std::size_t {
  processor_fixture without, with;
  give_flip_memory(without);
  give_flip_memory(with);
  const auto present_both = [] {
    return flip_stream().present().targets({other_flip_texture}).present();
  };
  REQUIRE(without.run(present_both().targets({}).present()) == error_code::none);
  REQUIRE(with.run(present_both().targets({})) == error_code::none);
  const byte_vector a = save(without), b = save(with);
  const auto first = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first;
  return static_cast<std::size_t>(first - a.begin());
}

/// Shows the first texture by a flip, and remembers both.
auto flipped_tables() -> byte_vector {
  processor_fixture f;
  give_flip_memory(f);
  auto stream = flip_stream();
  stream.present().targets({other_flip_texture}).present();
  REQUIRE(f.run(stream) == error_code::none);
  auto& source = f.processor.scanout();
  REQUIRE(source.begin_flip(flip_memory));
  source.end_flip();
  REQUIRE(source.begin_flip(other_flip_memory));
  return save(f);
}

// From `offset_of_shown`: shown, count, two targets of texture, address and flag, address, flag.
constexpr std::size_t count_at = 4, first_target_at = 8, target_bytes = 13;
constexpr std::size_t flip_address_at = first_target_at + 2 * target_bytes;

}  // namespace

TEST_CASE("flips and their textures are in a snapshot", "[tables_snapshot]") {
  const byte_vector saved = flipped_tables();
  processor_fixture to;
  REQUIRE(load(to, saved).code == error_code::none);
  CHECK(save(to) == saved);
  auto& source = to.processor.scanout();
  CHECK(source.targets().size() == 2);
  CHECK(source.is_flip_waiting());
  CHECK(source.flip_address() == other_flip_memory);
  REQUIRE(to.processor.presented() != nullptr);
  CHECK(to.processor.presented()->name == resource_handle{flip_texture});
  source.end_flip();
  CHECK(to.processor.presented()->name == resource_handle{other_flip_texture});
}

/// Before version 3 the handles of textures had no owners. They are a count and, for each, handle,
/// place, flag and owner, behind the textures.
void take_owners_out(byte_vector& snapshot) {
  constexpr std::uint32_t count = 3;
  constexpr std::size_t owner_at = 9, owner_bytes = 4;
  byte_vector begin(8);
  store(begin.data(), count);
  store(begin.data() + 4, flip_texture);
  const auto found = std::find_end(snapshot.begin(), snapshot.end(), begin.begin(), begin.end());
  REQUIRE(found != snapshot.end());
  auto name = found + 4;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto owner = name + owner_at;
    name = snapshot.erase(owner, owner + owner_bytes);
  }
}

TEST_CASE("a snapshot of before there were flips shows what it showed", "[tables_snapshot]") {
  const std::size_t at = offset_of_shown();
  byte_vector older = flipped_tables();
  const auto begin = older.begin() + static_cast<std::ptrdiff_t>(at + count_at);
  const auto end = older.begin() + static_cast<std::ptrdiff_t>(at + flip_address_at + 9);
  older.erase(begin, end);
  take_owners_out(older);
  store(older.data() + 4, std::uint32_t{1});
  processor_fixture to;
  REQUIRE(load(to, older).code == error_code::none);
  CHECK(to.processor.presented()->name == resource_handle{flip_texture});
  CHECK(to.processor.scanout().targets().empty());
  CHECK_FALSE(to.processor.scanout().is_flip_waiting());
  store(older.data() + 4, std::uint32_t{0});
  CHECK(load(to, older).code == error_code::bad_version);
}

TEST_CASE("flips of a snapshot that make no sense are corrupt", "[tables_snapshot]") {
  const auto put32 = [](byte_vector& bytes, std::size_t at, std::uint32_t value) {
    store(bytes.data() + at, value);
  };
  const auto put64 = [](byte_vector& bytes, std::size_t at, std::uint64_t value) {
    store(bytes.data() + at, value);
  };
  byte_vector bytes = flipped_tables();
  const std::size_t at = offset_of_shown();
  const std::size_t second = at + first_target_at + target_bytes;
  REQUIRE(load<std::uint32_t>(bytes.data() + at + count_at) == 2);
  SECTION("an unknown texture is shown") {
    put32(bytes, at, 4);
  }
  SECTION("too many targets") {
    put32(bytes, at + count_at, 17);
  }
  SECTION("a target without a texture") {
    put32(bytes, second, 0);
  }
  SECTION("a target of an unknown texture") {
    put32(bytes, second, 4);
  }
  SECTION("a target that is not backed") {
    put32(bytes, second, 3);
  }
  SECTION("a target that occurs twice") {
    put32(bytes, second, load<std::uint32_t>(bytes.data() + at + first_target_at));
  }
  SECTION("an address that occurs twice") {
    put64(bytes, second + 4, raw(flip_memory));
  }
  SECTION("address 0") {
    put64(bytes, second + 4, 0);
  }
  SECTION("a flag that is none") {
    bytes[second + 12] = std::byte{2};
  }
  SECTION("a flip that waits without an address") {
    put64(bytes, at + flip_address_at, 0);
  }
  processor_fixture to;
  CHECK(load(to, bytes).code == error_code::corrupt);
  CHECK(to.processor.counts().textures == 0);
}

TEST_CASE("no changed byte of a snapshot with flips crashes or leaks", "[tables_snapshot]") {
  const byte_vector saved = flipped_tables();
  processor_fixture to;
  give_flip_memory(to);
  std::size_t accepted = 0;
  for (std::size_t at = 0; at < saved.size(); ++at) {
    byte_vector bytes = saved;
    bytes[at] ^= std::byte{0x03};
    if (load(to, bytes).code != error_code::none) continue;
    ++accepted;
    static_cast<void>(to.processor.scanout().begin_flip(flip_memory));
    to.processor.scanout().end_flip();
    static_cast<void>(to.run(stream_builder{}.targets({flip_texture}).present().destroy(2)));
    to.processor.reset();
    CHECK(to.backend.live_objects() == 0);
  }
  CHECK(accepted > 200);
}
