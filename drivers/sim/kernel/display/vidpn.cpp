// SPDX-License-Identifier: MIT
/// \file dxgkrnl's VidPN manager.
#include "drivers/sim/kernel/display/vidpn.hpp"

#include "drivers/sim/kernel/display/vidpn_calls.hpp"

#include <algorithm>
#include <map>
#include <mutex>

namespace aerogpu::sim {

namespace {

using table_type = DRIVER_INITIALIZATION_DATA;

/// Managers by what the driver calls the adapter in callbacks.
struct manager_table {
  std::mutex mutex;
  std::map<const void*, vidpn_manager*> managers;
};
[[nodiscard]] auto managers() -> manager_table& {
  static manager_table table;
  return table;
}

template <class Side>
[[nodiscard]] auto assigned_set(vidpn& of, std::uint32_t id) -> mode_set<Side>* {
  const auto& sets = of.sets<Side>().assigned;
  const auto at = sets.find(id);
  return at == sets.end() ? nullptr : at->second;
}

template <class Side>
void put_mode(vidpn& into, std::uint32_t id, const typename Side::mode& mode, bool is_pinned) {
  auto* const set = assigned_set<Side>(into, id);
  if (set == nullptr) return refuse_vidpn("A test puts a mode where there is no side");
  auto record = std::make_unique<typename mode_set<Side>::record>();
  record->info = mode;
  record->info.Id = record->id = set->next_id++;
  record->is_new = false;
  if (is_pinned) set->pinned = record->id;
  set->modes.push_back(std::move(record));
}

template <class Side, class Test>
[[nodiscard]] auto pin_if(vidpn& in, Test&& test) -> bool {
  auto* const set = assigned_set<Side>(in, 0);
  if (set == nullptr) return false;
  for (const auto& one : set->modes) {
    if (one->is_new || !test(one->info)) continue;
    set->pinned = one->id;
    return true;
  }
  return false;
}

/// Forgets what was held, so that the next call starts clean.
template <class Set>
void drop_holds(Set& set) {
  set.acquired = 0;
  if (set.state == set_state::created) set.state = set_state::released;
  std::erase_if(set.modes, [](const auto& one) { return one->is_new; });
  for (const auto& one : set.modes) one->acquired = 0;
}

}  // namespace

vidpn_manager::vidpn_manager(kernel& owner) : kernel_(owner) {
  monitor_.manager = this;
  monitor_.state = set_state::assigned;
  remember_object(&monitor_, vidpn_kind::monitor_set);
  kernel_.dxgk.query_vidpn = [](D3DKMDT_HVIDPN which, UINT, const DXGK_VIDPN_INTERFACE** table) {
    if (!is_object(which, vidpn_kind::vidpn)) return STATUS_GRAPHICS_INVALID_VIDPN;
    *table = &vidpn_interface();
    return STATUS_SUCCESS;
  };
  kernel_.dxgk.query_monitor = [](UINT, const DXGK_MONITOR_INTERFACE** table) {
    *table = &monitor_interface();
    return STATUS_SUCCESS;
  };
  const std::lock_guard hold{managers().mutex};
  managers().managers[&kernel_.dxgk] = this;
}

vidpn_manager::~vidpn_manager() {
  {
    const std::lock_guard hold{managers().mutex};
    managers().managers.erase(&kernel_.dxgk);
  }
  kernel_.dxgk.query_vidpn = nullptr;
  kernel_.dxgk.query_monitor = nullptr;
  forget_object(&monitor_);
  for (const auto& one : vidpns_) {
    for (const auto& set : one->sources.all) forget_object(set.get());
    for (const auto& set : one->targets.all) forget_object(set.get());
    forget_object(one.get());
  }
}

auto vidpn_manager::of(HANDLE adapter) -> vidpn_manager* {
  const std::lock_guard hold{managers().mutex};
  const auto at = managers().managers.find(adapter);
  return at == managers().managers.end() ? nullptr : at->second;
}

auto vidpn_manager::create() -> vidpn& {
  vidpns_.push_back(std::make_unique<vidpn>());
  vidpns_.back()->manager = this;
  remember_object(vidpns_.back().get(), vidpn_kind::vidpn);
  return *vidpns_.back();
}

auto vidpn_manager::create_usual() -> vidpn& {
  vidpn& made = create();
  add_path(made, 0, 0);
  return made;
}

template <class Side>
auto vidpn_manager::make_set(vidpn& of, std::uint32_t id) -> mode_set<Side>& {
  auto& sets = of.sets<Side>();
  sets.all.push_back(std::make_unique<mode_set<Side>>());
  mode_set<Side>& made = *sets.all.back();
  made.manager = of.manager;
  made.owner = &of;
  made.id = id;
  remember_object(&made, kind_of<Side>);
  return made;
}
template auto vidpn_manager::make_set<source_modes>(vidpn&, std::uint32_t)
    -> mode_set<source_modes>&;
template auto vidpn_manager::make_set<target_modes>(vidpn&, std::uint32_t)
    -> mode_set<target_modes>&;

void vidpn_manager::make_sides(vidpn& in, std::uint32_t source, std::uint32_t target) {
  if (auto& slot = in.sources.assigned[source]; slot == nullptr) {
    slot = &make_set<source_modes>(in, source);
    slot->state = set_state::assigned;
  }
  if (auto& slot = in.targets.assigned[target]; slot == nullptr) {
    slot = &make_set<target_modes>(in, target);
    slot->state = set_state::assigned;
  }
}

auto vidpn_manager::add_path(vidpn& to, std::uint32_t source, std::uint32_t target)
    -> path_record& {
  auto made = std::make_unique<path_record>();
  D3DKMDT_VIDPN_PRESENT_PATH& path = made->info;
  path.VidPnSourceId = source;
  path.VidPnTargetId = target;
  path.ImportanceOrdinal = D3DKMDT_VPPI_PRIMARY;
  path.ContentTransformation.Scaling = D3DKMDT_VPPS_UNPINNED;
  path.ContentTransformation.Rotation = D3DKMDT_VPPR_UNPINNED;
  path.VidPnTargetColorBasis = D3DKMDT_CB_SRGB;
  path.VidPnTargetColorCoeffDynamicRanges = {8, 8, 8, 8};
  path.Content = D3DKMDT_VPPC_GRAPHICS;
  path.CopyProtection.CopyProtectionType = D3DKMDT_VPPMT_NOPROTECTION;
  path.GammaRamp.Type = D3DDDI_GAMMARAMP_DEFAULT;
  to.paths.push_back(std::move(made));
  make_sides(to, source, target);
  return *to.paths.back();
}

void vidpn_manager::put(vidpn& into, std::uint32_t source, const D3DKMDT_VIDPN_SOURCE_MODE& mode,
                        bool is_pinned) {
  put_mode<source_modes>(into, source, mode, is_pinned);
}
void vidpn_manager::put(vidpn& into, std::uint32_t target, const D3DKMDT_VIDPN_TARGET_MODE& mode,
                        bool is_pinned) {
  put_mode<target_modes>(into, target, mode, is_pinned);
}

auto vidpn_manager::pin_source(vidpn& in, std::uint32_t width, std::uint32_t height,
                               D3DDDIFORMAT format) -> bool {
  return pin_if<source_modes>(in, [&](const D3DKMDT_VIDPN_SOURCE_MODE& mode) {
    const D3DKMDT_GRAPHICS_RENDERING_FORMAT& graphics = mode.Format.Graphics;
    return graphics.PrimSurfSize.cx == width && graphics.PrimSurfSize.cy == height &&
           graphics.PixelFormat == format;
  });
}

auto vidpn_manager::pin_target(vidpn& in, std::uint32_t width, std::uint32_t height) -> bool {
  return pin_if<target_modes>(in, [&](const D3DKMDT_VIDPN_TARGET_MODE& mode) {
    return mode.VideoSignalInfo.ActiveSize.cx == width &&
           mode.VideoSignalInfo.ActiveSize.cy == height;
  });
}

auto vidpn_manager::sources(vidpn& of) -> std::vector<D3DKMDT_VIDPN_SOURCE_MODE> {
  auto* const set = assigned_set<source_modes>(of, 0);
  return set == nullptr ? std::vector<D3DKMDT_VIDPN_SOURCE_MODE>{} : set->added();
}
auto vidpn_manager::targets(vidpn& of) -> std::vector<D3DKMDT_VIDPN_TARGET_MODE> {
  auto* const set = assigned_set<target_modes>(of, 0);
  return set == nullptr ? std::vector<D3DKMDT_VIDPN_TARGET_MODE>{} : set->added();
}

void vidpn_manager::hold_sets(vidpn& of) {
  for (const auto& [id, set] : of.sources.assigned) ++set->held_by_caller;
  for (const auto& [id, set] : of.targets.assigned) ++set->held_by_caller;
}

auto vidpn_manager::is_supported(vidpn* which, NTSTATUS* status) -> bool {
  constexpr BOOLEAN neither = 2;
  DXGKARG_ISSUPPORTEDVIDPN arguments{which == nullptr ? nullptr : which->handle(), neither};
  const NTSTATUS answer =
      kernel_.call(&table_type::DxgkDdiIsSupportedVidPn, kernel_.context(), &arguments);
  finish("IsSupportedVidPn");
  if (status != nullptr) *status = answer;
  if (NT_SUCCESS(answer) && arguments.IsVidPnSupported == neither)
    refuse_vidpn("IsSupportedVidPn succeeds without an answer");
  return NT_SUCCESS(answer) && arguments.IsVidPnSupported == TRUE;
}

auto vidpn_manager::enum_cofunc(vidpn& constraining, const enum_pivot& pivot) -> NTSTATUS {
  rules_.is_enumeration = true;
  rules_.pivot = pivot;
  const DXGKARG_ENUMVIDPNCOFUNCMODALITY arguments{
      constraining.handle(), pivot.type, {pivot.source, pivot.target}};
  const NTSTATUS status =
      kernel_.call(&table_type::DxgkDdiEnumVidPnCofuncModality, kernel_.context(), &arguments);
  finish("EnumVidPnCofuncModality");
  return status;
}

auto vidpn_manager::commit(vidpn* functional, std::uint32_t source) -> NTSTATUS {
  DXGKARG_COMMITVIDPN arguments{};
  arguments.hFunctionalVidPn = functional == nullptr ? nullptr : functional->handle();
  arguments.AffectedVidPnSourceId = source;
  arguments.MonitorConnectivityChecks = D3DKMDT_MCC_IGNORE;
  const std::uint32_t before = functional == nullptr ? 0 : functional->assignments;
  const NTSTATUS status =
      kernel_.call(&table_type::DxgkDdiCommitVidPn, kernel_.context(), &arguments);
  finish("CommitVidPn");
  if (functional != nullptr && functional->assignments != before)
    refuse_vidpn("CommitVidPn changes the VidPN that it commits");
  return status;
}

auto vidpn_manager::read_monitor() -> NTSTATUS {
  constexpr ULONG part_bytes = 32;
  for (ULONG offset = 0; offset < edid_.size(); offset += part_bytes) {
    DXGK_DEVICE_DESCRIPTOR part{offset, part_bytes, edid_.data() + offset};
    const NTSTATUS status =
        kernel_.call(&table_type::DxgkDdiQueryDeviceDescriptor, kernel_.context(), 0u, &part);
    if (!NT_SUCCESS(status)) return status;
  }
  monitor_.modes.clear();
  const DXGKARG_RECOMMENDMONITORMODES arguments{0, monitor_.handle(),
                                                &mode_set_interface<monitor_modes>()};
  const NTSTATUS status =
      kernel_.call(&table_type::DxgkDdiRecommendMonitorModes, kernel_.context(), &arguments);
  finish("RecommendMonitorModes");
  return status;
}

auto vidpn_manager::negotiate(std::uint32_t width, std::uint32_t height, D3DDDIFORMAT format)
    -> vidpn* {
  vidpn& made = create_usual();
  if (!is_supported(&made)) return nullptr;
  if (!NT_SUCCESS(enum_cofunc(made))) return nullptr;
  if (!pin_source(made, width, height, format)) return nullptr;
  if (!NT_SUCCESS(enum_cofunc(made, {D3DKMDT_EPT_VIDPNSOURCE, 0, 0}))) return nullptr;
  if (!pin_target(made, width, height)) return nullptr;
  auto& transform = made.paths.front()->info.ContentTransformation;
  if (transform.ScalingSupport.Identity == 0 || transform.RotationSupport.Identity == 0)
    return nullptr;
  transform.Scaling = D3DKMDT_VPPS_IDENTITY;
  transform.Rotation = D3DKMDT_VPPR_IDENTITY;
  if (!NT_SUCCESS(enum_cofunc(made))) return nullptr;
  return is_supported(&made) ? &made : nullptr;
}

auto vidpn_manager::holds() const noexcept -> std::uint32_t {
  std::uint32_t sum = monitor_.holds();
  for (const auto& one : vidpns_) sum += one->holds();
  return sum;
}

void vidpn_manager::finish(const char* what) {
  rules_ = {};
  const std::uint32_t left = holds();
  if (left == 0) return;
  stop(stop_code::video_dxgkrnl_fatal_error, {left, 0, 0, 0},
       (std::string{what} + " returns with something of a VidPN acquired or new").c_str());
  drop_holds(monitor_);
  for (const auto& one : vidpns_) {
    for (const auto& set : one->sources.all) drop_holds(*set);
    for (const auto& set : one->targets.all) drop_holds(*set);
    std::erase_if(one->paths, [](const auto& path) { return path->is_new; });
    for (const auto& path : one->paths) path->acquired = 0;
  }
}

template <class Side>
auto vidpn_manager::is_pivot(std::uint32_t id) const noexcept -> bool {
  if constexpr (std::is_same_v<Side, source_modes>)
    return rules_.pivot.type == D3DKMDT_EPT_VIDPNSOURCE && rules_.pivot.source == id;
  else
    return rules_.pivot.type == D3DKMDT_EPT_VIDPNTARGET && rules_.pivot.target == id;
}
template auto vidpn_manager::is_pivot<source_modes>(std::uint32_t) const noexcept -> bool;
template auto vidpn_manager::is_pivot<target_modes>(std::uint32_t) const noexcept -> bool;

}  // namespace aerogpu::sim
