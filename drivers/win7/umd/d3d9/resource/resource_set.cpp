#include "drivers/win7/umd/d3d9/resource/resource_set.hpp"

namespace aerogpu::umd {

void resource_set::insert(resource& made) noexcept {
  made.previous = nullptr;
  made.next = first_;
  if (first_ != nullptr) first_->previous = &made;
  first_ = &made;
  ++size_;
}

void resource_set::remove(resource& gone) noexcept {
  (gone.previous != nullptr ? gone.previous->next : first_) = gone.next;
  if (gone.next != nullptr) gone.next->previous = gone.previous;
  gone.next = nullptr;
  gone.previous = nullptr;
  --size_;
}

}  // namespace aerogpu::umd
