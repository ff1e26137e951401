// SPDX-License-Identifier: MIT
#include "drivers/win7/tests/run_service/report.hpp"

#include "drivers/win7/tests/run_service/control.hpp"
#include "drivers/win7/tests/run_service/host_windows.hpp"

#include <algorithm>
#include <cctype>

namespace aerogpu::run_service {
namespace {

unsigned faults = 0;

}  // namespace

void note(const std::string& line) {
  append_to_report(line.c_str());
}

void check(bool is_so, const std::string& what) {
  if (!is_so) return fault("not so: " + what);
  note("ok: " + what);
}

void fault(const std::string& what) {
  ++faults;
  note("FAULT: " + what);
}

void finish() {
  if (faults == 0) note(report_closing_line);
}

auto ends_with_ignoring_case(const std::string& text, const std::string& end) -> bool {
  const auto lower = [](std::string one) {
    std::transform(one.begin(), one.end(), one.begin(), [](char letter) {
      return static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    });
    return one;
  };
  return lower(text).ends_with(lower(end));
}

}  // namespace aerogpu::run_service
