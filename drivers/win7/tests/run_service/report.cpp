#include "drivers/win7/tests/run_service/report.hpp"

#include "drivers/win7/tests/run_service/control.hpp"

#include <algorithm>
#include <cctype>

namespace aerogpu::run_service {
namespace {

struct all_lines {
  std::string text;
  unsigned faults = 0;
};
[[nodiscard]] auto lines() -> all_lines& {
  static all_lines all;
  return all;
}

}  // namespace

void note(const std::string& line) {
  lines().text += line + '\n';
}

void check(bool is_so, const std::string& what) {
  if (!is_so) return fault("not so: " + what);
  note("ok: " + what);
}

void fault(const std::string& what) {
  ++lines().faults;
  note("FAULT: " + what);
}

void finish() {
  if (lines().faults == 0) note(report_closing_line);
}

auto report() -> std::string {
  return lines().text;
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
