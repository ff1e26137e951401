// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/present/present_clip.hpp"

namespace aerogpu::kmd {

namespace {

/// A range of pixels along one axis; empty when the end is not above the start.
struct extent {
  std::int64_t first;
  std::int64_t end;

  void cut(std::int64_t least, std::int64_t most) noexcept {
    if (first < least) first = least;
    if (end > most) end = most;
  }
};

[[nodiscard]] auto count_of(const DXGKARG_PRESENT& args) noexcept -> std::uint32_t {
  return args.SubRectCnt != 0 && args.pDstSubRects != nullptr ? args.SubRectCnt : 1;
}

}  // namespace

present_rectangles::present_rectangles(const DXGKARG_PRESENT& args,
                                       const surface_shape& destination) noexcept
    : args_(args),
      destination_(destination),
      source_(destination),
      to_source_x_(0),
      to_source_y_(0),
      count_(count_of(args)),
      is_backward_(false) {}

present_rectangles::present_rectangles(const DXGKARG_PRESENT& args,
                                       const surface_shape& destination,
                                       const surface_shape& source, bool is_same_surface) noexcept
    : args_(args),
      destination_(destination),
      source_(source),
      to_source_x_(std::int64_t{args.SrcRect.left} - args.DstRect.left),
      to_source_y_(std::int64_t{args.SrcRect.top} - args.DstRect.top),
      count_(count_of(args)),
      // Windows lists a region from top to bottom, left to right: when the pixels of one surface
      // move down or right, the last rectangle goes first, before its source is overwritten.
      is_backward_(is_same_surface &&
                   (to_source_y_ < 0 || (to_source_y_ == 0 && to_source_x_ < 0))) {}

auto present_rectangles::at(std::uint32_t index) const noexcept -> present_rectangle {
  const std::uint32_t listed = is_backward_ ? count_ - 1 - index : index;
  const bool has_list = args_.SubRectCnt != 0 && args_.pDstSubRects != nullptr;
  return clip(has_list ? args_.pDstSubRects[listed] : args_.DstRect);
}

auto present_rectangles::clip(const RECT& area) const noexcept -> present_rectangle {
  extent x{area.left, area.right};
  extent y{area.top, area.bottom};
  x.cut(args_.DstRect.left, args_.DstRect.right);
  y.cut(args_.DstRect.top, args_.DstRect.bottom);
  x.cut(0, destination_.width);
  y.cut(0, destination_.height);
  x.cut(-to_source_x_, std::int64_t{source_.width} - to_source_x_);
  y.cut(-to_source_y_, std::int64_t{source_.height} - to_source_y_);
  if (x.end <= x.first || y.end <= y.first) return {};
  return {.x = static_cast<std::uint32_t>(x.first),
          .y = static_cast<std::uint32_t>(y.first),
          .width = static_cast<std::uint32_t>(x.end - x.first),
          .height = static_cast<std::uint32_t>(y.end - y.first),
          .source_x = static_cast<std::uint32_t>(x.first + to_source_x_),
          .source_y = static_cast<std::uint32_t>(y.first + to_source_y_)};
}

}  // namespace aerogpu::kmd
