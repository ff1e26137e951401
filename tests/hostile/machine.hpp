// SPDX-License-Identifier: MIT
/// \file The machine of a hostile guest: flat memory that the guest may change while the host
/// reads, a clock, and an interrupt line.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/checked.hpp"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/device/events.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace aerogpu::hostile {

/// Ends the process with a sentence when an attack itself is wrong. Unlike Catch's checks it may be
/// called from any thread.
void demand(bool is_true, const char* sentence);

/// Models `device_host`.
class machine {
 public:
  explicit machine(std::size_t ram_bytes);
  machine(const machine&) = delete;
  auto operator=(const machine&) -> machine& = delete;
  ~machine();

  // The host's side

  auto read(gpa at, mutable_bytes out) noexcept -> bool {
    if (!range_fits(raw(at), out.size(), size_)) return false;
    copy_bytes(out, {ram_ + raw(at), out.size()});
    if (after_read) after_read(at, out.size());
    return true;
  }
  auto write(gpa at, const_bytes in) noexcept -> bool {
    if (!range_fits(raw(at), in.size(), size_)) return false;
    copy_bytes({ram_ + raw(at), in.size()}, in);
    bytes_written += in.size();
    return true;
  }
  auto now_ns() noexcept -> std::uint64_t { return time_ns; }
  /// What a tick is timed with. It stands still where an attack counts what ticks take.
  auto elapsed_ns() noexcept -> std::uint64_t;
  void set_irq_line(bool level) noexcept {
    line = level;
    ++line_changes;
  }
  void on_error(const error_record& record) noexcept {
    ++error_count;
    if (errors.size() < most_errors) errors.push_back(record);
  }

  // The guest's side

  [[nodiscard]] auto ram(std::uint64_t at, std::size_t size) -> mutable_bytes;
  template <class T>
  void poke(std::uint64_t at, const T& value) {
    store(ram(at, sizeof value).data(), value);
  }
  template <class T>
  [[nodiscard]] auto peek(std::uint64_t at) -> T {
    return load<T>(ram(at, sizeof(T)).data());
  }
  [[nodiscard]] auto size() const noexcept -> std::uint64_t { return size_; }

  static constexpr std::size_t most_errors = 4096;
  std::function<void(gpa, std::size_t)> after_read;
  std::uint64_t time_ns = 0;
  bool has_real_time = false;
  std::uint64_t bytes_written = 0;
  bool line = false;
  std::uint64_t line_changes = 0;
  std::uint64_t error_count = 0;
  std::vector<error_record> errors;  ///< The first ones.

 private:
  std::byte* ram_;
  std::uint64_t size_;
};

}  // namespace aerogpu::hostile
