/// \file The resources of one device, and what they share for transfers.
#pragma once

#include "drivers/win7/umd/d3d9/resource/blit_program.hpp"
#include "drivers/win7/umd/d3d9/resource/read_back.hpp"
#include "drivers/win7/umd/d3d9/resource/resource.hpp"

#include <cstddef>

namespace aerogpu::umd {

class device;

/// What gets guest memory (umd-d3d9.md 2.5.3).
enum class backing_rule : std::uint8_t {
  budget,      ///< Profile M: primaries and lockable render targets alone.
  everything,  ///< Profile U: what has one subresource.
};

/// Owns the resources. The device's mutex guards it.
class resource_set {
 public:
  /// Of resources to come.
  backing_rule rule = backing_rule::budget;
  umd::read_back_texture read_back;
  blit_program blits;

  void insert(resource& made) noexcept;
  void remove(resource& gone) noexcept;
  [[nodiscard]] auto first() const noexcept -> resource* { return first_; }
  [[nodiscard]] auto size() const noexcept -> std::size_t { return size_; }

 private:
  resource* first_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace aerogpu::umd
