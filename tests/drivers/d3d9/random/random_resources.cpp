// SPDX-License-Identifier: MIT
/// \file A random program's textures, targets, buffers and copies.
#include "tests/drivers/d3d9/random/random_program.hpp"

#include <algorithm>
#include <cstring>

namespace aerogpu::test {
namespace {

constexpr UINT bytes_of_buffer = 4096;

/// Bytes of a texel, or of a block of so many a side.
struct texel_row {
  std::uint32_t format;
  UINT bytes;
  UINT block;
};
constexpr std::array<texel_row, 9> texel_rows{{{D3DFMT_A8R8G8B8, 4, 1},
                                               {D3DFMT_X8R8G8B8, 4, 1},
                                               {D3DFMT_A8B8G8R8, 4, 1},
                                               {D3DFMT_R5G6B5, 2, 1},
                                               {D3DFMT_A1R5G5B5, 2, 1},
                                               {D3DFMT_X1R5G5B5, 2, 1},
                                               {D3DFMT_DXT1, 8, 4},
                                               {D3DFMT_DXT3, 16, 4},
                                               {D3DFMT_DXT5, 16, 4}}};

/// Of what a wild program made, nothing is known.
[[nodiscard]] auto find_texels(D3DFORMAT format) -> texel_row {
  for (const auto& row : texel_rows) {
    if (row.format == static_cast<std::uint32_t>(format)) return row;
  }
  return {static_cast<std::uint32_t>(format), 0, 1};
}

}  // namespace

void random_program::make_texture() {
  auto& slot = textures_[choose_.below(static_cast<std::uint32_t>(textures_.size()))];
  const auto format =
      static_cast<D3DFORMAT>(any_or(texel_rows[choose_.below(texel_rows.size())].format));
  // Blocks have four texels a side.
  const bool is_odd = find_texels(format).block == 1 && choose_.one_in(3);
  const UINT wide = (4u << choose_.below(4)) + (is_odd ? 3 : 0), high = 4u << choose_.below(4);
  const UINT levels = is_wild() && choose_.one_in(2) ? choose_.below(6) : choose_.below(2);
  d3d9_texture* made = nullptr;
  const auto result =
      device_.CreateTexture(wide, high, levels, any_or(D3DUSAGE_DYNAMIC), format,
                            static_cast<D3DPOOL>(any_or(D3DPOOL_DEFAULT)), &made, nullptr);
  note(result);
  if (result < 0) return;
  slot.reset(made);
  for (UINT level = 0; level < made->GetLevelCount(); ++level) write_noise(*made, level);
}

/// One choice, which is the noise's seed: a fuzzer's bytes are for calls.
void random_program::write_rows(const D3DLOCKED_RECT& to, const D3DSURFACE_DESC& about) {
  seeded_choices noise{choose_.u32()};
  const auto texels = find_texels(about.Format);
  const UINT rows = (about.Height + texels.block - 1) / texels.block;
  const UINT bytes = (about.Width + texels.block - 1) / texels.block * texels.bytes;
  for (UINT y = 0; y < rows && texels.bytes != 0; ++y) {
    auto* const row = static_cast<std::byte*>(to.pBits) + y * static_cast<UINT>(to.Pitch);
    for (UINT x = 0; x < bytes; ++x) row[x] = static_cast<std::byte>(noise.u32());
  }
}

void random_program::write_noise(d3d9_texture& texture, UINT level) {
  D3DSURFACE_DESC about{};
  D3DLOCKED_RECT locked{};
  if (texture.GetLevelDesc(level, &about) < 0) return;
  const auto result =
      texture.LockRect(level, &locked, nullptr, any_or(0) & ~DWORD{D3DLOCK_READONLY});
  note(result);
  if (result < 0) return;
  write_rows(locked, about);
  note(texture.UnlockRect(level));
}

/// All of a texture's first level.
void random_program::change_texture() {
  if (auto* const texture = some(textures_)) write_noise(*texture, 0);
}

/// No shader reads from the stages that have one.
void random_program::make_cube() {
  auto& slot = cubes_[choose_.below(static_cast<std::uint32_t>(cubes_.size()))];
  d3d9_cube* made = nullptr;
  const auto result = device_.CreateCubeTexture(
      any_or(4u << choose_.below(3)) & 63u, 1, any_or(D3DUSAGE_DYNAMIC), D3DFMT_A8R8G8B8,
      static_cast<D3DPOOL>(any_or(D3DPOOL_DEFAULT)), &made, nullptr);
  note(result);
  if (result < 0) return;
  slot.reset(made);
  for (unsigned face = 0; face < 6; ++face) {
    const auto side = static_cast<D3DCUBEMAP_FACES>(face);
    D3DSURFACE_DESC about{};
    D3DLOCKED_RECT locked{};
    if (made->GetLevelDesc(0, &about) < 0 || made->LockRect(side, 0, &locked, nullptr, 0) < 0)
      continue;
    write_rows(locked, about);
    note(made->UnlockRect(side, 0));
  }
  note(device_.SetTexture(1 + choose_.below(stages - 1), made));
}

void random_program::make_target() {
  auto& slot = targets_[choose_.below(static_cast<std::uint32_t>(targets_.size()))];
  d3d9_texture* made = nullptr;
  const auto format = static_cast<D3DFORMAT>(any_or(D3DFMT_A8R8G8B8));
  const auto result = device_.CreateTexture(width, height, 1, any_or(D3DUSAGE_RENDERTARGET), format,
                                            D3DPOOL_DEFAULT, &made, nullptr);
  note(result);
  if (result < 0) return;
  device_.SetRenderTarget(0, back_buffer_.get());
  slot.reset(made);
  d3d9_surface* surface = nullptr;
  if (made->GetSurfaceLevel(0, &surface) < 0) return;
  note(device_.ColorFill(surface, nullptr, color()));
  surface->Release();
}

void random_program::choose_target() {
  auto* const texture = some(targets_);
  d3d9_surface* surface = nullptr;
  const bool is_own = texture != nullptr && texture->GetSurfaceLevel(0, &surface) >= 0;
  note(device_.SetRenderTarget(any_or(0), is_own ? surface : back_buffer_.get()));
  if (is_own) surface->Release();
}

/// What is drawn to is sampled by wild programs alone.
void random_program::bind_texture() {
  auto* const texture = is_wild() && choose_.one_in(4) ? some(targets_) : some(textures_);
  if (texture == nullptr && !is_wild()) return;
  note(device_.SetTexture(any_or(choose_.below(stages)), texture));
}

void random_program::make_buffers() {
  auto& vertices = vertices_[choose_.below(static_cast<std::uint32_t>(vertices_.size()))];
  d3d9_vertices* made = nullptr;
  auto result =
      device_.CreateVertexBuffer(bytes_of_buffer, any_or(D3DUSAGE_WRITEONLY), 0,
                                 static_cast<D3DPOOL>(any_or(D3DPOOL_DEFAULT)), &made, nullptr);
  note(result);
  if (result >= 0) vertices.reset(made);
  auto& indices = indices_[choose_.below(static_cast<std::uint32_t>(indices_.size()))];
  d3d9_indices* list = nullptr;
  const auto format = static_cast<D3DFORMAT>(any_or(D3DFMT_INDEX16));
  result = device_.CreateIndexBuffer(256, any_or(D3DUSAGE_WRITEONLY), format,
                                     static_cast<D3DPOOL>(any_or(D3DPOOL_DEFAULT)), &list, nullptr);
  note(result);
  if (result >= 0) indices.reset(list);
}

/// From a target into the back buffer, or the other way round.
void random_program::copy() {
  auto* const texture = some(targets_);
  d3d9_surface* surface = nullptr;
  if (texture == nullptr || texture->GetSurfaceLevel(0, &surface) < 0) return;
  const auto from = area(), to = area();
  const bool comes = choose_.one_in(2);
  // Equal sizes or none: how a stretch filters differs by a texel's edge.
  const auto filter = static_cast<D3DTEXTUREFILTERTYPE>(any_or(D3DTEXF_POINT));
  const RECT* const other = is_wild() ? &to : &from;
  note(device_.StretchRect(comes ? surface : back_buffer_.get(), &from,
                           comes ? back_buffer_.get() : surface, other, filter));
  surface->Release();
}

/// Whether a fill encodes as a draw does is not said anywhere.
void random_program::fill() {
  if (!is_wild()) note(device_.SetRenderState(D3DRS_SRGBWRITEENABLE, 0));
  const auto inside = area();
  note(device_.ColorFill(back_buffer_.get(), choose_.one_in(3) ? nullptr : &inside, color()));
}

}  // namespace aerogpu::test
