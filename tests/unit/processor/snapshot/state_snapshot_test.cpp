// SPDX-License-Identifier: MIT
#include "aerogpu/processor/snapshot/state_snapshot.hpp"

#include "tests/catch.hpp"
#include "tests/support/aggregate_leaves.hpp"
#include "tests/support/byte_patterns.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace aerogpu {
namespace {

using namespace test;

template <class State>
auto saved(State state) -> byte_vector {
  snapshot_writer out;
  save_archive archive{out};
  detail::exchange(archive, state);
  REQUIRE(out.why().code == error_code::none);
  return {out.bytes().begin(), out.bytes().end()};
}
/// Loads into `state`; corrupt also when bytes are left over.
template <class State>
auto load_into(State& state, const byte_vector& bytes) -> error_code {
  snapshot_reader in{bytes};
  load_archive archive{in};
  detail::exchange(archive, state);
  in.require(in.left() == 0, "bytes are left over");
  return in.why().code;
}

/// A state whose members can each be changed alone and stay valid.
auto valid_state() -> fixed_function_state {
  fixed_function_state state;
  state.viewport = {true, 1, 2, 3, 4, 0.25f, 0.5f};
  state.scissor = {true, 5, 6, 7, 8};
  return state;
}

/// How many values each enumeration has.
template <class E>
constexpr std::uint64_t value_count = 0;
template <>
inline constexpr std::uint64_t value_count<blend_factor> = 13;
template <>
inline constexpr std::uint64_t value_count<stencil_op> = 8;
template <>
inline constexpr std::uint64_t value_count<aerogpu_blend_op> = 5;
template <>
inline constexpr std::uint64_t value_count<aerogpu_compare_func> = 8;
template <>
inline constexpr std::uint64_t value_count<aerogpu_fill_mode> = 2;
template <>
inline constexpr std::uint64_t value_count<aerogpu_cull_mode> = 3;

/// Calls `act(member)` for each enumerator of the state but the topology, whose values have gaps.
template <class Act>
void for_each_enumerator(fixed_function_state& state, Act&& act) {
  for_each_leaf(state, [&](auto& leaf) {
    using type = std::remove_reference_t<decltype(leaf)>;
    if constexpr (std::is_enum_v<type> && !std::is_same_v<type, aerogpu_primitive_topology>) {
      static_assert(value_count<type> != 0);
      act(leaf, value_count<type>);
    }
  });
}

auto bytes_of_registers(const constant_file& file) -> std::size_t {
  constant_file copy;
  const constant_registers view = file.view();
  REQUIRE(copy.grow_floats(view.floats.size()));
  REQUIRE(copy.set_floats(0, std::as_bytes(view.floats)));
  REQUIRE(copy.set_ints(0, std::as_bytes(view.ints)));
  snapshot_writer out;
  save_archive archive{out};
  detail::exchange(archive, copy);
  return out.bytes().size();
}

}  // namespace

TEST_CASE("each member of the fixed-function state is saved and loaded", "[processor][snapshot]") {
  const fixed_function_state base = valid_state();
  const byte_vector base_bytes = saved(base);
  with_each_leaf_changed(base, [&](const fixed_function_state& changed, std::size_t member) {
    CAPTURE(member);
    const byte_vector bytes = saved(changed);
    CHECK(bytes != base_bytes);
    fixed_function_state loaded;
    REQUIRE(load_into(loaded, bytes) == error_code::none);
    CHECK(leaves_of(loaded) == leaves_of(changed));
  });
}

TEST_CASE("each raw state of Direct3D 9 is saved and loaded", "[processor][snapshot]") {
  d3d9_state base;
  reset_render_states(base.render_states);
  reset_sampler_states(base);
  const byte_vector base_bytes = saved(base);
  const auto check = [&](std::uint32_t& value) {
    const std::uint32_t before = std::exchange(value, value + 0x01020304);
    const byte_vector bytes = saved(base);
    CHECK(bytes != base_bytes);
    d3d9_state loaded;
    reset_render_states(loaded.render_states);
    reset_sampler_states(loaded);
    REQUIRE(load_into(loaded, bytes) == error_code::none);
    CHECK(loaded.render_states == base.render_states);
    CHECK(loaded.sampler_states == base.sampler_states);
    value = before;
  };
  static_assert(member_count<d3d9_state> == 2);
  for (std::size_t id = 0; id < base.render_states.size(); id += 64) {
    CAPTURE(id);
    check(base.render_states[id]);
  }
  for (auto& stage : base.sampler_states) {
    for (auto& slot : stage) {
      check(slot.front());
      check(slot.back());
    }
  }
}

TEST_CASE("every value of an enumerator loads, and the one behind the last is corrupt",
          "[processor][snapshot]") {
  fixed_function_state state = valid_state();
  std::size_t count = 0;
  for_each_enumerator(state, [&](auto& member, std::uint64_t values) {
    CAPTURE(count++);
    using type = std::remove_reference_t<decltype(member)>;
    const type before = member;
    member = type{};
    const byte_vector with_first = saved(state);
    member = static_cast<type>(values - 1);
    byte_vector bytes = saved(state);
    fixed_function_state loaded;
    CHECK(load_into(loaded, bytes) == error_code::none);
    CHECK(leaves_of(loaded) == leaves_of(state));
    const auto where = std::ranges::mismatch(bytes, with_first).in1;
    REQUIRE(where != bytes.end());
    *where = static_cast<std::byte>(values);  // No enumerator may hold it.
    CHECK(load_into(loaded, bytes) == error_code::corrupt);
    member = before;
  });
  CHECK(count == 18);
}

TEST_CASE("a write mask of unknown bits and an unknown topology are corrupt",
          "[processor][snapshot]") {
  fixed_function_state state = valid_state();
  fixed_function_state loaded;
  state.blend.write_masks[7] = 0x10;
  CHECK(load_into(loaded, saved(state)) == error_code::corrupt);
  state = valid_state();
  state.topology = static_cast<aerogpu_primitive_topology>(7);
  CHECK(load_into(loaded, saved(state)) == error_code::corrupt);
  CHECK(loaded.topology != static_cast<aerogpu_primitive_topology>(7));
  state.topology = AEROGPU_TOPOLOGY_PATCHLIST_32;
  CHECK(load_into(loaded, saved(state)) == error_code::none);
  CHECK(loaded.topology == AEROGPU_TOPOLOGY_PATCHLIST_32);
}

TEST_CASE("a viewport is finite, has an extent when it is set, and an ordered depth",
          "[processor][snapshot]") {
  const float infinite = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const viewport_state good{true, 1, 2, 3, 4, 0.25f, 0.5f};
  CHECK(detail::is_viewport(good));
  CHECK(detail::is_viewport({true, -1, -2, 3, 4, 0, 1}));
  CHECK(detail::is_viewport({true, 0, 0, 1, 1, 1, 1}));
  CHECK(detail::is_viewport({true, 0, 0, 1, 1, 0, 0}));
  CHECK(detail::is_viewport({false, 0, 0, 0, 0, 0, 1}));
  CHECK_FALSE(detail::is_viewport({false, 0, 0, 0, 0, 1, 0}));
  for (const float value : {infinite, -infinite, nan}) {
    for (float viewport_state::*member :
         {&viewport_state::x, &viewport_state::y, &viewport_state::width, &viewport_state::height,
          &viewport_state::min_depth, &viewport_state::max_depth}) {
      viewport_state bad = good;
      bad.*member = value;
      CHECK_FALSE(detail::is_viewport(bad));
    }
  }
  CHECK_FALSE(detail::is_viewport({true, 0, 0, 0, 1, 0, 1}));
  CHECK_FALSE(detail::is_viewport({true, 0, 0, 1, 0, 0, 1}));
  CHECK_FALSE(detail::is_viewport({true, 0, 0, 1, 1, -0.5f, 1}));
  CHECK_FALSE(detail::is_viewport({true, 0, 0, 1, 1, 0, 1.5f}));
  CHECK_FALSE(detail::is_viewport({true, 0, 0, 1, 1, 0.75f, 0.5f}));
}

TEST_CASE("a viewport that is none is corrupt", "[processor][snapshot]") {
  fixed_function_state state = valid_state();
  state.viewport.width = 0;
  fixed_function_state loaded;
  CHECK(load_into(loaded, saved(state)) == error_code::corrupt);
}

TEST_CASE("each constant register is saved and loaded", "[processor][snapshot]") {
  const std::array<std::uint32_t, 4> registers{0, 1, 254, 255};
  for (const std::uint32_t at : registers) {
    CAPTURE(at);
    constant_file file;
    const std::vector<vec4f> floats(1, vec4f{0, 0, 0, 7});
    const std::vector<vec4i> ints(1, vec4i{0, 0, 0, -7});
    REQUIRE(file.grow_floats(at + 1));
    REQUIRE(file.set_floats(at, std::as_bytes(std::span{floats})));
    REQUIRE(file.set_ints(255 - at, std::as_bytes(std::span{ints})));
    file.set_bool(at, true);
    snapshot_writer out;
    save_archive archive{out};
    detail::exchange(archive, file);
    constant_file loaded;
    const byte_vector bytes{out.bytes().begin(), out.bytes().end()};
    REQUIRE(load_into(loaded, bytes) == error_code::none);
    const constant_registers before = file.view();
    const constant_registers after = loaded.view();
    CHECK(std::ranges::equal(after.floats, before.floats));
    CHECK(std::ranges::equal(after.ints, before.ints));
    CHECK(std::ranges::equal(after.bools, before.bools));
  }
}

TEST_CASE("registers behind the last that is not zero take no place", "[processor][snapshot]") {
  constant_file file;
  const std::size_t empty = bytes_of_registers(file);
  REQUIRE(file.grow_floats(300));
  CHECK(bytes_of_registers(file) == empty);
  const std::array<vec4f, 2> floats{vec4f{1, 0, 0, 0}, vec4f{}};
  REQUIRE(file.set_floats(0, std::as_bytes(std::span{floats})));
  CHECK(bytes_of_registers(file) == empty + sizeof(vec4f));
  const std::array<vec4i, 3> ints{vec4i{}, vec4i{0, 1, 0, 0}, vec4i{}};
  REQUIRE(file.set_ints(0, std::as_bytes(std::span{ints})));
  CHECK(bytes_of_registers(file) == empty + sizeof(vec4f) + 2 * sizeof(vec4i));
}

TEST_CASE("state ids that fall or lie outside are corrupt", "[processor][snapshot]") {
  const auto load = [](const std::vector<std::array<std::uint32_t, 2>>& states) {
    snapshot_writer out;
    out.put(static_cast<std::uint32_t>(states.size()));
    for (const auto& [id, value] : states) {
      out.put(id);
      out.put(value);
    }
    std::array<std::uint32_t, 4> words{1, 2, 3, 4};
    constexpr std::array<std::uint32_t, 4> defaults{1, 2, 3, 4};
    snapshot_reader in{out.bytes()};
    load_archive archive{in};
    detail::exchange_sparse(archive, words, defaults);
    return in.why().code;
  };
  CHECK(load({}) == error_code::none);
  CHECK(load({{0, 9}, {1, 9}, {2, 9}, {3, 9}}) == error_code::none);
  CHECK(load({{3, 9}}) == error_code::none);
  CHECK(load({{4, 9}}) == error_code::corrupt);
  CHECK(load({{2, 9}, {2, 9}}) == error_code::corrupt);
  CHECK(load({{2, 9}, {1, 9}}) == error_code::corrupt);
  CHECK(load({{0, 9}, {1, 9}, {2, 9}, {3, 9}, {3, 9}}) == error_code::corrupt);
}

}  // namespace aerogpu
