// SPDX-License-Identifier: MIT
#include "drivers/wine/d3d9/resource/byte_store.hpp"

#include "drivers/wine/d3d9/resource/device_resources.hpp"
#include "drivers/wine/d3d9/resource/lock_flags.hpp"
#include "drivers/wine/d3d9/root/device.hpp"

#include <algorithm>

namespace aerogpu::d3d9 {

byte_store::~byte_store() {
  set_locks(0);
  if (video_ != nullptr) static_cast<void>(owner_.below.release(video_));
  if (system_ != nullptr) static_cast<void>(owner_.below.release(system_));
}

auto byte_store::create() -> HRESULT {
  if (shape_.pool == D3DPOOL_DEFAULT) return make_video();
  auto wanted = shape_;
  wanted.pool = D3DPOOL_SYSTEMMEM;
  dirty_ = {0, shape_.width};
  return owner_.resources->make(wanted, system_);
}

auto byte_store::make_video() -> HRESULT {
  auto wanted = shape_;
  wanted.pool = D3DPOOL_DEFAULT;
  return owner_.resources->make_video(wanted, video_);
}

void byte_store::count_change() const {
  owner_.resources->count_change();
}

auto byte_store::lock(UINT offset, UINT bytes, void*& data, DWORD flags) -> HRESULT {
  const auto total = shape_.width;
  if (offset > total) return D3DERR_INVALIDCALL;
  flags = usable_lock_flags(shape_.usage, flags);
  // Windows looks at where a range ends only in its debug runtime.
  const range wanted{offset, bytes != 0 ? offset + std::min(bytes, total - offset) : total};
  if (system_ == nullptr) return lock_video(wanted, data, flags);
  data = system_->subresources[0].memory.data() + offset;
  set_locks(locks_ + 1);
  if ((flags & D3DLOCK_READONLY) != 0 || wanted.begin == wanted.end) return S_OK;
  const bool was_clean = dirty_.begin == dirty_.end;
  dirty_ = was_clean
               ? wanted
               : range{std::min(dirty_.begin, wanted.begin), std::max(dirty_.end, wanted.end)};
  count_change();
  return S_OK;
}

/// A second lock makes the driver's a larger one: its memory stays where it is.
auto byte_store::lock_video(const range& wanted, void*& data, DWORD flags) -> HRESULT {
  auto next = wanted;
  auto next_flags = flags;
  if (locks_ != 0) {
    next = {std::min(locked_.begin, wanted.begin), std::max(locked_.end, wanted.end)};
    next_flags = (lock_flags_ & flags & D3DLOCK_READONLY) | flags_of_further_lock();
    if (const auto ended = end_video_lock(); FAILED(ended)) return ended;
  }
  void* begin = nullptr;
  if (const auto result = start_video_lock(next, begin, next_flags); FAILED(result)) return result;
  set_locks(locks_ + 1);
  data = static_cast<std::byte*>(begin) + (wanted.begin - next.begin);
  return S_OK;
}

auto byte_store::start_video_lock(const range& wanted, void*& data, DWORD flags) -> HRESULT {
  const auto lock = [&] {
    return owner_.below.lock(*video_, wanted.begin, wanted.end - wanted.begin, data, flags);
  };
  const auto result = owner_.wait_for(lock, (flags & D3DLOCK_DONOTWAIT) == 0);
  if (owner_.hides_loss(result)) {
    lost_memory_.resize(shape_.width);
    data = lost_memory_.data() + wanted.begin;
  } else if (FAILED(result)) {
    set_locks(0);
    return owner_.on_failure(result);
  }
  locked_ = wanted;
  lock_flags_ = flags;
  return S_OK;
}

auto byte_store::end_video_lock() -> HRESULT {
  const auto ended = unlock_video();
  if (FAILED(ended)) set_locks(0);
  return ended;
}

auto byte_store::unlock_video() -> HRESULT {
  if (!lost_memory_.empty()) return S_OK;
  const auto ended = owner_.below.unlock(*video_);
  return owner_.hides_loss(ended) ? S_OK : ended;
}

auto byte_store::flags_of_further_lock() const noexcept -> DWORD {
  return (shape_.usage & D3DUSAGE_DYNAMIC) != 0 ? D3DLOCK_NOOVERWRITE : 0;
}

/// The driver sends what was written when a lock ends, and the program writes on where it did.
auto byte_store::send_locked() -> HRESULT {
  if ((lock_flags_ & D3DLOCK_READONLY) != 0) return S_OK;
  if (const auto ended = end_video_lock(); FAILED(ended)) return ended;
  void* same = nullptr;
  return start_video_lock(locked_, same, flags_of_further_lock());
}

auto byte_store::unlock() -> HRESULT {
  if (locks_ == 0) return S_OK;
  set_locks(locks_ - 1);
  if (locks_ != 0) return S_OK;
  if (system_ == nullptr) {
    const auto ended = unlock_video();
    lost_memory_ = {};
    return ended;
  }
  if (dirty_.begin != dirty_.end) count_change();
  return S_OK;
}

void byte_store::set_locks(UINT count) noexcept {
  if (is_locked() != (count != 0)) owner_.resources->note_locked_buffer(count != 0);
  locks_ = count;
}

auto byte_store::prepare() -> HRESULT {
  if (system_ == nullptr) return is_locked() ? send_locked() : S_OK;
  if (video_ == nullptr) {
    if (const auto made = make_video(); FAILED(made)) return made;
    dirty_ = {0, shape_.width};
  }
  if (dirty_.begin == dirty_.end) return S_OK;
  const auto sent = owner_.wait_for([&] {
    return owner_.below.update_buffer(*system_, dirty_.begin, dirty_.end - dirty_.begin, *video_,
                                      dirty_.begin);
  });
  // Who holds a lock may write on.
  if (SUCCEEDED(sent) && !is_locked()) dirty_ = {};
  return sent;
}

auto byte_store::evict() -> bool {
  if (system_ == nullptr || video_ == nullptr) return false;
  static_cast<void>(owner_.below.release(video_));
  count_change();
  return true;
}

}  // namespace aerogpu::d3d9
