// SPDX-License-Identifier: MIT
/// \file VidPNs through their interfaces: what is acquired is released on every path.
///
/// Every Acquire has a Release; a set that was made new ends in one assignment, or in a release; a
/// mode that was made new ends in one AddMode, or in a release (kmd.md 2.7).
#pragma once

#include "drivers/win7/ddi/ddi.hpp"
#include "drivers/win7/kmd/adapter/adapter.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu::kmd {

/// The one source and the one target [K-11].
inline constexpr D3DDDI_VIDEO_PRESENT_SOURCE_ID only_source = 0;
inline constexpr D3DDDI_VIDEO_PRESENT_TARGET_ID only_target = 0;

/// A VidPN and the functions that read it. Holds nothing.
struct vidpn {
  D3DKMDT_HVIDPN handle{};
  const DXGK_VIDPN_INTERFACE* calls = nullptr;

  [[nodiscard]] auto open(const adapter& adapter, D3DKMDT_HVIDPN which) noexcept -> NTSTATUS {
    handle = which;
    const NTSTATUS status =
        adapter.dxgkrnl.DxgkCbQueryVidPnInterface(which, DXGK_VIDPN_INTERFACE_VERSION_V1, &calls);
    if (!NT_SUCCESS(status)) return status;
    return calls == nullptr ? STATUS_GRAPHICS_INVALID_VIDPN : STATUS_SUCCESS;
  }
};

/// A VidPN's topology. Lives as long as the VidPN; holds nothing.
struct vidpn_topology {
  D3DKMDT_HVIDPNTOPOLOGY handle{};
  const DXGK_VIDPNTOPOLOGY_INTERFACE* calls = nullptr;

  [[nodiscard]] auto open(const vidpn& of) noexcept -> NTSTATUS {
    const NTSTATUS status = of.calls->pfnGetTopology(of.handle, &handle, &calls);
    if (!NT_SUCCESS(status)) return status;
    return calls == nullptr ? STATUS_GRAPHICS_INVALID_VIDPN_TOPOLOGY : STATUS_SUCCESS;
  }
  [[nodiscard]] auto count(SIZE_T& paths) const noexcept -> NTSTATUS {
    return calls->pfnGetNumPaths(handle, &paths);
  }
  /// A copy of the first path; `exists` says whether there is one.
  [[nodiscard]] auto first_path(D3DKMDT_VIDPN_PRESENT_PATH& path, bool& exists) const noexcept
      -> NTSTATUS {
    exists = false;
    const D3DKMDT_VIDPN_PRESENT_PATH* info = nullptr;
    const NTSTATUS status = calls->pfnAcquireFirstPathInfo(handle, &info);
    if (!NT_SUCCESS(status)) return status;
    if (status == STATUS_GRAPHICS_DATASET_IS_EMPTY || info == nullptr) return STATUS_SUCCESS;
    path = *info;
    exists = true;
    return calls->pfnReleasePathInfo(handle, info);
  }
};

/// What differs between the mode sets of sources and targets: names of functions.
struct source_side {
  using id = D3DDDI_VIDEO_PRESENT_SOURCE_ID;
  using set = D3DKMDT_HVIDPNSOURCEMODESET;
  using mode = D3DKMDT_VIDPN_SOURCE_MODE;
  using interface = DXGK_VIDPNSOURCEMODESET_INTERFACE;
  static constexpr auto acquire = &DXGK_VIDPN_INTERFACE::pfnAcquireSourceModeSet;
  static constexpr auto create = &DXGK_VIDPN_INTERFACE::pfnCreateNewSourceModeSet;
  static constexpr auto assign = &DXGK_VIDPN_INTERFACE::pfnAssignSourceModeSet;
  static constexpr auto release = &DXGK_VIDPN_INTERFACE::pfnReleaseSourceModeSet;
};
struct target_side {
  using id = D3DDDI_VIDEO_PRESENT_TARGET_ID;
  using set = D3DKMDT_HVIDPNTARGETMODESET;
  using mode = D3DKMDT_VIDPN_TARGET_MODE;
  using interface = DXGK_VIDPNTARGETMODESET_INTERFACE;
  static constexpr auto acquire = &DXGK_VIDPN_INTERFACE::pfnAcquireTargetModeSet;
  static constexpr auto create = &DXGK_VIDPN_INTERFACE::pfnCreateNewTargetModeSet;
  static constexpr auto assign = &DXGK_VIDPN_INTERFACE::pfnAssignTargetModeSet;
  static constexpr auto release = &DXGK_VIDPN_INTERFACE::pfnReleaseTargetModeSet;
};

/// Adds a mode that `fill(mode)` describes to a set; one that is in it already is no error.
template <class Mode, class Set, class Interface, class Fill>
[[nodiscard]] auto add_mode(Set set, const Interface& calls, Fill&& fill) noexcept -> NTSTATUS {
  Mode* mode = nullptr;
  NTSTATUS status = calls.pfnCreateNewModeInfo(set, &mode);
  if (!NT_SUCCESS(status)) return status;
  if (mode == nullptr) return STATUS_NO_MEMORY;
  fill(*mode);
  status = calls.pfnAddMode(set, mode);
  if (NT_SUCCESS(status)) return status;
  static_cast<void>(calls.pfnReleaseModeInfo(set, mode));
  return status == STATUS_GRAPHICS_MODE_ALREADY_IN_MODESET ? STATUS_SUCCESS : status;
}

/// A mode set, acquired or new, that is released unless it is assigned.
template <class Side>
class mode_set {
 public:
  explicit mode_set(const vidpn& of) noexcept : vidpn_(of) {}
  ~mode_set() { release(); }
  mode_set(const mode_set&) = delete;
  auto operator=(const mode_set&) -> mode_set& = delete;

  [[nodiscard]] auto acquire(typename Side::id id) noexcept -> NTSTATUS {
    return obtain(vidpn_.calls->*Side::acquire, id);
  }
  [[nodiscard]] auto create(typename Side::id id) noexcept -> NTSTATUS {
    return obtain(vidpn_.calls->*Side::create, id);
  }
  /// Gives a new set away; after a failure it is still ours.
  [[nodiscard]] auto assign(typename Side::id id) noexcept -> NTSTATUS {
    const NTSTATUS status = (vidpn_.calls->*Side::assign)(vidpn_.handle, id, set_);
    if (NT_SUCCESS(status)) set_ = {};
    return status;
  }
  void release() noexcept {
    if (set_ == typename Side::set{}) return;
    static_cast<void>((vidpn_.calls->*Side::release)(vidpn_.handle, set_));
    set_ = {};
  }

  template <class Fill>
  [[nodiscard]] auto add(Fill&& fill) noexcept -> NTSTATUS {
    return add_mode<typename Side::mode>(set_, *calls_, fill);
  }

  /// A copy of the pinned mode; `exists` says whether there is one.
  [[nodiscard]] auto pinned(typename Side::mode& mode, bool& exists) const noexcept -> NTSTATUS {
    exists = false;
    const typename Side::mode* info = nullptr;
    const NTSTATUS status = calls_->pfnAcquirePinnedModeInfo(set_, &info);
    if (!NT_SUCCESS(status)) return status;
    if (status == STATUS_GRAPHICS_MODE_NOT_PINNED || info == nullptr) return STATUS_SUCCESS;
    mode = *info;
    exists = true;
    return calls_->pfnReleaseModeInfo(set_, info);
  }

  /// Whether some mode passes `test`, or there is none at all.
  template <class Test>
  [[nodiscard]] auto any(Test&& test, bool& passes) const noexcept -> NTSTATUS {
    passes = true;
    const typename Side::mode* info = nullptr;
    NTSTATUS status = calls_->pfnAcquireFirstModeInfo(set_, &info);
    if (!NT_SUCCESS(status)) return status;
    if (status == STATUS_GRAPHICS_DATASET_IS_EMPTY || info == nullptr) return STATUS_SUCCESS;
    for (;;) {
      passes = test(*info);
      const typename Side::mode* next = nullptr;
      if (!passes) status = calls_->pfnAcquireNextModeInfo(set_, info, &next);
      const NTSTATUS released = calls_->pfnReleaseModeInfo(set_, info);
      if (!NT_SUCCESS(status)) return status;
      if (status == STATUS_GRAPHICS_NO_MORE_ELEMENTS_IN_DATASET) next = nullptr;
      if (!NT_SUCCESS(released)) {
        if (next != nullptr) static_cast<void>(calls_->pfnReleaseModeInfo(set_, next));
        return released;
      }
      if (next == nullptr) return STATUS_SUCCESS;
      info = next;
    }
  }

 private:
  template <class Get>
  [[nodiscard]] auto obtain(Get get, typename Side::id id) noexcept -> NTSTATUS {
    const NTSTATUS status = get(vidpn_.handle, id, &set_, &calls_);
    if (NT_SUCCESS(status) && set_ != typename Side::set{} && calls_ != nullptr) return status;
    set_ = {};
    return NT_SUCCESS(status) ? STATUS_GRAPHICS_INVALID_VIDPN : status;
  }

  const vidpn& vidpn_;
  typename Side::set set_{};
  const typename Side::interface* calls_ = nullptr;
};

}  // namespace aerogpu::kmd
