// SPDX-License-Identifier: MIT
/// \file Contexts that the host has state of, and those whose end it is still to hear (kmd.md 2.4).
#pragma once

#include "aerogpu/core/ids.hpp"
#include "aerogpu/core/span_map.hpp"
#include "aerogpu/core/span_queue.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu::kmd {

/// As many as a host keeps unless it is told otherwise (`limits::contexts`).
inline constexpr std::size_t max_host_contexts = 1024;

/// A context is known from its first work until its end is sent, so each end finds room to wait.
/// Queue lock.
class host_contexts {
 public:
  host_contexts() noexcept = default;
  host_contexts(const host_contexts&) = delete;
  auto operator=(const host_contexts&) -> host_contexts& = delete;

  /// Work of the context is about to be queued. False when there is no room: the host will not hear
  /// of its end. Precondition: id is not 0.
  [[nodiscard]] auto add(context_id id) noexcept -> bool {
    if (known_.find(id) != nullptr) return true;
    return known_.size() < max_host_contexts && known_.insert(id, is_ending{}).first != nullptr;
  }
  /// The context is no more: the host is to hear of it when it knows it.
  void end(context_id id) noexcept {
    is_ending* const known = known_.find(id);
    if (known == nullptr || *known == is_ending::yes) return;
    *known = is_ending::yes;
    static_cast<void>(ends_.push_back(id));
  }

  [[nodiscard]] auto size() const noexcept -> std::size_t { return known_.size(); }
  /// The context whose end is due, or 0; `end_emitted` takes it off.
  [[nodiscard]] auto next_end() const noexcept -> context_id {
    return ends_.empty() ? context_id{} : ends_[0];
  }
  /// Precondition: there is one.
  void end_emitted() noexcept {
    known_.erase(ends_[0]);
    ends_.pop_front();
  }
  /// The host forgot all contexts.
  void clear() noexcept {
    known_.clear();
    ends_.clear();
  }

 private:
  enum class is_ending : std::uint8_t { no, yes };
  using map = span_map<context_id, is_ending>;

  /// A map holds three quarters of its slots, which are a power of two.
  static constexpr std::size_t map_slots = max_host_contexts * 2;

  std::array<map::slot, map_slots> slots_{};
  std::array<context_id, max_host_contexts> end_storage_{};
  map known_{slots_};
  span_queue<context_id> ends_{end_storage_};
};

}  // namespace aerogpu::kmd
