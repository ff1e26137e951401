// SPDX-License-Identifier: MIT
/// \file The tracer with an environment of a test's, and what its dumps say.
#pragma once

#include "drivers/win7/umd/d3d9/trace/packing_m.hpp"
#include "drivers/win7/umd/d3d9/trace/traced.hpp"
#include "tests/catch.hpp"
#include "tests/drivers/umd/submission/heard_environment.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace aerogpu::umd::test {

/// Tracing, unless `variables` say otherwise.
class trace_rig {
 public:
  explicit trace_rig(std::map<std::string, std::string> variables = {})
      : heard_(system, with_switch(std::move(variables))) {}

  fake_system system;

  /// The tracer's lines so far, without their prefix.
  [[nodiscard]] auto lines() const -> std::vector<std::string> {
    constexpr std::string_view prefix = "aerogpu-d3d9-trace: ";
    std::vector<std::string> found;
    for (const std::string& line : system.log()) {
      if (line.starts_with(prefix)) found.push_back(line.substr(prefix.size()));
    }
    return found;
  }
  [[nodiscard]] auto banner() const -> std::string { return lines().at(0); }
  [[nodiscard]] auto dumps() const -> std::size_t {
    const auto all = lines();
    return static_cast<std::size_t>(std::count_if(
        all.begin(), all.end(), [](const auto& line) { return line.starts_with("dump "); }));
  }
  /// The value of `key` in the header of the dump, which was made.
  [[nodiscard]] auto header(std::string_view key) const -> std::string {
    for (const std::string& line : lines()) {
      if (line.starts_with("dump ")) return value_of(line, key);
    }
    return "no dump";
  }
  /// The records of the dump.
  [[nodiscard]] auto records() const -> std::vector<std::string> {
    std::vector<std::string> found;
    for (const std::string& line : lines()) {
      if (line.starts_with('#')) found.push_back(line);
    }
    return found;
  }
  /// Entry and answer of each, as "M::Flush 0x00000000".
  [[nodiscard]] auto calls() const -> std::vector<std::string> {
    std::vector<std::string> found;
    for (const std::string& line : records()) {
      const std::size_t name = line.find(' ', line.find("tid=")) + 1;
      found.push_back(line.substr(name, line.find(" a0=") - name) + " " + value_of(line, "hr"));
    }
    return found;
  }
  /// The dump that a process makes as it unloads the driver.
  [[nodiscard]] auto calls_at_detach() const -> std::vector<std::string> {
    trace::stop();
    return calls();
  }

  [[nodiscard]] static auto value_of(const std::string& line, std::string_view key) -> std::string {
    const std::string wanted = " " + std::string{key} + "=";
    const std::size_t at = line.find(wanted);
    if (at == std::string::npos) return "none";
    const std::size_t from = at + wanted.size();
    return line.substr(from, line.find(' ', from) - from);
  }

 private:
  [[nodiscard]] static auto with_switch(std::map<std::string, std::string> variables)
      -> std::map<std::string, std::string> {
    variables.emplace("AEROGPU_D3D9_TRACE", "1");
    variables.emplace("AEROGPU_D3D9_TRACE_DUMP_ON_DETACH", "1");
    return variables;
  }

  heard_environment heard_;
};

template <HRESULT Result>
auto APIENTRY answer(HANDLE) noexcept -> HRESULT {
  return Result;
}

/// A call of an entry that answers `Result`.
template <trace::entry_id Id, HRESULT Result = S_OK>
void call_entry() {
  constexpr auto entry = trace::traced<trace::packing_m, Id, answer<Result>>;
  CHECK(entry(nullptr) == Result);
}

}  // namespace aerogpu::umd::test
