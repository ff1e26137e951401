// SPDX-License-Identifier: MIT
// The compilation of Direct3D 10 and 11 shaders in this process, with each allocation of our own
// failing once, and those of the validator that it calls.
#include "dxbc_to_spirv/compile.hpp"

#include "dxbc_to_spirv/module/spirv_check.hpp"
#include "tests/catch.hpp"
#include "tests/support/byte_code/dxbc_samples.hpp"
#include "tests/support/byte_code/shaders.hpp"
#include "tests/support/failing_heap.hpp"
#include "tests/support/ignored_leaks.hpp"
#include "tests/support/sanitized.hpp"

#include <cstddef>
#include <cstdint>

using namespace aerogpu;
using namespace aerogpu::test;
using aerogpu::dxbc::check_spirv;
using failing_heap::origin;

namespace {

/// Longer than the function, and too short for one that comes behind it to matter.
constexpr std::size_t check_bytes = test::is_sanitized ? 8192 : 256;

void guard_the_validator() {
  failing_heap::guard(reinterpret_cast<const void*>(&check_spirv), check_bytes);
}

auto compiled(const byte_vector& container, std::uint64_t failing, origin whose) -> error {
  dxbc::compile_options options;
  options.draws_points = true;
  options.extra_outputs[7] = {0xF, dxbc::component_class::floating};
  const bool takes_extra = container == sm4::vs_passing();
  if (!takes_extra) options.extra_outputs[7] = {};
  failing_heap::plan(failing, whose);
  const heap_scope armed;
  return dxbc::compile(container, options).why();
}

}  // namespace

TEST_CASE("whichever allocation of a compilation fails, it says so and keeps nothing",
          "[exhaustion]") {
  guard_the_validator();
  const byte_vector container = GENERATE(sm4::vs_passing(), sm4::ps_textured(), gs_4_0_point(),
                                         sm4::cs_structured(), sm4::hs_triangle());
  REQUIRE(compiled(container, 0, origin::code).code == error_code::none);
  const std::int64_t before = failing_heap::live_blocks();
  std::uint64_t failures = 0;
  for (std::uint64_t number = 1;; ++number) {
    const error why = compiled(container, number, origin::code);
    CAPTURE(number, why.what);
    CHECK(failing_heap::live_blocks() == before);
    if (!failing_heap::has_failed()) {
      CHECK(why.code == error_code::none);
      break;
    }
    if (why.code == error_code::none) continue;  // It went without a list that saves constants.
    CHECK(why.code == error_code::out_of_memory);
    ++failures;
  }
  CHECK(failures > 20);
  CHECK(failing_heap::throwing_calls().empty());
}

TEST_CASE("an allocation that fails in the validator is an error of the compilation",
          "[exhaustion]") {
  guard_the_validator();
  const byte_vector container = sm4::ps_textured();
  REQUIRE(compiled(container, 0, origin::guarded).code == error_code::none);
  const std::uint64_t calls = failing_heap::calls(origin::guarded);
  constexpr std::uint64_t stride = 7;
  for (std::uint64_t number = 1; number <= calls; number += stride) {
    const ignored_leaks of_the_validator;  // It is built without exceptions.
    const error why = compiled(container, number, origin::guarded);
    CAPTURE(number, calls, why.what);
    REQUIRE(failing_heap::has_failed());
    CHECK(why.code == error_code::out_of_memory);
  }
  CHECK(compiled(container, 0, origin::guarded).code == error_code::none);
}
