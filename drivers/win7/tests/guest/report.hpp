// SPDX-License-Identifier: MIT
/// \file What a test found.
#pragma once

#include "drivers/win7/tests/guest/message.hpp"
#include "drivers/win7/tests/guest/rule_text.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <string_view>

namespace aerogpu::guest {

enum class finding_kind : std::uint8_t { held, broken, note };

struct finding {
  finding_kind kind = finding_kind::note;
  rule_text rule;
  message seen;
};

enum class verdict : std::uint8_t { pass, fail, skip };

/// The test's thread writes; another one may read what is complete.
class report {
 public:
  /// Whether a rule held, and what was seen. Gives `holds`.
  auto check(bool holds, rule_text rule, const message& seen = {}) noexcept -> bool;
  /// Worth knowing, and no rule.
  void note(rule_text what, const message& seen) noexcept;
  /// The machine lacks what the test is about.
  void skip(const message& why) noexcept;

  [[nodiscard]] auto findings() const noexcept -> std::span<const finding>;
  [[nodiscard]] auto broken() const noexcept -> std::uint32_t;
  /// A test that checked nothing fails; one broken rule outweighs a skip.
  [[nodiscard]] auto result() const noexcept -> verdict;
  /// Why it was skipped. Precondition: result() == verdict::skip.
  [[nodiscard]] auto reason() const noexcept -> std::string_view { return reason_.view(); }

 private:
  void add(finding_kind kind, rule_text rule, const message& seen) noexcept;

  static constexpr std::size_t most_findings = 40;  // No test has more than 20.
  std::array<finding, most_findings> findings_{};
  std::atomic<std::uint32_t> count_ = 0;
  std::atomic<bool> is_full_ = false;
  message reason_;
  std::atomic<bool> is_skipped_ = false;
};

}  // namespace aerogpu::guest
