// SPDX-License-Identifier: MIT
/// \file The resources of one device, and what they share for transfers.
#pragma once

#include "drivers/win7/umd/d3d9/core/object_list.hpp"
#include "drivers/win7/umd/d3d9/resource/copies/blit_program.hpp"
#include "drivers/win7/umd/d3d9/resource/copies/read_back.hpp"
#include "drivers/win7/umd/d3d9/resource/resource.hpp"

namespace aerogpu::umd {

class device;

/// What gets guest memory (umd-d3d9.md 2.5.3).
enum class backing_rule : std::uint8_t {
  budget,      ///< Profile M: primaries and lockable render targets alone.
  everything,  ///< Profile U: what has one subresource.
  nothing,     ///< A runtime that has no memory to give.
};

/// The device's mutex guards it.
class resource_set : public object_list<resource> {
 public:
  /// Of resources to come.
  backing_rule rule = backing_rule::budget;
  umd::read_back_texture read_back;
  blit_program blits;
};

}  // namespace aerogpu::umd
