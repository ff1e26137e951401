// SPDX-License-Identifier: MIT
// The program on Windows; program.cpp is the program.
#include "drivers/win7/tools/dbgctl/kmt_channel.hpp"
#include "drivers/win7/tools/dbgctl/program.hpp"

#include <cstdio>
#include <vector>

int main(int count, char** words) {
  using namespace aerogpu::dbgctl;
  const std::vector<std::string_view> arguments(words + (count > 0 ? 1 : 0), words + count);
  output text;
  const exit_code code = run(arguments, open_kmt_channel, text);
  std::fwrite(text.out.data(), 1, text.out.size(), stdout);
  std::fwrite(text.err.data(), 1, text.err.size(), stderr);
  return static_cast<int>(code);
}
