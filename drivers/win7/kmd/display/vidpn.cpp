// SPDX-License-Identifier: MIT
/// \file The topology and mode questions of dxgkrnl's VidPN manager.
#include "drivers/win7/kmd/display/vidpn.hpp"

#include "drivers/win7/kmd/adapter/adapter.hpp"
#include "drivers/win7/kmd/display/video_signal.hpp"
#include "drivers/win7/kmd/display/vidpn_objects.hpp"

namespace aerogpu::kmd {

namespace {

/// Copies of what is pinned: nothing of the VidPN stays acquired.
struct pinned_modes {
  bool has_source = false, has_target = false;
  D3DKMDT_VIDPN_SOURCE_MODE source{};
  D3DKMDT_VIDPN_TARGET_MODE target{};
};

[[nodiscard]] auto is_ours(const D3DKMDT_VIDPN_PRESENT_PATH& path) noexcept -> bool {
  return path.VidPnSourceId == only_source && path.VidPnTargetId == only_target;
}

[[nodiscard]] auto is_identity(const D3DKMDT_VIDPN_PRESENT_PATH_TRANSFORMATION& transform) noexcept
    -> bool {
  const bool scales = transform.Scaling != D3DKMDT_VPPS_UNINITIALIZED &&
                      transform.Scaling != D3DKMDT_VPPS_IDENTITY &&
                      transform.Scaling != D3DKMDT_VPPS_UNPINNED &&
                      transform.Scaling != D3DKMDT_VPPS_NOTSPECIFIED;
  const bool rotates = transform.Rotation != D3DKMDT_VPPR_UNINITIALIZED &&
                       transform.Rotation != D3DKMDT_VPPR_IDENTITY &&
                       transform.Rotation != D3DKMDT_VPPR_UNPINNED &&
                       transform.Rotation != D3DKMDT_VPPR_NOTSPECIFIED;
  return !scales && !rotates;
}

[[nodiscard]] auto read_pinned(const vidpn& from, pinned_modes& pinned) noexcept -> NTSTATUS {
  mode_set<source_side> sources{from};
  NTSTATUS status = sources.acquire(only_source);
  if (!NT_SUCCESS(status)) return status;
  status = sources.pinned(pinned.source, pinned.has_source);
  if (!NT_SUCCESS(status)) return status;
  mode_set<target_side> targets{from};
  status = targets.acquire(only_target);
  if (!NT_SUCCESS(status)) return status;
  return targets.pinned(pinned.target, pinned.has_target);
}

[[nodiscard]] auto are_supported(const mode_list& modes, const pinned_modes& pinned) noexcept
    -> bool {
  if (pinned.has_source && !is_supported_source(modes, pinned.source)) return false;
  if (pinned.has_target && !is_supported_signal(modes, pinned.target.VideoSignalInfo)) return false;
  if (!pinned.has_source || !pinned.has_target) return true;
  return is_same_size(size_of(pinned.source), size_of(pinned.target.VideoSignalInfo));
}

/// Of a side that is not pinned: one mode that is ours is enough, and a set without modes is still
/// to be filled.
[[nodiscard]] auto offers_any(const vidpn& from, const mode_list& modes, const pinned_modes& pinned,
                              bool& is_supported) noexcept -> NTSTATUS {
  is_supported = true;
  if (!pinned.has_source) {
    mode_set<source_side> sources{from};
    NTSTATUS status = sources.acquire(only_source);
    if (!NT_SUCCESS(status)) return status;
    status = sources.any([&](const auto& mode) { return is_supported_source(modes, mode); },
                         is_supported);
    if (!NT_SUCCESS(status) || !is_supported) return status;
  }
  if (pinned.has_target) return STATUS_SUCCESS;
  mode_set<target_side> targets{from};
  const NTSTATUS status = targets.acquire(only_target);
  if (!NT_SUCCESS(status)) return status;
  return targets.any(
      [&](const auto& mode) { return is_supported_signal(modes, mode.VideoSignalInfo); },
      is_supported);
}

[[nodiscard]] auto judge(const adapter& adapter, const vidpn& asked, bool& is_supported) noexcept
    -> NTSTATUS {
  vidpn_topology topology;
  NTSTATUS status = topology.open(asked);
  if (!NT_SUCCESS(status)) return status;
  SIZE_T paths = 0;
  status = topology.count(paths);
  if (!NT_SUCCESS(status)) return status;
  is_supported = paths == 0;
  if (paths != 1) return STATUS_SUCCESS;
  D3DKMDT_VIDPN_PRESENT_PATH path{};
  bool has_path = false;
  status = topology.first_path(path, has_path);
  if (!NT_SUCCESS(status)) return status;
  if (!has_path || !is_ours(path) || !is_identity(path.ContentTransformation))
    return STATUS_SUCCESS;
  pinned_modes pinned;
  status = read_pinned(asked, pinned);
  if (!NT_SUCCESS(status)) return status;
  if (!are_supported(adapter.display.modes, pinned)) return STATUS_SUCCESS;
  return offers_any(asked, adapter.display.modes, pinned, is_supported);
}

/// Builds a set of what `add(set, mode, preference)` makes of each listed mode that has the other
/// side's size, and assigns it. An empty set is never assigned.
template <class Side, class Add>
[[nodiscard]] auto offer(const vidpn& to, const mode_list& modes, const display_mode* size,
                         Add&& add) noexcept -> NTSTATUS {
  mode_set<Side> offered{to};
  NTSTATUS status = offered.create(0);
  if (!NT_SUCCESS(status)) return status;
  bool is_first = true;
  for (const display_mode& mode : modes) {
    if (size != nullptr && !is_same_size(mode, *size)) continue;
    status = add(offered, mode, is_first ? D3DKMDT_MP_PREFERRED : D3DKMDT_MP_NOTPREFERRED);
    if (!NT_SUCCESS(status)) return status;
    is_first = false;
  }
  if (is_first) return STATUS_GRAPHICS_VIDPN_MODALITY_NOT_SUPPORTED;
  return offered.assign(0);
}

[[nodiscard]] auto offer_sources(const vidpn& to, const mode_list& modes,
                                 const display_mode* size) noexcept -> NTSTATUS {
  return offer<source_side>(to, modes, size, [](auto& set, const display_mode& mode, auto) {
    for (const D3DDDIFORMAT format : primary_formats) {
      const NTSTATUS status =
          set.add([&](D3DKMDT_VIDPN_SOURCE_MODE& out) { fill_source_mode(out, mode, format); });
      if (!NT_SUCCESS(status)) return status;
    }
    return STATUS_SUCCESS;
  });
}

[[nodiscard]] auto offer_targets(const vidpn& to, const mode_list& modes,
                                 const display_mode* size) noexcept -> NTSTATUS {
  return offer<target_side>(to, modes, size, [](auto& set, const display_mode& mode, auto rank) {
    return set.add([&](D3DKMDT_VIDPN_TARGET_MODE& out) {
      out.VideoSignalInfo = make_signal(mode);
      out.Preference = rank;
    });
  });
}

/// The pivot is what the others are to go with: its support stays.
[[nodiscard]] auto offer_transforms(const vidpn_topology& topology,
                                    D3DKMDT_VIDPN_PRESENT_PATH& path,
                                    D3DKMDT_ENUMCOFUNCMODALITY_PIVOT_TYPE pivot) noexcept
    -> NTSTATUS {
  auto& transform = path.ContentTransformation;
  const bool has_free_scaling =
      transform.Scaling == D3DKMDT_VPPS_UNPINNED && pivot != D3DKMDT_EPT_SCALING;
  const bool has_free_rotation =
      transform.Rotation == D3DKMDT_VPPR_UNPINNED && pivot != D3DKMDT_EPT_ROTATION;
  if (!has_free_scaling && !has_free_rotation) return STATUS_SUCCESS;
  if (has_free_scaling) {
    transform.ScalingSupport = {};
    transform.ScalingSupport.Identity = 1;
  }
  if (has_free_rotation) {
    transform.RotationSupport = {};
    transform.RotationSupport.Identity = 1;
  }
  return topology.calls->pfnUpdatePathSupportInfo(topology.handle, &path);
}

/// The one path of the topology; NT_SUCCESS without one when there is none.
[[nodiscard]] auto read_path(const vidpn_topology& topology, D3DKMDT_VIDPN_PRESENT_PATH& path,
                             bool& has_path) noexcept -> NTSTATUS {
  SIZE_T paths = 0;
  NTSTATUS status = topology.count(paths);
  if (!NT_SUCCESS(status)) return status;
  if (paths > 1) return STATUS_GRAPHICS_INVALID_VIDPN_TOPOLOGY;
  status = topology.first_path(path, has_path);
  if (!NT_SUCCESS(status) || !has_path) return status;
  if (!is_ours(path)) return STATUS_GRAPHICS_INVALID_VIDPN_TOPOLOGY;
  return is_identity(path.ContentTransformation) ? STATUS_SUCCESS : STATUS_NOT_SUPPORTED;
}

/// Whether the source is to be shown, and in which mode.
[[nodiscard]] auto read_committed(const adapter& adapter, D3DKMDT_HVIDPN which, bool& is_on,
                                  D3DKMDT_VIDPN_SOURCE_MODE& mode) noexcept -> NTSTATUS {
  is_on = false;
  if (which == nullptr) return STATUS_SUCCESS;
  vidpn committed;
  NTSTATUS status = committed.open(adapter, which);
  if (!NT_SUCCESS(status)) return status;
  vidpn_topology topology;
  status = topology.open(committed);
  if (!NT_SUCCESS(status)) return status;
  SIZE_T paths = 0;
  status = topology.calls->pfnGetNumPathsFromSource(topology.handle, only_source, &paths);
  if (status == STATUS_GRAPHICS_SOURCE_NOT_IN_TOPOLOGY) return STATUS_SUCCESS;
  if (!NT_SUCCESS(status) || paths == 0) return status;
  mode_set<source_side> sources{committed};
  status = sources.acquire(only_source);
  if (!NT_SUCCESS(status)) return status;
  return sources.pinned(mode, is_on);
}

}  // namespace

auto is_supported_vidpn(adapter& adapter, DXGKARG_ISSUPPORTEDVIDPN& args) noexcept -> NTSTATUS {
  args.IsVidPnSupported = FALSE;
  if (args.hDesiredVidPn == nullptr) {
    args.IsVidPnSupported = TRUE;
    return STATUS_SUCCESS;
  }
  vidpn asked;
  NTSTATUS status = asked.open(adapter, args.hDesiredVidPn);
  if (!NT_SUCCESS(status)) return status;
  bool is_supported = false;
  status = judge(adapter, asked, is_supported);
  if (!NT_SUCCESS(status)) return status;
  args.IsVidPnSupported = is_supported ? TRUE : FALSE;
  return STATUS_SUCCESS;
}

auto enum_cofunc_modality(adapter& adapter, const DXGKARG_ENUMVIDPNCOFUNCMODALITY& args) noexcept
    -> NTSTATUS {
  vidpn constraining;
  NTSTATUS status = constraining.open(adapter, args.hConstrainingVidPn);
  if (!NT_SUCCESS(status)) return status;
  vidpn_topology topology;
  status = topology.open(constraining);
  if (!NT_SUCCESS(status)) return status;
  D3DKMDT_VIDPN_PRESENT_PATH path{};
  bool has_path = false;
  status = read_path(topology, path, has_path);
  if (!NT_SUCCESS(status) || !has_path) return status;
  pinned_modes pinned;
  status = read_pinned(constraining, pinned);
  if (!NT_SUCCESS(status)) return status;
  const mode_list& modes = adapter.display.modes;
  if (!are_supported(modes, pinned)) return STATUS_GRAPHICS_VIDPN_MODALITY_NOT_SUPPORTED;

  const bool is_source_pivot =
      args.EnumPivotType == D3DKMDT_EPT_VIDPNSOURCE && args.EnumPivot.VidPnSourceId == only_source;
  const bool is_target_pivot =
      args.EnumPivotType == D3DKMDT_EPT_VIDPNTARGET && args.EnumPivot.VidPnTargetId == only_target;
  if (!pinned.has_source && !is_source_pivot) {
    const display_mode size = size_of(pinned.target.VideoSignalInfo);
    status = offer_sources(constraining, modes, pinned.has_target ? &size : nullptr);
    if (!NT_SUCCESS(status)) return status;
  }
  if (!pinned.has_target && !is_target_pivot) {
    const display_mode size = size_of(pinned.source);
    status = offer_targets(constraining, modes, pinned.has_source ? &size : nullptr);
    if (!NT_SUCCESS(status)) return status;
  }
  return offer_transforms(topology, path, args.EnumPivotType);
}

auto recommend_monitor_modes(adapter& adapter, const DXGKARG_RECOMMENDMONITORMODES& args) noexcept
    -> NTSTATUS {
  if (args.VideoPresentTargetId != only_target) return STATUS_GRAPHICS_INVALID_VIDEO_PRESENT_TARGET;
  if (args.pMonitorSourceModeSetInterface == nullptr) return STATUS_INVALID_PARAMETER;
  const mode_list& modes = adapter.display.modes;
  for (const display_mode& mode : modes) {
    const NTSTATUS status = add_mode<D3DKMDT_MONITOR_SOURCE_MODE>(
        args.hMonitorSourceModeSet, *args.pMonitorSourceModeSetInterface,
        [&](D3DKMDT_MONITOR_SOURCE_MODE& out) {
          out.VideoSignalInfo = make_signal(mode);
          out.ColorBasis = D3DKMDT_CB_SRGB;
          out.ColorCoeffDynamicRanges = {8, 8, 8, 8};
          out.Origin = D3DKMDT_MCO_DRIVER;
          out.Preference = mode == modes[0] ? D3DKMDT_MP_PREFERRED : D3DKMDT_MP_NOTPREFERRED;
        });
    if (!NT_SUCCESS(status)) return status;
  }
  return STATUS_SUCCESS;
}

auto commit_vidpn(adapter& adapter, const DXGKARG_COMMITVIDPN& args) noexcept -> NTSTATUS {
  if (args.AffectedVidPnSourceId != only_source && args.AffectedVidPnSourceId != D3DDDI_ID_ALL)
    return STATUS_GRAPHICS_INVALID_VIDEO_PRESENT_SOURCE;
  bool is_on = false;
  D3DKMDT_VIDPN_SOURCE_MODE mode{};
  const NTSTATUS status = read_committed(adapter, args.hFunctionalVidPn, is_on, mode);
  if (!NT_SUCCESS(status)) return status;
  if (!is_on) {
    adapter.display.scanout.set_visible(adapter, false);
    return STATUS_SUCCESS;
  }
  if (!is_displayable(adapter.display.modes, mode)) return STATUS_NOT_SUPPORTED;
  adapter.display.scanout.set_mode(adapter, scanout_mode_of(mode));
  return STATUS_SUCCESS;
}

auto update_present_path(adapter& adapter, const D3DKMDT_VIDPN_PRESENT_PATH& path) noexcept
    -> NTSTATUS {
  if (!is_ours(path)) return STATUS_GRAPHICS_PATH_NOT_IN_TOPOLOGY;
  if (!is_identity(path.ContentTransformation))
    return STATUS_GRAPHICS_PATH_CONTENT_GEOMETRY_TRANSFORMATION_NOT_SUPPORTED;
  return adapter.display.gamma.set(path.GammaRamp);
}

}  // namespace aerogpu::kmd
