// SPDX-License-Identifier: MIT
/// \file A window, a Direct3D 9Ex device that draws into it, and what its pictures hold. Only what
/// every Windows 7 has: the public headers and d3d9.dll.
#pragma once

// Windows' types come first.
// clang-format off
#include <windows.h>
#include <d3d9.h>
// clang-format on

#include "drivers/win7/tests/guest/report.hpp"
#include "drivers/win7/tests/guest/session.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace aerogpu::guest {

struct com_release {
  void operator()(IUnknown* object) const { object->Release(); }
};
template <class T>
using com = std::unique_ptr<T, com_release>;

inline constexpr D3DCOLOR red = 0xFFFF0000, green = 0xFF00FF00, blue = 0xFF0000FF,
                          black = 0xFF000000, white = 0xFFFFFFFF;

/// Two vertices on the screen, and two in space.
struct screen_vertex {
  float x, y, z, rhw;
  D3DCOLOR color;
  static constexpr DWORD format = D3DFVF_XYZRHW | D3DFVF_DIFFUSE;
};
struct textured_screen_vertex {
  float x, y, z, rhw, u, v;
  static constexpr DWORD format = D3DFVF_XYZRHW | D3DFVF_TEX1;
};
struct point_vertex {
  float x, y, z;
  D3DCOLOR color;
  static constexpr DWORD format = D3DFVF_XYZ | D3DFVF_DIFFUSE;
};
struct space_vertex {
  float x, y, z;
  D3DCOLOR color;
  float u, v;
  static constexpr DWORD format = D3DFVF_XYZ | D3DFVF_DIFFUSE | D3DFVF_TEX1;
};

/// The triangle that covers the middle and leaves the upper left corner alone.
[[nodiscard]] auto middle_triangle(D3DCOLOR color) -> std::array<screen_vertex, 3>;

class stage {
 public:
  static constexpr UINT width = 64, height = 64, middle = 32, corner = 3;

  /// On the AeroGPU where there is one, else on the default adapter. With an open session there
  /// must be.
  stage(const session& with, report& to) : to_(to), needs_aerogpu_(with.adapter() != 0) {}
  explicit stage(report& to) : to_(to) {}
  ~stage();
  stage(const stage&) = delete;
  auto operator=(const stage&) -> stage& = delete;

  /// Window and device. False: the report says why.
  [[nodiscard]] auto open(DWORD processing = D3DCREATE_HARDWARE_VERTEXPROCESSING) -> bool;
  [[nodiscard]] auto direct3d() const -> IDirect3D9Ex& { return *direct3d_; }
  [[nodiscard]] auto adapter() const -> UINT { return adapter_; }
  [[nodiscard]] auto window() const -> HWND { return window_; }
  auto operator->() const -> IDirect3DDevice9Ex* { return device_.get(); }
  [[nodiscard]] auto parameters() const -> D3DPRESENT_PARAMETERS;

  /// Whether a call succeeded. `rule` says what it does.
  auto works(HRESULT result, rule_text rule) const -> bool;
  /// The same; nothing is noted of one that does.
  auto needs(HRESULT result, rule_text rule) const -> bool;

  /// An object that a method gives by its last argument; nullptr when it fails.
  template <class T, class Call>
  [[nodiscard]] auto make(rule_text rule, Call call) const -> com<T> {
    T* made = nullptr;
    if (!needs(call(&made), rule)) return nullptr;
    return com<T>{made};
  }
  [[nodiscard]] auto texture(UINT wide, UINT high, UINT levels, DWORD usage, D3DFORMAT format,
                             D3DPOOL pool) const -> com<IDirect3DTexture9>;
  /// Of one colour, A8R8G8B8, MANAGED's successor in Direct3D 9Ex: DEFAULT and DYNAMIC.
  [[nodiscard]] auto plain_texture(D3DCOLOR color) const -> com<IDirect3DTexture9>;

  /// World, view and projection leave positions as they are.
  void stay_in_clip_space() const;
  /// Stage 0 gives that argument of its alone.
  void select(DWORD argument) const;
  void clear(D3DCOLOR color) const;
  /// As they are, without a buffer.
  template <class Vertex, std::size_t Count>
  void draw(D3DPRIMITIVETYPE type, UINT primitives,
            const std::array<Vertex, Count>& vertices) const {
    device_->SetFVF(Vertex::format);
    needs(device_->DrawPrimitiveUP(type, primitives, vertices.data(), sizeof(Vertex)),
          "DrawPrimitiveUP succeeds");
  }
  /// Two triangles over all of the target.
  void draw_all(D3DCOLOR color) const;

  /// Stage 0's texture alone over all of the target, with these coordinates at its edges.
  void show(IDirect3DBaseTexture9& texture, float first = 0, float last = 1) const;

  /// Of render target 0.
  [[nodiscard]] auto pixel(UINT x, UINT y) const -> std::optional<D3DCOLOR>;
  /// Whether each channel of the pixel is at most `tolerance` away; alpha is not looked at.
  auto shows(UINT x, UINT y, D3DCOLOR wanted, rule_text rule, int tolerance = 1) const -> bool;
  /// What a figure in the middle leaves: `around` in the corner, `inside` in the middle.
  void shows_middle(D3DCOLOR around, D3DCOLOR inside, rule_text rule) const;
  /// Render target 0; nullptr when it cannot be had.
  [[nodiscard]] auto target() const -> com<IDirect3DSurface9>;
  [[nodiscard]] auto event_query() const -> com<IDirect3DQuery9>;
  /// Waits for all that was drawn. False after two seconds.
  [[nodiscard]] auto finish() const -> bool;

 private:
  [[nodiscard]] auto open_direct3d() -> bool;
  [[nodiscard]] auto open_window() -> bool;

  report& to_;
  bool needs_aerogpu_ = false;
  HWND window_ = nullptr;
  com<IDirect3D9Ex> direct3d_;
  UINT adapter_ = D3DADAPTER_DEFAULT;
  com<IDirect3DDevice9Ex> device_;
};

/// A matrix that scales space.
[[nodiscard]] auto scaling(float by) -> D3DMATRIX;
/// From (-1, 1) to (1, -1) of clip space, as a strip.
[[nodiscard]] auto whole_square(D3DCOLOR color, float z = 0.5f) -> std::array<space_vertex, 4>;
/// How a render state takes a float.
[[nodiscard]] auto bits_of(float value) -> DWORD;
/// All texels of a locked square.
template <class Texel>
void fill_texels(const D3DLOCKED_RECT& to, UINT edge, Texel texel) {
  for (UINT y = 0; y < edge; ++y) {
    auto* const row = static_cast<char*>(to.pBits) + y * static_cast<UINT>(to.Pitch);
    for (UINT x = 0; x < edge; ++x) std::memcpy(row + x * sizeof texel, &texel, sizeof texel);
  }
}

/// A clock for limits; milliseconds.
[[nodiscard]] auto now_ms() -> double;

}  // namespace aerogpu::guest
