// SPDX-License-Identifier: MIT
/// \file The built-in guest: a small desktop that drives every part of the device.
#pragma once

#include "aerogpu/device/rgba8_image.hpp"
#include "aerogpu/memory/alloc_table_builder.hpp"
#include "aerogpu/stream/sinks.hpp"
#include "aerogpu/stream/writer.hpp"
#include "null/null_backend.hpp"
#include "tools/aerogpu/guest/guest_machine.hpp"
#include "tools/aerogpu/replay/demo_scene.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace aerogpu::tool {

/// What one step of the demo showed.
struct demo_verdict {
  std::string step;
  std::string what;
  std::string trouble;  ///< Empty when it went as it should.
};

class demo_guest {
 public:
  demo_guest();

  /// Runs all steps; a step that cannot go on is a verdict, not an end.
  void run();
  [[nodiscard]] auto verdicts() const -> const std::vector<demo_verdict>& { return verdicts_; }
  /// The desktop with the cursor, as a display shows it.
  [[nodiscard]] auto picture() const -> const rgba8_image& { return picture_; }
  /// Who watches the submissions; the steps that fail on purpose are not shown to it.
  void set_tap(const submission_tap& tap) { tap_ = tap; }

 private:
  using stream_bytes = std::vector<std::byte>;
  using writer = stream_writer<growing_sink<stream_bytes>>;
  /// Writes packets; false when the writer refused one.
  using fill_stream = std::function<bool(writer&)>;

  // Each returns what went wrong, or nothing.
  auto answer_registers() -> std::string;
  auto show_wallpaper() -> std::string;
  auto draw_card() -> std::string;
  auto upload_parts() -> std::string;
  auto share_card() -> std::string;
  auto write_terminal() -> std::string;
  auto present_at_vblank() -> std::string;
  auto read_back() -> std::string;
  auto show_cursor() -> std::string;
  auto survive_bad_packet() -> std::string;
  auto refuse_old_token() -> std::string;

  [[nodiscard]] auto make_stream(const fill_stream& fill, stream_bytes& bytes) -> bool;
  [[nodiscard]] auto make_table() -> const_bytes;
  /// Submits and waits. Nothing, or what went wrong.
  [[nodiscard]] auto submit(std::uint32_t context, const fill_stream& fill) -> std::string;
  /// Submits what must fail with `expected`, and checks that the fence completes all the same.
  [[nodiscard]] auto submit_bad(std::uint32_t context, error_code expected, const fill_stream& fill)
      -> std::string;
  void program_scanout();
  [[nodiscard]] auto next_fence() -> fence_value { return fence_value{++last_fence_}; }

  null_backend backend_;
  guest_machine<null_backend> machine_;
  submission_tap tap_{};
  std::uint64_t last_fence_ = 0;
  canvas wallpaper_;
  canvas terminal_;
  canvas expected_;  ///< The desktop as it should come out, composed on the processor.
  rgba8_image picture_;
  std::array<std::byte, 512> table_bytes_{};
  std::array<alloc_table_builder::slot, 16> table_slots_{};
  alloc_table_builder table_{table_bytes_, table_slots_};
  std::vector<demo_verdict> verdicts_;
};

}  // namespace aerogpu::tool
