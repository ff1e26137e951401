// SPDX-License-Identifier: MIT
#include "aerogpu/stream/input_layout_blob.hpp"

#include "tests/data/golden_vectors.hpp"
#include "tests/unit/stream/streams.hpp"

#include <array>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

auto ilay_of(std::uint32_t version, std::uint32_t count, std::size_t bytes) -> byte_vector {
  byte_vector blob(bytes);
  const aerogpu_input_layout_blob_header header{AEROGPU_INPUT_LAYOUT_BLOB_MAGIC, version, count, 0};
  const std::size_t size = std::min(bytes, sizeof header);
  copy_bytes({blob.data(), size}, bytes_of(header).first(size));
  return blob;
}

auto refusal(const byte_vector& blob) -> std::string_view {
  const auto parsed = parse_input_layout_blob(blob);
  if (parsed) return "";
  CHECK(parsed.why().code == error_code::invalid_parameter);
  return parsed.why().what;
}

auto declaration_of(std::initializer_list<d3d9_vertex_element> elements) -> byte_vector {
  byte_vector bytes;
  for (const auto& element : elements) append(bytes, bytes_of(element));
  return bytes;
}

}  // namespace

TEST_CASE("the golden blobs parse to their elements", "[stream][input_layout]") {
  const auto ilay = bytes_from_hex(golden("create_input_layout_ilay").payload_hex);
  const auto layout = parse_input_layout_blob(ilay);
  REQUIRE(layout);
  CHECK(layout->kind == input_layout_kind::ilay);
  REQUIRE(layout->ilay.size() == 2);
  CHECK(layout->ilay[0].semantic_name_hash == 0x7808E88A);
  CHECK(layout->ilay[1].aligned_byte_offset == 12);

  const auto d3d9 = bytes_from_hex(golden("create_input_layout_d3d9_decl").payload_hex);
  const auto declaration = parse_input_layout_blob(d3d9);
  REQUIRE(declaration);
  CHECK(declaration->kind == input_layout_kind::d3d9_declaration);
  REQUIRE(declaration->d3d9.size() == 2);
  CHECK(declaration->d3d9[1].usage == 10);
}

TEST_CASE("an ILAY blob keeps the rules of creation", "[stream][input_layout]") {
  CHECK(refusal(ilay_of(1, 0, 16)) == "");
  CHECK(refusal(ilay_of(1, 2, 16 + 56)) == "");
  CHECK(refusal(ilay_of(1, 2, 16 + 56 + 3)) == "");  // Trailing bytes are ignored.
  CHECK(refusal(ilay_of(1, 32, 16 + 32 * 28)) == "");
  CHECK(refusal(ilay_of(1, 0, 15)) == "the ILAY blob is smaller than its header");
  CHECK(refusal(ilay_of(2, 0, 16)) == "version of the ILAY blob is unknown");
  CHECK(refusal(ilay_of(1, 33, 2000)) == "element_count is more than a layout holds");
  CHECK(refusal(ilay_of(1, 0xFFFFFFFF, 2000)) == "element_count is more than a layout holds");
  CHECK(refusal(ilay_of(1, 2, 16 + 55)) == "element_count is more than the ILAY blob holds");
  byte_vector slot = ilay_of(1, 1, 44);
  store(slot.data() + 16 + 12, 31u);
  CHECK(refusal(slot) == "");
  store(slot.data() + 16 + 12, 32u);
  CHECK(refusal(slot) == "input_slot does not exist");
}

TEST_CASE("the flags word of an ILAY header is ignored", "[stream][input_layout]") {
  byte_vector blob = ilay_of(1, 0, 16);
  store(blob.data() + 12, 1u);
  CHECK(refusal(blob) == "");
}

TEST_CASE("any other first word makes a declaration", "[stream][input_layout]") {
  byte_vector blob = ilay_of(1, 0, 16);
  store(blob.data(), 0x59414C48u);
  CHECK(refusal(blob) == "stream does not exist");
  CHECK(refusal({}) == "the vertex declaration has no end marker");
}

TEST_CASE("a declaration keeps the rules of creation", "[stream][input_layout]") {
  const d3d9_vertex_element position{0, 0, 2, 0, 0, 0};
  CHECK(refusal(declaration_of({d3d9_end_element})) == "");
  CHECK(refusal(declaration_of({position, d3d9_end_element})) == "");
  CHECK(refusal(declaration_of({position})) == "the vertex declaration has no end marker");
  CHECK(refusal(declaration_of({{15, 0, 2, 0, 0, 0}, d3d9_end_element})) == "");
  CHECK(refusal(declaration_of({{16, 0, 2, 0, 0, 0}, d3d9_end_element})) ==
        "stream does not exist");
  CHECK(refusal(declaration_of({{16, 0, d3d9_unused_type, 0, 0, 0}, d3d9_end_element})) == "");
  byte_vector cut = declaration_of({position, d3d9_end_element});
  cut.pop_back();
  CHECK(refusal(cut) == "the vertex declaration is not made of whole elements");
}

TEST_CASE("what stands behind the end marker is not part of the declaration",
          "[stream][input_layout]") {
  const byte_vector blob =
      declaration_of({{0, 0, 2, 0, 0, 0}, d3d9_end_element, {99, 9, 9, 9, 9, 9}});
  const auto parsed = parse_input_layout_blob(blob);
  REQUIRE(parsed);
  CHECK(parsed->d3d9.size() == 1);
}

TEST_CASE("written blobs are the golden bytes", "[stream][input_layout]") {
  std::array<std::byte, 128> storage{};
  const std::array<aerogpu_input_layout_element_dxgi, 2> ilay{
      {{0x7808E88A, 0, 6, 0, 0, 0, 0}, {0xE7C308F8, 0, 2, 0, 12, 0, 0}}};
  const auto blob = write_ilay_blob(ilay, storage);
  REQUIRE(blob);
  CHECK(byte_vector(blob->begin(), blob->end()) ==
        bytes_from_hex(golden("create_input_layout_ilay").payload_hex));

  const std::array<d3d9_vertex_element, 2> d3d9{{{0, 0, 2, 0, 0, 0}, {0, 12, 4, 0, 10, 0}}};
  const auto declaration = write_d3d9_declaration(d3d9, storage);
  REQUIRE(declaration);
  CHECK(byte_vector(declaration->begin(), declaration->end()) ==
        bytes_from_hex(golden("create_input_layout_d3d9_decl").payload_hex));
}

TEST_CASE("blobs that would be refused or do not fit are not written", "[stream][input_layout]") {
  std::array<std::byte, 2000> storage{};
  const std::array<aerogpu_input_layout_element_dxgi, 33> many{};
  CHECK(write_ilay_blob(many, storage).why().code == error_code::invalid_parameter);
  CHECK(write_ilay_blob(std::span{many}.first(32), storage));
  const std::size_t size = ilay_blob_size(2);
  CHECK(write_ilay_blob(std::span{many}.first(2), std::span{storage}.first(size)));
  CHECK(write_ilay_blob(std::span{many}.first(2), std::span{storage}.first(size - 1)).why().code ==
        error_code::no_space);

  const std::array<d3d9_vertex_element, 1> bad_stream{{{16, 0, 2, 0, 0, 0}}};
  CHECK(write_d3d9_declaration(bad_stream, storage).why().code == error_code::invalid_parameter);
  const std::array<d3d9_vertex_element, 2> early_end{{d3d9_end_element, {0, 0, 2, 0, 0, 0}}};
  CHECK(write_d3d9_declaration(early_end, storage).why().code == error_code::invalid_parameter);
  CHECK(write_d3d9_declaration(bad_stream, std::span{storage}.first(15)).why().code ==
        error_code::no_space);
}

TEST_CASE("a blob is written where it fits, to the byte", "[stream][input_layout]") {
  const std::array<d3d9_vertex_element, 2> elements{{{0, 0, 2, 0, 0, 0}, {1, 0, 2, 0, 0, 1}}};
  std::array<std::byte, 24> storage{};
  CHECK(d3d9_declaration_size(2) == 24);
  CHECK(d3d9_declaration_size(0) == 8);
  const auto blob = write_d3d9_declaration(elements, storage);
  REQUIRE(blob);
  CHECK(blob->size() == 24);
  const auto cut = write_d3d9_declaration(elements, std::span{storage}.first(23));
  CHECK(cut.why().code == error_code::no_space);
  CHECK(cut.why().detail == 24);
  CHECK(cut.why().limit == 23);
  CHECK(ilay_blob_size(0) == 16);
  CHECK(ilay_blob_size(2) == 16 + 2 * 28);
}
