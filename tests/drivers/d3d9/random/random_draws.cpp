// SPDX-License-Identifier: MIT
/// \file What a random program draws.
#include "tests/drivers/d3d9/random/random_program.hpp"

#include <algorithm>
#include <cstring>

namespace aerogpu::test {
namespace {

struct screen_vertex {
  float x, y, z, rhw;
  D3DCOLOR color;
  float u, v;
};
constexpr DWORD screen_format = D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_TEX1;

struct space_vertex {
  float x, y, z, nx, ny, nz;
  D3DCOLOR color;
  float u, v;
};
constexpr DWORD space_format = D3DFVF_XYZ | D3DFVF_NORMAL | D3DFVF_DIFFUSE | D3DFVF_TEX1;

constexpr UINT triangles = 4;
constexpr std::array<DWORD, 3> shapes{D3DPT_TRIANGLELIST, D3DPT_TRIANGLESTRIP, D3DPT_TRIANGLEFAN};
/// Memory of draws from it: more than any count and stride of a wild draw reaches.
constexpr UINT most_primitives = 64, most_stride = 255;

}  // namespace

void random_program::clear() {
  const D3DRECT part{static_cast<LONG>(choose_.below(width)),
                     static_cast<LONG>(choose_.below(height)), static_cast<LONG>(width),
                     static_cast<LONG>(height)};
  const DWORD flags =
      choose_.one_in(2) ? DWORD{D3DCLEAR_TARGET} : DWORD{D3DCLEAR_TARGET} | DWORD{D3DCLEAR_ZBUFFER};
  const bool has_part = !choose_.one_in(4);  // All of it ends whatever was drawn.
  note(device_.Clear(has_part ? 1 : 0, has_part ? &part : nullptr, any_or(flags), color(),
                     real(0, 1), any_or(0)));
}

void random_program::draw_on_screen() {
  std::array<screen_vertex, std::size_t{triangles} * 3> vertices{};
  for (auto& one : vertices)
    one = {real(0, width), real(0, height), real(0, 1), 1, choose_.u32(), real(-1, 2), real(-1, 2)};
  std::memcpy(memory_.data(), vertices.data(), sizeof vertices);
  pass_coordinates_on();
  note(device_.SetFVF(any_or(screen_format)));
  const auto shape = static_cast<D3DPRIMITIVETYPE>(any_or(one_of<DWORD>(shapes)));
  const UINT count = std::min(any_or(1 + choose_.below(triangles)), most_primitives);
  note(device_.DrawPrimitiveUP(shape, count, memory_.data(),
                               std::min(any_or(sizeof(screen_vertex)), most_stride)));
}

void random_program::settle_for_space() {
  d3d9_vertex_shader* bound = nullptr;
  if (device_.GetVertexShader(&bound) < 0 || bound == nullptr) return;
  bound->Release();
  pass_coordinates_on();
}

void random_program::draw_in_space() {
  std::array<space_vertex, std::size_t{triangles} * 3> vertices{};
  for (auto& one : vertices)
    one = {real(-1, 1), real(-1, 1), real(0, 1), 0, 0, -1, choose_.u32(), real(-1, 2), real(-1, 2)};
  std::memcpy(memory_.data(), vertices.data(), sizeof vertices);
  std::array<WORD, std::size_t{triangles} * 3> indices{};
  for (auto& one : indices)
    one = static_cast<WORD>(any_or(choose_.below(static_cast<std::uint32_t>(vertices.size()))));
  std::array<WORD, std::size_t{most_primitives} * 3> list{};
  std::copy(indices.begin(), indices.end(), list.begin());
  settle_for_space();
  note(device_.SetFVF(any_or(space_format)));
  const UINT count = std::min(any_or(1 + choose_.below(triangles)), most_primitives);
  const UINT used = std::min<UINT>(any_or(static_cast<UINT>(vertices.size())), 2 * most_stride);
  note(device_.DrawIndexedPrimitiveUP(static_cast<D3DPRIMITIVETYPE>(any_or(D3DPT_TRIANGLELIST)), 0,
                                      used, count, list.data(), D3DFMT_INDEX16, memory_.data(),
                                      std::min(any_or(sizeof(space_vertex)), most_stride)));
}

void random_program::draw_buffers() {
  auto* const vertices = some(vertices_);
  auto* const indices = some(indices_);
  if (vertices == nullptr || indices == nullptr) return;
  std::array<space_vertex, 8> made{};
  for (auto& one : made)
    one = {real(-1, 1), real(-1, 1), real(0, 1), 0, 0, -1, choose_.u32(), real(-1, 2), real(-1, 2)};
  void* bytes = nullptr;
  if (vertices->Lock(0, 0, &bytes, 0) >= 0) {
    std::memcpy(bytes, made.data(), sizeof made);
    note(vertices->Unlock());
  }
  std::array<WORD, 12> list{};
  for (auto& one : list) one = static_cast<WORD>(any_or(choose_.below(made.size())));
  if (indices->Lock(0, 0, &bytes, 0) >= 0) {
    std::memcpy(bytes, list.data(), sizeof list);
    note(indices->Unlock());
  }
  settle_for_space();
  note(device_.SetFVF(any_or(space_format)));
  note(device_.SetStreamSource(any_or(0), vertices, any_or(0), any_or(sizeof(space_vertex))));
  note(device_.SetIndices(indices));
  note(device_.DrawIndexedPrimitive(static_cast<D3DPRIMITIVETYPE>(any_or(D3DPT_TRIANGLELIST)),
                                    static_cast<INT>(any_or(0)), any_or(0),
                                    any_or(static_cast<UINT>(made.size())), any_or(0),
                                    any_or(1 + choose_.below(triangles))));
  if (choose_.one_in(2)) return;
  const auto shape = static_cast<D3DPRIMITIVETYPE>(any_or(one_of<DWORD>(shapes)));
  note(device_.DrawPrimitive(shape, any_or(0), any_or(1 + choose_.below(2))));
}

}  // namespace aerogpu::test
