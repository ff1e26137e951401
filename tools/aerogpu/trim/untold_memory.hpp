// SPDX-License-Identifier: MIT
/// \file Guest memory that changes without the guest telling the host to read it again.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "tools/aerogpu/files/recording.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
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

/// What a submission brings along of guest memory: of each allocation, its first range.
class brought_memory {
 public:
  explicit brought_memory(const recorded_work& work);
  /// Empty when there is nothing of it.
  [[nodiscard]] auto of(std::uint32_t alloc) const -> const_bytes;
  [[nodiscard]] auto all() const -> const std::map<std::uint32_t, const_bytes>& { return bytes_; }

 private:
  std::map<std::uint32_t, const_bytes> bytes_;  ///< By alloc_id.
};

/// Compares what submissions bring along of the objects' memory.
class untold_memory {
 public:
  /// Where the object's memory is from now on; an `alloc` of 0 is nowhere.
  void place(object_number which, std::uint32_t alloc, std::uint64_t offset);
  /// The host reads the object's memory as the submission has it.
  void remember(const brought_memory& brought, object_number which);
  /// Finds objects whose memory is another one than when the host was told to read it, though this
  /// submission does not begin by telling it again.
  void compare(const brought_memory& brought, const told_ranges& told);

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

  [[nodiscard]] static auto explains(const std::vector<told_range>& told, const backing& one,
                                     const_bytes now) -> bool;

  std::map<object_number, backing> backings_;
  std::set<std::pair<std::uint32_t, object_number>> placed_;  ///< Objects by their alloc_id.
  std::set<object_number> unsteady_;
};

}  // namespace aerogpu::tool
