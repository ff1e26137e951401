// SPDX-License-Identifier: MIT
#include "drivers/sim/kernel/objects/user_services.hpp"

#include "drivers/sim/kernel/windows.hpp"

#include <mutex>

namespace aerogpu::sim {
namespace {

/// nullptr while none runs.
[[nodiscard]] auto running_windows() -> windows* {
  auto* const here = windows::current();
  return here != nullptr && here->is_running() ? here : nullptr;
}

}  // namespace

auto duplicate_share(std::uint32_t from, D3DKMT_HANDLE share, std::uint32_t to) -> D3DKMT_HANDLE {
  auto* const here = running_windows();
  return here != nullptr ? here->session().objects.duplicate_share(from, share, to) : 0;
}

void close_share(std::uint32_t process, D3DKMT_HANDLE share) {
  auto* const here = running_windows();
  if (here == nullptr) return;
  auto& objects = here->session().objects;
  auto& self = objects.process_of(process);
  const process_scope inside{process};
  const std::lock_guard hold{self.mutex};
  objects.close_share(self, share);
}

auto terminate_process(std::uint32_t process) -> bool {
  auto* const here = running_windows();
  if (here == nullptr) return false;
  here->session().objects.terminate(process);
  return true;
}

auto current_display_mode() -> std::optional<D3DKMT_DISPLAYMODE> {
  auto* const here = running_windows();
  if (here == nullptr) return std::nullopt;
  const auto& mode = here->session().display.mode();
  D3DKMT_DISPLAYMODE shown{};
  shown.Width = mode.width;
  shown.Height = mode.height;
  shown.Format = mode.format;
  return shown;
}

void let_time_pass() {
  auto* const here = running_windows();
  if (here == nullptr || here->machine_kernel.machine.config.is_concurrent) return;
  constexpr std::uint64_t step_ns = 1'000'000;
  auto& base = here->session().base;
  const std::lock_guard hold{base.gpu};
  base.scheduler.advance(step_ns);
}

}  // namespace aerogpu::sim
