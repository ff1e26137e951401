// SPDX-License-Identifier: MIT
/// \file Direct3D 9 for a random program: this project's declarations, or those of Windows.
#pragma once

#ifdef AEROGPU_PUBLISHED_D3D9
// Windows' types come first.
// clang-format off
#include <windows.h>
#include <d3d9.h>
// clang-format on
#else
#include "drivers/wine/d3d9/api/device.hpp"
#endif

namespace aerogpu::test {

#ifdef AEROGPU_PUBLISHED_D3D9
using d3d9_device = ::IDirect3DDevice9Ex;
using d3d9_texture = ::IDirect3DTexture9;
using d3d9_cube = ::IDirect3DCubeTexture9;
using d3d9_surface = ::IDirect3DSurface9;
using d3d9_vertices = ::IDirect3DVertexBuffer9;
using d3d9_indices = ::IDirect3DIndexBuffer9;
using d3d9_block = ::IDirect3DStateBlock9;
using d3d9_query = ::IDirect3DQuery9;
using d3d9_vertex_shader = ::IDirect3DVertexShader9;
using d3d9_pixel_shader = ::IDirect3DPixelShader9;
#else
using d3d9_device = d3d9::IDirect3DDevice9Ex;
using d3d9_texture = d3d9::IDirect3DTexture9;
using d3d9_cube = d3d9::IDirect3DCubeTexture9;
using d3d9_surface = d3d9::IDirect3DSurface9;
using d3d9_vertices = d3d9::IDirect3DVertexBuffer9;
using d3d9_indices = d3d9::IDirect3DIndexBuffer9;
using d3d9_block = d3d9::IDirect3DStateBlock9;
using d3d9_query = d3d9::IDirect3DQuery9;
using d3d9_vertex_shader = d3d9::IDirect3DVertexShader9;
using d3d9_pixel_shader = d3d9::IDirect3DPixelShader9;
#endif

}  // namespace aerogpu::test
