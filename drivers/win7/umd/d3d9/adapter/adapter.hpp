// SPDX-License-Identifier: MIT
/// \file One display adapter as this process sees it: its facts and its sources of numbers.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "drivers/win7/ddi/hresults.hpp"
#include "drivers/win7/umd/d3d9/core/handles.hpp"
#include "drivers/win7/umd/d3d9/core/os.hpp"

#include <atomic>
#include <cstdint>
#include <memory>

namespace aerogpu::umd {

/// What the core asks of a runtime about an adapter: the adapter callbacks of either profile.
class adapter_runtime {
 public:
  adapter_runtime() = default;
  adapter_runtime(const adapter_runtime&) = delete;
  auto operator=(const adapter_runtime&) -> adapter_runtime& = delete;
  virtual ~adapter_runtime() = default;

  /// QueryAdapterInfo(UMDRIVERPRIVATE): fills `out`, or fails; then the kernel is asked.
  [[nodiscard]] virtual auto query_private_data(mutable_bytes out) noexcept -> HRESULT = 0;
};

/// What is read when the adapter is opened first, and at later openings for as long as the kernel
/// driver's part is missing (umd-d3d9.md 2.1).
struct adapter_facts {
  bool has_device_facts = false;  ///< The kernel driver's blob was good; the next four are its.
  std::uint32_t device_magic = 0;
  std::uint32_t abi_version = 0;  ///< Major in the high half.
  std::uint64_t features = 0;     ///< AEROGPU_UMDPRIV_FEATURE_*.
  std::uint32_t flags = 0;        ///< AEROGPU_UMDPRIV_FLAG_*.
  std::uint32_t primary_width = 1024;
  std::uint32_t primary_height = 768;
  std::uint32_t primary_refresh_hz = 60;
  std::uint32_t max_list_slot = 0xFFFF;  ///< MaxAllocationListSlotId.

  /// BC formats came with minor 2 of the ABI.
  [[nodiscard]] auto has_block_compression() const noexcept -> bool;
};

/// One for each LUID, shared by all who open it and by devices, which hold it; any thread.
class adapter {
 public:
  adapter(os::kernel_adapter kernel, adapter_facts facts) noexcept
      : kernel_(kernel), first_facts_(facts), ids(kernel.luid) {}
  adapter(const adapter&) = delete;
  auto operator=(const adapter&) -> adapter& = delete;

  [[nodiscard]] auto luid() const noexcept -> os::adapter_luid { return kernel_.luid; }
  /// D3DKMT_HANDLE for escapes; 0 = none.
  [[nodiscard]] auto kernel_handle() const noexcept -> std::uint32_t { return kernel_.handle; }
  [[nodiscard]] auto facts() const noexcept -> const adapter_facts& {
    return *facts_.load(std::memory_order_acquire);
  }
  /// Facts in place of the first ones, once; whoever reads those still may. One thread at a time.
  void replace_facts(const adapter_facts& later) noexcept;
  /// Whether a query type of the portable profile means an event: 8 or 0, whichever came first on
  /// this adapter (umd-d3d9.md 2.13).
  [[nodiscard]] auto takes_event_query(std::uint32_t type) noexcept -> bool;

 private:
  static constexpr std::uint32_t no_query_type = 0xFFFFFFFF;

  os::kernel_adapter kernel_;
  adapter_facts first_facts_;
  adapter_facts later_facts_;
  std::atomic<const adapter_facts*> facts_{&first_facts_};
  std::atomic<std::uint32_t> event_query_type_{no_query_type};

 public:
  protocol_handles handles;
  alloc_ids ids;
};

/// Finds or makes the adapter of the display behind `device_context`, nullptr = the primary's, and
/// counts the opening. From now on `callbacks` are its runtime's. E_OUTOFMEMORY.
[[nodiscard]] auto open_adapter(void* device_context, std::unique_ptr<adapter_runtime> callbacks,
                                adapter*& out) noexcept -> HRESULT;
/// The same for the adapter of a LUID.
[[nodiscard]] auto open_adapter_by_luid(os::adapter_luid luid,
                                        std::unique_ptr<adapter_runtime> callbacks,
                                        adapter*& out) noexcept -> HRESULT;
/// Counts as one more opening of an open adapter, as a device does. E_INVALIDARG for what is not
/// open.
[[nodiscard]] auto hold_adapter(adapter* held) noexcept -> HRESULT;
/// Ends one opening; the last one ends the adapter. E_INVALIDARG for what is not open.
[[nodiscard]] auto close_adapter(adapter* closed) noexcept -> HRESULT;
/// Writes what the adapter is to the log (umd-d3d9.md 5.3).
void log_adapter(const adapter& opened) noexcept;
/// How often it is open, devices included.
[[nodiscard]] auto openings(const adapter& of) noexcept -> std::uint32_t;

}  // namespace aerogpu::umd
