// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/trace/section_log.hpp"

#include "drivers/win7/umd/d3d9/core/log.hpp"
#include "drivers/win7/umd/d3d9/trace/environment.hpp"

namespace aerogpu::umd {

namespace {

auto name_of(section_security taken) noexcept -> std::string_view {
  switch (taken) {
    case section_security::sddl: return "SDDL";
    case section_security::null_dacl: return "NULL DACL";
    case section_security::relabelled: return "relabelled";
    case section_security::unchanged: break;
  }
  return "unchanged";
}

}  // namespace

void log_section(std::string_view name, section_security taken) noexcept {
  if (!environment().logs_sections) return;
  log_line{"MIC section="}.text(name).text(" security=").text(name_of(taken));
}

}  // namespace aerogpu::umd
