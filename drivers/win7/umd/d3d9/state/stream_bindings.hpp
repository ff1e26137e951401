// SPDX-License-Identifier: MIT
/// \file The vertex streams that the application bound, and which of them a draw can read as they
/// are.
#pragma once

#include "drivers/win7/umd/d3d9/state/state_key.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu::umd {

inline constexpr std::size_t stream_count = 16;

/// Keeps bit `number` of `bits`.
constexpr void keep_bit(std::uint32_t& bits, std::uint32_t number, bool is_set) noexcept {
  bits = (bits & ~(1u << number)) | std::uint32_t{is_set} << number;
}

/// Streams are numbers below `stream_count`.
class stream_bindings {
 public:
  stream_bindings() noexcept { frequencies_.fill(1); }

  /// `can_be_drawn_from` says that the host takes the offset and the stride.
  void set(std::uint32_t stream, const stream_source& source, bool can_be_drawn_from) noexcept {
    sources_[stream] = source;
    const bool is_bound = source.buffer != nullptr;
    keep_bit(bound_, stream, is_bound);
    keep_bit(readable_, stream, is_bound && source.stride_bytes != 0 && can_be_drawn_from);
  }
  void set_frequency(std::uint32_t stream, std::uint32_t frequency) noexcept {
    frequencies_[stream] = frequency;
    keep_bit(repeated_, stream, frequency != 1);
  }

  [[nodiscard]] auto operator[](std::size_t stream) const noexcept -> const stream_source& {
    return sources_[stream];
  }
  [[nodiscard]] auto begin() const noexcept { return sources_.begin(); }
  [[nodiscard]] auto end() const noexcept { return sources_.end(); }
  [[nodiscard]] auto frequency(std::size_t stream) const noexcept -> std::uint32_t {
    return frequencies_[stream];
  }
  /// Bit n = stream n has a buffer.
  [[nodiscard]] auto bound() const noexcept -> std::uint32_t { return bound_; }
  /// Bit n = stream n has a buffer that the host reads a vertex after the other, as it stands.
  [[nodiscard]] auto plain() const noexcept -> std::uint32_t { return readable_ & ~repeated_; }

 private:
  std::uint32_t bound_ = 0;
  std::uint32_t readable_ = 0;
  std::uint32_t repeated_ = 0;  ///< Bit n = stream n has a frequency other than 1.
  std::array<stream_source, stream_count> sources_{};
  std::array<std::uint32_t, stream_count> frequencies_{};
};

}  // namespace aerogpu::umd
