// SPDX-License-Identifier: MIT
#include "aerogpu/processor/snapshot/resource_snapshot.hpp"

#include "aerogpu/processor/snapshot/name_snapshot.hpp"
#include "aerogpu/processor/snapshot/share_snapshot.hpp"
#include "aerogpu/processor/snapshot/tables_snapshot.hpp"
#include "null/null_backend.hpp"
#include "tests/catch.hpp"
#include "tests/support/aggregate_leaves.hpp"
#include "tests/support/byte_patterns.hpp"
#include "tests/support/failing_backend.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

using namespace aerogpu;
using test::byte_vector;
using test::counting;

namespace {

using test_backend = test::failing_backend<null_backend>;

/// Resources and tokens that a snapshot can be taken of.
struct shelf {
  explicit shelf(const limits& most = {}) : limit(most) {}
  ~shelf() {
    table.destroy_all(backend);
    CHECK(backend.live_objects() == 0);
    CHECK(backend.broken_rules() == 0);
  }

  auto add_buffer(std::uint32_t name, std::uint32_t size, std::uint32_t backing = 0)
      -> buffer_object<test_backend>& {
    auto made = table.create_buffer(backend, {resource_handle{name}, 5, size},
                                    {alloc_id{backing}, 16}, context_id{2});
    REQUIRE(made);
    REQUIRE(backend.write_buffer((*made)->native, 0, counting(size, name)));
    return **made;
  }
  auto add_texture(std::uint32_t name, const texture_shape& shape, std::uint32_t backing = 0)
      -> texture_object<test_backend>& {
    const auto layout = plan_layout(shape, 0);
    REQUIRE(layout);
    auto made = table.create_texture(backend, {desc_of(resource_handle{name}, 0, *layout),
                                               *layout,
                                               {alloc_id{backing}, 0},
                                               context_id{0}});
    REQUIRE(made);
    for (std::uint64_t i = 0; i < layout->subresource_count(); ++i) {
      const subresource where = layout->at_index(i);
      const texture_rows rows = rows_of(*layout, where);
      const byte_vector bytes =
          counting(rows.row_count * rows.row_size_bytes, name + 7 * static_cast<unsigned>(i));
      REQUIRE(backend.write_texture((*made)->native, where, bytes));
    }
    return **made;
  }
  void add_view(texture_object<test_backend>& texture, std::uint32_t name) {
    REQUIRE(table.create_view(backend, texture,
                              {resource_handle{name}, texture.desc.format, 0, 1, 0, 1}, {}));
  }

  auto save() -> byte_vector {
    snapshot_writer out;
    save_resources(&backend, table, out);
    save_shares(shares, out);
    REQUIRE(out.why().code == error_code::none);
    return {out.bytes().begin(), out.bytes().end()};
  }
  auto load(const byte_vector& bytes) -> error {
    snapshot_reader in{bytes};
    const auto textures = load_resources(backend, table, limit, processor_snapshot_version, in);
    if (in.is_good()) load_shares(shares, textures, limit, in);
    return in.why();
  }
  auto find(std::uint32_t name) { return table.find(resource_handle{name}); }

  null_backend inner;
  test_backend backend{inner};
  limits limit;
  resource_table<test_backend> table{limit};
  texture_shares<test_backend> shares{share_limits_of(limit)};
};

constexpr texture_shape plain{AEROGPU_FORMAT_R8G8B8A8_UNORM, 3, 2, 2, 2, 16};

/// One of everything: a partly dirty buffer, an alias with a reserved original, a texture that
/// only a view keeps while its number has another owner, tokens bound and retired.
void fill(shelf& s) {
  auto& buffer = s.add_buffer(1, 32, 9);
  buffer.dirty.clear();
  REQUIRE(buffer.dirty.add({4, 8}));
  REQUIRE(buffer.dirty.add({12, 32}));
  auto& shared = s.add_texture(2, plain, 9);
  shared.dirty.remove(1);
  REQUIRE(s.table.add_alias(shared, resource_handle{3}, context_id{4}));
  s.table.destroy(s.backend, resource_handle{2});
  auto& viewed = s.add_texture(4, {AEROGPU_FORMAT_BC1_RGBA_UNORM, 5, 5, 3, 1, 0});
  s.add_view(viewed, 5);
  s.table.destroy(s.backend, resource_handle{4});
  s.add_buffer(4, 8);
  REQUIRE(s.shares.bind(share_token{100}, shared));
  REQUIRE(s.shares.bind(share_token{101}, shared));
  s.shares.release(share_token{100});
}

}  // namespace

TEST_CASE("loading what was saved makes an equal content", "[resource_snapshot]") {
  shelf from;
  fill(from);
  const byte_vector saved = from.save();
  shelf to;
  REQUIRE(to.load(saved).code == error_code::none);
  CHECK(to.table.counts() == from.table.counts());
  CHECK(to.save() == saved);

  CHECK(to.find(2).kind == resource_kind::reserved);
  REQUIRE(to.find(3).kind == resource_kind::texture);
  CHECK(to.find(3).texture->handle_count == 1);
  CHECK(to.shares.find(share_token{101}) == to.find(3).texture);
  CHECK(to.shares.is_retired(share_token{100}));
  CHECK(to.find(4).kind == resource_kind::buffer);
  CHECK(to.find(5).texture->desc.name == resource_handle{4});
  const auto dirty = to.find(1).buffer->dirty.view();
  REQUIRE(dirty.size() == 2);
  CHECK(dirty[1] == dirty_range{12, 32});
}

TEST_CASE("what was loaded is destroyed like what was created", "[resource_snapshot]") {
  shelf from;
  fill(from);
  shelf to;
  REQUIRE(to.load(from.save()).code == error_code::none);
  for (const std::uint32_t name : {1u, 3u, 4u, 5u}) {
    to.table.destroy(to.backend, resource_handle{name});
  }
  CHECK(to.table.counts() == object_counts{});
  CHECK(to.backend.live_objects() == 0);
}

TEST_CASE("a snapshot cut anywhere is corrupt and leaks nothing", "[resource_snapshot]") {
  shelf from;
  fill(from);
  const byte_vector saved = from.save();
  for (std::size_t size = 0; size < saved.size(); ++size) {
    shelf to;
    CHECK(to.load(test::part_of(saved, 0, size)).code == error_code::corrupt);
  }
}

TEST_CASE("no changed byte crashes, leaks or breaks what can be destroyed", "[resource_snapshot]") {
  shelf from;
  fill(from);
  const byte_vector saved = from.save();
  std::size_t accepted = 0;
  for (std::size_t at = 0; at < saved.size(); ++at) {
    for (const unsigned change : {0x01u, 0x80u, 0xFFu}) {
      byte_vector bytes = saved;
      bytes[at] ^= static_cast<std::byte>(change);
      shelf to;
      if (to.load(bytes).code != error_code::none) continue;
      ++accepted;
      for (std::uint32_t name = 0; name < 256; ++name) {
        const auto kind = to.find(name).kind;
        if (kind == resource_kind::none || kind == resource_kind::reserved) continue;
        to.table.destroy(to.backend, resource_handle{name});
      }
    }
  }
  CHECK(accepted > 500);  // Content, mostly; what is refused at once proves little.
}

TEST_CASE("a backend that fails at any call fails the load, and nothing is left",
          "[resource_snapshot]") {
  shelf from;
  fill(from);
  const byte_vector saved = from.save();
  std::uint64_t at_call = 1;
  for (;; ++at_call) {
    shelf to;
    to.backend.plan({.at_call = at_call});
    const error why = to.load(saved);
    if (to.backend.calls() < at_call) break;
    CHECK(why.code == error_code::out_of_memory);
  }
  CHECK(at_call > 10);
}

TEST_CASE("a backend that fails at any call fails the save", "[resource_snapshot]") {
  shelf from;
  fill(from);
  from.backend.plan({.at_call = 3, .code = error_code::device_lost});
  snapshot_writer out;
  save_resources(&from.backend, from.table, out);
  CHECK(out.why().code == error_code::device_lost);
}

TEST_CASE("a smaller host refuses what it cannot hold", "[resource_snapshot]") {
  shelf from;
  fill(from);
  const byte_vector saved = from.save();
  const limits most =
      GENERATE(limits{.resources = 3}, limits{.resource_names = 4}, limits{.texture_views = 0},
               limits{.resource_bytes = 64}, limits{.texture_dimension = 4},
               limits{.array_layers = 1}, limits{.buffer_bytes = 16}, limits{.share_tokens = 0},
               limits{.retired_share_tokens = 1}, limits{.dirty_ranges_per_resource = 1});
  shelf to{most};
  const error_code code = to.load(saved).code;
  CHECK((code == error_code::corrupt || code == error_code::out_of_memory));
}

namespace {

/// What a snapshot keeps of a buffer and of a texture, beside content and dirty parts.
struct buffer_fields {
  buffer_desc desc{resource_handle{7}, 5, 32};
  guest_backing backing{alloc_id{8}, 16};
  context_id creator{3};
};
struct texture_fields {
  resource_handle name{7};
  std::uint32_t usage_flags = 1;
  guest_backing backing{alloc_id{8}, 16};
  context_id creator{3};
};

}  // namespace

TEST_CASE("each member of a buffer is saved and loaded", "[resource_snapshot]") {
  static_assert(test::member_count<buffer_object<test_backend>> == 9);
  test::with_each_leaf_changed(buffer_fields{}, [](const buffer_fields& f, std::size_t member) {
    CAPTURE(member);
    buffer_fields changed = f;
    changed.desc.size_bytes = f.desc.size_bytes / 4 * 4;
    shelf from;
    REQUIRE(from.table.create_buffer(from.backend, changed.desc, changed.backing, changed.creator));
    shelf to;
    REQUIRE(to.load(from.save()).code == error_code::none);
    const auto& loaded = *to.table.find(changed.desc.name).buffer;
    CHECK(test::leaves_of(buffer_fields{loaded.desc, loaded.backing, loaded.creator}) ==
          test::leaves_of(changed));
  });
}

TEST_CASE("each member of a texture is saved and loaded", "[resource_snapshot]") {
  static_assert(test::member_count<texture_desc> == 7);
  const texture_shape blocks{AEROGPU_FORMAT_BC1_RGBA_UNORM, 9, 5, 3, 1, 32};
  const auto check = [](const texture_shape& shape, const texture_fields& f) {
    const auto layout = plan_layout(shape, f.usage_flags);
    REQUIRE(layout);
    const texture_desc desc = desc_of(f.name, f.usage_flags, *layout);
    shelf from;
    REQUIRE(from.table.create_texture(from.backend, {desc, *layout, f.backing, f.creator}));
    shelf to;
    REQUIRE(to.load(from.save()).code == error_code::none);
    const auto& loaded = *to.table.find(f.name).texture;
    CHECK(test::leaves_of(loaded.desc) == test::leaves_of(desc));
    CHECK(test::leaves_of(loaded.layout.shape()) == test::leaves_of(shape));
    CHECK(test::leaves_of(loaded.backing) == test::leaves_of(f.backing));
    CHECK(loaded.creator == f.creator);
    CHECK(loaded.dirty.count() == from.table.find(f.name).texture->dirty.count());
  };
  test::with_each_leaf_changed(texture_fields{}, [&](const texture_fields& f, std::size_t member) {
    CAPTURE(member);
    check(plain, f);
    check(blocks, f);
  });
}

TEST_CASE("each member of a view is saved and loaded", "[resource_snapshot]") {
  static_assert(test::member_count<texture_view_desc> == 6);
  const texture_view_desc base{resource_handle{30}, AEROGPU_FORMAT_R8G8B8A8_UNORM, 0, 1, 0, 1};
  const std::array views{base, texture_view_desc{resource_handle{31}, base.format, 1, 1, 0, 2},
                         texture_view_desc{resource_handle{32}, base.format, 0, 2, 1, 1}};
  shelf from;
  auto& texture = from.add_texture(2, plain);
  for (const auto& view : views) REQUIRE(from.table.create_view(from.backend, texture, view, {}));
  shelf to;
  REQUIRE(to.load(from.save()).code == error_code::none);
  for (const auto& view : views) {
    const auto named = to.table.find(view.name);
    REQUIRE(named.kind == resource_kind::view);
    CHECK(test::leaves_of(named.view->desc) == test::leaves_of(view));
    CHECK(named.view->texture == to.table.find(resource_handle{2}).texture);
  }
}

TEST_CASE("dirty ranges of a snapshot rise, lie in their buffer, and are whole words",
          "[resource_snapshot]") {
  const auto load = [](const std::vector<dirty_range>& ranges) {
    snapshot_writer out;
    out.put(static_cast<std::uint32_t>(ranges.size()));
    for (const dirty_range& range : ranges) {
      out.put(range.begin);
      out.put(range.end);
    }
    snapshot_reader in{out.bytes()};
    static_cast<void>(aerogpu::detail::load_dirty_ranges(in, 32, limits{}));
    return in.why().code;
  };
  CHECK(load({}) == error_code::none);
  CHECK(load({{0, 32}}) == error_code::none);
  CHECK(load({{0, 4}, {8, 12}}) == error_code::none);
  CHECK(load({{0, 4}, {4, 8}}) == error_code::corrupt);
  CHECK(load({{8, 12}, {0, 4}}) == error_code::corrupt);
  CHECK(load({{4, 4}}) == error_code::corrupt);
  CHECK(load({{8, 4}}) == error_code::corrupt);
  CHECK(load({{0, 36}}) == error_code::corrupt);
  CHECK(load({{2, 8}}) == error_code::corrupt);
  CHECK(load({{0, 6}}) == error_code::corrupt);
}
