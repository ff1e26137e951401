// SPDX-License-Identifier: MIT
/// \file An allocation as the kernel driver knows it, and a device's opening of one.
#pragma once

#include "aerogpu/core/ids.hpp"
#include "aerogpu/memory/alloc_private_data.hpp"
#include "drivers/win7/ddi/ddi.hpp"
#include "drivers/win7/kmd/display/surface.hpp"
#include "drivers/win7/kmd/memory/placement.hpp"
#include "drivers/win7/kmd/memory/tokens.hpp"

#include <cstdint>

namespace aerogpu::kmd {

class adapter;
class device;

/// What hAllocation points to. Lives from CreateAllocation until both DestroyAllocation and the
/// last CloseAllocation happened, in either order (kmd.md 2.5).
class allocation {
 public:
  alloc_id id{};                 ///< 0 never: the driver makes one where the blob has none.
  owned_token shared;            ///< None = not shared.
  std::uint64_t size_bytes = 0;  ///< Unrounded: what a table entry states.
  resource_handle handle{};      ///< Private data v3; 0 = unknown.
  surface_shape shape;
  os::process_identity maker;  ///< Whose surface it is; none = dxgkrnl's own.
  bool is_standard = false;    ///< Made by GetStandardAllocationDriverData.
  bool is_primary = false;
  alloc_private_data blob{};  ///< Final bytes, as the creator and later openers see them.

  /// Last known place: written by paging, Patch and SetVidPnSourceAddress, read at SubmitCommand.
  tracked_placement where;

  // The object table's, under its lock.
  std::uint32_t references = 1;  ///< Creation and each opening.
  bool is_destroyed = false;     ///< DestroyAllocation came; a second one is ignored.
  allocation* next_live = nullptr;
  allocation* next_of_kmd_id = nullptr;
};

/// What hDeviceSpecificAllocation points to.
struct opening {
  kmd::allocation* allocation = nullptr;
  kmd::device* device = nullptr;  ///< For comparison: it may be gone.
  opening* next_live = nullptr;   ///< The object table's.
};

// All: PASSIVE, any thread.

/// The next id of the kernel driver's range that no allocation has, nor a promise.
[[nodiscard]] auto next_kmd_id(adapter& adapter) noexcept -> alloc_id;
/// Private data of a primary, shadow or staging surface (kmd.md 2.5). It is final: the id in it is
/// promised to the calling process.
[[nodiscard]] auto describe_standard_allocation(
    adapter& adapter, DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA& args) noexcept -> NTSTATUS;
/// All elements or none; the rules of kmd.md 3.4 in their order.
[[nodiscard]] auto create_allocations(adapter& adapter, DXGKARG_CREATEALLOCATION& args) noexcept
    -> NTSTATUS;
/// Handles that are NULL or released already are skipped.
void destroy_allocations(adapter& adapter, const DXGKARG_DESTROYALLOCATION& args) noexcept;
[[nodiscard]] auto describe_allocation(adapter& adapter, DXGKARG_DESCRIBEALLOCATION& args) noexcept
    -> NTSTATUS;
/// All elements or none.
[[nodiscard]] auto open_allocations(device& device, const DXGKARG_OPENALLOCATION& args) noexcept
    -> NTSTATUS;
void close_allocations(device& device, const DXGKARG_CLOSEALLOCATION& args) noexcept;
/// RemoveDevice: frees what is left, without a word to the host.
void free_all_allocations(adapter& adapter) noexcept;

}  // namespace aerogpu::kmd
