// SPDX-License-Identifier: MIT
// Pipelines that the driver does not finish compiling.
#include "tests/support/device_harness.hpp"
#include "tests/vulkan_faults/faulty_guest.hpp"
#include "tests/vulkan_faults/many_objects.hpp"
#include "vulkan/device/stuck_devices.hpp"
#include "vulkan/engine.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

constexpr std::uint64_t limit_ms = 20;
constexpr auto long_enough = std::chrono::minutes{5};

auto quick_options() -> vulkan::backend_options {
  vulkan::backend_options options = fault_options();
  options.bounds.pipeline_compile_ms = limit_ms;
  options.bounds.pipeline_rest_ms = 1;  // Less than it takes to open another device.
  return options;
}

/// What the scene's picture is where nothing goes wrong.
auto good_picture() -> byte_vector {
  const auto backend = open_faulty_backend(fault_options());
  faulty_guest guest{*backend};
  REQUIRE(guest.run(faulty_guest::objects()).code == error_code::none);
  REQUIRE(guest.run(faulty_guest::picture()).code == error_code::none);
  REQUIRE(guest.run(faulty_guest::read_picture()).code == error_code::none);
  return guest.written();
}

void lose_device(call_faults& faults, faulty_guest& guest) {
  faults.plan(1, VK_ERROR_DEVICE_LOST);
  CHECK(guest.run(faulty_guest::upload_again()).code == error_code::device_lost);
  faults.plan(0, VK_SUCCESS);
}

/// More powers than any program may have (spirv/shader_limits.hpp).
auto costly_shader() -> byte_vector {
  std::string text = "ps_3_0\ndcl_texcoord v0\nmov r0, v0\n";
  for (int i = 0; i < 2000; ++i) text += "pow r0.x, r0.x, v0.x\n";
  return many::program(text + "mov oC0, r0");
}

/// A guest whose first pipeline stays inside the driver.
struct compile_rig {
  compile_rig() {
    load_vulkan();
    faults.emplace();
    backend = open_faulty_backend(quick_options());
    guest.emplace(*backend);
    REQUIRE(guest->run(faulty_guest::objects()).code == error_code::none);
    faults->hold_next_compilation();
  }
  ~compile_rig() {
    faults->release_compilations();
    guest.reset();
    backend.reset();
    CHECK(faults->held() == 0);
  }
  auto inside() -> vulkan::engine& { return backend->inside(); }
  void rest_for(std::uint32_t time_ms) {
    bounds.pipeline_rest_ms = time_ms;
    inside().set_bounds(bounds);
  }
  auto picture() -> byte_vector {
    REQUIRE(guest->run(faulty_guest::upload_again()).code == error_code::none);
    bounds.pipeline_compile_ms = 60'000;  // A processor under load may need more than in this test.
    inside().set_bounds(bounds);
    REQUIRE(guest->run(faulty_guest::picture()).code == error_code::none);
    REQUIRE(guest->run(faulty_guest::read_picture()).code == error_code::none);
    return guest->written();
  }

  vulkan::backend_limits bounds = quick_options().bounds;
  std::optional<call_faults> faults;
  std::unique_ptr<vulkan::vulkan_backend> backend;
  std::optional<faulty_guest> guest;
};

}  // namespace

TEST_CASE("a pipeline that takes too long to compile gives its device up, and the guest goes on",
          "[faults][compilation]") {
  compile_rig rig;
  vulkan::device_parts& given_up = *rig.inside().device();
  const error why = rig.guest->run(faulty_guest::picture());
  CHECK(why.code == error_code::device_lost);
  CHECK(std::string_view{why.what} == "the driver takes too long to compile a pipeline");
  CHECK(why.limit == limit_ms);
  CHECK(rig.backend->counters().device_losses == 1);
  CHECK(rig.inside().abandoned() == 1);
  CHECK(given_up.is_compiling());
  CHECK((rig.picture() == good_picture()));  // While the other device still compiles.
  rig.inside().poll();
  CHECK(rig.inside().abandoned() == 1);
  rig.faults->release_compilations();
  given_up.compiler->wait(std::chrono::steady_clock::now() + long_enough);
  rig.inside().poll();
  CHECK(rig.inside().abandoned() == 0);
  CHECK(rig.backend->counters().device_losses == 1);
}

TEST_CASE("a backend that goes leaves a compilation that does not end to the process",
          "[faults][compilation]") {
  compile_rig rig;
  CHECK(rig.guest->run(faulty_guest::picture()).code == error_code::device_lost);
  rig.guest.reset();
  rig.backend.reset();
  CHECK(vulkan::has_stuck_devices());
  rig.faults->release_compilations();
  const auto deadline = std::chrono::steady_clock::now() + long_enough;
  while (vulkan::has_stuck_devices() && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::yield();
  }
  CHECK_FALSE(vulkan::has_stuck_devices());
}

TEST_CASE("the fence of a submission whose pipeline does not compile advances, in order",
          "[faults][compilation]") {
  load_vulkan();
  call_faults faults;
  {
    device_harness<vulkan::vulkan_backend> rig{open_faulty_backend(quick_options())};
    rig.start();
    rig.submit({.fence = 1, .stream = faulty_guest::without_memory().bytes()});
    REQUIRE(rig.error_count() == 0);
    faults.hold_next_compilation();
    rig.submit({.fence = 2, .stream = faulty_guest::drawing_without_memory().bytes()});
    rig.submit({.fence = 3, .stream = faulty_guest::without_memory_again().bytes()});
    CHECK(rig.completed() == 3);
    CHECK(rig.page_fence() == 3);
    CHECK(rig.error_code_register() == AEROGPU_ERROR_BACKEND);
    CHECK(rig.error_fence() == 2);
    CHECK(rig.error_count() == 1);
    faults.release_compilations();
  }
  CHECK(faults.held() == 0);
}

TEST_CASE("a pipeline that the driver refuses is handed to it once", "[faults][compilation]") {
  load_vulkan();
  call_faults faults;
  const auto backend = open_faulty_backend(fault_options());
  faulty_guest guest{*backend};
  REQUIRE(guest.run(faulty_guest::objects()).code == error_code::none);
  faults.refuse_pipelines(true);
  const error first = guest.run(faulty_guest::picture());
  CHECK(first.code == error_code::internal);
  CHECK(std::string_view{first.what} == "creating a pipeline fails");
  CHECK(faults.compilations() == 1);
  faults.refuse_pipelines(false);
  for (int i = 0; i < 3; ++i) {
    const error again = guest.run(faulty_guest::picture());
    CHECK(again.code == first.code);
    CHECK(again.what == first.what);
    CHECK(again.detail == first.detail);
  }
  CHECK(faults.compilations() == 1);
  CHECK(backend->counters().device_losses == 0);
  // Another device may have another driver: it is asked.
  lose_device(faults, guest);
  REQUIRE(guest.run(faulty_guest::upload_again()).code == error_code::none);
  CHECK(guest.run(faulty_guest::picture()).code == error_code::none);
  CHECK(faults.compilations() > 1);
}

TEST_CASE("shaders that took a driver too long cost no second device until they rested",
          "[faults][compilation]") {
  compile_rig rig;
  rig.rest_for(3'600'000);
  CHECK(rig.guest->run(faulty_guest::picture()).code == error_code::device_lost);
  CHECK(rig.faults->compilations() == 1);
  REQUIRE(rig.guest->run(faulty_guest::upload_again()).code == error_code::none);
  for (int i = 0; i < 3; ++i) {
    const error why = rig.guest->run(faulty_guest::picture());
    CHECK(why.code == error_code::unsupported);
    CHECK(std::string_view{why.what}.ends_with("is not asked again yet"));
    CHECK(why.limit == 3'600'000);
  }
  CHECK(rig.faults->compilations() == 1);
  CHECK(rig.backend->counters().device_losses == 1);
  rig.rest_for(1);
  CHECK((rig.picture() == good_picture()));
}

TEST_CASE("a program that costs too much is translated once, also when its device is replaced",
          "[faults][compilation]") {
  constexpr std::uint32_t handle = 900;
  load_vulkan();
  call_faults faults;
  const auto backend = open_faulty_backend(fault_options());
  faulty_guest guest{*backend};
  REQUIRE(guest.run(faulty_guest::objects()).code == error_code::none);
  auto& shaders = backend->inside().records().shaders;
  const std::uint64_t modules = shaders.modules_made(), translations = shaders.translations();
  const auto create_and_destroy = [&] {
    const error why = guest.run(std::move(
        stream_builder{}.create_shader(handle, wire_ps, costly_shader()).destroy_shader(handle)));
    CHECK(why.code == error_code::none);  // Whoever draws with it is told.
    CHECK(shaders.modules_made() == modules);
    CHECK(shaders.translations() == translations + 1);
  };
  create_and_destroy();
  create_and_destroy();
  lose_device(faults, guest);
  REQUIRE(guest.run(faulty_guest::upload_again()).code == error_code::none);
  create_and_destroy();
  CHECK(guest.run(faulty_guest::picture()).code == error_code::none);
}
