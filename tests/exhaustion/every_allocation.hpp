// SPDX-License-Identifier: MIT
/// \file A session with its n-th allocation failing, and what must hold then.
#pragma once

#include "tests/catch.hpp"
#include "tests/exhaustion/session.hpp"
#include "tests/support/failing_heap.hpp"
#include "tests/support/fault_stride.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <sstream>
#include <string>
#include <utility>

namespace aerogpu::test {

/// Runs sessions on backends that `Maker::make` opens; that and the sessions count and may fail.
template <backend B, class Maker>
class exhaustion_runner {
 public:
  explicit exhaustion_runner(script_shaders shaders) : script_(make_exhaustion_script(shaders)) {}

  /// A session without failures, twice on one device: what each later run is compared with.
  /// Returns how many allocations the first one made.
  auto run_clean() -> std::uint64_t {
    failing_heap::plan(0);
    auto made = make();
    REQUIRE(made);
    session<B> guest{**made, script_};
    REQUIRE(run(guest));
    const std::uint64_t calls = failing_heap::calls();
    check_clean(guest.take_outcome());
    expected_ = guest.written();
    CHECK(std::ranges::count(expected_, std::byte{}) <
          static_cast<std::ptrdiff_t>(expected_.size()));
    run_again(guest, **made);
    close(guest, *made);
    return calls;
  }

  /// Failing sessions that told of it. The others went well without that allocation.
  [[nodiscard]] auto reports() const noexcept -> std::uint64_t { return reports_; }

  /// A session with allocation `number` failing, and one without on the same device. False when
  /// the session makes fewer.
  auto survives(std::uint64_t number) -> bool {
    const std::int64_t before = failing_heap::live_blocks();
    failing_heap::plan(number);
    bool was_reached = false;
    {
      auto made = make();
      if (!made) {
        was_reached = failing_heap::has_failed();
        ++reports_;
        CAPTURE(number, made.why().what, failed_at());
        CHECK(made.why().code == error_code::out_of_memory);
      } else {
        was_reached = run_failing(number, *made);
      }
    }
    CAPTURE(number, failed_at());
    CHECK(failing_heap::live_blocks() == before);
    return was_reached;
  }

 private:
  [[nodiscard]] static auto make() -> result<std::unique_ptr<B>> {
    const heap_scope armed;
    return Maker::make();
  }
  /// Whether the device could be created, with all of the script run on it then.
  static auto run(session<B>& guest) noexcept -> bool {
    const heap_scope armed;
    if (!guest.open()) return false;
    guest.run();
    return true;
  }
  static void close(session<B>& guest, std::unique_ptr<B>& backend) noexcept {
    const heap_scope armed;
    guest.close();
    backend.reset();
  }

  auto run_failing(std::uint64_t number, std::unique_ptr<B>& backend) -> bool {
    session<B> guest{*backend, script_};
    const bool is_open = run(guest);
    const bool was_reached = failing_heap::has_failed();
    failing_heap::plan(0);
    const session_outcome outcome = guest.take_outcome();
    CAPTURE(number, failed_at(), outcome.where, outcome.first.what, outcome.first.detail);
    CHECK(std::string{outcome.broken} == "");
    if (outcome.failures == 0) {
      CHECK(guest.written() == expected_);
    } else {
      ++reports_;
      CHECK(was_reached);
      CHECK(outcome.first.code == error_code::out_of_memory);
    }
    if (!is_open) {
      REQUIRE(guest.open());
      guest.run();
      check_clean(guest.take_outcome());
    }
    run_again(guest, *backend);
    close(guest, backend);
    return was_reached;
  }

  void run_again(session<B>& guest, B& backend) {
    CHECK(backend.live_objects() == 0);
    guest.forget_written();
    {
      const heap_scope armed;
      guest.run();
    }
    check_clean(guest.take_outcome());
    CHECK(guest.written() == expected_);
    CHECK(backend.live_objects() == 0);
  }

  static void check_clean(const session_outcome& outcome) {
    CAPTURE(outcome.where, outcome.first.what, outcome.first.detail);
    CHECK(outcome.failures == 0);
    CHECK(std::string{outcome.broken} == "");
  }

  [[nodiscard]] static auto failed_at() -> std::string {
    return failing_heap::has_failed() ? describe(failing_heap::failed_at()) : "nowhere";
  }

 public:
  /// Offsets into the executable, for addr2line.
  [[nodiscard]] static auto describe(const heap_call_stack& stack) -> std::string {
    std::ostringstream text;
    for (const std::uintptr_t frame : stack) {
      if (frame != 0) text << " 0x" << std::hex << failing_heap::offset_of(frame);
    }
    return text.str();
  }

 private:
  exhaustion_script script_;
  byte_vector expected_;
  std::uint64_t reports_ = 0;
};

}  // namespace aerogpu::test
