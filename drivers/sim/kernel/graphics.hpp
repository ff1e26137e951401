/// \file The upper side of the simulated dxgkrnl: what user mode reaches through D3DKMT thunks.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "drivers/sim/kernel/objects.hpp"
#include "drivers/sim/kernel/scheduler.hpp"
#include "drivers/sim/kernel/vidmm.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace aerogpu::sim {

struct graphics_config {
  scheduler_config scheduler{};
  /// Allocation lists tell the driver where an allocation is; else all say "nowhere yet".
  bool gives_hints = true;
  /// The bytes that CreateAllocation wrote are thrown away before OpenAllocation (kmd.md 8.2).
  bool discards_create_edits = false;
  /// DestroyAllocation before CloseAllocation, as was seen on Windows too.
  bool destroys_before_close = false;
};

/// One element of create_allocation.
struct allocation_request {
  std::vector<std::byte> private_data;  ///< In: the user's. Out: what the driver made of it.
  D3DKMT_HANDLE handle = 0;             ///< Out.
};

struct list_entry {
  D3DKMT_HANDLE handle = 0;  ///< 0: an empty element.
  bool is_written = false;
};

struct render_request {
  const void* commands = nullptr;  ///< User memory.
  std::uint32_t size_bytes = 0;
  std::vector<list_entry> allocations;
  D3DDDI_PATCHLOCATIONLIST* patches = nullptr;  ///< User memory.
  std::uint32_t patch_count = 0;
  bool is_null_rendering = false;
};

struct present_request {
  D3DKMT_HANDLE source = 0;
  D3DKMT_HANDLE destination = 0;
  DXGK_PRESENTFLAGS flags{};
  RECT source_rect{};
  RECT destination_rect{};
  std::vector<RECT> sub_rects;  ///< Empty: the whole destination.
  std::uint32_t color = 0;
  D3DDDI_FLIPINTERVAL_TYPE interval = D3DDDI_FLIPINTERVAL_ONE;
};

/// Made after StartDevice, and gone before StopDevice. PASSIVE; any threads in concurrent mode.
class graphics {
 public:
  explicit graphics(kernel& windows, const graphics_config& chosen = {});
  ~graphics();
  graphics(const graphics&) = delete;
  auto operator=(const graphics&) -> graphics& = delete;

  // --- objects (thunks_objects.cpp) ---
  auto create_device(D3DKMT_HANDLE& device, bool is_system = false) -> NTSTATUS;
  auto destroy_device(D3DKMT_HANDLE device) -> NTSTATUS;
  auto create_context(D3DKMT_HANDLE device, D3DKMT_HANDLE& context, const_bytes private_data = {})
      -> NTSTATUS;
  auto destroy_context(D3DKMT_HANDLE context) -> NTSTATUS;
  /// All or none. With `global`, they are shared and get a handle for other devices.
  auto create_allocation(D3DKMT_HANDLE device, std::span<allocation_request> requests,
                         D3DKMT_HANDLE* global = nullptr) -> NTSTATUS;
  /// GetStandardAllocationDriverData and create_allocation, as dxgkrnl does for its own surfaces.
  auto create_standard(D3DKMT_HANDLE device, DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA arguments,
                       allocation_request& made, D3DKMT_HANDLE* global = nullptr) -> NTSTATUS;
  auto open_resource(D3DKMT_HANDLE device, D3DKMT_HANDLE global,
                     std::vector<allocation_request>& opened) -> NTSTATUS;
  auto destroy_allocation(D3DKMT_HANDLE handle) -> NTSTATUS;
  [[nodiscard]] auto lock(D3DKMT_HANDLE handle) -> std::byte*;
  void unlock(D3DKMT_HANDLE handle);
  [[nodiscard]] auto find_allocation(D3DKMT_HANDLE handle) -> std::shared_ptr<allocation>;
  [[nodiscard]] auto find_device(D3DKMT_HANDLE handle) -> device_object*;

  // --- work (thunks_render.cpp) ---
  auto render(D3DKMT_HANDLE context, const render_request& request) -> NTSTATUS;
  /// Blt and ColorFill.
  auto present(D3DKMT_HANDLE context, const present_request& request) -> NTSTATUS;
  void wait_for_context(D3DKMT_HANDLE context);

  // --- display and the rest (thunks_display.cpp) ---
  /// Shows the source from a vblank on, after the context's earlier work. Waits while a flip is
  /// queued already.
  auto flip(D3DKMT_HANDLE context, D3DKMT_HANDLE source) -> NTSTATUS;
  /// Points the scanout at an allocation, as after a mode change; it stays in place until another.
  auto set_source(D3DKMT_HANDLE source, bool is_mode_change) -> NTSTATUS;
  /// False when none comes for half a second.
  auto wait_for_vblank() -> bool;
  auto set_vsync(bool is_enabled) -> NTSTATUS;
  auto get_scan_line(DXGKARG_GETSCANLINE& line) -> NTSTATUS;
  /// `data` is user memory; the driver gets a copy, and what it wrote comes back.
  auto escape(D3DKMT_HANDLE device, std::byte* data, std::uint32_t size,
              bool hardware_access = false) -> NTSTATUS;
  [[nodiscard]] auto is_flip_pending() const noexcept -> bool { return is_flip_pending_.load(); }
  [[nodiscard]] auto caps() const noexcept -> const DXGK_DRIVERCAPS& { return caps_; }

  kernel& windows;
  graphics_config config;
  sim::scheduler scheduler;
  video_memory_manager memory;
  object_table objects;

 private:
  auto open_all(device_object& device, std::span<const std::shared_ptr<allocation>> list,
                std::span<allocation_request> requests, bool is_creation) -> NTSTATUS;
  void close(opening& one);
  void destroy_driver_allocation(const std::shared_ptr<allocation>& one);
  [[nodiscard]] auto handle_data(const DXGKARGCB_GETHANDLEDATA& query) -> void*;
  [[nodiscard]] auto resolve(const std::vector<list_entry>& entries, const device_object& device,
                             std::vector<std::shared_ptr<allocation>>& used,
                             std::vector<DXGK_ALLOCATIONLIST>& list) -> NTSTATUS;
  auto submit(context_object& context, gpu_work work, std::vector<list_entry> entries,
              std::vector<std::shared_ptr<allocation>> used) -> NTSTATUS;
  void on_vsync(const vsync_report& report);

  DXGK_DRIVERCAPS caps_{};
  std::mutex flip_mutex_;
  std::shared_ptr<allocation> shown_;
  std::atomic<bool> is_flip_pending_ = false;
  std::atomic<std::uint64_t> flip_address_ = 0;
  std::atomic<std::uint64_t> vsync_count_ = 0;
  std::atomic<bool> is_vsync_enabled_ = false;
};

}  // namespace aerogpu::sim
