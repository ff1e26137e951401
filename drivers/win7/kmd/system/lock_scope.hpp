// SPDX-License-Identifier: MIT
/// \file A spin lock held for as long as a scope.
#pragma once

#include "drivers/win7/kmd/system/os.hpp"

namespace aerogpu::kmd {

/// DISPATCH or below.
class lock_scope {
 public:
  explicit lock_scope(os::spin_lock& lock) noexcept : lock_(lock), before_(os::acquire(lock)) {}
  ~lock_scope() { os::release(lock_, before_); }
  lock_scope(const lock_scope&) = delete;
  auto operator=(const lock_scope&) -> lock_scope& = delete;

 private:
  os::spin_lock& lock_;
  os::irql before_;
};

}  // namespace aerogpu::kmd
