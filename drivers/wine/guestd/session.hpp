// SPDX-License-Identifier: MIT
/// \file A machine from boot to shutdown, with those who watch it.
#pragma once

#include "drivers/sim/kernel/windows.hpp"
#include "drivers/win7/kmd/entry/driver_entry.hpp"
#include "drivers/wine/guestd/machine.hpp"
#include "drivers/wine/guestd/picture_series.hpp"
#include "drivers/wine/guestd/server.hpp"
#include "tools/aerogpu/files/trace_file.hpp"

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>

namespace aerogpu::wine {

struct session_options {
  std::string folder;
  std::string backend;
  std::string png_folder;  ///< Empty: no pictures.
  std::string trace_file;  ///< Empty: no recording.
  bool validates = false;
  machine_options machine;
};

/// One run of the server. Each function gives false, or a status above 0, after saying why.
template <class Backend>
class session {
 public:
  session(Backend& backend, const session_options& options, const shared_file& memory)
      : options_(options),
        memory_(memory),
        pc_(config_of(memory, options.machine)),
        machine_(pc_, backend),
        kernel_(pc_),
        here_(pc_, 0),
        windows_(kernel_, desktop_of(options.machine)) {}

  /// Until `stop` is readable; the status: what Windows would have stopped for is 1.
  [[nodiscard]] auto run(int stop) -> int {
    if (!begin_trace()) return 1;
    offer_size();
    if (!NT_SUCCESS(windows_.boot(&DriverEntry))) {
      std::fprintf(stderr, "aerogpu-guestd: the driver does not start in a mode of %u by %u.\n",
                   options_.machine.width, options_.machine.height);
      return 1;
    }
    if (!serve(stop)) return 1;
    const bool is_recorded = end_trace();
    const auto bugs = pc_.bugs.text();
    std::fputs(bugs.c_str(), stderr);
    return bugs.empty() && is_recorded ? 0 : 1;
  }

 private:
  [[nodiscard]] static auto desktop_of(const machine_options& wanted) -> sim::windows_options {
    sim::windows_options options;
    options.width = wanted.width;
    options.height = wanted.height;
    options.scheduler.timeout_ns = timeout_ns;
    return options;
  }

  /// The display's own size need not be one of the driver's.
  void offer_size() {
    pc_.set_registry(sim::service_registry_key, "PreferredWidth", options_.machine.width);
    pc_.set_registry(sim::service_registry_key, "PreferredHeight", options_.machine.height);
  }

  [[nodiscard]] static auto is_fine(bool succeeded, const std::string& why) -> bool {
    if (!succeeded) std::fprintf(stderr, "aerogpu-guestd: %s\n", why.c_str());
    return succeeded;
  }

  [[nodiscard]] auto serve(int stop) -> bool {
    const running_clock clock{pc_};
    constexpr std::uint32_t pages_in_mib = (1u << 20) / sim::page_bytes;
    const auto memory_mib = video_mib + options_.machine.memory_mib;
    server serving{windows_, memory_, memory_mib, private_mib * pages_in_mib, options_.folder};
    if (!is_fine(serving.open(), options_.folder + " cannot be used; does a server run there?"))
      return false;
    std::optional<picture_series> pictures;
    if (!options_.png_folder.empty())
      pictures.emplace(options_.png_folder, [this](rgba8_image& image) { return read(image); });
    std::printf("aerogpu-guestd: ready in %s (%s)\n", options_.folder.c_str(),
                options_.backend.c_str());
    std::fflush(stdout);
    serving.run(stop);
    std::string why;
    const bool has_pictures = !pictures || is_fine(pictures->finish(why), why);
    windows_.shutdown();
    return has_pictures;
  }

  [[nodiscard]] auto read(rgba8_image& image) -> bool {
    const sim::thread_scope here{pc_, 0};
    bool is_shown = false;
    pc_.bus.with_device([&] { is_shown = bool{machine_.get().read_display(image)}; });
    return is_shown;
  }

  [[nodiscard]] auto begin_trace() -> bool {
    if (options_.trace_file.empty()) return true;
    std::string why;
    if (!is_fine(trace_.open(options_.trace_file, "aerogpu-guestd", why), why)) return false;
    machine_.get().set_tap(trace_.tap());
    return true;
  }

  [[nodiscard]] auto end_trace() -> bool {
    if (options_.trace_file.empty()) return true;
    machine_.get().set_tap({});
    std::string why;
    return is_fine(trace_.finish(why), why);
  }

  const session_options& options_;
  const shared_file& memory_;
  tool::trace_file trace_;
  sim::pc pc_;
  sim::machine<Backend> machine_;
  sim::kernel kernel_;
  const sim::thread_scope here_;
  sim::windows windows_;
};

}  // namespace aerogpu::wine
