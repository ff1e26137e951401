// SPDX-License-Identifier: MIT
/// \file A process of a client program, as a server knows it: its connection and its lanes.
#pragma once

#include "drivers/win7/ddi/d3dkmt_objects.hpp"
#include "drivers/wine/transport/link.hpp"
#include "drivers/wine/transport/message.hpp"
#include "drivers/wine/transport/protocol.hpp"

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace aerogpu::wine {

/// What calls cost so far.
struct call_counts {
  std::uint64_t calls = 0;
  std::uint64_t wakeups = 0;  ///< Bytes that this side sent: at most one a call.
};

/// Any thread. Once the server is gone, or said no, each call gives `lost_status`.
class remote_process {
 public:
  /// Nothing for as long as the server runs gives this.
  static constexpr NTSTATUS lost_status = static_cast<NTSTATUS>(0xC00002B6u);  // DEVICE_REMOVED

  /// Never fails: what could not be connected is lost, and `why` says so.
  explicit remote_process(const std::string& folder);
  remote_process(const remote_process&) = delete;
  auto operator=(const remote_process&) -> remote_process& = delete;

  /// One request: `put(message_writer&)`, then `take(message_reader&, NTSTATUS)` of the answer.
  template <class Put, class Take>
  auto call(request_code code, Put&& put, Take&& take) -> NTSTATUS;

  /// A context's part of the process's file.
  [[nodiscard]] auto context_part(std::uint32_t slot) const noexcept -> std::byte*;
  /// What CreateContext gave, by its handle: Render gives it again.
  void keep_context(const D3DKMT_CREATECONTEXT& made);
  void forget_context(D3DKMT_HANDLE context);
  [[nodiscard]] auto kept_context(D3DKMT_HANDLE context) -> D3DKMT_CREATECONTEXT;
  /// A place in the shared memory; nullptr when there is none.
  [[nodiscard]] auto shared_bytes(std::uint64_t offset) const noexcept -> std::byte*;
  [[nodiscard]] auto process_id() const noexcept -> std::uint32_t { return process_id_; }
  [[nodiscard]] auto is_lost() const noexcept -> bool { return is_lost_.load(); }
  [[nodiscard]] auto why() const noexcept -> const std::string& { return why_; }
  [[nodiscard]] auto counts() const noexcept -> call_counts {
    return {calls_.load(), wakeups_.load()};
  }
  /// The process ends: the server takes everything back. Calls of other threads are lost.
  void disconnect();

 private:
  struct lane {
    lane_page* page = nullptr;
    mutable_bytes message;
    fifo_end requests;
    fifo_end answers;
    std::uint32_t number = 0;
    bool is_busy = false;
  };
  [[nodiscard]] auto connect() -> bool;
  [[nodiscard]] auto open_lane(std::uint32_t index) -> bool;
  [[nodiscard]] auto take_lane() -> lane*;
  void give_lane(lane& one);
  /// Sends what is in the lane's message, and waits. False: the server is gone.
  [[nodiscard]] auto exchange(lane& one, request_code code, std::uint32_t bytes) -> bool;
  [[nodiscard]] auto wait_answer(lane& one) -> bool;

  std::string folder_;
  std::string name_;
  std::string why_;
  std::shared_ptr<const mapped_file> memory_;
  mapped_file file_;
  std::uint32_t process_id_ = 0;
  std::atomic<bool> is_lost_ = false;
  std::mutex mutex_;  ///< Which lanes are busy, and the contexts.
  std::map<D3DKMT_HANDLE, D3DKMT_CREATECONTEXT> contexts_;
  std::condition_variable lane_is_free_;
  std::array<lane, bounds.lanes> lanes_;
  std::atomic<std::uint64_t> calls_ = 0;
  std::atomic<std::uint64_t> wakeups_ = 0;
};

template <class Put, class Take>
auto remote_process::call(request_code code, Put&& put, Take&& take) -> NTSTATUS {
  auto* const one = take_lane();
  if (one == nullptr) return lost_status;
  NTSTATUS status = STATUS_INVALID_PARAMETER;
  message_writer request{one->message};
  put(request);
  if (!request.is_full()) {
    status = lost_status;
    if (exchange(*one, code, request.used())) {
      status = static_cast<NTSTATUS>(one->page->status);
      message_reader answer{one->message.first(one->page->answer_bytes)};
      take(answer, status);
      if (answer.is_bad()) status = lost_status;
    }
  }
  give_lane(*one);
  return status;
}

}  // namespace aerogpu::wine
