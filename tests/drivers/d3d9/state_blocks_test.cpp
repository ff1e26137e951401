// SPDX-License-Identifier: MIT
#include "tests/drivers/d3d9/state_rig.hpp"

namespace aerogpu::test {
namespace {

using any_block = owned<d3d9::IDirect3DStateBlock9>;

[[nodiscard]] auto block_of(state_rig& rig, D3DSTATEBLOCKTYPE type) -> any_block {
  any_block made;
  REQUIRE(rig.device->CreateStateBlock(type, made.out()) == S_OK);
  return made;
}

/// Begins, sets one state, ends.
[[nodiscard]] auto record_lighting(state_rig& rig, DWORD value) -> any_block {
  any_block made;
  REQUIRE(rig.device->BeginStateBlock() == S_OK);
  CHECK(rig.device->SetRenderState(D3DRS_LIGHTING, value) == S_OK);
  REQUIRE(rig.device->EndStateBlock(made.out()) == S_OK);
  return made;
}

TEST_CASE("what is recorded reaches neither the device nor the driver", "[wine][d3d9][T263]") {
  state_rig rig;
  const auto block = record_lighting(rig, 0);
  CHECK(heard.all() == 0);
  CHECK(rig.render_state(D3DRS_LIGHTING) == 1);
  CHECK(block->Apply() == S_OK);
  CHECK(rig.render_state(D3DRS_LIGHTING) == 0);
  CHECK(heard.all() == 1);
}

TEST_CASE("a recording excludes other blocks and Reset", "[wine][d3d9][T263]") {
  state_rig rig;
  const auto block = record_lighting(rig, 0);
  any_block other;
  CHECK(rig.device->EndStateBlock(other.out()) == D3DERR_INVALIDCALL);
  REQUIRE(rig.device->BeginStateBlock() == S_OK);
  CHECK(rig.device->BeginStateBlock() == D3DERR_INVALIDCALL);
  CHECK(rig.device->CreateStateBlock(D3DSBT_ALL, other.out()) == D3DERR_INVALIDCALL);
  CHECK(block->Apply() == D3DERR_INVALIDCALL);
  CHECK(block->Capture() == D3DERR_INVALIDCALL);
  auto wanted = rig.windowed();
  CHECK(rig.device->Reset(&wanted) == D3DERR_INVALIDCALL);
  CHECK(rig.device->EndStateBlock(other.out()) == S_OK);
}

TEST_CASE("MultiplyTransform is not recorded", "[wine][d3d9][T263]") {
  state_rig rig;
  any_block block;
  D3DMATRIX found{};
  REQUIRE(rig.device->BeginStateBlock() == S_OK);
  CHECK(rig.device->MultiplyTransform(D3DTS_WORLD, &doubling) == S_OK);
  REQUIRE(rig.device->EndStateBlock(block.out()) == S_OK);
  CHECK(rig.device->GetTransform(D3DTS_WORLD, &found) == S_OK);
  CHECK(found._11 == 2.0F);
  CHECK(rig.device->MultiplyTransform(D3DTS_WORLD, &doubling) == S_OK);
  CHECK(block->Apply() == S_OK);
  CHECK(rig.device->GetTransform(D3DTS_WORLD, &found) == S_OK);
  CHECK(found._11 == 4.0F);
}

TEST_CASE("Capture takes only what the block holds", "[wine][d3d9][block]") {
  state_rig rig;
  const auto block = record_lighting(rig, 0);
  CHECK(rig.device->SetRenderState(D3DRS_AMBIENT, 5) == S_OK);
  CHECK(block->Capture() == S_OK);
  CHECK(rig.device->SetRenderState(D3DRS_LIGHTING, 0) == S_OK);
  CHECK(rig.device->SetRenderState(D3DRS_AMBIENT, 6) == S_OK);
  CHECK(block->Apply() == S_OK);
  CHECK(rig.render_state(D3DRS_LIGHTING) == 1);
  CHECK(rig.render_state(D3DRS_AMBIENT) == 6);
}

TEST_CASE("each kind of block holds its states", "[wine][d3d9][block]") {
  struct row {
    D3DRENDERSTATETYPE state;
    bool is_vertex;
    bool is_pixel;
  };
  const auto& chosen =
      GENERATE(row{D3DRS_LIGHTING, true, false}, row{D3DRS_ZFUNC, false, true},
               row{D3DRS_FOGSTART, true, true}, row{D3DRS_SHADEMODE, true, true},
               row{D3DRS_CULLMODE, true, false}, row{D3DRS_SCISSORTESTENABLE, false, true},
               row{D3DRS_WRAP15, false, true}, row{D3DRS_POINTSIZE, true, false});
  const auto type = GENERATE(D3DSBT_ALL, D3DSBT_PIXELSTATE, D3DSBT_VERTEXSTATE);
  state_rig rig;
  INFO("state " << chosen.state << " type " << type);
  CHECK(rig.device->SetRenderState(chosen.state, 1) == S_OK);
  const auto block = block_of(rig, type);
  CHECK(rig.device->SetRenderState(chosen.state, 2) == S_OK);
  CHECK(block->Apply() == S_OK);
  const bool is_held = type == D3DSBT_ALL || (type == D3DSBT_PIXELSTATE && chosen.is_pixel) ||
                       (type == D3DSBT_VERTEXSTATE && chosen.is_vertex);
  CHECK(rig.render_state(chosen.state) == (is_held ? 1u : 2u));
}

TEST_CASE("transforms, textures, streams and the viewport are in blocks of everything alone",
          "[wine][d3d9][block]") {
  const auto type = GENERATE(D3DSBT_ALL, D3DSBT_PIXELSTATE, D3DSBT_VERTEXSTATE);
  const bool is_held = type == D3DSBT_ALL;
  state_rig rig;
  const auto buffer = rig.vertex_buffer(64);
  const auto indices = rig.index_buffer(64);
  const auto texture = [&] {
    any_2d_texture made;
    REQUIRE(rig.device->CreateTexture(4, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, made.out(),
                                      nullptr) == S_OK);
    return made;
  }();
  const D3DVIEWPORT9 part{1, 1, 2, 2, 0, 1};
  const D3DVIEWPORT9 other{0, 0, 3, 3, 0, 1};
  CHECK(rig.device->SetTransform(D3DTS_TEXTURE7, &doubling) == S_OK);
  CHECK(rig.device->SetTexture(3, texture.get()) == S_OK);
  CHECK(rig.device->SetStreamSource(2, buffer.get(), 4, 8) == S_OK);
  CHECK(rig.device->SetIndices(indices.get()) == S_OK);
  CHECK(rig.device->SetViewport(&part) == S_OK);
  const auto block = block_of(rig, type);
  D3DMATRIX zero{};
  CHECK(rig.device->SetTransform(D3DTS_TEXTURE7, &zero) == S_OK);
  CHECK(rig.device->SetTexture(3, nullptr) == S_OK);
  CHECK(rig.device->SetStreamSource(2, nullptr, 0, 0) == S_OK);
  CHECK(rig.device->SetIndices(nullptr) == S_OK);
  CHECK(rig.device->SetViewport(&other) == S_OK);
  CHECK(block->Apply() == S_OK);

  D3DMATRIX matrix{};
  D3DVIEWPORT9 viewport{};
  owned<d3d9::IDirect3DBaseTexture9> bound_texture;
  owned<d3d9::IDirect3DVertexBuffer9> bound_buffer;
  owned<d3d9::IDirect3DIndexBuffer9> bound_indices;
  CHECK(rig.device->GetTransform(D3DTS_TEXTURE7, &matrix) == S_OK);
  CHECK(rig.device->GetTexture(3, bound_texture.out()) == S_OK);
  CHECK(rig.device->GetStreamSource(2, bound_buffer.out(), nullptr, nullptr) == S_OK);
  CHECK(rig.device->GetIndices(bound_indices.out()) == S_OK);
  CHECK(rig.device->GetViewport(&viewport) == S_OK);
  CHECK(matrix._11 == (is_held ? 2.0F : 0.0F));
  CHECK((bound_texture.get() == texture.get()) == is_held);
  CHECK((bound_buffer.get() == buffer.get()) == is_held);
  CHECK((bound_indices.get() == indices.get()) == is_held);
  CHECK(viewport.Width == (is_held ? 2u : 3u));
}

TEST_CASE("Capture keeps the offset that a stream had", "[wine][d3d9][block]") {
  state_rig rig;
  const auto buffer = rig.vertex_buffer(64);
  CHECK(rig.device->SetStreamSource(0, buffer.get(), 4, 16) == S_OK);
  const auto block = block_of(rig, D3DSBT_ALL);
  CHECK(rig.device->SetStreamSource(0, buffer.get(), 8, 32) == S_OK);
  CHECK(block->Capture() == S_OK);
  CHECK(rig.device->SetStreamSource(0, buffer.get(), 12, 12) == S_OK);
  CHECK(block->Apply() == S_OK);
  owned<d3d9::IDirect3DVertexBuffer9> found;
  UINT offset = 0;
  UINT stride = 0;
  CHECK(rig.device->GetStreamSource(0, found.out(), &offset, &stride) == S_OK);
  CHECK(offset == 4);
  CHECK(stride == 32);
}

TEST_CASE("a declaration that was captured while there was none takes none away",
          "[wine][d3d9][block]") {
  state_rig rig;
  const auto block = block_of(rig, D3DSBT_VERTEXSTATE);
  CHECK(rig.device->SetFVF(D3DFVF_XYZ) == S_OK);
  CHECK(block->Apply() == S_OK);
  DWORD format = 0;
  CHECK(rig.device->GetFVF(&format) == S_OK);
  CHECK(format == D3DFVF_XYZ);
}

TEST_CASE("lights are captured with the vertices' states", "[wine][d3d9][block]") {
  state_rig rig;
  D3DLIGHT9 light{};
  light.Type = D3DLIGHT_POINT;
  light.Range = 3;
  CHECK(rig.device->SetLight(4, &light) == S_OK);
  CHECK(rig.device->LightEnable(4, 1) == S_OK);
  const auto block = block_of(rig, D3DSBT_VERTEXSTATE);
  light.Range = 9;
  CHECK(rig.device->SetLight(4, &light) == S_OK);
  CHECK(rig.device->LightEnable(4, 0) == S_OK);
  CHECK(block->Apply() == S_OK);
  BOOL is_enabled = 0;
  CHECK(rig.device->GetLight(4, &light) == S_OK);
  CHECK(rig.device->GetLightEnable(4, &is_enabled) == S_OK);
  CHECK(light.Range == 3.0F);
  CHECK(is_enabled != 0);
}

TEST_CASE("a block keeps what it binds, and the device lives while it does",
          "[wine][d3d9][block]") {
  state_rig rig;
  any_block block;
  auto buffer = rig.vertex_buffer(64);
  auto* const plain = buffer.get();
  REQUIRE(rig.device->BeginStateBlock() == S_OK);
  CHECK(rig.device->SetStreamSource(1, plain, 0, 4) == S_OK);
  REQUIRE(rig.device->EndStateBlock(block.out()) == S_OK);
  buffer.reset();
  CHECK(block->Apply() == S_OK);
  owned<d3d9::IDirect3DVertexBuffer9> found;
  CHECK(rig.device->GetStreamSource(1, found.out(), nullptr, nullptr) == S_OK);
  CHECK(found.get() == plain);
  CHECK(rig.device->SetStreamSource(1, nullptr, 0, 0) == S_OK);
}

TEST_CASE("constants are recorded by the register", "[wine][d3d9][block]") {
  state_rig rig;
  const std::array<float, 8> ones{1, 1, 1, 1, 1, 1, 1, 1};
  const std::array<float, 12> twos{2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2};
  std::array<float, 12> found{};
  any_block block;
  REQUIRE(rig.device->BeginStateBlock() == S_OK);
  CHECK(rig.device->SetVertexShaderConstantF(1, ones.data(), 1) == S_OK);
  REQUIRE(rig.device->EndStateBlock(block.out()) == S_OK);
  CHECK(rig.device->SetVertexShaderConstantF(0, twos.data(), 3) == S_OK);
  CHECK(block->Apply() == S_OK);
  CHECK(rig.device->GetVertexShaderConstantF(0, found.data(), 3) == S_OK);
  CHECK(found[0] == 2.0F);
  CHECK(found[4] == 1.0F);
  CHECK(found[8] == 2.0F);
}

TEST_CASE("there are three kinds of blocks", "[wine][d3d9][block]") {
  state_rig rig;
  any_block made;
  const auto type = GENERATE(0, 4, -1);
  CHECK(rig.device->CreateStateBlock(static_cast<D3DSTATEBLOCKTYPE>(type), made.out()) ==
        D3DERR_INVALIDCALL);
  CHECK(rig.device->CreateStateBlock(D3DSBT_ALL, nullptr) == D3DERR_INVALIDCALL);
}

}  // namespace
}  // namespace aerogpu::test
