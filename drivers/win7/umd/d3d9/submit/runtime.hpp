// SPDX-License-Identifier: MIT
/// \file What the core asks of the runtime that loaded it: the callbacks of either profile.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/ids.hpp"
#include "drivers/win7/ddi/hresults.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace aerogpu::umd {

enum class kernel_allocation : std::uint32_t {};  ///< D3DKMT_HANDLE of an allocation; 0 = none.

/// Buffers for the next submission; they belong to the driver until it is submitted.
struct recording_space {
  std::byte* commands = nullptr;
  std::uint32_t command_bytes = 0;
  std::uint32_t list_entries = 0;  ///< Allocations that one submission may name.
};

/// One allocation of a submission, once.
struct listed_allocation {
  kernel_allocation allocation{};
  bool is_written = false;
};

enum class submission_kind : std::uint8_t { render, present };

/// A finished stream at the front of the recording space.
struct submission {
  std::uint32_t command_bytes = 0;
  std::span<const listed_allocation> allocations;
  submission_kind kind = submission_kind::render;
  fence_value fence{};  ///< The device's number for it: one more than the last one's.
};

/// What to create in the kernel for one resource.
struct allocation_request {
  mutable_bytes private_data;        ///< In and out: the kernel driver writes its fields back.
  void* runtime_resource = nullptr;  ///< Of a shared resource; nullptr otherwise.
  bool is_primary = false;
  std::uint32_t vidpn_source = 0;  ///< Of a primary.
};

/// How a kernel lock maps memory. Discard and IgnoreSync do not exist here on purpose: the one
/// makes a second instance of one alloc_id, the other is illegal in a memory segment
/// (umd-d3d9.md 2.7.4).
enum class lock_access : std::uint8_t { read, write, read_write };

enum class wait_outcome : std::uint8_t { complete, timed_out, unavailable };

/// The runtime of one device. Errors come back unchanged. The caller holds the device's mutex: only
/// one thread of a device may be in a callback (umd-d3d9.md 1.3.4).
class runtime {
 public:
  runtime() = default;
  runtime(const runtime&) = delete;
  auto operator=(const runtime&) -> runtime& = delete;

  /// Creates the one context of a device and says where to record.
  [[nodiscard]] virtual auto create_context(recording_space& out) noexcept -> HRESULT = 0;
  virtual void destroy_context() noexcept = 0;

  /// Space for a stream of at least `needed_bytes`, asked when `space` cannot hold it. Persistent
  /// buffers stay what they are; other models acquire (umd-d3d9.md 4.3).
  [[nodiscard]] virtual auto acquire(std::uint32_t needed_bytes, recording_space& space) noexcept
      -> HRESULT = 0;
  /// Hands a submission to the kernel. `space` becomes the next one, also after a failure.
  [[nodiscard]] virtual auto submit(const submission& work, recording_space& space) noexcept
      -> HRESULT = 0;
  /// Asks for buffers of these sizes from the next submission on, 0 = as they are; the system may
  /// ignore it.
  virtual void wish_for(std::uint32_t command_bytes, std::uint32_t list_entries) noexcept = 0;
  /// The callback of a submission, for the log: of `submit`, or of `present` where the runtime
  /// presents without a stream.
  [[nodiscard]] virtual auto submit_callback(submission_kind kind) const noexcept -> const
      char* = 0;

  /// Queues the copy or flip of one allocation to another, 0 = none, or of a window's surface.
  [[nodiscard]] virtual auto present(kernel_allocation source,
                                     kernel_allocation destination) noexcept -> HRESULT = 0;
  /// Shows a primary.
  [[nodiscard]] virtual auto set_display_mode(kernel_allocation primary) noexcept -> HRESULT = 0;

  [[nodiscard]] virtual auto allocate(const allocation_request& request,
                                      kernel_allocation& out) noexcept -> HRESULT = 0;
  /// `runtime_resource` as in the request that made it.
  virtual void deallocate(kernel_allocation allocation, void* runtime_resource) noexcept = 0;
  [[nodiscard]] virtual auto set_priority(kernel_allocation allocation, void* runtime_resource,
                                          std::uint32_t priority) noexcept -> HRESULT = 0;
  /// D3DERR_WASSTILLDRAWING when it is in use and `may_wait` is false.
  [[nodiscard]] virtual auto lock(kernel_allocation allocation, lock_access access, bool may_wait,
                                  std::byte*& out) noexcept -> HRESULT = 0;
  virtual void unlock(kernel_allocation allocation) noexcept = 0;

  /// Whether `poll_completed` answers; if not, completion is learnt from marker allocations.
  [[nodiscard]] virtual auto gives_fences() const noexcept -> bool = 0;
  /// The submission up to which the adapter has finished; false when it cannot be asked.
  [[nodiscard]] virtual auto poll_completed(fence_value& out) noexcept -> bool = 0;
  /// Waits at most `milliseconds` for a submission; polling is for who cannot.
  [[nodiscard]] virtual auto wait_completed(fence_value fence, std::uint32_t milliseconds) noexcept
      -> wait_outcome {
    static_cast<void>(fence);
    static_cast<void>(milliseconds);
    return wait_outcome::unavailable;
  }

 protected:
  ~runtime() = default;
};

}  // namespace aerogpu::umd
