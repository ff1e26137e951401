// SPDX-License-Identifier: MIT
/// The draws of profile M that name vertices by bytes, and streams of the application's memory.
#include "drivers/win7/umd/d3d9/state/setters.hpp"
#include "tests/drivers/umd/fronts/front_m_rig.hpp"
#include "tests/drivers/umd/rigs/state_rig.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

namespace aerogpu::umd::test {

namespace {

constexpr UINT entry_stride = 20;

/// A device with a target, plain shaders, and six vertices of 20 bytes, each byte another.
struct draw_entries_rig : device_m_rig {
  draw_entries_rig() {
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i);
    D3DDDIARG_CREATERESOURCE target{};
    target.Format = static_cast<D3DDDIFORMAT>(D3DFMT_A8R8G8B8);
    target.Flags.RenderTarget = 1;
    target.Flags.NotLockable = 1;
    const D3DDDIARG_SETRENDERTARGET bound{0, make(target, 8, 8), 0};
    REQUIRE(functions.pfnSetRenderTarget(device, &bound) == S_OK);
    constexpr std::array<D3DDDIVERTEXELEMENT, 2> elements{
        {{0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0},
         {0xFF, 0, D3DDECLTYPE_UNUSED, 0, 0, 0}}};
    use_declaration(elements);
    D3DDDIARG_CREATEVERTEXSHADERFUNC vertex{sizeof plain_vertex_shader, nullptr};
    D3DDDIARG_CREATEPIXELSHADER pixel{sizeof plain_pixel_shader, nullptr};
    REQUIRE(functions.pfnCreateVertexShaderFunc(device, &vertex, plain_vertex_shader.data()) ==
            S_OK);
    REQUIRE(functions.pfnCreatePixelShader(device, &pixel, plain_pixel_shader.data()) == S_OK);
    REQUIRE(functions.pfnSetVertexShaderFunc(device, vertex.ShaderHandle) == S_OK);
    REQUIRE(functions.pfnSetPixelShader(device, pixel.ShaderHandle) == S_OK);
  }

  void use_declaration(std::span<const D3DDDIVERTEXELEMENT> elements) {
    D3DDDIARG_CREATEVERTEXSHADERDECL made{static_cast<UINT>(elements.size()), nullptr};
    REQUIRE(functions.pfnCreateVertexShaderDecl(device, &made, elements.data()) == S_OK);
    REQUIRE(functions.pfnSetVertexShaderDecl(device, made.ShaderHandle) == S_OK);
  }

  void bind_buffer(UINT stream = 0) {
    D3DDDIARG_CREATERESOURCE made{};
    made.Format = static_cast<D3DDDIFORMAT>(D3DFMT_VERTEXDATA);
    made.Flags.VertexBuffer = 1;
    const HANDLE buffer = make(made, static_cast<UINT>(bytes.size()), 1);
    D3DDDIARG_LOCK lock{};
    lock.hResource = buffer;
    REQUIRE(functions.pfnLock(device, &lock) == S_OK);
    std::memcpy(lock.pSurfData, bytes.data(), bytes.size());
    const D3DDDIARG_UNLOCK unlock{buffer, 0, {}};
    REQUIRE(functions.pfnUnlock(device, &unlock) == S_OK);
    const D3DDDIARG_SETSTREAMSOURCE source{stream, buffer, 0, entry_stride};
    REQUIRE(functions.pfnSetStreamSource(device, &source) == S_OK);
    REQUIRE(functions.pfnFlush(device) == S_OK);
    callbacks.renders.clear();
  }
  void bind_memory() {
    const D3DDDIARG_SETSTREAMSOURCEUM source{0, entry_stride};
    REQUIRE(functions.pfnSetStreamSourceUm(device, &source, bytes.data()) == S_OK);
  }

  [[nodiscard]] auto draw_from(UINT first_byte, UINT count = 1) -> HRESULT {
    const D3DDDIARG_DRAWPRIMITIVE2 drawn{D3DPT_POINTLIST, first_byte, count};
    return functions.pfnDrawPrimitive2(device, &drawn);
  }
  [[nodiscard]] auto draw_index(INT base_byte, std::uint16_t index) -> HRESULT {
    D3DDDIARG_DRAWINDEXEDPRIMITIVE2 drawn{};
    drawn.PrimitiveType = D3DPT_POINTLIST;
    drawn.BaseVertexOffset = base_byte;
    drawn.MinIndex = index;
    drawn.NumVertices = 1;
    drawn.PrimitiveCount = 1;
    return functions.pfnDrawIndexedPrimitive2(device, &drawn, 2, &index, nullptr);
  }

  template <class Packet>
  [[nodiscard]] auto sent_packets() -> std::vector<found_packet<Packet>> {
    REQUIRE(functions.pfnFlush(device) == S_OK);
    std::vector<found_packet<Packet>> all;
    for (const seen_render& each : callbacks.renders) {
      for (auto& packet : packets_of<Packet>(each.stream)) all.push_back(std::move(packet));
    }
    return all;
  }
  /// Where stream 0 began, in the order of its bindings.
  [[nodiscard]] auto stream_offsets() -> std::vector<std::uint32_t> {
    std::vector<std::uint32_t> all;
    for (const auto& packet : sent_packets<aerogpu_cmd_set_vertex_buffers>())
      all.push_back(load<aerogpu_vertex_buffer_binding>(packet.payload.data()).offset_bytes);
    return all;
  }
  /// The bytes that draws uploaded, one upload after another.
  [[nodiscard]] auto uploaded() -> std::vector<byte_vector> {
    std::vector<byte_vector> all;
    for (const auto& packet : sent_packets<aerogpu_cmd_upload_resource>())
      all.push_back(packet.payload);
    return all;
  }
  [[nodiscard]] auto vertex_at(std::size_t first_byte) const -> byte_vector {
    const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(first_byte);
    return {first, first + entry_stride};
  }

  std::array<std::byte, 6 * entry_stride> bytes{};

 private:
  [[nodiscard]] auto make(D3DDDIARG_CREATERESOURCE& create, UINT width, UINT height) -> HANDLE {
    const D3DDDI_SURFACEINFO size{width, height, 1, nullptr, 0, 0};
    create.Pool = D3DDDIPOOL_VIDEOMEMORY;
    create.MipLevels = 1;
    create.Rotation = D3DDDI_ROTATION_IDENTITY;
    create.pSurfList = &size;
    create.SurfCount = 1;
    REQUIRE(functions.pfnCreateResource(device, &create) == S_OK);
    return create.hResource;
  }
};

}  // namespace

TEST_CASE("a batch begins at any byte of its buffer, and the stream is as it was afterwards",
          "[umd][T196]") {
  draw_entries_rig rig;
  rig.bind_buffer();
  REQUIRE(rig.draw_from(28) == S_OK);
  const auto draws = rig.sent_packets<aerogpu_cmd_draw>();
  REQUIRE(draws.size() == 1);
  const std::vector<std::uint32_t> offsets = rig.stream_offsets();
  REQUIRE(offsets == std::vector<std::uint32_t>{8, 0});
  CHECK(offsets[0] + draws[0].fields.first_vertex * entry_stride == 28);
}

TEST_CASE("a batch at a multiple of its stride binds nothing anew", "[umd][T196]") {
  draw_entries_rig rig;
  rig.bind_buffer();
  REQUIRE(rig.draw_from(40) == S_OK);
  const auto draws = rig.sent_packets<aerogpu_cmd_draw>();
  REQUIRE(draws.size() == 1);
  CHECK(std::uint32_t{draws[0].fields.first_vertex} == 2);
  CHECK(rig.stream_offsets().empty());
}

TEST_CASE("an indexed batch begins at any byte too, below zero as well", "[umd][T196]") {
  struct row {
    INT base_byte;
    std::uint16_t index;
    std::int64_t vertex_byte;
  };
  const auto r = GENERATE(row{28, 1, 48}, row{-12, 2, 28}, row{-40, 3, 20}, row{40, 0, 40});
  CAPTURE(r.base_byte);
  draw_entries_rig rig;
  rig.bind_buffer();
  REQUIRE(rig.draw_index(r.base_byte, r.index) == S_OK);
  const auto draws = rig.sent_packets<aerogpu_cmd_draw_indexed>();
  REQUIRE(draws.size() == 1);
  const std::vector<std::uint32_t> offsets = rig.stream_offsets();
  const std::int64_t offset = offsets.empty() ? 0 : offsets[0];
  const std::int32_t base = draws[0].fields.base_vertex;
  CHECK(offset + (std::int64_t{base} + r.index) * entry_stride == r.vertex_byte);
}

TEST_CASE("screen vertices of a batch are those at its byte", "[umd][T184][T196]") {
  draw_entries_rig rig;
  constexpr std::array<D3DDDIVERTEXELEMENT, 3> screen{
      {{0, 0, D3DDECLTYPE_FLOAT4, 0, D3DDECLUSAGE_POSITIONT, 0},
       {0, 16, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 0},
       {0xFF, 0, D3DDECLTYPE_UNUSED, 0, 0, 0}}};
  rig.use_declaration(screen);
  rig.bind_buffer();
  REQUIRE(rig.draw_from(28) == S_OK);
  const auto uploads = rig.uploaded();
  REQUIRE(uploads.size() == 1);
  REQUIRE(uploads[0].size() >= entry_stride);
  const byte_vector vertex = rig.vertex_at(28);
  CHECK(std::equal(vertex.begin() + 16, vertex.end(), uploads[0].begin() + 16));  // The colour.
}

TEST_CASE("memory of the application stays bound until another stream is set", "[umd][T192]") {
  draw_entries_rig rig;
  rig.bind_memory();
  REQUIRE(rig.draw_from(28) == S_OK);
  REQUIRE(rig.draw_from(60) == S_OK);
  CHECK(rig.uploaded() == std::vector<byte_vector>{rig.vertex_at(28), rig.vertex_at(60)});
  const D3DDDIARG_SETSTREAMSOURCE none{0, nullptr, 0, 0};
  REQUIRE(rig.functions.pfnSetStreamSource(rig.device, &none) == S_OK);
  CHECK(rig.draw_from(0) == D3DERR_INVALIDCALL);
}

TEST_CASE("memory that no element of the declaration lies in is not read", "[umd][T192]") {
  draw_entries_rig rig;
  constexpr std::array<D3DDDIVERTEXELEMENT, 2> second_stream{
      {{1, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0},
       {0xFF, 0, D3DDECLTYPE_UNUSED, 0, 0, 0}}};
  rig.use_declaration(second_stream);
  rig.bind_buffer(1);
  rig.bind_memory();
  REQUIRE(rig.draw_from(20) == S_OK);
  CHECK(rig.uploaded().empty());
}

TEST_CASE("the indices of one indexed batch leave those that are bound", "[umd][T192]") {
  draw_entries_rig rig;
  rig.bind_memory();
  const std::array<std::uint16_t, 2> bound{4, 0};
  REQUIRE(rig.functions.pfnSetIndicesUm(rig.device, 2, bound.data()) == S_OK);
  REQUIRE(rig.draw_index(20, 1) == S_OK);
  D3DDDIARG_DRAWINDEXEDPRIMITIVE drawn{};
  drawn.PrimitiveType = D3DPT_POINTLIST;
  drawn.MinIndex = 4;
  drawn.NumVertices = 1;
  drawn.PrimitiveCount = 1;
  rig.callbacks.renders.clear();
  REQUIRE(rig.functions.pfnDrawIndexedPrimitive(rig.device, &drawn) == S_OK);
  const auto uploads = rig.uploaded();
  REQUIRE_FALSE(uploads.empty());
  CHECK(uploads.back() == rig.vertex_at(80));
}

TEST_CASE("UpdateWInfo says through the table whether fog takes w", "[umd][T173]") {
  device_m_rig rig;
  const D3DDDIARG_WINFO perspective{1, 100};
  const D3DDDIARG_WINFO affine{1, 1};
  CHECK(rig.functions.pfnUpdateWInfo(rig.device, &perspective) == S_OK);
  CHECK(rig.core().state.fixed.has_w_fog == true);
  CHECK(rig.functions.pfnUpdateWInfo(rig.device, &affine) == S_OK);
  CHECK(rig.core().state.fixed.has_w_fog == false);
  CHECK(rig.functions.pfnUpdateWInfo(rig.device, nullptr) == E_INVALIDARG);
}

TEST_CASE("a declaration without elements needs no list", "[umd][T163]") {
  device_m_rig rig;
  D3DDDIARG_CREATEVERTEXSHADERDECL made{};
  REQUIRE(rig.functions.pfnCreateVertexShaderDecl(rig.device, &made, nullptr) == S_OK);
  CHECK(rig.functions.pfnSetVertexShaderDecl(rig.device, made.ShaderHandle) == S_OK);
  CHECK(rig.functions.pfnDeleteVertexShaderDecl(rig.device, made.ShaderHandle) == S_OK);
  made.NumVertexElements = 1;
  CHECK(rig.functions.pfnCreateVertexShaderDecl(rig.device, &made, nullptr) == E_INVALIDARG);
}

}  // namespace aerogpu::umd::test
