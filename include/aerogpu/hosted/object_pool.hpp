// SPDX-License-Identifier: MIT
/// \file Objects at stable addresses, from chunks that are reused.
#pragma once

#include "aerogpu/core/check.hpp"
#include "aerogpu/hosted/heap_array.hpp"

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace aerogpu {

/// Owns objects whose addresses last until `destroy`. Creating and destroying reuse slots; the
/// heap is asked once for each `chunk_size` objects alive at the same time.
template <class T>
requires std::is_nothrow_destructible_v<T>
class object_pool {
 public:
  object_pool() noexcept = default;
  object_pool(object_pool&& other) noexcept
      : chunks_(std::move(other.chunks_)),
        free_(std::exchange(other.free_, nullptr)),
        size_(std::exchange(other.size_, 0)) {}
  auto operator=(object_pool&& other) noexcept -> object_pool& {
    std::swap(chunks_, other.chunks_);
    std::swap(free_, other.free_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~object_pool() {
    for_each([](T& object) { std::destroy_at(&object); });
    for (chunk* c : chunks_) delete c;
  }

  /// Makes sure that the next `create` succeeds. False when the heap is exhausted.
  [[nodiscard]] auto reserve_one() noexcept -> bool {
    if (free_ != nullptr) return true;
    if (!chunks_.reserve(chunks_.size() + 1)) return false;
    auto* added = new (std::nothrow) chunk;
    if (added == nullptr) return false;
    AEROGPU_CHECK(chunks_.push_back(added));
    for (std::size_t i = chunk_size; i-- != 0;) {  // The first slot is taken first.
      added->slots[i].next_free = std::exchange(free_, &added->slots[i]);
    }
    return true;
  }

  /// A new object from braces, or null when the heap is exhausted.
  template <class... Args>
  [[nodiscard]] auto create(Args&&... args) noexcept -> T* {
    if (!reserve_one()) return nullptr;
    slot* taken = free_;
    free_ = taken->next_free;
    taken->is_live = true;
    ++size_;
    return ::new (static_cast<void*>(taken->bytes)) T{std::forward<Args>(args)...};
  }

  /// Precondition: `object` came from this pool's `create` and lives.
  void destroy(T& object) noexcept {
    auto* owner = reinterpret_cast<slot*>(&object);
    AEROGPU_CHECK(owner->is_live);
    std::destroy_at(&object);
    owner->is_live = false;
    owner->next_free = free_;
    free_ = owner;
    --size_;
  }

  [[nodiscard]] auto size() const noexcept -> std::size_t { return size_; }
  [[nodiscard]] auto empty() const noexcept -> bool { return size_ == 0; }

  /// Calls `visit(object)` for each; it may destroy that object, and create none.
  template <class Visit>
  void for_each(Visit&& visit) {
    for (chunk* c : chunks_) {
      for (slot& s : c->slots) {
        if (s.is_live) visit(*std::launder(reinterpret_cast<T*>(s.bytes)));
      }
    }
  }
  template <class Visit>
  void for_each(Visit&& visit) const {
    const_cast<object_pool*>(this)->for_each([&](const T& object) { visit(object); });
  }

 private:
  static constexpr std::size_t chunk_size = 64;

  struct slot {
    alignas(T) std::byte bytes[sizeof(T)];
    slot* next_free = nullptr;
    bool is_live = false;
  };
  static_assert(offsetof(slot, bytes) == 0);
  struct chunk {
    slot slots[chunk_size];
  };

  heap_array<chunk*> chunks_;
  slot* free_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace aerogpu
