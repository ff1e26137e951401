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
  const format_info* memory = nullptr;                 ///< Where texels have other bytes there.
};

/// Texels of `bytes` bytes that no wire knows. `number` is only to tell them apart.
constexpr auto make_narrow(std::uint32_t number, std::string_view name, D3DFORMAT d3d9,
                           std::uint8_t bytes) noexcept -> format_info {
  format_info made = *find_format(AEROGPU_FORMAT_B5G6R5_UNORM);
  made.value = static_cast<aerogpu_format>(number);
  made.name = name;
  made.bytes_per_block = bytes;
  made.has_alpha = d3d9 != D3DFMT_L8;
  made.view_family = made.value;
  made.dxgi = 0;
  made.d3d9 = static_cast<std::uint32_t>(d3d9);
  made.vk = 0;
  return made;
}
constexpr format_info luminance = make_narrow(125, "L8", D3DFMT_L8, 1);
constexpr format_info coverage = make_narrow(126, "A8", D3DFMT_A8, 1);
constexpr format_info luminance_alpha = make_narrow(127, "A8L8", D3DFMT_A8L8, 2);

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
/// No target: what only the CPU writes never has to be narrowed again.
constexpr std::uint32_t narrow = cube | plain;
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
    row{D3DFMT_L8, narrow | FORMATOP_SRGBREAD, AEROGPU_FORMAT_B8G8R8X8_UNORM, &luminance},
    row{D3DFMT_A8, narrow, AEROGPU_FORMAT_B8G8R8A8_UNORM, &coverage},
    row{D3DFMT_A8L8, narrow | FORMATOP_SRGBREAD, AEROGPU_FORMAT_B8G8R8A8_UNORM, &luminance_alpha},
    row{D3DFMT_D24S8, depth},
    row{D3DFMT_D24X8, depth, AEROGPU_FORMAT_D24_UNORM_S8_UINT},
    row{D3DFMT_D16, depth, AEROGPU_FORMAT_D24_UNORM_S8_UINT},
    row{D3DFMT_DXT1, blocks},
    row{D3DFMT_DXT2, blocks, AEROGPU_FORMAT_BC2_RGBA_UNORM},
    row{D3DFMT_DXT3, blocks},
    row{D3DFMT_DXT4, blocks, AEROGPU_FORMAT_BC3_RGBA_UNORM},
    row{D3DFMT_DXT5, blocks},
};

// The wire has neither signed formats nor volumes.
constexpr std::array promises{
    listed_operations{D3DFMT_A8R8G8B8, FORMATOP_VOLUMETEXTURE},
    listed_operations{D3DFMT_X8R8G8B8, FORMATOP_VOLUMETEXTURE},
    listed_operations{D3DFMT_A8B8G8R8, FORMATOP_VOLUMETEXTURE},
    listed_operations{D3DFMT_L8, FORMATOP_VOLUMETEXTURE},
    listed_operations{D3DFMT_V8U8, FORMATOP_TEXTURE},
    listed_operations{D3DFMT_V16U16, FORMATOP_TEXTURE},
    listed_operations{D3DFMT_Q8W8V8U8, cube},
};

constexpr auto find_row(std::uint32_t d3d9) noexcept -> const row* {
  for (const row& each : rows) {
    if (static_cast<std::uint32_t>(each.d3d9) == d3d9) return &each;
  }
  return nullptr;
}
static_assert(std::none_of(promises.begin(), promises.end(),
                           [](const listed_operations& each) {
                             const row* const real =
                                 find_row(static_cast<std::uint32_t>(each.d3d9));
                             return real != nullptr && (real->operations & each.operations) != 0;
                           }),
              "what is only listed is not done");

constexpr auto device_format(const row& of) noexcept -> const format_info* {
  return of.substitute != AEROGPU_FORMAT_INVALID
             ? find_format(of.substitute)
             : find_format_by_d3d9(static_cast<std::uint32_t>(of.d3d9));
}

constexpr auto surface_formats = [] {
  std::array<surface_format, rows.size()> all{};
  std::transform(rows.begin(), rows.end(), all.begin(), [](const row& of) {
    const format_info* const device = device_format(of);
    return surface_format{of.d3d9, device, of.memory != nullptr ? of.memory : device, of.operations,
                          of.d3d9 == D3DFMT_X1R5G5B5};
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
static_assert(std::none_of(surface_formats.begin(), surface_formats.end(),
                           [](const surface_format& each) {
                             return each.is_narrow() &&
                                    (find_format(each.memory->value) != nullptr ||
                                     each.can_be_render_target());
                           }),
              "a narrow format is not the wire's, and nothing on the host writes it");

}  // namespace

auto formats_of(const adapter_facts& facts) noexcept -> std::span<const surface_format> {
  const std::span<const surface_format> all{surface_formats};
  return facts.has_block_compression() ? all : all.first(uncompressed_count);
}

auto only_listed() noexcept -> std::span<const listed_operations> {
  return promises;
}

auto only_listed_operations(std::uint32_t d3d9) noexcept -> std::uint32_t {
  for (const listed_operations& each : promises) {
    if (static_cast<std::uint32_t>(each.d3d9) == d3d9) return each.operations;
  }
  return 0;
}

auto is_only_listed(std::uint32_t d3d9) noexcept -> bool {
  return only_listed_operations(d3d9) != 0 && find_row(d3d9) == nullptr;
}

auto find_surface_format(const adapter_facts& facts, std::uint32_t d3d9) noexcept
    -> const surface_format* {
  for (const surface_format& each : formats_of(facts)) {
    if (static_cast<std::uint32_t>(each.d3d9) == d3d9) return &each;
  }
  return nullptr;
}

}  // namespace aerogpu::umd
