// SPDX-License-Identifier: MIT
/// \file The ways that lead a stream to the command processor.
#pragma once

#include "aerogpu/processor/command_processor.hpp"
#include "tests/catch.hpp"
#include "tests/support/alloc_table_bytes.hpp"
#include "tests/support/byte_patterns.hpp"
#include "tests/support/failing_backend.hpp"
#include "tests/support/guest_memory_fakes.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace aerogpu::conformance {

using test::byte_vector;

/// An allocation table as a list; nothing = the submission has none.
using table_entries = std::optional<std::vector<aerogpu_alloc_entry>>;

/// Streams in, errors and completions out. Checks by itself that each submission ends once and in
/// order, whatever happened to it.
template <backend WatchedBackend>
class processor_path {
 public:
  virtual ~processor_path() = default;

  /// Executes a stream; its completion may still be pending. Returns why it failed.
  virtual auto submit(const byte_vector& stream, std::uint32_t context,
                      const table_entries& entries) -> error = 0;
  /// Waits until every submission is complete, and checks that none is left.
  virtual void finish() = 0;
  /// Ring reset, as far as the processor is concerned.
  virtual void reset() = 0;
  [[nodiscard]] virtual auto pending() -> std::size_t = 0;
  [[nodiscard]] virtual auto processor() -> command_processor<WatchedBackend>& = 0;
  /// Calls `see` whenever a completion becomes visible.
  void observe_completions(std::function<void()> see) { on_completion_ = std::move(see); }

 protected:
  void tell_completion() const {
    if (on_completion_) on_completion_();
  }

 private:
  std::function<void()> on_completion_;
};

/// Calls the processor as a device would.
template <backend WatchedBackend>
class direct_path final : public processor_path<WatchedBackend> {
 public:
  direct_path(WatchedBackend& on, test::fake_memory& memory, const limits& most)
      : memory_(memory), processor_(on, most) {}

  auto submit(const byte_vector& stream, std::uint32_t context, const table_entries& entries)
      -> error override {
    const byte_vector copy = stream;  // Exactly as large as the stream, for the sanitizer.
    std::vector<alloc_table::slot> slots;
    alloc_table table;
    if (entries.has_value()) {
      slots.resize(alloc_table::slots_for(static_cast<std::uint32_t>(entries->size())));
      table = alloc_table{slots};
      REQUIRE(table.parse(test::make_table(*entries)));
    }
    const auto report = processor_.execute({context_id{context}, fence_value{++last_fence_}, copy,
                                            entries.has_value() ? &table : nullptr},
                                           memory_);
    if (report.is_pending) pending_.push_back(report.id);
    return report.why;
  }

  void finish() override {
    processor_.wait_idle();
    poll();
    CHECK(pending_.empty());
  }
  void reset() override {
    processor_.reset();
    pending_.clear();
    poll();
  }
  [[nodiscard]] auto pending() -> std::size_t override { return pending_.size(); }
  [[nodiscard]] auto processor() -> command_processor<WatchedBackend>& override {
    return processor_;
  }

 private:
  struct listener {
    direct_path& path;

    void on_write_back(submission_id id, const guest_rows& to, const_bytes rows) noexcept {
      path.check_turn(id);
      CHECK(rows.size() == to.row_size_bytes * to.row_count);
      for (std::uint32_t row = 0; row < to.row_count; ++row) {
        CHECK(path.memory_.write(advance(to.first_row, row * to.pitch_bytes),
                                 rows.subspan(static_cast<std::size_t>(row * to.row_size_bytes),
                                              static_cast<std::size_t>(to.row_size_bytes))));
      }
    }
    void on_complete(submission_id id, const error&) noexcept {
      path.check_turn(id);
      if (!path.pending_.empty()) path.pending_.pop_front();
      path.tell_completion();
    }
  };

  void poll() {
    listener heard{*this};
    processor_.poll(heard);
  }
  void check_turn(submission_id id) {
    CHECK_FALSE(pending_.empty());
    if (!pending_.empty()) CHECK(pending_.front() == id);
  }

  test::fake_memory& memory_;
  command_processor<WatchedBackend> processor_;
  std::deque<submission_id> pending_;
  std::uint64_t last_fence_ = 0;
};

}  // namespace aerogpu::conformance
