// SPDX-License-Identifier: MIT
/// \file Which calls were made of the driver, in a fixed buffer, and the dumps of it (umd-d3d9.md
/// 5.2).
///
/// Lock-free, on any thread; takes no memory. Off, it costs a call one relaxed load.
#pragma once

#include "drivers/win7/ddi/hresults.hpp"
#include "drivers/win7/umd/d3d9/trace/calls_in_flight.hpp"
#include "drivers/win7/umd/d3d9/trace/environment.hpp"
#include "drivers/win7/umd/d3d9/trace/packing.hpp"
#include "drivers/win7/umd/d3d9/trace/record_buffer.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace aerogpu::umd::trace {

namespace detail {
inline constinit std::atomic<bool> enabled{false};
}

[[nodiscard]] inline auto is_enabled() noexcept -> bool {
  return detail::enabled.load(std::memory_order_relaxed);
}

/// Forgets every record and starts with `settings`, which a line of the log repeats when on. No
/// other thread is inside the driver. `filter` is AEROGPU_D3D9_TRACE_FILTER's text.
void start(const trace_settings& settings, std::string_view filter) noexcept;
/// As the DLL leaves its process: the dump, when the environment asks for one.
void stop() noexcept;
/// The device counted its n-th present, within the call that presents.
void note_present(std::uint32_t count) noexcept;

/// One call of an entry while tracing is on. Lives on the caller's stack.
class traced_call {
 public:
  traced_call(entry_id entry, const packed_arguments& arguments) noexcept;
  traced_call(const traced_call&) = delete;
  auto operator=(const traced_call&) -> traced_call& = delete;

  /// Ends the call with what it answers.
  [[nodiscard]] auto returns(HRESULT result) noexcept -> HRESULT;

 private:
  friend void note_present(std::uint32_t count) noexcept;

  void record() noexcept;
  void record_anyway() noexcept;

  entry_id entry_;
  std::uint32_t index_ = record_buffer::none;
  std::uint32_t result_ = pending_result;
  std::size_t place_ = calls_in_flight::none;  ///< Of a present.
  packed_arguments arguments_;
};

}  // namespace aerogpu::umd::trace
