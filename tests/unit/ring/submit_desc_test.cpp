// SPDX-License-Identifier: MIT
// Tests of aerogpu/ring/submit_desc.hpp.
#include "aerogpu/ring/submit_desc.hpp"

#include "aerogpu/core/bytes.hpp"
#include "tests/catch.hpp"

#include <array>
#include <cstring>

using namespace aerogpu;

TEST_CASE("a buffer's address and size are both zero or neither", "[ring]") {
  using row = std::tuple<std::uint64_t, std::uint32_t, error_code>;
  const auto [at, size, code] = GENERATE(table<std::uint64_t, std::uint32_t, error_code>({
      row{0, 0, error_code::none},
      row{0, 1, error_code::cmd_decode},
      row{1, 0, error_code::cmd_decode},
      row{UINT64_MAX, 0, error_code::cmd_decode},
      row{1, 1, error_code::none},
      row{UINT64_MAX - 1, 1, error_code::none},
      row{UINT64_MAX, 1, error_code::out_of_bounds},
      row{UINT64_MAX - 0xFFFFFFFE, UINT32_MAX, error_code::out_of_bounds},
      row{UINT64_MAX - 0xFFFFFFFF, UINT32_MAX, error_code::none},
  }));
  CAPTURE(at, size);
  const auto good = check_buffer({static_cast<gpa>(at), size});
  CHECK(good.why().code == code);
}

TEST_CASE("an empty submission becomes wire.md 15.4's golden descriptor", "[ring]") {
  const aerogpu_submit_desc desc = make_descriptor({.flags = AEROGPU_SUBMIT_FLAG_NO_IRQ,
                                                    .context = context_id{5},
                                                    .commands = {},
                                                    .alloc_table = {},
                                                    .signal_fence = fence_value{42}});
  std::array<std::uint8_t, 64> golden{};
  golden[0] = 0x40;
  golden[4] = 2;
  golden[8] = 5;
  golden[0x30] = 0x2A;
  CHECK(std::memcmp(&desc, golden.data(), sizeof desc) == 0);
}

TEST_CASE("a descriptor gives back the buffers that it was made of", "[ring]") {
  const auto desc = make_descriptor({.flags = AEROGPU_SUBMIT_FLAG_PRESENT,
                                     .context = context_id{1},
                                     .commands = {gpa{0x200000}, 392},
                                     .alloc_table = {gpa{0x201000}, 88},
                                     .signal_fence = fence_value{0x100000001}});
  CHECK(commands_of(desc).first == gpa{0x200000});
  CHECK(commands_of(desc).capacity_bytes == 392);
  CHECK(alloc_table_of(desc).first == gpa{0x201000});
  CHECK(alloc_table_of(desc).capacity_bytes == 88);
  CHECK_FALSE(commands_of(desc).is_absent());
  CHECK(desc.engine_id == 0);
}
