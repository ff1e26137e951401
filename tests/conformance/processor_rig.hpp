/// \file A command processor with its backend and guest memory, watched for broken promises.
#pragma once

#include "aerogpu/processor/command_processor.hpp"
#include "tests/catch.hpp"
#include "tests/conformance/backend_traits.hpp"
#include "tests/support/byte_patterns.hpp"
#include "tests/support/failing_backend.hpp"
#include "tests/support/guest_memory_fakes.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace aerogpu::conformance {

using test::byte_vector;

/// An allocation table as a list; nothing = the submission has none.
using table_entries = std::optional<std::vector<aerogpu_alloc_entry>>;

/// The bytes of a table with these entries.
[[nodiscard]] inline auto table_bytes(const std::vector<aerogpu_alloc_entry>& entries)
    -> byte_vector {
  byte_vector bytes(sizeof(aerogpu_alloc_table_header));
  for (const aerogpu_alloc_entry& entry : entries) {
    const const_bytes one = bytes_of(entry);
    bytes.insert(bytes.end(), one.begin(), one.end());
  }
  store(bytes.data(), aerogpu_alloc_table_header{AEROGPU_ALLOC_TABLE_MAGIC, AEROGPU_ABI_VERSION_U32,
                                                 static_cast<std::uint32_t>(bytes.size()),
                                                 static_cast<std::uint32_t>(entries.size()),
                                                 sizeof(aerogpu_alloc_entry), 0});
  return bytes;
}

/// What every run of the suite holds, whatever the case asks: each accepted submission is reported
/// once and in order after its write-backs, objects never outnumber the processor's tables, and
/// the backend is used as its concept says.
template <backend B>
class processor_rig {
 public:
  using watched_backend = test::failing_backend<B>;

  explicit processor_rig(test::memory_mood mood, const limits& most = {})
      : memory_(mood), inner_(backend_traits<B>::make()) {
    REQUIRE(inner_ != nullptr);
    backend_.emplace(*inner_);
    processor_.emplace(*backend_, most);
  }

  /// Executes a stream. Its completion may still be pending.
  auto submit(const byte_vector& stream, std::uint32_t context, const table_entries& entries)
      -> execution_report {
    const byte_vector copy = stream;  // Exactly as large as the stream, for the sanitizer.
    std::vector<alloc_table::slot> slots;
    alloc_table table;
    if (entries.has_value()) {
      slots.resize(alloc_table::slots_for(static_cast<std::uint32_t>(entries->size())));
      table = alloc_table{slots};
      REQUIRE(table.parse(table_bytes(*entries)));
    }
    ++last_fence_;
    const execution_report report =
        processor_->execute({context_id{context}, fence_value{last_fence_}, copy,
                             entries.has_value() ? &table : nullptr},
                            memory_);
    if (report.is_pending) pending_.push_back(report.id);
    CHECK(report.why.code != error_code::internal);
    check_objects();
    return report;
  }

  /// Waits until all submissions are reported.
  void finish() {
    processor_->wait_idle();
    listener heard{*this};
    processor_->poll(heard);
    CHECK(pending_.empty());
  }
  /// Hears what is finished, without waiting.
  void poll() {
    listener heard{*this};
    processor_->poll(heard);
  }

  /// Forgets everything, and checks that nothing is left in the backend.
  void reset() {
    processor_->reset();
    pending_.clear();
    listener heard{*this};
    processor_->poll(heard);
    CHECK(backend_->live_objects() == 0);
    CHECK(processor_->counts() == object_counts{});
    CHECK(backend_->broken_rules() == 0);
  }

  [[nodiscard]] auto memory() -> test::fake_memory& { return memory_; }
  [[nodiscard]] auto backend() -> watched_backend& { return *backend_; }
  [[nodiscard]] auto processor() -> command_processor<watched_backend>& { return *processor_; }
  [[nodiscard]] auto pending() const -> std::size_t { return pending_.size(); }
  /// Calls `see` at each completion, when the fence would move.
  void observe_completions(std::function<void()> see) { on_completion_ = std::move(see); }
  /// What a completion said last.
  [[nodiscard]] auto last_completion() const -> const error& { return last_completion_; }

 private:
  struct listener {
    processor_rig& rig;

    void on_write_back(submission_id id, const guest_rows& to, const_bytes rows) noexcept {
      CHECK_FALSE(rig.pending_.empty());
      if (!rig.pending_.empty()) CHECK(rig.pending_.front() == id);
      CHECK(rows.size() == to.row_size_bytes * to.row_count);
      for (std::uint32_t row = 0; row < to.row_count; ++row) {
        CHECK(rig.memory_.write(advance(to.first_row, row * to.pitch_bytes),
                                rows.subspan(static_cast<std::size_t>(row * to.row_size_bytes),
                                             static_cast<std::size_t>(to.row_size_bytes))));
      }
    }
    void on_complete(submission_id id, const error& why) noexcept {
      CHECK_FALSE(rig.pending_.empty());
      if (rig.pending_.empty()) return;
      CHECK(rig.pending_.front() == id);
      rig.pending_.pop_front();
      rig.last_completion_ = why;
      if (rig.on_completion_) rig.on_completion_();
    }
  };

  void check_objects() {
    const object_counts counts = processor_->counts();
    CHECK(backend_->live_objects() <=
          static_cast<std::int64_t>(counts.buffers + counts.textures + counts.views +
                                    counts.shaders + counts.input_layouts + counts.samplers));
  }

  test::fake_memory memory_;
  std::unique_ptr<B> inner_;
  std::optional<watched_backend> backend_;
  std::optional<command_processor<watched_backend>> processor_;
  std::deque<submission_id> pending_;
  std::uint64_t last_fence_ = 0;
  error last_completion_;
  std::function<void()> on_completion_;
};

}  // namespace aerogpu::conformance
