// SPDX-License-Identifier: MIT
#include "drivers/sim/kernel/system/bug_check.hpp"

#include <cstdio>
#include <utility>

namespace aerogpu::sim {

auto describe(const bug_check& what) -> std::string {
  std::array<char, 120> head{};
  std::snprintf(head.data(), head.size(),
                "0x%X (0x%llX, 0x%llX, 0x%llX, 0x%llX): ", static_cast<unsigned>(what.code),
                static_cast<unsigned long long>(what.parameters[0]),
                static_cast<unsigned long long>(what.parameters[1]),
                static_cast<unsigned long long>(what.parameters[2]),
                static_cast<unsigned long long>(what.parameters[3]));
  return head.data() + what.text;
}

void bug_checks::record(stop_code code, std::array<std::uint64_t, 4> parameters, std::string text) {
  bug_check made{code, parameters, std::move(text)};
  if (handler_ != nullptr) handler_(made);
  const std::lock_guard hold{mutex_};
  records_.push_back(std::move(made));
}

auto bug_checks::take() -> std::vector<bug_check> {
  const std::lock_guard hold{mutex_};
  return std::exchange(records_, {});
}

auto bug_checks::count() const -> std::size_t {
  const std::lock_guard hold{mutex_};
  return records_.size();
}

auto bug_checks::text() const -> std::string {
  const std::lock_guard hold{mutex_};
  std::string lines;
  for (const auto& one : records_) lines += describe(one) + '\n';
  return lines;
}

}  // namespace aerogpu::sim
