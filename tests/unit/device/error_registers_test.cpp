// SPDX-License-Identifier: MIT
#include "aerogpu/device/error_registers.hpp"

#include "tests/catch.hpp"

namespace aerogpu {
namespace {

TEST_CASE("the last error wins and the count accumulates", "[device]") {
  error_registers errors;
  errors.record(AEROGPU_ERROR_CMD_DECODE, fence_value{5});
  errors.record(AEROGPU_ERROR_OOB, fence_value{0x100000007});
  CHECK(errors.code == AEROGPU_ERROR_OOB);
  CHECK(errors.fence == fence_value{0x100000007});
  CHECK(errors.count == 2);
}

TEST_CASE("the error count saturates", "[device]") {
  error_registers errors;
  errors.count = UINT32_MAX - 1;
  errors.record(AEROGPU_ERROR_BACKEND, {});
  errors.record(AEROGPU_ERROR_BACKEND, {});
  CHECK(errors.count == UINT32_MAX);
}

TEST_CASE("framing is CMD_DECODE, wrapped addresses are OOB, execution is BACKEND", "[device]") {
  const auto [code, expected] = GENERATE(table<error_code, aerogpu_error_code>({
      {error_code::none, AEROGPU_ERROR_NONE},
      {error_code::framing, AEROGPU_ERROR_CMD_DECODE},
      {error_code::cmd_decode, AEROGPU_ERROR_CMD_DECODE},
      {error_code::out_of_bounds, AEROGPU_ERROR_OOB},
      {error_code::internal, AEROGPU_ERROR_INTERNAL},
      {error_code::size_overflow, AEROGPU_ERROR_BACKEND},
      {error_code::unknown_handle, AEROGPU_ERROR_BACKEND},
      {error_code::guest_memory_fault, AEROGPU_ERROR_BACKEND},
      {error_code::device_lost, AEROGPU_ERROR_BACKEND},
      {error_code::out_of_memory, AEROGPU_ERROR_BACKEND},
  }));
  CHECK(register_code(code) == expected);
}

}  // namespace
}  // namespace aerogpu
