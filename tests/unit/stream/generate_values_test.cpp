// SPDX-License-Identifier: MIT
// What generated packets and broken streams are made of, number by number.
#include "aerogpu/stream/generate.hpp"
#include "tests/unit/stream/streams.hpp"

#include <utility>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

/// Always the same number.
struct constant_random {
  std::uint64_t value = 0;
  auto operator()() noexcept -> std::uint64_t { return value; }
};

/// Some numbers, then zeros.
struct scripted_random {
  std::vector<std::uint64_t> values;
  std::size_t taken = 0;
  auto operator()() noexcept -> std::uint64_t {
    return taken < values.size() ? values[taken++] : 0;
  }
};

constexpr std::uint64_t all_ones = ~0ull;

/// The packet that one number makes; empty when it does not fit.
template <wire_packet P>
auto packet_from(std::uint64_t number, std::uint32_t minor = AEROGPU_ABI_MINOR,
                 std::size_t room = 512) -> byte_vector {
  constant_random random{number};
  packet_generator generator{random, minor};
  byte_vector bytes(room);
  bytes.resize(generator.make_packet(row_of_packet<P>, bytes));
  return bytes;
}

template <wire_packet P>
auto fields_from(std::uint64_t number, std::uint32_t minor = AEROGPU_ABI_MINOR) -> P {
  return load<P>(packet_from<P>(number, minor).data());
}

auto stage_from(std::uint64_t number, std::uint32_t minor)
    -> std::pair<std::uint32_t, std::uint32_t> {
  const auto p = fields_from<aerogpu_cmd_set_texture>(number, minor);
  return {p.shader_stage, p.reserved0};
}

/// 40 bytes of a stream after `numbers` broke them: 0, 1, 2 ... before.
auto broken(std::vector<std::uint64_t> numbers, std::size_t* size = nullptr) -> byte_vector {
  byte_vector bytes(40);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i);
  scripted_random random{std::move(numbers)};
  const std::size_t left = mutate_stream(random, bytes, bytes.size());
  if (size != nullptr) *size = left;
  CHECK(random.taken == random.values.size());
  return bytes;
}

/// The same, of one word.
auto broken_word(std::size_t word, std::vector<std::uint64_t> numbers) -> std::uint32_t {
  numbers.insert(numbers.begin(), word);
  byte_vector bytes = broken(std::move(numbers));
  const auto made = load<std::uint32_t>(bytes.data() + 4 * word);
  for (std::size_t i = 0; i < 4; ++i) bytes[4 * word + i] = static_cast<std::byte>(4 * word + i);
  CHECK(bytes == broken({0, 5, 40}));  // No other byte changed.
  return made;
}

}  // namespace

TEST_CASE("the random sequence is SplitMix64", "[stream][generate]") {
  seeded_random random{1234567};
  CHECK(random() == 6457827717110365317ull);
  CHECK(random() == 3203168211198807973ull);
  CHECK(random() == 9817491932198370423ull);
}

TEST_CASE("handles, tokens and allocations come from small pools", "[stream][generate]") {
  const auto created = [](std::uint64_t number) {
    return fields_from<aerogpu_cmd_create_buffer>(number).buffer_handle;
  };
  CHECK(created(0) == 1);
  CHECK(created(11) == 12);
  CHECK(created(12) == 1);
  const auto bound = [](std::uint64_t number) {
    return fields_from<aerogpu_cmd_set_texture>(number).texture;
  };
  CHECK(bound(0) == 0);
  CHECK(bound(12) == 12);
  CHECK(bound(13) == 0);
  const auto token = [](std::uint64_t number) {
    return fields_from<aerogpu_cmd_export_shared_surface>(number).share_token;
  };
  CHECK(token(0) == 1);
  CHECK(token(3) == 4);
  CHECK(token(4) == 1);
  const auto allocation = [](std::uint64_t number) {
    return fields_from<aerogpu_cmd_create_buffer>(number).backing_alloc_id;
  };
  CHECK(allocation(0) == 1);  // One in four has one.
  CHECK(allocation(3) == 0);
  CHECK(allocation(4) == 2);
  CHECK(allocation(5) == 0);
  CHECK(allocation(8) == 3);
}

TEST_CASE("numbers are small, one in eight has all bits, and rules hold", "[stream][generate]") {
  const auto size = [](std::uint64_t number) {
    return fields_from<aerogpu_cmd_create_buffer>(number).size_bytes;
  };
  CHECK(size(1) == 4);  // Not 0, and a multiple of 4.
  CHECK(size(all_ones) == 60);
  CHECK(size(all_ones - 7) == all_ones - 7);
  const auto texture = [](std::uint64_t number) {
    return fields_from<aerogpu_cmd_create_texture2d>(number);
  };
  CHECK(texture(1).width == 1);
  CHECK(texture(all_ones).width == 63);
  CHECK(texture(all_ones - 7).width == 0xFFFFFFFF);
  CHECK(texture(all_ones).usage_flags == 0xFF);
  CHECK(texture(0x35).usage_flags == 0x35);
  const auto state = fields_from<aerogpu_cmd_set_sampler_state>(0x1'2345'6789ull);
  CHECK(state.value == 0x23456789);  // Bits of others are any bits.
  CHECK(fields_from<aerogpu_cmd_draw_indexed>(all_ones - 7).base_vertex == -1);
}

TEST_CASE("floats are those that tests trip over", "[stream][generate]") {
  const std::uint32_t wanted[] = {0,          0x3F800000, 0x3F000000, 0xBF800000,
                                  0x42800000, 0x44000000, 0x7F800000, 0x7FC00000};
  for (std::uint64_t i = 0; i < 8; ++i) {
    CHECK(fields_from<aerogpu_cmd_set_viewport>(i).x_f32 == wanted[i]);
  }
  CHECK(fields_from<aerogpu_cmd_set_viewport>(8).x_f32 == 0);
}

TEST_CASE("enumerators are those that the minor has", "[stream][generate]") {
  const auto format = [](std::uint64_t number, std::uint32_t minor) {
    return fields_from<aerogpu_cmd_create_texture2d>(number, minor).format;
  };
  const auto& formats = row_of(value_set::format).values;
  for (std::uint64_t i = 0; i < formats.size(); ++i) {
    CHECK(format(i, 2) == formats[i].value);
    CHECK(row_of(value_set::format).find(format(i, 1))->since_minor < 2);
  }
  CHECK(format(formats.size(), 2) == formats[0].value);
  CHECK(format(6, 1) == AEROGPU_FORMAT_D24_UNORM_S8_UINT);  // The next one that is old enough.
  CHECK(format(12, 1) == formats[0].value);
}

TEST_CASE("stages are those that the minor can name", "[stream][generate]") {
  using words = std::pair<std::uint32_t, std::uint32_t>;
  const words named[] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {2, 3}, {2, 4}};
  for (std::uint64_t i = 0; i < 6; ++i) {
    CHECK(stage_from(i, 3) == (i == 3 ? stage_from(3, 3) : named[i]));
    CHECK(stage_from(i, 2) == named[i % 4]);
  }
  CHECK(*resolve_stage(stage_from(3, 3).first, stage_from(3, 3).second, 3) ==
        shader_stage::geometry);
  const std::uint32_t extensions[] = {0, 2, 3, 4};
  for (std::uint64_t i = 0; i < 5; ++i) {
    CHECK(fields_from<aerogpu_cmd_dispatch>(i, 3).reserved0 == extensions[i % 4]);
    CHECK(fields_from<aerogpu_cmd_dispatch>(i, 2).reserved0 == 0);
  }
}

TEST_CASE("fields that belong together agree", "[stream][generate]") {
  const auto texture = fields_from<aerogpu_cmd_create_texture2d>(4);  // Pitch 0 by itself.
  CHECK(texture.backing_alloc_id == 2);
  CHECK(texture.row_pitch_bytes == 256);
  CHECK(fields_from<aerogpu_cmd_create_texture2d>(1).row_pitch_bytes == 0);
  CHECK(fields_from<aerogpu_cmd_create_texture2d>(all_ones - 3).row_pitch_bytes == 63);
  const auto targets = fields_from<aerogpu_cmd_set_render_targets>(11);
  CHECK(targets.color_count == 2);
  CHECK(std::vector<std::uint32_t>(std::begin(targets.colors), std::end(targets.colors)) ==
        std::vector<std::uint32_t>{11, 11, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("payloads have from one element to a few", "[stream][generate]") {
  const auto size = [](const byte_vector& packet) { return packet.size(); };
  CHECK(size(packet_from<nop_packet>(0)) == 8);
  CHECK(size(packet_from<nop_packet>(3)) == 20);
  CHECK(size(packet_from<nop_packet>(4)) == 8);
  for (const std::uint64_t number : {0u, 1u, 39u, 40u}) {
    const byte_vector upload = packet_from<aerogpu_cmd_upload_resource>(number);
    const std::uint64_t count = 1 + number % 40;
    CHECK(load<aerogpu_cmd_upload_resource>(upload.data()).size_bytes == count);
    CHECK(upload.size() == 32 + align4(count));
    CHECK(upload[32] == static_cast<std::byte>(number | 1));
    CHECK(upload[31 + count] == static_cast<std::byte>(number | 1));
  }
  for (const std::uint64_t number : {0u, 3u, 4u}) {
    const byte_vector samplers = packet_from<aerogpu_cmd_set_samplers>(number);
    CHECK(samplers.size() == 24 + 4 * (1 + number % 4));
    CHECK(load<std::uint32_t>(samplers.data() + 24) == number);
    CHECK(load<std::uint32_t>(samplers.data() + samplers.size() - 4) == number);
  }
}

TEST_CASE("boolean registers are 0 or 1 in all four words", "[stream][generate]") {
  const byte_vector one = packet_from<aerogpu_cmd_set_shader_constants_b>(3);
  CHECK(one.size() == 24 + 4 * 16);
  for (std::size_t at = 24; at < one.size(); at += 4) CHECK(load<std::uint32_t>(&one[at]) == 1);
  const byte_vector zero = packet_from<aerogpu_cmd_set_shader_constants_b>(4);
  CHECK(zero.size() == 24 + 16);
  CHECK(load<std::uint32_t>(&zero[24]) == 0);
}

TEST_CASE("input layouts are of either kind and have up to three elements", "[stream][generate]") {
  const auto blob = [](std::uint64_t number) {
    return packet_from<aerogpu_cmd_create_input_layout>(number);
  };
  const auto layout = [](const byte_vector& packet) {
    return *parse_input_layout_blob(const_bytes{packet}.subspan(20));
  };
  const byte_vector ilay = blob(18);
  REQUIRE(layout(ilay).kind == input_layout_kind::ilay);
  REQUIRE(layout(ilay).ilay.size() == 2);
  CHECK(bytes_of(layout(ilay).ilay[1]).size() == sizeof(aerogpu_input_layout_element_dxgi));
  CHECK(layout(ilay).ilay[1].semantic_index == 1);
  CHECK(layout(ilay).ilay[1].dxgi_format == 6);
  CHECK(layout(ilay).ilay[1].input_slot == 2);
  CHECK(layout(ilay).ilay[1].aligned_byte_offset == ilay_append);
  CHECK(layout(blob(16)).ilay.size() == 0);
  const byte_vector d3d9 = blob(19);
  REQUIRE(layout(d3d9).kind == input_layout_kind::d3d9_declaration);
  REQUIRE(layout(d3d9).d3d9.size() == 3);
  CHECK(layout(d3d9).d3d9[2].stream == 3);
  CHECK(layout(d3d9).d3d9[2].offset_bytes == 24);
  CHECK(layout(d3d9).d3d9[2].type == 2);
  CHECK(layout(d3d9).d3d9[2].usage_index == 2);
  CHECK(layout(blob(17)).d3d9.size() == 1);
}

TEST_CASE("BIND_SHADERS comes in either form", "[stream][generate]") {
  const byte_vector extended = packet_from<aerogpu_cmd_bind_shaders>(12);
  REQUIRE(extended.size() == 36);
  CHECK(load<aerogpu_cmd_bind_shaders>(extended.data()).reserved0 == 12);
  for (const std::size_t at : {24u, 28u, 32u}) CHECK(load<std::uint32_t>(&extended[at]) == 12);
  CHECK(packet_from<aerogpu_cmd_bind_shaders>(11).size() == 24);
}

TEST_CASE("a packet is made where it fits, to the byte", "[stream][generate]") {
  CHECK(packet_from<aerogpu_cmd_draw>(1, 4, 24).size() == 24);
  CHECK(packet_from<aerogpu_cmd_draw>(1, 4, 23).empty());
}

TEST_CASE("a stream has as many packets as asked for, without those that are too new",
          "[stream][generate]") {
  const auto stream = [](std::uint64_t number, std::uint32_t minor, std::uint32_t count) {
    constant_random random{number};
    packet_generator generator{random, minor};
    byte_vector bytes(1024);
    bytes.resize(generator.make_stream(bytes, count));
    return bytes;
  };
  CHECK(stream(0, 4, 5).size() == 24 + 5 * 8);
  const auto header = load<aerogpu_cmd_stream_header>(stream(0, 2, 3).data());
  CHECK(header.magic == AEROGPU_CMD_STREAM_MAGIC);
  CHECK(header.abi_version == 0x10002);
  CHECK(header.size_bytes == 48);
  CHECK(header.flags == 0);
  for (std::size_t i = 0; i < packet_count; ++i) {
    const std::uint32_t since = packet_table[i].since_minor;
    if (since == 0) continue;
    CHECK(stream(i, since, 1).size() > 24);
    CHECK(stream(i, since - 1, 1).size() == 24);
  }
}

TEST_CASE("a stream is broken in a word, a bit or its length", "[stream][generate]") {
  const std::uint32_t values[] = {0,    1,          3,          4,          8,
                                  0x7F, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFC, 0xFFFFFFFF};
  for (std::uint64_t i = 0; i < 10; ++i) CHECK(broken_word(2, {0, i}) == values[i]);
  CHECK(broken_word(9, {1, 0x1'2345'6789ull}) == 0x23456789);
  CHECK(broken_word(3, {2, 2}) == packet_table[2].opcode);
  CHECK(broken_word(0, {3, 0}) == 0x030200FC);
  CHECK(broken_word(0, {3, 1}) == 0x03020100);
  CHECK(broken_word(0, {3, 2}) == 0x03020104);
  const byte_vector flipped = broken({0, 4, 7, 39});
  CHECK(flipped[39] == std::byte{39 ^ 0x80});
  CHECK(flipped[38] == std::byte{38});
  std::size_t size = 0;
  (void)broken({0, 5, 40}, &size);
  CHECK(size == 40);
  (void)broken({0, 5, 41}, &size);
  CHECK(size == 0);
  (void)broken({0, 4, 0, 0}, &size);
  CHECK(size == 40);
}

TEST_CASE("what holds no word, or lies outside, is not broken", "[stream][generate]") {
  scripted_random random{{0, 0, 9}};
  byte_vector bytes(8);
  CHECK(mutate_stream(random, bytes, 3) == 3);
  CHECK(mutate_stream(random, bytes, 9) == 9);
  CHECK(random.taken == 0);
  CHECK(mutate_stream(random, bytes, 8) == 8);
  CHECK(random.taken == 3);
}
