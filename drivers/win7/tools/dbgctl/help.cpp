// SPDX-License-Identifier: MIT
#include "drivers/win7/tools/dbgctl/help.hpp"

#include <algorithm>

namespace aerogpu::dbgctl {
namespace {

constexpr std::string_view common_options =
    "  --json     print one JSON object\n"
    "  --help     print this text\n"
    "  --version  print the version\n";
constexpr std::string_view exit_codes =
    "Exit codes: 0 fine; 1 the answer reports a fault; 2 wrong usage or file;\n"
    "            3 no AeroGPU display; 4 the driver refused; 5 the answer is malformed\n";

void append_row(std::string& out, std::string_view left, std::size_t width,
                std::string_view right) {
  out += "  ";
  out += left;
  out.append(width - left.size() + 2, ' ');
  out += right;
  out += '\n';
}

}  // namespace

auto program_help() -> std::string {
  std::string out =
      "usage: aerogpu_dbgctl [--json] COMMAND [OPERAND...]\n"
      "       aerogpu_dbgctl COMMAND --help\n"
      "\n"
      "Asks the AeroGPU display driver what it knows, and tests it.\n"
      "\n";
  std::size_t width = 0;
  for (const command& row : commands()) width = std::max(width, row.name.size());
  append_row(out, "status", width, "every query, one after the other");
  for (const command& row : commands()) append_row(out, row.name, width, row.summary);
  out += '\n';
  out += common_options;
  out += "\nGated commands need a registry value and an administrator: their --help says more.\n";
  out += exit_codes;
  return out;
}

auto command_help(const command& of) -> std::string {
  std::string out = "usage: aerogpu_dbgctl [--json] " + std::string{of.name};
  if (!of.operands.empty()) out += " " + std::string{of.operands};
  out += "\n\nOperation " + std::to_string(of.op) + ": " + std::string{of.summary} + ".\n\n";
  if (!of.help.empty()) out += std::string{of.help} + "\n";
  out += common_options;
  if (!of.gate.empty()) out += "\n" + gate_help(of);
  return out;
}

auto gate_help(const command& of) -> std::string {
  return "The driver refuses this unless the REG_DWORD " + std::string{of.gate} +
         "\nis not 0 in HKLM\\SYSTEM\\CurrentControlSet\\Services\\aerogpu\\Parameters when it "
         "starts, and\nthe caller is an administrator or holds SeDebugPrivilege.\n";
}

}  // namespace aerogpu::dbgctl
