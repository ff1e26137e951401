// SPDX-License-Identifier: MIT
/// \file A processor over a watched null backend, with guest memory and an allocation table.
#pragma once

#include "tests/catch.hpp"
#include "tests/support/alloc_table_bytes.hpp"
#include "tests/support/byte_patterns.hpp"
#include "tests/support/guest_memory_fakes.hpp"
#include "tests/support/processors/failing_processor.hpp"
#include "tests/support/stream_builder.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace aerogpu::test {

/// Runs streams to their end; write-backs land in `memory`. Checks at the end that nothing leaks.
struct processor_fixture {
  using backend_type = failing_backend<null_backend>;

  explicit processor_fixture(const limits& most = {}) : processor(backend, most) {}
  ~processor_fixture() {
    processor.reset();
    CHECK(backend.live_objects() == 0);
    CHECK(backend.broken_rules() == 0);
  }

  /// Adds an allocation, or moves it, for the submissions that follow; its memory exists.
  void give(std::uint32_t id, gpa at, std::uint64_t size, std::uint32_t flags = 0) {
    memory.map(at, size);
    take(id);
    entries.push_back({id, flags, raw(at), size, 0});
  }
  void take(std::uint32_t id) {
    std::erase_if(entries, [&](const auto& entry) { return entry.alloc_id == id; });
  }

  auto run(const stream_builder& stream, std::uint32_t context = 0) -> error_code {
    std::array<alloc_table::slot, 64> slots{};
    alloc_table table{slots};
    REQUIRE(table.parse(make_table(entries)));
    report =
        processor.execute({context_id{context}, fence_value{1}, stream.bytes(), &table}, memory);
    poll();
    return report.why.code;
  }
  void poll() {
    listener heard{*this};
    processor.poll(heard);
  }

  /// Bytes of a buffer, read through the backend as a snapshot would.
  auto buffer(std::uint32_t handle, std::size_t size) -> byte_vector {
    constexpr std::uint32_t copy = 0xFFFF0000, scratch_alloc = 0x7FFF0000;
    constexpr gpa scratch{0x7000'0000'0000};
    const auto kept_entries = entries;
    const auto kept_report = report;
    give(scratch_alloc, scratch, size);
    const auto code =
        run(stream_builder{}
                .create_buffer(copy, size, {scratch_alloc, 0})
                .copy_buffer(copy, 0, handle, 0, size, AEROGPU_COPY_FLAG_WRITEBACK_DST)
                .destroy(copy));
    CHECK(code == error_code::none);
    entries = kept_entries;
    report = kept_report;
    return memory.peek(scratch, size);
  }

  fake_memory memory;
  std::vector<aerogpu_alloc_entry> entries;
  null_backend inner;
  backend_type backend{inner};
  command_processor<backend_type> processor;
  execution_report report;
  std::vector<submission_id> completed;
  std::uint64_t write_backs = 0;

 private:
  struct listener {
    processor_fixture& of;

    void on_write_back(submission_id, const guest_rows& to, const_bytes rows) noexcept {
      ++of.write_backs;
      for (std::uint32_t row = 0; row < to.row_count; ++row) {
        const auto size = static_cast<std::size_t>(to.row_size_bytes);
        CHECK(of.memory.write(advance(to.first_row, row * to.pitch_bytes),
                              rows.subspan(row * size, size)));
      }
    }
    void on_complete(submission_id id, const error&) noexcept { of.completed.push_back(id); }
  };
};

}  // namespace aerogpu::test
