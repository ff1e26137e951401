// SPDX-License-Identifier: MIT
// A session on the Vulkan backend, with each of its allocations failing once.
#include "dxbc_to_spirv/module/spirv_check.hpp"
#include "tests/exhaustion/every_allocation.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/vulkan/vulkan_processor.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

struct vulkan_maker {
  static inline auto compiler = vulkan::shader_compiler_place::in_process;
  static auto make() -> result<std::unique_ptr<vulkan::vulkan_backend>> {
    vulkan::backend_options options;
    options.on_progress = [] {};  // For the thread that comes with it.
    options.shader_compiler = compiler;
    return vulkan::vulkan_backend::create(options);
  }
};

using runner = exhaustion_runner<vulkan::vulkan_backend, vulkan_maker>;

#if defined(AEROGPU_TEST_HAS_DXBC)
constexpr auto shaders = script_shaders::all;
#else
constexpr auto shaders = script_shaders::d3d9;
#endif

/// What the driver keeps for the process is allocated once. What the validator of compiled shaders
/// allocates is the matter of tests/exhaustion/compile_test.cpp.
void load_driver() {
#if defined(AEROGPU_TEST_HAS_DXBC)
  constexpr std::size_t check_bytes = test::is_sanitized ? 8192 : 256;
  failing_heap::guard(reinterpret_cast<const void*>(&dxbc::check_spirv), check_bytes);
#endif
  const auto backend = vulkan_maker::make();
  REQUIRE(backend);
}

}  // namespace

TEST_CASE("no allocation of the Vulkan backend is of a form that cannot report", "[exhaustion]") {
  load_driver();
  using place = vulkan::shader_compiler_place;
  vulkan_maker::compiler = GENERATE(place::process, place::in_process);
  const std::uint64_t calls = runner{shaders}.run_clean();
  CHECK(calls > 100);
  CHECK(failing_heap::foreign_calls() > 0);
  for (const heap_call_stack& stack : failing_heap::throwing_calls()) {
    FAIL_CHECK("throws:" + runner::describe(stack));
  }
}

TEST_CASE("whichever allocation fails on Vulkan, the device reports it and goes on",
          "[exhaustion]") {
  load_driver();
  runner sessions{shaders};
  const std::uint64_t calls = sessions.run_clean();
  std::uint64_t number = 1;
  std::uint64_t runs = 0;
  for (; sessions.survives(number); number += fault_stride()) ++runs;
  CHECK(number > calls);
  CHECK(sessions.reports() > runs / 2);
}
