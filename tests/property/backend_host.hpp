// SPDX-License-Identifier: MIT
/// \file A command processor on a backend, with memory of its own, which checks what it reports.
#pragma once

#include "aerogpu/processor/command_processor.hpp"
#include "tests/property/stream_generator.hpp"
#include "tests/support/guest_memory_fakes.hpp"

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

namespace aerogpu::property {

/// `backend` outlives it. After a rule was broken, `complaint` says which.
template <backend B>
class backend_host {
 public:
  explicit backend_host(B& backend) : processor_(backend, limits{}) {
    for (std::uint32_t i = 0; i < 2; ++i) {
      memory_.map(gpa{allocation_at + i * allocation_bytes}, allocation_bytes);
    }
    const auto entry = [](std::uint32_t id, std::uint32_t flags) {
      return aerogpu_alloc_entry{id, flags, allocation_at + (id - 1) * allocation_bytes,
                                 allocation_bytes, 0};
    };
    const std::array<aerogpu_alloc_entry, 3> entries{
        {entry(1, 0), entry(2, AEROGPU_ALLOC_FLAG_READONLY), entry(3, 0)}};
    const aerogpu_alloc_table_header header{AEROGPU_ALLOC_TABLE_MAGIC,
                                            AEROGPU_ABI_VERSION_U32,
                                            sizeof header + sizeof entries,
                                            entries.size(),
                                            sizeof entries[0],
                                            0};
    std::array<std::byte, sizeof header + sizeof entries> bytes;
    store(bytes.data(), header);
    copy_bytes(mutable_bytes{bytes}.subspan(sizeof header), std::as_bytes(std::span{entries}));
    if (!table_.parse(bytes)) complaint_ = "the allocation table is not sound";
  }

  /// Runs a stream and waits for its end.
  [[nodiscard]] auto run(const test::byte_vector& stream, context_id context) -> error {
    const auto report =
        processor_.execute({context, fence_value{++fences_}, stream, &table_}, memory_);
    if (report.is_pending) pending_.push_back(report.id);
    processor_.wait_idle();
    listener heard{*this};
    processor_.poll(heard);
    if (!pending_.empty()) complaint_ = "a submission does not complete";
    return report.why;
  }
  void reset() {
    processor_.reset();
    pending_.clear();
  }
  [[nodiscard]] auto complaint() const -> const char* { return complaint_; }

 private:
  struct listener {
    backend_host& host;

    void on_write_back(submission_id id, const guest_rows& to, const_bytes rows) noexcept {
      host.expect(!host.pending_.empty() && host.pending_.front() == id,
                  "write-backs come out of order");
      for (std::uint32_t row = 0; row < to.row_count; ++row) {
        const auto size = static_cast<std::size_t>(to.row_size_bytes);
        host.expect(host.memory_.write(advance(to.first_row, row * to.pitch_bytes),
                                       rows.subspan(row * size, size)),
                    "a write-back leaves guest memory");
      }
    }
    void on_complete(submission_id id, const error& why) noexcept {
      host.expect(!host.pending_.empty() && host.pending_.front() == id,
                  "completions come out of order");
      host.expect(why.code == error_code::none, "a submission fails after it was accepted");
      if (!host.pending_.empty()) host.pending_.pop_front();
    }
  };

  void expect(bool holds, const char* otherwise) noexcept {
    if (!holds) complaint_ = otherwise;
  }

  test::fake_memory memory_;
  command_processor<B> processor_;
  std::array<alloc_table::slot, 8> slots_{};
  alloc_table table_{slots_};
  std::deque<submission_id> pending_;
  std::uint64_t fences_ = 0;
  const char* complaint_ = nullptr;
};

}  // namespace aerogpu::property
