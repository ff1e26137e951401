// SPDX-License-Identifier: MIT
/// \file The command processor that the fuzz targets feed: small limits, a backend that may fail,
/// memory that changes, and the claims that hold after every submission.
#pragma once

#include "tests/conformance/processor/packet_samples.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/support/processors/failing_processor.hpp"

#include <array>
#include <vector>

namespace aerogpu::fuzz {

using watched_backend = test::failing_backend<null_backend>;

constexpr gpa ram_start{0x40000};
constexpr std::uint64_t allocation_size = 0x1000;

/// 16 KiB of RAM that changes under the host.
class small_memory {
 public:
  /// As `sample_objects` asks of a host: its allocation lies here anyway.
  void give(std::uint32_t, gpa, std::uint64_t) const {}

  auto read(gpa at, mutable_bytes out) noexcept -> bool {
    if (!holds(at, out.size())) return false;
    const auto from = mutable_bytes{ram_}.subspan(raw(at) - raw(ram_start), out.size());
    copy_bytes(out, from);
    for (std::byte& b : from) b ^= std::byte{0x5A};
    return true;
  }
  auto write(gpa at, const_bytes in) noexcept -> bool {
    if (!holds(at, in.size())) return false;
    copy_bytes(mutable_bytes{ram_}.subspan(raw(at) - raw(ram_start), in.size()), in);
    return true;
  }

 private:
  [[nodiscard]] static auto holds(gpa at, std::uint64_t size) -> bool {
    return raw(at) >= raw(ram_start) && range_fits(raw(at) - raw(ram_start), size, ram_size);
  }
  static constexpr std::uint64_t ram_size = 16384;
  std::array<std::byte, ram_size> ram_{};
};

/// Completions must name the submission that waits longest, after its write-backs.
struct listener {
  small_memory& memory;
  std::vector<submission_id>& pending;

  void on_write_back(submission_id id, const guest_rows& to, const_bytes rows) noexcept {
    claim(!pending.empty() && pending.front() == id, "write-backs come in order");
    claim(rows.size() == to.row_size_bytes * to.row_count, "all rows come");
    for (std::uint32_t row = 0; row < to.row_count; ++row) {
      (void)memory.write(advance(to.first_row, row * to.pitch_bytes),
                         rows.subspan(row * to.row_size_bytes, to.row_size_bytes));
    }
  }
  void on_complete(submission_id id, const error&) noexcept {
    claim(!pending.empty() && pending.front() == id, "completions come in order");
    pending.erase(pending.begin());
  }
};

/// Small, so that a fuzzer reaches each of them.
constexpr auto small_limits() -> limits {
  limits most;
  most.resources = 24;
  most.resource_names = 32;
  most.texture_views = 8;
  most.shaders = 8;
  most.input_layouts = 8;
  most.samplers = 8;
  most.contexts = 4;
  most.resource_bytes = 4 << 20;
  most.resource_bytes_per_context = 3 << 20;
  most.shader_bytes = 64 << 10;
  most.buffer_bytes = 1 << 20;
  most.share_tokens = 8;
  most.retired_share_tokens = 16;
  most.write_back_bytes = 64 << 10;
  most.write_backs = 16;
  return most;
}

/// Whether a submission has an allocation table.
enum class table_choice : std::uint8_t { present, absent };

/// A processor with its backend and a guest that has the objects of `sample_objects`.
class machine {
 public:
  machine() : backend_(inner_), processor_(backend_, small_limits()) {
    const std::array<aerogpu_alloc_entry, 3> entries{
        {{1, 0, raw(ram_start), allocation_size, 0},
         {2, AEROGPU_ALLOC_FLAG_READONLY, raw(ram_start) + allocation_size, allocation_size, 0},
         {3, 0, raw(ram_start) + 0x3F00, allocation_size, 0}}};  // Its end is not in RAM.
    const aerogpu_alloc_table_header header{AEROGPU_ALLOC_TABLE_MAGIC,
                                            AEROGPU_ABI_VERSION_U32,
                                            sizeof header + sizeof entries,
                                            entries.size(),
                                            sizeof entries[0],
                                            0};
    std::array<std::byte, sizeof header + sizeof entries> bytes;
    store(bytes.data(), header);
    copy_bytes(mutable_bytes{bytes}.subspan(sizeof header), std::as_bytes(std::span{entries}));
    claim(static_cast<bool>(table_.parse(bytes)), "the table is good");
    submit(conformance::sample_objects(memory_).bytes(), context_id{0}, table_choice::present);
  }

  /// Which calls of the backend fail from now on.
  void plan(const test::planned_failure& failure) { backend_.plan(failure); }

  /// Runs packets as one stream of `minor`.
  void run(const_bytes packets, std::uint32_t minor, context_id context, table_choice table) {
    std::vector<std::byte> stream(sizeof(aerogpu_cmd_stream_header));
    stream.insert(stream.end(), packets.begin(), packets.end());
    stream.resize(stream.size() & ~std::size_t{3});
    store(stream.data(),
          aerogpu_cmd_stream_header{AEROGPU_CMD_STREAM_MAGIC, AEROGPU_ABI_MAJOR << 16 | minor,
                                    static_cast<std::uint32_t>(stream.size()), 0, 0, 0});
    submit(stream, context, table);
  }
  void reset() {
    processor_.reset();
    pending_.clear();
    claim(processor_.counts() == object_counts{}, "a reset forgets everything");
    claim(backend_.live_objects() == 0, "a reset gives every object back");
    claim(backend_.broken_rules() == 0, "the backend is used as its concept says");
  }

  void submit(const_bytes stream, context_id context, table_choice table) {
    const execution_report report = processor_.execute(
        {context, fence_value{1}, stream, table == table_choice::present ? &table_ : nullptr},
        memory_);
    if (report.is_pending) pending_.push_back(report.id);
    processor_.wait_idle();
    listener heard{memory_, pending_};
    processor_.poll(heard);
    claim(pending_.empty(), "every submission completes");
    check_counts();
  }

 private:
  void check_counts() {
    constexpr limits most = small_limits();
    const object_counts counts = processor_.counts();
    claim(counts.buffers + counts.textures <= most.resources, "resources keep their limit");
    claim(counts.resource_names <= most.resource_names, "names keep their limit");
    claim(counts.shaders <= most.shaders && counts.samplers <= most.samplers &&
              counts.input_layouts <= most.input_layouts && counts.views <= most.texture_views,
          "objects keep their limits");
    claim(counts.contexts <= most.contexts, "contexts keep their limit");
    claim(counts.resource_bytes <= most.resource_bytes, "bytes keep their limit");
    claim(counts.share_tokens <= most.share_tokens &&
              counts.retired_tokens <= most.retired_share_tokens,
          "tokens keep their limits");
  }

  small_memory memory_;
  null_backend inner_;
  watched_backend backend_;
  command_processor<watched_backend> processor_;
  std::array<alloc_table::slot, 8> slots_{};
  alloc_table table_{slots_};
  std::vector<submission_id> pending_;
};

}  // namespace aerogpu::fuzz
