// SPDX-License-Identifier: MIT
#include "tests/drivers/d3d9/state_rig.hpp"

namespace aerogpu::test {
namespace {

using any_vertices = owned<d3d9::IDirect3DVertexBuffer9>;
using any_indices = owned<d3d9::IDirect3DIndexBuffer9>;

struct screen_vertex {
  float x, y, z, w;
  DWORD color;
};
constexpr DWORD screen_format = D3DFVF_XYZRHW | D3DFVF_DIFFUSE;
constexpr std::array<screen_vertex, 3> triangle{
    {{0, 0, 0, 1, 0xFFFFFFFF}, {64, 0, 0, 1, 0xFFFFFFFF}, {0, 48, 0, 1, 0xFFFFFFFF}}};
constexpr std::array<std::uint16_t, 3> three{0, 1, 2};

TEST_CASE("a vertex format of parts that do not exist is refused", "[d3d9]") {
  state_rig rig;
  constexpr DWORD nine_sets = D3DFVF_XYZ | 9 << D3DFVF_TEXCOUNT_SHIFT;
  constexpr DWORD two_positions = D3DFVF_XYZW | D3DFVF_XYZB5;
  CHECK(rig.device->SetFVF(nine_sets) == D3DERR_INVALIDCALL);
  CHECK(rig.device->SetFVF(two_positions) == D3DERR_INVALIDCALL);
  CHECK(rig.device->SetFVF(D3DFVF_XYZW) == S_OK);
}

TEST_CASE("draws from the program's memory leave no stream 0, and no indices",
          "[wine][d3d9][T262]") {
  state_rig rig;
  const auto buffer = rig.vertex_buffer(60, screen_format);
  const auto indices = rig.index_buffer(6);
  CHECK(rig.device->SetFVF(screen_format) == S_OK);
  CHECK(rig.device->SetStreamSource(0, buffer.get(), 0, 20) == S_OK);
  CHECK(rig.device->SetIndices(indices.get()) == S_OK);
  any_vertices stream;
  any_indices bound;

  CHECK(rig.device->DrawPrimitiveUP(D3DPT_TRIANGLELIST, 1, triangle.data(), 20) == S_OK);
  CHECK(rig.device->GetStreamSource(0, stream.out(), nullptr, nullptr) == S_OK);
  CHECK(rig.device->GetIndices(bound.out()) == S_OK);
  CHECK(stream.get() == nullptr);
  CHECK(bound.get() == indices.get());

  CHECK(rig.device->SetStreamSource(0, buffer.get(), 0, 20) == S_OK);
  CHECK(rig.device->DrawIndexedPrimitiveUP(D3DPT_TRIANGLELIST, 0, 3, 1, three.data(),
                                           D3DFMT_INDEX16, triangle.data(), 20) == S_OK);
  CHECK(rig.device->GetStreamSource(0, stream.out(), nullptr, nullptr) == S_OK);
  CHECK(rig.device->GetIndices(bound.out()) == S_OK);
  CHECK(stream.get() == nullptr);
  CHECK(bound.get() == nullptr);
}

TEST_CASE("a draw without its vertices' description or with nonsense is refused",
          "[wine][d3d9][draw]") {
  state_rig rig;
  auto& device = *rig.device.get();
  const auto* const vertices = triangle.data();
  CHECK(device.DrawPrimitiveUP(D3DPT_TRIANGLELIST, 1, vertices, 20) == D3DERR_INVALIDCALL);
  CHECK(device.DrawPrimitive(D3DPT_TRIANGLELIST, 0, 1) == D3DERR_INVALIDCALL);
  CHECK(device.SetFVF(screen_format) == S_OK);
  CHECK(device.DrawPrimitiveUP(D3DPT_TRIANGLELIST, 1, nullptr, 20) == D3DERR_INVALIDCALL);
  CHECK(device.DrawPrimitiveUP(D3DPT_TRIANGLELIST, 1, vertices, 0) == D3DERR_INVALIDCALL);
  CHECK(device.DrawPrimitiveUP(static_cast<D3DPRIMITIVETYPE>(7), 1, vertices, 20) ==
        D3DERR_INVALIDCALL);
  CHECK(device.DrawPrimitiveUP(D3DPT_TRIANGLELIST, 0xFFFFFFFF, vertices, 20) == D3DERR_INVALIDCALL);
  CHECK(device.DrawIndexedPrimitiveUP(D3DPT_TRIANGLELIST, 0, 3, 1, three.data(), D3DFMT_A8,
                                      vertices, 20) == D3DERR_INVALIDCALL);
  CHECK(device.DrawIndexedPrimitiveUP(D3DPT_POINTLIST, 0, 3, 1, three.data(), D3DFMT_INDEX16,
                                      vertices, 20) == D3DERR_INVALIDCALL);
}

TEST_CASE("a draw whose vertices or indices are not there draws nothing", "[wine][d3d9][draw]") {
  state_rig rig;
  const auto indices = rig.index_buffer(6);
  CHECK(rig.device->SetFVF(screen_format) == S_OK);
  CHECK(rig.device->DrawPrimitive(D3DPT_TRIANGLELIST, 0, 1) == S_OK);
  CHECK(rig.device->DrawIndexedPrimitive(D3DPT_TRIANGLELIST, 0, 0, 3, 0, 1) == S_OK);
  CHECK(rig.device->SetIndices(indices.get()) == S_OK);
  CHECK(rig.device->DrawIndexedPrimitive(D3DPT_TRIANGLELIST, 0, 0, 3, 0, 1) == S_OK);
  CHECK(heard.draws == 0);
}

TEST_CASE("a draw of which nothing changed is one call", "[wine][d3d9][draw]") {
  state_rig rig;
  const auto buffer = rig.vertex_buffer(60, screen_format);
  fill(buffer.get(), std::as_bytes(std::span{triangle}));
  CHECK(rig.device->SetFVF(screen_format) == S_OK);
  CHECK(rig.device->SetStreamSource(0, buffer.get(), 0, 20) == S_OK);
  CHECK(rig.device->DrawPrimitive(D3DPT_TRIANGLELIST, 0, 1) == S_OK);
  heard = {};
  CHECK(rig.device->SetStreamSource(0, buffer.get(), 0, 20) == S_OK);
  CHECK(rig.device->DrawPrimitive(D3DPT_TRIANGLELIST, 0, 1) == S_OK);
  CHECK(heard.draws == 1);
  CHECK(heard.all() == 1);
}

TEST_CASE("a texture in system memory is bound, and a draw samples none", "[wine][d3d9][draw]") {
  const auto pool = GENERATE(D3DPOOL_SYSTEMMEM, D3DPOOL_SCRATCH, D3DPOOL_MANAGED);
  state_rig rig{d3d9::create_hardware_vertex_processing, api_level::plain};
  any_2d_texture texture;
  REQUIRE(rig.device->CreateTexture(2, 2, 1, 0, D3DFMT_A8R8G8B8, pool, texture.out(), nullptr) ==
          S_OK);
  CHECK(rig.device->SetTexture(0, texture.get()) == S_OK);
  CHECK(rig.device->SetFVF(screen_format) == S_OK);
  CHECK(rig.device->DrawPrimitiveUP(D3DPT_TRIANGLELIST, 1, triangle.data(), 20) == S_OK);
  CHECK((heard.texture != nullptr) == (pool == D3DPOOL_MANAGED));
  owned<d3d9::IDirect3DBaseTexture9> bound;
  CHECK(rig.device->GetTexture(0, bound.out()) == S_OK);
  CHECK(bound.get() == texture.get());
}

TEST_CASE("a managed texture that changes while it is bound is sent before the next draw",
          "[wine][d3d9][draw]") {
  state_rig rig{d3d9::create_hardware_vertex_processing, api_level::plain};
  any_2d_texture texture;
  REQUIRE(rig.device->CreateTexture(2, 2, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, texture.out(),
                                    nullptr) == S_OK);
  CHECK(rig.device->SetFVF(screen_format) == S_OK);
  CHECK(rig.device->SetTexture(0, texture.get()) == S_OK);
  CHECK(rig.device->DrawPrimitiveUP(D3DPT_TRIANGLELIST, 1, triangle.data(), 20) == S_OK);
  CHECK(rig.device->EvictManagedResources() == S_OK);
  heard = {};
  CHECK(rig.device->DrawPrimitiveUP(D3DPT_TRIANGLELIST, 1, triangle.data(), 20) == S_OK);
  CHECK(heard.textures == 1);
  CHECK(rig.device->DrawPrimitiveUP(D3DPT_TRIANGLELIST, 1, triangle.data(), 20) == S_OK);
  CHECK(heard.textures == 1);
}

/// A device that draws with a managed texture on stage 0 and in stream 1 has a managed buffer, in
/// video memory that becomes full.
struct full_rig : state_rig {
  full_rig() : state_rig(d3d9::create_hardware_vertex_processing, api_level::plain) {
    REQUIRE(device->SetFVF(screen_format) == S_OK);
    REQUIRE(device->SetTexture(0, texture.get()) == S_OK);
    REQUIRE(draw() == S_OK);
    heard = {};
  }
  [[nodiscard]] auto managed(UINT edge) -> any_2d_texture {
    any_2d_texture made;
    REQUIRE(device->CreateTexture(edge, edge, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, made.out(),
                                  nullptr) == S_OK);
    return made;
  }
  [[nodiscard]] auto draw() -> HRESULT {
    return device->DrawPrimitiveUP(D3DPT_TRIANGLELIST, 1, triangle.data(), 20);
  }
  [[nodiscard]] static auto has_copy(const any_2d_texture& of) -> bool {
    return static_cast<d3d9::texture*>(of.get())->driver() != nullptr;
  }

  any_2d_texture texture = managed(2);
};

TEST_CASE("a copy that is made by dropping others leaves what is bound", "[wine][d3d9][draw]") {
  full_rig app;
  any_2d_texture other;
  any_vertices buffer;
  const bool is_texture = GENERATE(true, false);
  if (is_texture) {
    other = app.managed(4);
    REQUIRE(app.device->SetTexture(1, other.get()) == S_OK);
  } else {
    REQUIRE(app.device->CreateVertexBuffer(64, 0, 0, D3DPOOL_MANAGED, buffer.out(), nullptr) ==
            S_OK);
    REQUIRE(app.device->SetStreamSource(1, buffer.get(), 0, 16) == S_OK);
  }
  heard.refused_resources = 1;
  CHECK(app.draw() == S_OK);
  CHECK(full_rig::has_copy(app.texture));
  if (is_texture) CHECK(full_rig::has_copy(other));
  heard.textures = 0;
  CHECK(app.draw() == S_OK);
  CHECK(heard.textures == 0);
}

TEST_CASE("the copies of what is not bound are dropped first", "[wine][d3d9][draw]") {
  full_rig app;
  const auto bound = app.managed(4);
  REQUIRE(app.device->SetTexture(0, bound.get()) == S_OK);
  REQUIRE(app.draw() == S_OK);
  const auto other = app.managed(8);
  REQUIRE(app.device->SetTexture(1, other.get()) == S_OK);
  heard = {};
  heard.refused_resources = 1;
  CHECK(app.draw() == S_OK);
  CHECK(full_rig::has_copy(bound));
  CHECK(full_rig::has_copy(other));
  CHECK_FALSE(full_rig::has_copy(app.texture));
}

TEST_CASE("a draw whose copies do not fit together says so, and the next one tries again",
          "[wine][d3d9][draw]") {
  full_rig app;
  const auto other = app.managed(4);
  REQUIRE(app.device->SetTexture(1, other.get()) == S_OK);
  // Each copy costs the other one.
  heard.refused_resources = 0b10101;
  CHECK(app.draw() == E_OUTOFMEMORY);
  heard = {};
  CHECK(app.draw() == S_OK);
  CHECK(full_rig::has_copy(app.texture));
  CHECK(full_rig::has_copy(other));
}

TEST_CASE("another filter makes the levels of a bound texture again, and the same one does not",
          "[wine][d3d9][draw]") {
  state_rig rig;
  any_2d_texture texture;
  REQUIRE(rig.device->CreateTexture(8, 8, 0, D3DUSAGE_AUTOGENMIPMAP, D3DFMT_A8R8G8B8,
                                    D3DPOOL_DEFAULT, texture.out(), nullptr) == S_OK);
  CHECK(rig.device->SetFVF(screen_format) == S_OK);
  CHECK(rig.device->SetTexture(0, texture.get()) == S_OK);
  CHECK(rig.device->DrawPrimitiveUP(D3DPT_TRIANGLELIST, 1, triangle.data(), 20) == S_OK);
  heard = {};
  CHECK(texture->SetAutoGenFilterType(D3DTEXF_POINT) == S_OK);
  CHECK(rig.device->DrawPrimitiveUP(D3DPT_TRIANGLELIST, 1, triangle.data(), 20) == S_OK);
  CHECK(heard.level_makings == 1);
  CHECK(texture->SetAutoGenFilterType(D3DTEXF_POINT) == S_OK);
  CHECK(rig.device->DrawPrimitiveUP(D3DPT_TRIANGLELIST, 1, triangle.data(), 20) == S_OK);
  CHECK(heard.level_makings == 1);
}

TEST_CASE("levels of a texture that is locked while it is drawn are made once the lock ends",
          "[wine][d3d9][draw]") {
  state_rig rig;
  any_2d_texture texture;
  REQUIRE(rig.device->CreateTexture(8, 8, 0, D3DUSAGE_AUTOGENMIPMAP | D3DUSAGE_DYNAMIC,
                                    D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, texture.out(),
                                    nullptr) == S_OK);
  CHECK(rig.device->SetFVF(screen_format) == S_OK);
  CHECK(rig.device->SetTexture(0, texture.get()) == S_OK);
  const auto draw = [&] {
    return rig.device->DrawPrimitiveUP(D3DPT_TRIANGLELIST, 1, triangle.data(), 20);
  };
  CHECK(draw() == S_OK);
  D3DLOCKED_RECT locked{};
  REQUIRE(texture->LockRect(0, &locked, nullptr, 0) == S_OK);
  heard = {};
  CHECK(draw() == S_OK);
  CHECK(heard.level_makings == 0);
  REQUIRE(texture->UnlockRect(0) == S_OK);
  CHECK(draw() == S_OK);
  CHECK(heard.level_makings == 1);
  CHECK(draw() == S_OK);
  CHECK(heard.level_makings == 1);
}

TEST_CASE("levels that could not be made are made with the next draw", "[wine][d3d9][draw]") {
  state_rig rig;
  any_2d_texture texture;
  REQUIRE(rig.device->CreateTexture(8, 8, 0, D3DUSAGE_AUTOGENMIPMAP, D3DFMT_A8R8G8B8,
                                    D3DPOOL_DEFAULT, texture.out(), nullptr) == S_OK);
  CHECK(rig.device->SetFVF(screen_format) == S_OK);
  CHECK(rig.device->SetTexture(0, texture.get()) == S_OK);
  heard = {};
  heard.refused_level_makings = 1;
  const auto draw = [&] {
    return rig.device->DrawPrimitiveUP(D3DPT_TRIANGLELIST, 1, triangle.data(), 20);
  };
  CHECK(draw() == E_OUTOFMEMORY);
  CHECK(draw() == S_OK);
  CHECK(heard.level_makings == 2);
}

TEST_CASE("what is written to a locked texture after a draw is sent once the lock ends",
          "[wine][d3d9][draw]") {
  full_rig app;
  const bool is_context = GENERATE(false, true);
  any_surface top;
  REQUIRE(app.texture->GetSurfaceLevel(0, top.out()) == S_OK);
  D3DLOCKED_RECT locked{};
  HDC context = nullptr;
  REQUIRE((is_context ? top->GetDC(&context) : top->LockRect(&locked, nullptr, 0)) == S_OK);
  CHECK(app.draw() == S_OK);
  heard = {};
  CHECK(app.draw() == S_OK);
  CHECK(heard.blts == 0);
  REQUIRE((is_context ? top->ReleaseDC(context) : top->UnlockRect()) == S_OK);
  CHECK(app.draw() == S_OK);
  CHECK(heard.blts == 1);
  CHECK(app.draw() == S_OK);
  CHECK(heard.blts == 1);
}

TEST_CASE("what is written to a locked buffer after a draw is sent once the lock ends",
          "[wine][d3d9][draw]") {
  full_rig app;
  any_vertices buffer;
  REQUIRE(app.device->CreateVertexBuffer(64, 0, 0, D3DPOOL_MANAGED, buffer.out(), nullptr) == S_OK);
  REQUIRE(app.device->SetStreamSource(1, buffer.get(), 0, 16) == S_OK);
  void* data = nullptr;
  REQUIRE(buffer->Lock(0, 0, &data, 0) == S_OK);
  CHECK(app.draw() == S_OK);
  heard = {};
  REQUIRE(buffer->Unlock() == S_OK);
  CHECK(app.draw() == S_OK);
  CHECK(heard.buffer_blts == 1);
  CHECK(app.draw() == S_OK);
  CHECK(heard.buffer_blts == 1);
}

/// A buffer that the device draws from, as a stream or as indices, locked to be written.
template <class Buffer>
struct locked_rig : state_rig {
  explicit locked_rig(DWORD usage, D3DPOOL pool)
      : state_rig(d3d9::create_hardware_vertex_processing, api_level::plain) {
    REQUIRE(device->SetFVF(screen_format) == S_OK);
    if constexpr (std::is_same_v<Buffer, d3d9::IDirect3DIndexBuffer9>) {
      REQUIRE(device->CreateIndexBuffer(64, usage, D3DFMT_INDEX16, pool, buffer.out(), nullptr) ==
              S_OK);
      REQUIRE(device->SetIndices(buffer.get()) == S_OK);
    } else {
      REQUIRE(device->CreateVertexBuffer(64, usage, 0, pool, buffer.out(), nullptr) == S_OK);
      REQUIRE(device->SetStreamSource(1, buffer.get(), 0, 16) == S_OK);
    }
    heard = {};
  }
  void draw() {
    REQUIRE(device->DrawPrimitiveUP(D3DPT_TRIANGLELIST, 1, triangle.data(), 20) == S_OK);
  }
  auto lock(DWORD flags) -> std::byte* {
    void* memory = nullptr;
    REQUIRE(buffer->Lock(0, 0, &memory, flags) == S_OK);
    return static_cast<std::byte*>(memory);
  }

  owned<Buffer> buffer;
};

TEMPLATE_TEST_CASE("each draw has what its program has written to a buffer that it holds locked",
                   "[wine][d3d9][draw]", d3d9::IDirect3DVertexBuffer9,
                   d3d9::IDirect3DIndexBuffer9) {
  const auto [usage, flags] = GENERATE(table<DWORD, DWORD>(
      {{0, 0}, {D3DUSAGE_DYNAMIC, D3DLOCK_DISCARD}, {D3DUSAGE_DYNAMIC, D3DLOCK_NOOVERWRITE}}));
  locked_rig<TestType> app{usage, D3DPOOL_DEFAULT};
  auto* const memory = app.lock(flags);
  app.draw();
  CHECK(heard.unlocks_before_draw == 1);
  memory[5] = std::byte{7};
  app.draw();
  CHECK(heard.unlocks_before_draw == 2);
  CHECK(app.buffer->Unlock() == S_OK);
  app.draw();
  CHECK(heard.unlocks_before_draw == 3);
  CHECK(app.lock(D3DLOCK_READONLY) == memory);
  CHECK(memory[5] == std::byte{7});
  app.draw();
  CHECK(heard.unlocks_before_draw == 3);
}

TEST_CASE("each draw has what its program has written to a managed buffer that it holds locked",
          "[wine][d3d9][draw]") {
  const auto pool = GENERATE(D3DPOOL_MANAGED, D3DPOOL_SYSTEMMEM);
  locked_rig<d3d9::IDirect3DVertexBuffer9> app{0, pool};
  app.draw();
  heard = {};
  app.lock(0);
  app.draw();
  CHECK(heard.buffer_blts == 1);
  app.draw();
  CHECK(heard.buffer_blts == 2);
  CHECK(app.buffer->Unlock() == S_OK);
  app.draw();
  CHECK(heard.buffer_blts == 3);
  app.lock(D3DLOCK_READONLY);
  app.draw();
  CHECK(heard.buffer_blts == 3);
}

TEST_CASE("a lock whose bytes do not reach the driver before a draw is over",
          "[wine][d3d9][draw]") {
  locked_rig<d3d9::IDirect3DVertexBuffer9> app{0, D3DPOOL_DEFAULT};
  app.lock(0);
  heard.is_next_unlock_refused = true;
  CHECK(app.device->DrawPrimitiveUP(D3DPT_TRIANGLELIST, 1, triangle.data(), 20) == E_OUTOFMEMORY);
  app.draw();
  CHECK(app.buffer->Unlock() == S_OK);
  CHECK(heard.unlocks == 1);
}

TEST_CASE("a buffer that ends locked costs later draws nothing", "[wine][d3d9][draw]") {
  locked_rig<d3d9::IDirect3DVertexBuffer9> app{0, D3DPOOL_DEFAULT};
  app.lock(0);
  REQUIRE(app.device->SetStreamSource(1, nullptr, 0, 0) == S_OK);
  app.buffer.reset();
  app.draw();
  CHECK(heard.unlocks == 0);
  CHECK_FALSE(static_cast<d3d9::device*>(app.device.get())->resources->has_locked_buffers());
}

TEST_CASE("a stream without a buffer keeps its offset and stride", "[wine][d3d9][draw]") {
  state_rig rig;
  const auto buffer = rig.vertex_buffer(64);
  any_vertices found;
  UINT offset = 0;
  UINT stride = 0;
  CHECK(rig.device->SetStreamSource(3, buffer.get(), 4, 32) == S_OK);
  CHECK(rig.device->SetStreamSource(3, nullptr, 0, 0) == S_OK);
  CHECK(rig.device->GetStreamSource(3, found.out(), &offset, &stride) == S_OK);
  CHECK(found.get() == nullptr);
  CHECK(offset == 4);
  CHECK(stride == 32);
  CHECK(rig.device->SetStreamSource(16, buffer.get(), 0, 32) == D3DERR_INVALIDCALL);
}

TEST_CASE("a stride that the caps do not offer is refused", "[wine][d3d9][draw]") {
  state_rig rig;
  D3DCAPS9 caps{};
  REQUIRE(rig.device->GetDeviceCaps(&caps) == S_OK);
  const UINT most = caps.MaxStreamStride;
  const auto buffer = rig.vertex_buffer(64);
  const std::vector<std::byte> memory(3 * (most + 4));
  REQUIRE(rig.device->SetFVF(screen_format) == S_OK);
  const auto [stride, result] =
      GENERATE_COPY(table<UINT, HRESULT>({{most, S_OK}, {most + 4, D3DERR_INVALIDCALL}}));
  CHECK(rig.device->SetStreamSource(1, buffer.get(), 0, stride) == result);
  CHECK(rig.device->DrawPrimitiveUP(D3DPT_TRIANGLELIST, 1, memory.data(), stride) == result);
  CHECK(rig.device->DrawIndexedPrimitiveUP(D3DPT_TRIANGLELIST, 0, 3, 1, three.data(),
                                           D3DFMT_INDEX16, memory.data(), stride) == result);
}

TEST_CASE("a declaration that the driver cannot have draws nothing, and not as the one before",
          "[wine][d3d9][draw]") {
  state_rig rig;
  owned<d3d9::IDirect3DVertexDeclaration9> empty;
  REQUIRE(rig.device->CreateVertexDeclaration(&d3d9::declaration_end, empty.out()) == S_OK);
  REQUIRE(rig.device->SetFVF(screen_format) == S_OK);
  CHECK(rig.device->DrawPrimitiveUP(D3DPT_TRIANGLELIST, 1, triangle.data(), 20) == S_OK);
  REQUIRE(rig.device->SetVertexDeclaration(empty.get()) == S_OK);
  CHECK(rig.device->DrawPrimitiveUP(D3DPT_TRIANGLELIST, 1, triangle.data(), 20) ==
        D3DERR_INVALIDCALL);
  REQUIRE(rig.device->SetFVF(screen_format) == S_OK);
  CHECK(rig.device->DrawPrimitiveUP(D3DPT_TRIANGLELIST, 1, triangle.data(), 20) == S_OK);
}

TEST_CASE("frequencies that mean nothing are refused", "[wine][d3d9][draw]") {
  const auto [stream, setting, result] = GENERATE(table<UINT, UINT, HRESULT>({
      {0, 1, S_OK},
      {0, D3DSTREAMSOURCE_INDEXEDDATA | 5, S_OK},
      {1, D3DSTREAMSOURCE_INSTANCEDATA | 1, S_OK},
      {0, D3DSTREAMSOURCE_INSTANCEDATA | 1, D3DERR_INVALIDCALL},
      {1, D3DSTREAMSOURCE_INSTANCEDATA | D3DSTREAMSOURCE_INDEXEDDATA | 1, D3DERR_INVALIDCALL},
      {1, 0, D3DERR_INVALIDCALL},
      {16, 1, D3DERR_INVALIDCALL},
  }));
  state_rig rig;
  CHECK(rig.device->SetStreamSourceFreq(stream, setting) == result);
}

TEST_CASE("an event that was issued is signalled at last", "[wine][d3d9][T269]") {
  state_rig rig;
  owned<d3d9::IDirect3DQuery9> query;
  CHECK(rig.device->CreateQuery(D3DQUERYTYPE_EVENT, nullptr) == S_OK);
  REQUIRE(rig.device->CreateQuery(D3DQUERYTYPE_EVENT, query.out()) == S_OK);
  CHECK(query->GetType() == D3DQUERYTYPE_EVENT);
  CHECK(query->GetDataSize() == sizeof(BOOL));
  CHECK(query->Issue(D3DISSUE_BEGIN) == D3DERR_INVALIDCALL);
  CHECK(query->Issue(D3DISSUE_END) == S_OK);
  BOOL is_signalled = 0;
  HRESULT result = S_FALSE;
  constexpr int most_polls = 1000;
  for (int i = 0; i < most_polls && result == S_FALSE; ++i)
    result = query->GetData(&is_signalled, sizeof is_signalled, D3DGETDATA_FLUSH);
  CHECK(result == S_OK);
  CHECK(is_signalled == 1);
  CHECK(query->GetData(nullptr, 0, 0) == S_OK);
  CHECK(query->GetData(nullptr, 4, 0) == D3DERR_INVALIDCALL);
}

TEST_CASE("a query that was never issued is done, with bytes that nobody wrote",
          "[wine][d3d9][T269]") {
  state_rig rig;
  owned<d3d9::IDirect3DQuery9> query;
  REQUIRE(rig.device->CreateQuery(D3DQUERYTYPE_EVENT, query.out()) == S_OK);
  CHECK(query->GetData(nullptr, 0, D3DGETDATA_FLUSH) == S_OK);
  CHECK(query->Issue(D3DISSUE_BEGIN) == D3DERR_INVALIDCALL);
  std::array<BYTE, 6> answer{};
  const auto [bytes, written] = GENERATE(table<DWORD, std::size_t>({{2, 2}, {4, 4}, {6, 4}}));
  CHECK(query->GetData(answer.data(), bytes, 0) == S_OK);
  std::array<BYTE, 6> expected{};
  std::fill_n(expected.begin(), written, BYTE{0xDD});
  CHECK(answer == expected);
}

TEST_CASE("queries that nobody answers are not to be had", "[wine][d3d9][T269]") {
  state_rig rig;
  owned<d3d9::IDirect3DQuery9> query;
  const auto type = GENERATE(0, 3, 7, 13, 19, 1000);
  CHECK(rig.device->CreateQuery(static_cast<D3DQUERYTYPE>(type), nullptr) == D3DERR_NOTAVAILABLE);
  CHECK(rig.device->CreateQuery(static_cast<D3DQUERYTYPE>(type), query.out()) ==
        D3DERR_NOTAVAILABLE);
}

}  // namespace
}  // namespace aerogpu::test
