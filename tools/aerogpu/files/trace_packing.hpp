// SPDX-License-Identifier: MIT
/// \file Compressed recordings, where the program was built with zstd.
#pragma once

#include "aerogpu/trace/file_sink.hpp"
#include "tools/aerogpu/files/file_bytes.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace aerogpu::tool {

/// Whether a recording of this name is compressed: it ends in ".zst".
[[nodiscard]] inline auto names_packed_trace(std::string_view path) noexcept -> bool {
  return path.ends_with(".zst");
}

/// Compresses what goes into a file.
class trace_packer {
 public:
  trace_packer() = default;
  trace_packer(const trace_packer&) = delete;
  auto operator=(const trace_packer&) -> trace_packer& = delete;
  virtual ~trace_packer() = default;
  virtual auto append(const_bytes bytes) noexcept -> bool = 0;
  virtual auto flush() noexcept -> bool = 0;
  /// Ends the compressed data; the file stays open.
  virtual auto finish() noexcept -> bool = 0;
  [[nodiscard]] virtual auto why() const noexcept -> error = 0;
};

/// Null, and a sentence in `why`, without zstd. `to` outlives it and stays where it is.
[[nodiscard]] auto make_trace_packer(file_sink& to, std::string& why)
    -> std::unique_ptr<trace_packer>;

/// Why what was unpacked is not all, or is not as it was packed.
struct packing_flaw {
  error why;
  bool is_damage = false;  ///< Else the compressed data only ends early.
};

/// What a compressed file holds, in a temporary file that goes with it: memory stays bounded.
struct unpacked_trace {
  file_bytes bytes;
  std::optional<packing_flaw> flaw;  ///< None = the compressed data is whole.
};

/// Nothing, and a sentence in `why`, without zstd, or when it cannot be unpacked.
[[nodiscard]] auto unpack_trace(const_bytes packed, std::string& why)
    -> std::optional<unpacked_trace>;

}  // namespace aerogpu::tool
