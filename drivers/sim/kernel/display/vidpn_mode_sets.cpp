// SPDX-License-Identifier: MIT
/// \file Mode sets through their interfaces.
#include "drivers/sim/kernel/display/vidpn.hpp"
#include "drivers/sim/kernel/display/vidpn_calls.hpp"

#include <algorithm>

namespace aerogpu::sim {

namespace {

[[nodiscard]] auto is_same(const D3DKMDT_2DREGION& a, const D3DKMDT_2DREGION& b) -> bool {
  return a.cx == b.cx && a.cy == b.cy;
}

[[nodiscard]] auto is_same(const D3DKMDT_VIDEO_SIGNAL_INFO& a, const D3DKMDT_VIDEO_SIGNAL_INFO& b)
    -> bool {
  return is_same(a.ActiveSize, b.ActiveSize) && is_same(a.TotalSize, b.TotalSize) &&
         a.VSyncFreq.Numerator == b.VSyncFreq.Numerator &&
         a.VSyncFreq.Denominator == b.VSyncFreq.Denominator && a.PixelRate == b.PixelRate &&
         a.ScanLineOrdering == b.ScanLineOrdering;
}

[[nodiscard]] auto is_same(const D3DKMDT_VIDPN_SOURCE_MODE& a, const D3DKMDT_VIDPN_SOURCE_MODE& b)
    -> bool {
  return is_same(a.Format.Graphics.PrimSurfSize, b.Format.Graphics.PrimSurfSize) &&
         a.Format.Graphics.Stride == b.Format.Graphics.Stride &&
         a.Format.Graphics.PixelFormat == b.Format.Graphics.PixelFormat;
}
[[nodiscard]] auto is_same(const D3DKMDT_VIDPN_TARGET_MODE& a, const D3DKMDT_VIDPN_TARGET_MODE& b)
    -> bool {
  return is_same(a.VideoSignalInfo, b.VideoSignalInfo);
}
[[nodiscard]] auto is_same(const D3DKMDT_MONITOR_SOURCE_MODE& a,
                           const D3DKMDT_MONITOR_SOURCE_MODE& b) -> bool {
  return is_same(a.VideoSignalInfo, b.VideoSignalInfo);
}

[[nodiscard]] auto is_complete(const D3DKMDT_VIDEO_SIGNAL_INFO& signal) -> bool {
  return signal.VideoStandard != D3DKMDT_VSS_UNINITIALIZED && signal.ActiveSize.cx != 0 &&
         signal.ActiveSize.cy != 0 && signal.TotalSize.cx >= signal.ActiveSize.cx &&
         signal.TotalSize.cy >= signal.ActiveSize.cy && signal.VSyncFreq.Denominator != 0 &&
         signal.HSyncFreq.Denominator != 0 && signal.ScanLineOrdering != D3DDDI_VSSLO_UNINITIALIZED;
}
[[nodiscard]] auto is_complete(const D3DKMDT_VIDPN_SOURCE_MODE& mode) -> bool {
  const D3DKMDT_GRAPHICS_RENDERING_FORMAT& graphics = mode.Format.Graphics;
  return mode.Type == D3DKMDT_RMT_GRAPHICS && graphics.PrimSurfSize.cx != 0 &&
         graphics.PrimSurfSize.cy != 0 && graphics.VisibleRegionSize.cx != 0 &&
         graphics.VisibleRegionSize.cy != 0 && graphics.Stride >= graphics.PrimSurfSize.cx &&
         graphics.PixelFormat != D3DDDIFMT_UNKNOWN &&
         graphics.ColorBasis != D3DKMDT_CB_UNINITIALIZED &&
         graphics.PixelValueAccessMode != D3DKMDT_PVAM_UNINITIALIZED;
}
[[nodiscard]] auto is_complete(const D3DKMDT_VIDPN_TARGET_MODE& mode) -> bool {
  return is_complete(mode.VideoSignalInfo) && mode.Preference != D3DKMDT_MP_UNINITIALIZED;
}
[[nodiscard]] auto is_complete(const D3DKMDT_MONITOR_SOURCE_MODE& mode) -> bool {
  return is_complete(mode.VideoSignalInfo) && mode.Preference != D3DKMDT_MP_UNINITIALIZED &&
         mode.ColorBasis != D3DKMDT_CB_UNINITIALIZED && mode.Origin == D3DKMDT_MCO_DRIVER &&
         mode.ColorCoeffDynamicRanges.FirstChannel != 0;
}

}  // namespace

template <class Side>
struct mode_set_calls {
  using handle = typename Side::handle;
  using mode = typename Side::mode;
  using set_type = mode_set<Side>;
  static constexpr bool is_monitor = std::is_same_v<Side, monitor_modes>;

  /// The set that the driver may use, or nullptr.
  static auto find(handle from) -> set_type* {
    auto* const set = reinterpret_cast<set_type*>(from);
    if (!is_object(set, kind_of<Side>)) {
      refuse_vidpn("A mode set's handle names no such set");
      return nullptr;
    }
    const bool is_in_use = set->state == set_state::created || set->acquired != 0;
    if (!is_monitor && !is_in_use) {
      refuse_vidpn("A mode set is used that is not acquired, or no longer the driver's");
      return nullptr;
    }
    return set;
  }
  static auto find(set_type& set, const mode* info) -> typename set_type::record* {
    for (const auto& one : set.modes) {
      if (&one->info == info) return one.get();
    }
    refuse_vidpn("A mode is named that its set does not have");
    return nullptr;
  }
  /// Hands out the first added mode at or behind `index`.
  static auto hand_out(set_type& set, std::size_t index, const mode** out, NTSTATUS none)
      -> NTSTATUS {
    for (; index < set.modes.size(); ++index) {
      auto& one = *set.modes[index];
      if (one.is_new) continue;
      ++one.acquired;
      *out = &one.info;
      return STATUS_SUCCESS;
    }
    return none;
  }

  static auto APIENTRY count(handle from, SIZE_T* modes) -> NTSTATUS {
    auto* const set = find(from);
    if (set == nullptr || modes == nullptr) return STATUS_INVALID_PARAMETER;
    if (!may_call("GetNumModes")) return STATUS_NO_MEMORY;
    *modes = set->added().size();
    return STATUS_SUCCESS;
  }
  static auto APIENTRY first(handle from, const mode** out) -> NTSTATUS {
    auto* const set = find(from);
    if (set == nullptr || out == nullptr) return STATUS_INVALID_PARAMETER;
    *out = nullptr;
    if (!may_call("AcquireFirstModeInfo")) return STATUS_NO_MEMORY;
    return hand_out(*set, 0, out, STATUS_GRAPHICS_DATASET_IS_EMPTY);
  }
  static auto APIENTRY next(handle from, const mode* current, const mode** out) -> NTSTATUS {
    auto* const set = find(from);
    if (set == nullptr || out == nullptr) return STATUS_INVALID_PARAMETER;
    *out = nullptr;
    if (!may_call("AcquireNextModeInfo")) return STATUS_NO_MEMORY;
    for (std::size_t i = 0; i < set->modes.size(); ++i) {
      if (&set->modes[i]->info != current) continue;
      if (set->modes[i]->acquired == 0)
        refuse_vidpn("AcquireNextModeInfo goes on from a mode that is not acquired");
      return hand_out(*set, i + 1, out, STATUS_GRAPHICS_NO_MORE_ELEMENTS_IN_DATASET);
    }
    refuse_vidpn("AcquireNextModeInfo goes on from a mode that its set does not have");
    return STATUS_INVALID_PARAMETER;
  }
  static auto APIENTRY pinned(handle from, const mode** out) -> NTSTATUS {
    auto* const set = find(from);
    if (set == nullptr || out == nullptr) return STATUS_INVALID_PARAMETER;
    *out = nullptr;
    if (!may_call("AcquirePinnedModeInfo")) return STATUS_NO_MEMORY;
    auto* const record = set->pinned ? set->find(*set->pinned) : nullptr;
    if (record == nullptr) {
      return set->manager->answers_unpinned_with_success ? STATUS_SUCCESS
                                                         : STATUS_GRAPHICS_MODE_NOT_PINNED;
    }
    ++record->acquired;
    *out = &record->info;
    return STATUS_SUCCESS;
  }
  static auto APIENTRY preferred(handle from, const mode** out) -> NTSTATUS {
    auto* const set = find(from);
    if (set == nullptr || out == nullptr) return STATUS_INVALID_PARAMETER;
    *out = nullptr;
    if (!may_call("AcquirePreferredModeInfo")) return STATUS_NO_MEMORY;
    return hand_out(*set, 0, out, STATUS_GRAPHICS_NO_PREFERRED_MODE);
  }
  static auto APIENTRY release(handle from, const mode* info) -> NTSTATUS {
    auto* const set = find(from);
    if (set == nullptr) return STATUS_INVALID_PARAMETER;
    static_cast<void>(require_at_most(passive_level, "ReleaseModeInfo"));
    auto* const record = find(*set, info);
    if (record == nullptr) return STATUS_INVALID_PARAMETER;
    if (record->is_new) {
      std::erase_if(set->modes, [&](const auto& one) { return one.get() == record; });
      return STATUS_SUCCESS;
    }
    if (record->acquired == 0) {
      refuse_vidpn("ReleaseModeInfo releases a mode that is not acquired");
      return STATUS_INVALID_PARAMETER;
    }
    --record->acquired;
    return STATUS_SUCCESS;
  }
  static auto APIENTRY make(handle in, mode** out) -> NTSTATUS {
    auto* const set = find(in);
    if (set == nullptr || out == nullptr) return STATUS_INVALID_PARAMETER;
    *out = nullptr;
    if (!may_call("CreateNewModeInfo")) return STATUS_NO_MEMORY;
    if (!is_monitor && set->state != set_state::created)
      refuse_vidpn("CreateNewModeInfo is called on a set that is part of the VidPN");
    auto record = std::make_unique<typename set_type::record>();
    record->id = set->next_id++;
    record->info.Id = record->id;
    *out = &record->info;
    set->modes.push_back(std::move(record));
    return STATUS_SUCCESS;
  }
  static auto APIENTRY add(handle to, mode* info) -> NTSTATUS {
    auto* const set = find(to);
    if (set == nullptr) return STATUS_INVALID_PARAMETER;
    if (!may_call("AddMode")) return STATUS_NO_MEMORY;
    auto* const record = find(*set, info);
    if (record == nullptr) return STATUS_INVALID_PARAMETER;
    if (!record->is_new) {
      refuse_vidpn("AddMode adds a mode that was added before");
      return STATUS_INVALID_PARAMETER;
    }
    if (record->info.Id != record->id) refuse_vidpn("The driver changed the id of a mode");
    if (!is_complete(record->info)) refuse_vidpn("AddMode adds a mode with unset members");
    for (const auto& one : set->modes) {
      if (!one->is_new && is_same(one->info, record->info))
        return STATUS_GRAPHICS_MODE_ALREADY_IN_MODESET;
    }
    record->is_new = false;
    return STATUS_SUCCESS;
  }
  static auto APIENTRY pin(handle in, UINT mode_id) -> NTSTATUS {
    auto* const set = find(in);
    if (set == nullptr) return STATUS_INVALID_PARAMETER;
    if (!may_call("PinMode")) return STATUS_NO_MEMORY;
    if (set->state != set_state::created)
      refuse_vidpn("PinMode is called on a set that is part of the VidPN");
    if (set->find(mode_id) == nullptr) {
      refuse_vidpn("PinMode names a mode that its set does not have");
      return STATUS_INVALID_PARAMETER;
    }
    set->pinned = mode_id;
    return STATUS_SUCCESS;
  }
};

template <class Side>
auto mode_set_interface() noexcept -> const typename Side::interface& {
  using calls = mode_set_calls<Side>;
  if constexpr (calls::is_monitor) {
    static constexpr typename Side::interface table {
      &calls::count, &calls::preferred, &calls::first, &calls::next, &calls::make, &calls::add,
          &calls::release
    };
    return table;
  } else {
    static constexpr typename Side::interface table {
      &calls::count, &calls::first, &calls::next, &calls::pinned, &calls::release, &calls::make,
          &calls::add, &calls::pin
    };
    return table;
  }
}
template auto mode_set_interface<source_modes>() noexcept
    -> const DXGK_VIDPNSOURCEMODESET_INTERFACE&;
template auto mode_set_interface<target_modes>() noexcept
    -> const DXGK_VIDPNTARGETMODESET_INTERFACE&;
template auto mode_set_interface<monitor_modes>() noexcept
    -> const DXGK_MONITORSOURCEMODESET_INTERFACE&;

}  // namespace aerogpu::sim
