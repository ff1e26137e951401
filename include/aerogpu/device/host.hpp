// SPDX-License-Identifier: MIT
/// \file What the device needs of the machine around it.
#pragma once

#include "aerogpu/core/hash.hpp"
#include "aerogpu/core/named_member.hpp"
#include "aerogpu/device/events.hpp"
#include "aerogpu/device/scanout.hpp"
#include "aerogpu/memory/guest_memory.hpp"

#include <concepts>
#include <cstdint>

namespace aerogpu {

/// The machine. It models `guest_memory` over its RAM (BAR1 is the device's own, and an address in
/// it never arrives here), has a monotonic clock, and drives the interrupt line.
///
/// `set_irq_line` is called when the level changes, and once after a restore. The line is low when
/// a device is made; one that goes away leaves it as it is: whoever destroys it lowers the line
/// himself, or calls `device_reset` first. All calls come from inside calls of the device, on the
/// caller's thread; the device never calls back into itself, and the host must not either.
///
/// A host may also have any of these, each `noexcept`; one of that name and another signature does
/// not compile:
///   void on_scanout(const scanout_descriptor&)  the display shows something else, or may: once
///       after each load
///   void on_present(const present_notice&)       a present ran
///   void on_error(const error_record&)          an error went into the registers
///   std::uint64_t random_seed()                 asked for once: 64 bits that no guest can know,
///       which decide where guests' ids lie in hash tables
///   std::uint64_t elapsed_ns()                  real time since any point, for a clock that stands
///       still during a call: bounds what a tick takes
template <class H>
concept device_host = guest_memory<H> && requires(H& host, bool level) {
  { host.now_ns() }
  noexcept->std::same_as<std::uint64_t>;
  { host.set_irq_line(level) }
  noexcept->std::same_as<void>;
};

namespace detail {

struct scanout_name {
  int on_scanout;
};
struct present_name {
  int on_present;
};
struct error_name {
  int on_error;
};
struct seed_name {
  int random_seed;
};
struct elapsed_name {
  int elapsed_ns;
};

template <class H>
inline constexpr bool names_on_scanout = has_member<H, scanout_name>([]<class X>() {
  return requires {
    &X::on_scanout;
  };
});
template <class H>
inline constexpr bool names_on_present = has_member<H, present_name>([]<class X>() {
  return requires {
    &X::on_present;
  };
});
template <class H>
inline constexpr bool names_on_error = has_member<H, error_name>([]<class X>() {
  return requires {
    &X::on_error;
  };
});
template <class H>
inline constexpr bool names_random_seed = has_member<H, seed_name>([]<class X>() {
  return requires {
    &X::random_seed;
  };
});
template <class H>
inline constexpr bool names_elapsed = has_member<H, elapsed_name>([]<class X>() {
  return requires {
    &X::elapsed_ns;
  };
});

template <class H>
concept hears_scanout = requires(H& host, const scanout_descriptor& scanout) {
  { host.on_scanout(scanout) }
  noexcept->std::same_as<void>;
};
template <class H>
concept hears_present = requires(H& host, const present_notice& present) {
  { host.on_present(present) }
  noexcept->std::same_as<void>;
};
template <class H>
concept hears_error = requires(H& host, const error_record& record) {
  { host.on_error(record) }
  noexcept->std::same_as<void>;
};
template <class H>
concept has_random_seed = requires(H& host) {
  { host.random_seed() }
  noexcept->std::same_as<std::uint64_t>;
};
template <class H>
concept has_elapsed = requires(H& host) {
  { host.elapsed_ns() }
  noexcept->std::same_as<std::uint64_t>;
};

/// An optional member that is there and cannot be called as it should would never be called.
template <class H>
struct check_optional_members {
  static_assert(
      hears_scanout<H> || !names_on_scanout<H>,
      "the host's on_scanout is not: void on_scanout(const scanout_descriptor&) noexcept");
  static_assert(hears_present<H> || !names_on_present<H>,
                "the host's on_present is not: void on_present(const present_notice&) noexcept");
  static_assert(hears_error<H> || !names_on_error<H>,
                "the host's on_error is not: void on_error(const error_record&) noexcept");
  static_assert(has_random_seed<H> || !names_random_seed<H>,
                "the host's random_seed is not: std::uint64_t random_seed() noexcept");
  static_assert(has_elapsed<H> || !names_elapsed<H>,
                "the host's elapsed_ns is not: std::uint64_t elapsed_ns() noexcept");
};

template <class H>
void tell_scanout(H& host, const scanout_descriptor& scanout) noexcept {
  if constexpr (hears_scanout<H>) host.on_scanout(scanout);
}
template <class H>
void tell_present(H& host, const present_notice& present) noexcept {
  if constexpr (hears_present<H>) host.on_present(present);
}
template <class H>
void tell_error(H& host, const error_record& record) noexcept {
  if constexpr (hears_error<H>) host.on_error(record);
}

template <class H>
[[nodiscard]] auto make_hash_key([[maybe_unused]] H& host) noexcept -> hash_key {
  if constexpr (has_random_seed<H>) {
    return hash_key{host.random_seed()};
  } else {
    return {};
  }
}

}  // namespace detail
}  // namespace aerogpu
