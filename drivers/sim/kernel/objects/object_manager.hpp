// SPDX-License-Identifier: MIT
/// \file The object manager: processes, devices, contexts, resources, allocations and their
/// openings.
///
/// Whoever calls for a process holds its mutex, and the calling thread belongs to it
/// (`process_scope`): dxgkrnl never has two threads of one process in the driver.
#pragma once

#include "drivers/sim/kernel/objects/user_objects.hpp"
#include "drivers/sim/kernel/system/services.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace aerogpu::sim {

/// One element of a new resource: private data in, its opening out.
struct new_allocation {
  byte_list private_data;
  bool is_primary = false;  ///< Of dxgkrnl's own, or of a full-screen swap chain.
  std::shared_ptr<user_allocation> opening;
};

struct resource_request {
  byte_list runtime_data;
  byte_list driver_data;
  bool is_resource = false;
  bool is_shared = false;
  bool is_standard = false;                 ///< dxgkrnl's own surface.
  std::shared_ptr<user_resource> existing;  ///< Gets more allocations.
  std::vector<new_allocation> allocations;
  std::shared_ptr<user_resource> resource;  ///< Out.
  D3DKMT_HANDLE share = 0;                  ///< Out.
};

/// PASSIVE.
class object_manager {
 public:
  explicit object_manager(services& base);
  ~object_manager();
  object_manager(const object_manager&) = delete;
  auto operator=(const object_manager&) -> object_manager& = delete;

  /// Made when it is first asked for. 0 is the system's own.
  [[nodiscard]] auto process_of(std::uint32_t id) -> process&;
  /// The process dies: whatever it has goes, in no order that a driver could rely on.
  void terminate(std::uint32_t id);
  /// All but the system's.
  void terminate_all();

  [[nodiscard]] auto create_device(process& owner, bool is_system,
                                   std::shared_ptr<user_device>& made) -> NTSTATUS;
  void destroy_device(const std::shared_ptr<user_device>& device);
  [[nodiscard]] auto create_context(const std::shared_ptr<user_device>& device,
                                    const D3DKMT_CREATECONTEXT& wanted,
                                    std::shared_ptr<user_context>& made) -> NTSTATUS;
  void destroy_context(const std::shared_ptr<user_context>& context);
  /// All that the device submitted is done. False: a timeout took it.
  auto wait_idle(user_device& device) -> bool;

  [[nodiscard]] auto create(user_device& device, resource_request& request) -> NTSTATUS;
  /// A surface of dxgkrnl's own: GetStandardAllocationDriverData for the sizes, then for the
  /// private data, then `create` of its one allocation. The driver may write into what `asked`
  /// points to.
  [[nodiscard]] auto create_standard(user_device& device,
                                     DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA asked,
                                     resource_request& request) -> NTSTATUS;
  /// The resource behind a share handle, in the eyes of a process; nullptr for others.
  [[nodiscard]] auto find_share(process& by, D3DKMT_HANDLE share)
      -> std::shared_ptr<kernel_resource>;
  /// OpenAllocation(Create = 0) of all its allocations. `is_named`: they get handles of a process.
  [[nodiscard]] auto open(user_device& device, const std::shared_ptr<kernel_resource>& resource,
                          std::shared_ptr<user_resource>& made) -> NTSTATUS;
  void close(const std::shared_ptr<user_resource>& resource);
  /// One opening; the allocation goes with its last one.
  void close(const std::shared_ptr<user_allocation>& opening);

  /// A handle for a resource in a process: the global number, or a local one of its own.
  [[nodiscard]] auto share(process& with, const std::shared_ptr<kernel_resource>& resource)
      -> D3DKMT_HANDLE;
  /// DuplicateHandle, of process-local share handles; 0 when there is nothing to duplicate.
  [[nodiscard]] auto duplicate_share(std::uint32_t from, D3DKMT_HANDLE share, std::uint32_t to)
      -> D3DKMT_HANDLE;
  /// CloseHandle, of a process-local share handle.
  void close_share(process& by, D3DKMT_HANDLE share);

  /// A timeout: all devices but the system's are removed.
  void lose_devices();
  [[nodiscard]] auto devices() const -> std::vector<std::shared_ptr<user_device>>;
  /// Objects of all processes that still live, a line each.
  [[nodiscard]] auto leaks() const -> std::string;

 private:
  using entry = std::shared_ptr<user_allocation>;

  [[nodiscard]] auto call_create(resource_request& request, kernel_resource& resource,
                                 std::vector<byte_list>& edited) -> NTSTATUS;
  [[nodiscard]] static auto check(const DXGK_ALLOCATIONINFO& info, bool is_shared, bool is_primary)
      -> bool;
  [[nodiscard]] auto make_allocation(const DXGK_ALLOCATIONINFO& info, bool is_shared)
      -> std::shared_ptr<allocation>;
  [[nodiscard]] auto call_open(user_device& device, kernel_resource& resource,
                               std::span<const entry> openings, std::span<byte_list> private_data,
                               bool is_creation) -> NTSTATUS;
  [[nodiscard]] auto make_openings(user_device& device,
                                   const std::shared_ptr<kernel_resource>& resource,
                                   std::size_t first) -> std::vector<entry>;
  void forget_openings(std::span<const entry> openings);
  void destroy_driver_allocations(kernel_resource& resource,
                                  std::span<const std::shared_ptr<allocation>> list);
  void drop_share(const std::shared_ptr<kernel_resource>& resource);
  void close_in_driver(const user_allocation& opening);
  [[nodiscard]] auto find_driver_object(const DXGKARGCB_GETHANDLEDATA& what) -> void*;
  void wait_for(const allocation& one);

  services& base_;
  mutable std::mutex mutex_;  ///< Processes, shares, and how often what is open.
  std::map<std::uint32_t, std::unique_ptr<process>> processes_;
  std::map<D3DKMT_HANDLE, std::weak_ptr<kernel_resource>> global_shares_;
  D3DKMT_HANDLE next_share_ = 0xC0000002;
};

}  // namespace aerogpu::sim
