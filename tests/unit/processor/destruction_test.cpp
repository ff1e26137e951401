// SPDX-License-Identifier: MIT
/// \file The end of a context takes along what it made (docs/extensions.md).
#include "aerogpu/processor/destruction.hpp"

#include "tests/catch.hpp"
#include "tests/support/byte_code/shaders.hpp"
#include "tests/support/layout_blobs.hpp"
#include "tests/unit/processor/processor_fixture.hpp"

#include <cstdint>
#include <string_view>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

constexpr std::uint32_t dying = 5, living = 6;
constexpr std::uint64_t shared_token = 77;

/// One object of each kind, with handles from `first` on.
auto one_of_each(std::uint32_t first) -> stream_builder {
  stream_builder stream;
  stream.create_buffer(first, 64)
      .create_texture(first + 1, {})
      .create_view(first + 2, first + 1, {})
      .create_shader(first, wire_vs, vs_2_0_position())
      .create_layout(first, declaration_blob({declaration_element{}, declaration_end}))
      .create_sampler(first);
  return stream;
}

/// A table of names that counts the slots a walk looks at.
struct walked_names {
  heap_map<resource_handle, std::uint32_t> map;
  mutable std::size_t slots_walked = 0;
  [[nodiscard]] auto capacity() const noexcept -> std::size_t { return map.capacity(); }
  template <class Visit>
  auto for_each_from(std::size_t first, Visit&& visit) const -> std::size_t {
    const std::size_t at = map.for_each_from(first, visit);
    slots_walked += at - first;
    return at;
  }
};

}  // namespace

TEST_CASE("a context that ends takes along what it made, and nothing of others", "[destruction]") {
  processor_fixture f;
  REQUIRE(f.run(one_of_each(10), living) == error_code::none);
  const object_counts before = f.processor.counts();
  REQUIRE(f.run(one_of_each(20), dying) == error_code::none);
  CHECK(f.processor.counts().shaders == 2);
  REQUIRE(f.run(stream_builder{}.end_context(), dying) == error_code::none);
  CHECK(f.processor.counts() == before);
  CHECK(f.run(one_of_each(20), living) == error_code::none);  // All of these names are free.
}

TEST_CASE("a context may end with the submission that made things", "[destruction]") {
  processor_fixture f;
  REQUIRE(f.run(one_of_each(10).end_context(), dying) == error_code::none);
  CHECK(f.processor.counts() == object_counts{});
}

TEST_CASE("thousands of objects go with their context", "[destruction]") {
  processor_fixture f;
  stream_builder stream;
  for (std::uint32_t i = 1; i <= 1'024; ++i) {
    stream.create_buffer(i, 16).create_sampler(i);
    if (i % 3 == 0) stream.destroy(i);
  }
  REQUIRE(f.run(stream, dying) == error_code::none);
  REQUIRE(f.run(stream_builder{}.end_context(), dying) == error_code::none);
  CHECK(f.processor.counts() == object_counts{});
}

TEST_CASE("what a context made is found in a few walks of a table, whatever its size",
          "[destruction]") {
  walked_names table;
  constexpr std::uint32_t count = 100'000;
  for (std::uint32_t i = 1; i <= count; ++i) {
    REQUIRE(table.map.insert(resource_handle{i}, i % 2).first != nullptr);
  }
  detail::destroy_each<resource_handle>(
      table, [](std::uint32_t is_odd) { return is_odd == 1; },
      [&](resource_handle handle) { REQUIRE(table.map.erase(handle)); });
  CHECK(table.map.size() == count / 2);
  CHECK(table.slots_walked <= 8 * table.capacity());
}

TEST_CASE("the end of a context counts what it looks at, whoever made it", "[destruction]") {
  constexpr std::uint32_t count = 10'000;
  const auto made = GENERATE(as<std::string_view>{}, "buffers", "samplers");
  processor_fixture f;
  REQUIRE(f.run(stream_builder{}.end_context(), dying) == error_code::none);
  CHECK(f.report.transfer_bytes < 64 * count / 10);
  stream_builder stream;
  for (std::uint32_t i = 1; i <= count; ++i) {
    if (made == "buffers") stream.create_buffer(i, 16);
    if (made == "samplers") stream.create_sampler(i);
  }
  REQUIRE(f.run(stream, living) == error_code::none);
  REQUIRE(f.run(stream_builder{}.end_context(), dying) == error_code::none);
  CHECK(f.report.transfer_bytes >= 64 * count);
}

TEST_CASE("a context that comes back after its end finds the defaults", "[destruction]") {
  processor_fixture f;
  const auto textured = [] {
    stream_builder stream;
    stream.create_texture(1, {.usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET}).targets({1});
    return stream;
  };
  REQUIRE(f.run(textured().render_state(27, 1), dying) == error_code::none);
  const auto* before = f.processor.tables().pipeline.contexts.find(context_id{dying});
  REQUIRE(before != nullptr);
  CHECK(before->d3d9.render_states[27] == 1);
  REQUIRE(f.run(stream_builder{}.end_context(), dying) == error_code::none);
  CHECK(f.processor.tables().pipeline.contexts.find(context_id{dying}) == nullptr);
  REQUIRE(f.run(stream_builder{}.nop(), dying) == error_code::none);
  const auto* after = f.processor.tables().pipeline.contexts.find(context_id{dying});
  REQUIRE(after != nullptr);
  CHECK(after->d3d9.render_states[27] == 0);
  CHECK(after->bound.targets.colors[0].handle == resource_handle{});
}

TEST_CASE("a shared texture lives on under what other contexts call it", "[destruction]") {
  processor_fixture f;
  REQUIRE(f.run(stream_builder{}
                    .create_texture(1, {})
                    .upload(1, 0, counting(64))
                    .export_surface(1, shared_token),
                dying) == error_code::none);
  REQUIRE(f.run(stream_builder{}.import_surface(2, shared_token), living) == error_code::none);
  REQUIRE(f.run(stream_builder{}.end_context(), dying) == error_code::none);
  CHECK(f.processor.counts().textures == 1);
  byte_vector image(64);
  REQUIRE(f.processor.read_texture(resource_handle{2}, image));
  CHECK(image == counting(64));
  CHECK_FALSE(f.processor.read_texture(resource_handle{1}, image));
  REQUIRE(f.run(stream_builder{}.end_context(), living) == error_code::none);
  CHECK(f.processor.counts().textures == 0);
  CHECK(f.processor.counts().resource_names == 0);
}

TEST_CASE("an alias goes with the context that imported it, and the original stays",
          "[destruction]") {
  processor_fixture f;
  REQUIRE(f.run(stream_builder{}.create_texture(1, {}).export_surface(1, shared_token), living) ==
          error_code::none);
  REQUIRE(f.run(stream_builder{}.import_surface(2, shared_token).create_view(3, 1, {}), dying) ==
          error_code::none);
  REQUIRE(f.run(stream_builder{}.end_context(), dying) == error_code::none);
  CHECK(f.processor.counts().textures == 1);
  CHECK(f.processor.counts().views == 0);
  CHECK(f.processor.counts().resource_names == 1);
  CHECK(f.run(stream_builder{}.import_surface(4, shared_token), living) == error_code::none);
}

TEST_CASE("a CREATE that rebinds, or replaces a sampler, takes nothing from who made it",
          "[destruction]") {
  processor_fixture f;
  const auto make = [] {
    stream_builder stream;
    stream.create_buffer(1, 64).create_sampler(1);
    return stream;
  };
  REQUIRE(f.run(make(), living) == error_code::none);
  REQUIRE(f.run(make(), dying) == error_code::none);
  REQUIRE(f.run(stream_builder{}.end_context(), dying) == error_code::none);
  CHECK(f.processor.counts().buffers == 1);
  CHECK(f.processor.counts().samplers == 1);
}

TEST_CASE("what a context that ends has presented is no longer shown", "[destruction]") {
  processor_fixture f;
  REQUIRE(f.run(stream_builder{}
                    .create_texture(1, {.usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET})
                    .targets({1})
                    .present(),
                dying) == error_code::none);
  REQUIRE(f.processor.presented() != nullptr);
  REQUIRE(f.run(stream_builder{}.end_context(), dying) == error_code::none);
  CHECK(f.processor.presented() == nullptr);
}

TEST_CASE("another value of the state, or an error behind it, ends no context", "[destruction]") {
  processor_fixture f;
  REQUIRE(f.run(one_of_each(10), dying) == error_code::none);
  const object_counts before = f.processor.counts();
  const std::uint32_t value = GENERATE(0u, 2u, 0xFFFFFFFFu);
  CHECK(f.run(stream_builder{}.render_state(aerogpurs_end_of_context, value), dying) ==
        error_code::none);
  CHECK(f.processor.counts() == before);
  CHECK(f.run(stream_builder{}.end_context().upload(999, 0, counting(16)), dying) ==
        error_code::unknown_handle);
  CHECK(f.processor.counts() == before);
}

TEST_CASE("contexts that end make room for others", "[destruction]") {
  processor_fixture f{{.contexts = 2}};
  REQUIRE(f.run(stream_builder{}.nop(), living) == error_code::none);
  for (std::uint32_t id = 10; id < 100; ++id) {
    REQUIRE(f.run(one_of_each(20), id) == error_code::none);
    REQUIRE(f.run(stream_builder{}.end_context(), id) == error_code::none);
  }
  CHECK(f.processor.counts().contexts == 1);
}
