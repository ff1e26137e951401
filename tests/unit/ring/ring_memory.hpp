// SPDX-License-Identifier: MIT
/// \file A ring as a guest would lay it out, for the host's tests; and RAM that both halves share.
#pragma once

#include "aerogpu/memory/guest_memory.hpp"
#include "aerogpu/ring/ring_layout.hpp"
#include "tests/support/guest_memory_fakes.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace aerogpu::test {

/// Where the tests put their ring, and what they change in its header before they look at it.
struct ring_case {
  gpa at{0x10000};
  aerogpu_ring_header header{.magic = AEROGPU_RING_MAGIC,
                             .abi_version = AEROGPU_ABI_VERSION_U32,
                             .size_bytes = 64 + 8 * 64,
                             .entry_count = 8,
                             .entry_stride_bytes = 64,
                             .flags = 0,
                             .head = 0,
                             .tail = 0,
                             .reserved0 = 0,
                             .reserved1 = 0,
                             .reserved2 = {}};
  std::uint32_t mapped_bytes = 0x1000;

  /// Stores the header; `memory` then holds one page of ring.
  void write(fake_memory& memory) const {
    memory.map(at, 0x1000);
    memory.poke_object(at, header);
  }
  void write_entry(fake_memory& memory, std::uint32_t index,
                   const aerogpu_submit_desc& desc) const {
    const std::uint64_t slot = index & (header.entry_count - 1);
    memory.poke_object(advance(at, 64 + slot * header.entry_stride_bytes), desc);
  }
  [[nodiscard]] auto head(fake_memory& memory) const -> std::uint32_t {
    return memory.peek_object<std::uint32_t>(advance(at, offsetof(aerogpu_ring_header, head)));
  }
};

/// Entry that only signals `fence`.
[[nodiscard]] inline auto empty_descriptor(std::uint64_t fence) -> aerogpu_submit_desc {
  aerogpu_submit_desc desc{};
  desc.desc_size_bytes = sizeof desc;
  desc.signal_fence = fence;
  return desc;
}

/// Guest memory that starts at an address other than 0 and that the guest holds as a mapping.
/// Aligned words are loaded and stored in one piece and in order, as x86 does.
class mapped_memory {
 public:
  explicit mapped_memory(std::size_t size) : words_(size / 8) {}

  static constexpr gpa base{0x40000};

  [[nodiscard]] auto mapping() -> mutable_bytes {
    return std::as_writable_bytes(std::span{words_});
  }
  auto read(gpa at, mutable_bytes out) noexcept -> bool {
    const mutable_bytes from = range(at, out.size());
    if (from.size() != out.size()) return false;
    if (!are_words(from)) {
      copy_bytes(out, from);
      return true;
    }
    for (std::size_t i = 0; i < out.size(); i += 4) {
      store(out.data() + i, __atomic_load_n(word(from, i), __ATOMIC_ACQUIRE));
    }
    return true;
  }
  auto write(gpa at, const_bytes in) noexcept -> bool {
    const mutable_bytes to = range(at, in.size());
    if (to.size() != in.size()) return false;
    if (in.size() == 8 && raw(at) % 8 == 0) {
      __atomic_store_n(reinterpret_cast<aligned_word*>(to.data()), load<std::uint64_t>(in.data()),
                       __ATOMIC_RELEASE);
    } else if (in.size() == 4 && raw(at) % 4 == 0) {
      __atomic_store_n(word(to, 0), load<std::uint32_t>(in.data()), __ATOMIC_RELEASE);
    } else {
      copy_bytes(to, in);
    }
    return true;
  }

 private:
  using aligned_word __attribute__((aligned(8))) = std::uint64_t;  // not so on 32-bit SysV

  [[nodiscard]] auto range(gpa at, std::size_t size) -> mutable_bytes {
    const std::uint64_t offset = raw(at) - raw(base);
    const mutable_bytes all = mapping();
    if (offset > all.size() || size > all.size() - offset) return {};
    return all.subspan(static_cast<std::size_t>(offset), size);
  }
  [[nodiscard]] static auto are_words(mutable_bytes bytes) -> bool {
    return bytes.size() % 4 == 0 && reinterpret_cast<std::uintptr_t>(bytes.data()) % 4 == 0;
  }
  [[nodiscard]] static auto word(mutable_bytes bytes, std::size_t offset) -> std::uint32_t* {
    return reinterpret_cast<std::uint32_t*>(bytes.data() + offset);
  }

  std::vector<std::uint64_t> words_;
};

static_assert(guest_memory<mapped_memory>);

}  // namespace aerogpu::test
