// SPDX-License-Identifier: MIT
// A handler takes a packet that was checked; nothing but the check makes one.
// says: private
#include "aerogpu/stream/checked_packet.hpp"

using draw = aerogpu_cmd_draw;

[[maybe_unused]] auto hands_on(const aerogpu::packet<draw>& from) -> aerogpu::error_code {
  return aerogpu::checked_packet<draw>::check(
      from, 4, [](const aerogpu::checked_packet<draw>&) { return aerogpu::error_code::none; },
      [](const aerogpu::error& why) { return why.code; });
}

#ifdef WRONG
auto trusts(const aerogpu::packet<draw>& from) -> aerogpu::checked_packet<draw> {
  return {from, aerogpu::shader_stage::vertex};
}
#endif
