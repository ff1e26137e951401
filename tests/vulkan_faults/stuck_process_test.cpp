// SPDX-License-Identifier: MIT
// A draw that takes years, on a real device: the guest is told, later submissions are refused, the
// backend goes, and the process ends. A program of its own, because threads of the driver outlive
// everything else in it. On the processor: a GPU stays busy for minutes after this process, for
// all others too.
#include "tests/support/guest_memory_fakes.hpp"
#include "tests/support/vulkan/vulkan_processor.hpp"
#include "tests/vulkan_faults/small_scene.hpp"
#include "vulkan/device/stuck_devices.hpp"
#include "vulkan/engine.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using namespace aerogpu;
using namespace aerogpu::test;

void check(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::_Exit(1);
}

struct completions {
  error last;
  void on_write_back(submission_id, const guest_rows&, const_bytes) noexcept {}
  void on_complete(submission_id, const error& why) noexcept { last = why; }
};

/// Runs a stream to its end, and returns why it failed.
auto run(command_processor<vulkan::vulkan_backend>& on, const stream_builder& stream) -> error {
  fake_memory memory;
  completions heard;
  const auto report = on.execute({context_id{1}, fence_value{1}, stream.bytes(), nullptr}, memory);
  on.wait_idle();
  on.poll(heard);
  return report.is_pending ? heard.last : report.why;
}

/// Its place in the list; empty = there is none.
auto find_processor_device() -> std::string {
  const auto devices = vulkan::list_devices();
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (devices[i].kind == "cpu" && devices[i].missing.empty()) return std::to_string(i);
  }
  return {};
}

}  // namespace

auto main() -> int {
  vulkan::backend_options options;
  options.device = find_processor_device();
  check(!options.device.empty(), "this test needs a Vulkan device on the processor, as Mesa's");
  options.watchdog_ms = 300;
  options.bounds.work_per_batch = vulkan::most_limit_work;  // One piece.
  auto made = vulkan::vulkan_backend::create(options);
  check(static_cast<bool>(made), "these tests need a Vulkan device");
  auto backend = *std::move(made);
  {
    command_processor<vulkan::vulkan_backend> processor{*backend, limits{}};
    check(run(processor, small_scene::objects()).code == error_code::none, "objects are created");
    stream_builder years;
    years.draw(0xFFFF'FFF0u, 4'000);
    const std::uint64_t most = options.bounds.abandoned_devices;
    for (std::uint64_t i = 0; i < most; ++i) {
      check(run(processor, years).code == error_code::device_lost, "the watchdog ends a draw");
      check(backend->inside().abandoned() == i + 1, "the device is counted");
      check(run(processor, small_scene::objects()).code == error_code::device_lost,
            "the loss is told");
    }
    const error why = run(processor, years);
    check(why.code == error_code::device_lost, "past the cap a submission fails");
    check(std::string_view{why.what}.starts_with("3D is off"), "and says so");
    check(backend->inside().abandoned() == most, "no further device is opened");
  }
  backend.reset();
  check(vulkan::has_stuck_devices(), "the embedder can ask whether devices still stand still");
  std::_Exit(0);
}
