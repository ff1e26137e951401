// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/memory/allocation.hpp"

#include "aerogpu/memory/alloc_private_rules.hpp"
#include "drivers/win7/kmd/adapter/adapter.hpp"
#include "drivers/win7/kmd/adapter/device.hpp"
#include "drivers/win7/kmd/display/video_signal.hpp"
#include "drivers/win7/kmd/memory/segments.hpp"
#include "drivers/win7/kmd/system/os.hpp"
#include "drivers/win7/kmd/system/status.hpp"
#include "drivers/win7/primary_pitch.hpp"

#include <cstdint>
#include <new>

namespace aerogpu::kmd {

namespace {

constexpr UINT video_set = 1u << 0;
constexpr UINT aperture_set = 1u << 1;

[[nodiscard]] auto blob_bytes(void* data, UINT size) noexcept -> mutable_bytes {
  return {static_cast<std::byte*>(data), data != nullptr ? size : 0u};
}

void free(allocation* object) noexcept {
  os::release(object, os::pool_owner::allocation);
}

void drop_token(adapter& adapter, const owned_token& shared) noexcept {
  if (shared.token == share_token{}) return;
  if (adapter.tokens.drop_reference(shared)) adapter.engine.send_pending();
}

void finish_release(adapter& adapter, const released_allocation& released) noexcept {
  free(released.object);
  drop_token(adapter, released.shared);
}

/// The id that the driver wrote into a standard allocation's blob for the calling process; 0 and a
/// new one is due when it was for another process. One that was promised to nobody stays in the
/// blob, where it is refused.
[[nodiscard]] auto take_promised_id(adapter& adapter, alloc_private_data& blob) noexcept
    -> alloc_id {
  const auto id = static_cast<alloc_id>(blob.alloc_id);
  if (!is_standard_allocation(blob) || id == alloc_id{}) return {};
  const id_promise promise = adapter.promised_ids.take(id, os::current_process());
  if (promise != id_promise::nobody) blob.alloc_id = 0;
  return promise == id_promise::caller ? id : alloc_id{};
}

/// Id and token, which are the driver's to give, and the size: written into the blob.
[[nodiscard]] auto complete_blob(adapter& adapter, alloc_private_data& blob, alloc_id promised,
                                 owned_token& shared) noexcept -> NTSTATUS {
  blob.size_bytes = allocation_bytes(blob);
  if (blob.alloc_id == 0)
    blob.alloc_id = raw(promised != alloc_id{} ? promised : next_kmd_id(adapter));
  if (is_shared(blob)) {
    shared = adapter.tokens.make(os::current_process());
    blob.share_token = raw(shared.token);
    if (blob.share_token == 0) return STATUS_INSUFFICIENT_RESOURCES;
  }
  return STATUS_SUCCESS;
}

/// Only the CPU paths touch shadow and staging surfaces, so that they may be scattered.
[[nodiscard]] auto is_for_processor(const alloc_private_data& blob) noexcept -> bool {
  return (blob.flags &
          (AEROGPU_WDDM_ALLOC_PRIV_FLAG_CPU_VISIBLE | AEROGPU_WDDM_ALLOC_PRIV_FLAG_STAGING)) != 0;
}

void set_up(allocation& object, const alloc_private_data& blob, bool is_standard) noexcept {
  object.id = static_cast<alloc_id>(blob.alloc_id);
  object.size_bytes = blob.size_bytes;
  object.handle = resource_handle_of(blob);
  object.shape = shape_of(blob);
  if (!is_standard) object.maker = os::current_process();
  object.is_standard = is_standard;
  object.is_primary = is_standard && !is_for_processor(blob);
  object.blob = blob;
}

void describe_to_os(const adapter& adapter, allocation& object,
                    DXGK_ALLOCATIONINFO& info) noexcept {
  const bool may_scatter = object.is_standard && !object.is_primary &&
                           object.size_bytes >= adapter.segments.smallest_in_aperture_bytes();
  info.Alignment = 0;
  info.Size = static_cast<SIZE_T>((object.size_bytes + page_bytes - 1) / page_bytes * page_bytes);
  info.PitchAlignedSize = 0;
  info.HintedBank.Value = 0;
  info.PreferredSegment.Value = 0;
  info.SupportedReadSegmentSet = may_scatter ? video_set | aperture_set : video_set;
  info.SupportedWriteSegmentSet = info.SupportedReadSegmentSet;
  info.EvictionSegmentSet = 0;
  info.MaximumRenamingListLength = 0;
  info.hAllocation = &object;
  info.Flags.Value = 0;
  // VidMm refuses shared allocations in a memory segment that the CPU sees, primaries aside.
  const bool is_primary = (object.blob.flags & AEROGPU_WDDM_ALLOC_PRIV_FLAG_PRIMARY) != 0;
  info.Flags.CpuVisible = object.shared.token == share_token{} || is_primary ? 1 : 0;
  info.pAllocationUsageHint = nullptr;
  info.AllocationPriority =
      object.is_primary ? D3DDDI_ALLOCATIONPRIORITY_HIGH : D3DDDI_ALLOCATIONPRIORITY_NORMAL;
}

/// `blob`: what was parsed out of the private data, without the id that was promised.
[[nodiscard]] auto create_parsed(adapter& adapter, DXGK_ALLOCATIONINFO& info, UINT count,
                                 alloc_private_data& blob, alloc_id promised) noexcept -> NTSTATUS {
  const mutable_bytes bytes = blob_bytes(info.pPrivateDriverData, info.PrivateDriverDataSize);
  if (const auto good = check_alloc_create(blob, count, SIZE_MAX - (page_bytes - 1)); !good) {
    return to_status(good.why().code);
  }
  const bool is_standard = is_standard_allocation(blob) && blob.alloc_id == 0;

  void* const memory = os::allocate(sizeof(allocation), os::pool_owner::allocation);
  if (memory == nullptr) return STATUS_NO_MEMORY;
  auto* const object = ::new (memory) allocation;
  if (const NTSTATUS bad = complete_blob(adapter, blob, promised, object->shared);
      !NT_SUCCESS(bad)) {
    free(object);
    return bad;
  }
  set_up(*object, blob, is_standard);
  if (!write_alloc_private_data(bytes, blob)) {  // The parse found room for it.
    drop_token(adapter, object->shared);
    free(object);
    return STATUS_BUFFER_TOO_SMALL;
  }
  adapter.objects.add(*object);
  describe_to_os(adapter, *object, info);
  return STATUS_SUCCESS;
}

[[nodiscard]] auto create_one(adapter& adapter, DXGK_ALLOCATIONINFO& info, UINT count) noexcept
    -> NTSTATUS {
  const auto parsed =
      parse_alloc_private_data(blob_bytes(info.pPrivateDriverData, info.PrivateDriverDataSize));
  if (!parsed) return to_status(parsed.why().code);
  alloc_private_data blob = *parsed;
  const alloc_id promised = take_promised_id(adapter, blob);
  const NTSTATUS status = create_parsed(adapter, info, count, blob, promised);
  if (!NT_SUCCESS(status) && promised != alloc_id{})
    adapter.promised_ids.add(promised, os::current_process());
  return status;
}

/// For DUMP_CREATEALLOCATION (kmd.md 3.21).
void log_created(adapter& adapter, const DXGKARG_CREATEALLOCATION& args, UINT index,
                 std::uint32_t call, UINT flags_before) noexcept {
  const DXGK_ALLOCATIONINFO& info = args.pAllocationInfo[index];
  const auto& object = *static_cast<const allocation*>(info.hAllocation);
  adapter.allocation_log.add({.seq = 0,
                              .call_seq = call,
                              .alloc_index = index,
                              .num_allocations = args.NumAllocations,
                              .create_flags = args.Flags.Value,
                              .alloc_id = raw(object.id),
                              .priv_flags = object.blob.flags,
                              .pitch_bytes = object.shape.pitch_bytes,
                              .share_token = raw(object.shared.token),
                              .size_bytes = object.size_bytes,
                              .flags_in = flags_before,
                              .flags_out = info.Flags.Value});
}

/// Whether the blob at hand is the allocation's: a creator's may still lack what CreateAllocation
/// filled in.
[[nodiscard]] auto check_opened_blob(const alloc_private_data& blob, const allocation& object,
                                     UINT count, alloc_opening how) noexcept -> NTSTATUS {
  const auto good = check_alloc_open(blob, count, how, {object.id, object.shared.token});
  if (!good) return to_status(good.why().code);
  const bool is_same_id = blob.alloc_id == raw(object.id);
  const bool is_same_kind = blob.version == object.blob.version;
  if (how == alloc_opening::existing)
    return is_same_kind ? STATUS_SUCCESS : STATUS_INVALID_PARAMETER;
  const bool is_unnamed = blob.alloc_id == 0 && object.is_standard;
  return is_same_kind && (is_same_id || is_unnamed) ? STATUS_SUCCESS : STATUS_INVALID_PARAMETER;
}

/// Everything of an opening but its reference to the allocation, which the caller holds.
[[nodiscard]] auto open_referenced(device& device, DXGK_OPENALLOCATIONINFO& info,
                                   allocation& object, UINT count, alloc_opening how) noexcept
    -> NTSTATUS {
  const mutable_bytes bytes = blob_bytes(info.pPrivateDriverData, info.PrivateDriverDataSize);
  const auto parsed = parse_alloc_private_data(bytes);
  if (!parsed) return to_status(parsed.why().code);
  if (const NTSTATUS bad = check_opened_blob(*parsed, object, count, how); !NT_SUCCESS(bad)) {
    return bad;
  }
  void* const memory = os::allocate(sizeof(opening), os::pool_owner::opening);
  if (memory == nullptr) return STATUS_INSUFFICIENT_RESOURCES;
  auto& tokens = device.adapter.tokens;
  if (object.shared.token != share_token{} && !tokens.add_reference(object.shared.token)) {
    os::release(memory, os::pool_owner::opening);
    return STATUS_INSUFFICIENT_RESOURCES;
  }
  if (how == alloc_opening::create) {
    // Only this copy is documented to reach the creator [K-21]; the parse found room for it.
    static_cast<void>(write_alloc_private_data(bytes, object.blob));
  }
  auto* const opened = ::new (memory) opening{&object, &device, nullptr};
  device.adapter.objects.add(*opened);
  info.hDeviceSpecificAllocation = opened;
  return STATUS_SUCCESS;
}

[[nodiscard]] auto open_one(device& device, DXGK_OPENALLOCATIONINFO& info, UINT count,
                            alloc_opening how) noexcept -> NTSTATUS {
  adapter& adapter = device.adapter;
  DXGKARGCB_GETHANDLEDATA asked{};
  asked.hObject = info.hAllocation;
  asked.Type = DXGK_HANDLE_ALLOCATION;
  allocation* const object =
      adapter.objects.add_reference(adapter.dxgkrnl.DxgkCbGetHandleData(&asked));
  if (object == nullptr) return STATUS_INVALID_HANDLE;
  const NTSTATUS status = open_referenced(device, info, *object, count, how);
  if (NT_SUCCESS(status)) return status;
  // The opening's token reference was not taken, so that only the object's is given back.
  free(adapter.objects.drop_reference(*object).object);
  return status;
}

void close_one(adapter& adapter, const void* handle) noexcept {
  opening* const opened = adapter.objects.take_opening(handle);
  if (opened == nullptr) return;
  allocation& object = *opened->allocation;
  os::release(opened, os::pool_owner::opening);
  finish_release(adapter, adapter.objects.drop_reference(object));
}

}  // namespace

/// Programs may make standard allocations without end, so that ids come again; far fewer can live
/// than there are ids.
auto next_kmd_id(adapter& adapter) noexcept -> alloc_id {
  constexpr std::uint32_t first = AEROGPU_WDDM_ALLOC_ID_KMD_MIN;
  for (;;) {
    // Another thread finds the same id only when all others were given out meanwhile.
    const auto id = static_cast<alloc_id>(first | adapter.kmd_alloc_ids.fetch_add(1));
    if (!adapter.objects.has_kmd_id(id) && !adapter.promised_ids.has(id)) return id;
  }
}

auto create_allocations(adapter& adapter, DXGKARG_CREATEALLOCATION& args) noexcept -> NTSTATUS {
  if (args.NumAllocations != 0 && args.pAllocationInfo == nullptr) return STATUS_INVALID_PARAMETER;
  const std::uint32_t call = adapter.allocation_log.begin_call();
  for (UINT i = 0; i < args.NumAllocations; ++i) {
    const UINT flags_before = args.pAllocationInfo[i].Flags.Value;
    const NTSTATUS status = create_one(adapter, args.pAllocationInfo[i], args.NumAllocations);
    if (NT_SUCCESS(status)) {
      log_created(adapter, args, i, call, flags_before);
      continue;
    }
    args.pAllocationInfo[i].hAllocation = nullptr;
    while (i-- > 0) {
      HANDLE& created = args.pAllocationInfo[i].hAllocation;
      finish_release(adapter, adapter.objects.destroy(created));
      created = nullptr;
    }
    return status;
  }
  return STATUS_SUCCESS;
}

void destroy_allocations(adapter& adapter, const DXGKARG_DESTROYALLOCATION& args) noexcept {
  if (args.pAllocationList == nullptr) return;
  for (UINT i = 0; i < args.NumAllocations; ++i) {
    finish_release(adapter, adapter.objects.destroy(args.pAllocationList[i]));
  }
}

auto describe_allocation(adapter& adapter, DXGKARG_DESCRIBEALLOCATION& args) noexcept -> NTSTATUS {
  if (!adapter.objects.is_live(args.hAllocation)) return STATUS_INVALID_HANDLE;
  const auto& object = *static_cast<const allocation*>(args.hAllocation);
  const surface_shape& shape = object.shape;
  const bool is_surface = shape.width != 0 && shape.height != 0;
  const bool fits = object.size_bytes <= UINT32_MAX;
  const UINT linear = fits ? static_cast<UINT>(object.size_bytes) : UINT32_MAX;
  args.Width = is_surface ? shape.width : linear;
  args.Height = is_surface ? shape.height : 1;
  args.Format = is_surface ? shape.format : D3DDDIFMT_UNKNOWN;
  args.MultisampleMethod = {};
  // Any surface that holds its pixels as a mode reads them may become the primary of one, and
  // dxgkrnl looks for a mode of this rate: there is none of 0.
  const std::uint64_t row_bytes = std::uint64_t{shape.width} * shape.bytes_per_pixel;
  const bool may_be_shown = is_surface && shape.bytes_per_pixel != 0 &&
                            shape.pitch_bytes >= primary_pitch_bytes(row_bytes);
  args.RefreshRate = may_be_shown ? D3DDDI_RATIONAL{refresh_hz, 1} : D3DDDI_RATIONAL{};
  args.PrivateDriverFormatAttribute = 0;
  return STATUS_SUCCESS;
}

auto open_allocations(device& device, const DXGKARG_OPENALLOCATION& args) noexcept -> NTSTATUS {
  if (args.NumAllocations != 0 && args.pOpenAllocation == nullptr) return STATUS_INVALID_PARAMETER;
  const alloc_opening how =
      args.Flags.Create != 0 ? alloc_opening::create : alloc_opening::existing;
  for (UINT i = 0; i < args.NumAllocations; ++i) {
    const NTSTATUS status = open_one(device, args.pOpenAllocation[i], args.NumAllocations, how);
    if (NT_SUCCESS(status)) continue;
    args.pOpenAllocation[i].hDeviceSpecificAllocation = nullptr;
    while (i-- > 0) {
      HANDLE& opened = args.pOpenAllocation[i].hDeviceSpecificAllocation;
      close_one(device.adapter, opened);
      opened = nullptr;
    }
    return status;
  }
  return STATUS_SUCCESS;
}

void close_allocations(device& device, const DXGKARG_CLOSEALLOCATION& args) noexcept {
  if (args.pOpenHandleList == nullptr) return;
  for (UINT i = 0; i < args.NumAllocations; ++i) close_one(device.adapter, args.pOpenHandleList[i]);
}

void free_all_allocations(adapter& adapter) noexcept {
  while (opening* const left = adapter.objects.take_any_opening()) {
    os::release(left, os::pool_owner::opening);
  }
  while (allocation* const left = adapter.objects.take_any_allocation()) free(left);
}

}  // namespace aerogpu::kmd
