// SPDX-License-Identifier: MIT
/// \file The bytes behind BAR1, and the legacy windows onto them.
#pragma once

#include "aerogpu/abi/pci.h"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/checked.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <utility>

namespace aerogpu {

/// Linear video memory (host.md 1.8). Own memory starts zeroed and the host commits a page when it
/// is first written; an embedder that maps BAR1 into its machine lends the memory instead.
class video_memory {
 public:
  video_memory() noexcept = default;

  /// `store_bytes` of zeros behind a BAR of `bar_bytes`. Precondition: store_bytes <= bar_bytes.
  [[nodiscard]] static auto create(std::uint64_t bar_bytes, std::uint64_t store_bytes) noexcept
      -> result<video_memory> {
    video_memory memory;
    if (!fits<std::size_t>(store_bytes)) return no_memory(store_bytes);
    const auto size = static_cast<std::size_t>(store_bytes);
    memory.owned_.reset(static_cast<std::byte*>(std::calloc(size != 0 ? size : 1, 1)));
    if (memory.owned_ == nullptr) return no_memory(store_bytes);
    memory.store_ = {memory.owned_.get(), size};
    memory.bar_bytes_ = bar_bytes;
    return memory;
  }

  /// The embedder's bytes, which outlive this. Precondition: lent.size() <= bar_bytes.
  [[nodiscard]] static auto lend(std::uint64_t bar_bytes, mutable_bytes lent) noexcept
      -> video_memory {
    video_memory memory;
    memory.store_ = lent;
    memory.bar_bytes_ = bar_bytes;
    return memory;
  }

  /// Copies out; what lies past the store but inside the BAR is 0. False outside the BAR.
  [[nodiscard]] auto read(std::uint64_t offset, mutable_bytes out) const noexcept -> bool {
    if (!range_fits(offset, out.size(), bar_bytes_)) return false;
    const auto stored = stored_part(offset, out.size());
    if (stored != 0) std::memcpy(out.data(), store_.data() + offset, stored);
    if (stored != out.size()) std::memset(out.data() + stored, 0, out.size() - stored);
    return true;
  }

  /// Copies in; what lies past the store is dropped. False outside the BAR.
  [[nodiscard]] auto write(std::uint64_t offset, const_bytes in) noexcept -> bool {
    if (!range_fits(offset, in.size(), bar_bytes_)) return false;
    const auto stored = stored_part(offset, in.size());
    if (stored != 0) std::memcpy(store_.data() + offset, in.data(), stored);
    return true;
  }

  /// All stored bytes, to save and load them.
  [[nodiscard]] auto bytes() noexcept -> mutable_bytes { return store_; }
  [[nodiscard]] auto bytes() const noexcept -> const_bytes { return store_; }
  [[nodiscard]] auto bar_bytes() const noexcept -> std::uint64_t { return bar_bytes_; }
  [[nodiscard]] auto is_lent() const noexcept -> bool { return owned_ == nullptr; }

 private:
  struct freer {
    void operator()(std::byte* at) const noexcept { std::free(at); }
  };

  [[nodiscard]] static auto no_memory(std::uint64_t size) noexcept -> error {
    return make_error(error_code::out_of_memory, "video memory cannot be allocated", size);
  }
  [[nodiscard]] auto stored_part(std::uint64_t offset, std::size_t size) const noexcept
      -> std::size_t {
    if (offset >= store_.size()) return 0;
    const auto left = store_.size() - static_cast<std::size_t>(offset);
    return size < left ? size : left;
  }

  std::unique_ptr<std::byte, freer> owned_;
  mutable_bytes store_{};
  std::uint64_t bar_bytes_ = 0;
};

/// The VBE state of the machine's BIOS, which decides what 0xA0000 shows.
struct vbe_window {
  bool is_active = false;
  std::uint32_t bank = 0;  ///< In units of 64 KiB of the linear frame buffer.
};

inline constexpr std::uint64_t legacy_window_gpa = 0xA0000;
inline constexpr std::uint64_t legacy_window_bytes = 0x20000;

/// Offset in BAR1 of byte `n` of the legacy window (host.md 1.8): the planes, or, while a VBE mode
/// is active, a 64 KiB bank of the linear frame buffer in the lower half.
/// Precondition: n < legacy_window_bytes.
[[nodiscard]] constexpr auto legacy_offset(std::uint32_t n, const vbe_window& vbe) noexcept
    -> std::uint64_t {
  constexpr std::uint32_t bank_bytes = 0x10000;
  if (!vbe.is_active || n >= bank_bytes) return n;
  return AEROGPU_PCI_BAR1_VBE_LFB_OFFSET_BYTES + std::uint64_t{vbe.bank} * bank_bytes + n;
}

}  // namespace aerogpu
