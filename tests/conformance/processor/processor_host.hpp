// SPDX-License-Identifier: MIT
/// \file What a case of the command processor talks to.
#pragma once

#include "tests/conformance/processor/processor_rig.hpp"
#include "tests/conformance/processor/processor_script.hpp"
#include "tests/conformance/run_mode.hpp"
#include "tests/support/byte_patterns.hpp"
#include "tests/support/stream_builder.hpp"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <vector>

namespace aerogpu::conformance {

using namespace test;

/// A host that runs streams for one guest. Guest memory is reached through it, so that everything a
/// case does is on record: in the run with a failing backend the record is replayed for each call
/// that can fail. Handles and allocation ids from 0xFFFF0000 and 0x7FFF0000 up are its own.
template <backend B>
class processor_host {
 public:
  explicit processor_host(const limits& most = {})
      : rig_(is_hostile() ? memory_mood::hostile : memory_mood::calm,
             is_hostile() ? stream_route::through_device : stream_route::direct, most) {}
  processor_host(const processor_host&) = delete;
  auto operator=(const processor_host&) -> processor_host& = delete;
  ~processor_host() {
    rig_.finish();
    rig_.reset();
    if (current_run() != run_mode::failing_backend || std::uncaught_exceptions() != 0) return;
    replay_with_failures<B>(script_);
  }

  // Guest memory

  void map(gpa at, std::uint64_t size) {
    script_.push_back(map_step{at, size, true});
    rig_.memory().map(at, size);
  }
  void unmap(gpa at, std::uint64_t size) {
    script_.push_back(map_step{at, size, false});
    rig_.memory().unmap(at, size);
  }
  void poke(gpa at, const byte_vector& bytes) {
    script_.push_back(poke_step{at, bytes});
    rig_.memory().poke(at, bytes);
  }
  /// What guest memory holds once all submissions are finished.
  [[nodiscard]] auto peek(gpa at, std::size_t size) -> byte_vector {
    rig_.finish();
    return rig_.memory().peek(at, size);
  }
  /// The same without waiting.
  [[nodiscard]] auto peek_now(gpa at, std::size_t size) -> byte_vector {
    return rig_.memory().peek(at, size);
  }

  // The allocation table of the submissions that follow

  /// Adds an allocation, or moves it. The memory exists afterwards.
  void give(std::uint32_t alloc_id, gpa at, std::uint64_t size,
            std::uint32_t flags = AEROGPU_ALLOC_FLAG_NONE) {
    map(at, size);
    take(alloc_id);
    if (!table_.has_value()) table_.emplace();
    table_->push_back({alloc_id, flags, raw(at), size, 0});
  }
  /// Removes an allocation; the table stays.
  void take(std::uint32_t alloc_id) {
    if (!table_.has_value()) return;
    std::erase_if(*table_, [&](const auto& entry) { return entry.alloc_id == alloc_id; });
  }

  // Submissions

  auto run(const stream_builder& stream, std::uint32_t context = 0) -> error_code {
    return run_bytes(stream.bytes(), context);
  }
  auto run_bytes(const byte_vector& stream, std::uint32_t context = 0) -> error_code {
    const error_code code = start_bytes(stream, context);
    if (current_run() != run_mode::held) rig_.finish();
    return code;
  }
  /// Executes a stream and leaves its completion for later.
  auto start(const stream_builder& stream, std::uint32_t context = 0) -> error_code {
    return start_bytes(stream.bytes(), context);
  }
  auto run_without_table(const stream_builder& stream, std::uint32_t context = 0) -> error_code {
    table_entries kept;
    std::swap(kept, table_);
    const error_code code = run(stream, context);
    std::swap(kept, table_);
    return code;
  }
  void finish() { rig_.finish(); }
  /// Ring reset, as far as the processor is concerned.
  void reset() {
    script_.push_back(reset_step{});
    rig_.reset();
  }

  // What can be seen

  /// Why the last submission failed, with packet and offset.
  [[nodiscard]] auto last_error() const -> const error& { return why_; }
  /// Submissions that were never reported although all work is done.
  [[nodiscard]] auto unfinished_submissions() -> std::size_t {
    rig_.finish();
    return rig_.pending();
  }
  [[nodiscard]] auto counts() -> object_counts { return rig_.processor().counts(); }
  [[nodiscard]] auto presents() -> const present_log& { return rig_.processor().presents(); }
  [[nodiscard]] auto rig() -> processor_rig<B>& { return rig_; }

  /// Whether a resource handle names something.
  [[nodiscard]] auto is_live(std::uint32_t handle) -> bool {
    const error kept = why_;
    const error_code code = run(stream_builder{}.dirty(handle, 0, 0));
    why_ = kept;
    return code != error_code::unknown_handle;
  }

  /// Bytes of a buffer, by way of a copy with write-back.
  [[nodiscard]] auto buffer(std::uint32_t handle, std::uint64_t size, std::uint64_t offset = 0)
      -> byte_vector {
    stream_builder stream;
    stream.create_buffer(own_handle, size, {own_alloc, 0})
        .copy_buffer(own_handle, 0, handle, offset, size, AEROGPU_COPY_FLAG_WRITEBACK_DST)
        .destroy(own_handle);
    return read_back(stream, size);
  }

  /// Tight rows of one subresource of a texture that was created by `spec`.
  [[nodiscard]] auto texture(std::uint32_t handle, const texture_spec& spec, std::uint32_t mip = 0,
                             std::uint32_t layer = 0) -> byte_vector {
    const format_info& format = *find_format(spec.format);
    const std::uint32_t width = std::max(1u, spec.width >> mip);
    const std::uint32_t height = std::max(1u, spec.height >> mip);
    const auto pitch = static_cast<std::uint32_t>(tight_row_bytes(format, width));
    stream_builder stream;
    stream
        .create_texture(own_handle, {.format = spec.format,
                                     .width = width,
                                     .height = height,
                                     .pitch = pitch,
                                     .memory = {own_alloc, 0}})
        .copy_texture({own_handle}, {handle, mip, layer}, width, height,
                      AEROGPU_COPY_FLAG_WRITEBACK_DST)
        .destroy(own_handle);
    return read_back(stream, std::uint64_t{pitch} * row_count(format, height));
  }

 private:
  [[nodiscard]] static auto is_hostile() -> bool {
    return current_run() == run_mode::hostile_memory;
  }

  static constexpr std::uint32_t own_handle = 0xFFFF0000;
  static constexpr std::uint32_t own_alloc = 0x7FFF0000;
  static constexpr gpa own_memory{0x7000'0000'0000};

  auto start_bytes(const byte_vector& stream, std::uint32_t context) -> error_code {
    script_.push_back(submit_step{stream, context, table_});
    why_ = rig_.submit(stream, context, table_);
    return why_.code;
  }
  auto read_back(const stream_builder& stream, std::uint64_t size) -> byte_vector {
    const table_entries kept = table_;
    const error kept_why = why_;
    give(own_alloc, own_memory, size);
    const error_code code = run(stream);
    table_ = kept;
    if (code != error_code::none) {
      CHECK(kind_name(code) == std::string{"None"});
      run(stream_builder{}.destroy(own_handle));
    }
    why_ = kept_why;
    return peek(own_memory, static_cast<std::size_t>(size));
  }

  processor_rig<B> rig_;
  script script_;
  table_entries table_;
  error why_;
};

}  // namespace aerogpu::conformance
