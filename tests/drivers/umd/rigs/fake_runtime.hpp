// SPDX-License-Identifier: MIT
/// \file A runtime for one device that keeps what it gets, checks what it may expect, and fails on
/// demand.
#pragma once

#include "aerogpu/memory/alloc_private_data.hpp"
#include "drivers/win7/umd/d3d9/submit/runtime.hpp"
#include "tests/catch.hpp"
#include "tests/drivers/umd/rigs/stream_host.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <vector>

namespace aerogpu::umd::test {

/// One call of `submit` that was taken.
struct seen_submission {
  byte_vector stream;
  std::vector<listed_allocation> allocations;
  submission_kind kind;
  fence_value fence;

  [[nodiscard]] auto lists(kernel_allocation allocation) const -> const listed_allocation* {
    for (const listed_allocation& entry : allocations) {
      if (entry.allocation == allocation) return &entry;
    }
    return nullptr;
  }
};

/// How buffers come (umd-d3d9.md 4.3).
enum class buffer_model : std::uint8_t {
  persistent,  ///< The context's, then a new one after each submission.
  acquired,    ///< Asked for before each submission.
};

struct fake_runtime_options {
  std::uint32_t command_bytes = 64 * 1024;
  std::uint32_t list_entries = 256;
  buffer_model buffers = buffer_model::persistent;
  bool gives_fences = false;
  bool completes_at_once = true;
  bool runs_streams = true;  ///< On the host of the fake, which must like them.
};

/// Submissions execute when they are submitted; they are complete when a test says so, or at once.
/// Locks of allocations that an incomplete submission lists are refused or waited for, and a
/// submission that lists a locked allocation is refused. Buffers that were submitted are poisoned
/// and never written again. Every stream passes the strict validator.
class fake_runtime final : public runtime {
 public:
  struct allocation {
    byte_vector bytes;
    alloc_private_data data{};
    gpa at{};
    void* runtime_resource = nullptr;
    bool is_primary = false;
    int locks = 0;
    std::uint32_t priority = 0;
    fence_value last_use{};
    bool is_opened = false;  ///< Memory of another one.
  };

  explicit fake_runtime(const fake_runtime_options& options = {});
  ~fake_runtime();

  // What a test sees

  [[nodiscard]] auto submissions() const -> const std::vector<seen_submission>& { return seen_; }
  [[nodiscard]] auto last() const -> const seen_submission& {
    REQUIRE_FALSE(seen_.empty());
    return seen_.back();
  }
  [[nodiscard]] auto host() -> stream_host& { return host_; }
  [[nodiscard]] auto find(kernel_allocation name) -> allocation* {
    const auto found = allocations_.find(raw(name));
    return found == allocations_.end() ? nullptr : found->second.get();
  }
  [[nodiscard]] auto live_allocations() const -> std::size_t { return allocations_.size(); }
  /// Calls that can fail so far.
  [[nodiscard]] auto calls() const -> std::uint64_t { return calls_; }
  [[nodiscard]] auto acquired() const -> std::uint64_t { return acquired_; }
  [[nodiscard]] auto polls() const -> std::uint64_t { return polls_; }
  [[nodiscard]] auto locks() const -> std::uint64_t { return locks_; }
  [[nodiscard]] auto wished_bytes() const -> std::uint32_t { return wished_bytes_; }
  [[nodiscard]] auto wished_entries() const -> std::uint32_t { return wished_entries_; }
  struct seen_present {
    kernel_allocation source;
    kernel_allocation destination;
    std::size_t after_submissions;
  };
  [[nodiscard]] auto presents() const -> const std::vector<seen_present>& { return presents_; }

  // What a test does

  /// Call number `call`, counted from the first one of this runtime, fails with `how`.
  void fail_call(std::uint64_t call, HRESULT how) {
    failing_call_ = call;
    failure_ = how;
  }
  void fail_next_call(HRESULT how) { fail_call(calls_ + 1, how); }
  /// Sizes of the buffers from the next one on; 0 bytes = no buffer at all.
  void set_next_space(std::uint32_t command_bytes, std::uint32_t list_entries) {
    options_.command_bytes = command_bytes;
    options_.list_entries = list_entries;
  }
  void complete(fence_value fence) {
    if (completed_ < fence) completed_ = fence;
  }
  void complete_all() { completed_ = submitted_; }
  void complete_at_once(bool at_once) { options_.completes_at_once = at_once; }
  /// A kernel driver without tokens for shared allocations.
  void make_tokens(bool makes) { makes_tokens_ = makes; }
  /// What `poll_completed` says next does not come.
  void break_polls(bool broken) { polls_fail_ = broken; }

  /// Another handle of an allocation, as opening a shared resource gives one.
  [[nodiscard]] auto open(kernel_allocation name, void* runtime_resource) -> kernel_allocation;
  /// The kernel driver's own, which no driver of an application made.
  [[nodiscard]] auto open_standard(const alloc_private_data& data, void* runtime_resource)
      -> kernel_allocation;

  // runtime

  auto create_context(recording_space& out) noexcept -> HRESULT override;
  void destroy_context() noexcept override;
  auto acquire(std::uint32_t needed_bytes, recording_space& space) noexcept -> HRESULT override;
  auto submit(const submission& work, recording_space& space) noexcept -> HRESULT override;
  void wish_for(std::uint32_t command_bytes, std::uint32_t list_entries) noexcept override {
    wished_bytes_ = command_bytes;
    wished_entries_ = list_entries;
  }
  auto submit_callback(submission_kind kind) const noexcept -> const char* override;
  auto present(kernel_allocation source, kernel_allocation destination) noexcept
      -> HRESULT override;
  auto set_display_mode(kernel_allocation primary) noexcept -> HRESULT override;
  auto allocate(const allocation_request& request, kernel_allocation& out) noexcept
      -> HRESULT override;
  void deallocate(kernel_allocation name, void* runtime_resource) noexcept override;
  auto set_priority(kernel_allocation name, void*, std::uint32_t priority) noexcept
      -> HRESULT override;
  auto lock(kernel_allocation name, lock_access, bool may_wait, std::byte*& out) noexcept
      -> HRESULT override;
  void unlock(kernel_allocation name) noexcept override;
  auto gives_fences() const noexcept -> bool override { return options_.gives_fences; }
  auto poll_completed(fence_value& out) noexcept -> bool override;

 private:
  static constexpr std::byte poison{0xDD};
  static constexpr std::size_t watched_buffers = 8;

  [[nodiscard]] auto add(std::unique_ptr<allocation> made) -> kernel_allocation;
  [[nodiscard]] auto count_call() noexcept -> HRESULT {
    return ++calls_ == failing_call_ ? failure_ : S_OK;
  }
  [[nodiscard]] auto new_space() -> recording_space;
  /// Nobody may write the buffer from now on.
  void retire_buffer();
  void check_poison() const;

  [[nodiscard]] auto take(const submission& work) -> HRESULT;

  fake_runtime_options options_;
  stream_host host_;
  byte_vector buffer_;
  std::deque<byte_vector> retired_;
  std::map<std::uint32_t, std::unique_ptr<allocation>> allocations_;
  std::vector<seen_submission> seen_;
  std::vector<seen_present> presents_;
  fence_value submitted_{};
  fence_value completed_{};
  std::uint64_t calls_ = 0;
  std::uint64_t failing_call_ = 0;
  HRESULT failure_ = E_FAIL;
  std::uint64_t acquired_ = 0;
  std::uint64_t polls_ = 0;
  std::uint64_t locks_ = 0;
  std::uint64_t last_token_ = 0x5000;
  std::uint32_t last_allocation_ = 0x40000000;
  std::uint32_t wished_bytes_ = 0;
  std::uint32_t wished_entries_ = 0;
  bool has_context_ = false;
  bool polls_fail_ = false;
  bool makes_tokens_ = true;
};

}  // namespace aerogpu::umd::test
