// SPDX-License-Identifier: MIT
/// \file A whole session of a device: all that an embedder and a guest do with it, step by step,
/// where any step may run out of memory.
#pragma once

#include "aerogpu/device/device.hpp"
#include "aerogpu/memory/alloc_table_builder.hpp"
#include "aerogpu/ring/ring_producer.hpp"
#include "aerogpu/trace/blob_index.hpp"
#include "aerogpu/trace/recorder.hpp"
#include "tests/exhaustion/script.hpp"
#include "tests/support/flat_machine.hpp"

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace aerogpu::test {

/// What became of a run.
struct session_outcome {
  error first;                 ///< The first error that anything reported; `none` = all went well.
  const char* where = "";      ///< The step that reported it.
  const char* broken = "";     ///< What must hold whatever fails, and did not; "" = all held.
  std::uint32_t failures = 0;  ///< Steps that failed.
};

/// The guest's memory.
inline constexpr std::uint64_t session_ring_at = 0x1000, session_fences_at = 0x4000,
                               session_table_at = 0x5000, session_scanout_at = 0x8000,
                               session_stream_at = 0x10000, session_content_at = 0x40000;

template <backend B>
class session {
 public:
  using device_type = device<flat_machine, B>;

  session(B& on, const exhaustion_script& script) : backend_(on), script_(script) { fill_memory(); }

  /// Creates the device. False when that failed.
  auto open() noexcept -> bool;
  void close() noexcept { gpu_.reset(); }
  /// The whole script once, from a reset ring to a reset ring. Precondition: open.
  void run() noexcept;
  /// What happened since it was asked last.
  auto take_outcome() noexcept -> session_outcome { return std::exchange(outcome_, {}); }
  /// What write-backs and presents left in guest memory.
  [[nodiscard]] auto written() const -> byte_vector;
  void forget_written() noexcept;

  void full_barrier() noexcept {}
  void write_doorbell() noexcept { gpu_->bar0_write(AEROGPU_MMIO_REG_DOORBELL, 1, 4); }

 private:
  static constexpr std::uint32_t ring_entries = 8;
  static constexpr std::uint32_t scanout_size = 16;

  void fill_memory();
  void set_up_display() noexcept;
  auto start_ring() noexcept -> bool;
  void submit(const script_step& step) noexcept;
  void submit_captured(const script_step& step) noexcept;
  void save_and_load() noexcept;
  void read_trace(const memory_sink& sink) noexcept;
  auto push(const script_step& step) noexcept -> bool;
  [[nodiscard]] auto completed() noexcept -> std::uint64_t {
    return gpu_->bar0_read(AEROGPU_MMIO_REG_COMPLETED_FENCE_LO, 8);
  }
  void note(const error& why, const char* where) noexcept {
    if (why.code == error_code::none) return;
    if (outcome_.failures++ == 0) outcome_.first = why, outcome_.where = where;
  }
  void require(bool holds, const char* what) noexcept {
    if (!holds && *outcome_.broken == 0) outcome_.broken = what;
  }

  B& backend_;
  const exhaustion_script& script_;
  flat_machine machine_{1u << 20};
  std::unique_ptr<device_type> gpu_;
  std::optional<ring_producer> ring_;
  std::uint64_t fence_ = 0;
  session_outcome outcome_;
};

template <backend B>
void session<B>::fill_memory() {
  byte_vector bytes(alloc_table_bytes(script_allocations));
  std::vector<alloc_table_builder::slot> index(64);
  alloc_table_builder table{bytes, index};
  for (std::uint32_t i = 0; i < script_allocations; ++i) {
    const gpa at{session_content_at + std::uint64_t{i} * script_page_bytes};
    if (!table.add({alloc_id{i + 1}, alloc_object{i + 1}, script_page_bytes, at, true, false})) {
      std::abort();
    }
  }
  static_cast<void>(table.finish());
  std::memcpy(machine_.ram.data() + session_table_at, bytes.data(), bytes.size());
  const byte_vector texels = counting(64, 3, 5);
  std::memcpy(machine_.ram.data() + session_content_at, texels.data(), texels.size());
  constexpr std::array<std::uint16_t, 6> corners{0, 1, 2, 2, 1, 3};
  std::memcpy(machine_.ram.data() + session_content_at + script_page_bytes, corners.data(),
              sizeof corners);
}

template <backend B>
auto session<B>::open() noexcept -> bool {
  device_config config;
  config.bar1_bytes = 1u << 20;
  config.write_back = present_write_back::on;
  auto made = device_type::create(machine_, backend_, config);
  note(made.why(), "device");
  if (!made) return false;
  gpu_ = *std::move(made);
  return true;
}

template <backend B>
void session<B>::set_up_display() noexcept {
  const auto write = [&](std::uint32_t offset, std::uint64_t value) {
    gpu_->bar0_write(offset, value, 4);
  };
  write(AEROGPU_MMIO_REG_SCANOUT0_WIDTH, scanout_size);
  write(AEROGPU_MMIO_REG_SCANOUT0_HEIGHT, scanout_size);
  write(AEROGPU_MMIO_REG_SCANOUT0_FORMAT, AEROGPU_FORMAT_B8G8R8X8_UNORM);
  write(AEROGPU_MMIO_REG_SCANOUT0_PITCH_BYTES, scanout_size * 4);
  gpu_->bar0_write(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO, session_scanout_at, 8);
  write(AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 1);
  write(AEROGPU_MMIO_REG_CURSOR_WIDTH, 4);
  write(AEROGPU_MMIO_REG_CURSOR_HEIGHT, 4);
  write(AEROGPU_MMIO_REG_CURSOR_FORMAT, AEROGPU_FORMAT_B8G8R8A8_UNORM);
  write(AEROGPU_MMIO_REG_CURSOR_PITCH_BYTES, 16);
  gpu_->bar0_write(AEROGPU_MMIO_REG_CURSOR_FB_GPA_LO, session_content_at, 8);
  write(AEROGPU_MMIO_REG_CURSOR_ENABLE, 1);
}

template <backend B>
auto session<B>::start_ring() noexcept -> bool {
  auto producer =
      test::start_ring(*gpu_, machine_, {session_ring_at, 0x1000, ring_entries, session_fences_at},
                       AEROGPU_IRQ_FENCE | AEROGPU_IRQ_ERROR);
  require(static_cast<bool>(producer), "the ring can be made");
  if (!producer) return false;
  ring_.emplace(*std::move(producer));
  gpu_->wait_idle();
  return true;
}

template <backend B>
auto session<B>::push(const script_step& step) noexcept -> bool {
  std::memcpy(machine_.ram.data() + session_stream_at, step.stream.data(), step.stream.size());
  ring_submission work;
  work.commands = {gpa{session_stream_at}, static_cast<std::uint32_t>(step.stream.size())};
  work.alloc_table = {gpa{session_table_at}, alloc_table_bytes(script_allocations)};
  work.signal_fence = fence_value{++fence_};
  work.context = context_id{step.context};
  const auto pushed = ring_->push(work, *this);
  require(static_cast<bool>(pushed), "the ring takes a submission");
  if (pushed) ring_->notify(*this);
  return static_cast<bool>(pushed);
}

/// Whatever the submission meets, its fence advances, and an error is told.
template <backend B>
void session<B>::submit(const script_step& step) noexcept {
  const auto errors = gpu_->statistics().errors;
  if (!push(step)) return;
  gpu_->wait_idle();
  require(gpu_->is_idle(), "the device finishes a submission");
  require(completed() == fence_, "the fence of a submission advances");
  if (gpu_->statistics().errors != errors) note(machine_.last_error, step.name);
}

template <backend B>
void session<B>::submit_captured(const script_step& step) noexcept {
  gpu_->set_executor(executor_mode::external_bridge);
  const auto errors = gpu_->statistics().errors;
  if (push(step)) {
    captured_submission taken;
    bool is_lost = true;
    for (; gpu_->take_submission(taken); is_lost = false) gpu_->complete(taken.completion());
    require(!is_lost || gpu_->statistics().errors != errors, "a lost submission is an error");
    gpu_->wait_idle();
    require(completed() == fence_, "the fence of a captured submission advances");
    if (gpu_->statistics().errors != errors) note(machine_.last_error, step.name);
  }
  gpu_->set_executor(executor_mode::in_process);
}

template <backend B>
void session<B>::save_and_load() noexcept {
  snapshot_writer writer;
  const auto saved = gpu_->save(writer);
  note(saved.why(), "snapshot save");
  if (!saved) return;
  note(gpu_->load(writer.bytes()).why(), "snapshot load");
}

template <backend B>
void session<B>::read_trace(const memory_sink& sink) noexcept {
  const auto trace = trace_reader::open(sink.bytes());
  require(static_cast<bool>(trace), "a finished trace can be read");
  if (trace) note(trace_blob_index::create(*trace).why(), "trace index");
}

template <backend B>
void session<B>::run() noexcept {
  if (!start_ring()) return;
  set_up_display();
  memory_sink sink;
  auto writer = trace_writer<memory_sink>::create(sink);
  note(writer.why().code == error_code::no_space ? make_error(error_code::out_of_memory, "sink")
                                                 : writer.why(),
       "trace");
  std::optional<trace_recorder<memory_sink>> recorder;
  if (writer) {
    recorder.emplace(*std::move(writer), 42);
    gpu_->set_tap(recorder->tap());
  }
  for (const script_step& step : script_.work) submit(step);
  gpu_->set_tap({});
  if (recorder) {
    const bool is_whole = recorder->why().code == error_code::none;
    const auto finished = recorder->finish();
    if (!is_whole || !finished) note(make_error(error_code::out_of_memory, "recording"), "trace");
    if (is_whole && finished) read_trace(sink);
  }
  rgba8_image display;
  note(gpu_->read_display(display).why(), "display");
  save_and_load();
  for (const script_step& step : script_.afterwards) submit(step);
  submit_captured(script_.captured);
  for (const script_step& step : script_.last) submit(step);
  static_cast<void>(start_ring());
}

template <backend B>
auto session<B>::written() const -> byte_vector {
  const auto at = [&](std::uint64_t offset) {
    return machine_.ram.begin() + static_cast<std::ptrdiff_t>(offset);
  };
  byte_vector all(at(session_scanout_at), at(session_scanout_at + scanout_size * scanout_size * 4));
  const std::uint64_t pages =
      session_content_at + (script_picture_alloc - 1) * std::uint64_t{script_page_bytes};
  all.insert(all.end(), at(pages), at(pages + 2 * script_page_bytes));
  return all;
}

template <backend B>
void session<B>::forget_written() noexcept {
  std::memset(machine_.ram.data() + session_scanout_at, 0, scanout_size * scanout_size * 4);
  std::memset(machine_.ram.data() + session_content_at +
                  (script_picture_alloc - 1) * std::uint64_t{script_page_bytes},
              0, 2 * script_page_bytes);
}

}  // namespace aerogpu::test
