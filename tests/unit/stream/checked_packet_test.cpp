// SPDX-License-Identifier: MIT
#include "aerogpu/stream/checked_packet.hpp"

#include "tests/unit/stream/streams.hpp"

#include <string_view>
#include <type_traits>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

constexpr auto bad_value = error_code::invalid_parameter;

/// What the check said of a packet, and the stage that it handed on.
struct verdict {
  error why;
  shader_stage stage{};
};

template <wire_packet P>
auto check(const P& fields, const_bytes payload = {}, std::uint32_t minor = AEROGPU_ABI_MINOR)
    -> verdict {
  const byte_vector stream = stream_of(packet_of(fields, payload), minor);
  const packet<P> from = only_packet<P>(stream);
  CHECK_FALSE(is_no_op(from));
  verdict out;
  bool is_taken = false;
  const auto code = checked_packet<P>::check(
      from, minor,
      [&](const checked_packet<P>& checked) {
        is_taken = true;
        CHECK(checked.bytes().data() == from.bytes().data());
        CHECK(checked.offset() == from.offset());
        if constexpr (requires { checked.stage(); }) out.stage = checked.stage();
        return error_code::none;
      },
      [&](const error& why) {
        out.why = why;
        return why.code;
      });
  CHECK(code == out.why.code);
  CHECK(is_taken == (code == error_code::none));
  return out;
}

template <wire_packet P>
auto checked_stage(const P& fields, std::uint32_t minor = AEROGPU_ABI_MINOR) -> shader_stage {
  const verdict found = check(fields, {}, minor);
  REQUIRE(found.why.code == error_code::none);
  return found.stage;
}

template <wire_packet P>
void check_refusal(const P& fields, error_code code, std::string_view what, std::uint64_t detail,
                   std::uint64_t limit, const_bytes payload = {}) {
  INFO(what);
  const error why = check(fields, payload).why;
  CHECK(why.code == code);
  CHECK(std::string_view{why.what} == what);
  CHECK(why.detail == detail);
  CHECK(why.limit == limit);
}

template <wire_packet P>
auto passes(const P& fields, const_bytes payload = {}) -> bool {
  return check(fields, payload).why.code == error_code::none;
}

template <wire_packet P>
auto does_nothing(const P& fields, const_bytes payload = {}) -> bool {
  const byte_vector stream = stream_of(packet_of(fields, payload));
  return is_no_op(only_packet<P>(stream));
}

/// A run of `count` elements of which each is `size` zero bytes.
auto zeros(std::size_t count, std::size_t size) -> byte_vector {
  return byte_vector(count * size);
}

template <class P>
constexpr bool can_be_made = std::is_constructible_v<checked_packet<P>, packet<P>> ||
                             std::is_constructible_v<checked_packet<P>, packet<P>, shader_stage> ||
                             std::is_default_constructible_v<checked_packet<P>>;
static_assert(!can_be_made<nop_packet> && !can_be_made<aerogpu_cmd_set_texture>);

}  // namespace

TEST_CASE("a handle to create that is zero is refused by its name", "[stream][checked_packet]") {
  constexpr auto code = error_code::invalid_handle;
  check_refusal(aerogpu_cmd_create_buffer{}, code, "buffer_handle is zero", 0, 0);
  check_refusal(aerogpu_cmd_create_texture2d{}, code, "texture_handle is zero", 0, 0);
  check_refusal(aerogpu_cmd_create_texture_view{}, code, "view_handle is zero", 0, 0);
  check_refusal(aerogpu_cmd_create_shader_dxbc{}, code, "shader_handle is zero", 0, 0);
  check_refusal(aerogpu_cmd_create_input_layout{}, code, "handle is zero", 0, 0);
  check_refusal(aerogpu_cmd_create_sampler{{}, 0, 9, 9, 9, 9}, code, "sampler_handle is zero", 0,
                0);
}

TEST_CASE("values outside their set are refused in the order of rows", "[stream][checked_packet]") {
  check_refusal(aerogpu_cmd_create_sampler{{}, 1, 2, 3, 0, 0}, bad_value, "filter is unknown", 2,
                0);
  check_refusal(aerogpu_cmd_create_sampler{{}, 1, 1, 3, 4, 0}, bad_value,
                "an address mode is unknown", 3, 0);
  check_refusal(aerogpu_cmd_create_sampler{{}, 1, 1, 2, 2, 5}, bad_value,
                "an address mode is unknown", 5, 0);
  check_refusal(aerogpu_cmd_set_primitive_topology{{}, 65, 0}, bad_value, "topology is unknown", 65,
                0);
  check_refusal(aerogpu_cmd_set_index_buffer{{}, 1, 2, 0, 0}, bad_value, "index format is unknown",
                2, 0);
  aerogpu_cmd_copy_buffer copy{};
  copy.size_bytes = 4;
  copy.flags = 3;
  check_refusal(copy, bad_value, "copy flags are unknown", 3, 0);
  aerogpu_cmd_copy_texture2d copy_texture{};
  copy_texture.width = copy_texture.height = 1;
  copy_texture.flags = 2;
  check_refusal(copy_texture, bad_value, "copy flags are unknown", 2, 0);
}

TEST_CASE("an index buffer that unbinds may have any format", "[stream][checked_packet]") {
  CHECK(passes(aerogpu_cmd_set_index_buffer{{}, 0, 99, 0, 0}));
  CHECK(passes(aerogpu_cmd_set_index_buffer{{}, 1, 1, 0, 0}));
}

TEST_CASE("counts are held to their limits", "[stream][checked_packet]") {
  aerogpu_cmd_create_shader_dxbc shader{};
  shader.shader_handle = 1;
  shader.stage = 77;  // Another error comes before it.
  check_refusal(shader, bad_value, "dxbc_size_bytes is zero", 0, 0);
  aerogpu_cmd_set_render_targets targets{};
  targets.color_count = 9;
  check_refusal(targets, bad_value, "color_count exceeds its limit", 9, 8);
  targets.color_count = 8;
  CHECK(passes(targets));
}

TEST_CASE("a run of slots stays in its table, without wrapping", "[stream][checked_packet]") {
  constexpr auto what = "slots exceed the table";
  CHECK(passes(aerogpu_cmd_set_texture{{}, 0, 127, 0, 0}));
  check_refusal(aerogpu_cmd_set_texture{{}, 0, 128, 0, 0}, bad_value, what, 128, 128);
  check_refusal(aerogpu_cmd_set_texture{{}, 0, 0xFFFFFFFF, 0, 0}, bad_value, what, 0xFFFFFFFF, 128);
  CHECK(passes(aerogpu_cmd_set_samplers{{}, 0, 15, 1, 0}, zeros(1, 4)));
  CHECK(passes(aerogpu_cmd_set_samplers{{}, 0, 16, 0, 0}));
  check_refusal(aerogpu_cmd_set_samplers{{}, 0, 16, 1, 0}, bad_value, what, 16, 16, zeros(1, 4));
  check_refusal(aerogpu_cmd_set_samplers{{}, 0, 0xFFFFFFFF, 2, 0}, bad_value, what, 0xFFFFFFFF, 16,
                zeros(2, 4));
  check_refusal(aerogpu_cmd_set_vertex_buffers{{}, 31, 2}, bad_value, what, 31, 32, zeros(2, 16));
  check_refusal(aerogpu_cmd_set_constant_buffers{{}, 0, 13, 2, 0}, bad_value, what, 13, 14,
                zeros(2, 16));
  check_refusal(aerogpu_cmd_set_shader_resource_buffers{{}, 0, 127, 2, 0}, bad_value, what, 127,
                128, zeros(2, 16));
  check_refusal(aerogpu_cmd_set_unordered_access_buffers{{}, 2, 7, 2, 0}, bad_value, what, 7, 8,
                zeros(2, 16));
}

TEST_CASE("constant registers stay in their file", "[stream][checked_packet]") {
  constexpr auto what = "constant registers exceed the register file";
  CHECK(passes(aerogpu_cmd_set_shader_constants_f{{}, 0, 4095, 1, 0}, zeros(1, 16)));
  check_refusal(aerogpu_cmd_set_shader_constants_f{{}, 0, 4096, 1, 0}, bad_value, what, 4096, 4096,
                zeros(1, 16));
  check_refusal(aerogpu_cmd_set_shader_constants_i{{}, 0, 255, 2, 0}, bad_value, what, 255, 256,
                zeros(2, 16));
  check_refusal(aerogpu_cmd_set_shader_constants_b{{}, 0, 257, 1, 0}, bad_value, what, 257, 256,
                zeros(1, 16));
}

TEST_CASE("the stage is checked before fields, and handed on", "[stream][checked_packet]") {
  CHECK(checked_stage(aerogpu_cmd_set_texture{{}, 1, 0, 0, 0}) == shader_stage::pixel);
  CHECK(checked_stage(aerogpu_cmd_set_texture{{}, 2, 0, 0, 3}) == shader_stage::hull);
  CHECK(checked_stage(aerogpu_cmd_set_texture{{}, 2, 0, 0, 3}, 2) == shader_stage::compute);
  CHECK(checked_stage(aerogpu_cmd_dispatch{{}, 1, 1, 1, 4}) == shader_stage::domain);
  check_refusal(aerogpu_cmd_set_texture{{}, 6, 128, 0, 0}, bad_value, "shader stage is unknown", 6,
                0);
  check_refusal(aerogpu_cmd_dispatch{{}, 1, 1, 1, 9}, bad_value, "stage_ex is unknown", 9, 0);
}

TEST_CASE("packets for some stages refuse the others", "[stream][checked_packet]") {
  constexpr auto constants = "only vertex and pixel stages have int and bool constants";
  constexpr auto views = "the stage has no unordered access slots";
  for (std::uint32_t stage = 0; stage < shader_stage_count; ++stage) {
    CAPTURE(stage);
    const auto four = zeros(1, 16);
    const aerogpu_cmd_set_shader_constants_i ints{{}, stage, 0, 1, 0};
    const aerogpu_cmd_set_shader_constants_b bools{{}, stage, 0, 1, 0};
    const aerogpu_cmd_set_unordered_access_buffers buffers{{}, stage, 0, 1, 0};
    if (stage <= 1) {
      CHECK(passes(ints, four));
      CHECK(passes(bools, four));
      check_refusal(buffers, bad_value, views, stage, 0, four);
    } else {
      check_refusal(ints, bad_value, constants, stage, 0, four);
      check_refusal(bools, bad_value, constants, stage, 0, four);
      CHECK(passes(buffers, four));
    }
  }
}

TEST_CASE("a packet of nothing is known before its other fields", "[stream][checked_packet]") {
  CHECK(does_nothing(aerogpu_cmd_upload_resource{}));
  CHECK(does_nothing(aerogpu_cmd_set_shader_constants_f{{}, 77, 0xFFFFFFFF, 0, 0}));
  CHECK(does_nothing(aerogpu_cmd_set_shader_constants_i{{}, 77, 0xFFFFFFFF, 0, 0}));
  CHECK(does_nothing(aerogpu_cmd_set_shader_constants_b{{}, 77, 0xFFFFFFFF, 0, 0}));
  aerogpu_cmd_copy_texture2d copy{};
  copy.flags = 0xFFFFFFFF;
  copy.width = 1;
  CHECK(does_nothing(copy));
  copy.height = 1;
  CHECK_FALSE(does_nothing(copy));
  CHECK(does_nothing(aerogpu_cmd_draw{{}, 3, 0, 0, 0}));
  CHECK(does_nothing(aerogpu_cmd_draw{{}, 0, 1, 0, 0}));
  CHECK_FALSE(does_nothing(aerogpu_cmd_draw{{}, 3, 1, 0, 0}));
  CHECK(does_nothing(aerogpu_cmd_draw_indexed{{}, 3, 0, 0, 0, 0}));
  CHECK_FALSE(does_nothing(aerogpu_cmd_dispatch{{}, 0, 0, 0, 0}));  // Its stage is checked first.
  CHECK_FALSE(does_nothing(aerogpu_cmd_set_index_buffer{}));        // It unbinds.
}
