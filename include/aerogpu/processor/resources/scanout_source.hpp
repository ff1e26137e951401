// SPDX-License-Identifier: MIT
/// \file What scanout 0 shows: a texture that PRESENT chose or a flip named, or guest memory.
#pragma once

#include "aerogpu/core/checked.hpp"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/memory/alloc_table.hpp"
#include "aerogpu/processor/resources/resource.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace aerogpu {

/// Presented textures whose addresses are remembered (kmd.md K-35): swap chains of four buffers for
/// the desktop and three programs.
inline constexpr std::size_t flip_target_limit = 16;

/// A presented texture, and where its image lay in guest memory when a table named it last.
template <backend B>
struct flip_target {
  texture_object<B>* texture = nullptr;
  gpa address{};             ///< Never 0.
  bool awaits_flip = false;  ///< Presented and not shown, because the display follows flips.
};

/// Where the image of a backed texture lies by this table, or 0.
template <backend B>
[[nodiscard]] auto find_flip_address(const alloc_table& table,
                                     const texture_object<B>& texture) noexcept -> gpa {
  if (!texture.backing || !table.is_present()) return gpa{};
  const subresource_layout image = texture.layout.locate({0, 0});
  const auto offset = checked_add(std::uint64_t{texture.backing.offset_bytes}, image.offset_bytes);
  if (!offset) return gpa{};
  const auto at = table.resolve(texture.backing.id, *offset, image.size_bytes());
  return at ? *at : gpa{};
}

/// The display's side of PRESENT and of flips by address (kmd.md K-35). A flip is a committed
/// frame buffer address that is a remembered texture's: `begin_flip`, then `end_flip` at its edge.
///
/// PRESENT shows its texture at once. After a flip, though, one whose address is known waits for a
/// flip of its own: frames that a guest queues ahead would show before their turn. Presented again
/// without one it shows at once, and so do all others until the next flip: that guest does not
/// flip.
template <backend B>
class scanout_source {
 public:
  /// The texture on the display; null = the guest frame buffer.
  [[nodiscard]] auto shown() const noexcept -> texture_object<B>* { return shown_; }
  [[nodiscard]] auto targets() const noexcept -> std::span<const flip_target<B>> {
    return std::span{targets_}.first(count_);
  }
  /// The address of the last flip; 0 when the display does not follow flips.
  [[nodiscard]] auto flip_address() const noexcept -> gpa { return flip_address_; }
  /// Between `begin_flip` and `end_flip`.
  [[nodiscard]] auto is_flip_waiting() const noexcept -> bool { return is_flip_waiting_; }

  /// A PRESENT of `texture`, null for none, under the submission's table.
  void present(texture_object<B>* texture, const alloc_table& table) noexcept {
    flip_target<B>* const target = texture != nullptr ? remember(*texture, table) : nullptr;
    if (target == nullptr) return show_at_once(texture);
    if (flip_address_ == gpa{}) {
      shown_ = texture;
    } else if (target->address == flip_address_) {
      if (!is_flip_waiting_) shown_ = texture;
    } else if (std::exchange(target->awaits_flip, true)) {
      show_at_once(texture);
    }
  }

  /// The guest committed an address. True when it is a remembered texture's, which `end_flip` will
  /// show; any other shows guest memory.
  [[nodiscard]] auto begin_flip(gpa address) noexcept -> bool {
    flip_target<B>* const target = find(address);
    if (target == nullptr) {
      show_guest_memory();
      return false;
    }
    target->awaits_flip = false;
    flip_address_ = address;
    is_flip_waiting_ = true;
    return true;
  }
  /// Shows what the address of the waiting flip names now; nothing any more is guest memory.
  void end_flip() noexcept {
    const flip_target<B>* const target = find(flip_address_);
    if (target == nullptr) return show_guest_memory();
    is_flip_waiting_ = false;
    shown_ = target->texture;
  }
  /// Another mode or format, or an address that is nobody's. Remembered textures stay.
  void show_guest_memory() noexcept {
    shown_ = nullptr;
    flip_address_ = gpa{};
    is_flip_waiting_ = false;
  }
  /// The scanout is off: a flip is over, and what PRESENT alone showed stays.
  void drop_flip() noexcept {
    if (flip_address_ != gpa{}) show_guest_memory();
  }

  /// A submission's table says where allocations lie now. What it names wins over what others
  /// named there before; of two that it names, the one presented last.
  void follow(const alloc_table& table) noexcept;

  /// The texture is no longer backed by the same bytes.
  void forget_address(const texture_object<B>& texture) noexcept {
    remove_if([&](const flip_target<B>& target) { return target.texture == &texture; });
  }
  /// The texture dies.
  void forget(const texture_object<B>& texture) noexcept {
    forget_address(texture);
    if (shown_ != &texture) return;
    shown_ = nullptr;
    if (!is_flip_waiting_) flip_address_ = gpa{};
  }
  /// The contents of all textures are gone.
  void forget_contents() noexcept {
    count_ = 0;
    if (!is_flip_waiting_) drop_flip();
  }

  /// Puts back what a snapshot holds. False when texture or address are there already, or there is
  /// no room.
  [[nodiscard]] auto restore_target(const flip_target<B>& target) noexcept -> bool {
    if (count_ == targets_.size() || find(target.address) != nullptr) return false;
    if (find(*target.texture) != nullptr) return false;
    targets_[count_++] = target;
    return true;
  }
  void restore_shown(texture_object<B>* shown, gpa flip_address, bool is_flip_waiting) noexcept {
    shown_ = shown;
    flip_address_ = flip_address;
    is_flip_waiting_ = is_flip_waiting;
  }

 private:
  using target_iterator = typename std::array<flip_target<B>, flip_target_limit>::iterator;

  [[nodiscard]] auto end() noexcept -> target_iterator {
    return targets_.begin() + static_cast<std::ptrdiff_t>(count_);
  }
  template <class Claim>
  [[nodiscard]] auto find_if(Claim&& claim) noexcept -> flip_target<B>* {
    const auto found = std::find_if(targets_.begin(), end(), claim);
    return found != end() ? &*found : nullptr;
  }
  [[nodiscard]] auto find(gpa address) noexcept -> flip_target<B>* {
    return find_if([&](const flip_target<B>& target) { return target.address == address; });
  }
  [[nodiscard]] auto find(const texture_object<B>& texture) noexcept -> flip_target<B>* {
    return find_if([&](const flip_target<B>& target) { return target.texture == &texture; });
  }
  template <class Claim>
  void remove_if(Claim&& claim) noexcept {
    count_ =
        static_cast<std::size_t>(std::remove_if(targets_.begin(), end(), claim) - targets_.begin());
  }

  void show_at_once(texture_object<B>* texture) noexcept {
    shown_ = texture;
    if (!is_flip_waiting_) flip_address_ = gpa{};
  }
  [[nodiscard]] auto remember(texture_object<B>& texture, const alloc_table& table) noexcept
      -> flip_target<B>*;

  texture_object<B>* shown_ = nullptr;
  std::array<flip_target<B>, flip_target_limit> targets_{};  ///< In the order of their presents.
  std::size_t count_ = 0;
  gpa flip_address_{};
  bool is_flip_waiting_ = false;
};

/// Makes the texture the newest target; null when no table ever named its address.
template <backend B>
auto scanout_source<B>::remember(texture_object<B>& texture, const alloc_table& table) noexcept
    -> flip_target<B>* {
  flip_target<B> next{&texture, find_flip_address(table, texture), false};
  if (const flip_target<B>* const known = find(texture)) {
    if (next.address == gpa{}) next.address = known->address;
    next.awaits_flip = known->awaits_flip;
  }
  if (next.address == gpa{}) return nullptr;
  remove_if([&](const flip_target<B>& target) {
    return target.texture == &texture || target.address == next.address;
  });
  if (count_ == targets_.size()) {
    std::move(targets_.begin() + 1, targets_.end(), targets_.begin());
    --count_;
  }
  targets_[count_] = next;
  return &targets_[count_++];
}

template <backend B>
void scanout_source<B>::follow(const alloc_table& table) noexcept {
  if (count_ == 0 || !table.is_present()) return;
  std::array<bool, flip_target_limit> is_named{};
  bool has_moved = false;
  for (std::size_t i = 0; i < count_; ++i) {
    const gpa address = find_flip_address(table, *targets_[i].texture);
    is_named[i] = address != gpa{};
    if (!is_named[i] || address == targets_[i].address) continue;
    targets_[i].address = address;
    has_moved = true;
  }
  if (!has_moved) return;
  const auto moved = targets_;
  const auto count = std::exchange(count_, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const auto wins = [&](std::size_t other) {
      if (other == i || moved[other].address != moved[i].address) return false;
      return is_named[other] != is_named[i] ? is_named[other] : other > i;
    };
    bool is_lost = false;
    for (std::size_t other = 0; other < count && !is_lost; ++other) is_lost = wins(other);
    if (!is_lost) targets_[count_++] = moved[i];
  }
}

}  // namespace aerogpu
