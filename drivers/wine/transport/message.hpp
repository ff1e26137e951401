// SPDX-License-Identifier: MIT
/// \file A message's bytes, written and read within bounds.
#pragma once

#include "aerogpu/core/bytes.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace aerogpu::wine {

/// What goes into a message has one size and one layout for x64 and x86. A pointer never does.
template <class T>
concept plain = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>;

/// Into memory that the other side reads: written only, never read back.
class message_writer {
 public:
  explicit message_writer(mutable_bytes room) noexcept : room_(room) {}

  template <plain T>
  void put(const T& value) noexcept {
    put_bytes({reinterpret_cast<const std::byte*>(&value), sizeof value});
  }
  void put_bytes(const_bytes bytes) noexcept {
    if (bytes.size() > room_.size() - used_) {
      is_full_ = true;
      return;
    }
    if (!bytes.empty()) std::memcpy(room_.data() + used_, bytes.data(), bytes.size());
    used_ += bytes.size();
  }
  /// Something did not fit: the message is not to be sent.
  [[nodiscard]] auto is_full() const noexcept -> bool { return is_full_; }
  [[nodiscard]] auto used() const noexcept -> std::uint32_t {
    return static_cast<std::uint32_t>(used_);
  }

 private:
  mutable_bytes room_;
  std::size_t used_ = 0;
  bool is_full_ = false;
};

/// From a copy of the message, which nobody else changes.
class message_reader {
 public:
  explicit message_reader(const_bytes message) noexcept : left_(message) {}

  template <plain T>
  [[nodiscard]] auto take() noexcept -> T {
    T value{};
    take_into(value);
    return value;
  }
  /// Leaves the value alone when there are not so many bytes.
  template <plain T>
  void take_into(T& value) noexcept {
    const auto bytes = take_bytes(sizeof value);
    if (bytes.size() == sizeof value) std::memcpy(&value, bytes.data(), sizeof value);
  }
  /// Empty, and the message is bad, when there are not so many.
  [[nodiscard]] auto take_bytes(std::uint64_t count) noexcept -> const_bytes {
    if (count > left_.size()) {
      is_bad_ = true;
      left_ = {};
      return {};
    }
    const auto taken = left_.first(static_cast<std::size_t>(count));
    left_ = left_.subspan(taken.size());
    return taken;
  }
  void refuse() noexcept { is_bad_ = true; }
  [[nodiscard]] auto is_bad() const noexcept -> bool { return is_bad_; }
  [[nodiscard]] auto is_at_end() const noexcept -> bool { return left_.empty(); }

 private:
  const_bytes left_;
  bool is_bad_ = false;
};

/// What the pointers of a request point to on the server's side. Bounded: together not more than a
/// message holds.
class pointed_memory {
 public:
  explicit pointed_memory(std::uint64_t most_bytes) noexcept : left_(most_bytes) {}

  /// Zeroed; nullptr when there is no more of it.
  [[nodiscard]] auto allocate(std::uint64_t bytes) -> std::byte* {
    if (bytes > left_) return nullptr;
    left_ -= bytes;
    // A block of its own for each pointer: what is written behind it is found by sanitizers.
    std::unique_ptr<std::byte[]> block{new (std::nothrow) std::byte[bytes != 0 ? bytes : 1]{}};
    if (block == nullptr) return nullptr;
    blocks_.push_back(std::move(block));
    return blocks_.back().get();
  }

 private:
  std::uint64_t left_;
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
};

}  // namespace aerogpu::wine
