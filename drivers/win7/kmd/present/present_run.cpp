// SPDX-License-Identifier: MIT
// Presents that the processor does, when their turn comes.
#include "aerogpu/core/checked.hpp"
#include "drivers/win7/kmd/adapter/adapter.hpp"
#include "drivers/win7/kmd/memory/allocation.hpp"
#include "drivers/win7/kmd/memory/memory_view.hpp"
#include "drivers/win7/kmd/present/present.hpp"
#include "drivers/win7/kmd/present/present_packet.hpp"

#include <array>

namespace aerogpu::kmd {

namespace {

/// What a row, or a rectangle, costs besides its bytes: tall thin ones are short of bytes.
constexpr std::uint64_t step_bytes = 256;

/// What a pixel costs that is picked out of a row, and one that is sought in scattered pages.
constexpr std::uint64_t picked_pixel_bytes = 16;
constexpr std::uint64_t sought_pixel_bytes = 128;

void charge(std::uint64_t& budget_bytes, std::uint64_t bytes) noexcept {
  budget_bytes -= bytes < budget_bytes ? bytes : budget_bytes;
}

/// A surface and where it is.
struct placed_surface {
  const allocation* object = nullptr;
  surface_shape shape;
  placement at;
};

[[nodiscard]] auto surface_of(dma_record& record, std::size_t index) noexcept -> placed_surface {
  if (index >= record.reference_count) return {};
  const dma_reference& listed = record.references()[index];
  const allocation& object = *listed.allocation;
  const placement at = listed.where();
  return {&object, object.shape, at.is_known() ? at : object.where.get()};
}

/// Where a row of a rectangle begins.
[[nodiscard]] auto row_offset(const surface_shape& shape, std::uint32_t x, std::uint32_t y) noexcept
    -> std::uint64_t {
  return std::uint64_t{y} * shape.pitch_bytes + std::uint64_t{x} * shape.bytes_per_pixel;
}

[[nodiscard]] auto lies_in(const surface_shape& shape, std::uint32_t x, std::uint32_t y,
                           const present_rectangle& area) noexcept -> bool {
  return shape.bytes_per_pixel != 0 && range_fits(x, area.width, shape.width) &&
         range_fits(y, area.height, shape.height);
}

/// A pixel over and over.
[[nodiscard]] auto repeated(std::uint32_t pixel, std::uint32_t bytes_per_pixel) noexcept
    -> std::uint32_t {
  if (bytes_per_pixel == 1) return (pixel & 0xFF) * 0x01010101u;
  if (bytes_per_pixel == 2) return (pixel & 0xFFFF) * 0x00010001u;
  return pixel;
}

/// Pixels of a source row, one beside the other.
template <class Pixel>
void pick_pixels(std::byte* to, const std::byte* row, stretched_walk& walk,
                 std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i, walk.next())
    store(to + i * sizeof(Pixel), load<Pixel>(row + walk.offset() * sizeof(Pixel)));
}

/// Executes the rectangles of one buffer, row by row.
class present_run {
 public:
  present_run(adapter& adapter, dma_record& record) noexcept
      : adapter_(adapter),
        work_(present_work_of(record)),
        destination_(surface_of(record, present_destination)),
        source_(surface_of(record, present_source)),
        destination_view_(adapter.segments, destination_.at),
        source_view_(adapter.segments, source_.at) {}

  [[nodiscard]] auto is_flip() const noexcept -> bool {
    return work_.operation == present_operation::flip;
  }

  /// Goes on at row `done`; true when the rectangle is done.
  [[nodiscard]] auto run(const present_rectangle& area, std::uint64_t& done,
                         std::uint64_t& budget_bytes) noexcept -> bool {
    if (budget_bytes == 0) return false;
    if (done == 0) charge(budget_bytes, step_bytes);
    if (!is_good(area)) return true;
    const std::uint64_t row_bytes = std::uint64_t{area.width} * destination_.shape.bytes_per_pixel;
    for (; done < area.height; ++done) {
      if (budget_bytes == 0) return false;
      charge(budget_bytes, row_cost(area.width, row_bytes) + step_bytes);
      const auto row = static_cast<std::uint32_t>(done);
      if (is_stretch())
        stretch_row(area, row);
      else
        draw_row(area, row, row_bytes);
    }
    return true;
  }

  /// The host may show a texture for this address: what was drawn is to be seen from now on
  /// [K-35].
  void show() noexcept {
    if (destination_.at.segment != segment_id::video || !adapter_.is_ready) return;
    scanout& scanout = adapter_.display.scanout;
    if (is_flip())
      scanout.set_address(adapter_, destination_.at, destination_.object);
    else
      scanout.recommit(adapter_, destination_.at);
  }

 private:
  [[nodiscard]] auto is_copy() const noexcept -> bool {
    return work_.operation == present_operation::copy;
  }
  [[nodiscard]] auto is_stretch() const noexcept -> bool {
    return work_.operation == present_operation::stretch;
  }
  [[nodiscard]] auto is_same_surface() const noexcept -> bool {
    return is_copy() && source_.object == destination_.object;
  }

  [[nodiscard]] auto is_good(const present_rectangle& area) const noexcept -> bool {
    if (is_flip() || !lies_in(destination_.shape, area.x, area.y, area)) return false;
    if (is_stretch()) {
      return work_.across.holds(area.x, area.width) && work_.down.holds(area.y, area.height) &&
             source_.shape.bytes_per_pixel == destination_.shape.bytes_per_pixel;
    }
    return !is_copy() || (lies_in(source_.shape, area.source_x, area.source_y, area) &&
                          source_.shape.bytes_per_pixel == destination_.shape.bytes_per_pixel);
  }

  void draw_row(const present_rectangle& area, std::uint32_t done,
                std::uint64_t row_bytes) noexcept {
    const bool goes_down = is_same_surface() && area.y > area.source_y;
    const std::uint32_t row = goes_down ? area.height - 1 - done : done;
    const view_position to{destination_view_, row_offset(destination_.shape, area.x, area.y + row)};
    if (!is_copy()) {
      const std::uint32_t pattern = repeated(work_.pixel, destination_.shape.bytes_per_pixel);
      return fill(adapter_, to, row_bytes, pattern, 0);
    }
    const view_position from{source_view_,
                             row_offset(source_.shape, area.source_x, area.source_y + row)};
    const bool goes_right = is_same_surface() && to.offset > from.offset;
    const bool overlaps = goes_right && to.offset - from.offset < row_bytes;
    if (!overlaps || is_in_one_piece(to, row_bytes)) {
      return copy_forward(adapter_, to, from, row_bytes);
    }
    copy_backward(adapter_, to, from, row_bytes);
  }

  [[nodiscard]] auto row_cost(std::uint32_t width, std::uint64_t row_bytes) const noexcept
      -> std::uint64_t {
    if (!is_stretch()) return row_bytes;
    const bool is_scattered = source_.at.segment != segment_id::video;
    return std::uint64_t{width} * (is_scattered ? sought_pixel_bytes : picked_pixel_bytes);
  }

  void stretch_row(const present_rectangle& area, std::uint32_t row) noexcept {
    const std::uint32_t pixel_bytes = source_.shape.bytes_per_pixel;
    const std::uint32_t source_row =
        work_.down.source_first + stretched_walk{work_.down, area.y + row}.offset();
    const view_position from{source_view_,
                             row_offset(source_.shape, work_.across.source_first, source_row)};
    const view_position to{destination_view_, row_offset(destination_.shape, area.x, area.y + row)};
    const std::uint64_t source_bytes = std::uint64_t{work_.across.source_length} * pixel_bytes;
    const mutable_bytes whole = source_view_.piece(from.offset, source_bytes);
    stretched_walk walk{work_.across, area.x};
    if (whole.size() == source_bytes) return stretch_piece(to, whole.data(), walk, area.width);
    for (std::uint32_t i = 0; i < area.width; ++i, walk.next()) {
      copy_forward(adapter_, {to.view, to.offset + std::uint64_t{i} * pixel_bytes},
                   {from.view, from.offset + std::uint64_t{walk.offset()} * pixel_bytes},
                   pixel_bytes);
    }
  }

  /// By chunks, because video memory may be write-combined.
  void stretch_piece(const view_position& to, const std::byte* row, stretched_walk& walk,
                     std::uint32_t width) noexcept {
    const std::uint32_t pixel_bytes = source_.shape.bytes_per_pixel;
    std::array<std::byte, 256> chunk;
    const memory_view chunk_view{chunk};
    const auto most = static_cast<std::uint32_t>(chunk.size() / pixel_bytes);
    for (std::uint32_t done = 0; done < width;) {
      const std::uint32_t count = width - done < most ? width - done : most;
      switch (pixel_bytes) {
        case 1: pick_pixels<std::uint8_t>(chunk.data(), row, walk, count); break;
        case 2: pick_pixels<std::uint16_t>(chunk.data(), row, walk, count); break;
        default: pick_pixels<std::uint32_t>(chunk.data(), row, walk, count); break;
      }
      copy_forward(adapter_, {to.view, to.offset + std::uint64_t{done} * pixel_bytes},
                   {chunk_view, 0}, std::uint64_t{count} * pixel_bytes);
      done += count;
    }
  }

  /// Whether memmove sees all of an overlap: the rows are of one surface, so that source and
  /// destination are in one piece when all from the first byte to the last is.
  [[nodiscard]] static auto is_in_one_piece(const view_position& to,
                                            std::uint64_t row_bytes) noexcept -> bool {
    const std::uint64_t both = 2 * row_bytes;  // An overlap is shorter.
    const std::uint64_t first = to.offset < row_bytes ? 0 : to.offset - row_bytes;
    return to.view.piece(first, both).size() == both;
  }

  adapter& adapter_;
  const present_work& work_;
  placed_surface destination_;
  placed_surface source_;
  memory_view destination_view_;
  memory_view source_view_;
};

}  // namespace

auto run_present(adapter& adapter, cpu_work& work, std::uint64_t& budget_bytes) noexcept -> bool {
  if (work.record == nullptr) return true;
  present_run run{adapter, *static_cast<dma_record*>(work.record)};
  while (work.size_bytes - work.done_bytes >= sizeof(present_rectangle)) {
    const auto area = load<present_rectangle>(work.packets + work.done_bytes);
    if (!run.run(area, work.done_in_packet, budget_bytes)) return false;
    work.done_bytes += static_cast<std::uint32_t>(sizeof(present_rectangle));
    work.done_in_packet = 0;
  }
  run.show();
  return true;
}

}  // namespace aerogpu::kmd
