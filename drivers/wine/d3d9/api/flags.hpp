// SPDX-License-Identifier: MIT
/// \file Flags that only the API has, not the DDI.
#pragma once

#include "drivers/win7/ddi/nt_types.hpp"

namespace aerogpu::d3d9 {

inline constexpr DWORD create_fpu_preserve = 0x2;
inline constexpr DWORD create_pure_device = 0x10;
inline constexpr DWORD create_software_vertex_processing = 0x20;
inline constexpr DWORD create_hardware_vertex_processing = 0x40;
inline constexpr DWORD create_mixed_vertex_processing = 0x80;
inline constexpr DWORD create_no_window_changes = 0x800;

/// SetPrivateData: the data is an interface pointer, and a reference goes with it.
inline constexpr DWORD private_data_is_unknown = 1;

inline constexpr DWORD present_do_not_wait = 0x1;
inline constexpr DWORD present_do_not_flip = 0x4;
inline constexpr DWORD present_force_immediate = 0x100;

inline constexpr UINT sdk_version = 32;
inline constexpr UINT debug_bit =
    0x80000000;  ///< Of the version, from programs built for debugging.

}  // namespace aerogpu::d3d9
