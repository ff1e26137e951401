// SPDX-License-Identifier: MIT
#include "aerogpu/backend/input_layout.hpp"

#include "aerogpu/backend/vertex_fetch.hpp"
#include "tests/catch.hpp"
#include "tests/support/layout_blobs.hpp"

#include <vector>

namespace aerogpu {
namespace {

using namespace test;

constexpr std::uint32_t float2 = 16, float3 = 6, ubyte2 = 49;

/// An input with the semantic of one of the elements below.
auto input(std::string_view name, std::uint32_t index, std::uint8_t register_index)
    -> vertex_input {
  return {{semantic_name_hash(name), index}, register_index, true};
}

/// Outcome of matching a good blob with inputs.
auto fetch(const byte_vector& blob, const std::vector<vertex_input>& inputs) -> vertex_fetch {
  const auto layout = parse_input_layout(blob);
  REQUIRE(layout);
  const auto matched = resolve_vertex_fetch(*layout, inputs);
  REQUIRE(matched);
  return *matched;
}
auto fault(const byte_vector& blob, const std::vector<vertex_input>& inputs) -> error_code {
  const auto layout = parse_input_layout(blob);
  REQUIRE(layout);
  return resolve_vertex_fetch(*layout, inputs).why().code;
}

}  // namespace

TEST_CASE("appended elements follow the last one of their slot, aligned to 4", "[input_layout]") {
  const auto layout = parse_input_layout(ilay_blob({{.index = 0, .format = float3, .slot = 2},
                                                    {.index = 1, .format = ubyte2, .slot = 2},
                                                    {.index = 2, .format = float2, .slot = 5},
                                                    {.index = 3, .format = float2, .slot = 2},
                                                    {.index = 4, .slot = 2, .offset = 4},
                                                    {.index = 5, .slot = 2}}));
  REQUIRE(layout);
  const auto& e = layout->elements;
  REQUIRE(e.size() == 6);
  CHECK(e[0].offset_bytes == 0);
  CHECK(e[1].offset_bytes == 12);
  CHECK(e[2].offset_bytes == 0);
  CHECK(e[3].offset_bytes == 16);
  CHECK(e[4].offset_bytes == 4);
  CHECK(e[5].offset_bytes == 20);
}

TEST_CASE("a layout keeps only the bytes that mean something", "[input_layout]") {
  byte_vector blob = ilay_blob({{}, {.index = 1}});
  const std::size_t size = blob.size();
  blob.resize(size + 40);
  CHECK(parse_input_layout(blob)->blob_size_bytes == size);
  byte_vector declaration = declaration_blob({{}, declaration_end, {.stream = 99}});
  CHECK(parse_input_layout(declaration)->blob_size_bytes == 16);
}

TEST_CASE("a declaration has at most 64 elements", "[input_layout]") {
  std::vector<declaration_element> elements(64);
  elements.push_back(declaration_end);
  CHECK(parse_input_layout(declaration_blob(elements)));
  elements.insert(elements.begin(), declaration_element{});
  CHECK(parse_input_layout(declaration_blob(elements)).why().code == error_code::invalid_parameter);
}

TEST_CASE("unused elements of a declaration are left out", "[input_layout]") {
  const auto layout = parse_input_layout(
      declaration_blob({{.type = 17}, {.stream = 3, .offset = 8, .type = 4}, declaration_end}));
  REQUIRE(layout);
  REQUIRE(layout->elements.size() == 1);
  CHECK(layout->elements[0].slot == 3);
  CHECK(layout->elements[0].offset_bytes == 8);
  CHECK(layout->elements[0].format == vertex_format{vertex_type::unorm8_bgra, 4, 4});
}

TEST_CASE("inputs take the element of their name and index", "[input_layout]") {
  const byte_vector blob =
      ilay_blob({{.name = "TEXCOORD", .index = 1, .format = float2, .slot = 1},
                 {.name = "position", .format = float3},
                 {.name = "COLOR", .slot = 9, .input_class = 1, .step_rate = 3}});
  const vertex_fetch f = fetch(blob, {input("Position", 0, 4), input("TEXCOORD", 1, 0),
                                      input("TEXCOORD", 0, 1), input("COLOR", 0, 7)});
  REQUIRE(f.attributes.size() == 3);
  CHECK(f.attributes[0].register_index == 4);
  CHECK(f.attributes[0].format.size_bytes == 12);
  CHECK(f.attributes[1].register_index == 0);
  CHECK(f.attributes[1].slot == 1);
  CHECK(f.attributes[2].per_instance);
  CHECK(f.attributes[2].step_rate == 3);
  CHECK(f.slots == (1u << 0 | 1u << 1 | 1u << 9));
  CHECK(f.ends[0] == 12);
  CHECK(f.ends[9] == 16);
}

TEST_CASE("a faulty element matters to shaders that read it", "[input_layout]") {
  const auto [element, code] = GENERATE(table<ilay_element, error_code>({
      {{.format = 1}, error_code::unsupported_format},
      {{.format = 0}, error_code::unsupported_format},
      {{.format = 0xFFFFFFFF}, error_code::unsupported_format},
      {{.offset = 2}, error_code::invalid_parameter},
      {{.offset = 0xFFFFFFFC}, error_code::invalid_parameter},
      {{.input_class = 2}, error_code::invalid_parameter},
  }));
  const byte_vector blob = ilay_blob({element, {.name = "COLOR", .slot = 1}});
  CHECK(fault(blob, {input("POSITION", 0, 0)}) == code);
  CHECK(fault(blob, {input("COLOR", 0, 0)}) == error_code::none);
}

TEST_CASE("an element after one of unknown size has no place", "[input_layout]") {
  const byte_vector blob = ilay_blob({{.format = 1}, {.index = 1}, {.index = 2, .offset = 16}});
  CHECK(fault(blob, {input("POSITION", 1, 0)}) == error_code::unsupported_format);
  CHECK(fault(blob, {input("POSITION", 2, 0)}) == error_code::none);
}

TEST_CASE("elements of one slot have one class", "[input_layout]") {
  const byte_vector blob = ilay_blob(
      {{.index = 0}, {.index = 1, .input_class = 1}, {.index = 2, .slot = 1, .input_class = 1}});
  CHECK(fault(blob, {input("POSITION", 0, 0), input("POSITION", 2, 1)}) == error_code::none);
  CHECK(fault(blob, {input("POSITION", 1, 0)}) == error_code::invalid_parameter);
}

TEST_CASE("the first element of a slot names its class for all that follow", "[input_layout]") {
  const byte_vector blob = ilay_blob({{.index = 0, .input_class = 1, .step_rate = 1},
                                      {.index = 1, .input_class = 0},
                                      {.index = 2, .input_class = 1, .step_rate = 1},
                                      {.index = 3, .input_class = 2}});
  CHECK(fault(blob, {input("POSITION", 0, 0)}) == error_code::none);
  CHECK(fault(blob, {input("POSITION", 1, 0)}) == error_code::invalid_parameter);
  CHECK(fault(blob, {input("POSITION", 2, 0)}) == error_code::none);
  CHECK(fault(blob, {input("POSITION", 3, 0)}) == error_code::invalid_parameter);
}

TEST_CASE("two ILAY elements for one input are refused; of a declaration the first wins",
          "[input_layout]") {
  CHECK(fault(ilay_blob({{.slot = 1}, {.slot = 2}}), {input("POSITION", 0, 0)}) ==
        error_code::invalid_parameter);
  CHECK(fault(ilay_blob({{.slot = 1}, {.slot = 2}}), {input("NORMAL", 0, 0)}) == error_code::none);
  const vertex_fetch f = fetch(declaration_blob({{.stream = 1}, {.stream = 2}, declaration_end}),
                               {input("POSITION", 0, 0)});
  CHECK(f.slots == 1u << 1);
}

TEST_CASE("each D3D9 usage has the name of its semantic", "[input_layout]") {
  constexpr std::array names{"POSITION", "BLENDWEIGHT", "BLENDINDICES", "NORMAL",     "PSIZE",
                             "TEXCOORD", "TANGENT",     "BINORMAL",     "TESSFACTOR", "POSITIONT",
                             "COLOR",    "FOG",         "DEPTH",        "SAMPLE"};
  for (std::uint8_t usage = 0; usage < names.size(); ++usage) {
    CAPTURE(names[usage]);
    const byte_vector blob =
        declaration_blob({{.usage = usage, .usage_index = 3}, declaration_end});
    CHECK(fetch(blob, {input(names[usage], 3, 0)}).attributes.size() == 1);
    CHECK(fetch(blob, {input(names[usage], 2, 0)}).attributes.empty());
  }
  CHECK(semantic_of_d3d9(14, 0).name_hash == 14);
}

TEST_CASE("a register without a semantic takes the element of its number", "[input_layout]") {
  const byte_vector blob = declaration_blob(
      {{.stream = 4}, {.type = 17}, {.stream = 6, .offset = 12, .type = 1}, declaration_end});
  const vertex_fetch f = fetch(blob, {{{}, 1, false}, {{}, 2, false}});
  REQUIRE(f.attributes.size() == 1);
  CHECK(f.attributes[0].register_index == 1);
  CHECK(f.attributes[0].slot == 6);
  CHECK(f.attributes[0].offset_bytes == 12);
}

TEST_CASE("each DXGI vertex format has its size, and others have none", "[input_layout]") {
  const std::vector<std::pair<std::vector<std::uint32_t>, std::uint32_t>> rows{
      {{2, 3, 4}, 16},
      {{6, 7, 8}, 12},
      {{10, 11, 12, 13, 14, 16, 17, 18}, 8},
      {{24, 28, 29, 30, 31, 32, 34, 35, 36, 37, 38, 41, 42, 43, 87, 91}, 4},
      {{49, 50, 51, 52, 54}, 2}};
  std::uint32_t known = 0;
  for (const auto& [formats, size] : rows) {
    for (const std::uint32_t format : formats) {
      CAPTURE(format);
      CHECK(vertex_format_of_dxgi(format).size_bytes == size);
      ++known;
    }
  }
  std::uint32_t found = 0;
  for (std::uint32_t format = 0; format < 200; ++format) {
    found += vertex_format_of_dxgi(format) ? 1u : 0u;
  }
  CHECK(found == known);
}

TEST_CASE("each D3D9 element type has its size, and others read zero", "[input_layout]") {
  constexpr std::array<std::uint32_t, 17> sizes{4, 8, 12, 16, 4, 4, 4, 8, 4,
                                                4, 8, 4,  8,  4, 4, 4, 8};
  for (std::uint32_t type = 0; type < sizes.size(); ++type) {
    CHECK(vertex_format_of_d3d9(type).size_bytes == sizes[type]);
  }
  CHECK_FALSE(vertex_format_of_d3d9(17));
  CHECK_FALSE(vertex_format_of_d3d9(255));
}

}  // namespace aerogpu
