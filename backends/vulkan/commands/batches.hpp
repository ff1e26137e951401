// SPDX-License-Identifier: MIT
/// \file Batches of commands on their way to the device: recorded, submitted, done, used again.
#pragma once

#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "aerogpu/hosted/heap_queue.hpp"
#include "vulkan/backend_limits.hpp"
#include "vulkan/commands/command_stream.hpp"
#include "vulkan/commands/descriptor_pools.hpp"
#include "vulkan/memory/transfer_memory.hpp"

#include <cstdint>
#include <memory>

namespace aerogpu::vulkan {

/// Something to destroy once a batch is done.
struct garbage {
  std::uint64_t batch = 0;
  VkObjectType type = VK_OBJECT_TYPE_UNKNOWN;
  std::uint64_t handle = 0;
  allocation memory;
  std::uint64_t size_bytes = 0;  ///< Of the memory, or what the object is estimated at.
};

/// Commands that are submitted together. `early` runs before `main`: uploads to what `main` did not
/// use yet go there, so that they do not cut render passes.
struct batch {
  std::uint64_t number = 0;  ///< The value that the timeline has when it is done.
  VkCommandPool pool = VK_NULL_HANDLE;
  VkCommandBuffer early_commands = VK_NULL_HANDLE;
  VkCommandBuffer main_commands = VK_NULL_HANDLE;
  transfer_arena uploads;
  transfer_arena read_backs;
  heap_array<VkDescriptorPool> descriptor_pools;
  std::uint32_t commands = 0;  ///< Once it is submitted.
  std::uint64_t work = 0;      ///< Of its commands, by the estimate.

  batch(transfer_pool& upload_pool, transfer_pool& read_back_pool) noexcept
      : uploads(upload_pool), read_backs(read_back_pool) {}
};

/// Rows that were not reported yet, of a batch that is done.
struct kept_read_backs {
  std::uint64_t batch = 0;
  heap_array<transfer_chunk> chunks;
};

/// Owns the timeline. One batch is open at most; what is in flight is bounded by whoever opens
/// batches (`batch_in_the_way`).
class batches {
 public:
  batches(gpu& device, memory_allocator& memory, const backend_limits& bounds) noexcept;
  ~batches();
  batches(const batches&) = delete;
  auto operator=(const batches&) -> batches& = delete;

  /// Errors: those of the calls.
  [[nodiscard]] auto initialize() -> result<void>;

  /// Opens a batch unless one is open. Errors: out_of_memory, device_lost.
  [[nodiscard]] auto open() -> result<void>;
  [[nodiscard]] auto is_open() const noexcept -> bool { return open_ != nullptr; }
  [[nodiscard]] auto current() noexcept -> batch& { return *open_; }
  [[nodiscard]] auto early() noexcept -> command_stream& { return early_; }
  [[nodiscard]] auto main() noexcept -> command_stream& { return main_; }

  /// Hands the open batch to the device. Its commands are lost when that fails; the objects that it
  /// used are not. Errors: out_of_memory, device_lost.
  [[nodiscard]] auto submit() -> result<void>;
  /// Whether the open batch holds as much as a batch may.
  [[nodiscard]] auto wants_submit() const noexcept -> bool;
  /// What one draw or dispatch may come to, by the estimate of `backend_limits::work_per_batch`.
  [[nodiscard]] auto most_work() const noexcept -> std::uint64_t { return most_work_; }
  /// What a driver may keep of one draw for what its shaders make.
  [[nodiscard]] auto most_made_bytes() const noexcept -> std::uint64_t {
    return bounds_.made_geometry_bytes_per_draw;
  }
  /// So much work was recorded into the open batch.
  void note_work(std::uint64_t work) noexcept;
  /// Commands that move or fill so many bytes on the device were.
  void note_bytes(std::uint64_t bytes) noexcept;
  /// Whether so much waits to be destroyed that the device should finish something first.
  [[nodiscard]] auto wants_wait() const noexcept -> bool;
  /// Whether an operation failed because the open batch had too little staging memory left, and
  /// may succeed in an empty one.
  [[nodiscard]] auto is_out_of_staging() const noexcept -> bool {
    return open_ != nullptr && open_->uploads.is_full();
  }
  /// The batch that must be done before another one is opened, because the device has so much to
  /// do; 0 = none. It is never the one that was submitted last.
  [[nodiscard]] auto batch_in_the_way() const noexcept -> std::uint64_t;
  /// Objects that wait to be destroyed.
  [[nodiscard]] auto retired() const noexcept -> std::size_t { return garbage_.size(); }
  /// Ends the open batch without running it.
  void drop() noexcept;

  [[nodiscard]] auto timeline() const noexcept -> VkSemaphore { return timeline_; }
  /// Of the batch that was submitted last; the open one has the next number.
  [[nodiscard]] auto submitted() const noexcept -> std::uint64_t { return submitted_; }
  /// Of the batch that was done last, as the device says now. A lost device may count as if it had
  /// done all, or more; a wait asks about the device itself. Errors: device_lost.
  [[nodiscard]] auto completed() noexcept -> result<std::uint64_t>;
  /// Waits for a batch. Errors: device_lost, also when it takes longer than `timeout_ns`; then that
  /// is the error's limit.
  [[nodiscard]] auto wait(std::uint64_t number, std::uint64_t timeout_ns) noexcept -> result<void>;

  /// The resource that these belong to goes: nothing of it is noted any more.
  void forget(const access_epochs& access) noexcept {
    early_.forget(access);
    main_.forget(access);
  }
  /// An object was made that will be discarded one day.
  void note_created() noexcept { ++live_; }
  /// Makes sure that discarding needs no memory, whatever the next operation makes and destroys.
  /// Errors: out_of_memory.
  [[nodiscard]] auto reserve_garbage() noexcept -> result<void>;
  /// Destroys an object when the batches that may use it are done. The memory may be empty.
  template <class Handle>
  void discard(VkObjectType type, Handle handle, allocation memory = {}) noexcept {
    // A pointer or a number, by the platform.
    retire({0, type, (std::uint64_t)handle, memory, memory.size_bytes});
  }
  /// The same for an object whose memory is the driver's: `size_bytes` is an estimate.
  template <class Handle>
  void discard_sized(VkObjectType type, Handle handle, std::uint64_t size_bytes) noexcept {
    retire({0, type, (std::uint64_t)handle, {}, size_bytes});
  }
  /// The device is done with the batches up to `done`: takes them back. Rows that were read back
  /// stay, for those behind `reported`.
  void collect(std::uint64_t done, std::uint64_t reported) noexcept;
  /// Memory for rows that may outlive their batch. Errors: out_of_memory, also when such rows are
  /// too many; device_lost.
  [[nodiscard]] auto take_deferred(VkDeviceSize size_bytes) -> result<heap_array<transfer_chunk>>;
  /// Frees them when the open batch is done, and all rows of before were reported.
  void retire_deferred(heap_array<transfer_chunk>&& chunks) noexcept;
  /// Frees the rows that one batch read back, which is done, before they are reported.
  void free_read_backs_of(std::uint64_t batch) noexcept;
  /// Destroys what only batches up to `number` used.
  void destroy_retired(std::uint64_t number) noexcept;

  /// A descriptor set of the open batch. Errors: out_of_memory, device_lost.
  [[nodiscard]] auto allocate_set(VkDescriptorSetLayout layout) -> result<VkDescriptorSet>;

  [[nodiscard]] auto in_flight() const noexcept -> std::size_t { return in_flight_.size(); }
  /// Of batches in flight and the open one.
  [[nodiscard]] auto used_descriptor_pools() const noexcept -> std::size_t {
    return descriptor_pools_.used();
  }
  [[nodiscard]] auto staging() const noexcept -> const transfer_pool& { return upload_pool_; }
  [[nodiscard]] auto read_backs() const noexcept -> const transfer_pool& { return read_back_pool_; }

 private:
  [[nodiscard]] auto create_batch() -> result<std::unique_ptr<batch>>;
  [[nodiscard]] auto wait_for(std::uint64_t number, std::uint64_t timeout_ns) noexcept -> VkResult;
  [[nodiscard]] auto begin(VkCommandBuffer commands) noexcept -> VkResult;
  void take_back(std::uint64_t done) noexcept;
  void free_read_backs(std::uint64_t reported) noexcept;
  void recycle(std::unique_ptr<batch> done) noexcept;
  void destroy(batch& done) noexcept;
  void retire(garbage old) noexcept;
  [[nodiscard]] auto reserve_lists() noexcept -> result<void>;
  void destroy(garbage& old) noexcept;

  gpu& gpu_;
  memory_allocator& memory_;
  backend_limits bounds_;
  transfer_pool upload_pool_;
  transfer_pool read_back_pool_;
  descriptor_pools descriptor_pools_;
  VkSemaphore timeline_ = VK_NULL_HANDLE;
  std::uint64_t submitted_ = 0;
  std::uint64_t completed_ = 0;
  std::uint64_t epoch_ = 0;
  command_stream early_;
  command_stream main_;
  std::unique_ptr<batch> open_;
  heap_queue<std::unique_ptr<batch>> in_flight_{UINT64_MAX};
  heap_array<std::unique_ptr<batch>> spare_;
  heap_queue<kept_read_backs> read_backs_{UINT64_MAX};
  std::uint64_t commands_in_flight_ = 0;
  std::uint64_t most_work_;
  std::uint64_t work_in_flight_ = 0;
  std::size_t deferred_ = 0;  ///< Chunks that were taken and not retired.
  VkDeviceSize deferred_bytes_ = 0;
  heap_queue<garbage> garbage_{UINT64_MAX};  ///< Room for all that lives, at any time.
  std::uint64_t live_ = 0;                   ///< Objects that will be garbage.
  std::uint64_t garbage_bytes_ = 0;
};

}  // namespace aerogpu::vulkan
