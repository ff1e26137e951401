// SPDX-License-Identifier: MIT
// Fuzzes the command processor on the null backend, which may fail at any call. The input is a
// list of submissions: flags, context, length, packets.
#include "tests/fuzz/processor_machine.hpp"

using namespace aerogpu;

auto LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) -> int {
  fuzz::input in{data, size};
  fuzz::machine guest;
  while (!in.empty()) {
    const std::uint8_t what = in.u8();
    const context_id context{in.u8() % 6u};
    guest.plan({what % 4 == 0 ? in.u8() : 0u, error_code::out_of_memory, what % 8 == 0});
    const auto table = what % 16 == 1 ? fuzz::table_choice::absent : fuzz::table_choice::present;
    const const_bytes packets = in.bytes(in.u16());
    guest.run(packets, what >> 4 & 7u, context, table);
    if (what == 0xFF) guest.reset();
  }
  guest.reset();
  return 0;
}
