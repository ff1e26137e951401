// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/front_u/kernel_fences.hpp"

#include <algorithm>

namespace aerogpu::umd::front_u {

namespace {

class guard {
 public:
  explicit guard(os::mutex& mutex) noexcept : mutex_(mutex) { mutex_.lock(); }
  guard(const guard&) = delete;
  auto operator=(const guard&) -> guard& = delete;
  ~guard() { mutex_.unlock(); }

 private:
  os::mutex& mutex_;
};

}  // namespace

void kernel_fences::note(fence_value which, std::uint64_t value) noexcept {
  const guard held{mutex_};
  last_value_ = std::max(last_value_, value);
  const entry added{raw(which), last_value_};
  if (count_ == most_pending) {
    at(count_ - 1) = added;
    return;
  }
  at(count_++) = added;
}

auto kernel_fences::finished_by(std::uint64_t value) noexcept -> fence_value {
  const guard held{mutex_};
  while (count_ != 0 && at(0).value <= value) {
    finished_ = at(0).which;
    first_ = (first_ + 1) % most_pending;
    --count_;
  }
  return fence_value{finished_};
}

auto kernel_fences::value_of(fence_value which) noexcept -> std::uint64_t {
  const guard held{mutex_};
  if (raw(which) <= finished_) return 0;
  for (std::size_t i = 0; i < count_; ++i) {
    if (at(i).which >= raw(which)) return at(i).value;
  }
  return last_value_;
}

auto kernel_fences::oldest_pending() noexcept -> fence_value {
  const guard held{mutex_};
  return fence_value{count_ == 0 ? 0 : at(0).which};
}

auto kernel_fences::last_value() noexcept -> std::uint64_t {
  const guard held{mutex_};
  return last_value_;
}

}  // namespace aerogpu::umd::front_u
