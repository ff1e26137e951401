#include "aerogpu/processor/world_snapshot.hpp"

#include "tests/catch.hpp"
#include "tests/support/layout_blobs.hpp"
#include "tests/support/shaders.hpp"
#include "tests/unit/processor/processor_fixture.hpp"

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
          "[world_snapshot]") {
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

TEST_CASE("a snapshot that is not good changes nothing and leaves nothing", "[world_snapshot]") {
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

TEST_CASE("a snapshot of another version is told from a corrupt one", "[world_snapshot]") {
  processor_fixture f;
  byte_vector saved = save(f);
  byte_vector newer = saved;
  store(newer.data() + 4, world_snapshot_version + 1);
  CHECK(load(f, newer).code == error_code::bad_version);
  saved[0] ^= std::byte{1};
  CHECK(load(f, saved).code == error_code::corrupt);
}

TEST_CASE("no changed byte of a snapshot crashes or leaks", "[world_snapshot]") {
  processor_fixture from;
  REQUIRE(from.run(busy_stream(), 3) == error_code::none);
  const byte_vector saved = save(from);
  processor_fixture to;
  for (std::size_t at = 0; at < saved.size(); at += 1 + at / 512) {
    byte_vector bytes = saved;
    bytes[at] ^= std::byte{0xFF};
    if (load(to, bytes).code != error_code::none) continue;
    static_cast<void>(to.run(stream_builder{}.draw(3).destroy(4).destroy(1).present(), 3));
  }
}

TEST_CASE("a processor's snapshot with bytes behind it changes nothing", "[world_snapshot]") {
  processor_fixture from;
  REQUIRE(from.run(busy_stream(), 3) == error_code::none);
  byte_vector longer = save(from);
  longer.push_back(std::byte{0});
  processor_fixture to;
  const byte_vector before = save(to);
  CHECK(load(to, longer).code == error_code::corrupt);
  CHECK(save(to) == before);
}
