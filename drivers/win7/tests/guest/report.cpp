// SPDX-License-Identifier: MIT
#include "drivers/win7/tests/guest/report.hpp"

#include <algorithm>

namespace aerogpu::guest {

void report::add(finding_kind kind, rule_text rule, const message& seen) noexcept {
  const std::uint32_t at = count_.load();
  if (at == findings_.size()) {
    is_full_.store(true);
    return;
  }
  findings_[at] = {kind, rule, seen};
  count_.store(at + 1);
}

auto report::check(bool holds, rule_text rule, const message& seen) noexcept -> bool {
  add(holds ? finding_kind::held : finding_kind::broken, rule, seen);
  return holds;
}

void report::note(rule_text what, const message& seen) noexcept {
  add(finding_kind::note, what, seen);
}

void report::skip(const message& why) noexcept {
  reason_ = why;
  is_skipped_.store(true);
}

auto report::findings() const noexcept -> std::span<const finding> {
  return std::span{findings_}.first(count_.load());
}

auto report::broken() const noexcept -> std::uint32_t {
  const auto all = findings();
  return static_cast<std::uint32_t>(std::count_if(
      all.begin(), all.end(), [](const finding& f) { return f.kind == finding_kind::broken; }));
}

auto report::result() const noexcept -> verdict {
  if (broken() != 0 || is_full_.load()) return verdict::fail;
  if (is_skipped_.load()) return verdict::skip;
  const auto all = findings();
  const bool has_checked = std::any_of(
      all.begin(), all.end(), [](const finding& f) { return f.kind == finding_kind::held; });
  return has_checked ? verdict::pass : verdict::fail;
}

}  // namespace aerogpu::guest
