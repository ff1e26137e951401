// SPDX-License-Identifier: MIT
/// \file A device of the driver, call by call: each entry with exact structures and all the rules.
///
/// What the API's calls become is d3d9_device's; tests of single entries use this.
#pragma once

#include "drivers/sim/runtime/ddi/ddi_adapter.hpp"
#include "drivers/sim/runtime/ddi/ddi_scope.hpp"
#include "drivers/sim/runtime/ddi/entry_names.hpp"
#include "drivers/sim/runtime/ddi/guarded.hpp"
#include "drivers/sim/runtime/ddi/ledger.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

namespace aerogpu::sim {

/// A resource by the names that it has on either side of the DDI.
struct ddi_resource {
  HANDLE runtime = nullptr;  ///< What the driver passes to AllocateCb.
  HANDLE driver = nullptr;
};

/// What a Present shows where, which the DDI does not carry: the runtime tells the kernel itself.
struct present_details {
  HWND window = nullptr;
  UINT color = 0;
  std::optional<RECT> source;
  std::optional<RECT> destination;
  bool may_wait = true;
  std::optional<UINT> number;  ///< Which of its chain's.
};

/// A submission of either profile: where the driver recorded it, and how much of it counts.
struct recorded_work {
  const std::byte* commands = nullptr;
  UINT offset = 0;
  UINT length = 0;
  std::span<const D3DDDI_ALLOCATIONLIST> list;
  UINT patches = 0;
  bool is_null_rendering = false;
};

class portable_device;

class ddi_device {
 public:
  explicit ddi_device(ddi_adapter& of);
  ~ddi_device();
  ddi_device(const ddi_device&) = delete;
  auto operator=(const ddi_device&) -> ddi_device& = delete;

  [[nodiscard]] auto create(D3DDDI_CREATEDEVICEFLAGS flags = {}) -> HRESULT;
  [[nodiscard]] auto is_created() const noexcept -> bool { return driver_ != nullptr; }
  /// DestroyDevice. What the driver did not release is a breach, and released then.
  auto destroy() -> HRESULT;

  // --- entries (ddi_device.cpp) ---
  /// An entry with arguments that are passed as they are. D3DERR_DEVICELOST while there is none.
  template <auto Entry, class... Arguments>
  auto call(Arguments... arguments) -> HRESULT {
    if (!is_created()) return D3DERR_DEVICELOST;
    const auto index = index_of(Entry);
    const ddi_scope here{this, process().id, rules(), entry_name(index), occupancy_for(index)};
    return check_result(index, ((*functions_.get()).*Entry)(driver_, arguments...));
  }
  /// An entry that reads a structure, and arguments behind it.
  template <auto Entry, class T, class... Arguments>
  auto send(const T& argument, Arguments... arguments) -> HRESULT {
    if (!rules().watches_memory()) return call<Entry>(&argument, arguments...);
    lent<T> passed{rules(), argument, entry_name(index_of(Entry))};
    const auto result = call<Entry>(static_cast<const T*>(passed.get()), arguments...);
    static_cast<void>(passed.take());
    return result;
  }
  /// An entry that reads a structure and an array.
  template <auto Entry, class T, class Element>
  auto send_list(const T& argument, std::span<const Element> list) -> HRESULT {
    lent_bytes passed{rules(), std::as_bytes(list), entry_name(index_of(Entry))};
    const auto result = send<Entry>(argument, static_cast<const Element*>(passed.get()));
    passed.take_input();
    return result;
  }
  /// An entry that answers in some members of its structure.
  template <auto Entry, class T, class... Members>
  auto ask(T& argument, Members T::*... outputs) -> HRESULT {
    lent<T> passed{rules(), argument, entry_name(index_of(Entry))};
    const auto result = call<Entry>(passed.get());
    argument = passed.take(outputs...);
    return result;
  }
  /// An entry that makes an object of a structure and an array.
  template <auto Entry, class T, class Element>
  auto make(T& argument, std::span<const Element> list, HANDLE T::*handle) -> HRESULT {
    lent_bytes data{rules(), std::as_bytes(list), entry_name(index_of(Entry))};
    lent<T> passed{rules(), argument, entry_name(index_of(Entry))};
    const auto result = call<Entry>(passed.get(), static_cast<const Element*>(data.get()));
    argument = passed.take(handle);
    data.take_input();
    check_handle(entry_name(index_of(Entry)), result, argument.*handle, nullptr);
    return result;
  }

  // --- resources and presents (ddi_resources.cpp) ---
  /// `runtime_data` is what openers get with it, of a shared one.
  [[nodiscard]] auto create_resource(D3DDDIARG_CREATERESOURCE argument, ddi_resource& made,
                                     const byte_list& runtime_data = {}) -> HRESULT;
  [[nodiscard]] auto open_resource(D3DKMT_HANDLE share, ddi_resource& made, byte_list& runtime_data)
      -> HRESULT;
  auto destroy_resource(const ddi_resource& gone) -> HRESULT;
  /// The handle of a shared one, as the process has it; 0 for others.
  [[nodiscard]] auto share_of(const ddi_resource& resource) -> D3DKMT_HANDLE;
  [[nodiscard]] auto lock(D3DDDIARG_LOCK& argument) -> HRESULT;
  [[nodiscard]] auto present(const D3DDDIARG_PRESENT& argument, const present_details& details)
      -> HRESULT;
  [[nodiscard]] auto create_query(D3DDDIQUERYTYPE type, HANDLE& made) -> HRESULT;

  // --- what the driver calls (callbacks_*.cpp) ---
  [[nodiscard]] auto on_allocate(D3DDDICB_ALLOCATE& wanted) -> HRESULT;
  [[nodiscard]] auto on_deallocate(const D3DDDICB_DEALLOCATE& wanted) -> HRESULT;
  [[nodiscard]] auto on_set_priority(const D3DDDICB_SETPRIORITY& wanted) -> HRESULT;
  [[nodiscard]] auto on_query_residency(const D3DDDICB_QUERYRESIDENCY& wanted) -> HRESULT;
  [[nodiscard]] auto on_lock(D3DDDICB_LOCK& wanted) -> HRESULT;
  [[nodiscard]] auto on_unlock(const D3DDDICB_UNLOCK& wanted) -> HRESULT;
  [[nodiscard]] auto on_create_context(D3DDDICB_CREATECONTEXT& wanted) -> HRESULT;
  [[nodiscard]] auto on_destroy_context(const D3DDDICB_DESTROYCONTEXT& wanted) -> HRESULT;
  [[nodiscard]] auto on_render(D3DDDICB_RENDER& wanted) -> HRESULT;
  [[nodiscard]] auto on_present(const D3DDDICB_PRESENT& wanted) -> HRESULT;
  [[nodiscard]] auto on_set_display_mode(D3DDDICB_SETDISPLAYMODE& wanted) -> HRESULT;
  [[nodiscard]] auto on_set_async_callbacks(BOOL is_enabled) -> HRESULT;
  [[nodiscard]] auto may_call_back() const -> bool;

  // --- what callbacks of either profile end in (callbacks_submission.cpp) ---
  /// The Render thunk, if the list holds nothing unknown or locked.
  [[nodiscard]] auto render(held_context& context, const recorded_work& work) -> HRESULT;
  /// Whether the driver is inside of the one Present that may show something.
  [[nodiscard]] auto may_present(const char* who) -> bool;
  /// The Present thunk, for the Present that the thread is inside of.
  [[nodiscard]] auto show(const held_context& context, D3DKMT_HANDLE source,
                          D3DKMT_HANDLE destination) -> HRESULT;
  [[nodiscard]] auto find_context(const char* who, HANDLE context) -> held_context*;
  void breach(contract_rule rule, const char* who, const std::string& what);

  [[nodiscard]] auto process() noexcept -> d3d9_process& { return adapter.process; }
  [[nodiscard]] auto rules() noexcept -> contract& { return adapter.rules(); }
  [[nodiscard]] auto kernel_device() const noexcept -> D3DKMT_HANDLE { return kernel_; }
  /// 0 for NULL, and for what is no context of the device.
  [[nodiscard]] auto kernel_context(HANDLE context) -> D3DKMT_HANDLE;
  /// Runtime-side counts for tests.
  [[nodiscard]] auto submissions() const noexcept -> std::uint64_t { return submissions_.load(); }
  [[nodiscard]] auto held() noexcept -> ledger& { return held_; }

  /// The runtime's handle, as callbacks bring it.
  [[nodiscard]] auto token() const noexcept -> HANDLE { return token_; }
  /// Of the Present that the driver is inside of.
  [[nodiscard]] auto details() const noexcept -> const present_details& { return details_; }

  ddi_adapter& adapter;
  portable_device* portable = nullptr;  ///< In profile U, what stands between.

 private:
  auto check_result(std::size_t index, HRESULT result) -> HRESULT;
  void check_handle(const char* who, HRESULT result, HANDLE handle, HANDLE given);
  void check_table();
  void check_entries();
  [[nodiscard]] auto occupancy_for(std::size_t index) noexcept -> occupancy*;
  [[nodiscard]] auto new_resource(resource_origin origin, const byte_list& runtime_data) -> HANDLE;
  /// The driver is done with it: what it still has of it is a breach.
  void end_resource(HANDLE resource, const char* after);
  void release_leaks();
  [[nodiscard]] auto release(const std::vector<D3DKMT_HANDLE>& allocations, D3DKMT_HANDLE resource)
      -> HRESULT;
  [[nodiscard]] auto check_allocation_list(const D3DDDICB_ALLOCATE& wanted) -> bool;
  [[nodiscard]] auto check_handles(const char* who, const D3DKMT_HANDLE* list, UINT count) -> bool;
  [[nodiscard]] auto check_render(const D3DDDICB_RENDER& wanted, command_spaces& lent) -> bool;
  [[nodiscard]] auto check_list(std::span<const D3DDDI_ALLOCATIONLIST> list) -> bool;
  [[nodiscard]] auto check_lock(const D3DDDICB_LOCK& wanted) -> bool;

  HANDLE token_ = nullptr;
  HANDLE driver_ = nullptr;
  D3DKMT_HANDLE kernel_ = 0;
  D3DDDI_DEVICECALLBACKS callbacks_{};
  lent_table<D3DDDI_DEVICEFUNCS> functions_;
  occupancy inside_ = 0;
  std::atomic<bool> is_async_ = false;
  std::atomic<std::uint64_t> submissions_ = 0;
  ledger held_;

  /// Of the Present that a thread is inside of.
  const D3DDDIARG_PRESENT* presenting_ = nullptr;
  present_details details_;
  std::optional<HRESULT> presented_;  ///< What the kernel said.
};

}  // namespace aerogpu::sim
