// SPDX-License-Identifier: MIT
/// \file DEV-073..082: fences: order, duplicates, early and failed completions.
#pragma once

#include "tests/conformance/backends.hpp"
#include "tests/conformance/device/device_rig.hpp"
#include "tests/support/failing_backend.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace aerogpu::conformance {

TEMPLATE_LIST_TEST_CASE("DEV-073 a NO_IRQ submission moves fence and page silently",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.submit({.fence = 1, .stream = idle_stream(), .flags = AEROGPU_SUBMIT_FLAG_NO_IRQ});
  CHECK(rig.completed() == 1);
  CHECK(rig.page_fence() == 1);
  CHECK(rig.irq_status() == 0);
  CHECK(rig.machine.line_changes == 0);
}

TEMPLATE_LIST_TEST_CASE("DEV-073 a NO_IRQ submission that fails interrupts for its error alone",
                        "[conformance][device]", backends) {
  const bool is_malformed = GENERATE(false, true);
  const auto failing = stream_builder{}.create_buffer(0, 16).bytes();
  device_rig<TestType> rig;
  rig.start();
  rig.submit({.fence = 1,
              .stream = is_malformed ? byte_vector(8) : failing,
              .flags = AEROGPU_SUBMIT_FLAG_NO_IRQ});
  CHECK(rig.completed() == 1);
  CHECK(rig.page_fence() == 1);
  CHECK(rig.irq_status() == AEROGPU_IRQ_ERROR);
}

TEMPLATE_LIST_TEST_CASE("DEV-074 of one fence's submissions any may want the interrupt",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  const bool silent_first = GENERATE(true, false);
  const std::uint32_t silent = AEROGPU_SUBMIT_FLAG_NO_IRQ;
  rig.push(
      guest_submission{.fence = 1, .stream = idle_stream(), .flags = silent_first ? silent : 0});
  rig.push(
      guest_submission{.fence = 1, .stream = idle_stream(), .flags = silent_first ? 0 : silent});
  rig.doorbell();
  CHECK(rig.completed() == 1);
  CHECK(rig.irq_status() == AEROGPU_IRQ_FENCE);
}

TEMPLATE_LIST_TEST_CASE("DEV-074 a fence that submissions share completes with the last of them",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  using traits = backend_traits<TestType>;
  if constexpr (requires { traits::release_one(*rig.backend); }) {
    traits::hold(*rig.backend);
    for (int i = 0; i < 3; ++i) rig.push(guest_submission{.fence = 1, .stream = idle_stream()});
    rig.ring();
    for (int i = 0; i < 2; ++i) {
      traits::release_one(*rig.backend);
      rig.dev->tick();
      CHECK(rig.completed() == 0);
    }
    traits::release_one(*rig.backend);
    rig.dev->tick();
    CHECK(rig.completed() == 1);
  }
}

/// Checks that a submission with `fence` runs after `before` completed, and changes no fence.
template <class Backend>
void check_stale(std::uint64_t before, std::uint64_t fence) {
  device_rig<Backend> rig;
  rig.start();
  rig.submit({.fence = before, .stream = idle_stream()});
  rig.acknowledge(AEROGPU_IRQ_FENCE);
  rig.submit({.fence = fence, .stream = stream_builder{}.create_buffer(1, 16).bytes()});
  CHECK(rig.dev->processor().counts().buffers == 1);
  CHECK(rig.pending() == 0);
  CHECK(rig.completed() == before);
  CHECK(rig.page_fence() == before);
  CHECK(rig.irq_status() == 0);
}

TEMPLATE_LIST_TEST_CASE("DEV-075 a fence that completed already: executed, nothing else",
                        "[conformance][device]", backends) {
  check_stale<TestType>(5, 5);
}

TEMPLATE_LIST_TEST_CASE("DEV-076 a submission without a fence runs, and no fence moves",
                        "[conformance][device]", backends) {
  check_stale<TestType>(5, 0);
  device_rig<TestType> rig{device_rig<TestType>::bridge_config()};
  rig.start();
  rig.submit({.fence = 0, .stream = idle_stream()});
  CHECK(rig.pending() == 0);
  CHECK(rig.take_fences() == std::vector<std::uint64_t>{0});
}

TEMPLATE_LIST_TEST_CASE("DEV-077 a lower fence runs, and the register never moves back",
                        "[conformance][device]", backends) {
  check_stale<TestType>(5, 4);
  check_stale<TestType>(0x1'00000000, 1);  // A driver that does not extend its 32 bits.
}

TEMPLATE_LIST_TEST_CASE("DEV-078 completions out of order wait for the ones before",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig{device_rig<TestType>::bridge_config()};
  rig.start();
  for (const std::uint64_t fence : {1u, 2u, 3u}) {
    rig.submit({.fence = fence, .stream = idle_stream()});
  }
  rig.complete(3);
  rig.complete(2);
  CHECK(rig.completed() == 0);
  CHECK(rig.page_fence() == 0);
  rig.complete(1);
  CHECK(rig.completed() == 3);
  CHECK(rig.page_fence() == 3);
  CHECK(rig.irq_status() == AEROGPU_IRQ_FENCE);
}

TEMPLATE_LIST_TEST_CASE("DEV-079 a completion before its submission is remembered",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig{device_rig<TestType>::bridge_config()};
  rig.start();
  rig.complete(2);
  rig.complete(1);
  CHECK(rig.completed() == 0);
  rig.submit({.fence = 1, .stream = idle_stream()});
  CHECK(rig.completed() == 1);
  rig.submit({.fence = 2, .stream = idle_stream()});
  CHECK(rig.completed() == 2);
  rig.submit({.fence = 3, .stream = idle_stream()});
  CHECK(rig.completed() == 2);
}

TEMPLATE_LIST_TEST_CASE("DEV-079 of early completions beyond the limit the oldest is forgotten",
                        "[conformance][device]", backends) {
  auto config = device_rig<TestType>::bridge_config();
  config.bounds.early_completions = 2;
  device_rig<TestType> rig{config};
  rig.start();
  for (const std::uint64_t fence : {1u, 2u, 3u}) rig.complete(fence);
  rig.submit({.fence = 1, .stream = idle_stream()});
  CHECK(rig.completed() == 0);
  rig.complete(1);
  CHECK(rig.completed() == 1);
  rig.submit({.fence = 2, .stream = idle_stream()});
  rig.submit({.fence = 3, .stream = idle_stream()});
  CHECK(rig.completed() == 3);
}

TEMPLATE_LIST_TEST_CASE("DEV-080 an early completion does not bypass pacing",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig{device_rig<TestType>::bridge_config()};
  rig.start();
  rig.set_scanout({});
  rig.complete(1);
  rig.submit({.fence = 1, .stream = present_stream()});
  CHECK(rig.completed() == 0);
  rig.tick_at(period_ns);
  CHECK(rig.completed() == 1);
}

TEMPLATE_LIST_TEST_CASE("DEV-081 a completion with an error is BACKEND, and the fence advances",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig{device_rig<TestType>::bridge_config()};
  rig.start();
  rig.submit({.fence = 8, .stream = idle_stream()});
  rig.complete(8, error_code::device_lost);
  rig.check_error(AEROGPU_ERROR_BACKEND, 8);
  CHECK(rig.completed() == 8);
  rig.complete(8, error_code::device_lost);
  rig.check_error(AEROGPU_ERROR_BACKEND, 8);
}

TEMPLATE_LIST_TEST_CASE("DEV-081 the failure of a submission without a fence has fence 0",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig{device_rig<TestType>::bridge_config()};
  rig.start();
  rig.submit({.fence = 8, .stream = idle_stream()});
  rig.submit({.fence = 0, .stream = idle_stream()});
  rig.complete(0);
  rig.check_no_error();
  rig.complete(0, error_code::device_lost);
  rig.check_error(AEROGPU_ERROR_BACKEND, 0);
  CHECK(rig.completed() == 0);
}

TEMPLATE_LIST_TEST_CASE("DEV-082 whichever call of the backend fails, the fence advances",
                        "[conformance][device]", backends) {
  const auto stream = stream_builder{}
                          .create_buffer(1, 64)
                          .create_buffer(2, 64, {.alloc_id = 1})
                          .upload(1, 0, test::filled(64, 7))
                          .copy_buffer(2, 0, 1, 0, 64, AEROGPU_COPY_FLAG_WRITEBACK_DST)
                          .create_texture(3, {.usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET})
                          .targets({3})
                          .clear(AEROGPU_CLEAR_COLOR)
                          .present()
                          .bytes();
  using watched = test::failing_backend<TestType>;
  for (std::uint64_t call = 1; call < 64; ++call) {
    const auto inner = backend_traits<TestType>::make();
    test::device_harness<watched> rig{std::make_unique<watched>(*inner)};
    rig.start();
    rig.machine.ram.map(gpa{0x5000}, 64);
    rig.backend->plan({.at_call = call, .code = error_code::device_lost});
    rig.submit({.fence = 1, .stream = stream, .table = {{{1, 0, 0x5000, 64, 0}}}});
    const bool has_failed = rig.backend->calls() >= call;
    INFO(call);
    CHECK(rig.completed() == 1);
    CHECK(rig.page_fence() == 1);
    CHECK(rig.error_code_register() == (has_failed ? AEROGPU_ERROR_BACKEND : AEROGPU_ERROR_NONE));
    CHECK(rig.error_fence() == (has_failed ? 1 : 0));
    rig.submit({.fence = 2, .stream = idle_stream()});
    CHECK(rig.completed() == 2);
    rig.dev.reset();
    CHECK(rig.backend->live_objects() == 0);
    CHECK(rig.backend->broken_rules() == 0);
    if (!has_failed) return;
  }
  FAIL("more calls than expected");
}

TEMPLATE_LIST_TEST_CASE("DEV-082 write-backs come before the page, the page before the line",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.machine.ram.map(gpa{0x5000}, 64);
  std::vector<std::string> order;
  rig.machine.on_write = [&](gpa at, const_bytes bytes) {
    if (at == gpa{0x5000}) order.push_back("write-back");
    if (at == gpa{fence_page_gpa + 8} && load<std::uint64_t>(bytes.data()) == 1) {
      order.push_back("page");
      CHECK(bytes.size() == 8);
      CHECK(rig.completed() == 0);
    }
  };
  rig.machine.on_line = [&](bool) {
    order.push_back("line");
    CHECK(rig.completed() == 1);
  };
  rig.submit({.fence = 1,
              .stream = stream_builder{}
                            .create_buffer(1, 64)
                            .create_buffer(2, 64, {.alloc_id = 1})
                            .copy_buffer(2, 0, 1, 0, 64, AEROGPU_COPY_FLAG_WRITEBACK_DST)
                            .bytes(),
              .table = {{{1, 0, 0x5000, 64, 0}}}});
  REQUIRE(order.size() >= 3);
  CHECK(order.front() == "write-back");
  CHECK(order[1] == "page");
  CHECK(std::find(order.begin(), order.end(), "line") >
        std::find(order.begin(), order.end(), "page"));
}

TEMPLATE_LIST_TEST_CASE("DEV-082 a write-back without memory is BACKEND, once, and the fence moves",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.machine.ram.map(gpa{0x5000}, 64);
  const auto stream =
      stream_builder{}.create_buffer(1, 64).create_buffer(2, 64, {.alloc_id = 1}).bytes();
  const std::vector<aerogpu_alloc_entry> table{{1, 0, 0x5000, 64, 0}};
  rig.submit({.fence = 1, .stream = stream, .table = table});
  rig.machine.ram.unmap(gpa{0x5000}, 64);
  rig.submit({.fence = 2,
              .stream = stream_builder{}
                            .copy_buffer(2, 0, 1, 0, 64, AEROGPU_COPY_FLAG_WRITEBACK_DST)
                            .copy_buffer(2, 0, 1, 0, 64, AEROGPU_COPY_FLAG_WRITEBACK_DST)
                            .bytes(),
              .table = table});
  rig.check_error(AEROGPU_ERROR_BACKEND, 2);
  CHECK(rig.machine.errors.back().why.code == error_code::guest_memory_fault);
  CHECK(rig.completed() == 2);
}

}  // namespace aerogpu::conformance
