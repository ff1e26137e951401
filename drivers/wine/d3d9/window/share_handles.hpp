// SPDX-License-Identifier: MIT
/// \file What a program holds of a shared resource: the kernel's number, or an object of the system
/// that stands for it.
#pragma once

#include "drivers/win7/ddi/user/d3dumddi.hpp"

#include <cstdint>
#include <memory>

namespace aerogpu::d3d9 {

/// What `*pSharedHandle` is for as long as this lives.
class published_share {
 public:
  explicit published_share(HANDLE handle) : handle_(handle) {}
  virtual ~published_share() = default;
  published_share(const published_share&) = delete;
  auto operator=(const published_share&) -> published_share& = delete;

  [[nodiscard]] auto handle() const noexcept -> HANDLE { return handle_; }

 private:
  HANDLE handle_;
};

/// Any thread.
class share_handles {
 public:
  share_handles() = default;
  virtual ~share_handles() = default;
  share_handles(const share_handles&) = delete;
  auto operator=(const share_handles&) -> share_handles& = delete;

  /// nullptr: the system has no handle left.
  [[nodiscard]] virtual auto publish(D3DKMT_HANDLE share) -> std::unique_ptr<published_share> = 0;
  /// 0: the handle stands for no shared resource in this process.
  [[nodiscard]] virtual auto find(HANDLE handle) -> D3DKMT_HANDLE = 0;
};

/// As Windows 7: one number, which all processes know and none closes.
class global_share_handles final : public share_handles {
 public:
  auto publish(D3DKMT_HANDLE share) -> std::unique_ptr<published_share> override {
    return std::make_unique<published_share>(reinterpret_cast<HANDLE>(std::uintptr_t{share}));
  }
  auto find(HANDLE handle) -> D3DKMT_HANDLE override {
    return static_cast<D3DKMT_HANDLE>(reinterpret_cast<std::uintptr_t>(handle));
  }
};

}  // namespace aerogpu::d3d9
