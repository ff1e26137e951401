// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/draw/process_vertices.hpp"

#include "drivers/win7/umd/d3d9/state/setters.hpp"
#include "drivers/win7/umd/d3d9/state/targets.hpp"
#include "tests/drivers/umd/resource/resource_rig.hpp"

#include <span>
#include <vector>

namespace aerogpu::umd::test {

namespace {

constexpr std::uint32_t white = 0xFFFFFFFF;
constexpr std::uint32_t kept = 0xCCCCCCCC;  ///< What destinations are filled with before.

constexpr D3DVERTEXELEMENT9 xyz{0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0};
constexpr D3DVERTEXELEMENT9 xyzw{0, 0, D3DDECLTYPE_FLOAT4, 0, D3DDECLUSAGE_POSITION, 0};
constexpr D3DVERTEXELEMENT9 xyzrhw{0, 0, D3DDECLTYPE_FLOAT4, 0, D3DDECLUSAGE_POSITIONT, 0};
[[nodiscard]] constexpr auto diffuse_at(WORD offset) -> D3DVERTEXELEMENT9 {
  return {0, offset, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 0};
}
[[nodiscard]] constexpr auto texcoord_at(WORD offset, int floats, int usage = D3DDECLUSAGE_TEXCOORD)
    -> D3DVERTEXELEMENT9 {
  return {
      0, offset, static_cast<BYTE>(D3DDECLTYPE_FLOAT1 + floats - 1), 0, static_cast<BYTE>(usage),
      0};
}

/// Words of memory: floats and colours.
class words {
 public:
  words() = default;
  template <class... Values>
  explicit words(Values... values) {
    (add(values), ...);
  }
  void add(double value) { add(std::bit_cast<std::uint32_t>(static_cast<float>(value))); }
  void add(std::uint32_t value) { all.push_back(value); }
  [[nodiscard]] auto bytes() const -> byte_vector {
    const const_bytes from = std::as_bytes(std::span{all});
    return {from.begin(), from.end()};
  }
  std::vector<std::uint32_t> all;
};

/// A device with a viewport of 64 by 32 at (0, 0) and no shaders. Its matrices are identity: what
/// is at (0, 0) is in the middle.
struct vertices_rig : device_rig {
  vertices_rig() {
    make_texture(*this, target);
    REQUIRE(set_render_target(device, 0, {&target, 0}) == S_OK);
  }
  ~vertices_rig() { unbind_resource(device, target); }

  auto buffer(const byte_vector& bytes) -> resource& {
    resource& made = test::make(*this, buffer_of(bytes.size()));
    write_all(*this, made, bytes);
    return made;
  }
  void source(const words& bytes, std::uint32_t stride, std::uint32_t offset = 0) {
    REQUIRE(set_stream(device, 0, {&buffer(bytes.bytes()), offset, stride}) == S_OK);
  }
  void read_as(const test_declaration& declaration) {
    REQUIRE(set_declaration(device, declaration.get()) == S_OK);
  }
  void empty_destination(std::size_t word_count) {
    words filled;
    for (std::size_t i = 0; i < word_count; ++i) filled.add(kept);
    to = &buffer(filled.bytes());
  }
  /// What the CPU and the host have, which is one.
  [[nodiscard]] auto contents() -> std::vector<std::uint32_t> {
    const byte_vector on_host = host_bytes(*this, *to);
    if (to->contents == residence::shadow) {
      CHECK(on_host == byte_vector(to->shadow.begin(), to->shadow.end()));
    }
    std::vector<std::uint32_t> all;
    for (std::size_t i = 0; i < on_host.size(); i += 4) {
      all.push_back(load<std::uint32_t>(on_host.data() + i));
    }
    return all;
  }
  auto process(const test_declaration* declaration, process_vertices_request request) -> HRESULT {
    request.destination = to;
    if (declaration != nullptr) request.declaration = declaration->get();
    return process_vertices(device, request);
  }

  resource target;
  resource* to = nullptr;
};

/// One vertex through one pair of declarations.
struct processed_row {
  const char* name;
  std::vector<D3DVERTEXELEMENT9> from, to;
  words source;
  std::uint32_t source_stride;
  std::uint32_t flags;
  words expected;
};

}  // namespace

TEST_CASE("vertices are processed word by word as the table says", "[umd][T199][G28]") {
  // The viewport is 64 by 32, so that clip (0, 0) is pixel (31.5, 15.5).
  const std::vector<processed_row> rows{
      {"xyz", {xyz}, {xyzrhw}, words{0.0, 0.0, 0.25}, 12, 0, words{31.5, 15.5, 0.25, 1.0}},
      {"xyzw", {xyzw}, {xyzrhw}, words{1.0, 1.0, 1.0, 2.0}, 16, 0, words{47.5, 7.5, 0.5, 0.5}},
      {"w 0 counts as 1",
       {xyzw},
       {xyzrhw},
       words{1.0, -1.0, 0.5, 0.0},
       16,
       0,
       words{63.5, 31.5, 0.5, 1.0}},
      {"xyzrhw passes through",
       {xyzrhw},
       {xyzrhw},
       words{7.0, 9.0, 0.5, 3.0},
       16,
       0,
       words{7.0, 9.0, 0.5, 3.0}},
      {"diffuse",
       {xyz, diffuse_at(12)},
       {xyzrhw, diffuse_at(16)},
       words{0.0, 0.0, 0.0, 0x11223344u},
       16,
       0,
       words{31.5, 15.5, 0.0, 1.0, 0x11223344u}},
      {"missing diffuse is white",
       {xyz},
       {xyzrhw, diffuse_at(16)},
       words{0.0, 0.0, 0.0},
       12,
       0,
       words{31.5, 15.5, 0.0, 1.0, white}},
      {"missing diffuse is white in floats",
       {xyz},
       {xyzrhw, {0, 16, D3DDECLTYPE_FLOAT4, 0, D3DDECLUSAGE_COLOR, 0}},
       words{0.0, 0.0, 0.0},
       12,
       0,
       words{31.5, 15.5, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0}},
      {"diffuse that the destination does not have",
       {xyz, diffuse_at(12)},
       {xyzrhw},
       words{0.0, 0.0, 0.0, 0x11223344u},
       16,
       0,
       words{31.5, 15.5, 0.0, 1.0}},
      {"texture coordinates",
       {xyzrhw, diffuse_at(16), texcoord_at(20, 2)},
       {xyzrhw, diffuse_at(16), texcoord_at(20, 2)},
       words{1.0, 2.0, 0.0, 1.0, 0x01020304u, 0.25, 0.75},
       28,
       0,
       words{1.0, 2.0, 0.0, 1.0, 0x01020304u, 0.25, 0.75}},
      {"more of them than the source has",
       {xyz, texcoord_at(12, 1)},
       {xyzrhw, texcoord_at(16, 4)},
       words{0.0, 0.0, 0.0, 0.5},
       16,
       0,
       words{31.5, 15.5, 0.0, 1.0, 0.5, 0.0, 0.0, 0.0}},
      {"fewer of them",
       {xyz, texcoord_at(12, 4)},
       {xyzrhw, texcoord_at(16, 3)},
       words{0.0, 0.0, 0.0, 0.1, 0.2, 0.3, 0.4},
       28,
       0,
       words{31.5, 15.5, 0.0, 1.0, 0.1, 0.2, 0.3}},
      {"texture coordinates that the source does not have are 0",
       {xyz},
       {xyzrhw, texcoord_at(16, 2)},
       words{0.0, 0.0, 0.0},
       12,
       0,
       words{31.5, 15.5, 0.0, 1.0, 0.0, 0.0}},
      {"usage 0 beside the position is a texture coordinate",
       {xyz, texcoord_at(12, 2, D3DDECLUSAGE_POSITION)},
       {xyzrhw, texcoord_at(16, 2, D3DDECLUSAGE_POSITION)},
       words{0.0, 0.0, 0.0, 0.5, 0.25},
       20,
       0,
       words{31.5, 15.5, 0.0, 1.0, 0.5, 0.25}},
      {"and of another declaration's usage 5",
       {xyz, texcoord_at(12, 2)},
       {texcoord_at(16, 2, D3DDECLUSAGE_POSITION), xyzrhw},
       words{0.0, 0.0, 0.0, 0.5, 0.25},
       20,
       0,
       words{31.5, 15.5, 0.0, 1.0, 0.5, 0.25}},
      {"elements in another order, with a gap",
       {{0, 8, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0}, diffuse_at(0)},
       {{0, 12, D3DDECLTYPE_FLOAT4, 0, D3DDECLUSAGE_POSITIONT, 0}, diffuse_at(4)},
       words{0xAABBCCDDu, 99.0, 0.0, 0.0, 0.0},
       20,
       0,
       words{0u, 0xAABBCCDDu, 0u, 31.5, 15.5, 0.0, 1.0}},
      {"DONOTCOPYDATA",
       {xyz, diffuse_at(12)},
       {{0, 4, D3DDECLTYPE_FLOAT4, 0, D3DDECLUSAGE_POSITIONT, 0},
        diffuse_at(0),
        texcoord_at(20, 1)},
       words{0.0, 0.0, 0.0, 0x11223344u},
       16,
       D3DPV_DONOTCOPYDATA,
       words{kept, 31.5, 15.5, 0.0, 1.0, kept}},
      {"elements of other streams do not count",
       {xyz, diffuse_at(12), {1, 0, D3DDECLTYPE_FLOAT2, 0, D3DDECLUSAGE_TEXCOORD, 0}},
       {xyzrhw, {1, 0, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 0}, texcoord_at(16, 2)},
       words{0.0, 0.0, 0.0, 0x11223344u},
       16,
       0,
       words{31.5, 15.5, 0.0, 1.0, 0.0, 0.0}},
  };
  for (const processed_row& row : rows) {
    INFO(row.name);
    vertices_rig rig;
    const test_declaration from{rig, std::span{row.from}}, to{rig, std::span{row.to}};
    rig.read_as(from);
    rig.source(row.source, row.source_stride);
    rig.empty_destination(row.expected.all.size() + 2);
    CHECK(rig.process(&to, {.vertex_count = 1, .flags = row.flags}) == S_OK);
    std::vector<std::uint32_t> expected = row.expected.all;
    expected.insert(expected.end(), {kept, kept});
    CHECK(rig.contents() == expected);
  }
}

TEST_CASE("matrices, viewport and depth range make screen vertices", "[umd][T199][G28]") {
  vertices_rig rig;
  const test_declaration from{rig, {xyz}}, to{rig, {xyzrhw}};
  rig.read_as(from);
  rig.source(words{1.0, 2.0, 4.0}, 12);
  rig.empty_destination(4);
  D3DMATRIX world{}, view{}, projection{};
  for (int i = 0; i < 4; ++i) world.m[i][i] = view.m[i][i] = 1;
  world.m[3][0] = 3;  // x 4
  view.m[1][1] = -1;  // y -2
  view.m[3][2] = 4;   // z 8
  projection.m[0][0] = projection.m[1][1] = 1;
  projection.m[2][2] = 0.5f;
  projection.m[2][3] = 1;  // w = z
  REQUIRE(set_transform(rig.device, D3DTS_WORLD, world) == S_OK);
  REQUIRE(set_transform(rig.device, D3DTS_VIEW, view) == S_OK);
  REQUIRE(set_transform(rig.device, D3DTS_PROJECTION, projection) == S_OK);
  REQUIRE(set_viewport(rig.device, {8, 4, 16, 8}) == S_OK);
  REQUIRE(set_depth_range(rig.device, {0.25f, 0.75f}) == S_OK);
  CHECK(rig.process(&to, {.vertex_count = 1}) == S_OK);
  // Clip (4, -2, 4, 8): (0.5, -0.25, 0.5) of the viewport.
  CHECK(rig.contents() == words{8 + 16 * 0.75 - 0.5, 4 + 8 * 0.625 - 0.5, 0.5, 0.125}.all);
}

TEST_CASE("processed vertices lie where the fixed-function pipeline draws", "[umd][T199][G29]") {
  vertices_rig rig;
  const test_declaration from{rig, {xyz, diffuse_at(12)}}, to{rig, {xyzrhw, diffuse_at(16)}};
  rig.read_as(from);
  constexpr std::uint32_t blue = 0xFF0000FF;
  rig.source(words{-1.0, 1.0, 0.5, blue, 1.0, 1.0, 0.5, blue, -1.0, -1.0, 0.5, blue}, 16);
  words filled;  // A sentinel before and behind.
  constexpr std::uint32_t green = 0xFF00FF00, yellow = 0xFFFFFF00;
  for (std::uint32_t i = 0; i < 5 * 5; ++i) filled.add(i < 5 ? green : yellow);
  rig.to = &rig.buffer(filled.bytes());
  CHECK(rig.process(&to, {.first_destination = 1, .vertex_count = 3}) == S_OK);
  words expected;
  for (int i = 0; i < 5; ++i) expected.add(green);
  for (const auto& [x, y] : {std::pair{-0.5, -0.5}, {63.5, -0.5}, {-0.5, 31.5}}) {
    expected.add(x);
    expected.add(y);
    expected.add(0.5);
    expected.add(1.0);
    expected.add(blue);
  }
  for (int i = 0; i < 5; ++i) expected.add(yellow);
  CHECK(rig.contents() == expected.all);
}

TEST_CASE("indices, offset and strides say which vertices are processed", "[umd][T199]") {
  vertices_rig rig;
  const test_declaration from{rig, {xyzrhw}}, to{rig, {xyzrhw}};
  rig.read_as(from);
  words source;
  for (int i = 0; i < 20; ++i) source.add(double(i));
  rig.source(source, 20, 4);  // Vertices begin at word 1, 6, 11.
  rig.empty_destination(20);
  CHECK(rig.process(
            &to,
            {.first_source = 1, .first_destination = 1, .vertex_count = 2, .stride_bytes = 24}) ==
        S_OK);
  words expected;
  for (int i = 0; i < 6; ++i) expected.add(kept);
  for (int i = 6; i < 10; ++i) expected.add(double(i));
  for (int i = 0; i < 2; ++i) expected.add(0u);
  for (int i = 11; i < 15; ++i) expected.add(double(i));
  for (int i = 0; i < 2; ++i) expected.add(0u);
  for (int i = 0; i < 2; ++i) expected.add(kept);
  CHECK(rig.contents() == expected.all);
}

TEST_CASE("one buffer may hold source and destination", "[umd][T199]") {
  struct row {
    std::uint32_t source, destination, source_stride, stride;
  };
  const row r = GENERATE(row{0, 1, 16, 16}, row{1, 0, 16, 16}, row{0, 0, 16, 16}, row{0, 0, 16, 24},
                         row{0, 0, 24, 16}, row{2, 1, 16, 24});
  CAPTURE(r.source, r.destination, r.source_stride, r.stride);
  vertices_rig rig;
  const test_declaration screen{rig, {xyzrhw}};
  rig.read_as(screen);
  words all;
  for (int i = 0; i < 40; ++i) all.add(i + 1.0);
  rig.source(all, r.source_stride);
  rig.to = rig.device.state.streams[0].buffer;
  CHECK(rig.process(&screen, {.first_source = r.source,
                              .first_destination = r.destination,
                              .vertex_count = 4,
                              .stride_bytes = r.stride}) == S_OK);
  std::vector<std::uint32_t> expected = all.all;
  for (std::size_t i = 0; i < 4; ++i) {
    const std::size_t at = (r.destination + i) * r.stride / 4;
    std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(at), r.stride / 4, 0u);
    for (std::size_t word = 0; word < 4; ++word) {
      expected[at + word] = all.all[(r.source + i) * r.source_stride / 4 + word];
    }
  }
  CHECK(rig.contents() == expected);
}

TEST_CASE("with a vertex shader vertices are copied as they are", "[umd][T199]") {
  vertices_rig rig;
  const test_declaration layout{rig, {xyz}}, to{rig, {xyzrhw}};
  test_shader shader{rig, stage::vertex, plain_vertex_shader};
  REQUIRE(set_shader(rig.device, stage::vertex, shader.get()) == S_OK);
  rig.read_as(layout);
  rig.source(words{1u, 2u, 3u, 4u, 5u, 6u}, 12);
  rig.empty_destination(10);
  CHECK(rig.process(&to, {.vertex_count = 2, .stride_bytes = 20}) == S_OK);
  CHECK(rig.contents() == words{1u, 2u, 3u, kept, kept, 4u, 5u, 6u, kept, kept}.all);
  CHECK(rig.process(nullptr, {.first_source = 1, .vertex_count = 1, .stride_bytes = 8}) == S_OK);
  CHECK(rig.contents()[0] == 4);
  CHECK(rig.contents()[2] == 3);
}

TEST_CASE("buffers in guest memory are read and written there", "[umd][T199]") {
  vertices_rig rig;
  rig.device.resources.rule = backing_rule::everything;
  const test_declaration from{rig, {xyz}}, to{rig, {xyzrhw}};
  rig.read_as(from);
  rig.source(words{0.0, 0.0, 0.25}, 12);
  rig.empty_destination(8);
  REQUIRE(rig.to->contents == residence::guest);
  const auto dirty = sent<aerogpu_cmd_resource_dirty_range>(rig).size();
  CHECK(rig.process(&to, {.first_destination = 1, .vertex_count = 1}) == S_OK);
  const auto ranges = sent<aerogpu_cmd_resource_dirty_range>(rig);
  REQUIRE(ranges.size() == dirty + 1);
  CHECK(std::uint64_t{ranges.back().fields.offset_bytes} == 16);
  CHECK(std::uint64_t{ranges.back().fields.size_bytes} == 16);
  CHECK(rig.contents() == words{kept, kept, kept, kept, 31.5, 15.5, 0.25, 1.0}.all);
}

TEST_CASE("what cannot be processed changes nothing", "[umd][T199]") {
  vertices_rig rig;
  const test_declaration from{rig, {xyz}}, to{rig, {xyzrhw}}, flat{rig, {xyz}},
      beside{rig, {{1, 0, D3DDECLTYPE_FLOAT4, 0, D3DDECLUSAGE_POSITIONT, 0}}};
  rig.read_as(from);
  rig.source(words{0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, 12);
  rig.empty_destination(8);
  const auto refused = [&](const test_declaration* declaration,
                           const process_vertices_request& request) {
    return rig.process(declaration, request) == D3DERR_INVALIDCALL;
  };
  CHECK(rig.process(&to, {.first_source = 9, .vertex_count = 0}) == S_OK);
  CHECK(refused(nullptr, {.vertex_count = 1}));                      // No stride to infer.
  CHECK(refused(nullptr, {.vertex_count = 1, .stride_bytes = 16}));  // And no position.
  CHECK(refused(&beside, {.vertex_count = 1}));                      // Nothing in stream 0.
  CHECK(refused(&flat, {.vertex_count = 1}));                        // No room for 1 / w.
  CHECK(refused(&to, {.vertex_count = 1, .stride_bytes = 15}));
  CHECK(refused(&to, {.first_source = 1, .vertex_count = 2}));
  CHECK(refused(&to, {.first_source = UINT32_MAX, .vertex_count = 1}));
  CHECK(refused(&to, {.first_destination = 1, .vertex_count = 2}));
  CHECK(refused(&to, {.first_destination = UINT32_MAX, .vertex_count = UINT32_MAX}));
  CHECK(refused(&to, {.first_destination = 1, .vertex_count = 1, .stride_bytes = UINT32_MAX}));
  REQUIRE(set_stream(rig.device, 0, {rig.device.state.streams[0].buffer, 0, 11}) == S_OK);
  CHECK(refused(&to, {.vertex_count = 1}));
  REQUIRE(set_stream(rig.device, 0, {rig.device.state.streams[0].buffer, 24, 12}) == S_OK);
  CHECK(refused(&to, {.vertex_count = 1}));
  REQUIRE(set_stream(rig.device, 0, {}) == S_OK);
  CHECK(refused(&to, {.vertex_count = 1}));
  CHECK(process_vertices(rig.device, {.vertex_count = 1}) == E_INVALIDARG);
  rig.to = &make(rig, texture_of(4, 4));
  CHECK(refused(&to, {.vertex_count = 1}));
}

TEST_CASE("a source of stride 0 is one vertex for all", "[umd][T199]") {
  vertices_rig rig;
  const test_declaration screen{rig, {xyzrhw}};
  rig.read_as(screen);
  rig.source(words{1.0, 2.0, 3.0, 4.0}, 0);
  rig.empty_destination(8);
  CHECK(rig.process(&screen, {.first_source = 3, .vertex_count = 2}) == S_OK);
  CHECK(rig.contents() == words{1.0, 2.0, 3.0, 4.0, 1.0, 2.0, 3.0, 4.0}.all);
}

}  // namespace aerogpu::umd::test
