// SPDX-License-Identifier: MIT
/// \file What carries escapes to the driver: a Windows display, the simulated kernel, a test.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace aerogpu::dbgctl {

/// As Windows spells results: 0 is success.
enum class nt_status : std::uint32_t {
  success = 0,
  access_denied = 0xC0000022,
  not_supported = 0xC00000BB,
};

class escape_channel {
 public:
  escape_channel() = default;
  escape_channel(const escape_channel&) = delete;
  auto operator=(const escape_channel&) -> escape_channel& = delete;
  virtual ~escape_channel() = default;

  /// Sends `buffer`; on success the driver's answer stands in it.
  [[nodiscard]] virtual auto escape(std::span<std::byte> buffer) -> nt_status = 0;
  /// A handle of a section of this process, for MAP_SHARED_HANDLE; 0 = there is none.
  [[nodiscard]] virtual auto own_section() -> std::uint64_t { return 0; }
};

/// Opens the AeroGPU adapter. Null, and a sentence in `why`, when there is none.
using channel_opener = std::function<std::unique_ptr<escape_channel>(std::string& why)>;

}  // namespace aerogpu::dbgctl
