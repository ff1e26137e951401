// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/memory/paging.hpp"

#include "aerogpu/core/bytes.hpp"
#include "drivers/win7/kmd/adapter/adapter.hpp"
#include "drivers/win7/kmd/memory/memory_view.hpp"
#include "drivers/win7/kmd/memory/segments.hpp"

#include <cstring>

namespace aerogpu::kmd {

namespace {

constexpr std::uint32_t aperture_id = static_cast<std::uint32_t>(segment_id::aperture);
/// How often an item waits for the system to have room for its pages.
constexpr std::uint32_t most_failed_maps = 64;

[[nodiscard]] auto place_of(const paging_side& side) noexcept -> placement {
  const segment_id segment = to_segment(side.segment);
  return segment == segment_id::none ? placement{} : placement{segment, side.address};
}

template <class Side>
[[nodiscard]] auto transfer_side(const Side& side) noexcept -> paging_side {
  if (side.SegmentId == 0) return {.mdl = side.pMdl};
  return {.segment = side.SegmentId,
          .address = static_cast<std::uint64_t>(side.SegmentAddress.QuadPart)};
}

[[nodiscard]] auto transfer_packet(const DXGKARG_BUILDPAGINGBUFFER& args) noexcept
    -> paging_packet {
  const auto& asked = args.Transfer;
  return {.magic = paging_magic,
          .operation = paging_operation::transfer,
          .allocation = asked.hAllocation,
          .offset = asked.TransferOffset,
          .size = asked.TransferSize,
          .mdl_page = asked.MdlOffset,
          .source = transfer_side(asked.Source),
          .destination = transfer_side(asked.Destination)};
}

[[nodiscard]] auto fill_packet(const DXGKARG_BUILDPAGINGBUFFER& args) noexcept -> paging_packet {
  const auto& asked = args.Fill;
  return {.magic = paging_magic,
          .operation = paging_operation::fill,
          .allocation = asked.hAllocation,
          .size = asked.FillSize,
          .pattern = asked.FillPattern,
          .destination = {
              .segment = asked.Destination.SegmentId,
              .address = static_cast<std::uint64_t>(asked.Destination.SegmentAddress.QuadPart)}};
}

[[nodiscard]] auto discard_packet(const DXGKARG_BUILDPAGINGBUFFER& args) noexcept -> paging_packet {
  return {.magic = paging_magic,
          .operation = paging_operation::discard,
          .allocation = args.DiscardContent.hAllocation};
}

[[nodiscard]] auto map_packet(const DXGKARG_BUILDPAGINGBUFFER& args) noexcept -> paging_packet {
  const auto& asked = args.MapApertureSegment;
  return {.magic = paging_magic,
          .operation = paging_operation::map_aperture,
          .allocation = asked.hAllocation,
          .offset = asked.OffsetInPages,
          .size = asked.NumberOfPages,
          .mdl_page = asked.MdlOffset,
          .source = {.mdl = asked.pMdl},
          .destination = {.segment = asked.SegmentId}};
}

[[nodiscard]] auto unmap_packet(const DXGKARG_BUILDPAGINGBUFFER& args) noexcept -> paging_packet {
  const auto& asked = args.UnmapApertureSegment;
  return {.magic = paging_magic,
          .operation = paging_operation::unmap_aperture,
          .allocation = asked.hAllocation,
          .offset = asked.OffsetInPages,
          .size = asked.NumberOfPages,
          .destination = {.segment = asked.SegmentId}};
}

/// Takes a place for the packet.
[[nodiscard]] auto append(DXGKARG_BUILDPAGINGBUFFER& args, const paging_packet& packet) noexcept
    -> NTSTATUS {
  const bool has_room = args.pDmaBuffer != nullptr && args.DmaSize >= paging_place_bytes &&
                        args.pDmaBufferPrivateData != nullptr &&
                        args.DmaBufferPrivateDataSize >= sizeof packet;
  if (!has_room) return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
  auto* const place = static_cast<std::byte*>(args.pDmaBuffer);
  auto* const record = static_cast<std::byte*>(args.pDmaBufferPrivateData);
  std::memset(place, 0, paging_place_bytes);
  store(record, packet);
  args.pDmaBuffer = place + paging_place_bytes;
  args.pDmaBufferPrivateData = record + sizeof packet;
  return STATUS_SUCCESS;
}

/// An MDL in kernel space while one run of the processor needs it.
class mdl_scope {
 public:
  explicit mdl_scope(const paging_side& side) noexcept {
    if (side.segment != 0 || side.mdl == nullptr) return;
    mdl_ = side.mdl;
    mapping_ = os::map_mdl(mdl_);
  }
  ~mdl_scope() {
    if (mapping_.bytes != nullptr) os::unmap_mdl(mdl_, mapping_);
  }
  mdl_scope(const mdl_scope&) = delete;
  auto operator=(const mdl_scope&) -> mdl_scope& = delete;

  /// The system had no room.
  [[nodiscard]] auto has_failed() const noexcept -> bool {
    return mdl_ != nullptr && mapping_.bytes == nullptr;
  }
  [[nodiscard]] auto bytes() const noexcept -> mutable_bytes {
    if (mapping_.bytes == nullptr) return {};
    return {mapping_.bytes, mdl_->ByteCount};
  }

 private:
  PMDL mdl_ = nullptr;
  os::mdl_mapping mapping_;
};

[[nodiscard]] auto view_of(adapter& adapter, const paging_side& side,
                           const mdl_scope& mapped) noexcept -> memory_view {
  if (side.segment == 0) return memory_view{mapped.bytes()};
  return memory_view{adapter.segments, place_of(side)};
}

/// The part of a side at which a transfer stands.
[[nodiscard]] auto position(const paging_packet& packet, const paging_side& side,
                            const memory_view& view, std::uint64_t done) noexcept -> view_position {
  const std::uint64_t from_mdl = std::uint64_t{packet.mdl_page} * page_bytes;
  return {view, (side.segment == 0 ? from_mdl : packet.offset) + done};
}

/// Takes as much of what is left as the budget has.
[[nodiscard]] auto take_share(std::uint64_t left, std::uint64_t& budget_bytes) noexcept
    -> std::uint64_t {
  const std::uint64_t share = left < budget_bytes ? left : budget_bytes;
  budget_bytes -= share;
  return share;
}

/// Pages that cannot be mapped now may be so in a later DPC: a skipped copy loses content. False
/// when it was tried often enough.
[[nodiscard]] auto may_wait(adapter& adapter, cpu_work& work) noexcept -> bool {
  if (work.failed_maps < most_failed_maps) {
    ++work.failed_maps;
    return true;
  }
  adapter.counters.paging_lost.add();
  os::log("aerogpu: no room to map the pages of a paging transfer, whose content is lost");
  return false;
}

/// True when all of it is done.
[[nodiscard]] auto run_transfer(adapter& adapter, const paging_packet& packet, cpu_work& work,
                                std::uint64_t& budget_bytes) noexcept -> bool {
  const mdl_scope source_mdl{packet.source};
  const mdl_scope target_mdl{packet.destination};
  const bool has_failed = source_mdl.has_failed() || target_mdl.has_failed();
  if (has_failed && may_wait(adapter, work)) return false;
  std::uint64_t& done = work.done_in_packet;
  const memory_view source = view_of(adapter, packet.source, source_mdl);
  const memory_view target = view_of(adapter, packet.destination, target_mdl);
  const std::uint64_t share = take_share(packet.size - done, budget_bytes);
  copy_forward(adapter, position(packet, packet.destination, target, done),
               position(packet, packet.source, source, done), share);
  done += share;
  if (done != packet.size) return false;
  adapter.objects.place_if_live(packet.allocation, place_of(packet.destination));
  return true;
}

[[nodiscard]] auto run_fill(adapter& adapter, const paging_packet& packet, std::uint64_t& done,
                            std::uint64_t& budget_bytes) noexcept -> bool {
  const placement at = place_of(packet.destination);
  const memory_view target{adapter.segments, at};
  const std::uint64_t share = take_share(packet.size - done, budget_bytes);
  fill(adapter, {target, done}, share, packet.pattern, static_cast<std::uint32_t>(done % 4));
  done += share;
  if (done != packet.size) return false;
  adapter.objects.place_if_live(packet.allocation, at);
  return true;
}

void run_map(adapter& adapter, const paging_packet& packet) noexcept {
  if (packet.destination.segment != aperture_id) return;
  const bool is_mapped =
      adapter.segments.map_aperture(packet.offset, packet.size, packet.source.mdl, packet.mdl_page);
  if (!is_mapped) adapter.counters.aperture_faults.add();
  if (packet.mdl_page != 0) return;  // A later part of an allocation that is placed already.
  adapter.objects.place_if_live(packet.allocation,
                                {segment_id::aperture, aperture_base + packet.offset * page_bytes});
}

void run_unmap(adapter& adapter, const paging_packet& packet) noexcept {
  if (packet.destination.segment != aperture_id) return;
  adapter.segments.unmap_aperture(packet.offset, packet.size);
  adapter.objects.unplace_if_live(packet.allocation, segment_id::aperture);
}

[[nodiscard]] auto run_packet(adapter& adapter, const paging_packet& packet, cpu_work& work,
                              std::uint64_t& budget_bytes) noexcept -> bool {
  switch (packet.operation) {
    case paging_operation::transfer: return run_transfer(adapter, packet, work, budget_bytes);
    case paging_operation::fill:
      return run_fill(adapter, packet, work.done_in_packet, budget_bytes);
    case paging_operation::discard:
      adapter.objects.place_if_live(packet.allocation, {});
      return true;
    case paging_operation::map_aperture: run_map(adapter, packet); return true;
    case paging_operation::unmap_aperture: run_unmap(adapter, packet); return true;
  }
  return true;
}

}  // namespace

auto build_paging_buffer(adapter& adapter, DXGKARG_BUILDPAGINGBUFFER& args) noexcept -> NTSTATUS {
  switch (args.Operation) {
    case DXGK_OPERATION_TRANSFER:
    case DXGK_OPERATION_SPECIAL_LOCK_TRANSFER: {
      const paging_packet packet = transfer_packet(args);
      if (packet.size != 0) return append(args, packet);
      // After a reset, contents are gone and nothing is queued: this only says where it is now.
      adapter.objects.place_if_live(packet.allocation, place_of(packet.destination));
      return STATUS_SUCCESS;
    }
    case DXGK_OPERATION_FILL: return append(args, fill_packet(args));
    case DXGK_OPERATION_DISCARD_CONTENT: return append(args, discard_packet(args));
    case DXGK_OPERATION_MAP_APERTURE_SEGMENT: return append(args, map_packet(args));
    case DXGK_OPERATION_UNMAP_APERTURE_SEGMENT: {
      const paging_packet packet = unmap_packet(args);
      if (!adapter.awaits_restart) return append(args, packet);
      const engine::queue_guard held{adapter.engine};
      run_unmap(adapter, packet);
      return STATUS_SUCCESS;
    }
    default: return STATUS_SUCCESS;
  }
}

auto run_paging(adapter& adapter, cpu_work& work, std::uint64_t& budget_bytes) noexcept -> bool {
  while (work.size_bytes - work.done_bytes >= sizeof(paging_packet)) {
    const auto packet = load<paging_packet>(work.packets + work.done_bytes);
    const bool is_ours = packet.magic == paging_magic;
    if (is_ours && !run_packet(adapter, packet, work, budget_bytes)) return false;
    work.done_bytes += static_cast<std::uint32_t>(sizeof(paging_packet));
    work.done_in_packet = 0;
  }
  return true;
}

}  // namespace aerogpu::kmd
