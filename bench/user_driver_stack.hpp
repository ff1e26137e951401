// SPDX-License-Identifier: MIT
// An application of the user-mode driver on the whole simulated Windows, whose time is counted by
// part.
#pragma once

#include "backends/null/null_backend.hpp"
#include "bench/share_of_time.hpp"
#include "bench/user_driver.hpp"
#include "drivers/sim/kernel/machine/null_machine.hpp"
#include "drivers/sim/kernel/windows.hpp"
#include "drivers/sim/runtime/d3d9/d3d9_device.hpp"
#include "drivers/win7/kmd/entry/driver_entry.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <utility>

namespace aerogpu::bench {

/// The driver as a runtime loads it, with its own table in reach and its callbacks timed.
class timed_user_driver {
 public:
  static auto APIENTRY open(D3DDDIARG_OPENADAPTER* argument) -> HRESULT {
    const HRESULT opened = umd::front_m::open_adapter(argument);
    if (FAILED(opened)) return opened;
    create_device_ = argument->pAdapterFuncs->pfnCreateDevice;
    argument->pAdapterFuncs->pfnCreateDevice = create;
    return opened;
  }
  static inline D3DDDI_DEVICEFUNCS call{};  ///< Of the last device.
  static inline HANDLE device = nullptr;

 private:
  static auto APIENTRY create(HANDLE adapter, D3DDDIARG_CREATEDEVICE* argument) -> HRESULT {
    using type = D3DDDI_DEVICECALLBACKS;
    type callbacks = *argument->pCallbacks;
    timed_entry<&type::pfnRenderCb, part::simulator>::put(callbacks);
    timed_entry<&type::pfnLockCb, part::simulator>::put(callbacks);
    timed_entry<&type::pfnUnlockCb, part::simulator>::put(callbacks);
    const type* const given = std::exchange(argument->pCallbacks, &callbacks);
    const HRESULT created = create_device_(adapter, argument);
    argument->pCallbacks = given;
    call = *argument->pDeviceFuncs;
    device = argument->hDevice;
    return created;
  }
  static inline PFND3DDDI_CREATEDEVICE create_device_ = nullptr;
};

/// One machine, one Windows, one application with two of everything that its draws change.
class user_driver_stack {
 public:
  user_driver_stack() {
    AEROGPU_CHECK(session_.boot(&DriverEntry) == STATUS_SUCCESS);
    application_ = std::make_unique<application>(runtime_);
    pc_.bus.connect(&timed_device_);
    time_entries(windows_.table);
  }
  ~user_driver_stack() {
    pc_.bus.connect(&machine_);
    application_.reset();
    session_.shutdown();
    AEROGPU_CHECK(runtime_.rules.text().empty());
    AEROGPU_CHECK(pc_.bugs.text().empty());
  }
  user_driver_stack(const user_driver_stack&) = delete;
  auto operator=(const user_driver_stack&) -> user_driver_stack& = delete;

  /// Draws with other constants, texture and vertex buffer each, and one submission. The device
  /// works within the doorbell.
  void draw(std::uint32_t draws) {
    using driver = timed_user_driver;
    application& app = *application_;
    const sim::ddi_scope inside{&app.device.ddi, app.process.id, runtime_.rules, "draws", nullptr};
    const part_scope here{part::user_driver};
    const D3DDDIARG_SETVERTEXSHADERCONST registers{0, 4};
    const D3DDDIARG_DRAWPRIMITIVE triangle{D3DPT_TRIANGLELIST, 0, 1};
    for (std::uint32_t i = 0; i < draws; ++i) {
      good(driver::call.pfnSetVertexShaderConst(driver::device, &registers, &app.values[i & 1]));
      good(driver::call.pfnSetTexture(driver::device, 0, app.textures[i & 1]->names.driver));
      const D3DDDIARG_SETSTREAMSOURCE source{0, app.buffers[i & 1]->names.driver, 0,
                                             user_driver_guest::vertex_bytes};
      good(driver::call.pfnSetStreamSource(driver::device, &source));
      good(driver::call.pfnDrawPrimitive(driver::device, &triangle, nullptr));
    }
    good(driver::call.pfnFlush(driver::device));
  }

 private:
  struct application {
    explicit application(sim::d3d9_runtime& runtime)
        : process(runtime, 7), adapter(process), device(adapter) {
      D3DPRESENT_PARAMETERS wanted{};
      wanted.BackBufferWidth = 64;
      wanted.BackBufferHeight = 64;
      wanted.BackBufferFormat = D3DFMT_X8R8G8B8;
      wanted.BackBufferCount = 1;
      wanted.SwapEffect = D3DSWAPEFFECT_DISCARD;
      wanted.Windowed = 1;
      good(adapter.open());
      good(device.create(wanted));
      for (auto& texture : textures) {
        good(device.create_texture(64, 64, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, texture));
      }
      for (auto& buffer : buffers) {
        good(device.create_vertex_buffer(4096, 0, 0, D3DPOOL_DEFAULT, buffer));
      }
      good(device.create_vertex_shader(plain_vertex_shader, vertex_shader));
      good(device.create_pixel_shader(plain_pixel_shader, pixel_shader));
      good(device.set_vertex_shader(vertex_shader));
      good(device.set_pixel_shader(pixel_shader));
      good(device.set_fvf(D3DFVF_XYZ));
      values[1].fill(0.5f);
    }
    ~application() {
      good(device.set_vertex_shader({}));
      good(device.set_pixel_shader({}));
      good(device.delete_vertex_shader(vertex_shader));
      good(device.delete_pixel_shader(pixel_shader));
    }
    application(const application&) = delete;
    auto operator=(const application&) -> application& = delete;

    sim::d3d9_process process;
    sim::d3d9_adapter adapter;
    sim::d3d9_device device;
    std::array<sim::d3d9_resource*, 2> textures{};
    std::array<sim::d3d9_resource*, 2> buffers{};
    sim::driver_object vertex_shader{};
    sim::driver_object pixel_shader{};
    std::array<std::array<float, 16>, 2> values{};
  };

  quiet_system system_;
  sim::pc pc_;
  null_backend backend_;
  sim::machine<null_backend> machine_{pc_, backend_};
  timed_device timed_device_{machine_};
  sim::kernel windows_{pc_};
  sim::thread_scope here_{pc_};
  sim::windows session_{windows_};
  sim::d3d9_runtime runtime_{sim::user_driver{&timed_user_driver::open}};
  std::unique_ptr<application> application_;
};

}  // namespace aerogpu::bench
