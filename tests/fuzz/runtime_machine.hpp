// SPDX-License-Identifier: MIT
/// \file A Windows with one process over the user-mode driver, on the null backend, for one input.
#pragma once

#include "aerogpu/stream/error_text.hpp"
#include "drivers/sim/kernel/kernel.hpp"
#include "drivers/sim/kernel/machine/null_machine.hpp"
#include "drivers/sim/kernel/windows.hpp"
#include "drivers/sim/runtime/process.hpp"
#include "drivers/sim/runtime/runtime.hpp"
#include "drivers/win7/kmd/entry/driver_entry.hpp"
#include "drivers/win7/umd/d3d9/front_m/open_adapter.hpp"
#include "tests/fuzz/fuzz.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace aerogpu::fuzz {

class runtime_machine {
 public:
  /// Buffers from the smallest that hold a packet to the kernel's own, as the input says.
  explicit runtime_machine(input& in)
      : pc(small_pc()),
        machine(pc, backend),
        kernel(pc),
        here(pc),
        windows(kernel, small_desktop()),
        runtime({&umd::front_m::open_adapter}, choose_runtime(in)) {
    // The least that the driver takes: its page map is cleared for each input.
    pc.set_registry(sim::device_registry_key, "NonLocalMemorySizeMB", 128);
    claim(windows.boot(&DriverEntry) == STATUS_SUCCESS, "Windows starts");
    process = std::make_unique<sim::d3d9_process>(runtime, process_id);
  }
  runtime_machine(const runtime_machine&) = delete;
  auto operator=(const runtime_machine&) -> runtime_machine& = delete;

  /// What the host rejected so far, a line each.
  [[nodiscard]] auto rejections() -> std::string {
    struct line_of_text {
      std::string text;
      void append(std::string_view more) noexcept { text.append(more); }
    };
    std::string all;
    for (const error_record& rejected : machine.host().errors) {
      line_of_text text;
      append_error(text, rejected.why);
      all += "the host rejects: " + text.text + "\n";
    }
    return all;
  }
  /// Ends the process and Windows; what they find against the driver, a line each.
  [[nodiscard]] auto end() -> std::string {
    process.reset();
    auto found = runtime.rules.text();
    windows.shutdown();
    return found + pc.bugs.text();
  }

  sim::pc pc;
  null_backend backend;
  sim::machine<null_backend> machine;
  sim::kernel kernel;
  sim::thread_scope here;
  sim::windows windows;
  sim::d3d9_runtime runtime;
  std::unique_ptr<sim::d3d9_process> process;

 private:
  static constexpr std::uint32_t process_id = 7;

  [[nodiscard]] static auto small_pc() -> sim::pc_config {
    sim::pc_config config;
    config.ram_bytes = std::uint64_t{128} << 20;
    return config;
  }
  [[nodiscard]] static auto small_desktop() -> sim::windows_options {
    sim::windows_options options;
    options.width = 640;
    options.height = 480;
    return options;
  }
  [[nodiscard]] static auto choose_runtime(input& in) -> sim::runtime_options {
    sim::runtime_options options;
    switch (in.u8() % 4) {
      case 0: options.spaces.sizes = {{2048, 16}, {4096, 17}}; break;
      case 1: options.spaces.sizes = {{16384, 12}}; break;
      default: break;
    }
    options.spaces.honours_resize = in.u8() % 2 == 0;
    return options;
  }
};

}  // namespace aerogpu::fuzz
