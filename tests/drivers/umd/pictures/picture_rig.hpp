// SPDX-License-Identifier: MIT
/// \file An application of the real driver on the whole stack, from the API's calls to pixels of a
/// Vulkan device.
#pragma once

#include "tests/drivers/support/d3d9_application.hpp"
#include "tests/drivers/support/vulkan_pc.hpp"
#include "tests/drivers/umd/rigs/driver_profiles.hpp"
#include "tests/drivers/umd/rigs/quiet_system.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

namespace aerogpu::test {

using golden::image;
using golden::rgba;
using stack = running_runtime<vulkan::vulkan_backend>;

inline constexpr int picture_width = 64, picture_height = 48;

/// Command buffers of these sizes, by turns, whatever the driver wishes.
[[nodiscard]] inline auto buffers_of(std::vector<sim::space_size> sizes) -> sim::runtime_options {
  sim::runtime_options options;
  options.spaces.sizes = std::move(sizes);
  options.spaces.honours_resize = false;
  return options;
}
/// The smallest that holds every packet of most scenes: a frame takes many submissions.
inline constexpr UINT smallest_buffer_bytes = 512;
/// The buffers that a scene must look the same in: the kernel's; the smallest; one of another size
/// after each submission. Then those of profile U's runtimes: one for each owner of buffers and
/// each way to submit.
[[nodiscard]] inline auto each_buffers(UINT smallest_bytes = smallest_buffer_bytes)
    -> std::vector<sim::runtime_options> {
  using sim::portable_lending;
  const sim::space_size smallest{smallest_bytes, 6};
  const auto turns = buffers_of({smallest, {4096, 16}, {smallest_bytes + 64, 7}, {65536, 64}});
  std::vector<sim::runtime_options> all{sim::runtime_options{}, buffers_of({smallest}), turns};
  const auto add = [&](sim::portable_routes routes, portable_lending lending,
                       const sim::runtime_options& buffers) {
    sim::portable_variance how;
    how.routes = routes;
    how.lending = lending;
    how.has_patches = routes.has_present;
    how.has_sync_object = lending == portable_lending::rotating;
    how.lies_in_dma_buffer = lending == portable_lending::borrowed;
    all.push_back(portable_runtime(how, buffers));
  };
  add({true, true, false, false}, portable_lending::rotating, turns);
  add({false, false, false, true}, portable_lending::kept, buffers_of({smallest}));
  add({true, false, false, false}, portable_lending::borrowed, {});
  add({true, false, true, true}, portable_lending::allocated, turns);
  return all;
}

/// XYZRHW with a colour.
struct screen_vertex {
  float x, y, z, rhw;
  D3DCOLOR color;
};
inline constexpr DWORD screen_format = D3DFVF_XYZRHW | D3DFVF_DIFFUSE;
/// XYZRHW with one texture coordinate.
struct texel_vertex {
  float x, y, z, rhw;
  float u, v;
};
inline constexpr DWORD texel_format = D3DFVF_XYZRHW | (1u << D3DFVF_TEXCOUNT_SHIFT);

/// A strip whose edges are those of pixels: Direct3D 9 has pixel centres at whole numbers.
[[nodiscard]] inline auto screen_quad(const golden::area& at, D3DCOLOR color, float z = 0)
    -> std::array<screen_vertex, 4> {
  const auto left = static_cast<float>(at.x) - 0.5f, top = static_cast<float>(at.y) - 0.5f;
  const auto right = left + static_cast<float>(at.width);
  const auto bottom = top + static_cast<float>(at.height);
  return {{{left, top, z, 1, color},
           {right, top, z, 1, color},
           {left, bottom, z, 1, color},
           {right, bottom, z, 1, color}}};
}
/// All of a texture over `at`.
[[nodiscard]] inline auto texel_quad(const golden::area& at) -> std::array<texel_vertex, 4> {
  std::array<texel_vertex, 4> made{};
  const auto corners = screen_quad(at, 0);
  for (std::size_t i = 0; i < made.size(); ++i) {
    made[i] = {corners[i].x, corners[i].y, 0, 1, i % 2 == 1 ? 1.0f : 0.0f, i >= 2 ? 1.0f : 0.0f};
  }
  return made;
}

[[nodiscard]] constexpr auto rgb_of(D3DCOLOR argb) -> rgba {
  return {static_cast<std::uint8_t>(argb >> 16), static_cast<std::uint8_t>(argb >> 8),
          static_cast<std::uint8_t>(argb), 255};
}

[[nodiscard]] inline auto rect_of(const golden::area& at) -> RECT {
  return {at.x, at.y, at.x + at.width, at.y + at.height};
}

/// A device in a window, and what a picture needs of it.
class picture_application : public d3d9_application {
 public:
  explicit picture_application(stack& w, std::uint32_t process = 7)
      : d3d9_application(w.runtime, process) {}

  /// With a depth surface when asked; no lighting, no culling.
  void start_windowed(bool has_depth = false) {
    auto wanted = windowed(picture_width, picture_height);
    wanted.EnableAutoDepthStencil = has_depth ? 1 : 0;
    wanted.AutoDepthStencilFormat = D3DFMT_D24S8;
    start(wanted);
    prepare();
  }
  void prepare() {
    REQUIRE(device.set_render_state(D3DRS_LIGHTING, 0) == S_OK);
    REQUIRE(device.set_render_state(D3DRS_CULLMODE, D3DCULL_NONE) == S_OK);
  }
  void clear(D3DCOLOR color) { REQUIRE(device.clear({}, D3DCLEAR_TARGET, color, 1, 0) == S_OK); }
  template <class Vertex, std::size_t N>
  void draw_strip(DWORD format, const std::array<Vertex, N>& vertices) {
    REQUIRE(device.set_fvf(format) == S_OK);
    REQUIRE(device.draw_primitive_up(D3DPT_TRIANGLESTRIP, N - 2, std::as_bytes(std::span{vertices}),
                                     sizeof(Vertex)) == S_OK);
  }
  void fill(const golden::area& at, D3DCOLOR color, float z = 0) {
    draw_strip(screen_format, screen_quad(at, color, z));
  }

  /// A texture whose levels have these texels, put there by UpdateTexture.
  template <class Texel>
  [[nodiscard]] auto make_texture(UINT width, UINT height, D3DFORMAT format,
                                  std::initializer_list<std::vector<Texel>> levels)
      -> sim::d3d9_resource* {
    sim::d3d9_resource *staging = nullptr, *made = nullptr;
    const auto count = static_cast<UINT>(levels.size());
    REQUIRE(device.create_texture(width, height, count, 0, format, D3DPOOL_SYSTEMMEM, staging) ==
            S_OK);
    REQUIRE(device.create_texture(width, height, count, 0, format, D3DPOOL_DEFAULT, made) == S_OK);
    UINT level = 0;
    for (const std::vector<Texel>& texels : levels) {
      D3DLOCKED_RECT locked{};
      REQUIRE(device.lock_rect({staging, level}, locked, nullptr, 0) == S_OK);
      const std::size_t columns = std::max(width >> level, 1u);
      REQUIRE(texels.size() == columns * std::max(height >> level, 1u));
      for (std::size_t row = 0; row * columns < texels.size(); ++row) {
        std::memcpy(
            static_cast<std::byte*>(locked.pBits) + row * static_cast<std::size_t>(locked.Pitch),
            &texels[row * columns], columns * sizeof(Texel));
      }
      REQUIRE(device.unlock_rect({staging, level}) == S_OK);
      ++level;
    }
    REQUIRE(device.update_texture(*staging, *made) == S_OK);
    REQUIRE(device.release(staging) == S_OK);
    return made;
  }

  template <class T, std::size_t N>
  void write_buffer(sim::d3d9_resource& buffer, std::span<const T, N> values, UINT offset = 0,
                    DWORD flags = 0) {
    void* bytes = nullptr;
    REQUIRE(device.lock(buffer, offset, static_cast<UINT>(values.size_bytes()), bytes, flags) ==
            S_OK);
    std::memcpy(bytes, values.data(), values.size_bytes());
    REQUIRE(device.unlock(buffer) == S_OK);
  }

  /// The pixels of a surface as an application gets them: GetRenderTargetData, LockRect. Opaque.
  [[nodiscard]] auto read(const sim::d3d9_surface& surface) -> image {
    const auto& part = surface.part();
    const D3DFORMAT format = surface.resource->description.format;
    sim::d3d9_resource* memory = nullptr;
    REQUIRE(device.create_offscreen_plain_surface(part.width, part.height, format,
                                                  D3DPOOL_SYSTEMMEM, memory) == S_OK);
    REQUIRE(device.get_render_target_data(surface, {memory, 0}) == S_OK);
    D3DLOCKED_RECT locked{};
    REQUIRE(device.lock_rect({memory, 0}, locked, nullptr, D3DLOCK_READONLY) == S_OK);
    const auto made = image::made_by(
        static_cast<int>(part.width), static_cast<int>(part.height), [&](int x, int y) {
          D3DCOLOR pixel = 0;
          std::memcpy(&pixel,
                      static_cast<const std::byte*>(locked.pBits) +
                          static_cast<std::ptrdiff_t>(y) * locked.Pitch + x * 4,
                      sizeof pixel);
          return rgb_of(pixel);
        });
    REQUIRE(device.unlock_rect({memory, 0}) == S_OK);
    REQUIRE(device.release(memory) == S_OK);
    return made;
  }
  [[nodiscard]] auto picture() -> image { return read(device.get_back_buffer(0)); }
};

/// The machine, and one windowed application of it.
class picture_session {
 public:
  explicit picture_session(const sim::runtime_options& options = {}, bool has_depth = false)
      : w(real_driver(), options), app(w) {
    app.start_windowed(has_depth);
  }
  ~picture_session() { CHECK(w.reg(AEROGPU_MMIO_REG_ERROR_COUNT) == 0); }

  quiet_system quiet;
  stack w;
  picture_application app;
};

/// What the application drew, by a colour for each pixel.
template <class Color>
void check_picture(picture_application& app, Color&& color,
                   const golden::tolerance& allowed = golden::exact) {
  golden::check_image(app.picture(), image::made_by(picture_width, picture_height, color), allowed);
}

}  // namespace aerogpu::test
