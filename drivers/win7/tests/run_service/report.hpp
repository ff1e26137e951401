// SPDX-License-Identifier: MIT
/// \file What the service run found, line by line, in the report's file.
#pragma once

#include <string>

namespace aerogpu::run_service {

void note(const std::string& line);
/// "ok: what", or a fault.
void check(bool is_so, const std::string& what);
void fault(const std::string& what);
/// The driver is unloaded: the closing line, if there was no fault.
void finish();

[[nodiscard]] auto ends_with_ignoring_case(const std::string& text, const std::string& end) -> bool;

}  // namespace aerogpu::run_service
