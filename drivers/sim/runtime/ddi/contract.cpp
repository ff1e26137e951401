// SPDX-License-Identifier: MIT
#include "drivers/sim/runtime/ddi/contract.hpp"

#include <utility>

namespace aerogpu::sim {
namespace {

[[nodiscard]] auto name_of(contract_rule rule) -> const char* {
  switch (rule) {
    case contract_rule::wrong_version: return "wrong_version";
    case contract_rule::missing_entry: return "missing_entry";
    case contract_rule::table_overrun: return "table_overrun";
    case contract_rule::structure_overrun: return "structure_overrun";
    case contract_rule::input_changed: return "input_changed";
    case contract_rule::missing_handle: return "missing_handle";
    case contract_rule::odd_result: return "odd_result";
    case contract_rule::kept_callback_table: return "kept_callback_table";
    case contract_rule::stray_callback: return "stray_callback";
    case contract_rule::bad_argument: return "bad_argument";
    case contract_rule::unknown_handle: return "unknown_handle";
    case contract_rule::command_overrun: return "command_overrun";
    case contract_rule::stale_buffer: return "stale_buffer";
    case contract_rule::forbidden_lock: return "forbidden_lock";
    case contract_rule::unpaired_lock: return "unpaired_lock";
    case contract_rule::rendered_while_locked: return "rendered_while_locked";
    case contract_rule::misplaced_present: return "misplaced_present";
    case contract_rule::leaked_object: return "leaked_object";
    case contract_rule::two_threads: return "two_threads";
  }
  return "unknown";
}

}  // namespace

auto describe(const contract_breach& what) -> std::string {
  return std::string{name_of(what.rule)} + ": " + what.text;
}

void contract::record(contract_rule rule, std::string text) {
  const std::lock_guard hold{mutex_};
  records_.push_back({rule, std::move(text)});
}

auto contract::take() -> std::vector<contract_breach> {
  const std::lock_guard hold{mutex_};
  return std::exchange(records_, {});
}

auto contract::count() const -> std::size_t {
  const std::lock_guard hold{mutex_};
  return records_.size();
}

auto contract::text() const -> std::string {
  const std::lock_guard hold{mutex_};
  std::string lines;
  for (const auto& one : records_) lines += describe(one) + '\n';
  return lines;
}

}  // namespace aerogpu::sim
