// SPDX-License-Identifier: MIT
/// \file A call into the driver, as the thread that makes it knows it.
#pragma once

#include "drivers/sim/kernel/objects/handle_table.hpp"
#include "drivers/sim/runtime/ddi/contract.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace aerogpu::sim {

/// How many threads are inside of an object's entry points that take one thread at a time.
using occupancy = std::atomic<std::uint32_t>;

/// While it lives, the calling thread is inside of an entry point of `object`, a device or an
/// adapter, and belongs to its process.
class ddi_scope {
 public:
  /// `inside` is nullptr for the entry points that any thread may call at any time.
  ddi_scope(const void* object, std::uint32_t process, contract& rules, std::string_view name,
            occupancy* inside);
  ~ddi_scope();
  ddi_scope(const ddi_scope&) = delete;
  auto operator=(const ddi_scope&) -> ddi_scope& = delete;

  /// The entry's name, of static storage; compared by its letters, since equal literals of two
  /// files are two in a DLL.
  [[nodiscard]] auto name() const noexcept -> std::string_view { return name_; }
  [[nodiscard]] auto rules() const noexcept -> contract& { return rules_; }
  /// The calling thread's innermost call of an object; nullptr when it is in none.
  [[nodiscard]] static auto find(const void* object) noexcept -> const ddi_scope*;
  /// The calling thread's innermost call of all.
  [[nodiscard]] static auto innermost() noexcept -> const ddi_scope*;

 private:
  const void* object_;
  contract& rules_;
  std::string_view name_;
  occupancy* inside_;
  const ddi_scope* outer_;
  bool was_in_driver_;
  process_scope process_;
};

/// While it lives, the calling thread is inside of a callback.
class callback_scope {
 public:
  callback_scope() noexcept;
  ~callback_scope();
  callback_scope(const callback_scope&) = delete;
  auto operator=(const callback_scope&) -> callback_scope& = delete;

 private:
  bool was_in_driver_;
};

/// Whether the calling thread runs the driver's code: inside of an entry point, and in no callback.
[[nodiscard]] auto is_in_driver() noexcept -> bool;

}  // namespace aerogpu::sim
