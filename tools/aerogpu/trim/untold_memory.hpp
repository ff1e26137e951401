// SPDX-License-Identifier: MIT
/// \file Guest memory that changes without the guest telling the host to read it again.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "tools/aerogpu/files/recording.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace aerogpu::tool {

/// An object of the recording: one life of a handle.
using object_number = std::uint32_t;

/// Bytes of an object that a submission tells the host to read again.
struct told_range {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  bool is_late = false;  ///< Behind a draw, which may have used what was there.
};
using told_ranges = std::map<object_number, std::vector<told_range>>;

/// Compares what submissions bring along of the objects' memory.
class untold_memory {
 public:
  /// Where the object's memory is from now on; an `alloc` of 0 is nowhere.
  void place(object_number which, std::uint32_t alloc, std::uint64_t offset);
  /// The host reads the object's memory as the submission has it.
  void remember(const recorded_work& work, object_number which);
  /// Finds objects whose memory is another one than when the host was told to read it, though this
  /// submission does not begin by telling it again.
  void compare(const recorded_work& work, const told_ranges& told);

  [[nodiscard]] auto unsteady() const -> const std::set<object_number>& { return unsteady_; }
  [[nodiscard]] auto is_unsteady(object_number which) const -> bool {
    return unsteady_.contains(which);
  }
  void set_unsteady(const std::set<object_number>& all) { unsteady_ = all; }
  [[nodiscard]] auto remembered() const -> std::size_t {
    return backings_.size() + unsteady_.size();
  }

 private:
  struct backing {
    std::uint32_t alloc = 0;
    std::uint64_t offset = 0;
    const_bytes seen{};  ///< The allocation when the host was last told to read it.
  };

  std::map<object_number, backing> backings_;
  std::set<object_number> unsteady_;
};

}  // namespace aerogpu::tool
