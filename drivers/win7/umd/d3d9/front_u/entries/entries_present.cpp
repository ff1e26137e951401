// SPDX-License-Identifier: MIT
/// \file Swap chains, presents, and what else belongs to the display (umd-d3d9.md 2.14 to 2.16).
#include "aerogpu/hosted/heap_array.hpp"
#include "drivers/win7/umd/d3d9/front_u/calls.hpp"
#include "drivers/win7/umd/d3d9/front_u/entries/entries.hpp"
#include "drivers/win7/umd/d3d9/present/display.hpp"
#include "drivers/win7/umd/d3d9/present/present.hpp"
#include "drivers/win7/umd/d3d9/present/rotation.hpp"

namespace aerogpu::umd::front_u {

namespace {

using handle_u = u::D3D9DDI_HDEVICE;

[[nodiscard]] auto to_chain(u::D3D9DDI_HSWAPCHAIN handle) noexcept -> swap_chain* {
  return static_cast<swap_chain*>(handle.pDrvPrivate);
}

[[nodiscard]] auto to_shape(const u::D3D9DDI_PRESENT_PARAMETERS& from) noexcept
    -> swap_chain_shape {
  return {.width = from.backbuffer_width,
          .height = from.backbuffer_height,
          .format = from.backbuffer_format,
          .buffer_count = from.backbuffer_count,
          .swap_effect = from.swap_effect,
          .window = from.hDeviceWindow,
          .is_windowed = from.windowed != 0};
}

auto APIENTRY create_swap_chain_u(handle_u handle, u::D3D9DDIARG_CREATESWAPCHAIN* a) noexcept
    -> HRESULT {
  return run(
      handle,
      [&](device& on) {
        swap_chain* made = nullptr;
        const HRESULT created = create_swap_chain(on, to_shape(a->present_params), made);
        a->hSwapChain.pDrvPrivate = SUCCEEDED(created) ? made : nullptr;
        a->hBackBuffer.pDrvPrivate = SUCCEEDED(created) ? made->buffers.front() : nullptr;
        return created;
      },
      a);
}

auto APIENTRY destroy_swap_chain_u(handle_u handle, u::D3D9DDI_HSWAPCHAIN gone) noexcept
    -> HRESULT {
  return set(
      handle, [&](device& on) { return destroy_swap_chain(on, to_chain(gone)); }, gone.pDrvPrivate);
}

auto APIENTRY get_swap_chain_u(handle_u handle, std::uint32_t index,
                               u::D3D9DDI_HSWAPCHAIN* out) noexcept -> HRESULT {
  return get(
      handle,
      [&](device& on) {
        out->pDrvPrivate = on.swap_chains.at(index);
        return out->pDrvPrivate != nullptr ? S_OK : E_INVALIDARG;
      },
      out);
}

auto APIENTRY set_swap_chain_u(handle_u handle, u::D3D9DDI_HSWAPCHAIN chain) noexcept -> HRESULT {
  return set(
      handle, [&](device& on) { return set_swap_chain(on, to_chain(chain)); }, chain.pDrvPrivate);
}

auto APIENTRY reset_u(handle_u handle, const u::D3D9DDIARG_RESET* a) noexcept -> HRESULT {
  return run(
      handle, [&](device& on) { return reset_swap_chain(on, to_shape(a->present_params)); }, a);
}

auto APIENTRY present_u(handle_u handle, const u::D3D9DDIARG_PRESENT* a) noexcept -> HRESULT {
  return run(
      handle,
      [&](device& on) {
        return present(on, {.chain = to_chain(a->hSwapChain),
                            .source = to_resource(a->hSrc),
                            .window = a->hWnd,
                            .interval = a->SyncInterval,
                            .flags = a->Flags});
      },
      a);
}

auto APIENTRY present_ex_u(handle_u handle, const u::D3D9DDIARG_PRESENTEX* a) noexcept -> HRESULT {
  return run(
      handle,
      [&](device& on) {
        return present(on, {.source = to_resource(a->hSrc),
                            .window = a->hWnd,
                            .interval = a->SyncInterval,
                            .flags = a->Flags});
      },
      a);
}

auto APIENTRY check_device_state_u(handle_u handle, HWND window) noexcept -> HRESULT {
  return run(handle, [&](device& on) { return check_device_state(on, window); });
}

/// Waits, and so without the device's mutex.
auto APIENTRY wait_for_vblank_u(handle_u handle, std::uint32_t) noexcept -> HRESULT {
  const device* const on = to_device(handle);
  if (on == nullptr) return E_INVALIDARG;
  wait_for_vblank(on->adapter);
  return S_OK;
}

auto APIENTRY set_gpu_priority_u(handle_u handle, std::int32_t priority) noexcept -> HRESULT {
  return set(handle, [&](device& on) {
    on.presents.set_gpu_priority(priority);
    return S_OK;
  });
}

auto APIENTRY get_gpu_priority_u(handle_u handle, std::int32_t* out) noexcept -> HRESULT {
  return get(
      handle,
      [&](device& on) {
        *out = on.presents.gpu_priority();
        return S_OK;
      },
      out);
}

auto APIENTRY check_residency_u(handle_u handle, u::D3D9DDI_HRESOURCE* list,
                                std::uint32_t count) noexcept -> HRESULT {
  return run(handle, [&](device&) { return query_residency(list, count, nullptr); });
}

auto APIENTRY query_residency_u(handle_u handle,
                                const u::D3D9DDIARG_QUERYRESOURCERESIDENCY* a) noexcept -> HRESULT {
  return run(
      handle,
      [&](device&) {
        return query_residency(a->pResources, a->resource_count, a->pResidencyStatus);
      },
      a);
}

auto APIENTRY get_display_mode_u(handle_u handle, u::D3D9DDIARG_GETDISPLAYMODEEX* a) noexcept
    -> HRESULT {
  return get(
      handle,
      [&](device& on) {
        const os::display_mode mode = current_mode(on.adapter);
        if (a->pMode != nullptr) {
          *a->pMode = {sizeof(u::D3DDDI_DISPLAYMODEEX),
                       mode.width,
                       mode.height,
                       mode.refresh_hz,
                       display_format,
                       scan_lines_are_progressive};
        }
        if (a->pRotation != nullptr) *a->pRotation = display_is_not_rotated;
        return S_OK;
      },
      a);
}

auto APIENTRY rotate_identities_u(handle_u handle, u::D3D9DDI_HRESOURCE* list,
                                  std::uint32_t count) noexcept -> HRESULT {
  return run(
      handle,
      [&](device& on) -> HRESULT {
        heap_array<resource*> resources;
        if (!resources.resize(count)) return E_OUTOFMEMORY;
        for (std::uint32_t i = 0; i < count; ++i) resources[i] = to_resource(list[i]);
        return rotate_identities(on, resources.view());
      },
      list);
}

auto APIENTRY set_latency_u(handle_u handle, std::uint32_t frames) noexcept -> HRESULT {
  return set(handle, [&](device& on) { return on.presents.set_portable_latency(frames); });
}

auto APIENTRY get_latency_u(handle_u handle, std::uint32_t* out) noexcept -> HRESULT {
  return get(
      handle,
      [&](device& on) {
        *out = on.presents.latency.maximum();
        return S_OK;
      },
      out);
}

auto APIENTRY get_statistics_u(handle_u handle, u::D3D9DDI_PRESENTSTATS* out) noexcept -> HRESULT {
  return get(
      handle,
      [&](device& on) {
        const present_statistics now = on.presents.statistics();
        *out = {};
        out->PresentCount = now.present_count;
        out->PresentRefreshCount = now.present_refresh_count;
        out->SyncRefreshCount = now.sync_refresh_count;
        out->SyncQPCTime.QuadPart = static_cast<LONGLONG>(now.sync_ticks);
        out->SyncGPUTime.QuadPart = static_cast<LONGLONG>(now.sync_gpu_time);
        return S_OK;
      },
      out);
}

auto APIENTRY get_present_count_u(handle_u handle, std::uint32_t* out) noexcept -> HRESULT {
  return get(
      handle,
      [&](device& on) {
        *out = on.presents.count();
        return S_OK;
      },
      out);
}

auto APIENTRY flush_u(handle_u handle) noexcept -> HRESULT {
  return run(handle, [](device& on) { return flush(on); });
}

auto APIENTRY wait_for_idle_u(handle_u handle) noexcept -> HRESULT {
  return run(handle, [](device& on) { return wait_for_idle(on); });
}

/// Rectangles of glyphs: benign (umd-d3d9.md 2.8.7).
auto APIENTRY compose_rects_u(handle_u handle, const u::D3D9DDIARG_COMPOSERECTS* a) noexcept
    -> HRESULT {
  return set(
      handle, [](device&) { return S_OK; }, a);
}

auto APIENTRY set_cursor_u(handle_u handle, std::uint32_t hot_x, std::uint32_t hot_y,
                           u::D3D9DDI_HRESOURCE bitmap) noexcept -> HRESULT {
  return run(handle, [&](device& on) {
    return on.cursor.set_shape(on, to_resource(bitmap), hot_x, hot_y);
  });
}

auto APIENTRY move_cursor_u(handle_u handle, std::int32_t x, std::int32_t y, std::uint32_t) noexcept
    -> HRESULT {
  return set(handle, [&](device& on) {
    on.cursor.move(on, x, y);
    return S_OK;
  });
}

auto APIENTRY show_cursor_u(handle_u handle, BOOL is_visible) noexcept -> HRESULT {
  return set(handle, [&](device& on) {
    on.cursor.show(on, is_visible != 0);
    return S_OK;
  });
}

auto APIENTRY get_raster_status_u(handle_u handle, std::uint32_t, BOOL* is_in_vblank,
                                  std::uint32_t* line) noexcept -> HRESULT {
  const device* const on = to_device(handle);
  if (on == nullptr || is_in_vblank == nullptr || line == nullptr) return E_INVALIDARG;
  const os::scan_position now = raster_status(on->adapter);
  *is_in_vblank = now.is_in_vblank ? TRUE : FALSE;
  *line = now.line;
  return S_OK;
}

}  // namespace

void add_display_entries(device_table& table) noexcept {
  table.pfnWaitForVBlank = wait_for_vblank_u;
  table.pfnSetGPUThreadPriority = set_gpu_priority_u;
  table.pfnGetGPUThreadPriority = get_gpu_priority_u;
  table.pfnCheckResourceResidency = check_residency_u;
  table.pfnQueryResourceResidency = query_residency_u;
  table.pfnGetDisplayModeEx = get_display_mode_u;
  table.pfnComposeRects = compose_rects_u;
  table.pfnSetCursorProperties = set_cursor_u;
  table.pfnSetCursorPosition = move_cursor_u;
  table.pfnShowCursor = show_cursor_u;
}

void add_present_entries(device_table& table) noexcept {
  table.pfnCreateSwapChain = create_swap_chain_u;
  table.pfnDestroySwapChain = destroy_swap_chain_u;
  table.pfnGetSwapChain = get_swap_chain_u;
  table.pfnSetSwapChain = set_swap_chain_u;
  table.pfnReset = reset_u;
  table.pfnResetEx = reset_u;
  table.pfnCheckDeviceState = check_device_state_u;
  table.pfnRotateResourceIdentities = rotate_identities_u;
  table.pfnPresent = present_u;
  table.pfnPresentEx = present_ex_u;
  table.pfnFlush = flush_u;
  table.pfnWaitForIdle = wait_for_idle_u;
  table.pfnSetMaximumFrameLatency = set_latency_u;
  table.pfnGetMaximumFrameLatency = get_latency_u;
  table.pfnGetPresentStats = get_statistics_u;
  table.pfnGetLastPresentCount = get_present_count_u;
}

void add_extended_display_entries(extended_table& table) noexcept {
  table.pfnGetRasterStatus = get_raster_status_u;
}

}  // namespace aerogpu::umd::front_u
