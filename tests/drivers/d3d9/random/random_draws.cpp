// SPDX-License-Identifier: MIT
/// \file What a random program draws.
#include "tests/drivers/d3d9/random/random_program.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace aerogpu::test {
namespace {

struct screen_vertex {
  float x, y, z, rhw;
  D3DCOLOR color, specular;
  std::array<texture_coordinates, 2> at;
};
constexpr DWORD screen_format = D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_SPECULAR | D3DFVF_TEX2;

constexpr DWORD space_format =
    D3DFVF_XYZ | D3DFVF_NORMAL | D3DFVF_DIFFUSE | D3DFVF_SPECULAR | D3DFVF_TEX2;

/// With up to three weights behind the position, of which the draw's format has fewer.
struct blended_vertex {
  float x, y, z;
  std::array<float, 3> weights;
  float nx, ny, nz;
  D3DCOLOR color;
  std::array<texture_coordinates, 2> at;
};
constexpr std::array<DWORD, 3> blended_formats{D3DFVF_XYZB1, D3DFVF_XYZB2, D3DFVF_XYZB3};

constexpr UINT triangles = 4;
constexpr std::array<DWORD, 3> shapes{D3DPT_TRIANGLELIST, D3DPT_TRIANGLESTRIP, D3DPT_TRIANGLEFAN};
/// Memory of draws from it: more than any count and stride of a wild draw reaches.
constexpr UINT most_primitives = 64, most_stride = 255;

}  // namespace

struct random_program::space_vertex {
  float x, y, z, nx, ny, nz;
  D3DCOLOR color, specular;
  std::array<texture_coordinates, 2> at;
};
void random_program::clear() {
  const D3DRECT part{static_cast<LONG>(choose_.below(width)),
                     static_cast<LONG>(choose_.below(height)), static_cast<LONG>(width),
                     static_cast<LONG>(height)};
  const DWORD flags = DWORD{D3DCLEAR_TARGET} |
                      (choose_.one_in(2) ? DWORD{0} : DWORD{D3DCLEAR_ZBUFFER}) |
                      (choose_.one_in(3) ? DWORD{D3DCLEAR_STENCIL} : DWORD{0});
  const bool has_part = !choose_.one_in(4);  // All of it ends whatever was drawn.
  note(device_.Clear(has_part ? 1 : 0, has_part ? &part : nullptr, any_or(flags), color(),
                     real(0, 1), any_or(choose_.below(4))));
}

void random_program::draw_on_screen() {
  std::array<screen_vertex, std::size_t{triangles} * 3> vertices{};
  for (auto& one : vertices) {
    one = {real(0, width), real(0, height), real(0, 1), 1, choose_.u32(), choose_.u32(), {}};
    for (auto& at : one.at) at = {real(-1, 2), real(-1, 2)};
  }
  std::memcpy(memory_.data(), vertices.data(), sizeof vertices);
  pass_coordinates_on();
  note(device_.SetFVF(any_or(screen_format)));
  const auto shape = static_cast<D3DPRIMITIVETYPE>(any_or(one_of<DWORD>(shapes)));
  const UINT count = std::min(any_or(1 + choose_.below(triangles)), most_primitives);
  note(device_.DrawPrimitiveUP(shape, count, memory_.data(),
                               std::min(any_or(sizeof(screen_vertex)), most_stride)));
}

void random_program::fill_space(std::span<space_vertex> vertices) {
  for (auto& one : vertices) {
    one = {real(-1, 1),      real(-1, 1),   real(0, 1),    real(-1, 1), real(-1, 1),
           real(-1, -0.25f), choose_.u32(), choose_.u32(), {}};
    for (auto& at : one.at) at = {real(-1, 2), real(-1, 2)};
  }
}

void random_program::settle_for_space() {
  d3d9_vertex_shader* bound = nullptr;
  if (device_.GetVertexShader(&bound) < 0 || bound == nullptr) return;
  bound->Release();
  pass_coordinates_on();
}

void random_program::draw_in_space() {
  std::array<space_vertex, std::size_t{triangles} * 3> vertices{};
  fill_space(vertices);
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

/// Sizes are of states; what a vertex shader leaves out is undefined. Whether a point outside of
/// the view is seen is not said: most are inside.
void random_program::draw_points() {
  d3d9_vertex_shader* bound = nullptr;
  if (device_.GetVertexShader(&bound) >= 0 && bound != nullptr) {
    bound->Release();
    if (!is_wild()) return;
  }
  std::array<space_vertex, 8> vertices{};
  fill_space(vertices);
  for (auto& one : vertices) one.x *= 0.25f, one.y *= 0.25f;
  std::memcpy(memory_.data(), vertices.data(), sizeof vertices);
  note(device_.SetFVF(any_or(space_format)));
  note(device_.DrawPrimitiveUP(D3DPT_POINTLIST, std::min(any_or(8), most_primitives),
                               memory_.data(),
                               std::min(any_or(sizeof(space_vertex)), most_stride)));
}

/// By up to four world matrices.
void random_program::draw_blended() {
  const auto weights = 1 + choose_.below(3);
  std::array<blended_vertex, std::size_t{triangles} * 3> vertices{};
  auto* bytes = memory_.data();
  const auto put = [&](const void* from, std::size_t size) {
    std::memcpy(bytes, from, size);
    bytes += size;
  };
  std::array<space_vertex, vertices.size()> like{};
  fill_space(like);
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const auto& from = like[i];
    blended_vertex& one = vertices[i];
    one = {from.x, from.y, from.z, {}, from.nx, from.ny, from.nz, from.color, from.at};
    for (auto& weight : one.weights) weight = real(0, 0.25f);
    put(&one.x, 3 * sizeof(float));
    put(one.weights.data(), weights * sizeof(float));
    put(&one.nx, sizeof one - offsetof(blended_vertex, nx));
  }
  const auto stride =
      static_cast<UINT>((bytes - memory_.data()) / static_cast<std::ptrdiff_t>(vertices.size()));
  for (DWORD i = 1; i <= weights; ++i) {
    const auto made = matrix();
    note(device_.SetTransform(static_cast<D3DTRANSFORMSTATETYPE>(any_or(256 + i)), &made));
  }
  settle_for_space();
  note(device_.SetRenderState(D3DRS_VERTEXBLEND, any_or(weights)));
  note(device_.SetFVF(
      any_or(blended_formats[weights - 1] | D3DFVF_NORMAL | D3DFVF_DIFFUSE | D3DFVF_TEX2)));
  note(device_.DrawPrimitiveUP(D3DPT_TRIANGLELIST, triangles, memory_.data(),
                               std::min(any_or(stride), most_stride)));
  note(device_.SetRenderState(D3DRS_VERTEXBLEND, any_or(0)));
}

void random_program::draw_buffers() {
  auto* const vertices = some(vertices_);
  auto* const indices = some(indices_);
  if (vertices == nullptr || indices == nullptr) return;
  std::array<space_vertex, 8> made{};
  fill_space(made);
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
