// SPDX-License-Identifier: MIT
#include "aerogpu/stream/validate.hpp"

#include "tests/data/golden_vectors.hpp"
#include "tests/unit/stream/streams.hpp"

#include <limits>
#include <string>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

auto findings_of(const_bytes packets, std::uint32_t minor = AEROGPU_ABI_MINOR)
    -> std::vector<finding> {
  const byte_vector bytes = stream_of(packets, minor);
  std::vector<finding> all;
  const validation counts =
      validate(view_of(bytes), [&](const finding& f) noexcept { all.push_back(f); });
  CHECK(counts.errors + counts.warnings == all.size());
  return all;
}

/// The finding of a packet that has exactly one.
auto only_finding(const_bytes packets, std::uint32_t minor = AEROGPU_ABI_MINOR) -> finding {
  const auto all = findings_of(packets, minor);
  for (const finding& f : all) UNSCOPED_INFO(f.why.what);
  REQUIRE(all.size() == 1);
  return all[0];
}

template <wire_packet P>
void check_finding(const P& fields, severity level, error_code code, std::string_view what,
                   std::uint32_t minor = AEROGPU_ABI_MINOR) {
  const finding f = only_finding(packet_of(fields), minor);
  CHECK(f.level == level);
  CHECK(f.why.code == code);
  CHECK(f.why.what == what);
  CHECK(f.why.opcode == packet_traits<P>::opcode);
  CHECK(f.why.offset == 24);
}

constexpr auto refused = severity::error;
constexpr auto noted = severity::warning;
constexpr auto invalid = error_code::invalid_parameter;

}  // namespace

TEST_CASE("every stream that must be rejected is rejected", "[stream][validate]") {
  for (const auto& row : rejected_streams) {
    INFO(row.name);
    const auto bytes = bytes_from_hex(row.hex);
    const auto stream = parse_stream_header(bytes);
    const bool is_accepted =
        stream && static_cast<bool>(validate(*stream, [](const finding&) noexcept {}));
    CHECK_FALSE(is_accepted);
  }
}

TEST_CASE("no golden vector breaks a rule", "[stream][validate]") {
  for (const auto& vector : golden_vectors) {
    const auto bytes = bytes_from_hex(vector.hex);
    INFO(vector.name);
    if (vector.kind == golden_kind::packet) CHECK(findings_of(bytes).empty());
    if (vector.kind != golden_kind::stream) continue;
    // The one warning is the point of that vector: its stage_ex has no effect.
    const bool is_old = vector.name == "stage_ex_ignored_minor_2";
    const validation counts = validate(view_of(bytes), [](const finding&) noexcept {});
    CHECK(counts.errors == 0);
    CHECK(counts.warnings == (is_old ? 1 : 0));
  }
}

TEST_CASE("enumerators that a host refuses are errors", "[stream][validate]") {
  check_finding(aerogpu_cmd_create_texture2d{{}, 1, 0, 11, 1, 1, 1, 1, 0, 0, 0, 0}, refused,
                error_code::unsupported_format, "format is not a value of aerogpu_format");
  check_finding(aerogpu_cmd_create_texture_view{{}, 1, 2, 0, 0, 1, 0, 1, 0}, refused,
                error_code::unsupported_format, "format is not a value of aerogpu_format");
  check_finding(aerogpu_cmd_set_primitive_topology{{}, 65, 0}, refused, invalid,
                "topology is not a value of aerogpu_primitive_topology");
  check_finding(aerogpu_cmd_set_index_buffer{{}, 1, 2, 0, 0}, refused, invalid,
                "format is not a value of aerogpu_index_format");
  check_finding(aerogpu_cmd_create_sampler{{}, 1, 2, 0, 0, 0}, refused, invalid,
                "filter is not a value of aerogpu_sampler_filter");
  check_finding(aerogpu_cmd_create_sampler{{}, 1, 0, 0, 0, 3}, refused, invalid,
                "address_w is not a value of aerogpu_sampler_address_mode");
}

TEST_CASE("enumerators for which a host has a default are warnings", "[stream][validate]") {
  aerogpu_cmd_set_blend_state blend{};
  blend.state.src_factor_alpha = 8;
  check_finding(blend, noted, invalid, "src_factor_alpha is not a value of aerogpu_blend_factor");
  aerogpu_cmd_set_depth_stencil_state depth{};
  depth.state.depth_func = 8;
  check_finding(depth, noted, invalid, "depth_func is not a value of aerogpu_compare_func");
  aerogpu_cmd_set_rasterizer_state rasterizer{};
  rasterizer.state.cull_mode = 3;
  check_finding(rasterizer, noted, invalid, "cull_mode is not a value of aerogpu_cull_mode");
}

TEST_CASE("unknown flags are errors in copies and warnings elsewhere", "[stream][validate]") {
  check_finding(aerogpu_cmd_copy_buffer{{}, 1, 2, 0, 0, 4, 2, 0}, refused, invalid,
                "flags has unknown bits of aerogpu_copy_flags");
  check_finding(aerogpu_cmd_present{{}, 0, 2}, noted, invalid,
                "flags has unknown bits of aerogpu_present_flags");
  check_finding(aerogpu_cmd_clear{{}, 8, {}, 0, 0}, noted, invalid,
                "flags has unknown bits of aerogpu_clear_flags");
  check_finding(aerogpu_cmd_create_buffer{{}, 1, 0x100, 4, 0, 0, 0}, noted, invalid,
                "usage_flags has unknown bits of aerogpu_resource_usage_flags");
  CHECK(findings_of(packet_of(aerogpu_cmd_present_ex{{}, 0, 0, 0xFFFFFFFF, 0})).empty());
}

TEST_CASE("handles and tokens that must name something are not 0", "[stream][validate]") {
  check_finding(aerogpu_cmd_create_buffer{{}, 0, 0, 4, 0, 0, 0}, refused,
                error_code::invalid_handle, "buffer_handle is less than its minimum");
  check_finding(aerogpu_cmd_resource_dirty_range{}, refused, error_code::invalid_handle,
                "resource_handle is less than its minimum");
  check_finding(aerogpu_cmd_import_shared_surface{{}, 1, 0, 0}, refused,
                error_code::invalid_share_token, "share_token is less than its minimum");
  CHECK(findings_of(packet_of(aerogpu_cmd_release_shared_surface{})).empty());
  CHECK(findings_of(packet_of(aerogpu_cmd_destroy_resource{})).empty());
  CHECK(findings_of(packet_of(aerogpu_cmd_set_texture{})).empty());
}

TEST_CASE("sizes and counts keep their bounds", "[stream][validate]") {
  check_finding(aerogpu_cmd_create_buffer{{}, 1, 0, 0, 0, 0, 0}, refused, invalid,
                "size_bytes is less than its minimum");
  check_finding(aerogpu_cmd_create_buffer{{}, 1, 0, 6, 0, 0, 0}, refused, invalid,
                "size_bytes is not a multiple of its unit");
  check_finding(aerogpu_cmd_copy_buffer{{}, 1, 2, 2, 0, 4, 0, 0}, refused, invalid,
                "dst_offset_bytes is not a multiple of its unit");
  check_finding(aerogpu_cmd_create_texture2d{{}, 1, 0, 1, 1, 1, 0, 1, 0, 0, 0, 0}, refused, invalid,
                "mip_levels is less than its minimum");
  check_finding(aerogpu_cmd_create_texture2d{{}, 1, 0, 1, 1, 1, 1, 1, 0, 7, 0, 0}, refused, invalid,
                "row_pitch_bytes is 0 in a guest-backed texture");
  check_finding(aerogpu_cmd_set_render_targets{{}, 9, 0, {}}, refused, invalid,
                "color_count is more than its maximum");
  check_finding(aerogpu_cmd_create_shader_dxbc{{}, 1, 0, 0, 0}, refused, invalid,
                "dxbc_size_bytes is less than its minimum");
}

TEST_CASE("a run of slots or registers ends within 32 bits", "[stream][validate]") {
  const std::array<std::byte, 32> two{};
  const auto samplers = [&](std::uint32_t start) {
    return packet_of(aerogpu_cmd_set_samplers{{}, 0, start, 2, 0}, const_bytes{two}.first(8));
  };
  CHECK(findings_of(samplers(0xFFFFFFFD)).empty());
  CHECK(only_finding(samplers(0xFFFFFFFE)).why.code == invalid);
  const auto constants =
      packet_of(aerogpu_cmd_set_shader_constants_f{{}, 0, 0xFFFFFFFF, 2, 0}, two);
  CHECK(only_finding(constants).why.what ==
        std::string_view{"the last slot or register does not fit in 32 bits"});
}

TEST_CASE("stages are held to the letter of wire.md 8", "[stream][validate]") {
  const auto texture = [](std::uint32_t stage, std::uint32_t stage_ex) {
    return packet_of(aerogpu_cmd_set_texture{{}, stage, 0, 0, stage_ex});
  };
  CHECK(only_finding(texture(4, 0)).level == refused);
  CHECK(only_finding(texture(5, 0)).level == refused);
  CHECK(only_finding(texture(2, 1)).level == refused);
  CHECK(only_finding(texture(2, 6)).level == refused);
  CHECK(findings_of(texture(2, 3)).empty());
  CHECK(findings_of(texture(2, 2)).empty());
  // Taken, but never to be written.
  CHECK(only_finding(texture(2, 5)).level == noted);
  CHECK(only_finding(texture(0, 3)).level == noted);
  CHECK(only_finding(texture(2, 3), 2).level == noted);
  CHECK(only_finding(packet_of(aerogpu_cmd_dispatch{{}, 0, 0, 0, 1})).level == refused);
  CHECK(only_finding(packet_of(aerogpu_cmd_set_sampler_state{{}, 4, 0, 0, 0})).level == refused);
}

TEST_CASE("reserved words that are not 0 are warnings, in elements as well", "[stream][validate]") {
  check_finding(aerogpu_cmd_flush{{}, 0, 1}, noted, invalid, "reserved1 is reserved and not 0");
  aerogpu_cmd_set_blend_state blend{};
  blend.state.reserved0[2] = 1;
  check_finding(blend, noted, invalid, "reserved0 is reserved and not 0");
  const aerogpu_vertex_buffer_binding binding{1, 2, 3, 4};
  const auto buffers = packet_of(aerogpu_cmd_set_vertex_buffers{{}, 0, 1}, bytes_of(binding));
  CHECK(only_finding(buffers).why.what == std::string_view{"reserved0 is reserved and not 0"});
}

TEST_CASE("values that only look odd are warnings", "[stream][validate]") {
  aerogpu_cmd_set_depth_stencil_state depth{};
  depth.state.depth_enable = 2;
  check_finding(depth, noted, invalid, "depth_enable is neither 0 nor 1");
  check_finding(aerogpu_cmd_set_render_targets{{}, 1, 0, {5, 6}}, noted, invalid,
                "colors beyond color_count are not 0");
  const std::array<std::uint32_t, 4> lanes{1, 1, 0, 1};
  const auto booleans =
      packet_of(aerogpu_cmd_set_shader_constants_b{{}, 0, 0, 1, 0}, bytes_of(lanes));
  CHECK(only_finding(booleans).level == noted);
}

TEST_CASE("boolean registers of 4 bytes are a warning, and their fields are checked",
          "[stream][validate]") {
  const std::array<std::uint32_t, 3> words{1, 0, 1};
  const auto compact =
      packet_of(aerogpu_cmd_set_shader_constants_b{{}, 0, 0, 3, 0}, bytes_of(words));
  CHECK(only_finding(compact).level == noted);
  CHECK(only_finding(compact).why.what ==
        std::string_view{"the elements have the second form, which writers avoid"});
  const auto beyond =
      packet_of(aerogpu_cmd_set_shader_constants_b{{}, 0, 0xFFFFFFFE, 3, 0}, bytes_of(words));
  CHECK(findings_of(beyond).size() == 2);
  CHECK(findings_of(beyond)[1].level == severity::error);
  const auto staged =
      packet_of(aerogpu_cmd_set_shader_constants_b{{}, 9, 0, 3, 0}, bytes_of(words));
  CHECK(findings_of(staged).size() == 2);
}

TEST_CASE("packets and formats newer than the stream are warnings", "[stream][validate]") {
  check_finding(aerogpu_cmd_copy_buffer{{}, 1, 2, 0, 0, 4, 0, 0}, noted, error_code::unsupported,
                "the packet is newer than the stream's minor", 0);
  check_finding(aerogpu_cmd_destroy_texture_view{}, noted, error_code::unsupported,
                "the packet is newer than the stream's minor", 3);
  check_finding(aerogpu_cmd_create_texture2d{{}, 1, 0, 64, 4, 4, 1, 1, 0, 0, 0, 0}, noted,
                error_code::unsupported_format, "format is newer than the stream's minor", 1);
  CHECK(findings_of(packet_of(aerogpu_cmd_copy_buffer{{}, 1, 2, 0, 0, 4, 0, 0}), 1).empty());
}

TEST_CASE("packets that do nothing are not looked into", "[stream][validate]") {
  CHECK(findings_of(packet_of(aerogpu_cmd_upload_resource{})).empty());
  CHECK(findings_of(packet_of(aerogpu_cmd_copy_buffer{{}, 0, 0, 1, 1, 0, 7, 0})).empty());
  CHECK(findings_of(packet_of(aerogpu_cmd_copy_texture2d{})).empty());
  CHECK(findings_of(packet_of(aerogpu_cmd_set_index_buffer{{}, 0, 99, 0, 0})).empty());
  CHECK(only_finding(packet_of(aerogpu_cmd_set_index_buffer{{}, 0, 99, 0, 1})).level == noted);
}

TEST_CASE("a short blend state is checked with its defaults", "[stream][validate]") {
  byte_vector packet = blank_packet(AEROGPU_CMD_SET_BLEND_STATE, 28);
  CHECK(findings_of(packet).empty());
  store(packet.data() + 12, 9u);
  CHECK(findings_of(packet).size() == 2);  // The color factor, and the alpha factor that copies it.
}

TEST_CASE("forms of BIND_SHADERS that no writer makes are warnings", "[stream][validate]") {
  CHECK(only_finding(blank_packet(AEROGPU_CMD_BIND_SHADERS, 28)).level == noted);
  CHECK(only_finding(blank_packet(AEROGPU_CMD_BIND_SHADERS, 32)).level == noted);
  byte_vector extended = blank_packet(AEROGPU_CMD_BIND_SHADERS, 36);
  CHECK(findings_of(extended).empty());
  store(extended.data() + 20, 5u);
  CHECK(only_finding(extended).level == noted);
  store(extended.data() + 24, 5u);
  CHECK(findings_of(extended).empty());
}

TEST_CASE("input layout blobs are checked as at creation", "[stream][validate]") {
  const std::array<std::byte, 8> declaration{};
  const auto packet = packet_of(aerogpu_cmd_create_input_layout{{}, 1, 8, 0}, declaration);
  CHECK(only_finding(packet).why.what ==
        std::string_view{"the vertex declaration has no end marker"});
}

TEST_CASE("a framing error is the last finding", "[stream][validate]") {
  byte_vector packets = packet_of(aerogpu_cmd_flush{{}, 1, 1});
  append(packets, blank_packet(AEROGPU_CMD_DRAW, 12));
  append(packets, packet_of(aerogpu_cmd_flush{{}, 1, 1}));
  const auto all = findings_of(packets);
  REQUIRE(all.size() == 3);
  CHECK(all[2].why.code == error_code::framing);
  CHECK(all[2].why.offset == 40);
}

TEST_CASE("a copy of no texels is not judged any further", "[stream][validate]") {
  aerogpu_cmd_copy_texture2d copy{};
  copy.width = 1;
  CHECK(findings_of(packet_of(copy)).empty());
  copy = {};
  copy.height = 1;
  CHECK(findings_of(packet_of(copy)).empty());
  copy.width = 1;
  CHECK_FALSE(findings_of(packet_of(copy)).empty());
}

TEST_CASE("a finding has the value that breaks the rule and the limit that it breaks",
          "[stream][validate]") {
  struct row {
    byte_vector packet;
    std::uint64_t value, limit;
    std::uint32_t minor = AEROGPU_ABI_MINOR;
  };
  const auto texture = [](std::uint32_t stage, std::uint32_t stage_ex) {
    return packet_of(aerogpu_cmd_set_texture{{}, stage, 0, 0, stage_ex});
  };
  const std::array<std::uint32_t, 4> lanes{7, 7, 7, 7};
  const std::array<std::byte, 8> two{};
  aerogpu_cmd_set_depth_stencil_state depth{};
  depth.state.depth_enable = 2;
  byte_vector geometry = blank_packet(AEROGPU_CMD_BIND_SHADERS, 36);
  store(geometry.data() + 20, 5u);
  store(geometry.data() + 24, 6u);
  const row rows[] = {
      {packet_of(aerogpu_cmd_set_primitive_topology{{}, 65, 0}), 65, 0},
      {packet_of(aerogpu_cmd_create_buffer{{}, 1, 0x100, 4, 0, 0, 0}), 0x100, 0xFF},
      {packet_of(aerogpu_cmd_create_buffer{{}, 1, 0, 0, 0, 0, 0}), 0, 1},
      {packet_of(aerogpu_cmd_create_buffer{{}, 1, 0, 6, 0, 0, 0}), 6, 4},
      {packet_of(aerogpu_cmd_set_render_targets{{}, 9, 0, {}}), 9, 8},
      {packet_of(aerogpu_cmd_set_render_targets{{}, 1, 0, {5, 6}}), 6, 0},
      {packet_of(aerogpu_cmd_create_texture2d{{}, 1, 0, 1, 1, 1, 1, 1, 0, 7, 0, 0}), 0, 1},
      {packet_of(aerogpu_cmd_create_texture2d{{}, 1, 0, 64, 4, 4, 1, 1, 0, 0, 0, 0}), 64, 2, 1},
      {packet_of(aerogpu_cmd_copy_buffer{{}, 1, 2, 0, 0, 4, 0, 0}), 0, 1, 0},
      {packet_of(aerogpu_cmd_flush{{}, 0, 3}), 3, 0},
      {packet_of(depth), 2, 1},
      {packet_of(aerogpu_cmd_set_samplers{{}, 0, 0xFFFFFFFE, 2, 0}, two), 0xFFFFFFFE, 2},
      {packet_of(aerogpu_cmd_set_shader_constants_b{{}, 0, 0, 1, 0}, bytes_of(lanes)), 7, 1},
      {packet_of(aerogpu_cmd_set_shader_constants_b{{}, 0, 0, 2, 0}, two), 4, 16},
      {texture(4, 0), 4, 0},
      {texture(2, 6), 6, 0},
      {texture(0, 3), 3, 0},
      {texture(2, 3), 2, 3, 2},
      {texture(2, 5), 5, 0},
      {blank_packet(AEROGPU_CMD_BIND_SHADERS, 32), 32, 36},
      {geometry, 5, 6},
  };
  for (const row& r : rows) {
    const finding f = only_finding(r.packet, r.minor);
    INFO(f.why.what);
    CHECK(f.why.detail == r.value);
    CHECK(f.why.limit == r.limit);
  }
}

TEST_CASE("a boolean register is four equal words of 0 or 1", "[stream][validate]") {
  const auto findings = [](std::array<std::uint32_t, 4> lanes) {
    return findings_of(
        packet_of(aerogpu_cmd_set_shader_constants_b{{}, 0, 0, 1, 0}, bytes_of(lanes)));
  };
  CHECK(findings({0, 0, 0, 0}).empty());
  CHECK(findings({1, 1, 1, 1}).empty());
  for (std::size_t i = 0; i < 4; ++i) {
    std::array<std::uint32_t, 4> lanes{1, 1, 1, 1};
    lanes[i] = 0;
    CHECK(findings(lanes).size() == 1);
  }
  CHECK(findings({2, 2, 2, 2}).size() == 1);
}

TEST_CASE("an element has rules when any of its fields asks for a check", "[stream][validate]") {
  using words = field_vocabulary;
  const auto has_rules = [](const field_rule& rule) {
    const packet_field fields[] = {{"a", 0, 1, field_type::u32, {}},
                                   {"b", 4, 1, field_type::u32, rule}};
    return aerogpu::detail::has_rules(fields);
  };
  CHECK(has_rules(words::written_as_zero));
  CHECK(has_rules(words::zero_or_one));
  CHECK(has_rules(words::flags_of(value_set::clear_flags)));
  CHECK(has_rules(words::one_of(value_set::format)));
  CHECK(has_rules(words::at_least(1)));
  CHECK(has_rules(words::word_multiple));
  CHECK_FALSE(has_rules({}));
  CHECK_FALSE(has_rules(words::foreign_bits));
  CHECK_FALSE(has_rules(words::binds(handle_space::resource)));
  CHECK_FALSE(aerogpu::detail::has_rules({}));
}

TEST_CASE("what is below its minimum is refused by what it is", "[stream][validate]") {
  using aerogpu::detail::minimum_breach_code;
  CHECK(minimum_breach_code(field_role::handle) == error_code::invalid_handle);
  CHECK(minimum_breach_code(field_role::share_token) == error_code::invalid_share_token);
  CHECK(minimum_breach_code(field_role::count) == invalid);
}
