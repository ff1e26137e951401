// SPDX-License-Identifier: MIT
/// \file Guest memories for tests: sparse RAM, and one that changes every byte once it was read.
#pragma once

#include "aerogpu/memory/guest_memory.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <vector>

namespace aerogpu::test {

/// What the memory does behind the host's back.
enum class memory_mood : std::uint8_t {
  calm,     ///< Bytes stay as they were written.
  hostile,  ///< A byte that the host read holds another value from then on.
};

/// RAM of any extent at any address; a byte exists once it was mapped or poked. Counts how often
/// the host read and wrote each byte. `peek` and `poke` are the guest's processor: they count
/// nothing, and a written byte is fresh again.
class fake_memory {
 public:
  explicit fake_memory(memory_mood mood = memory_mood::calm) : mood_(mood) {}

  /// Makes [at, at + size) exist; new bytes are zero.
  void map(gpa at, std::uint64_t size) {
    for_each(at, size, [](cell byte, std::size_t) { byte.on.exists.set(byte.index); });
  }
  /// Makes [at, at + size) fault from now on.
  void unmap(gpa at, std::uint64_t size) {
    for_each(at, size, [](cell byte, std::size_t) { byte.on.exists.reset(byte.index); });
  }

  // The host's side: models guest_memory.

  auto read(gpa at, mutable_bytes out) noexcept -> bool {
    if (!exists(at, out.size())) return false;
    for_each(at, out.size(), [&](cell byte, std::size_t i) {
      out[i] = byte.value();
      if (byte.reads() != 0xFFFF) ++byte.reads();
      if (mood_ == memory_mood::hostile) byte.value() ^= byte.reads() == 1 ? poison : flip;
    });
    return true;
  }
  auto write(gpa at, const_bytes in) noexcept -> bool {
    if (!exists(at, in.size())) return false;
    for_each(at, in.size(), [&](cell byte, std::size_t i) {
      byte.value() = in[i];
      byte.reads() = 0;
      ++byte.on.writes[byte.index];
    });
    return true;
  }

  // The guest's side.

  /// What [at, at + size) holds; bytes that do not exist are zero.
  [[nodiscard]] auto peek(gpa at, std::size_t size) -> std::vector<std::byte> {
    std::vector<std::byte> bytes(size);
    for_each(at, size, [&](cell byte, std::size_t i) { bytes[i] = byte.value(); });
    return bytes;
  }
  template <class T>
  [[nodiscard]] auto peek_object(gpa at) -> T {
    return load<T>(peek(at, sizeof(T)).data());
  }
  /// Stores bytes, and makes them exist.
  void poke(gpa at, const_bytes in) {
    for_each(at, in.size(), [&](cell byte, std::size_t i) {
      byte.on.exists.set(byte.index);
      byte.value() = in[i];
      byte.reads() = 0;
    });
  }
  template <class T>
  void poke_object(gpa at, const T& value) {
    poke(at, bytes_of(value));
  }

  // What the host did.

  /// Most host reads of one byte of [at, at + size) since it was last written.
  [[nodiscard]] auto max_reads(gpa at, std::uint64_t size) -> std::uint32_t {
    std::uint32_t most = 0;
    for_each(at, size,
             [&](cell byte, std::size_t) { most = std::max<std::uint32_t>(most, byte.reads()); });
    return most;
  }
  /// Host writes to bytes of [at, at + size), all together.
  [[nodiscard]] auto writes(gpa at, std::uint64_t size) -> std::uint64_t {
    std::uint64_t sum = 0;
    for_each(at, size, [&](cell byte, std::size_t) { sum += byte.on.writes[byte.index]; });
    return sum;
  }
  [[nodiscard]] auto mood() const noexcept -> memory_mood { return mood_; }

 private:
  static constexpr std::uint64_t page_size = 4096;
  static constexpr std::byte poison{0xA5};  ///< First change.
  static constexpr std::byte flip{0xFF};    ///< Later changes, so that no two reads agree.

  struct page {
    std::array<std::byte, page_size> bytes{};
    std::array<std::uint16_t, page_size> reads{};
    std::array<std::uint32_t, page_size> writes{};
    std::bitset<page_size> exists;
  };
  struct cell {
    page& on;
    std::size_t index;
    [[nodiscard]] auto value() const -> std::byte& { return on.bytes[index]; }
    [[nodiscard]] auto reads() const -> std::uint16_t& { return on.reads[index]; }
  };

  /// Calls `visit(cell, i)` for byte i of [at, at + size); addresses wrap past 2^64.
  template <class Visit>
  void for_each(gpa at, std::uint64_t size, Visit&& visit) {
    for (std::uint64_t i = 0; i < size;) {
      page& on = page_of(raw(at) + i);
      std::uint64_t index = (raw(at) + i) % page_size;
      for (; index < page_size && i < size; ++index, ++i) {
        visit(cell{on, static_cast<std::size_t>(index)}, static_cast<std::size_t>(i));
      }
    }
  }
  auto page_of(std::uint64_t address) -> page& {
    auto& found = pages_[address / page_size];
    if (found == nullptr) found = std::make_unique<page>();
    return *found;
  }
  /// Creates no pages, so that a host that asks for 2^40 bytes does not exhaust the test.
  [[nodiscard]] auto exists(gpa at, std::uint64_t size) const -> bool {
    if (size != 0 && size - 1 > UINT64_MAX - raw(at)) return false;
    for (std::uint64_t i = 0; i < size;) {
      const auto found = pages_.find((raw(at) + i) / page_size);
      if (found == pages_.end()) return false;
      std::uint64_t index = (raw(at) + i) % page_size;
      for (; index < page_size && i < size; ++index, ++i) {
        if (!found->second->exists.test(static_cast<std::size_t>(index))) return false;
      }
    }
    return true;
  }

  memory_mood mood_;
  std::map<std::uint64_t, std::unique_ptr<page>> pages_;
};

static_assert(guest_memory<fake_memory>);

}  // namespace aerogpu::test
