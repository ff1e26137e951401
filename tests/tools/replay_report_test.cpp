// SPDX-License-Identifier: MIT
/// \file What a replay's report says where no run gets by itself: validation layers that complain.
#include "tests/catch.hpp"
#include "tools/aerogpu/replay/replay.hpp"

#include <cstdint>
#include <string>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::tool;

namespace {

auto report_with(std::uint32_t validation_errors) -> replay_report {
  replay_report report;
  report.name = "clear";
  report.backend = "vulkan";
  report.submissions.emplace_back();
  report.validation_errors = validation_errors;
  return report;
}

}  // namespace

TEST_CASE("a replay that the validation layers complain about is not ok", "[tools]") {
  const std::string text = reports_as_text({report_with(3)});
  CHECK(text.find("  validation errors\n") != std::string::npos);
  CHECK(text.find("ok") == std::string::npos);
  CHECK(reports_as_text({report_with(0)}).find("  ok\n") != std::string::npos);
}

TEST_CASE("the JSON of a replay counts what the validation layers said", "[tools]") {
  CHECK(reports_as_json({report_with(3)}).find("\"validation_errors\": 3") != std::string::npos);
}

TEST_CASE("what the validation layers said is told where only errors are", "[tools]") {
  CHECK(complaints_about(report_with(3)) == std::vector<std::string>{"clear: 3 validation errors"});
  CHECK(complaints_about(report_with(0)).empty());
}
