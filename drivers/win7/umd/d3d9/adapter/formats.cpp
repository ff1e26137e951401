// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/adapter/formats.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace aerogpu::umd {

namespace {

struct row {
  D3DFORMAT d3d9;
  std::uint32_t operations;
  aerogpu_format substitute = AEROGPU_FORMAT_INVALID;  ///< Where the wire has no such format.
};

constexpr std::uint32_t cube = FORMATOP_TEXTURE | FORMATOP_CUBETEXTURE;
constexpr std::uint32_t target = FORMATOP_OFFSCREEN_RENDERTARGET;
constexpr std::uint32_t plain = FORMATOP_OFFSCREENPLAIN;
constexpr std::uint32_t argb = FORMATOP_CONVERT_TO_ARGB | FORMATOP_MEMBEROFGROUP_ARGB;
/// The host decodes and encodes sRGB of 8 bits a channel (host.md 3.12), and decodes it in blocks.
constexpr std::uint32_t srgb = FORMATOP_SRGBREAD | FORMATOP_SRGBWRITE;
/// GenerateMipSubLevels makes the levels below the top.
constexpr std::uint32_t levels = FORMATOP_AUTOGENMIPMAP;
constexpr std::uint32_t display =
    FORMATOP_DISPLAYMODE | FORMATOP_3DACCELERATION | FORMATOP_SAME_FORMAT_RENDERTARGET;
constexpr std::uint32_t blocks = cube | plain | FORMATOP_SRGBREAD;
constexpr std::uint32_t depth = FORMATOP_ZSTENCIL | FORMATOP_ZSTENCIL_WITH_ARBITRARY_COLOR_DEPTH;

// Block-compressed ones last: adapters of an older ABI end before them.
constexpr std::array rows{
    row{D3DFMT_A8R8G8B8, cube | target | FORMATOP_SAME_FORMAT_UP_TO_ALPHA_RENDERTARGET | argb |
                             plain | srgb | levels},
    row{D3DFMT_X8R8G8B8, cube | target | display | argb | plain | srgb | levels},
    row{D3DFMT_R5G6B5, cube | target | argb | plain | levels},
    row{D3DFMT_X1R5G5B5, cube | target | argb | plain | levels, AEROGPU_FORMAT_B5G5R5A1_UNORM},
    row{D3DFMT_A1R5G5B5, cube | target | argb | plain | levels},
    row{D3DFMT_A8B8G8R8, cube | target | plain | srgb | levels},
    row{D3DFMT_D24S8, depth},
    row{D3DFMT_D24X8, depth, AEROGPU_FORMAT_D24_UNORM_S8_UINT},
    row{D3DFMT_D16, depth, AEROGPU_FORMAT_D24_UNORM_S8_UINT},
    row{D3DFMT_DXT1, blocks},
    row{D3DFMT_DXT2, blocks, AEROGPU_FORMAT_BC2_RGBA_UNORM},
    row{D3DFMT_DXT3, blocks},
    row{D3DFMT_DXT4, blocks, AEROGPU_FORMAT_BC3_RGBA_UNORM},
    row{D3DFMT_DXT5, blocks},
};

constexpr auto device_format(const row& of) noexcept -> const format_info* {
  return of.substitute != AEROGPU_FORMAT_INVALID
             ? find_format(of.substitute)
             : find_format_by_d3d9(static_cast<std::uint32_t>(of.d3d9));
}

constexpr auto surface_formats = [] {
  std::array<surface_format, rows.size()> all{};
  std::transform(rows.begin(), rows.end(), all.begin(), [](const row& of) {
    return surface_format{of.d3d9, device_format(of), of.operations, of.d3d9 == D3DFMT_X1R5G5B5};
  });
  return all;
}();

constexpr std::size_t uncompressed_count = static_cast<std::size_t>(
    std::count_if(surface_formats.begin(), surface_formats.end(),
                  [](const surface_format& each) { return !each.device->is_block_compressed(); }));
static_assert(std::is_partitioned(surface_formats.begin(), surface_formats.end(),
                                  [](const surface_format& each) {
                                    return !each.device->is_block_compressed();
                                  }));
static_assert(std::none_of(surface_formats.begin(), surface_formats.end(),
                           [](const surface_format& each) {
                             return (each.operations & display) != 0 && each.device->has_alpha;
                           }),
              "a format with alpha is no display mode");

}  // namespace

auto formats_of(const adapter_facts& facts) noexcept -> std::span<const surface_format> {
  const std::span<const surface_format> all{surface_formats};
  return facts.has_block_compression() ? all : all.first(uncompressed_count);
}

auto find_surface_format(const adapter_facts& facts, std::uint32_t d3d9) noexcept
    -> const surface_format* {
  for (const surface_format& each : formats_of(facts)) {
    if (static_cast<std::uint32_t>(each.d3d9) == d3d9) return &each;
  }
  return nullptr;
}

}  // namespace aerogpu::umd
