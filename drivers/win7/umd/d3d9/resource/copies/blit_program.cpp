// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/resource/copies/blit_program.hpp"

#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/shader/declaration.hpp"
#include "drivers/win7/umd/d3d9/shader/shader.hpp"
#include "drivers/win7/umd/d3d9/state/emission.hpp"

#include <array>
#include <cstddef>
#include <utility>

namespace aerogpu::umd {

namespace {

// Neither touches a constant: the application's stay what they are.
constexpr std::array<std::uint32_t, 14> vertex_code{
    0xFFFE0200,                          // vs_2_0
    0x0200001F, 0x80000009, 0x900F0000,  // dcl_positiont v0: where the host leaves it
    0x0200001F, 0x80000005, 0x900F0001,  // dcl_texcoord v1
    0x02000001, 0xC00F0000, 0x90E40000,  // mov oPos, v0
    0x02000001, 0xE00F0000, 0x90E40001,  // mov oT0, v1
    0x0000FFFF};
constexpr std::array<std::uint32_t, 15> pixel_code{
    0xFFFF0200,                                      // ps_2_0
    0x0200001F, 0x80000000, 0xB0030000,              // dcl t0.xy
    0x0200001F, 0x90000000, 0xA00F0800,              // dcl_2d s0
    0x03000042, 0x800F0000, 0xB0E40000, 0xA0E40800,  // texld r0, t0, s0
    0x02000001, 0x800F0800, 0x80E40000,              // mov oC0, r0
    0x0000FFFF};
constexpr std::array vertex_elements{
    D3DVERTEXELEMENT9{0, 0, D3DDECLTYPE_FLOAT4, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_POSITIONT, 0},
    D3DVERTEXELEMENT9{0, 16, D3DDECLTYPE_FLOAT2, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_TEXCOORD, 0}};
static_assert(offsetof(blit_program::vertex, u) == 16);

}  // namespace

auto blit_program::bind(device& on) noexcept -> HRESULT {
  HRESULT made = S_OK;
  const auto require = [&](stage which, std::span<const std::uint32_t> code, shader_handle& out) {
    if (SUCCEEDED(made) && out == shader_handle{}) {
      made = create_host_shader(on, which, std::as_bytes(code), out);
    }
  };
  require(stage::vertex, vertex_code, vertex_shader_);
  require(stage::pixel, pixel_code, pixel_shader_);
  if (SUCCEEDED(made) && declaration_ == nullptr) {
    made = create_declaration(on, vertex_elements, declaration_);
  }
  if (SUCCEEDED(made)) made = bind_shaders(on, vertex_shader_, pixel_shader_);
  return SUCCEEDED(made) ? bind_input_layout(on, declaration_->handle) : made;
}

void blit_program::destroy(device& on) noexcept {
  for (shader_handle* const each : {&vertex_shader_, &pixel_shader_}) {
    if (*each != shader_handle{}) destroy_host_shader(on, std::exchange(*each, {}));
  }
  if (declaration_ == nullptr) return;
  static_cast<void>(destroy_declaration(on, std::exchange(declaration_, nullptr)));
}

}  // namespace aerogpu::umd
