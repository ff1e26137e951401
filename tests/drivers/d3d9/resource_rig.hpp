// SPDX-License-Identifier: MIT
/// \file Devices whose resources a test makes, and references that end with the case.
#pragma once

#include "drivers/wine/d3d9/resource/buffer.hpp"
#include "drivers/wine/d3d9/resource/texture.hpp"
#include "tests/catch.hpp"
#include "tests/drivers/d3d9/direct3d_rig.hpp"

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace aerogpu::test {

/// One reference, released at the end.
template <class Interface>
class owned {
 public:
  owned() = default;
  owned(owned&& other) noexcept : one_(std::exchange(other.one_, nullptr)) {}
  auto operator=(owned&& other) noexcept -> owned& {
    std::swap(one_, other.one_);
    return *this;
  }
  ~owned() { reset(); }

  /// Where a method puts a reference.
  [[nodiscard]] auto out() -> Interface** {
    reset();
    return &one_;
  }
  void reset() {
    if (auto* const gone = std::exchange(one_, nullptr); gone != nullptr) gone->Release();
  }
  [[nodiscard]] auto get() const -> Interface* { return one_; }
  auto operator->() const -> Interface* { return one_; }

 private:
  Interface* one_ = nullptr;
};

using any_device = owned<d3d9::IDirect3DDevice9Ex>;
using any_surface = owned<d3d9::IDirect3DSurface9>;
using any_2d_texture = owned<d3d9::IDirect3DTexture9>;
using any_cube_texture = owned<d3d9::IDirect3DCubeTexture9>;

/// What most refusals say.
inline constexpr HRESULT bad = D3DERR_INVALIDCALL;

enum class api_level : std::uint8_t { plain, ex };

/// A windowed device.
struct resource_rig : direct3d_rig<> {
  explicit resource_rig(api_level level = api_level::ex, const sim::runtime_options& options = {})
      : direct3d_rig(level == api_level::ex, whole_driver(), options) {
    *device.out() = make_device(windowed());
  }

  [[nodiscard]] auto texture(UINT width, UINT height, UINT levels, DWORD usage, D3DFORMAT format,
                             D3DPOOL pool) -> any_2d_texture {
    any_2d_texture made;
    REQUIRE(device->CreateTexture(width, height, levels, usage, format, pool, made.out(),
                                  nullptr) == S_OK);
    return made;
  }
  [[nodiscard]] auto plain(UINT width, UINT height, D3DFORMAT format, D3DPOOL pool) -> any_surface {
    any_surface made;
    REQUIRE(device->CreateOffscreenPlainSurface(width, height, format, pool, made.out(), nullptr) ==
            S_OK);
    return made;
  }
  [[nodiscard]] auto target(UINT width, UINT height, D3DFORMAT format = D3DFMT_A8R8G8B8,
                            bool is_lockable = false) -> any_surface {
    any_surface made;
    REQUIRE(device->CreateRenderTarget(width, height, format, D3DMULTISAMPLE_NONE, 0,
                                       is_lockable ? 1 : 0, made.out(), nullptr) == S_OK);
    return made;
  }
  /// Texels of four bytes, as a system-memory surface gets them from a render target.
  [[nodiscard]] auto read(d3d9::IDirect3DSurface9* from) -> std::vector<std::uint32_t> {
    D3DSURFACE_DESC about{};
    REQUIRE(from->GetDesc(&about) == S_OK);
    const auto memory = plain(about.Width, about.Height, about.Format, D3DPOOL_SYSTEMMEM);
    REQUIRE(device->GetRenderTargetData(from, memory.get()) == S_OK);
    return texels_of(memory.get());
  }
  [[nodiscard]] static auto texels_of(d3d9::IDirect3DSurface9* from) -> std::vector<std::uint32_t> {
    D3DSURFACE_DESC about{};
    REQUIRE(from->GetDesc(&about) == S_OK);
    D3DLOCKED_RECT locked{};
    REQUIRE(from->LockRect(&locked, nullptr, D3DLOCK_READONLY) == S_OK);
    std::vector<std::uint32_t> texels(std::size_t{about.Width} * about.Height);
    for (UINT y = 0; y < about.Height; ++y) {
      const auto* const row =
          static_cast<const std::byte*>(locked.pBits) + std::ptrdiff_t{locked.Pitch} * y;
      std::memcpy(texels.data() + std::size_t{about.Width} * y, row, std::size_t{about.Width} * 4);
    }
    CHECK(from->UnlockRect() == S_OK);
    return texels;
  }
  /// All of a surface in memory, or of `area`.
  static void fill(d3d9::IDirect3DSurface9* to, std::uint32_t texel, const RECT* area = nullptr) {
    D3DSURFACE_DESC about{};
    REQUIRE(to->GetDesc(&about) == S_OK);
    const RECT whole{0, 0, static_cast<LONG>(about.Width), static_cast<LONG>(about.Height)};
    const auto& chosen = area != nullptr ? *area : whole;
    D3DLOCKED_RECT locked{};
    REQUIRE(to->LockRect(&locked, area, 0) == S_OK);
    for (LONG y = 0; y < chosen.bottom - chosen.top; ++y) {
      auto* const row = static_cast<std::byte*>(locked.pBits) + std::ptrdiff_t{locked.Pitch} * y;
      for (LONG x = 0; x < chosen.right - chosen.left; ++x)
        std::memcpy(row + x * 4, &texel, sizeof texel);
    }
    CHECK(to->UnlockRect() == S_OK);
  }

  any_device device;
};

}  // namespace aerogpu::test
