// SPDX-License-Identifier: MIT
#include "tests/drivers/wine/umd/pictures.hpp"

#include "drivers/sim/runtime/d3d9/d3d9_device.hpp"
#include "tests/drivers/support/present_parameters.hpp"

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <span>
#include <vector>

namespace aerogpu::test {
namespace {

constexpr UINT width = 128, height = 96;
constexpr DWORD fvf_xyz = 0x002, fvf_xyzrhw = 0x004, fvf_normal = 0x010, fvf_diffuse = 0x040,
                fvf_tex1 = 0x100;

struct colored_vertex {
  float x, y, z, w;
  D3DCOLOR color;
};
struct textured_vertex {
  float x, y, z, w;
  D3DCOLOR color;
  float u, v;
};
struct lit_vertex {
  float x, y, z;
  float nx, ny, nz;
};

template <class T>
[[nodiscard]] auto bytes(const T& list) -> std::span<const std::byte> {
  return std::as_bytes(std::span{list});
}

/// A process with a device, and how often something went wrong.
class program {
 public:
  program(sim::d3d9_runtime& runtime, std::uint32_t id)
      : process(runtime, id), adapter(process), device(adapter) {
    auto wanted = windowed_parameters(width, height);
    wanted.EnableAutoDepthStencil = 1;
    wanted.AutoDepthStencilFormat = D3DFMT_D24S8;
    good("OpenAdapter", adapter.open());
    if (failures == 0) good("CreateDevice", device.create(wanted));
  }
  auto good(const char* what, HRESULT result) -> bool {
    if (result == S_OK) return true;
    std::printf("%s: 0x%08x\n", what, static_cast<unsigned>(result));
    ++failures;
    return false;
  }
  void begin(D3DCOLOR color) {
    constexpr DWORD target_and_depth = 3;
    good("BeginScene", device.begin_scene());
    good("Clear", device.clear({}, target_and_depth, color, 1.0F, 0));
    good("CullMode", device.set_render_state(D3DRS_CULLMODE, 1));
    good("Lighting", device.set_render_state(D3DRS_LIGHTING, 0));
  }
  /// Reads the surface back and writes it.
  void save(const sim::d3d9_surface& from, D3DFORMAT format, const std::string& path) {
    sim::d3d9_resource* copy = nullptr;
    const auto size = from.whole();
    const auto columns = static_cast<UINT>(size.right), rows = static_cast<UINT>(size.bottom);
    if (!good("CreateOffscreenPlainSurface", device.create_offscreen_plain_surface(
                                                 columns, rows, format, D3DPOOL_SYSTEMMEM, copy)))
      return;
    good("GetRenderTargetData", device.get_render_target_data(from, {copy, 0}));
    D3DLOCKED_RECT locked{};
    if (good("LockRect", device.lock_rect({copy, 0}, locked, nullptr, 0))) {
      write(locked, columns, rows, path);
      good("UnlockRect", device.unlock_rect({copy, 0}));
    }
    good("Release", device.release(copy));
  }
  void end(const std::string& path) {
    good("EndScene", device.end_scene());
    save(device.get_back_buffer(0), D3DFMT_X8R8G8B8, path);
    good("PresentEx", device.present_ex());
    good("Destroy", device.destroy());
  }

  sim::d3d9_process process;
  sim::d3d9_adapter adapter;
  sim::d3d9_device device;
  int failures = 0;

 private:
  void write(const D3DLOCKED_RECT& pixels, UINT columns, UINT rows, const std::string& path) {
    auto* const file = std::fopen(path.c_str(), "wb");
    if (file == nullptr) {
      std::printf("%s cannot be written\n", path.c_str());
      ++failures;
      return;
    }
    std::fprintf(file, "P6\n%u %u\n255\n", columns, rows);
    for (UINT y = 0; y < rows; ++y) {
      const auto* const row =
          static_cast<const std::byte*>(pixels.pBits) + static_cast<std::size_t>(pixels.Pitch) * y;
      for (UINT x = 0; x < columns; ++x) {
        const std::array rgb{row[4 * x + 2], row[4 * x + 1], row[4 * x]};
        std::fwrite(rgb.data(), 1, rgb.size(), file);
      }
    }
    std::fclose(file);
  }
};

void draw_triangle(program& p) {
  constexpr std::array corners{colored_vertex{64, 8, 0.5F, 1, 0xFFFF0000},
                               colored_vertex{120, 88, 0.5F, 1, 0xFF00FF00},
                               colored_vertex{8, 88, 0.5F, 1, 0xFF0000FF}};
  p.begin(0xFF203040);
  p.good("FVF", p.device.set_fvf(fvf_xyzrhw | fvf_diffuse));
  p.good("Draw",
         p.device.draw_primitive_up(D3DPT_TRIANGLELIST, 1, bytes(corners), sizeof(colored_vertex)));
}

void draw_textured_quad(program& p) {
  constexpr UINT edge = 16;
  constexpr std::array corners{textured_vertex{16, 8, 0.5F, 1, 0xFFFFFFFF, 0, 0},
                               textured_vertex{112, 8, 0.5F, 1, 0xFFFFFFFF, 2, 0},
                               textured_vertex{16, 88, 0.5F, 1, 0xFFFFFFFF, 0, 2},
                               textured_vertex{112, 88, 0.5F, 1, 0xFFFFC0C0, 2, 2}};
  constexpr DWORD dynamic = 0x200, discard = 0x2000;
  p.begin(0xFF000000);
  sim::d3d9_resource* texture = nullptr;
  if (!p.good("CreateTexture", p.device.create_texture(edge, edge, 1, dynamic, D3DFMT_A8R8G8B8,
                                                       D3DPOOL_DEFAULT, texture)))
    return;
  D3DLOCKED_RECT locked{};
  if (p.good("LockRect", p.device.lock_rect({texture, 0}, locked, nullptr, discard))) {
    for (UINT y = 0; y < edge; ++y) {
      auto* const row =
          static_cast<std::byte*>(locked.pBits) + static_cast<std::size_t>(locked.Pitch) * y;
      for (UINT x = 0; x < edge; ++x) {
        const std::uint32_t texel = 0xFF000000u | x * 16 << 16 | y * 16 << 8 | ((x ^ y) & 1) * 255;
        std::memcpy(row + 4 * x, &texel, sizeof texel);
      }
    }
    p.good("UnlockRect", p.device.unlock_rect({texture, 0}));
  }
  p.good("SetTexture", p.device.set_texture(0, texture));
  p.good("FVF", p.device.set_fvf(fvf_xyzrhw | fvf_diffuse | fvf_tex1));
  p.good("Draw", p.device.draw_primitive_up(D3DPT_TRIANGLESTRIP, 2, bytes(corners),
                                            sizeof(textured_vertex)));
  p.good("SetTexture", p.device.set_texture(0, nullptr));
  p.good("Release", p.device.release(texture));
}

void draw_dynamic_buffer(program& p) {
  constexpr DWORD dynamic_write_only = 0x208, discard = 0x2000;
  constexpr UINT rounds = 24;
  p.begin(0xFF101010);
  sim::d3d9_resource* buffer = nullptr;
  if (!p.good("CreateVertexBuffer",
              p.device.create_vertex_buffer(4 * sizeof(colored_vertex), dynamic_write_only,
                                            fvf_xyzrhw | fvf_diffuse, D3DPOOL_DEFAULT, buffer)))
    return;
  p.good("FVF", p.device.set_fvf(fvf_xyzrhw | fvf_diffuse));
  p.good("SetStreamSource", p.device.set_stream_source(0, buffer, 0, sizeof(colored_vertex)));
  for (UINT i = 0; i < rounds; ++i) {
    const float left = static_cast<float>(4 + i * 5), top = static_cast<float>(4 + (i * 7) % 60);
    const D3DCOLOR color = 0xFF000000u | i * 10 << 16 | (255 - i * 10) << 8 | 0x40;
    const std::array corners{colored_vertex{left, top, 0.5F, 1, color},
                             colored_vertex{left + 9, top, 0.5F, 1, color},
                             colored_vertex{left, top + 21, 0.5F, 1, color},
                             colored_vertex{left + 9, top + 21, 0.5F, 1, 0xFFFFFFFF}};
    void* at = nullptr;
    if (!p.good("Lock", p.device.lock(*buffer, 0, sizeof corners, at, discard))) break;
    std::memcpy(at, corners.data(), sizeof corners);
    p.good("Unlock", p.device.unlock(*buffer));
    p.good("Draw", p.device.draw_primitive(D3DPT_TRIANGLESTRIP, 0, 2));
  }
  p.good("SetStreamSource", p.device.set_stream_source(0, nullptr, 0, 0));
  p.good("Release", p.device.release(buffer));
}

/// A hill of lit triangles, transformed by the fixed function.
void draw_lit_mesh(program& p) {
  constexpr int cells = 8;
  std::vector<lit_vertex> mesh;
  const auto vertex = [](int column, int row) {
    const float x = static_cast<float>(column - cells / 2) / 4;
    const float y = static_cast<float>(row - cells / 2) / 4;
    return lit_vertex{x, y, 1 - (x * x + y * y) / 4, x / 2, y / 2, -1};
  };
  for (int row = 0; row < cells; ++row) {
    for (int column = 0; column < cells; ++column) {
      const std::array around{vertex(column, row), vertex(column + 1, row), vertex(column, row + 1),
                              vertex(column + 1, row + 1)};
      for (const std::size_t i : {0u, 1u, 2u, 2u, 1u, 3u}) mesh.push_back(around[i]);
    }
  }
  p.begin(0xFF000020);
  D3DMATRIX projection{};
  projection.m[0][0] = projection.m[1][1] = 0.9F;
  projection.m[2][2] = 0.25F;
  projection.m[3][2] = 0.25F;
  projection.m[3][3] = 1;
  D3DMATERIAL9 material{};
  material.Diffuse = {1, 0.75F, 0.5F, 1};
  material.Ambient = {0.25F, 0.25F, 0.25F, 1};
  D3DLIGHT9 light{};
  light.Type = D3DLIGHT_DIRECTIONAL;
  light.Diffuse = {1, 1, 1, 1};
  light.Direction = {0.5F, 0.25F, 1};
  p.good("Lighting", p.device.set_render_state(D3DRS_LIGHTING, 1));
  p.good("Ambient", p.device.set_render_state(D3DRS_AMBIENT, 0xFF404040));
  p.good("NormalizeNormals", p.device.set_render_state(D3DRS_NORMALIZENORMALS, 1));
  p.good("SetTransform", p.device.set_transform(D3DTS_PROJECTION, projection));
  p.good("SetMaterial", p.device.set_material(material));
  p.good("SetLight", p.device.set_light(0, light));
  p.good("LightEnable", p.device.light_enable(0, true));
  p.good("FVF", p.device.set_fvf(fvf_xyz | fvf_normal));
  p.good("Draw", p.device.draw_primitive_up(D3DPT_TRIANGLELIST, static_cast<UINT>(mesh.size() / 3),
                                            bytes(mesh), sizeof(lit_vertex)));
}

struct picture {
  const char* name;
  void (*draw)(program&);
};
constexpr std::array pictures{
    picture{"triangle", &draw_triangle}, picture{"textured_quad", &draw_textured_quad},
    picture{"dynamic_buffer", &draw_dynamic_buffer}, picture{"lit_mesh", &draw_lit_mesh}};

[[nodiscard]] auto breaches(sim::d3d9_runtime& runtime) -> int {
  std::fputs(runtime.rules.text().c_str(), stdout);
  return static_cast<int>(runtime.rules.count());
}

constexpr UINT shared_edge = 32;

}  // namespace

auto open_device(sim::user_driver driver) -> int {
  sim::d3d9_runtime runtime{driver};
  program p{runtime, 200};
  if (p.failures == 0) {
    p.begin(0xFF000000);
    p.good("EndScene", p.device.end_scene());
    p.good("PresentEx", p.device.present_ex());
    p.good("Destroy", p.device.destroy());
  }
  return p.failures + breaches(runtime);
}

auto draw_pictures(sim::user_driver driver, const std::string& folder) -> int {
  sim::d3d9_runtime runtime{driver};
  int failures = 0;
  std::uint32_t id = 100;
  for (const auto& one : pictures) {
    program p{runtime, ++id};
    if (p.failures == 0) one.draw(p);
    if (p.failures == 0) p.end(folder + "/" + one.name + ".ppm");
    failures += p.failures;
    if (p.failures == 0) std::printf("picture %s\n", one.name);
  }
  return failures + breaches(runtime);
}

auto produce_surface(sim::user_driver driver) -> int {
  sim::d3d9_runtime runtime{driver};
  program p{runtime, 201};
  sim::d3d9_resource* made = nullptr;
  constexpr DWORD render_target = 1;
  if (p.failures != 0 ||
      !p.good("CreateTexture", p.device.create_shared_texture(
                                   shared_edge, shared_edge, render_target, D3DFMT_A8R8G8B8, made)))
    return p.failures;
  constexpr RECT corner{8, 4, 28, 20};
  p.good("ColorFill", p.device.color_fill({made, 0}, nullptr, 0xFF2040C0));
  p.good("ColorFill", p.device.color_fill({made, 0}, &corner, 0xFFE0A010));
  p.good("Flush", p.device.flush());
  std::printf("share %u\n", static_cast<unsigned>(made->share));
  std::fflush(stdout);
  static_cast<void>(std::getchar());
  p.good("ColorFill", p.device.color_fill({made, 0}, nullptr, 0xFF000000));
  p.good("Flush", p.device.flush());
  p.good("Release", p.device.release(made));
  p.good("Destroy", p.device.destroy());
  return p.failures + breaches(runtime);
}

auto consume_surface(sim::user_driver driver, std::uint32_t share, const std::string& folder)
    -> int {
  sim::d3d9_runtime runtime{driver};
  program p{runtime, 202};
  sim::d3d9_resource* opened = nullptr;
  if (p.failures != 0 || !p.good("OpenResource", p.device.open_shared(share, opened)))
    return p.failures;
  sim::d3d9_resource* copy = nullptr;
  if (p.good("CreateRenderTarget", p.device.create_render_target(shared_edge, shared_edge,
                                                                 D3DFMT_A8R8G8B8, false, copy))) {
    p.good("StretchRect",
           p.device.stretch_rect({opened, 0}, nullptr, {copy, 0}, nullptr, D3DTEXF_POINT));
    p.save({copy, 0}, D3DFMT_A8R8G8B8, folder + "/shared.ppm");
    p.good("Release", p.device.release(copy));
  }
  p.good("Release", p.device.release(opened));
  p.good("Destroy", p.device.destroy());
  return p.failures + breaches(runtime);
}

}  // namespace aerogpu::test
