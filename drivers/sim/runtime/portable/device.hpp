// SPDX-License-Identifier: MIT
/// \file A device of a driver of profile U, as the runtime's calls of profile M reach it.
///
/// The table of `entries()` has profile M's shape, so that all that makes DDI calls of the API's is
/// there once. Each of its functions calls the driver's entries that mean the same; what the
/// portable shape cannot say answers D3DERR_NOTAVAILABLE.
#pragma once

#include "drivers/sim/runtime/ddi/ddi_device.hpp"
#include "drivers/sim/runtime/portable/context.hpp"
#include "drivers/win7/ddi/portable/entries.hpp"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace aerogpu::sim {

namespace u = d3d9ddi_u;

/// One subresource in the packed layout of umd-d3d9.md 2.5.2, and the runtime's own memory for it.
struct portable_part {
  std::uint32_t offset_bytes = 0;
  std::uint32_t pitch_bytes = 0;
  std::uint32_t rows = 0;
  std::byte* memory = nullptr;  ///< Of a resource in system memory.
  std::uint32_t memory_pitch_bytes = 0;
  std::uint32_t locked_offset = 0;  ///< Of the lock that is held, if one is.
  std::uint32_t locked_bytes = 0;
  bool is_read_only = false;

  [[nodiscard]] auto size_bytes() const noexcept -> std::uint32_t { return pitch_bytes * rows; }
};

struct portable_resource {
  u::D3D9DDI_HRESOURCE driver{};
  HANDLE runtime = nullptr;
  D3DKMT_HANDLE allocation = 0;
  D3DFORMAT format = D3DFMT_UNKNOWN;
  std::vector<portable_part> parts;  ///< Of one that was made here.
  bool is_in_system_memory = false;
  /// The next surface of a swap chain: profile U has a resource for each.
  std::unique_ptr<portable_resource> next;
};

/// The resource that the driver is making: its first allocation belongs to it.
struct resource_in_creation {
  HANDLE runtime = nullptr;
  bool is_primary = false;
};

class portable_device {
 public:
  portable_device(ddi_device& of, std::uint32_t flags);
  ~portable_device();
  portable_device(const portable_device&) = delete;
  auto operator=(const portable_device&) -> portable_device& = delete;

  /// The driver's CreateDevice, through its adapter's table.
  [[nodiscard]] auto create(const u::D3D9DDI_ADAPTERFUNCS& adapter, u::D3D9DDI_HADAPTER of)
      -> HRESULT;
  auto destroy() -> HRESULT;
  /// Profile M's table over a device of profile U. HANDLE hDevice is a portable_device.
  static void fill(D3DDDI_DEVICEFUNCS& table);
  /// Between the runtime's memory and the driver's, for resources in system memory.
  auto push(const portable_resource& from, const portable_part& part) -> HRESULT;
  auto pull(const portable_resource& to, const portable_part& part) -> HRESULT;

  // --- the driver's entries ---
  template <auto Entry, class... Arguments>
  auto call(Arguments... arguments) -> HRESULT {
    const auto inside = enter(name_of(Entry));
    return (table_of(Entry)->*Entry)(driver_, arguments...);
  }
  /// An entry that reads a structure.
  template <auto Entry, class T>
  auto send(const T& argument) -> HRESULT {
    lent<T> passed{rules(), argument, name_of(Entry)};
    const auto result = call<Entry>(static_cast<const T*>(passed.get()));
    static_cast<void>(passed.take());
    return result;
  }
  /// An entry that answers in some members of its structure.
  template <auto Entry, class T, class... Members>
  auto ask(T& argument, Members T::*... outputs) -> HRESULT {
    lent<T> passed{rules(), argument, name_of(Entry)};
    const auto result = call<Entry>(passed.get());
    argument = passed.take(outputs...);
    return result;
  }

  // --- what the driver calls (portable_callbacks.cpp) ---
  [[nodiscard]] auto on_create_device(u::D3DDDIARG_CREATEDEVICE& wanted) -> HRESULT;
  [[nodiscard]] auto on_destroy_device(const u::D3DDDIARG_DESTROYDEVICE& gone) -> HRESULT;
  [[nodiscard]] auto on_create_context(u::D3DDDIARG_CREATECONTEXT& wanted) -> HRESULT;
  [[nodiscard]] auto on_destroy_context(const u::D3DDDIARG_DESTROYCONTEXT& gone) -> HRESULT;
  [[nodiscard]] auto on_destroy_sync_object(const u::D3DDDIARG_DESTROYSYNCHRONIZATIONOBJECT& gone)
      -> HRESULT;
  [[nodiscard]] auto on_allocate(u::D3DDDICB_ALLOCATE& wanted) -> HRESULT;
  [[nodiscard]] auto on_deallocate(const u::D3DDDICB_DEALLOCATE& wanted) -> HRESULT;
  [[nodiscard]] auto on_lock(u::D3DDDICB_LOCK& wanted) -> HRESULT;
  [[nodiscard]] auto on_unlock(const u::D3DDDICB_UNLOCK& wanted) -> HRESULT;
  [[nodiscard]] auto on_get_command_buffer(u::D3DDDICB_GETCOMMANDBUFFER& wanted) -> HRESULT;
  [[nodiscard]] auto on_render(u::D3DDDICB_RENDER& wanted) -> HRESULT;
  [[nodiscard]] auto on_present(u::D3DDDICB_PRESENT& wanted) -> HRESULT;
  [[nodiscard]] auto on_submit_command(u::D3DDDIARG_SUBMITCOMMAND& wanted) -> HRESULT;

  [[nodiscard]] auto rules() -> contract& { return runtime.rules(); }
  [[nodiscard]] auto how() -> const portable_variance& {
    return runtime.process().runtime.options.portable;
  }
  /// Of all contexts so far.
  [[nodiscard]] auto counts() const noexcept -> const portable_counts& { return counts_; }
  /// The device that the calling thread makes: CreateDeviceCb has no other name for it.
  [[nodiscard]] static auto in_creation() noexcept -> portable_device*;

  ddi_device& runtime;

  // --- what profile M keeps between calls, and profile U is told at once ---
  u::D3DDDIVIEWPORTINFO viewport{0, 0, 0, 0, 0, 1};
  D3DDDIARG_SETSTREAMSOURCEUM vertices{};
  const void* vertex_memory = nullptr;
  UINT index_bytes = 0;
  const void* index_memory = nullptr;
  std::map<HANDLE, std::unique_ptr<portable_resource>> resources;  ///< By themselves.
  resource_in_creation creating;
  portable_resource* presenting = nullptr;

 private:
  [[nodiscard]] auto enter(const char* name) -> ddi_scope {
    return {&runtime, runtime.process().id, rules(), name, nullptr};
  }
  template <class Function>
  [[nodiscard]] auto table_of(Function u::D3D9DDI_DEVICEFUNCS::*) -> const u::D3D9DDI_DEVICEFUNCS* {
    return functions_.get();
  }
  template <class Function>
  [[nodiscard]] auto table_of(Function u::D3D9DDI_EXTENDEDFUNCS::*)
      -> const u::D3D9DDI_EXTENDEDFUNCS* {
    return extended_.get();
  }
  template <class Function>
  [[nodiscard]] static auto name_of(Function u::D3D9DDI_DEVICEFUNCS::*entry) -> const char* {
    return u::device_entries[index_of(entry)].name;
  }
  /// The table begins with its size.
  template <class Function>
  [[nodiscard]] static auto name_of(Function u::D3D9DDI_EXTENDEDFUNCS::*entry) -> const char* {
    return u::extended_entries[index_of(entry) - 1].name;
  }
  void check_tables();
  [[nodiscard]] auto get_extended_entries(const u::D3D9DDI_ADAPTERFUNCS& adapter,
                                          u::D3D9DDI_HADAPTER of) -> HRESULT;
  [[nodiscard]] auto is_kernel_device(const char* who, u::D3DKMT_HANDLE device) -> bool;
  [[nodiscard]] auto find_lending(const char* who, u::D3DKMT_HANDLE context) -> portable_context*;
  /// Where all submissions end: the Render thunk, and behind a present the Present thunk.
  [[nodiscard]] auto submit(callback which, u::D3DKMT_HANDLE context, const portable_work& work,
                            u::D3DDDICB_RENDER* renewed, std::uint64_t& fence) -> HRESULT;
  [[nodiscard]] auto run(callback which, u::D3DKMT_HANDLE context, portable_context& lending,
                         const portable_work& work, std::uint64_t& fence) -> HRESULT;
  [[nodiscard]] auto render(callback which, u::D3DDDICB_RENDER& wanted, bool has_present_bit)
      -> HRESULT;
  [[nodiscard]] auto last_fence() -> std::uint64_t;

  const std::uint32_t flags_;
  u::D3DDDI_DEVICECALLBACKS callbacks_{};
  u::D3D9DDI_HDEVICE driver_{};
  lent_table<u::D3D9DDI_DEVICEFUNCS> functions_;
  lent_table<u::D3D9DDI_EXTENDEDFUNCS> extended_;
  std::map<u::D3DKMT_HANDLE, std::unique_ptr<portable_context>> contexts_;
  portable_counts counts_;
  u::D3DKMT_HANDLE sync_object_ = 0;
  bool has_kernel_device_ = false;
};

/// The table's callbacks, as `how` has them.
[[nodiscard]] auto portable_callbacks(const portable_variance& how) -> u::D3DDDI_DEVICECALLBACKS;
/// The driver has to copy the table before it returns: from then on each entry is a trap.
void spoil(u::D3DDDI_DEVICECALLBACKS& table);

/// One entry of profile M: `Act(device, arguments)`, which is the runtime's own code.
template <auto Act, class... Arguments>
auto APIENTRY portable_entry(HANDLE device, Arguments... arguments) -> HRESULT {
  const callback_scope here;
  return Act(*static_cast<portable_device*>(device), arguments...);
}
template <auto Act, class... Arguments>
void set_entry(HRESULT(APIENTRY*& entry)(HANDLE, Arguments...)) {
  entry = &portable_entry<Act, Arguments...>;
}

[[nodiscard]] inline auto to_portable(HANDLE handle) noexcept -> portable_resource* {
  return static_cast<portable_resource*>(handle);
}
/// What a handle and an index name: of a swap chain a resource, of others a part of one.
struct portable_surface {
  portable_resource* of = nullptr;
  UINT index = 0;
};
[[nodiscard]] inline auto to_portable(HANDLE handle, UINT index) noexcept -> portable_surface {
  auto* of = to_portable(handle);
  for (; of != nullptr && of->next != nullptr && index != 0; --index) of = of->next.get();
  return {of, index};
}
[[nodiscard]] inline auto driver_of(HANDLE handle) noexcept -> u::D3D9DDI_HRESOURCE {
  return handle != nullptr ? to_portable(handle)->driver : u::D3D9DDI_HRESOURCE{};
}

void add_portable_states(D3DDDI_DEVICEFUNCS& table);
void add_portable_shaders(D3DDDI_DEVICEFUNCS& table);
void add_portable_draws(D3DDDI_DEVICEFUNCS& table);
void add_portable_resources(D3DDDI_DEVICEFUNCS& table);
void add_portable_copies(D3DDDI_DEVICEFUNCS& table);
void add_portable_presents(D3DDDI_DEVICEFUNCS& table);

}  // namespace aerogpu::sim
