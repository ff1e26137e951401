// SPDX-License-Identifier: MIT
#include "drivers/wine/d3d9/resource/texel_store.hpp"

#include "drivers/wine/d3d9/resource/creation_rules.hpp"
#include "drivers/wine/d3d9/resource/device_resources.hpp"
#include "drivers/wine/d3d9/resource/lock_flags.hpp"
#include "drivers/wine/d3d9/resource/rectangles.hpp"
#include "drivers/wine/d3d9/root/device.hpp"
#include "drivers/wine/d3d9/root/direct3d.hpp"

#include <algorithm>
#include <utility>

namespace aerogpu::d3d9 {

texel_store::texel_store(device& of, const sim::d3d9_surface& lent,
                         const sim::resource_description& shape)
    : owner_(of), shape_(shape), locks_(1), is_lent_(true) {
  lend(lent);
}

texel_store::texel_store(device& of, const sim::resource_description& shape)
    : owner_(of), shape_(shape) {}

texel_store::~texel_store() {
  if (is_lent_) return;
  if (video_ != nullptr) static_cast<void>(owner_.below.release(video_));
  if (system_ != nullptr) static_cast<void>(owner_.below.release(system_));
}

auto texel_store::memory() const noexcept -> sim::d3d9_resource* {
  return system_ != nullptr ? system_ : own_.get();
}

auto texel_store::described() const noexcept -> const sim::d3d9_resource* {
  const auto* const held = memory();
  return held != nullptr ? held : video_;
}

auto texel_store::part(UINT index) const -> const sim::subresource& {
  const auto& from = *described();
  if (is_lent_) return from.subresources[lent_part_];
  // The driver's resource may have levels that the API does not show.
  const auto levels = shape_.levels;
  return from.subresources[index / levels * from.description.levels + index % levels];
}

auto texel_store::part_count() const noexcept -> UINT {
  return static_cast<UINT>(locks_.size());
}

auto texel_store::place(UINT index) const noexcept -> sim::d3d9_surface {
  if (shape_.pool == D3DPOOL_SYSTEMMEM) return {system_, index};
  if (shape_.pool != D3DPOOL_DEFAULT || video_ == nullptr) return {};
  if (is_lent_) return {video_, lent_part_};
  const auto levels = shape_.levels;
  return {video_, index / levels * video_->description.levels + index % levels};
}

auto texel_store::create(void* user_memory) -> HRESULT {
  const bool wants_levels = (shape_.usage & D3DUSAGE_AUTOGENMIPMAP) != 0;
  if (wants_levels) {
    const auto operations = operations_of(owner_.resources->formats(), shape_.format);
    generates_levels_ = (operations & FORMATOP_AUTOGENMIPMAP) != 0;
    shape_.levels = 1;
  }
  const auto made = shape_.pool == D3DPOOL_DEFAULT ? make_video() : make_memory(user_memory);
  if (FAILED(made)) return made;
  const auto& from = *described();
  if (shape_.levels == 0) shape_.levels = from.description.levels;
  locks_.resize(std::size_t{from.faces()} * shape_.levels);
  dirty_.resize(memory() != nullptr ? locks_.size() : 0);
  mark_all_dirty();
  return S_OK;
}

auto texel_store::make_memory(void* user_memory) -> HRESULT {
  auto wanted = shape_;
  wanted.pool = D3DPOOL_SYSTEMMEM;
  wanted.usage = shape_.usage & D3DUSAGE_DYNAMIC;
  wanted.is_lockable = 1;
  const bool is_of_driver = shape_.pool != D3DPOOL_SCRATCH && shape_.type != D3DRTYPE_VOLUMETEXTURE;
  if (is_of_driver) return owner_.resources->make(wanted, system_, user_memory);
  own_ = std::make_unique<sim::d3d9_resource>();
  own_->description = wanted;
  return sim::lay_out(*own_) ? S_OK : D3DERR_INVALIDCALL;
}

/// Of memory, the levels that are sampled.
auto texel_store::make_video() -> HRESULT {
  auto wanted = shape_;
  wanted.pool = D3DPOOL_DEFAULT;
  if (generates_levels_) {
    wanted.levels = 0;
  } else {
    wanted.usage &= ~D3DUSAGE_AUTOGENMIPMAP;
  }
  if (memory() != nullptr) {
    const auto& top = part(least_level_);
    wanted.width = top.width;
    wanted.height = top.height;
    if (!generates_levels_) wanted.levels = shape_.levels - least_level_;
    wanted.is_lockable = 0;
  }
  const auto made = owner_.resources->make_video(wanted, video_);
  needs_levels_ = generates_levels_;
  return made;
}

auto texel_store::publish(HANDLE& share) -> HRESULT {
  share_ = owner_.parent->in.windows.shares().publish(video_->share);
  if (share_ == nullptr) return E_OUTOFMEMORY;
  share = share_->handle();
  return S_OK;
}

auto texel_store::open(HANDLE share) -> HRESULT {
  const auto known = owner_.parent->in.windows.shares().find(share);
  if (known == 0) return D3DERR_INVALIDCALL;
  const auto opened = owner_.below.open_shared(known, video_);
  if (FAILED(opened)) return opened;
  const auto& found = video_->description;
  const bool is_same = found.format == shape_.format && found.width == shape_.width &&
                       found.height == shape_.height && found.type == shape_.type;
  // A target of this device alone would be none to the driver.
  constexpr DWORD drawn_to = D3DUSAGE_RENDERTARGET | D3DUSAGE_DEPTHSTENCIL;
  const bool is_target = (shape_.usage & drawn_to & ~found.usage) == 0;
  if (!is_same || !is_target) {
    static_cast<void>(owner_.below.release(video_));
    return D3DERR_INVALIDCALL;
  }
  locks_.resize(1);
  return S_OK;
}

auto texel_store::is_lockable() const noexcept -> bool {
  return shape_.pool != D3DPOOL_DEFAULT || shape_.is_lockable != 0;
}

auto texel_store::has_locks() const -> bool {
  return std::any_of(locks_.begin(), locks_.end(), [](std::uint8_t one) { return one != 0; });
}

auto texel_store::check_lock(UINT index, DWORD flags) const -> HRESULT {
  constexpr DWORD known = D3DLOCK_READONLY | D3DLOCK_DISCARD | D3DLOCK_NOOVERWRITE |
                          D3DLOCK_NOSYSLOCK | D3DLOCK_DONOTWAIT | D3DLOCK_NO_DIRTY_UPDATE;
  constexpr DWORD contradiction = D3DLOCK_READONLY | D3DLOCK_DISCARD;
  if (!is_lockable() || has_context_ || locks_[index] != 0 || described() == nullptr)
    return D3DERR_INVALIDCALL;
  const bool is_known = (flags & ~known) == 0 && (flags & contradiction) != contradiction;
  return is_known ? S_OK : D3DERR_INVALIDCALL;
}

/// In system memory any rectangle is taken: of blocks by every Windows, of other texels by Windows
/// XP, on which programs rely.
auto texel_store::is_area_allowed(UINT index, const RECT& area) const -> bool {
  if (memory() != nullptr) return true;
  const auto layout = sim::layout_of(shape_.format);
  const auto& at = part(index);
  return is_inside(area, at.width, at.height) && is_aligned(area, layout, at.width, at.height);
}

auto texel_store::lock(UINT index, D3DLOCKED_RECT& locked, const RECT* area, DWORD flags)
    -> HRESULT {
  if (const auto bad = check_lock(index, flags); FAILED(bad)) return bad;
  const auto& at = part(index);
  const auto chosen = area != nullptr ? *area : whole_of(at.width, at.height);
  if (area != nullptr && !is_area_allowed(index, chosen)) return D3DERR_INVALIDCALL;
  if (memory() != nullptr) {
    locked = {static_cast<INT>(at.pitch_bytes),
              sim::address_of(at, sim::layout_of(shape_.format), chosen.left, chosen.top)};
    if ((flags & (D3DLOCK_READONLY | D3DLOCK_NO_DIRTY_UPDATE)) == 0) note_lock(index, chosen);
  } else {
    if (const auto failed = lock_video(index, locked, area, flags); FAILED(failed)) return failed;
    if ((flags & D3DLOCK_READONLY) == 0) note_written(index);
  }
  locks_[index] = 1;
  return S_OK;
}

auto texel_store::lock_video(UINT index, D3DLOCKED_RECT& locked, const RECT* area, DWORD flags)
    -> HRESULT {
  D3DLOCKED_RECT made{};
  const auto usable = usable_lock_flags(shape_.usage, flags);
  const auto lock = [&] { return owner_.below.lock_rect(place(index), made, area, usable); };
  const auto result = owner_.wait_for(lock, (usable & D3DLOCK_DONOTWAIT) == 0);
  if (owner_.hides_loss(result)) {
    made = lock_lost(index, area);
  } else if (FAILED(result)) {
    return owner_.on_failure(result);
  }
  locked = made;
  return S_OK;
}

/// Memory that nobody reads.
auto texel_store::lock_lost(UINT index, const RECT* area) -> D3DLOCKED_RECT {
  auto at = part(index);
  lost_memory_.resize(locks_.size());
  lost_memory_[index].resize(std::size_t{at.slice_pitch_bytes} * at.depth);
  at.memory = lost_memory_[index];
  const auto corner = area != nullptr ? POINT{area->left, area->top} : POINT{0, 0};
  return {static_cast<INT>(at.pitch_bytes),
          sim::address_of(at, sim::layout_of(shape_.format), corner.x, corner.y)};
}

/// Volumes are in system memory alone.
auto texel_store::lock_box(UINT index, D3DLOCKED_BOX& locked, const D3DBOX* box, DWORD flags)
    -> HRESULT {
  if (const auto bad = check_lock(index, flags); FAILED(bad)) return bad;
  const auto layout = sim::layout_of(shape_.format);
  const auto& at = part(index);
  const auto chosen = box != nullptr ? *box : D3DBOX{0, 0, at.width, at.height, 0, at.depth};
  const bool has_depth = chosen.Front < chosen.Back && chosen.Back <= at.depth;
  const bool has_area = chosen.Left < chosen.Right && chosen.Right <= at.width &&
                        chosen.Top < chosen.Bottom && chosen.Bottom <= at.height;
  const RECT area{static_cast<LONG>(chosen.Left), static_cast<LONG>(chosen.Top),
                  static_cast<LONG>(chosen.Right), static_cast<LONG>(chosen.Bottom)};
  if (!has_depth || !has_area || !is_aligned(area, layout, at.width, at.height))
    return D3DERR_INVALIDCALL;
  locked = {static_cast<INT>(at.pitch_bytes), static_cast<INT>(at.slice_pitch_bytes),
            sim::address_of(at, layout, area.left, area.top, static_cast<LONG>(chosen.Front))};
  locks_[index] = 1;
  return S_OK;
}

auto texel_store::unlock(UINT index) -> HRESULT {
  if (std::exchange(locks_[index], std::uint8_t{0}) == 0) return D3DERR_INVALIDCALL;
  if ((is_dirty_ && shape_.pool == D3DPOOL_MANAGED) || needs_levels_) count_change();
  if (memory() != nullptr) return S_OK;
  if (!lost_memory_.empty() && !std::exchange(lost_memory_[index], {}).empty()) return S_OK;
  const auto ended = owner_.below.unlock_rect(place(index));
  return owner_.hides_loss(ended) ? S_OK : ended;
}

void texel_store::count_change() const {
  owner_.resources->count_change();
}

/// Blocks are dirty whole, and all is where nobody knows what was written.
void texel_store::mark_dirty(UINT index, const RECT& area) {
  const auto& at = part(index);
  const auto known = is_inside(area, at.width, at.height) ? area : whole_of(at.width, at.height);
  const auto blocks = widen_to_blocks(known, sim::layout_of(shape_.format), at.width, at.height);
  dirty_[index] = unite(dirty_[index], blocks);
  // UpdateTexture copies what is dirty of the top level, and what lies below it.
  if (index % shape_.levels == 0) {
    auto& top = memory()->dirty[index / shape_.levels];
    top = unite(top, blocks);
  }
  is_dirty_ = true;
  if (shape_.pool == D3DPOOL_MANAGED) count_change();
}

void texel_store::mark_all_dirty() {
  for (UINT i = 0; i < dirty_.size(); ++i) {
    const auto& at = part(i);
    mark_dirty(i, whole_of(at.width, at.height));
  }
}

/// Direct3D 9 takes what lies below a part of the top level for dirty as well.
void texel_store::note_lock(UINT index, const RECT& area) {
  if (index % shape_.levels != 0) return mark_dirty(index, area);
  const auto& at = part(index);
  const bool is_known = is_inside(area, at.width, at.height);
  add_dirty_rect(index / shape_.levels, is_known ? &area : nullptr);
}

void texel_store::add_dirty_rect(UINT face, const RECT* area) {
  if (memory() == nullptr) return;
  for (UINT level = 0; level < shape_.levels; ++level) {
    const auto index = face * shape_.levels + level;
    const auto& at = part(index);
    mark_dirty(index, area != nullptr ? level_area(*area, level) : whole_of(at.width, at.height));
  }
}

void texel_store::note_written(UINT index) {
  if (generates_levels_) {
    needs_levels_ = true;
    count_change();
  }
  if (memory() == nullptr) return;
  const auto& at = part(index);
  mark_dirty(index, whole_of(at.width, at.height));
}

auto texel_store::upload(UINT index) -> HRESULT {
  const auto levels = shape_.levels;
  const auto level = index % levels;
  if (level < least_level_) return S_OK;
  const auto area = dirty_[index];
  const auto face = index / levels;
  const sim::d3d9_surface to{video_, face * video_->description.levels + level - least_level_};
  const POINT where{area.left, area.top};
  const auto result = owner_.wait_for([&] {
    return owner_.below.update_surface({system_, index}, &area, to, &where);
  });
  // Who holds a lock may write on.
  if (SUCCEEDED(result) && locks_[index] == 0) dirty_[index] = {};
  return result;
}

auto texel_store::prepare() -> HRESULT {
  if (shape_.pool == D3DPOOL_MANAGED && (is_dirty_ || video_ == nullptr)) {
    if (video_ == nullptr) {
      mark_all_dirty();
      if (const auto made = make_video(); FAILED(made)) return made;
    }
    for (UINT i = 0; i < dirty_.size(); ++i) {
      if (is_empty(dirty_[i])) continue;
      if (const auto sent = upload(i); FAILED(sent)) return sent;
      needs_levels_ = generates_levels_;
    }
    is_dirty_ = has_locks();
  }
  return needs_levels_ ? generate_levels() : S_OK;
}

auto texel_store::evict() -> bool {
  if (memory() == nullptr || video_ == nullptr) return false;
  static_cast<void>(owner_.below.release(video_));
  count_change();
  return true;
}

void texel_store::set_least_level(UINT level) {
  if (std::exchange(least_level_, level) != level) static_cast<void>(evict());
}

void texel_store::set_generation_filter(D3DTEXTUREFILTERTYPE filter) {
  if (std::exchange(generation_filter_, filter) == filter || !generates_levels_) return;
  needs_levels_ = true;
  count_change();
}

auto texel_store::generate_levels() -> HRESULT {
  if (!generates_levels_ || video_ == nullptr) return S_OK;
  // What is locked in video memory may still be written: its levels come with the next draw.
  if (memory() == nullptr && has_locks()) return S_OK;
  const auto filter = generation_filter_ == D3DTEXF_POINT ? D3DTEXF_POINT : D3DTEXF_LINEAR;
  const auto result =
      owner_.wait_for([&] { return owner_.below.generate_mip_sub_levels(*video_, filter); });
  needs_levels_ = FAILED(result);
  return result;
}

}  // namespace aerogpu::d3d9
