// SPDX-License-Identifier: MIT
/// \file The stream that is being recorded, what it refers to, and its submission.
#pragma once

#include "aerogpu/stream/sinks.hpp"
#include "aerogpu/stream/writer.hpp"
#include "drivers/win7/umd/d3d9/device/device_loss.hpp"
#include "drivers/win7/umd/d3d9/submit/allocation_tracker.hpp"
#include "drivers/win7/umd/d3d9/submit/completion.hpp"
#include "drivers/win7/umd/d3d9/submit/runtime.hpp"

#include <cstdint>
#include <span>

namespace aerogpu::umd {

/// Bytes that a packet with this payload takes in a stream.
template <class Packet>
[[nodiscard]] constexpr auto packet_bytes(std::uint64_t payload_bytes = 0) noexcept
    -> std::uint64_t {
  return sizeof(Packet) + (payload_bytes + 3) / 4 * 4;
}

/// Limits of the kernel side that bound one submission.
struct recorder_limits {
  std::uint32_t max_list_slot = 0xFFFF;  ///< MaxAllocationListSlotId.
  bool logs_submits = false;             ///< AEROGPU_D3D9_LOG_SUBMITS.
};

/// Records one device's stream. An operation calls `reserve` once with all that it will write and
/// refer to, then writes: it lies in one submission whole, with every allocation listed
/// (umd-d3d9.md 4.4, order within an operation). The device's mutex guards it.
class recorder {
 public:
  using packet_writer = stream_writer<span_sink>;

  /// What repeated splits make a device ask for, at most (umd-d3d9.md 4.3).
  static constexpr std::uint32_t most_wished_bytes = 1024 * 1024;
  static constexpr std::uint32_t most_wished_entries = 4096;
  /// What one submission writes back to guest memory, unless one copy alone is more (umd-d3d9.md
  /// 4.8).
  static constexpr std::uint64_t most_written_back_bytes = 64ull << 20;

  recorder(runtime& runtime, device_loss& loss) noexcept
      : runtime_(&runtime), loss_(&loss), completion_(runtime, loss) {}

  /// Adopts the context's buffers and begins a stream. The device baseline is the caller's.
  /// Errors of the marker allocations.
  [[nodiscard]] auto start(const recording_space& space, alloc_ids& ids,
                           const recorder_limits& limits = {}) noexcept -> HRESULT;
  /// Ends recording for good; what was recorded is dropped.
  void stop() noexcept;

  /// Makes room for `bytes` of packets and lists `uses`, in one submission; submits what was
  /// recorded before when it does not fit beside it. Uses without guest memory are ignored.
  /// E_OUTOFMEMORY when not even an empty submission holds them, and nothing is recorded then;
  /// E_FAIL for an allocation id that names two allocations; the loss of a lost device.
  [[nodiscard]] auto reserve(std::uint64_t bytes,
                             std::span<const allocation_use> uses = {}) noexcept -> HRESULT {
    // Most packets refer to no memory and fit beside what is recorded.
    if (uses.empty() && fits(bytes)) [[likely]]
      return S_OK;
    return reserve_checked(bytes, uses);
  }
  /// The same for a copy that writes `written_back` bytes of guest memory: submits what was
  /// recorded before also when more than `most_written_back_bytes` would be written beside it.
  [[nodiscard]] auto reserve_write_back(std::uint64_t bytes, std::span<const allocation_use> uses,
                                        std::uint64_t written_back) noexcept -> HRESULT;
  /// Whether `bytes` go into the submission that is being recorded: then memory that
  /// `list_number` has needs no `reserve`.
  [[nodiscard]] auto fits(std::uint64_t bytes) const noexcept -> bool {
    return !loss_->is_lost() && !is_empty() && bytes <= sink_.room();
  }
  [[nodiscard]] auto list_number() const noexcept -> std::uint64_t {
    return tracker_.list_number();
  }
  /// Bytes of packets that still fit beside what is recorded, for payloads that go in pieces.
  [[nodiscard]] auto room_bytes() const noexcept -> std::uint32_t {
    return static_cast<std::uint32_t>(sink_.room());
  }
  /// The same for an empty submission of the last buffer's size.
  [[nodiscard]] auto largest_room_bytes() const noexcept -> std::uint32_t;
  /// What one packet takes of it at most: the kernel driver puts the table of the submission's
  /// allocations into the same buffer, and cuts streams between packets alone.
  [[nodiscard]] auto largest_packet_bytes() const noexcept -> std::uint32_t {
    return largest_room_bytes() / 4 * 3;
  }
  /// Sees to a command buffer, where each submission has one of its own.
  [[nodiscard]] auto make_ready() noexcept -> HRESULT;
  /// Submits what is recorded, because the buffer is full, and sees to the next one.
  [[nodiscard]] auto split() noexcept -> HRESULT;
  /// Where packets go. Only after a `reserve` that covers them.
  [[nodiscard]] auto packets() noexcept -> packet_writer& { return writer_; }

  /// Hands over what was recorded; nothing recorded: no call, S_OK. A failure is the loss of the
  /// device, and comes back as its code.
  [[nodiscard]] auto submit(submission_kind kind = submission_kind::render) noexcept -> HRESULT;
  [[nodiscard]] auto is_empty() const noexcept -> bool { return sink_.size() <= header_bytes; }
  /// The runtime refused a submission of this kind: the loss of the device, logged once; its code.
  auto note_failure(submission_kind kind, HRESULT failure) noexcept -> HRESULT;
  /// Drops what was recorded, as a lost device does.
  void discard() noexcept;
  /// A frame ends with its present: splits are counted anew (umd-d3d9.md 4.3).
  void end_frame() noexcept;

  /// The fence that the recorded work will have, once submitted; the last one when there is none.
  [[nodiscard]] auto pending_fence() const noexcept -> fence_value {
    return is_empty() ? completion_.submitted() : recorded_fence_;
  }
  /// The fence of the next submission, whether or not something is recorded for it.
  [[nodiscard]] auto recorded_fence() const noexcept -> fence_value { return recorded_fence_; }
  [[nodiscard]] auto completion() noexcept -> umd::completion& { return completion_; }

 private:
  static constexpr std::uint32_t header_bytes = sizeof(aerogpu_cmd_stream_header);

  [[nodiscard]] auto reserve_checked(std::uint64_t bytes,
                                     std::span<const allocation_use> uses) noexcept -> HRESULT;
  [[nodiscard]] auto make_room(std::uint64_t bytes) noexcept -> HRESULT;
  void begin_stream() noexcept;
  void wish_after_split(std::uint32_t& splits, std::uint32_t bytes, std::uint32_t entries) noexcept;
  void log_submitted(const submission& work) const noexcept;

  runtime* runtime_;
  device_loss* loss_;
  recording_space space_;
  std::uint32_t known_bytes_ = 0;  ///< Of the last command buffer that there was.
  recorder_limits limits_;
  span_sink sink_{{}};  ///< Has no room without that of a header.
  packet_writer writer_{sink_};
  fence_value recorded_fence_{1};
  std::uint64_t written_back_bytes_ = 0;  ///< By what is recorded.
  allocation_tracker tracker_;
  umd::completion completion_;
  std::uint32_t space_splits_ = 0;  ///< Of this frame, because the command buffer was full.
  std::uint32_t list_splits_ = 0;   ///< Because the allocation list was.
};

}  // namespace aerogpu::umd
