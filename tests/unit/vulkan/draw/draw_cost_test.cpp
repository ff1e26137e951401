// SPDX-License-Identifier: MIT
// What a draw is taken to cost, and where its programs let it be cut.
#include "vulkan/draw/draw_cost.hpp"

#include "tests/catch.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

using namespace aerogpu;
using namespace aerogpu::vulkan;

namespace {

constexpr std::uint64_t of_vertex = 100, of_pixel = 1'000, of_geometry = 50, of_hull = 70,
                        of_domain = 30;
constexpr VkExtent2D targets{64, 32};

/// A program for each stage, of which a test takes some.
struct programs {
  programs() {
    constexpr std::array instructions{of_vertex, of_pixel, of_geometry, of_hull, of_domain};
    for (std::size_t i = 0; i < all.size(); ++i) all[i].work.instructions = instructions[i];
    take(graphics_stage::vertex);
    take(graphics_stage::pixel);
  }
  auto take(graphics_stage stage) -> shader_variant& {
    const auto place = static_cast<std::size_t>(stage);
    stages[place] = &all[place];
    return all[place];
  }
  [[nodiscard]] auto cost(VkExtent2D extent = targets) const -> draw_cost {
    return cost_of_draw(stages, extent);
  }
  [[nodiscard]] auto cuts(aerogpu_primitive_topology topology = AEROGPU_TOPOLOGY_TRIANGLELIST,
                          bool restarts = false) const -> draw_cuts {
    return cuts_of_draw(topology, restarts, stages, key, vertices);
  }

  std::array<shader_variant, graphics_stage_count> all;
  stage_variants stages{};
  pipeline_key key;
  vertex_bindings vertices;
};

}  // namespace

TEST_CASE("a primitive costs what its pixels do when it covers the targets", "[vulkan][cost]") {
  const draw_cost cost = programs{}.cost();
  CHECK(cost.vertex == of_vertex + start_of_invocation);
  CHECK(cost.primitive >= 64 * 32 * of_pixel);
  CHECK(cost.primitive < 64 * 32 * (of_pixel + 3 * start_of_invocation));
}

TEST_CASE("a draw without a pixel program costs a start for each pixel", "[vulkan][cost]") {
  programs depth_only;
  depth_only.stages[static_cast<std::size_t>(graphics_stage::pixel)] = nullptr;
  CHECK(depth_only.cost().primitive >= 64 * 32 * start_of_invocation);
  CHECK(depth_only.cost().primitive < programs{}.cost().primitive);
}

TEST_CASE("programs that make primitives cost for those as well", "[vulkan][cost]") {
  const std::uint64_t plain = programs{}.cost().primitive;
  programs geometry;
  geometry.take(graphics_stage::geometry);
  CHECK(geometry.cost().primitive == 16 * plain + of_geometry + start_of_invocation);
  programs patches;
  patches.take(graphics_stage::hull);
  patches.take(graphics_stage::domain);
  CHECK(patches.cost().primitive ==
        8'192 * (plain + of_domain + start_of_invocation) + of_hull + start_of_invocation);
}

TEST_CASE("a group costs what its threads do, and a start of its own", "[vulkan][cost]") {
  shader_variant compute;
  compute.work.instructions = 100;
  compute.compiled.group_size = {4, 2, 1};
  CHECK(cost_of_group(compute) == start_of_group + 8 * (100 + start_of_invocation));
  compute.work.instructions = UINT64_MAX;
  CHECK(cost_of_group(compute) == UINT64_MAX);
}

TEST_CASE("programs that make no primitives have a driver keep nothing", "[vulkan][cost]") {
  CHECK(programs{}.cost().bytes == 0);
}

TEST_CASE("a driver may keep each vertex of each run of a geometry program, and one more a run",
          "[vulkan][cost]") {
  programs geometry;
  geometry.take(graphics_stage::geometry).outputs = {
      .vertices = 10, .invocations = 32, .components = 100, .vectors = 25};
  CHECK(geometry.cost().bytes == 11 * 32 * (64 + 16 * 25));
}

TEST_CASE("a driver may keep all triangles of a patch, and what is made of each",
          "[vulkan][cost]") {
  programs patches;
  patches.take(graphics_stage::hull);
  patches.take(graphics_stage::domain).outputs = {.components = 5, .vectors = 2};
  CHECK(patches.cost().bytes == 8'192 * (64 + 16 * 2));
  patches.take(graphics_stage::geometry).outputs = {
      .vertices = 3, .invocations = 1, .components = 4, .vectors = 1};
  CHECK(patches.cost().bytes == 8'192 * (64 + 16 * 2 + 4 * (64 + 16)));
}

TEST_CASE("a cost that no number holds is the largest one", "[vulkan][cost]") {
  programs endless;
  endless.all[1].work.instructions = UINT64_MAX / 2;
  endless.take(graphics_stage::geometry);
  endless.take(graphics_stage::domain);
  endless.all[2].outputs = {.vertices = UINT64_MAX, .invocations = 2, .vectors = UINT64_MAX};
  CHECK(endless.cost({16'384, 16'384}).primitive == UINT64_MAX);
  CHECK(endless.cost().bytes == UINT64_MAX);
}

TEST_CASE("a draw is cut between primitives, unless a program counts them", "[vulkan][cost]") {
  CHECK(programs{}.cuts().vertices == 3);
  CHECK(programs{}.cuts().instances);
  programs by_vertex;
  by_vertex.all[0].work.counts_vertices = true;
  CHECK(by_vertex.cuts().vertices == 0);
  CHECK(by_vertex.cuts().of_primitive == 3);
  CHECK(by_vertex.cuts().instances);
  programs by_primitive;
  by_primitive.all[1].work.counts_primitives = true;
  CHECK(by_primitive.cuts().vertices == 0);
  programs by_instance;
  by_instance.all[0].work.counts_instances = true;
  CHECK(by_instance.cuts().vertices == 3);
  CHECK_FALSE(by_instance.cuts().instances);
}

TEST_CASE("a strip that an index may begin anew is not cut", "[vulkan][cost]") {
  CHECK(programs{}.cuts(AEROGPU_TOPOLOGY_TRIANGLESTRIP, false).vertices == 1);
  CHECK(programs{}.cuts(AEROGPU_TOPOLOGY_TRIANGLESTRIP, true).vertices == 0);
}

TEST_CASE("instances are cut where each stream goes on by one element", "[vulkan][cost]") {
  const auto [is_per_instance, divisor, is_cut] = GENERATE(table<bool, std::uint32_t, bool>({
      {false, 0, true},
      {true, 1, true},
      {true, 2, false},
      {true, 0, false},
  }));
  programs streams;
  streams.vertices.count = 2;
  streams.key.instance_bindings = is_per_instance ? 0b10 : 0;
  streams.key.divisors[1] = divisor;
  CAPTURE(is_per_instance, divisor);
  CHECK(streams.cuts().instances == is_cut);
}
