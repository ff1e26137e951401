// SPDX-License-Identifier: MIT
/// \file The interfaces that a driver sees a VidPN through, and the rules they watch over.
#pragma once

#include "drivers/sim/kernel/display/vidpn_model.hpp"

namespace aerogpu::sim {

[[nodiscard]] auto vidpn_interface() noexcept -> const DXGK_VIDPN_INTERFACE&;
[[nodiscard]] auto monitor_interface() noexcept -> const DXGK_MONITOR_INTERFACE&;
template <class Side>
[[nodiscard]] auto mode_set_interface() noexcept -> const typename Side::interface&;

/// Bug check 0x113 with a sentence.
void refuse_vidpn(const char* text) noexcept;
/// PASSIVE, and no fault is due.
[[nodiscard]] auto may_call(const char* what) noexcept -> bool;

/// Objects that handles may name. A handle of another kind, or of none, is a bug check.
enum class vidpn_kind : std::uint8_t { vidpn, source_set, target_set, monitor_set };
void remember_object(const void* object, vidpn_kind kind);
void forget_object(const void* object);
[[nodiscard]] auto is_object(const void* object, vidpn_kind kind) -> bool;

template <class Side>
inline constexpr vidpn_kind kind_of = vidpn_kind::monitor_set;
template <>
inline constexpr vidpn_kind kind_of<source_modes> = vidpn_kind::source_set;
template <>
inline constexpr vidpn_kind kind_of<target_modes> = vidpn_kind::target_set;

}  // namespace aerogpu::sim
