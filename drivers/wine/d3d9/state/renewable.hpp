// SPDX-License-Identifier: MIT
/// \file Objects of the API that outlive the driver's device and have something of it.
#pragma once

#include "drivers/win7/ddi/user/d3dumddi.hpp"

#include <set>

namespace aerogpu::d3d9 {

class renewable;
using renewable_set = std::set<renewable*>;

/// Shaders, declarations, queries: a Reset after a timeout makes theirs anew on another device.
class renewable {
 public:
  explicit renewable(renewable_set& in) : in_(in) { in_.insert(this); }
  renewable(const renewable&) = delete;
  auto operator=(const renewable&) -> renewable& = delete;

  /// What the driver had of it is gone.
  [[nodiscard]] virtual auto renew() -> HRESULT = 0;

 protected:
  ~renewable() { in_.erase(this); }

 private:
  renewable_set& in_;
};

}  // namespace aerogpu::d3d9
