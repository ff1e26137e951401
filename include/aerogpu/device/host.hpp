/// \file What the device needs of the machine around it.
#pragma once

#include "aerogpu/core/hash.hpp"
#include "aerogpu/device/events.hpp"
#include "aerogpu/device/scanout.hpp"
#include "aerogpu/memory/guest_memory.hpp"

#include <concepts>
#include <cstdint>

namespace aerogpu {

/// The machine. It models `guest_memory` over its RAM (BAR1 is the device's own, and an address in
/// it never arrives here), has a monotonic clock, and drives the interrupt line.
///
/// `set_irq_line` is called when the level changes, and once after a restore. All calls come from
/// inside calls of the device, on the caller's thread; the device never calls back into itself, and
/// the host must not either.
///
/// A host may also have any of these, each `noexcept`:
///   void on_scanout(const scanout_descriptor&)  the display shows something else
///   void on_present(const present_notice&)       a present ran
///   void on_error(const error_record&)          an error went into the registers
///   std::uint64_t random_seed()                 64 bits that no guest can know, asked for once:
///   they
///                                               decide where guests' ids lie in hash tables
template <class H>
concept device_host = guest_memory<H> && requires(H& host, bool level) {
  { host.now_ns() }
  noexcept->std::same_as<std::uint64_t>;
  { host.set_irq_line(level) }
  noexcept->std::same_as<void>;
};

namespace detail {

template <class H>
void tell_scanout(H& host, const scanout_descriptor& scanout) noexcept {
  if constexpr (requires { host.on_scanout(scanout); }) host.on_scanout(scanout);
}
template <class H>
void tell_present(H& host, const present_notice& present) noexcept {
  if constexpr (requires { host.on_present(present); }) host.on_present(present);
}
template <class H>
void tell_error(H& host, const error_record& record) noexcept {
  if constexpr (requires { host.on_error(record); }) host.on_error(record);
}

template <class H>
[[nodiscard]] auto make_hash_key([[maybe_unused]] H& host) noexcept -> hash_key {
  if constexpr (requires { host.random_seed(); }) {
    return hash_key{host.random_seed()};
  } else {
    return {};
  }
}

}  // namespace detail
}  // namespace aerogpu
