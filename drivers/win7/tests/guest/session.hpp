// SPDX-License-Identifier: MIT
/// \file The adapter, opened, and its escapes.
#pragma once

#include "aerogpu/abi/dbgctl_escape.h"
#include "drivers/win7/tests/guest/desktop.hpp"
#include "drivers/win7/tests/guest/report.hpp"

#include <cstdint>
#include <string_view>

namespace aerogpu::guest {

class session {
 public:
  explicit session(desktop& around) noexcept : around_(around) {}
  ~session();
  session(const session&) = delete;
  auto operator=(const session&) -> session& = delete;

  /// False, and the report says why: skipped, unless `is_required`.
  [[nodiscard]] auto open(report& to, bool is_required) -> bool;

  [[nodiscard]] auto around() const noexcept -> desktop& { return around_; }
  [[nodiscard]] auto calls() const noexcept -> const thunks& { return around_.calls(); }
  [[nodiscard]] auto adapter() const noexcept -> D3DKMT_HANDLE { return adapter_; }

  /// Fills in the header and sends it; on success the answer stands in `packet`.
  template <class Packet>
  [[nodiscard]] auto escape(std::uint32_t op, Packet& packet) -> NTSTATUS {
    auto& header = *reinterpret_cast<aerogpu_escape_header*>(&packet);
    header = {AEROGPU_ESCAPE_VERSION, op, sizeof packet, 0};
    return send(&packet, sizeof packet);
  }
  /// An escape that must succeed with a valid header. False: the report has it as `rule`.
  template <class Packet>
  [[nodiscard]] auto ask(report& to, rule_text rule, std::uint32_t op, Packet& packet) -> bool {
    const NTSTATUS status = escape(op, packet);
    const auto& header = *reinterpret_cast<const aerogpu_escape_header*>(&packet);
    return judge(to, rule, op, sizeof packet, status, header);
  }
  /// As it is, header and all.
  [[nodiscard]] auto send(void* packet, std::uint32_t size_bytes) -> NTSTATUS;

 private:
  [[nodiscard]] static auto judge(report& to, rule_text rule, std::uint32_t op,
                                  std::uint32_t size_bytes, NTSTATUS status,
                                  const aerogpu_escape_header& header) -> bool;

  desktop& around_;
  D3DKMT_HANDLE adapter_ = 0;
};

/// As the log lines of Windows show it.
[[nodiscard]] inline auto status_of(NTSTATUS status) noexcept -> hex {
  return {static_cast<std::uint32_t>(status)};
}

}  // namespace aerogpu::guest
