// SPDX-License-Identifier: MIT
/// \file In the command processor's place on a device that processes nothing itself.
#pragma once

#include "aerogpu/backend/objects.hpp"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/hash.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/device/device_backend.hpp"
#include "aerogpu/hosted/limits.hpp"
#include "aerogpu/hosted/snapshot_io.hpp"
#include "aerogpu/memory/memory_ref.hpp"
#include "aerogpu/processor/present_log.hpp"
#include "aerogpu/processor/submission.hpp"

#include <cstdint>
#include <span>

namespace aerogpu {

/// No texture is presented here, so each committed address shows guest memory.
class no_scanout_source {
 public:
  [[nodiscard]] static constexpr auto targets() noexcept -> std::span<const gpa> { return {}; }
  [[nodiscard]] static constexpr auto is_flip_waiting() noexcept -> bool { return false; }
  [[nodiscard]] static constexpr auto begin_flip(gpa) noexcept -> bool { return false; }
  static constexpr void end_flip() noexcept {}
  static constexpr void show_guest_memory() noexcept {}
  static constexpr void drop_flip() noexcept {}
};

/// Has no objects, and refuses each stream.
class no_processor {
 public:
  no_processor(no_backend&, const limits&, hash_key) noexcept {}

  /// Always unsupported.
  [[nodiscard]] auto execute(const submission_input&, const memory_ref&) const noexcept
      -> execution_report {
    execution_report report;
    report.why = make_error(error_code::unsupported, no_processor_here);
    return report;
  }
  template <completion_sink Sink>
  void poll(Sink&) noexcept {}
  void wait_idle() noexcept {}
  void reset() noexcept {}

  /// A snapshot has no section of it.
  [[nodiscard]] auto save(snapshot_writer&) const noexcept -> result<void> { return {}; }
  [[nodiscard]] static constexpr auto expected_save_bytes() noexcept -> std::uint64_t { return 0; }
  /// unsupported: a guest would go on without the objects that are in there.
  auto load(snapshot_reader& in) noexcept -> result<void> {
    in.fail(make_error(error_code::unsupported, no_processor_here));
    return in.why();
  }

  [[nodiscard]] auto presents() const noexcept -> const present_log& { return presents_; }
  [[nodiscard]] auto presented() const noexcept -> const texture_desc* { return nullptr; }
  [[nodiscard]] auto scanout() const noexcept -> no_scanout_source { return {}; }
  [[nodiscard]] auto read_presented(mutable_bytes) noexcept -> result<void> {
    return make_error(error_code::unknown_handle, no_processor_here);
  }

 private:
  static constexpr const char* no_processor_here = "this device has no command processor";

  present_log presents_;
};

template <>
struct processor_of<no_backend> {
  using type = no_processor;
};

}  // namespace aerogpu
