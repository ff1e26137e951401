// SPDX-License-Identifier: MIT
// Guests that need more objects than the backend keeps: counts stay at their limits, pictures
// right.
#include "tests/vulkan_faults/faulty_guest.hpp"
#include "tests/vulkan_faults/many_objects.hpp"
#include "vulkan/engine.hpp"

#include <functional>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

constexpr std::uint32_t most_kept = 16;
constexpr std::uint32_t most_retired = 64;
/// A draw retires this many at most: its pipeline and module, their layouts, two views, a sampler.
constexpr std::uint32_t of_one_draw = 16;

auto few() -> vulkan::backend_limits {
  vulkan::backend_limits bounds;
  bounds.graphics_pipelines = bounds.image_views = bounds.samplers = most_kept;
  bounds.shader_variants = bounds.pipeline_layouts = bounds.descriptor_set_layouts = most_kept;
  bounds.retired_objects = most_retired;
  return bounds;
}

/// A backend under the validation layers, and a guest with the objects of `many`.
struct cache_rig {
  explicit cache_rig(const vulkan::backend_limits& bounds) {
    vulkan::backend_options options = fault_options();
    options.validate = true;
    options.bounds = bounds;
    backend = open_faulty_backend(options);
    guest.emplace(*backend);
    run(many::begin());
  }
  ~cache_rig() {
    guest.reset();
    CHECK(backend->validation_errors() == 0);
  }
  void run(const stream_builder& stream) {
    REQUIRE(guest->run(stream).code == error_code::none);
    CHECK(inside().device()->work.retired() <= most_retired + of_one_draw);
  }
  auto inside() -> vulkan::engine& { return backend->inside(); }
  auto picture() -> byte_vector {
    run(many::bind(stream_builder{}.present()));
    byte_vector texels(std::size_t{many::pixels} * 4);
    REQUIRE(guest->path().processor().read_presented(texels));
    return texels;
  }

  std::unique_ptr<vulkan::vulkan_backend> backend;
  std::optional<faulty_guest> guest;
};

using make_stream = stream_builder (*)(std::uint32_t first, std::uint32_t count);

/// Streams that need `count` objects, in order and then back through those that went.
auto draw_all(cache_rig& rig, std::uint32_t count, make_stream make,
              const std::function<void()>& check) -> byte_vector {
  const std::uint32_t most = count * 2 / 3;
  for (const auto& [first, number] : {std::pair{0u, most},
                                      {most, 1u},
                                      {most + 1, count - most - 1},
                                      {0u, 3u},
                                      {count / 2, count / 8},
                                      {0u, count}}) {
    rig.run(make(first, number));
    check();
  }
  return rig.picture();
}

}  // namespace

TEST_CASE("pipelines from one pair of shaders stay at their limit, and the picture is right",
          "[faults][caches]") {
  cache_rig plenty{{}}, rig{few()};
  constexpr std::uint32_t count = 48;  // The driver takes 10 ms and more for each.
  const byte_vector expected = draw_all(plenty, count, many::pipelines, [] {});
  CHECK(plenty.backend->counters().pipelines == count);
  const byte_vector shown = draw_all(rig, count, many::pipelines, [&] {
    CHECK(rig.inside().objects()->pipelines.kept() <= most_kept);
  });
  CHECK((shown == expected));
  CHECK(rig.inside().objects()->pipelines.kept() == most_kept);
  // Each time again, but for the three that the last stream begins with.
  CHECK(rig.backend->counters().pipelines == 2 * count + count / 8);
}

TEST_CASE("views of one texture stay at their limit, and the picture is right",
          "[faults][caches]") {
  cache_rig plenty{{}}, rig{few()};
  const byte_vector expected = draw_all(plenty, 300, many::views, [] {});
  CHECK(plenty.inside().objects()->resources.kept_image_views() >= 300);
  const byte_vector shown = draw_all(rig, 300, many::views, [&] {
    CHECK(rig.inside().objects()->resources.kept_image_views() <= most_kept);
  });
  CHECK((shown == expected));
}

TEST_CASE("samplers stay at their limit, and the picture is right", "[faults][caches]") {
  cache_rig plenty{{}}, rig{few()};
  const byte_vector expected = draw_all(plenty, 300, many::samplers, [] {});
  CHECK(plenty.inside().objects()->samplers.kept() >= 300);
  const byte_vector shown = draw_all(rig, 300, many::samplers, [&] {
    CHECK(rig.inside().objects()->samplers.kept() <= most_kept);
  });
  CHECK((shown == expected));
}

TEST_CASE("pipelines are bounded by their estimated bytes too", "[faults][caches]") {
  vulkan::backend_limits bounds;
  bounds.pipeline_bytes = 1u << 20;
  cache_rig rig{bounds};
  rig.run(many::pipelines(0, 20));
  CHECK(rig.inside().objects()->pipelines.kept() < 10);
  CHECK(rig.inside().objects()->pipelines.kept_bytes() <= bounds.pipeline_bytes);
}

TEST_CASE("the driver's cache starts over at its limit, and pipelines go on", "[faults][caches]") {
  vulkan::backend_limits bounds;
  bounds.driver_cache_bytes = 1u << 20;
  cache_rig rig{bounds};
  rig.run(many::pipelines(0, 20));
  CHECK(rig.backend->counters().pipelines == 20);
  CHECK(rig.inside().device()->compiler->cached_bytes() <= bounds.driver_cache_bytes);
}

TEST_CASE("a pipeline that the driver's cache had does not count into it again",
          "[faults][caches]") {
  load_vulkan();
  call_faults faults;
  cache_rig rig{{}};
  rig.run(many::pipelines(0, 2));
  const std::uint64_t counted = rig.inside().device()->compiler->cached_bytes();
  CHECK(counted != 0);
  faults.find_pipelines_cached(true);
  rig.run(many::pipelines(2, 4));
  CHECK(rig.backend->counters().pipelines == 6);
  CHECK(rig.inside().device()->compiler->cached_bytes() == counted);
}

TEST_CASE("shaders without a handle are bounded by their byte code too", "[faults][caches]") {
  vulkan::backend_limits bounds;
  bounds.idle_shader_bytes = 1u << 20;
  cache_rig rig{bounds};
  constexpr std::uint32_t count = 12, first = 100, nop_bytes = 128 * 1024;
  stream_builder made, gone;
  for (std::uint32_t i = 0; i < count; ++i) {
    byte_vector code = faulty_guest::numbered_shader(i);
    code.insert(code.end() - 4, nop_bytes, std::byte{});
    made.create_shader(first + i, wire_ps, code);
    gone.destroy_shader(first + i);
  }
  rig.run(made);
  const std::size_t before = rig.inside().records().shaders.kept_codes() - count;
  rig.run(gone);
  CHECK(rig.inside().records().shaders.idle_bytes() <= bounds.idle_shader_bytes);
  CHECK(rig.inside().records().shaders.kept_codes() == before + 7);
}

TEST_CASE("shaders without a handle are kept up to their limit, those used last",
          "[faults][caches]") {
  vulkan::backend_limits bounds;
  bounds.idle_shaders = 8;
  cache_rig rig{bounds};
  const std::size_t before = rig.inside().records().shaders.kept_codes();
  constexpr std::uint32_t count = 40, first = 100;
  stream_builder made, gone;
  for (std::uint32_t i = 0; i < count; ++i) {
    made.create_shader(first + i, wire_ps, faulty_guest::numbered_shader(i));
    gone.destroy_shader(first + i);
  }
  rig.run(made);
  CHECK(rig.inside().records().shaders.kept_codes() == before + count);
  rig.run(gone);
  CHECK(rig.inside().records().shaders.kept_codes() == before + 8);
  CHECK(rig.inside().records().shaders.kept_variants() == before + 8);
  const std::uint64_t modules = rig.backend->counters().shader_modules;
  rig.run(stream_builder{}.create_shader(first, wire_ps, faulty_guest::numbered_shader(count - 1)));
  CHECK(rig.backend->counters().shader_modules == modules);
  rig.run(stream_builder{}.create_shader(first + 1, wire_ps, faulty_guest::numbered_shader(0)));
  CHECK(rig.backend->counters().shader_modules == modules + 1);
}

TEST_CASE("shaders that nothing is drawn with wait to be destroyed up to the limit",
          "[faults][caches]") {
  cache_rig rig{few()};
  constexpr std::uint32_t count = 300, first = 100;
  const std::uint64_t batches = rig.backend->counters().batches;
  stream_builder stream;
  for (std::uint32_t i = 0; i < count; ++i) {
    stream.create_shader(first, wire_ps, faulty_guest::numbered_shader(i)).destroy_shader(first);
  }
  rig.run(stream);
  CHECK(rig.backend->counters().batches - batches <= count / most_retired);
}
