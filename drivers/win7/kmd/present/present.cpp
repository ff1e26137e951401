// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/present/present.hpp"

#include "aerogpu/abi/cmd_resource.h"
#include "aerogpu/abi/mmio.h"
#include "aerogpu/abi/ring.h"
#include "drivers/win7/kmd/adapter/adapter.hpp"
#include "drivers/win7/kmd/adapter/device.hpp"
#include "drivers/win7/kmd/memory/allocation.hpp"
#include "drivers/win7/kmd/present/present_build.hpp"
#include "drivers/win7/kmd/present/present_clip.hpp"
#include "drivers/win7/kmd/present/present_packet.hpp"

#include <new>

namespace aerogpu::kmd {

namespace {

enum class present_kind : std::uint8_t { unknown, copy, fill, flip };

[[nodiscard]] auto kind_of(const DXGK_PRESENTFLAGS& flags) noexcept -> present_kind {
  constexpr UINT copy = 1u << 0, fill = 1u << 1, flip = 1u << 2, no_wait = 1u << 3;
  switch (flags.Value) {
    case copy: return present_kind::copy;
    case fill: return present_kind::fill;
    case flip:
    case flip | no_wait: return present_kind::flip;
    default: return present_kind::unknown;
  }
}

[[nodiscard]] auto allocation_at(const DXGKARG_PRESENT& args, UINT index) noexcept -> allocation* {
  if (args.pAllocationList == nullptr) return nullptr;
  const auto* const opened =
      static_cast<const opening*>(args.pAllocationList[index].hDeviceSpecificAllocation);
  return opened != nullptr ? opened->allocation : nullptr;
}

[[nodiscard]] auto placement_at(const DXGKARG_PRESENT& args, UINT index) noexcept -> placement {
  const DXGK_ALLOCATIONLIST& line = args.pAllocationList[index];
  const segment_id segment = to_segment(line.SegmentId);
  if (segment == segment_id::none) return {};
  return {segment, static_cast<std::uint64_t>(line.PhysicalAddress.QuadPart)};
}

/// Whether the host has both surfaces and takes a copy between them: of one format, and not within
/// one surface.
[[nodiscard]] auto can_copy_on_host(const adapter& adapter, const allocation& destination,
                                    const allocation& source) noexcept -> bool {
  const bool has_handles = destination.handle != resource_handle{} &&
                           source.handle != resource_handle{} &&
                           destination.handle != source.handle;
  const bool has_transfer = adapter.hardware.has(AEROGPU_FEATURE_TRANSFER) &&
                            (adapter.hardware.abi_version & 0xFFFF) >= 1;
  const bool is_one_format = destination.shape.format == source.shape.format &&
                             destination.blob.format == source.blob.format;
  return has_handles && has_transfer && is_one_format;
}

/// Whether pixels must also reach guest memory: the processor reads them, or they are shown.
[[nodiscard]] auto is_read_in_memory(const adapter& adapter, const allocation& destination,
                                     const placement& at) noexcept -> bool {
  constexpr std::uint32_t read_flags =
      AEROGPU_WDDM_ALLOC_PRIV_FLAG_CPU_VISIBLE | AEROGPU_WDDM_ALLOC_PRIV_FLAG_STAGING;
  if (destination.is_primary || (destination.blob.flags & read_flags) != 0) return true;
  return at.segment == segment_id::video &&
         at.address == adapter.display.scanout.displayed_address();
}

/// What a copy by the processor asks of the two formats.
[[nodiscard]] auto check_formats(const surface_shape& destination,
                                 const surface_shape& source) noexcept -> NTSTATUS {
  if (destination.bytes_per_pixel == 0 || source.bytes_per_pixel == 0)
    return STATUS_INVALID_PARAMETER;
  const bool is_one_family =
      pixel_format_of(destination.format).family == pixel_format_of(source.format).family;
  return is_one_family ? STATUS_SUCCESS : STATUS_GRAPHICS_CANNOTCOLORCONVERT;
}

[[nodiscard]] auto is_stretched(const DXGKARG_PRESENT& args) noexcept -> bool {
  const auto length = [](LONG first, LONG end) { return std::int64_t{end} - first; };
  const RECT& to = args.DstRect;
  const RECT& from = args.SrcRect;
  return length(to.left, to.right) != length(from.left, from.right) ||
         length(to.top, to.bottom) != length(from.top, from.bottom);
}

/// A window that has another size than its picture. The host's copies do not stretch, and what only
/// the host has is not in guest memory; pixels of one surface could be overwritten before they are
/// read.
[[nodiscard]] auto build_stretch(present_build& build, const DXGKARG_PRESENT& args,
                                 const surface_shape& destination,
                                 const surface_shape& source) noexcept -> NTSTATUS {
  const NTSTATUS formats = check_formats(destination, source);
  if (!NT_SUCCESS(formats)) return formats;
  present_work work{.operation = present_operation::stretch};
  const RECT& to = args.DstRect;
  const RECT& from = args.SrcRect;
  const bool has_axes =
      make_stretched_axis(to.left, to.right, from.left, from.right, source.width, work.across) &&
      make_stretched_axis(to.top, to.bottom, from.top, from.bottom, source.height, work.down);
  if (!has_axes) return STATUS_NOT_SUPPORTED;
  return build.draw_here(present_rectangles{args, destination}, work);
}

[[nodiscard]] auto build_copy(context& context, DXGKARG_PRESENT& args) noexcept -> NTSTATUS {
  allocation* const destination = allocation_at(args, DXGK_PRESENT_DESTINATION_INDEX);
  allocation* const source = allocation_at(args, DXGK_PRESENT_SOURCE_INDEX);
  if (destination == nullptr || source == nullptr) return STATUS_INVALID_PARAMETER;

  const placement destination_at = placement_at(args, DXGK_PRESENT_DESTINATION_INDEX);
  const placement source_at = placement_at(args, DXGK_PRESENT_SOURCE_INDEX);
  present_build build{context, args};
  build.add_surface(*destination, DXGK_PRESENT_DESTINATION_INDEX, destination_at);
  build.add_surface(*source, DXGK_PRESENT_SOURCE_INDEX, source_at);
  const adapter& adapter = context.device.adapter;
  const bool is_for_host = can_copy_on_host(adapter, *destination, *source);
  if (is_stretched(args)) {
    if (is_for_host || destination == source) return STATUS_NOT_SUPPORTED;
    return build_stretch(build, args, destination->shape, source->shape);
  }

  const present_rectangles areas{args, destination->shape, source->shape, destination == source};
  if (is_for_host) {
    const bool writes_back = is_read_in_memory(adapter, *destination, destination_at);
    return build.copy_on_host(
        areas, writes_back ? AEROGPU_COPY_FLAG_WRITEBACK_DST : AEROGPU_COPY_FLAG_NONE);
  }
  const NTSTATUS formats = check_formats(destination->shape, source->shape);
  if (!NT_SUCCESS(formats)) return formats;
  return build.draw_here(areas, {.operation = present_operation::copy});
}

[[nodiscard]] auto build_fill(context& context, DXGKARG_PRESENT& args) noexcept -> NTSTATUS {
  allocation* const destination = allocation_at(args, DXGK_PRESENT_DESTINATION_INDEX);
  if (destination == nullptr || destination->shape.bytes_per_pixel == 0)
    return STATUS_INVALID_PARAMETER;
  present_work work{.operation = present_operation::fill};
  if (!convert_color(args.Color, destination->shape.format, work.pixel))
    return STATUS_GRAPHICS_CANNOTCOLORCONVERT;

  present_build build{context, args};
  build.add_surface(*destination, DXGK_PRESENT_DESTINATION_INDEX,
                    placement_at(args, DXGK_PRESENT_DESTINATION_INDEX));
  return build.draw_here(present_rectangles{args, destination->shape}, work);
}

/// The device knows an address alone: it reads on behind an allocation that is too small.
[[nodiscard]] auto holds_screen(const adapter& adapter, const allocation& shown) noexcept -> bool {
  return shown.shape.bytes_per_pixel != 0 &&
         shown.size_bytes >= shown_bytes(adapter.display.scanout.mode());
}

/// The flip itself comes through SetVidPnSourceAddress, and then there is no buffer.
[[nodiscard]] auto build_flip(context& context, DXGKARG_PRESENT& args) noexcept -> NTSTATUS {
  allocation* const shown = allocation_at(args, DXGK_PRESENT_SOURCE_INDEX);
  if (shown == nullptr || !holds_screen(context.device.adapter, *shown))
    return STATUS_INVALID_PARAMETER;
  if (args.pDmaBuffer == nullptr) return STATUS_SUCCESS;
  present_build build{context, args};
  build.add_surface(*shown, DXGK_PRESENT_SOURCE_INDEX,
                    placement_at(args, DXGK_PRESENT_SOURCE_INDEX));
  return build.flip_here();
}

}  // namespace

auto present(context& context, DXGKARG_PRESENT& args) noexcept -> NTSTATUS {
  const present_kind kind = kind_of(args.Flags);
  if (kind == present_kind::unknown) return STATUS_NOT_SUPPORTED;
  if (kind == present_kind::flip) return build_flip(context, args);
  if (args.pDmaBuffer == nullptr || args.pDmaBufferPrivateData == nullptr ||
      args.pPatchLocationListOut == nullptr) {
    return STATUS_INVALID_PARAMETER;
  }
  return kind == present_kind::copy ? build_copy(context, args) : build_fill(context, args);
}

}  // namespace aerogpu::kmd
