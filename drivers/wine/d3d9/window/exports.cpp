// SPDX-License-Identifier: MIT
/// \file What d3d9.dll exports.
#include "drivers/wine/d3d9/api/flags.hpp"
#include "drivers/wine/d3d9/root/direct3d.hpp"
#include "drivers/wine/d3d9/state/shaders/shader_validator.hpp"
#include "drivers/wine/d3d9/window/driver_module.hpp"
#include "drivers/wine/d3d9/window/user_window_system.hpp"

#include <atomic>
#include <memory>
#include <new>

namespace aerogpu::d3d9 {
namespace {

/// The process's driver and its connection to the kernel, made when they are first asked for.
/// Never destroyed: threads may be in them until the program's last moment. So the DLL stays, too:
/// each load of it would connect and map the video memory anew.
struct whole_environment {
  explicit whole_environment(const sim::user_driver& driver)
      : runtime(driver, quick_options()), process(runtime, only_process) {}

  static constexpr std::uint32_t only_process = 1;
  [[nodiscard]] static auto quick_options() -> sim::runtime_options {
    sim::runtime_options options;
    options.fills_unused_members = false;
    options.watches_memory = false;
    return options;
  }

  sim::d3d9_runtime runtime;
  sim::d3d9_process process;
  user_window_system windows;
};

[[nodiscard]] auto make_environment() -> whole_environment* {
  const sim::user_driver driver{reinterpret_cast<PFND3DDDI_OPENADAPTER>(find_open_adapter())};
  if (driver.open_adapter == nullptr) {
    say("d3d9: AeroGPU's driver is neither beside d3d9.dll nor in the search path");
    return nullptr;
  }
  auto made = std::make_unique<whole_environment>(driver);
  if (made->process.kernel_adapter() == 0) {
    say("d3d9: there is no AeroGPU: AEROGPU_GUESTD names no folder of a running aerogpu-guestd");
    return nullptr;
  }
  stay_loaded();
  return made.release();
}

[[nodiscard]] auto make_direct3d(UINT version, bool is_ex) noexcept -> direct3d* {
  const auto plain = version & ~debug_bit;
  if (plain != sdk_version && plain != sdk_version - 1) return nullptr;
  try {
    static auto* const whole = make_environment();
    return whole != nullptr ? direct3d::make({whole->process, whole->windows}, is_ex) : nullptr;
  } catch (...) {
    return nullptr;
  }
}

std::atomic<int> event_depth = 0;

}  // namespace
}  // namespace aerogpu::d3d9

// The names and the order are those of Windows 7's DLL.
extern "C" {

void* APIENTRY Direct3DCreate9(UINT version) {
  return static_cast<aerogpu::d3d9::IDirect3D9Ex*>(aerogpu::d3d9::make_direct3d(version, false));
}

HRESULT APIENTRY Direct3DCreate9Ex(UINT version, aerogpu::d3d9::IDirect3D9Ex** made) {
  if (made == nullptr) return D3DERR_INVALIDCALL;
  *made = aerogpu::d3d9::make_direct3d(version, true);
  return *made != nullptr ? S_OK : D3DERR_NOTAVAILABLE;
}

/// Levels are counted and nothing else: nobody listens.
int APIENTRY D3DPERF_BeginEvent(DWORD, const WCHAR*) {
  return aerogpu::d3d9::event_depth.fetch_add(1);
}

int APIENTRY D3DPERF_EndEvent() {
  auto depth = aerogpu::d3d9::event_depth.load();
  do {
    if (depth == 0) return -1;
  } while (!aerogpu::d3d9::event_depth.compare_exchange_weak(depth, depth - 1));
  return depth - 1;
}

DWORD APIENTRY D3DPERF_GetStatus() {
  return 0;
}
BOOL APIENTRY D3DPERF_QueryRepeatFrame() {
  return 0;
}
void APIENTRY D3DPERF_SetMarker(DWORD, const WCHAR*) {}
void APIENTRY D3DPERF_SetOptions(DWORD) {}
void APIENTRY D3DPERF_SetRegion(DWORD, const WCHAR*) {}

// What Windows' DLL has for its debugger and for software devices of others.
void APIENTRY DebugSetMute() {}
void APIENTRY DebugSetLevel() {}
void* APIENTRY Direct3DShaderValidatorCreate9() {
  auto* const made = new (std::nothrow) aerogpu::d3d9::shader_validator;
  if (made != nullptr) made->AddRef();
  return static_cast<aerogpu::d3d9::IDirect3DShaderValidator9*>(made);
}
void APIENTRY PSGPError() {}
void APIENTRY PSGPSampleTexture() {}
}
