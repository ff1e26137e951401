// SPDX-License-Identifier: MIT
/// \file A Present as dxgkrnl asks for one, and the pixels that it moves.
#pragma once

#include "drivers/win7/kmd/present/present_packet.hpp"
#include "tests/drivers/kmd/memory/memory_driver.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace aerogpu::test {

inline constexpr auto primary_type = D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE;
inline constexpr auto shadow_type = D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE;

/// A Present and its lists: line 1 is the source, line 2 the destination.
struct present_request {
  std::array<DXGK_ALLOCATIONLIST, 3> list{};
  std::array<D3DDDI_PATCHLOCATIONLIST, 4> patches{};
  DXGKARG_PRESENT args{};

  present_request(dma_buffer& buffer, const memory_driver::surface* source,
                  const memory_driver::surface* destination) {
    if (source != nullptr) list[DXGK_PRESENT_SOURCE_INDEX] = source->line(false);
    if (destination != nullptr) list[DXGK_PRESENT_DESTINATION_INDEX] = destination->line(true);
    start(buffer);
    args.pAllocationList = list.data();
    args.Flags.Blt = 1;
  }
  void start(dma_buffer& buffer) {
    args.pDmaBuffer = buffer.bytes();
    args.DmaSize = buffer.size();
    args.pDmaBufferPrivateData = buffer.private_data();
    args.DmaBufferPrivateDataSize = buffer.private_size();
    args.pPatchLocationListOut = patches.data();
    args.PatchLocationListOutSize = 4;
  }
  void move(const RECT& from, const RECT& to, std::span<const RECT> parts) {
    args.SrcRect = from;
    args.DstRect = to;
    args.SubRectCnt = static_cast<UINT>(parts.size());
    args.pDstSubRects = parts.data();
  }
  [[nodiscard]] auto call(memory_driver& m) -> NTSTATUS {
    return m.windows.call(&memory_driver::table::DxgkDdiPresent, m.context, &args);
  }
};

/// A surface's pixels in guest memory.
template <class Pixel>
class picture {
 public:
  picture(memory_driver& m, const memory_driver::surface& of, std::uint64_t offset) {
    const auto& shape = static_cast<const kmd::allocation*>(of.allocation)->shape;
    bytes_ = m.video_bytes(offset, std::size_t{shape.pitch_bytes} * shape.height);
    pitch_ = shape.pitch_bytes;
    width = static_cast<LONG>(shape.width);
    height = static_cast<LONG>(shape.height);
  }
  [[nodiscard]] auto get(LONG x, LONG y) const -> Pixel { return load<Pixel>(at(x, y)); }
  void set(LONG x, LONG y, Pixel pixel) { store(at(x, y), pixel); }
  void number() {
    for (LONG y = 0; y < height; ++y)
      for (LONG x = 0; x < width; ++x) set(x, y, static_cast<Pixel>(y * 1000 + x + 1));
  }

  LONG width = 0, height = 0;

 private:
  [[nodiscard]] auto at(LONG x, LONG y) const -> std::byte* {
    return bytes_.data() + static_cast<std::size_t>(y) * pitch_ +
           static_cast<std::size_t>(x) * sizeof(Pixel);
  }
  mutable_bytes bytes_;
  std::size_t pitch_ = 0;
};

}  // namespace aerogpu::test
