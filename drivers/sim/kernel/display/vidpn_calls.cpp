// SPDX-License-Identifier: MIT
/// \file VidPNs and topologies through their interfaces.
#include "drivers/sim/kernel/display/vidpn_calls.hpp"

#include "drivers/sim/kernel/display/vidpn.hpp"

#include <algorithm>
#include <map>
#include <mutex>

namespace aerogpu::sim {

namespace {

struct object_table {
  std::mutex mutex;
  std::map<const void*, vidpn_kind> objects;
};

[[nodiscard]] auto objects() -> object_table& {
  static object_table table;
  return table;
}

}  // namespace

void remember_object(const void* object, vidpn_kind kind) {
  const std::lock_guard hold{objects().mutex};
  objects().objects[object] = kind;
}
void forget_object(const void* object) {
  const std::lock_guard hold{objects().mutex};
  objects().objects.erase(object);
}
auto is_object(const void* object, vidpn_kind kind) -> bool {
  const std::lock_guard hold{objects().mutex};
  const auto at = objects().objects.find(object);
  return at != objects().objects.end() && at->second == kind;
}

void refuse_vidpn(const char* text) noexcept {
  stop(stop_code::video_dxgkrnl_fatal_error, {0, 0, 0, 0}, text);
}

auto may_call(const char* what) noexcept -> bool {
  const bool is_level_right = require_at_most(passive_level, what);
  return !this_machine().faults.fails(fault_point::callback) && is_level_right;
}

/// What the interfaces' functions do; a friend of the manager.
struct vidpn_calls {
  template <class Handle>
  static auto find(Handle from) -> vidpn* {
    auto* const found = reinterpret_cast<vidpn*>(from);
    if (is_object(found, vidpn_kind::vidpn)) return found;
    refuse_vidpn("A VidPN's or topology's handle names none");
    return nullptr;
  }

  static auto APIENTRY topology(D3DKMDT_HVIDPN of, D3DKMDT_HVIDPNTOPOLOGY* handle,
                                const DXGK_VIDPNTOPOLOGY_INTERFACE** calls) -> NTSTATUS;

  // --- mode sets ---
  template <class Side>
  static auto APIENTRY acquire(D3DKMDT_HVIDPN from, UINT id, typename Side::handle* handle,
                               const typename Side::interface** calls) -> NTSTATUS {
    vidpn* const of = find(from);
    if (of == nullptr || handle == nullptr || calls == nullptr) return STATUS_INVALID_PARAMETER;
    if (!may_call("AcquireModeSet")) return STATUS_NO_MEMORY;
    const auto at = of->sets<Side>().assigned.find(id);
    if (at == of->sets<Side>().assigned.end()) return STATUS_GRAPHICS_SOURCE_NOT_IN_TOPOLOGY;
    ++at->second->acquired;
    *handle = at->second->handle();
    *calls = &mode_set_interface<Side>();
    return STATUS_SUCCESS;
  }
  template <class Side>
  static auto APIENTRY create(D3DKMDT_HVIDPN in, UINT id, typename Side::handle* handle,
                              const typename Side::interface** calls) -> NTSTATUS {
    vidpn* const of = find(in);
    if (of == nullptr || handle == nullptr || calls == nullptr) return STATUS_INVALID_PARAMETER;
    if (!may_call("CreateNewModeSet")) return STATUS_NO_MEMORY;
    *handle = of->manager->make_set<Side>(*of, id).handle();
    *calls = &mode_set_interface<Side>();
    return STATUS_SUCCESS;
  }
  template <class Side>
  static auto find_set(vidpn* of, typename Side::handle handle) -> mode_set<Side>* {
    auto* const set = reinterpret_cast<mode_set<Side>*>(handle);
    if (of != nullptr && is_object(set, kind_of<Side>) && set->owner == of) return set;
    refuse_vidpn("A mode set's handle names no set of this VidPN");
    return nullptr;
  }
  template <class Side>
  static auto APIENTRY release(D3DKMDT_HVIDPN from, typename Side::handle handle) -> NTSTATUS {
    static_cast<void>(require_at_most(passive_level, "ReleaseModeSet"));
    auto* const set = find_set<Side>(find(from), handle);
    if (set == nullptr) return STATUS_INVALID_PARAMETER;
    if (set->state == set_state::created) {
      set->state = set_state::released;
    } else if (set->acquired != 0) {
      --set->acquired;
    } else {
      refuse_vidpn("ReleaseModeSet releases a set that is not acquired");
      return STATUS_INVALID_PARAMETER;
    }
    if (set->acquired == 0 && set->holds() != 0)
      refuse_vidpn("A mode set is released while modes of it are acquired or new");
    return STATUS_SUCCESS;
  }
  template <class Side>
  static void check_assignment(vidpn& of, UINT id, const mode_set<Side>& set) {
    auto& rules = of.manager->rules_;
    if (set.added().empty()) return refuse_vidpn("An empty mode set is assigned");
    if (set.id != id) refuse_vidpn("A mode set is assigned to another side than it was made for");
    if (set.holds() != 1) refuse_vidpn("A mode set is assigned while modes of it are held");
    if (of.manager->is_pivot<Side>(id)) refuse_vidpn("The pivot's mode set is replaced");
    const auto at = of.sets<Side>().assigned.find(id);
    if (at == of.sets<Side>().assigned.end()) {
      refuse_vidpn("A mode set is assigned to a side outside the topology");
      return;
    }
    if (at->second->pinned) refuse_vidpn("A mode set with a pinned mode is replaced");
    if (at->second->acquired != 0) refuse_vidpn("A mode set is replaced that is still acquired");
    if (std::ranges::count(rules.assigned_sides, static_cast<const void*>(at->second)) != 0)
      refuse_vidpn("A side gets a mode set twice in one call");
    if constexpr (std::is_same_v<Side, source_modes>) {
      const auto modes = set.added();
      if (std::ranges::none_of(modes, [](const D3DKMDT_VIDPN_SOURCE_MODE& mode) {
            return mode.Format.Graphics.PixelFormat == D3DDDIFMT_A8R8G8B8;
          }))
        refuse_vidpn("A source is offered no A8R8G8B8: dxgkrnl would drop the primary in a loop");
    }
  }
  template <class Side>
  static auto APIENTRY assign(D3DKMDT_HVIDPN to, UINT id, typename Side::handle handle)
      -> NTSTATUS {
    vidpn* const of = find(to);
    auto* const set = find_set<Side>(of, handle);
    if (set == nullptr) return STATUS_INVALID_PARAMETER;
    if (!may_call("AssignModeSet")) return STATUS_NO_MEMORY;
    if (set->state != set_state::created) {
      refuse_vidpn("A mode set is assigned that is not new, or was assigned before");
      return STATUS_INVALID_PARAMETER;
    }
    check_assignment<Side>(*of, id, *set);
    auto& slot = of->sets<Side>().assigned[id];
    if (slot != nullptr) slot->state = set_state::replaced;
    slot = set;
    set->state = set_state::assigned;
    ++of->assignments;
    of->manager->rules_.assigned_sides.push_back(set);
    return STATUS_SUCCESS;
  }
  static auto APIENTRY assign_multisampling(D3DKMDT_HVIDPN to, UINT, SIZE_T count,
                                            const D3DDDI_MULTISAMPLINGMETHOD* methods) -> NTSTATUS {
    if (find(to) == nullptr || count == 0 || methods == nullptr) return STATUS_INVALID_PARAMETER;
    return may_call("AssignMultisamplingMethodSet") ? STATUS_SUCCESS : STATUS_NO_MEMORY;
  }

  // --- topology ---
  static auto APIENTRY count(D3DKMDT_HVIDPNTOPOLOGY of, SIZE_T* paths) -> NTSTATUS {
    vidpn* const in = find(of);
    if (in == nullptr || paths == nullptr) return STATUS_INVALID_PARAMETER;
    if (!may_call("GetNumPaths")) return STATUS_NO_MEMORY;
    *paths = static_cast<SIZE_T>(
        std::ranges::count_if(in->paths, [](const auto& one) { return !one->is_new; }));
    return STATUS_SUCCESS;
  }
  static auto APIENTRY count_from(D3DKMDT_HVIDPNTOPOLOGY of, UINT source, SIZE_T* paths)
      -> NTSTATUS {
    vidpn* const in = find(of);
    if (in == nullptr || paths == nullptr) return STATUS_INVALID_PARAMETER;
    if (!may_call("GetNumPathsFromSource")) return STATUS_NO_MEMORY;
    *paths = static_cast<SIZE_T>(std::ranges::count_if(in->paths, [&](const auto& one) {
      return !one->is_new && one->info.VidPnSourceId == source;
    }));
    const bool is_off = *paths == 0 && !in->manager->answers_source_off_with_success;
    return is_off ? STATUS_GRAPHICS_SOURCE_NOT_IN_TOPOLOGY : STATUS_SUCCESS;
  }
  static auto APIENTRY target_of(D3DKMDT_HVIDPNTOPOLOGY of, UINT source, SIZE_T index, UINT* target)
      -> NTSTATUS {
    vidpn* const in = find(of);
    if (in == nullptr || target == nullptr) return STATUS_INVALID_PARAMETER;
    if (!may_call("EnumPathTargetsFromSource")) return STATUS_NO_MEMORY;
    for (const auto& one : in->paths) {
      if (one->is_new || one->info.VidPnSourceId != source) continue;
      if (index-- != 0) continue;
      *target = one->info.VidPnTargetId;
      return STATUS_SUCCESS;
    }
    return STATUS_GRAPHICS_NO_MORE_ELEMENTS_IN_DATASET;
  }
  static auto APIENTRY source_of(D3DKMDT_HVIDPNTOPOLOGY of, UINT target, UINT* source) -> NTSTATUS {
    vidpn* const in = find(of);
    if (in == nullptr || source == nullptr) return STATUS_INVALID_PARAMETER;
    if (!may_call("GetPathSourceFromTarget")) return STATUS_NO_MEMORY;
    for (const auto& one : in->paths) {
      if (one->is_new || one->info.VidPnTargetId != target) continue;
      *source = one->info.VidPnSourceId;
      return STATUS_SUCCESS;
    }
    return STATUS_GRAPHICS_PATH_NOT_IN_TOPOLOGY;
  }
  static auto hand_out(vidpn& of, std::size_t index, const D3DKMDT_VIDPN_PRESENT_PATH** out,
                       NTSTATUS none) -> NTSTATUS {
    for (; index < of.paths.size(); ++index) {
      if (of.paths[index]->is_new) continue;
      ++of.paths[index]->acquired;
      *out = &of.paths[index]->info;
      return STATUS_SUCCESS;
    }
    return none;
  }
  static auto APIENTRY acquire_path(D3DKMDT_HVIDPNTOPOLOGY of, UINT source, UINT target,
                                    const D3DKMDT_VIDPN_PRESENT_PATH** out) -> NTSTATUS {
    vidpn* const in = find(of);
    if (in == nullptr || out == nullptr) return STATUS_INVALID_PARAMETER;
    *out = nullptr;
    if (!may_call("AcquirePathInfo")) return STATUS_NO_MEMORY;
    path_record* const path = in->find_path(source, target);
    if (path == nullptr) return STATUS_GRAPHICS_PATH_NOT_IN_TOPOLOGY;
    ++path->acquired;
    *out = &path->info;
    return STATUS_SUCCESS;
  }
  static auto APIENTRY first_path(D3DKMDT_HVIDPNTOPOLOGY of, const D3DKMDT_VIDPN_PRESENT_PATH** out)
      -> NTSTATUS {
    vidpn* const in = find(of);
    if (in == nullptr || out == nullptr) return STATUS_INVALID_PARAMETER;
    *out = nullptr;
    if (!may_call("AcquireFirstPathInfo")) return STATUS_NO_MEMORY;
    return hand_out(*in, 0, out, STATUS_GRAPHICS_DATASET_IS_EMPTY);
  }
  static auto APIENTRY next_path(D3DKMDT_HVIDPNTOPOLOGY of,
                                 const D3DKMDT_VIDPN_PRESENT_PATH* current,
                                 const D3DKMDT_VIDPN_PRESENT_PATH** out) -> NTSTATUS {
    vidpn* const in = find(of);
    if (in == nullptr || out == nullptr) return STATUS_INVALID_PARAMETER;
    *out = nullptr;
    if (!may_call("AcquireNextPathInfo")) return STATUS_NO_MEMORY;
    for (std::size_t i = 0; i < in->paths.size(); ++i) {
      if (&in->paths[i]->info != current) continue;
      if (in->paths[i]->acquired == 0)
        refuse_vidpn("AcquireNextPathInfo goes on from a path that is not acquired");
      return hand_out(*in, i + 1, out, STATUS_GRAPHICS_NO_MORE_ELEMENTS_IN_DATASET);
    }
    refuse_vidpn("AcquireNextPathInfo goes on from a path that the topology does not have");
    return STATUS_INVALID_PARAMETER;
  }
  static auto APIENTRY release_path(D3DKMDT_HVIDPNTOPOLOGY of,
                                    const D3DKMDT_VIDPN_PRESENT_PATH* path) -> NTSTATUS {
    static_cast<void>(require_at_most(passive_level, "ReleasePathInfo"));
    vidpn* const in = find(of);
    if (in == nullptr) return STATUS_INVALID_PARAMETER;
    const auto at =
        std::ranges::find_if(in->paths, [&](const auto& one) { return &one->info == path; });
    if (at == in->paths.end() || (!(*at)->is_new && (*at)->acquired == 0)) {
      refuse_vidpn("ReleasePathInfo releases a path that is not acquired");
      return STATUS_INVALID_PARAMETER;
    }
    if ((*at)->is_new)
      in->paths.erase(at);
    else
      --(*at)->acquired;
    return STATUS_SUCCESS;
  }
  static auto APIENTRY update_support(D3DKMDT_HVIDPNTOPOLOGY of,
                                      const D3DKMDT_VIDPN_PRESENT_PATH* path) -> NTSTATUS;
  static auto APIENTRY create_path(D3DKMDT_HVIDPNTOPOLOGY in, D3DKMDT_VIDPN_PRESENT_PATH** out)
      -> NTSTATUS {
    vidpn* const to = find(in);
    if (to == nullptr || out == nullptr) return STATUS_INVALID_PARAMETER;
    *out = nullptr;
    if (!may_call("CreateNewPathInfo")) return STATUS_NO_MEMORY;
    to->paths.push_back(std::make_unique<path_record>());
    to->paths.back()->is_new = true;
    *out = &to->paths.back()->info;
    return STATUS_SUCCESS;
  }
  static auto APIENTRY add_path(D3DKMDT_HVIDPNTOPOLOGY to, D3DKMDT_VIDPN_PRESENT_PATH* path)
      -> NTSTATUS {
    vidpn* const in = find(to);
    if (in == nullptr) return STATUS_INVALID_PARAMETER;
    if (!may_call("AddPath")) return STATUS_NO_MEMORY;
    if (in->manager->rules_.is_enumeration) refuse_vidpn("EnumVidPnCofuncModality adds a path");
    for (const auto& one : in->paths) {
      if (&one->info != path || !one->is_new) continue;
      one->is_new = false;
      in->manager->make_sides(*in, path->VidPnSourceId, path->VidPnTargetId);
      return STATUS_SUCCESS;
    }
    refuse_vidpn("AddPath adds a path that is not new");
    return STATUS_INVALID_PARAMETER;
  }
  static auto APIENTRY remove_path(D3DKMDT_HVIDPNTOPOLOGY from, UINT source, UINT target)
      -> NTSTATUS {
    vidpn* const in = find(from);
    if (in == nullptr) return STATUS_INVALID_PARAMETER;
    if (!may_call("RemovePath")) return STATUS_NO_MEMORY;
    if (in->manager->rules_.is_enumeration) refuse_vidpn("EnumVidPnCofuncModality removes a path");
    path_record* const path = in->find_path(source, target);
    if (path == nullptr) return STATUS_GRAPHICS_PATH_NOT_IN_TOPOLOGY;
    std::erase_if(in->paths, [&](const auto& one) { return one.get() == path; });
    return STATUS_SUCCESS;
  }

  // --- monitors ---
  static auto APIENTRY acquire_monitor(D3DKMDT_ADAPTER, UINT target,
                                       D3DKMDT_HMONITORSOURCEMODESET* handle,
                                       const DXGK_MONITORSOURCEMODESET_INTERFACE** calls)
      -> NTSTATUS;
  static auto APIENTRY release_monitor(D3DKMDT_ADAPTER, D3DKMDT_HMONITORSOURCEMODESET handle)
      -> NTSTATUS;
  static auto APIENTRY frequency_ranges(D3DKMDT_ADAPTER, UINT, D3DKMDT_HMONITORFREQUENCYRANGESET*,
                                        const DXGK_MONITORFREQUENCYRANGESET_INTERFACE**)
      -> NTSTATUS {
    return STATUS_NOT_SUPPORTED;
  }
  static auto APIENTRY descriptors(D3DKMDT_ADAPTER, UINT, D3DKMDT_HMONITORDESCRIPTORSET*,
                                   const DXGK_MONITORDESCRIPTORSET_INTERFACE**) -> NTSTATUS {
    return STATUS_NOT_SUPPORTED;
  }
};

auto vidpn_calls::update_support(D3DKMDT_HVIDPNTOPOLOGY of, const D3DKMDT_VIDPN_PRESENT_PATH* path)
    -> NTSTATUS {
  vidpn* const in = find(of);
  if (in == nullptr || path == nullptr) return STATUS_INVALID_PARAMETER;
  if (!may_call("UpdatePathSupportInfo")) return STATUS_NO_MEMORY;
  path_record* const own = in->find_path(path->VidPnSourceId, path->VidPnTargetId);
  if (own == nullptr) {
    refuse_vidpn("UpdatePathSupportInfo names a path that the topology does not have");
    return STATUS_GRAPHICS_PATH_NOT_IN_TOPOLOGY;
  }
  auto& now = own->info.ContentTransformation;
  const auto& asked = path->ContentTransformation;
  if (asked.Scaling != now.Scaling || asked.Rotation != now.Rotation)
    refuse_vidpn("UpdatePathSupportInfo changes a transform");
  const auto bits = [](const auto& support) { return std::bit_cast<std::uint32_t>(support); };
  const auto& pivot = in->manager->rules_.pivot;
  const bool changes_scaling = bits(asked.ScalingSupport) != bits(now.ScalingSupport);
  const bool changes_rotation = bits(asked.RotationSupport) != bits(now.RotationSupport);
  if (changes_scaling &&
      (now.Scaling != D3DKMDT_VPPS_UNPINNED || pivot.type == D3DKMDT_EPT_SCALING))
    refuse_vidpn("The support of a pinned or pivot scaling is changed");
  if (changes_rotation &&
      (now.Rotation != D3DKMDT_VPPR_UNPINNED || pivot.type == D3DKMDT_EPT_ROTATION))
    refuse_vidpn("The support of a pinned or pivot rotation is changed");
  now.ScalingSupport = asked.ScalingSupport;
  now.RotationSupport = asked.RotationSupport;
  return STATUS_SUCCESS;
}

namespace {

constexpr DXGK_VIDPNTOPOLOGY_INTERFACE topology_table{
    &vidpn_calls::count,       &vidpn_calls::count_from,     &vidpn_calls::target_of,
    &vidpn_calls::source_of,   &vidpn_calls::acquire_path,   &vidpn_calls::first_path,
    &vidpn_calls::next_path,   &vidpn_calls::update_support, &vidpn_calls::release_path,
    &vidpn_calls::create_path, &vidpn_calls::add_path,       &vidpn_calls::remove_path,
};
constexpr DXGK_VIDPN_INTERFACE vidpn_table{
    DXGK_VIDPN_INTERFACE_VERSION_V1,     &vidpn_calls::topology,
    &vidpn_calls::acquire<source_modes>, &vidpn_calls::release<source_modes>,
    &vidpn_calls::create<source_modes>,  &vidpn_calls::assign<source_modes>,
    &vidpn_calls::assign_multisampling,  &vidpn_calls::acquire<target_modes>,
    &vidpn_calls::release<target_modes>, &vidpn_calls::create<target_modes>,
    &vidpn_calls::assign<target_modes>,
};
constexpr DXGK_MONITOR_INTERFACE monitor_table{
    DXGK_MONITOR_INTERFACE_VERSION_V1, &vidpn_calls::acquire_monitor, &vidpn_calls::release_monitor,
    &vidpn_calls::frequency_ranges,    &vidpn_calls::descriptors,
};

/// The monitor sets are all of this kind, and there is one a manager.
[[nodiscard]] auto find_monitor(D3DKMDT_HMONITORSOURCEMODESET handle) -> mode_set<monitor_modes>* {
  auto* const set = reinterpret_cast<mode_set<monitor_modes>*>(handle);
  if (is_object(set, vidpn_kind::monitor_set)) return set;
  refuse_vidpn("A monitor's mode set handle names none");
  return nullptr;
}

}  // namespace

auto vidpn_calls::topology(D3DKMDT_HVIDPN of, D3DKMDT_HVIDPNTOPOLOGY* handle,
                           const DXGK_VIDPNTOPOLOGY_INTERFACE** calls) -> NTSTATUS {
  vidpn* const found = find(of);
  if (found == nullptr || handle == nullptr || calls == nullptr) return STATUS_INVALID_PARAMETER;
  if (!may_call("GetTopology")) return STATUS_NO_MEMORY;
  *handle = found->topology();
  *calls = &topology_table;
  return STATUS_SUCCESS;
}

auto vidpn_calls::acquire_monitor(D3DKMDT_ADAPTER adapter, UINT target,
                                  D3DKMDT_HMONITORSOURCEMODESET* handle,
                                  const DXGK_MONITORSOURCEMODESET_INTERFACE** calls) -> NTSTATUS {
  if (adapter == nullptr || handle == nullptr || calls == nullptr) return STATUS_INVALID_PARAMETER;
  if (!may_call("AcquireMonitorSourceModeSet")) return STATUS_NO_MEMORY;
  if (target != 0) return STATUS_GRAPHICS_INVALID_VIDEO_PRESENT_TARGET;
  auto* const manager = vidpn_manager::of(adapter);
  if (manager == nullptr) return STATUS_INVALID_PARAMETER;
  ++manager->monitor_.acquired;
  *handle = manager->monitor_.handle();
  *calls = &mode_set_interface<monitor_modes>();
  return STATUS_SUCCESS;
}

auto vidpn_calls::release_monitor(D3DKMDT_ADAPTER, D3DKMDT_HMONITORSOURCEMODESET handle)
    -> NTSTATUS {
  auto* const set = find_monitor(handle);
  if (set == nullptr) return STATUS_INVALID_PARAMETER;
  if (set->acquired == 0) {
    refuse_vidpn("ReleaseMonitorSourceModeSet releases a set that is not acquired");
    return STATUS_INVALID_PARAMETER;
  }
  --set->acquired;
  return STATUS_SUCCESS;
}

auto vidpn_interface() noexcept -> const DXGK_VIDPN_INTERFACE& {
  return vidpn_table;
}
auto monitor_interface() noexcept -> const DXGK_MONITOR_INTERFACE& {
  return monitor_table;
}

}  // namespace aerogpu::sim
