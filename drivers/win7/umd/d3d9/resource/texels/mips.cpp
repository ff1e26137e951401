// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/resource/texels/mips.hpp"

#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/resource/changes.hpp"
#include "drivers/win7/umd/d3d9/resource/texels/color_blocks.hpp"
#include "drivers/win7/umd/d3d9/resource/texels/colors.hpp"
#include "drivers/win7/umd/d3d9/resource/texels/cpu_bytes.hpp"

#include <algorithm>

namespace aerogpu::umd {

namespace {

/// One level as colours, whatever it is made of.
class color_level {
 public:
  color_level(std::uint32_t format, const row_target& rows, std::uint32_t width,
              std::uint32_t height) noexcept
      : format_(format),
        blocks_(block_format_of(format)),
        texel_bytes_(texel_bytes(format)),
        rows_(rows),
        width_(width),
        height_(height) {}

  [[nodiscard]] auto width() const noexcept -> std::uint32_t { return width_; }
  [[nodiscard]] auto height() const noexcept -> std::uint32_t { return height_; }

  /// Coordinates beyond the edge are those of the edge. Neighbours in one block are decoded once.
  [[nodiscard]] auto read(std::uint32_t x, std::uint32_t y) noexcept -> std::uint32_t {
    x = std::min(x, width_ - 1);
    y = std::min(y, height_ - 1);
    if (blocks_ == block_format::none) return decode_color(format_, texel(x, y));
    const std::byte* const at = block(x / 4, y / 4);
    if (at != decoded_) texels_ = decode_block(blocks_, at);
    decoded_ = at;
    return texels_[y % 4 * 4 + x % 4];
  }

  /// Fills the level: `color(x, y)` for each texel.
  template <class Color>
  void write(Color&& color) noexcept {
    if (blocks_ != block_format::none) return write_blocks(color);
    for (std::uint32_t y = 0; y < height_; ++y) {
      for (std::uint32_t x = 0; x < width_; ++x) {
        const std::uint32_t bits = encode_color(format_, color(x, y))->bits;
        if (texel_bytes_ == 4) store(texel(x, y), bits);
        if (texel_bytes_ == 2) store(texel(x, y), static_cast<std::uint16_t>(bits));
      }
    }
  }

 private:
  [[nodiscard]] auto texel(std::uint32_t x, std::uint32_t y) const noexcept -> std::byte* {
    return rows_.first + y * rows_.pitch_bytes + std::size_t{x} * texel_bytes_;
  }
  [[nodiscard]] auto block(std::uint32_t x, std::uint32_t y) const noexcept -> std::byte* {
    return rows_.first + y * rows_.pitch_bytes + x * block_bytes(blocks_);
  }
  template <class Color>
  void write_blocks(Color&& color) noexcept {
    for (std::uint32_t y = 0; y < height_; y += 4) {
      for (std::uint32_t x = 0; x < width_; x += 4) {
        block_texels texels{};
        for (std::uint32_t i = 0; i < texels.size(); ++i) {
          // What lies beyond the edge repeats it, and costs no end point.
          texels[i] = color(std::min(x + i % 4, width_ - 1), std::min(y + i / 4, height_ - 1));
        }
        encode_block(blocks_, texels, block(x / 4, y / 4));
      }
    }
  }

  std::uint32_t format_;
  block_format blocks_;
  std::uint32_t texel_bytes_;
  row_target rows_;
  std::uint32_t width_;
  std::uint32_t height_;
  const std::byte* decoded_ = nullptr;
  block_texels texels_{};
};

/// The mean of four colours, rounded, each channel for itself.
[[nodiscard]] auto average(const std::array<std::uint32_t, 4>& colors) noexcept -> std::uint32_t {
  std::uint32_t mean = 0;
  for (const int shift : {0, 8, 16, 24}) {
    std::uint32_t sum = 2;
    for (const std::uint32_t each : colors) sum += each >> shift & 0xFF;
    mean |= sum / 4 << shift;
  }
  return mean;
}

void reduce(color_level& from, color_level& to, mip_filter filter) noexcept {
  to.write([&](std::uint32_t x, std::uint32_t y) {
    const std::uint32_t u = 2 * x, v = 2 * y;
    if (filter == mip_filter::nearest) return from.read(u, v);
    return average(
        {from.read(u, v), from.read(u + 1, v), from.read(u, v + 1), from.read(u + 1, v + 1)});
  });
}

[[nodiscard]] auto level_of(const resource& of, const cpu_bytes& bytes, subresource where) noexcept
    -> color_level {
  const texture_layout& layout = *of.layout();
  return {of.format, bytes.rows(layout.index_of(where)), layout.width_of(where.mip_level),
          layout.height_of(where.mip_level)};
}

[[nodiscard]] auto has_colors(const resource& of) noexcept -> bool {
  return texel_bytes(of.format) != 0 || block_format_of(of.format) != block_format::none;
}

}  // namespace

auto generate_mips(device& on, resource& of, mip_filter filter) noexcept -> HRESULT {
  const texture_layout* const layout = of.layout();
  if (layout == nullptr) return D3DERR_INVALIDCALL;
  if (layout->shape().mip_levels < 2) return of.flags.generates_mips ? S_OK : D3DERR_INVALIDCALL;
  if (!of.locks.empty() || !has_colors(of)) return D3DERR_INVALIDCALL;
  if (const HRESULT read = read_from_host(on, of); FAILED(read)) return read;
  const texture_shape& shape = layout->shape();
  {
    cpu_bytes bytes{on};
    if (const HRESULT mapped = bytes.map(of, lock_access::read_write); FAILED(mapped)) {
      return mapped;
    }
    for (std::uint32_t layer = 0; layer < shape.array_layers; ++layer) {
      for (std::uint32_t mip = 1; mip < shape.mip_levels; ++mip) {
        color_level from = level_of(of, bytes, {mip - 1, layer});
        color_level to = level_of(of, bytes, {mip, layer});
        reduce(from, to, filter);
      }
    }
  }
  for (std::uint32_t layer = 0; layer < shape.array_layers; ++layer) {
    const subresource_layout first = layout->locate({1, layer});
    const subresource_layout last = layout->locate({shape.mip_levels - 1, layer});
    const byte_range changed{first.offset_bytes,
                             last.offset_bytes + last.size_bytes() - first.offset_bytes};
    const HRESULT sent = send_changes(on, of, changed);
    if (FAILED(sent)) return sent;
  }
  return S_OK;
}

}  // namespace aerogpu::umd
