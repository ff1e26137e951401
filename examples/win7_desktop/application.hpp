// SPDX-License-Identifier: MIT
/// \file A process with a window: it draws, presents to what the compositor shows, and asks by an
/// EVENT query when that is done.
#pragma once

#include "drivers/sim/runtime/d3d9/d3d9_device.hpp"
#include "journal.hpp"
#include "programs.hpp"
#include "stack.hpp"

#include <cstdint>
#include <optional>

namespace win7_desktop {

/// What a query has said.
enum class query_answer : std::uint8_t { done, device_lost, failed };

class application {
 public:
  application(stack& on, journal& log, std::uint32_t process, program& what);

  // False when the journal has the reason.
  [[nodiscard]] auto start() -> bool;
  [[nodiscard]] auto stop() -> bool;
  /// The compositor's surface, by a handle of this process.
  [[nodiscard]] auto open_redirection(D3DKMT_HANDLE share) -> bool;
  /// A frame up to the present; its query is issued.
  [[nodiscard]] auto draw(double turn) -> bool;
  /// Until the query is answered, and a line about it.
  [[nodiscard]] auto wait_for_frame() -> bool;
  /// As `wait_for_frame`, on a device that does not answer: until a timeout has taken it.
  [[nodiscard]] auto wait_for_loss() -> bool;
  [[nodiscard]] auto check_state(HRESULT wanted) -> bool;

  [[nodiscard]] auto content() const -> program& { return program_; }
  [[nodiscard]] auto process() -> aerogpu::sim::d3d9_process& { return process_; }
  [[nodiscard]] auto device() -> aerogpu::sim::d3d9_device& { return *device_; }
  double turn = 0;  ///< Of the frame that was presented last.

 private:
  [[nodiscard]] auto poll(std::uint64_t step_ns, std::uint64_t limit_ns) -> query_answer;

  stack& stack_;
  journal& log_;
  program& program_;
  aerogpu::sim::d3d9_process process_;
  aerogpu::sim::d3d9_adapter adapter_;
  std::optional<aerogpu::sim::d3d9_device> device_;
  aerogpu::sim::d3d9_resource* redirection_ = nullptr;
  aerogpu::sim::d3d9_query query_;
  std::uint64_t issued_ns_ = 0;
  std::uint32_t polls_ = 0;
};

}  // namespace win7_desktop
