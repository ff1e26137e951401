// SPDX-License-Identifier: MIT
/// \file The DXBC container: chunks found by name, every offset checked once (shaders.md 3.1).
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/checked.hpp"
#include "aerogpu/core/result.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu {

/// The code of a chunk name such as "SHEX".
[[nodiscard]] constexpr auto fourcc(const char (&name)[5]) noexcept -> std::uint32_t {
  std::uint32_t code = 0;
  for (int i = 3; i >= 0; --i) code = code << 8 | static_cast<unsigned char>(name[i]);
  return code;
}

inline constexpr std::uint32_t dxbc_magic = fourcc("DXBC");
inline constexpr std::uint32_t dxbc_chunk_limit = 4096;  ///< shaders.md 3.1.

/// A container whose header and chunk table lie inside its bytes. The checksum is not looked at:
/// a backend that needs it right makes it so.
class dxbc_container {
 public:
  [[nodiscard]] static auto is_container(const_bytes bytes) noexcept -> bool {
    return bytes.size() >= sizeof(std::uint32_t) && load<std::uint32_t>(bytes.data()) == dxbc_magic;
  }

  /// Precondition: `is_container(bytes)`. Errors: invalid_parameter, with the byte offset.
  [[nodiscard]] static auto parse(const_bytes bytes) noexcept -> result<dxbc_container> {
    if (bytes.size() < header_size) {
      return bad(0, "the DXBC container is smaller than its header", bytes.size(), header_size);
    }
    const auto total = load<std::uint32_t>(bytes.data() + total_size_offset);
    if (total < header_size || total > bytes.size()) {
      return bad(total_size_offset, "the DXBC total size is wrong", total, bytes.size());
    }
    const auto count = load<std::uint32_t>(bytes.data() + chunk_count_offset);
    if (count > dxbc_chunk_limit) {
      return bad(chunk_count_offset, "the DXBC container has too many chunks", count,
                 dxbc_chunk_limit);
    }
    if (!range_fits(header_size, std::uint64_t{count} * sizeof(std::uint32_t), total)) {
      return bad(chunk_count_offset, "the DXBC chunk table is cut", count, total);
    }
    const dxbc_container made{bytes.first(total), count};
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t at = made.chunk_offset(i);
      if (!range_fits(at, chunk_header_size, total) ||
          !range_fits(std::uint64_t{at} + chunk_header_size, made.chunk_size(at), total)) {
        return bad(header_size + i * 4, "a DXBC chunk exceeds the container", at, total);
      }
    }
    return made;
  }

  /// The whole container, without bytes behind it.
  [[nodiscard]] auto bytes() const noexcept -> const_bytes { return bytes_; }

  /// Content of the first chunk of that name; `data()` is null when there is none.
  [[nodiscard]] auto find(std::uint32_t name) const noexcept -> const_bytes {
    for (std::uint32_t i = 0; i < chunk_count_; ++i) {
      const std::uint32_t at = chunk_offset(i);
      if (load<std::uint32_t>(bytes_.data() + at) == name) {
        return bytes_.subspan(at + chunk_header_size, chunk_size(at));
      }
    }
    return {};
  }

 private:
  static constexpr std::uint32_t total_size_offset = 24;
  static constexpr std::uint32_t chunk_count_offset = 28;
  static constexpr std::uint32_t header_size = 32;
  static constexpr std::uint32_t chunk_header_size = 8;

  dxbc_container(const_bytes bytes, std::uint32_t chunk_count) noexcept
      : bytes_(bytes), chunk_count_(chunk_count) {}

  static auto bad(std::uint32_t offset, const char* what, std::uint64_t detail,
                  std::uint64_t limit) noexcept -> error {
    return {error_code::invalid_parameter, 0, offset, detail, limit, what};
  }
  [[nodiscard]] auto chunk_offset(std::uint32_t i) const noexcept -> std::uint32_t {
    return load<std::uint32_t>(bytes_.data() + header_size + std::size_t{i} * 4);
  }
  [[nodiscard]] auto chunk_size(std::uint32_t at) const noexcept -> std::uint32_t {
    return load<std::uint32_t>(bytes_.data() + at + 4);
  }

  const_bytes bytes_;
  std::uint32_t chunk_count_;
};

}  // namespace aerogpu
