// SPDX-License-Identifier: MIT
/// \file Snapshots of a device in a test: taken, moved to a new device, and edited.
#pragma once

#include "aerogpu/device/snapshot/saved_registers.hpp"
#include "aerogpu/device/snapshot/snapshot_container.hpp"
#include "tests/conformance/device/device_rig.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

namespace aerogpu::conformance::snapshot_case {

using section = snapshot_section;

[[nodiscard]] inline auto copy_of(const_bytes bytes) -> byte_vector {
  return {bytes.begin(), bytes.end()};
}

template <class Rig>
[[nodiscard]] auto save(Rig& rig) -> byte_vector {
  snapshot_writer out;
  REQUIRE(rig.dev->save(out));
  return copy_of(out.bytes());
}

/// Puts a device that knows nothing, on a new backend, into the same machine.
template <class Rig>
void replace_device(Rig& rig) {
  using backend_type = typename decltype(rig.backend)::element_type;
  const auto config = rig.dev->config();
  rig.dev.reset();
  rig.backend = backend_traits<backend_type>::make();
  auto made = Rig::device_type::create(rig.machine, *rig.backend, config);
  REQUIRE(made);
  rig.dev = *std::move(made);
}

/// The machine is saved, stopped, and goes on with another device.
template <class Rig>
void move_to_new_device(Rig& rig) {
  const auto snapshot = save(rig);
  replace_device(rig);
  REQUIRE(rig.dev->load(snapshot));
}

/// The snapshot with `content` as a section's bytes, or without that section.
[[nodiscard]] inline auto with_section(const byte_vector& snapshot, section changed,
                                       const std::optional<byte_vector>& content) -> byte_vector {
  const auto sections = snapshot_sections::parse(snapshot);
  REQUIRE(sections);
  snapshot_writer out;
  snapshot_builder builder{out};
  for (std::uint32_t i = 1; i <= static_cast<std::uint32_t>(last_snapshot_section); ++i) {
    const auto which = static_cast<section>(i);
    if (which == changed ? !content : !sections->has(which)) continue;
    builder.begin(which);
    out.put_bytes(which == changed ? const_bytes{*content} : sections->bytes(which));
  }
  builder.finish();
  return copy_of(out.bytes());
}

/// The snapshot whose registers `change` changed.
[[nodiscard]] inline auto with_registers(const byte_vector& snapshot,
                                         const std::function<void(saved_registers&)>& change)
    -> byte_vector {
  const auto sections = snapshot_sections::parse(snapshot);
  REQUIRE(sections);
  snapshot_reader in{sections->bytes(section::registers)};
  auto registers = load_fields<saved_registers>(in);
  REQUIRE(in.is_good());
  change(registers);
  snapshot_writer out;
  save_fields(registers, out);
  return with_section(snapshot, section::registers, copy_of(out.bytes()));
}

/// A scanout that may claim the display, also good for a cursor.
constexpr guest_image shown{.width = 5,
                            .height = 6,
                            .format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
                            .pitch = 24,
                            .address = 0x1'00400000};

}  // namespace aerogpu::conformance::snapshot_case
