// SPDX-License-Identifier: MIT
/// \file A random program's textures, targets, buffers and copies.
#include "tests/drivers/d3d9/random/random_program.hpp"

#include <algorithm>
#include <cstring>

namespace aerogpu::test {
namespace {

constexpr UINT bytes_of_buffer = 4096;

}  // namespace

void random_program::make_texture() {
  constexpr std::array<std::uint32_t, 5> formats{D3DFMT_A8R8G8B8, D3DFMT_X8R8G8B8, D3DFMT_R5G6B5,
                                                 D3DFMT_A1R5G5B5, D3DFMT_DXT1};
  auto& slot = textures_[choose_.below(static_cast<std::uint32_t>(textures_.size()))];
  const UINT edge = 4u << choose_.below(4);
  const UINT levels = is_wild() && choose_.one_in(2) ? choose_.below(6) : 1;
  const auto format = static_cast<D3DFORMAT>(any_or(one_of<std::uint32_t>(formats)));
  d3d9_texture* made = nullptr;
  const auto result =
      device_.CreateTexture(edge, edge, levels, any_or(D3DUSAGE_DYNAMIC), format,
                            static_cast<D3DPOOL>(any_or(D3DPOOL_DEFAULT)), &made, nullptr);
  note(result);
  if (result < 0) return;
  slot.reset(made);
  change_texture();
}

/// Writes noise over all of a texture's first level.
void random_program::change_texture() {
  auto* const texture = some(textures_);
  D3DSURFACE_DESC about{};
  D3DLOCKED_RECT locked{};
  if (texture == nullptr || texture->GetLevelDesc(0, &about) < 0) return;
  const auto result = texture->LockRect(0, &locked, nullptr, any_or(0) & ~DWORD{D3DLOCK_READONLY});
  note(result);
  if (result < 0) return;
  const bool is_blocks = about.Format == D3DFMT_DXT1;
  const bool is_half = about.Format == D3DFMT_R5G6B5 || about.Format == D3DFMT_A1R5G5B5;
  // Of what a wild program made, a byte a texel is surely there, or half of one in a block.
  const bool is_known =
      is_half || about.Format == D3DFMT_A8R8G8B8 || about.Format == D3DFMT_X8R8G8B8;
  const UINT rows = is_blocks ? about.Height / 4 : is_known ? about.Height : 0;
  const UINT bytes = is_blocks ? about.Width * 2 : about.Width * (is_half ? 2 : 4);
  for (UINT y = 0; y < rows; ++y) {
    auto* const row = static_cast<std::byte*>(locked.pBits) + y * static_cast<UINT>(locked.Pitch);
    for (UINT x = 0; x < bytes; ++x) row[x] = static_cast<std::byte>(choose_.u32());
  }
  note(texture->UnlockRect(0));
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
  note(device_.SetTexture(any_or(choose_.below(2)), texture));
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

void random_program::fill() {
  const auto inside = area();
  note(device_.ColorFill(back_buffer_.get(), choose_.one_in(3) ? nullptr : &inside, color()));
}

}  // namespace aerogpu::test
