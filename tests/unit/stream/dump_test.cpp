// SPDX-License-Identifier: MIT
#include "aerogpu/stream/dump.hpp"

#include "tests/data/golden_vectors.hpp"
#include "tests/unit/stream/streams.hpp"

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

auto text_of(const_bytes packets, const dump_options& options = {},
             std::uint32_t minor = AEROGPU_ABI_MINOR) -> std::string {
  const byte_vector bytes = stream_of(packets, minor);
  string_sink sink;
  (void)dump_text(sink, view_of(bytes), options);
  return sink.text;
}

auto json_of(const_bytes packets, const dump_options& options = {}) -> std::string {
  const byte_vector bytes = stream_of(packets);
  string_sink sink;
  (void)dump_json(sink, view_of(bytes), options);
  return sink.text;
}

auto golden_text(std::string_view name) -> std::string {
  return text_of(bytes_from_hex(golden(name).hex));
}

auto contains(const std::string& text, std::string_view part) -> bool {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the golden frame as text, one packet a line", "[stream][dump]") {
  const byte_vector bytes = bytes_from_hex(golden("small_frame").hex);
  string_sink sink;
  CHECK(dump_text(sink, view_of(bytes)).code == error_code::none);
  CHECK(sink.text ==
        R"(0x00000018 CREATE_BUFFER buffer_handle=1 usage_flags=VERTEX_BUFFER size_bytes=36 )"
        R"(backing_alloc_id=0 backing_offset_bytes=0
0x00000040 UPLOAD_RESOURCE resource_handle=1 offset_bytes=0 size_bytes=36 data=36 bytes: )"
        R"(00 00 80 bf 00 00 80 bf 00 00 00 00 00 00 40 40 00 00 80 bf 00 00 00 00 )"
        R"(00 00 80 bf 00 00 40 40 00 00 00 00
0x00000084 CREATE_TEXTURE2D texture_handle=2 usage_flags=RENDER_TARGET|SCANOUT )"
        R"(format=B8G8R8X8_UNORM width=64 height=64 mip_levels=1 array_layers=1 )"
        R"(row_pitch_bytes=256 backing_alloc_id=7 backing_offset_bytes=0
0x000000bc SET_RENDER_TARGETS color_count=1 depth_stencil=0 colors=[2 0 0 0 0 0 0 0]
0x000000ec SET_VIEWPORT x_f32=0 y_f32=0 width_f32=64 height_f32=64 min_depth_f32=0 max_depth_f32=1
0x0000010c CLEAR flags=COLOR color_rgba_f32=[1 0 0 1] depth_f32=1 stencil=0
0x00000130 SET_VERTEX_BUFFERS start_slot=0 buffer_count=1 )"
        R"(elements=[{buffer=1 stride_bytes=12 offset_bytes=0}]
0x00000150 SET_PRIMITIVE_TOPOLOGY topology=TRIANGLELIST
0x00000160 DRAW vertex_count=3 instance_count=1 first_vertex=0 first_instance=0
0x00000178 PRESENT scanout_id=0 flags=VSYNC
)");
}

TEST_CASE("stages show their words and what they mean in this stream", "[stream][dump]") {
  CHECK(contains(golden_text("set_texture_domain_stage_ex"),
                 "shader_stage=COMPUTE slot=0 texture=32 stage_ex=DOMAIN effective_stage=domain"));
  const auto hull = packet_of(aerogpu_cmd_set_texture{{}, 2, 0, 1, 3});
  CHECK(contains(text_of(hull, {}, 2), "effective_stage=compute"));
  const auto bad = packet_of(aerogpu_cmd_dispatch{{}, 1, 1, 1, 6});
  CHECK(contains(text_of(bad), "stage_ex=6 effective_stage=invalid"));
}

TEST_CASE("BIND_SHADERS shows what it binds, whatever its form", "[stream][dump]") {
  CHECK(contains(golden_text("bind_shaders_base_gs_in_reserved0"),
                 "BIND_SHADERS vs=48 ps=49 cs=0 gs=50 hs=0 ds=0"));
  CHECK(contains(golden_text("bind_shaders_extended"), "vs=48 ps=49 cs=0 gs=50 hs=51 ds=52"));
}

TEST_CASE("a short blend state shows its defaults", "[stream][dump]") {
  const std::string text = text_of(blank_packet(AEROGPU_CMD_SET_BLEND_STATE, 28));
  CHECK(contains(text, "blend_constant_rgba_f32=[1 1 1 1] sample_mask=0xffffffff"));
}

TEST_CASE("signed numbers, floats and masks print as what they are", "[stream][dump]") {
  CHECK(contains(golden_text("draw_indexed"), "base_vertex=-8"));
  CHECK(contains(golden_text("set_shader_constants_f"), "elements=[[1 0 0 0] [0.5 -2 0.25 1]]"));
  CHECK(contains(golden_text("set_shader_constants_i"), "elements=[[3 0 -1 0]]"));
  CHECK(contains(golden_text("set_samplers_three"), "elements=[80 0 81]"));
  CHECK(contains(golden_text("export_shared_surface"), "share_token=0x1122334455667788"));
}

TEST_CASE("values without a name print as numbers", "[stream][dump]") {
  CHECK(contains(text_of(packet_of(aerogpu_cmd_set_primitive_topology{{}, 99, 0})), "topology=99"));
  CHECK(contains(text_of(packet_of(aerogpu_cmd_present{{}, 0, 0x81})), "flags=VSYNC|0x80"));
  CHECK(contains(text_of(packet_of(aerogpu_cmd_present{{}, 0, 0})), "flags=0"));
  CHECK(contains(text_of(packet_of(aerogpu_cmd_flush{{}, 5, 0})), "FLUSH reserved0=5\n"));
}

TEST_CASE("markers and unknown packets show their bytes", "[stream][dump]") {
  const std::string_view marker = "a\"b\\\n\x7F\xC3\xA4";
  CHECK(contains(text_of(packet_of(debug_marker_packet{}, std::as_bytes(std::span{marker}))),
                 R"(DEBUG_MARKER text="a\"b\\\x0a\x7f\xc3\xa4")"));
  byte_vector unknown = blank_packet(0x7FFF0001, 12);
  unknown[8] = std::byte{0xEF};
  CHECK(text_of(unknown) == "0x00000018 UNKNOWN_0x7fff0001 data=4 bytes: ef 00 00 00\n");
}

TEST_CASE("input layouts are told by elements, or by bytes when they are broken",
          "[stream][dump]") {
  CHECK(contains(golden_text("create_input_layout_ilay"),
                 "ilay=[{semantic_name_hash=0x7808e88a semantic_index=0 dxgi_format=6 "));
  CHECK(contains(golden_text("create_input_layout_d3d9_decl"),
                 "d3d9_declaration=[{stream=0 offset_bytes=0 type=2 method=0 usage=0 "));
  const std::array<std::byte, 4> broken{std::byte{1}};
  CHECK(contains(text_of(packet_of(aerogpu_cmd_create_input_layout{{}, 1, 4, 0}, broken)),
                 "blob=4 bytes: 01 00 00 00"));
}

TEST_CASE("long payloads are cut where the options say, and their size is told", "[stream][dump]") {
  const byte_vector data(100, std::byte{0xAB});
  const auto upload = packet_of(aerogpu_cmd_upload_resource{{}, 1, 0, 0, 100}, data);
  CHECK(contains(text_of(upload, {.payload_bytes = 2, .payload_elements = 1}),
                 "data=100 bytes: ab ab ...\n"));
  const byte_vector handles(12);
  const auto samplers = packet_of(aerogpu_cmd_set_samplers{{}, 0, 0, 3, 0}, handles);
  const dump_options one{.payload_bytes = 2, .payload_elements = 1};
  CHECK(contains(text_of(samplers, one), "elements=[0 ... 2 more]"));
  CHECK(contains(json_of(samplers, one), R"("elements":[0,{"omitted":2}])"));
}

TEST_CASE("a malformed packet ends the text with a line that says why", "[stream][dump]") {
  byte_vector packets = packet_of(aerogpu_cmd_flush{});
  append(packets, blank_packet(AEROGPU_CMD_DRAW, 12));
  CHECK(text_of(packets) ==
        "0x00000018 FLUSH\n"
        "Draw at 0x28: size_bytes is less than the packet's minimum (12, limit 24)\n");
}

TEST_CASE("a stream as JSON", "[stream][dump]") {
  byte_vector packets = packet_of(aerogpu_cmd_clear{{}, 9, {0x7FC00000, 0xFF800000, 0, 0}, 0, 1});
  append(packets, packet_of(aerogpu_cmd_set_texture{{}, 2, 0, 1, 3}));
  append(packets, blank_packet(0x99, 8));
  CHECK(json_of(packets) ==
        R"({"abi_version":65540,"size_bytes":92,"packets":[
{"offset":24,"opcode":1536,"packet":"CLEAR","packet_size_bytes":36,"fields":{"flags":["COLOR",8],)"
        R"("color_rgba_f32":["nan","-inf",0,0],"depth_f32":0,"stencil":1}},
{"offset":60,"opcode":1296,"packet":"SET_TEXTURE","packet_size_bytes":24,"fields":{)"
        R"("shader_stage":"COMPUTE","slot":0,"texture":1,"stage_ex":"HULL",)"
        R"("effective_stage":"hull"}},
{"offset":84,"opcode":153,"packet":"UNKNOWN","packet_size_bytes":8,"fields":{)"
        R"("data":{"size_bytes":0,"hex":""}}}],"error":null}
)");
}

TEST_CASE("text in JSON is always UTF-8", "[stream][dump]") {
  const std::string_view marker =
      "\"\\\x01\xC3\xA4\xFF\xE2\x82\xC0\x80\xF0\x9F\x98\x80\xED\xA0\x80";
  const auto packet = packet_of(debug_marker_packet{}, std::as_bytes(std::span{marker}));
  CHECK(contains(json_of(packet),
                 "\"text\":\"\\\"\\\\\\u0001\xC3\xA4\\ufffd\\ufffd\\ufffd\\ufffd"
                 "\\ufffd\xF0\x9F\x98\x80\\ufffd\\ufffd\\ufffd\""));
}

TEST_CASE("an error ends the JSON list and is told", "[stream][dump]") {
  const std::string json = json_of(blank_packet(AEROGPU_CMD_DRAW, 12));
  CHECK(json == R"({"abi_version":65540,"size_bytes":36,"packets":[],"error":{"kind":"Framing",)"
                R"("opcode":1537,"offset":24,"detail":12,"limit":24,)"
                R"("what":"size_bytes is less than the packet's minimum"}})"
                "\n");
}

TEST_CASE("states of Direct3D 9 and their values go by name", "[stream][dump]") {
  const auto render = [](std::uint32_t state, std::uint32_t value) {
    return text_of(packet_of(aerogpu_cmd_set_render_state{{}, state, value}));
  };
  CHECK(render(22, 3) == "0x00000018 SET_RENDER_STATE state=CULLMODE value=CCW\n");
  CHECK(contains(render(22, 9), " state=CULLMODE value=0x9\n"));
  CHECK(contains(render(24, 200), " state=ALPHAREF value=200\n"));
  CHECK(contains(render(36, 0x3F000000), " state=FOGSTART value=0.5\n"));
  CHECK(contains(render(139, 0xFF102030), " state=AMBIENT value=0xff102030\n"));
  CHECK(contains(render(168, 0x15), " state=COLORWRITEENABLE value=RED|BLUE|0x10\n"));
  CHECK(contains(render(5000, 17), " state=5000 value=0x11\n"));
  CHECK(text_of(packet_of(aerogpu_cmd_set_sampler_state{{}, 1, 2, 1, 3})) ==
        "0x00000018 SET_SAMPLER_STATE shader_stage=PIXEL slot=2 state=ADDRESSU value=CLAMP\n");
}

TEST_CASE("a reserved word shows when it is not zero, in any of its bytes", "[stream][dump]") {
  const auto text = [](std::uint32_t word) {
    return text_of(packet_of(aerogpu_cmd_destroy_shader{{}, 7, word}));
  };
  CHECK(text(0) == "0x00000018 DESTROY_SHADER shader_handle=7\n");
  CHECK(contains(text(1), " shader_handle=7 reserved0=1\n"));
  CHECK(contains(text(1u << 24), " shader_handle=7 reserved0=16777216\n"));
}

TEST_CASE("payloads of exactly the limit are not cut", "[stream][dump]") {
  const byte_vector data(2, std::byte{0xAB});
  const dump_options two{.payload_bytes = 2, .payload_elements = 2};
  CHECK(contains(text_of(packet_of(aerogpu_cmd_upload_resource{{}, 1, 0, 0, 2}, data), two),
                 "data=2 bytes: ab ab\n"));
  const byte_vector handles(8);
  CHECK(contains(text_of(packet_of(aerogpu_cmd_set_samplers{{}, 0, 0, 2, 0}, handles), two),
                 "elements=[0 0]\n"));
  const std::array<std::uint32_t, 2> words{1, 0};
  CHECK(contains(
      text_of(packet_of(aerogpu_cmd_set_shader_constants_b{{}, 1, 2, 2, 0}, bytes_of(words)), two),
      "elements=[1 0]\n"));
}

TEST_CASE("boolean registers show four words each, or the one that they have", "[stream][dump]") {
  const std::array<std::uint32_t, 4> words{1, 0, 0, 1};
  const auto text = [&](std::uint32_t count) {
    return text_of(
        packet_of(aerogpu_cmd_set_shader_constants_b{{}, 1, 2, count, 0}, bytes_of(words)));
  };
  CHECK(contains(text(1), "bool_count=1"));
  CHECK(contains(text(1), "elements=[[1 0 0 1]]"));
  CHECK(contains(text(4), "elements=[1 0 0 1]"));
  CHECK(contains(
      json_of(packet_of(aerogpu_cmd_set_shader_constants_b{{}, 1, 2, 4, 0}, bytes_of(words))),
      "\"elements\""));
  const auto cut =
      text_of(packet_of(aerogpu_cmd_set_shader_constants_b{{}, 1, 2, 4, 0}, bytes_of(words)),
              dump_options{.payload_elements = 3});
  CHECK(contains(cut, "elements=[1 0 0 ... 1 more]"));
}
