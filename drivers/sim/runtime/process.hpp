// SPDX-License-Identifier: MIT
/// \file A simulated process that uses Direct3D 9.
#pragma once

#include "drivers/sim/runtime/runtime.hpp"

#include <atomic>
#include <cstdint>

namespace aerogpu::sim {

/// Outlives its adapters and devices. Its calls may come from any thread of the machine.
class d3d9_process {
 public:
  d3d9_process(d3d9_runtime& of, std::uint32_t process_id);
  ~d3d9_process();
  d3d9_process(const d3d9_process&) = delete;
  auto operator=(const d3d9_process&) -> d3d9_process& = delete;

  /// gdi32's adapter, for thunks; 0 when Windows gave none.
  [[nodiscard]] auto kernel_adapter() const noexcept -> D3DKMT_HANDLE { return adapter_; }
  /// DuplicateHandle of a resource's share handle; the same number where handles are global.
  [[nodiscard]] auto duplicate_share(D3DKMT_HANDLE share, d3d9_process& to) -> D3DKMT_HANDLE;
  /// CloseHandle; nothing where handles are global.
  void close_share(D3DKMT_HANDLE share);
  /// TerminateProcess: the kernel takes back everything, and the driver is not asked.
  void terminate();
  [[nodiscard]] auto is_terminated() const noexcept -> bool { return is_terminated_.load(); }

  d3d9_runtime& runtime;
  const std::uint32_t id;

 private:
  D3DKMT_HANDLE adapter_ = 0;
  std::atomic<bool> is_terminated_ = false;
};

}  // namespace aerogpu::sim
