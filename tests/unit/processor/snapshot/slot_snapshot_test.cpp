// SPDX-License-Identifier: MIT
#include "aerogpu/processor/snapshot/slot_snapshot.hpp"

#include "aerogpu/processor/bindings/pipeline_creation.hpp"
#include "aerogpu/processor/processor_tables.hpp"
#include "null/null_backend.hpp"
#include "tests/catch.hpp"
#include "tests/support/aggregate_leaves.hpp"
#include "tests/support/byte_patterns.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace aerogpu {
namespace {

using namespace test;

constexpr resource_handle live_texture{20};
constexpr sampler_handle live_sampler{4};

/// Tables with one texture and one sampler, which slots may name.
struct slot_rig {
  slot_rig() {
    const auto layout = texture_layout::create({AEROGPU_FORMAT_B8G8R8A8_UNORM, 4, 4, 1, 1, 0});
    REQUIRE(layout);
    const texture_desc desc{live_texture, 0, AEROGPU_FORMAT_B8G8R8A8_UNORM, 4, 4, 1, 1};
    REQUIRE(tables.resources.create_texture(backend, {desc, *layout, {}, {}}));
    const object_factory<null_backend> make{backend, tables.pipeline, bounds, {}};
    REQUIRE(create_sampler(make, {live_sampler, 0, 0, 0, 0}));
  }
  ~slot_rig() {
    tables.pipeline.clear(backend);
    tables.resources.destroy_all(backend);
  }

  [[nodiscard]] auto names() const -> aerogpu::detail::slot_names<null_backend> {
    return {tables.resources, tables.pipeline};
  }
  template <class Slots>
  [[nodiscard]] auto save(const Slots& slots) const -> byte_vector {
    Slots copy = slots;
    snapshot_writer out;
    save_archive archive{out};
    aerogpu::detail::exchange(archive, names(), copy);
    REQUIRE(out.why().code == error_code::none);
    return {out.bytes().begin(), out.bytes().end()};
  }
  template <class Slots>
  [[nodiscard]] auto load(Slots& slots, const byte_vector& bytes) const -> error_code {
    snapshot_reader in{bytes};
    load_archive archive{in};
    aerogpu::detail::exchange(archive, names(), slots);
    in.require(in.left() == 0, "bytes are left over");
    return in.why().code;
  }

  limits bounds;
  null_backend backend;
  processor_tables<null_backend> tables{bounds};
};

/// Numbers that do not repeat. Handles among them name nothing yet, so that they stay as they are.
struct numbering {
  std::uint32_t next = 1000;

  void operator()(resource_slot& slot) { slot = {resource_handle{next++}, 0}; }
  void operator()(sampler_slot& slot) { slot = {sampler_handle{next++}, 0}; }
  void operator()(range_slot& slot) {
    (*this)(slot.name);
    slot.offset_bytes = next++;
    slot.size_bytes = next++;
  }
  void operator()(resource_range_slot& slot) {
    (*this)(slot.range);
    slot.takes_textures = next % 2 == 0;
  }
  template <class Slot, std::size_t N>
  void operator()(slot_array<Slot, N>& table) {
    for (std::size_t i = 0; i < N; ++i) {
      (*this)(table.slots[i]);
      table.rebound(i, true);
    }
  }
};

/// Everything is bound, and each member has its own value.
auto full_slots() -> binding_slots {
  static_assert(member_count<binding_slots> == 7);
  static_assert(member_count<stage_slots> == 4);
  static_assert(member_count<target_slots> == 3);
  binding_slots bound;
  numbering number;
  for (shader_handle& shader : bound.shaders) shader = shader_handle{number.next++};
  bound.input_layout = input_layout_handle{number.next++};
  for (vertex_buffer_slot& slot : bound.vertex_buffers) {
    number(slot.name);
    slot.offset_bytes = number.next++;
    slot.stride_bytes = number.next++;
  }
  number(bound.index_buffer.name);
  bound.index_buffer.offset_bytes = number.next++;
  bound.index_buffer.format = AEROGPU_INDEX_FORMAT_UINT32;
  for (resource_slot& color : bound.targets.colors) number(color);
  bound.targets.color_count = 8;
  number(bound.targets.depth_stencil);
  for (stage_slots& stage : bound.stages) {
    number(stage.resources);
    number(stage.samplers);
    number(stage.constant_buffers);
    number(stage.unordered_access);
  }
  bound.has_unordered_access = true;
  return bound;
}

template <class Slot, std::size_t N>
void check_equal(const slot_array<Slot, N>& a, const slot_array<Slot, N>& b) {
  CHECK(leaves_of(a.slots) == leaves_of(b.slots));
  CHECK(a.bound == b.bound);
  CHECK(a.stale == b.stale);
}

void check_equal(const binding_slots& a, const binding_slots& b) {
  CHECK(a.shaders == b.shaders);
  CHECK(a.input_layout == b.input_layout);
  CHECK(leaves_of(a.vertex_buffers) == leaves_of(b.vertex_buffers));
  CHECK(leaves_of(a.index_buffer) == leaves_of(b.index_buffer));
  CHECK(leaves_of(a.targets) == leaves_of(b.targets));
  for (std::size_t i = 0; i < shader_stage_count; ++i) {
    CAPTURE(i);
    check_equal(a.stages[i].resources, b.stages[i].resources);
    check_equal(a.stages[i].samplers, b.stages[i].samplers);
    check_equal(a.stages[i].constant_buffers, b.stages[i].constant_buffers);
    check_equal(a.stages[i].unordered_access, b.stages[i].unordered_access);
  }
  CHECK(a.has_unordered_access == b.has_unordered_access);
}

using u_slots = slot_array<range_slot, unordered_access_slots>;

/// A table of slots as bytes, each with a handle that names nothing.
auto table_bytes(const std::vector<std::uint32_t>& indices) -> byte_vector {
  snapshot_writer out;
  out.put(static_cast<std::uint32_t>(indices.size()));
  for (const std::uint32_t index : indices) {
    out.put(index);
    out.put(resource_handle{99});
    out.put(false);
    out.put(std::uint32_t{0});
    out.put(std::uint32_t{0});
  }
  return {out.bytes().begin(), out.bytes().end()};
}

}  // namespace

TEST_CASE("each member of every slot is saved and loaded", "[processor][snapshot]") {
  const slot_rig rig;
  const binding_slots bound = full_slots();
  binding_slots loaded;
  REQUIRE(rig.load(loaded, rig.save(bound)) == error_code::none);
  check_equal(loaded, bound);
}

TEST_CASE("slots that hold nothing stay unbound", "[processor][snapshot]") {
  const slot_rig rig;
  binding_slots loaded;
  REQUIRE(rig.load(loaded, rig.save(binding_slots{})) == error_code::none);
  check_equal(loaded, {});
}

TEST_CASE("a u slot alone says that outputs may be more than targets", "[processor][snapshot]") {
  const slot_rig rig;
  const std::size_t stage = GENERATE(0u, 5u);
  binding_slots bound;
  numbering{}(bound.stages[stage].unordered_access.slots[7]);
  bound.stages[stage].unordered_access.rebound(7, true);
  binding_slots loaded;
  REQUIRE(rig.load(loaded, rig.save(bound)) == error_code::none);
  CHECK(loaded.has_unordered_access);
}

TEST_CASE("a slot of a live object takes the serial of now, and a destroyed one is unbound",
          "[processor][snapshot]") {
  const slot_rig rig;
  const std::uint64_t texture = rig.names().serial_of(live_texture);
  const std::uint64_t sampler = rig.names().serial_of(live_sampler);
  REQUIRE(texture != 0);
  REQUIRE(sampler != 0);
  binding_slots bound;
  stage_slots& from = bound.stages[0];
  from.samplers.slots[0] = {live_sampler, sampler};
  from.samplers.slots[1] = {live_sampler, sampler + 1};
  from.samplers.slots[2] = {live_sampler, 0};
  from.resources.slots[9] = {{{live_texture, texture}, 4, 8}, true};
  from.resources.slots[10] = {{{live_texture, texture + 1}, 4, 8}, true};
  for (const std::size_t i : {0u, 1u, 2u}) from.samplers.rebound(i, true);
  for (const std::size_t i : {9u, 10u}) from.resources.rebound(i, true);
  bound.targets.colors[0] = {live_texture, texture};
  bound.targets.colors[1] = {live_texture, texture + 1};
  bound.targets.color_count = 2;
  binding_slots loaded;
  REQUIRE(rig.load(loaded, rig.save(bound)) == error_code::none);
  const stage_slots& to = loaded.stages[0];
  CHECK(to.samplers.slots[0].serial == sampler);
  CHECK(to.samplers.bound.contains(0));
  CHECK_FALSE(to.samplers.bound.contains(1));
  CHECK_FALSE(to.samplers.slots[1].is_bound());
  CHECK(to.samplers.slots[2].serial == 0);
  CHECK(to.samplers.bound.contains(2));
  CHECK(to.resources.slots[9].range.name.serial == texture);
  CHECK_FALSE(to.resources.bound.contains(10));
  CHECK(loaded.targets.colors[0].serial == texture);
  CHECK_FALSE(loaded.targets.colors[1].is_bound());
  CHECK(loaded.targets.color_count == 2);
}

TEST_CASE("a slot whose live object is missing is corrupt", "[processor][snapshot]") {
  const slot_rig rig;
  binding_slots bound;
  bound.targets.depth_stencil = {live_texture, rig.names().serial_of(live_texture)};
  const byte_vector bytes = rig.save(bound);
  slot_rig other;
  other.tables.resources.destroy(other.backend, live_texture);
  binding_slots loaded;
  CHECK(other.load(loaded, bytes) == error_code::corrupt);
}

TEST_CASE("slot numbers that fall or lie outside the table are corrupt", "[processor][snapshot]") {
  const slot_rig rig;
  const auto load = [&](const std::vector<std::uint32_t>& indices) {
    u_slots loaded;
    return rig.load(loaded, table_bytes(indices));
  };
  CHECK(load({}) == error_code::none);
  CHECK(load({0, 1, 2, 3, 4, 5, 6, 7}) == error_code::none);
  CHECK(load({7}) == error_code::none);
  CHECK(load({8}) == error_code::corrupt);
  CHECK(load({3, 3}) == error_code::corrupt);
  CHECK(load({3, 2}) == error_code::corrupt);
  CHECK(load({0, 1, 2, 3, 4, 5, 6, 7, 7}) == error_code::corrupt);
}

TEST_CASE("8 colour targets load, and 9 are corrupt", "[processor][snapshot]") {
  const slot_rig rig;
  const auto load = [&](std::uint32_t count) {
    snapshot_writer out;
    out.put(count);
    for (std::uint32_t i = 0; i <= count; ++i) {  // The last is depth-stencil.
      out.put(resource_handle{});
      out.put(false);
    }
    target_slots loaded;
    return rig.load(loaded, {out.bytes().begin(), out.bytes().end()});
  };
  CHECK(load(0) == error_code::none);
  CHECK(load(8) == error_code::none);
  CHECK(load(9) == error_code::corrupt);
}

TEST_CASE("an index format is 16 or 32 bits", "[processor][snapshot]") {
  const slot_rig rig;
  binding_slots bound;
  const byte_vector with_16 = rig.save(bound);
  bound.index_buffer.format = AEROGPU_INDEX_FORMAT_UINT32;
  byte_vector bytes = rig.save(bound);
  binding_slots loaded;
  CHECK(rig.load(loaded, bytes) == error_code::none);
  const auto where = std::ranges::mismatch(bytes, with_16).in1;
  REQUIRE(where != bytes.end());
  *where = std::byte{2};
  CHECK(rig.load(loaded, bytes) == error_code::corrupt);
}

}  // namespace aerogpu
