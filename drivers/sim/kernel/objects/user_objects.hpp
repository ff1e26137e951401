// SPDX-License-Identifier: MIT
/// \file What the handles of a process name: devices, contexts, resources, openings.
#pragma once

#include "drivers/sim/kernel/display/present_queue.hpp"
#include "drivers/sim/kernel/memory/vidmm.hpp"
#include "drivers/sim/kernel/objects/handle_table.hpp"
#include "drivers/sim/kernel/system/ranked_lock.hpp"
#include "drivers/win7/ddi/d3dkmt_present.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace aerogpu::sim {

struct process;
struct user_device;

/// Allocations that belong together, and what openers are told of them.
struct kernel_resource {
  HANDLE driver = nullptr;
  byte_list runtime_data;
  byte_list driver_data;
  std::vector<std::shared_ptr<allocation>> allocations;
  D3DKMT_HANDLE global_handle = 0;  ///< 0: not shared by a global number.
  bool is_shared = false;
  std::uint32_t share_handles = 0;  ///< Process-local ones, which keep it alive.
};

/// One opening of an allocation by a device.
struct user_allocation {
  static constexpr auto kind = handle_kind::allocation;
  D3DKMT_HANDLE handle = 0;
  HANDLE driver = nullptr;  ///< hDeviceSpecificAllocation.
  user_device* device = nullptr;
  std::shared_ptr<allocation> memory;
  std::shared_ptr<kernel_resource> resource;
  std::uint32_t locks = 0;
};

struct user_resource {
  static constexpr auto kind = handle_kind::resource;
  D3DKMT_HANDLE handle = 0;
  user_device* device = nullptr;
  std::shared_ptr<kernel_resource> resource;
  std::vector<std::shared_ptr<user_allocation>> openings;
};

/// Where user mode writes a command buffer and its lists. Two sets take turns.
struct command_space {
  std::byte* commands = nullptr;
  D3DDDI_ALLOCATIONLIST* allocations = nullptr;
  D3DDDI_PATCHLOCATIONLIST* patches = nullptr;
};

struct user_context {
  static constexpr auto kind = handle_kind::context;
  D3DKMT_HANDLE handle = 0;
  HANDLE driver = nullptr;
  user_device* device = nullptr;
  DXGK_CONTEXTINFO info{};
  /// Of each DMA buffer: what the driver asked for, or less when memory is short.
  std::uint32_t dma_buffer_bytes = 0;
  std::array<command_space, 2> spaces;
  std::uint32_t current_space = 0;
  std::uint32_t last_fence = 0;
  bool is_null_rendering = false;
};

struct user_device {
  static constexpr auto kind = handle_kind::device;
  D3DKMT_HANDLE handle = 0;
  HANDLE driver = nullptr;
  process* owner = nullptr;
  DXGK_DEVICEINFO info{};
  bool is_system = false;
  std::atomic<bool> is_lost = false;  ///< A timeout took it.
  std::map<D3DKMT_HANDLE, std::shared_ptr<user_context>> contexts;
  std::map<D3DKMT_HANDLE, std::shared_ptr<user_resource>> resources;
  std::map<D3DKMT_HANDLE, std::shared_ptr<user_allocation>> allocations;
  /// Opened by dxgkrnl itself, for presents without a destination.
  std::shared_ptr<user_allocation> desktop;
  std::shared_ptr<present_account> presents = std::make_shared<present_account>();
};

struct adapter_reference {
  static constexpr auto kind = handle_kind::adapter;
  D3DKMT_HANDLE handle = 0;
};

struct process {
  std::uint32_t id = 0;
  /// No two threads of a process are in the driver (kmd.md 1.6).
  ranked_lock mutex{lock_rank::process};
  handle_table handles;
  std::map<D3DKMT_HANDLE, std::shared_ptr<user_device>> devices;
  std::map<D3DKMT_HANDLE, std::shared_ptr<kernel_resource>> shares;  ///< Process-local handles.
  D3DKMT_HANDLE next_share = 0;
};

}  // namespace aerogpu::sim
