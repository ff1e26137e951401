// SPDX-License-Identifier: MIT
// A processor is saved and loaded with allocation n failing, for every n: each time it says so.
#include "tests/catch.hpp"
#include "tests/support/byte_code/shaders.hpp"
#include "tests/support/byte_patterns.hpp"
#include "tests/support/failing_heap.hpp"
#include "tests/support/guest_memory_fakes.hpp"
#include "tests/support/layout_blobs.hpp"
#include "tests/support/processors/null_processor.hpp"
#include "tests/support/stream_builder.hpp"

#include <cstdint>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

struct snapshot_processor {
  ~snapshot_processor() { processor.reset(); }

  auto run(const stream_builder& stream, std::uint32_t context = 0) -> error_code {
    return processor.execute({context_id{context}, {}, stream.bytes(), nullptr}, memory).why.code;
  }

  fake_memory memory;
  null_backend backend;
  command_processor<null_backend> processor{backend};
};

/// Some of everything that a snapshot lists.
void fill(snapshot_processor& p) {
  stream_builder stream;
  stream.create_buffer(1, 64)
      .create_texture(2, {.usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET})
      .create_texture(5, {})
      .create_view(3, 2, {})
      .export_surface(2, 77)
      .export_surface(5, 78)
      .release_surface(78)
      .import_surface(4, 77)
      .create_shader(1, wire_vs, vs_2_0_position())
      .create_layout(1, declaration_blob({declaration_element{}, declaration_end}))
      .create_sampler(1)
      .constants_f(wire_ps, 3, {{1, 2, 3, 4}})
      .constants_i(wire_vs, 3, {{1, 2, 3, 4}})
      .targets({2})
      .present();
  REQUIRE(p.run(stream, 3) == error_code::none);
  REQUIRE(p.run(stream_builder{}.constants_f(wire_vs, 0, {{5, 6, 7, 8}}), 4) == error_code::none);
}

/// Calls `act()` with each of its allocations failing in turn; returns how many there are.
template <class Act>
auto for_each_allocation(Act&& act) -> std::uint64_t {
  for (std::uint64_t number = 1;; ++number) {
    CAPTURE(number);
    failing_heap::plan(number);
    const error_code code = act();
    const bool was_reached = failing_heap::has_failed();
    failing_heap::plan(0);
    CHECK(code == (was_reached ? error_code::out_of_memory : error_code::none));
    if (!was_reached) return number - 1;
  }
}

}  // namespace

TEST_CASE("a save that lacks memory anywhere is out of memory", "[exhaustion][snapshot]") {
  snapshot_processor p;
  fill(p);
  const auto count = for_each_allocation([&] {
    snapshot_writer out;
    const heap_scope armed;
    const auto saved = p.processor.save(out);
    return saved ? error_code::none : saved.why().code;
  });
  CHECK(count > 7);
}

TEST_CASE("a load that lacks memory anywhere is out of memory, and changes nothing",
          "[exhaustion][snapshot]") {
  snapshot_processor from;
  fill(from);
  snapshot_writer out;
  REQUIRE(from.processor.save(out));
  const auto count = for_each_allocation([&] {
    snapshot_processor to;
    REQUIRE(to.run(stream_builder{}.create_buffer(9, 16)) == error_code::none);
    snapshot_reader in{out.bytes()};
    error_code code = error_code::none;
    {
      const heap_scope armed;
      const auto loaded = to.processor.load(in);
      if (!loaded) code = loaded.why().code;
    }
    const auto buffers = to.processor.counts().buffers;
    const auto textures = to.processor.counts().textures;
    CHECK(buffers == 1);
    CHECK(textures == (code == error_code::none ? 2 : 0));
    return code;
  });
  CHECK(count > 20);
}
