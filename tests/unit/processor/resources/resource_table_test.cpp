// SPDX-License-Identifier: MIT
#include "aerogpu/processor/resources/resource_table.hpp"

#include "aerogpu/processor/resources/resource_rules.hpp"
#include "null/null_backend.hpp"
#include "tests/catch.hpp"
#include "tests/support/failing_backend.hpp"

#include <cstdint>

using namespace aerogpu;

namespace {

using test_backend = test::failing_backend<null_backend>;

constexpr resource_handle original{10}, alias{11}, other{12}, view_name{13};
constexpr context_id creator{3};

/// A table that hands its objects back at the end.
struct table_fixture {
  explicit table_fixture(const limits& most = {}) : limit(most) {}
  ~table_fixture() {
    table.destroy_all(backend);
    CHECK(backend.live_objects() == 0);
    CHECK(backend.broken_rules() == 0);
    CHECK(table.counts() == object_counts{});
  }

  auto add_buffer(resource_handle name, std::uint64_t size = 64, alloc_id backing = {}) {
    return table.create_buffer(backend, {name, 0, size}, {backing, 0}, creator);
  }
  auto add_texture(resource_handle name, aerogpu_format format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
                   alloc_id backing = {}) {
    const auto layout = plan_layout({format, 8, 8, 2, 3, 0}, 0);
    return table.create_texture(backend,
                                {desc_of(name, 0, *layout), *layout, {backing, 0}, creator});
  }
  auto add_view(texture_object<test_backend>& texture, resource_handle name) {
    return table.create_view(backend, texture, {name, AEROGPU_FORMAT_R8G8B8A8_UNORM, 0, 1, 0, 1},
                             {});
  }
  auto kind_of(resource_handle name) const { return table.find(name).kind; }

  null_backend inner;
  test_backend backend{inner};
  limits limit;
  resource_table<test_backend> table{limit};
};

}  // namespace

TEST_CASE("a handle finds its object until it is destroyed", "[resource_table]") {
  table_fixture t;
  const auto made = t.add_buffer(original);
  REQUIRE(made);
  CHECK(t.table.find(original).buffer == *made);
  CHECK(t.kind_of(resource_handle{}) == resource_kind::none);
  t.table.destroy(t.backend, original);
  CHECK(t.kind_of(original) == resource_kind::none);
}

TEST_CASE("each naming has a serial of its own", "[resource_table]") {
  table_fixture t;
  REQUIRE(t.add_buffer(original));
  const auto first = t.table.find(original).serial;
  t.table.destroy(t.backend, original);
  REQUIRE(t.add_buffer(original));
  CHECK(first != 0);
  CHECK(t.table.find(original).serial != first);
  CHECK(t.table.find(original).serial != 0);
}

TEST_CASE("an alias keeps the texture and the number of its original", "[resource_table]") {
  table_fixture t;
  const auto made = t.add_texture(original);
  REQUIRE(made);
  REQUIRE(t.table.add_alias(**made, alias, {}));
  CHECK(t.table.find(alias).texture == *made);
  CHECK(t.table.find(alias).serial != t.table.find(original).serial);

  t.table.destroy(t.backend, original);
  CHECK(t.kind_of(original) == resource_kind::reserved);
  CHECK(t.kind_of(alias) == resource_kind::texture);

  t.table.destroy(t.backend, alias);
  CHECK(t.kind_of(original) == resource_kind::none);
  CHECK(t.kind_of(alias) == resource_kind::none);
  CHECK(t.backend.live_objects() == 0);
}

TEST_CASE("a destroyed alias leaves its number free and the original alone", "[resource_table]") {
  table_fixture t;
  const auto made = t.add_texture(original);
  REQUIRE(made);
  REQUIRE(t.table.add_alias(**made, alias, {}));
  t.table.destroy(t.backend, alias);
  CHECK(t.kind_of(alias) == resource_kind::none);
  CHECK(t.table.find(original).texture == *made);
  CHECK((*made)->handle_count == 1);
}

TEST_CASE("a view keeps its texture's content after the last handle", "[resource_table]") {
  table_fixture t;
  const auto made = t.add_texture(original);
  REQUIRE(made);
  REQUIRE(t.add_view(**made, view_name));
  t.table.destroy(t.backend, original);
  CHECK(t.kind_of(original) == resource_kind::none);
  CHECK(t.table.find(view_name).texture == *made);
  CHECK(t.table.counts().textures == 1);

  SECTION("the number is free for another texture") {
    const auto second = t.add_texture(original);
    REQUIRE(second);
    t.table.destroy(t.backend, view_name);
    CHECK(t.table.find(original).texture == *second);
    CHECK(t.table.counts().textures == 1);
  }
  SECTION("the last view frees it") {
    t.table.destroy(t.backend, view_name);
    CHECK(t.table.counts() == object_counts{});
    CHECK(t.backend.live_objects() == 0);
  }
}

TEST_CASE("backed content starts wholly dirty, host-owned content clean", "[resource_table]") {
  table_fixture t;
  constexpr alloc_id backing{5};
  const auto buffer = t.add_buffer(original, 64, backing);
  REQUIRE(buffer);
  REQUIRE((*buffer)->dirty.view().size() == 1);
  CHECK((*buffer)->dirty.view()[0] == dirty_range{0, 64});
  const auto texture = t.add_texture(other, AEROGPU_FORMAT_R8G8B8A8_UNORM, backing);
  REQUIRE(texture);
  CHECK((*texture)->dirty.count() == 6);
  const auto clean = t.add_texture(alias);
  REQUIRE(clean);
  CHECK((*clean)->dirty.empty());
}

TEST_CASE("D24S8 is never dirty and D32 is", "[resource_table]") {
  table_fixture t;
  const auto d24 = t.add_texture(original, AEROGPU_FORMAT_D24_UNORM_S8_UINT, alloc_id{5});
  const auto d32 = t.add_texture(other, AEROGPU_FORMAT_D32_FLOAT, alloc_id{5});
  REQUIRE(d24);
  REQUIRE(d32);
  CHECK((*d24)->dirty.empty());
  CHECK_FALSE((*d32)->dirty.empty());
}

TEST_CASE("limits of names, resources, views and bytes refuse one more", "[resource_table]") {
  SECTION("resources") {
    table_fixture t{{.resources = 2}};
    const auto texture = t.add_texture(original);
    REQUIRE(texture);
    REQUIRE(t.add_buffer(other));
    CHECK(t.add_buffer(alias).why().code == error_code::out_of_memory);
    CHECK(t.add_texture(alias).why().code == error_code::out_of_memory);
    CHECK(t.table.add_alias(**texture, alias, {}));
  }
  SECTION("names") {
    table_fixture t{{.resource_names = 2}};
    const auto texture = t.add_texture(original);
    REQUIRE(texture);
    REQUIRE(t.table.add_alias(**texture, alias, {}));
    CHECK(t.table.add_alias(**texture, other, {}).why().code == error_code::out_of_memory);
    CHECK(t.add_view(**texture, other).why().code == error_code::out_of_memory);
    CHECK(t.add_buffer(other).why().code == error_code::out_of_memory);
    CHECK((*texture)->handle_count == 2);
  }
  SECTION("views") {
    table_fixture t{{.texture_views = 1}};
    const auto texture = t.add_texture(original);
    REQUIRE(texture);
    REQUIRE(t.add_view(**texture, view_name));
    CHECK(t.add_view(**texture, other).why().code == error_code::out_of_memory);
    CHECK((*texture)->view_count == 1);
  }
  SECTION("bytes come back with the object") {
    table_fixture t{{.resource_bytes_per_context = 64, .resource_minimum_bytes = 4}};
    REQUIRE(t.add_buffer(original, 64));
    CHECK(t.add_buffer(other, 4).why().code == error_code::out_of_memory);
    t.table.destroy(t.backend, original);
    CHECK(t.add_buffer(other, 64));
  }
}

TEST_CASE("the quota charges what the backend takes, and gives the same back", "[resource_table]") {
  table_fixture t{{.resource_bytes_per_context = 1024, .resource_minimum_bytes = 4}};
  t.backend.scale_memory(16);
  REQUIRE(t.add_buffer(original, 60));
  CHECK(t.table.counts().resource_bytes == 960);
  const auto refused = t.add_texture(other);
  CHECK(refused.why().code == error_code::out_of_memory);
  CHECK(t.add_buffer(other, 8).why().code == error_code::out_of_memory);
  CHECK(t.add_buffer(other, 4));
  CHECK(t.table.counts().resource_bytes == 1024);
  t.backend.scale_memory(1);  // Another device answers otherwise.
  t.table.destroy(t.backend, other);
  t.table.destroy(t.backend, original);
  CHECK(t.table.counts().resource_bytes == 0);
}

TEST_CASE("an object of any size is charged a minimum", "[resource_table]") {
  constexpr std::uint64_t texture_bytes = 6 * 1024;  // It has six subresources.
  table_fixture t{{.resource_bytes = 2 * 4096 + texture_bytes}};
  REQUIRE(t.add_buffer(original, 4));
  CHECK(t.table.counts().resource_bytes == 4096);
  REQUIRE(t.add_texture(other));
  CHECK(t.table.counts().resource_bytes == 4096 + texture_bytes);
  CHECK(t.add_buffer(view_name, 4100).why().code == error_code::out_of_memory);
  CHECK(t.add_buffer(view_name, 4096));
}

TEST_CASE("a subresource of any size is charged a quarter of the minimum", "[resource_table]") {
  table_fixture t;
  const auto charged = [&](std::uint32_t mips, std::uint32_t layers) {
    const auto layout = plan_layout({AEROGPU_FORMAT_R8G8B8A8_UNORM, 4, 4, mips, layers, 0}, 0);
    REQUIRE(layout);
    REQUIRE(
        t.table.create_texture(t.backend, {desc_of(original, 0, *layout), *layout, {}, creator}));
    const std::uint64_t bytes = t.table.counts().resource_bytes;
    t.table.destroy(t.backend, original);
    CHECK(t.table.counts().resource_bytes == 0);
    return bytes;
  };
  CHECK(charged(3, 1) == 4096);
  CHECK(charged(1, 4) == 4096);
  CHECK(charged(1, 5) == 5 * 1024);
  CHECK(charged(3, 2048) == 3 * 2048 * 1024);
}

TEST_CASE("a texture's padding in guest memory uses no quota", "[resource_table]") {
  table_fixture t{{.resource_minimum_bytes = 4}};
  const auto layout = plan_layout({AEROGPU_FORMAT_R8G8B8A8_UNORM, 4, 4, 1, 1, 4096}, 0);
  REQUIRE(t.table.create_texture(t.backend, {desc_of(original, 0, *layout), *layout, {}, creator}));
  CHECK(t.table.counts().resource_bytes == 64);
}

TEST_CASE("a create that the backend refuses leaves no trace", "[resource_table]") {
  table_fixture t;
  t.backend.plan({.at_call = 1, .code = error_code::unsupported});
  SECTION("buffer") {
    CHECK(t.add_buffer(original).why().code == error_code::unsupported);
  }
  SECTION("texture") {
    CHECK(t.add_texture(original).why().code == error_code::unsupported);
  }
  CHECK(t.table.counts() == object_counts{});
}

TEST_CASE("a view that the backend refuses leaves its texture alone", "[resource_table]") {
  table_fixture t;
  const auto texture = t.add_texture(original);
  REQUIRE(texture);
  t.backend.plan({.at_call = 1});
  CHECK_FALSE(t.add_view(**texture, view_name));
  CHECK((*texture)->view_count == 0);
  CHECK(t.kind_of(view_name) == resource_kind::none);
}
