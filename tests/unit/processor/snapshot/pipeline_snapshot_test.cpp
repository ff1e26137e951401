// SPDX-License-Identifier: MIT
#include "aerogpu/processor/snapshot/pipeline_snapshot.hpp"

#include "aerogpu/processor/processor_tables.hpp"
#include "aerogpu/processor/snapshot/tables_snapshot.hpp"
#include "null/null_backend.hpp"
#include "tests/catch.hpp"
#include "tests/support/aggregate_leaves.hpp"
#include "tests/support/byte_code/shaders.hpp"
#include "tests/support/layout_blobs.hpp"

#include <memory>
#include <random>
#include <type_traits>
#include <vector>

namespace aerogpu {
namespace {

using namespace test;
using all_tables = processor_tables<null_backend>;

constexpr limits defaults{};

/// Tables on their own backend.
struct model {
  null_backend backend;
  all_tables tables{defaults};

  ~model() { clear(); }
  void clear() {
    tables.pipeline.clear(backend);
    tables.resources.destroy_all(backend);
  }

  auto factory() -> object_factory<null_backend> {
    return {backend, tables.pipeline, defaults, {}};
  }
  auto make_context(std::uint32_t id) -> context<null_backend>& {
    const auto made = tables.pipeline.contexts.find_or_create(context_id{id}, defaults);
    REQUIRE(made);
    return **made;
  }
  void make_texture(std::uint32_t handle) {
    const auto layout = texture_layout::create({AEROGPU_FORMAT_B8G8R8A8_UNORM, 4, 4, 1, 1, 0});
    REQUIRE(layout);
    const texture_desc desc{resource_handle{handle}, 0, AEROGPU_FORMAT_B8G8R8A8_UNORM, 4, 4, 1, 1};
    REQUIRE(tables.resources.create_texture(backend, {desc, *layout, {}, {}}));
  }
  [[nodiscard]] auto serial_of(std::uint32_t handle) const -> std::uint64_t {
    return tables.resources.find(resource_handle{handle}).serial;
  }
  template <class Handle>
  [[nodiscard]] auto slot(Handle handle) const -> named_slot<Handle> {
    return {handle,
            aerogpu::detail::slot_names<null_backend>{tables.resources, tables.pipeline}.serial_of(
                handle)};
  }

  [[nodiscard]] auto save() const -> byte_vector {
    snapshot_writer out;
    save_pipeline(tables.pipeline, tables.resources, out);
    REQUIRE(out.why().code == error_code::none);
    return {out.bytes().begin(), out.bytes().end()};
  }
  auto load(const byte_vector& bytes) -> error {
    snapshot_reader in{bytes};
    load_pipeline(backend, tables.pipeline, tables.resources, defaults, processor_snapshot_version,
                  in);
    return in.why();
  }
};

template <class Slot, std::size_t N>
void bind(slot_array<Slot, N>& table, std::size_t i, const std::type_identity_t<Slot>& slot) {
  table.slots[i] = slot;
  table.rebound(i, true);
}

/// Objects and two contexts in which hardly anything is as it was at first.
void fill(model& m) {
  REQUIRE(create_shader(m.factory(), shader_handle{7}, vs_4_0_position(), shader_stage::vertex));
  REQUIRE(create_shader(m.factory(), shader_handle{3}, ps_2_0_white(), shader_stage::pixel));
  REQUIRE(create_shader(m.factory(), shader_handle{9}, token_bytes({0x00000040, 3, 0x0100003E}),
                        shader_stage::pixel));
  REQUIRE(create_input_layout(m.factory(), input_layout_handle{2}, ilay_blob({{}, {.index = 1}})));
  REQUIRE(create_sampler(m.factory(), {sampler_handle{4}, 1, 2, 1, 0}));
  m.make_texture(20);
  m.make_texture(21);
  m.tables.pipeline.presents.set_count(77);

  context<null_backend>& c = m.make_context(0xFFFFFFFF);
  c.fixed.viewport = {true, 1, 2, 3, 4, 0.25f, 0.5f};
  c.fixed.scissor = {true, -1, -2, -3, -4};
  c.fixed.topology = AEROGPU_TOPOLOGY_PATCHLIST_3;
  for (std::uint32_t id = 0; id < 256; ++id) {
    set_render_state(c.fixed, c.d3d9.render_states, id, id % 7);
  }
  set_render_state(c.fixed, c.d3d9.render_states, 4096, 5);
  REQUIRE(set_sampler_state(c.d3d9, 1, 15, 13, 8));
  const std::vector<vec4f> floats(3, vec4f{1, 2, 3, 4});
  REQUIRE(c.constants[4].grow_floats(603));
  REQUIRE(c.constants[4].set_floats(600, std::as_bytes(std::span{floats})));
  const std::vector<vec4i> ints(1, vec4i{-1, 2, -3, 4});
  REQUIRE(c.constants[1].set_ints(255, std::as_bytes(std::span{ints})));
  c.constants[0].set_bool(17, true);
  c.bound.shaders = {shader_handle{7}, shader_handle{99}, {}, {}, {}, {}};
  c.bound.input_layout = input_layout_handle{2};
  c.bound.vertex_buffers[31] = {{resource_handle{500}, 0}, 12, 34};
  c.bound.index_buffer = {{resource_handle{501}, 0}, 6, AEROGPU_INDEX_FORMAT_UINT32};
  c.bound.targets.color_count = 3;
  c.bound.targets.colors[2] = m.slot(resource_handle{20});
  c.bound.targets.depth_stencil = {resource_handle{21}, m.serial_of(21) + 1000};  // destroyed
  bind(c.bound.stages[1].resources, 127, {{m.slot(resource_handle{20}), 4, 8}, true});
  bind(c.bound.stages[1].resources, 3, {{{resource_handle{21}, 12345}, 0, 0}, true});
  bind(c.bound.stages[3].samplers, 15, m.slot(sampler_handle{4}));
  bind(c.bound.stages[5].constant_buffers, 0, {{resource_handle{600}, 0}, 16, 0});
  bind(c.bound.stages[2].unordered_access, 7, {m.slot(resource_handle{21}), 0, 4});
  m.make_context(0).fixed.blend.destination_by_source = true;
}

/// A model with the resources of `fill` only: those are loaded before.
void fill_resources(model& m) {
  m.make_texture(20);
  m.make_texture(21);
}

}  // namespace

TEST_CASE("a pipeline snapshot loads into equal tables", "[processor][snapshot]") {
  model from;
  fill(from);
  const byte_vector bytes = from.save();
  model to;
  fill_resources(to);
  REQUIRE(to.load(bytes).code == error_code::none);
  CHECK(to.save() == bytes);
  CHECK(to.tables.pipeline.blob_bytes == from.tables.pipeline.blob_bytes);
  CHECK(to.tables.pipeline.presents.count() == 77);
  CHECK(to.tables.pipeline.shaders.find(shader_handle{9})->is_poisoned());
  CHECK_FALSE(to.tables.pipeline.shaders.find(shader_handle{7})->is_poisoned());

  const context<null_backend>& c = *to.tables.pipeline.contexts.find(context_id{0xFFFFFFFF});
  const context<null_backend>& before = *from.tables.pipeline.contexts.find(context_id{0xFFFFFFFF});
  CHECK(c.fixed.viewport.height == 4);
  CHECK(c.fixed.scissor.y == -2);
  CHECK(c.fixed.topology == AEROGPU_TOPOLOGY_PATCHLIST_3);
  CHECK(c.fixed.depth_stencil.clockwise.fail == before.fixed.depth_stencil.clockwise.fail);
  CHECK(c.d3d9.render_states == before.d3d9.render_states);
  CHECK(c.d3d9.sampler_states == before.d3d9.sampler_states);
  CHECK(c.cache.state().stages[4].constants.floats[602] == vec4f{1, 2, 3, 4});
  CHECK(c.cache.state().stages[1].constants.ints[255] == vec4i{-1, 2, -3, 4});
  CHECK(c.cache.state().stages[0].constants.bools[17] == 1);
  CHECK(c.bound.shaders[1] == shader_handle{99});
  CHECK(c.bound.vertex_buffers[31].stride_bytes == 34);
  CHECK(c.bound.index_buffer.format == AEROGPU_INDEX_FORMAT_UINT32);
}

TEST_CASE("each member of a sampler is saved and loaded", "[processor][snapshot]") {
  const sampler_desc base{sampler_handle{4}, 1, 2, 2, 2};
  with_each_leaf_changed(base, [](const sampler_desc& desc, std::size_t member) {
    CAPTURE(member);
    model from;
    REQUIRE(create_sampler(from.factory(), desc));
    model to;
    REQUIRE(to.load(from.save()).code == error_code::none);
    const auto* const loaded = to.tables.pipeline.samplers.find(desc.name);
    REQUIRE(loaded != nullptr);
    CHECK(leaves_of(loaded->desc) == leaves_of(desc));
  });
}

TEST_CASE("shaders and layouts come back with stage and bytes", "[processor][snapshot]") {
  model from;
  fill(from);
  model to;
  fill_resources(to);
  REQUIRE(to.load(from.save()).code == error_code::none);
  for (const std::uint32_t handle : {3u, 7u, 9u}) {
    CAPTURE(handle);
    const auto* const before = from.tables.pipeline.shaders.find(shader_handle{handle});
    const auto* const after = to.tables.pipeline.shaders.find(shader_handle{handle});
    REQUIRE(after != nullptr);
    CHECK(after->program.stage == before->program.stage);
    CHECK(after->bytes == before->bytes);
    CHECK(after->program.code.data() == after->bytes.data());
  }
  const auto* const before = from.tables.pipeline.layouts.find(input_layout_handle{2});
  const auto* const after = to.tables.pipeline.layouts.find(input_layout_handle{2});
  REQUIRE(after != nullptr);
  CHECK(after->bytes == before->bytes);
  CHECK(after->layout.elements.size() == 2);
}

TEST_CASE("each context keeps its number and a state of its own", "[processor][snapshot]") {
  model from;
  for (const std::uint32_t id : {0u, 1u, 0xFFFFFFFFu}) {
    from.make_context(id).fixed.blend.sample_mask = id + 5;
  }
  model to;
  REQUIRE(to.load(from.save()).code == error_code::none);
  CHECK(to.tables.pipeline.contexts.size() == 3);
  for (const std::uint32_t id : {0u, 1u, 0xFFFFFFFFu}) {
    const auto* const loaded = to.tables.pipeline.contexts.find(context_id{id});
    REQUIRE(loaded != nullptr);
    CHECK(loaded->id == context_id{id});
    CHECK(loaded->fixed.blend.sample_mask == id + 5);
    CHECK(loaded->cache.state().context == context_id{id});
  }
}

TEST_CASE("slots keep live objects, early names and nothing else", "[processor][snapshot]") {
  model from;
  fill(from);
  model to;
  to.make_texture(1);  // so that serials differ
  fill_resources(to);
  REQUIRE(to.load(from.save()).code == error_code::none);
  const binding_slots& bound = to.tables.pipeline.contexts.find(context_id{0xFFFFFFFF})->bound;
  CHECK(bound.targets.colors[2].serial == to.serial_of(20));
  CHECK_FALSE(bound.targets.depth_stencil.is_bound());
  CHECK(bound.vertex_buffers[31].name.handle == resource_handle{500});
  CHECK(bound.vertex_buffers[31].name.serial == 0);
  CHECK(bound.stages[1].resources.slots[127].range.name.serial == to.serial_of(20));
  CHECK(bound.stages[1].resources.slots[127].range.size_bytes == 8);
  CHECK_FALSE(bound.stages[1].resources.bound.contains(3));
  CHECK(bound.stages[3].samplers.bound.contains(15));
  CHECK(bound.stages[3].samplers.slots[15].serial != 0);
  CHECK(bound.stages[5].constant_buffers.bound.contains(0));
  CHECK(bound.stages[2].unordered_access.bound.contains(7));
}

TEST_CASE("a snapshot that is cut anywhere is refused and leaves nothing behind",
          "[processor][snapshot]") {
  model from;
  fill(from);
  const byte_vector bytes = from.save();
  const std::size_t step = bytes.size() / 400 + 1;
  for (std::size_t size = 0; size < bytes.size(); size += step) {
    model to;
    fill_resources(to);
    CAPTURE(size);
    CHECK(to.load(part_of(bytes, 0, size)).code != error_code::none);
    to.clear();
    CHECK(to.backend.live_objects() == 0);
  }
}

TEST_CASE("a snapshot that names dead objects as live is corrupt", "[processor][snapshot]") {
  model from;
  fill(from);
  model to;
  to.make_texture(21);
  CHECK(to.load(from.save()).code == error_code::corrupt);
}

TEST_CASE("a changed snapshot never breaks a promise to the backend", "[processor][snapshot]") {
  model from;
  fill(from);
  const byte_vector good = from.save();
  std::mt19937 random{5};
  int accepted = 0;
  for (int round = 0; round < 300; ++round) {
    byte_vector bytes = good;
    for (int flips = 0; flips < 2; ++flips) {
      bytes[random() % bytes.size()] ^= static_cast<std::byte>(1u << random() % 8);
    }
    model to;
    fill_resources(to);
    if (to.load(bytes).code == error_code::none) {
      ++accepted;
      to.tables.pipeline.contexts.for_each([](const context<null_backend>& c) {
        CHECK(is_topology(static_cast<std::uint32_t>(c.fixed.topology)));
        CHECK(aerogpu::detail::is_viewport(c.fixed.viewport));
        CHECK(c.bound.targets.color_count <= 8);
      });
    }
    to.clear();
    REQUIRE(to.backend.live_objects() == 0);
  }
  CHECK(accepted > 0);
}

TEST_CASE("limits bound what a snapshot may hold", "[processor][snapshot]") {
  model from;
  fill(from);
  const byte_vector bytes = from.save();
  const auto with = [&](const limits& most) {
    model to;
    fill_resources(to);
    snapshot_reader in{bytes};
    load_pipeline(to.backend, to.tables.pipeline, to.tables.resources, most,
                  processor_snapshot_version, in);
    return in.why().code;
  };
  limits most;
  most.shaders = 2;
  CHECK(with(most) == error_code::corrupt);
  most = {};
  most.contexts = 1;
  CHECK(with(most) == error_code::corrupt);
  most = {};
  most.shader_bytes = 10;
  CHECK(with(most) == error_code::out_of_memory);
  CHECK(with({}) == error_code::none);
}

}  // namespace aerogpu
