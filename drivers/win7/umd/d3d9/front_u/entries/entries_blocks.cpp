// SPDX-License-Identifier: MIT
/// \file State blocks.
#include "drivers/win7/umd/d3d9/front_u/calls.hpp"
#include "drivers/win7/umd/d3d9/front_u/entries/entries.hpp"

namespace aerogpu::umd::front_u {

namespace {

auto APIENTRY create_state_block_u(u::D3D9DDI_HDEVICE handle, std::uint32_t type,
                                   u::D3D9DDI_HSTATEBLOCK* out) noexcept -> HRESULT {
  return run(
      handle,
      [&](device& on) {
        state_block* made = nullptr;
        const auto kind = static_cast<D3DSTATEBLOCKTYPE>(type);
        const HRESULT created = on.blocks.create(on.state, kind, made);
        out->pDrvPrivate = made;
        return created;
      },
      out);
}

auto APIENTRY delete_state_block_u(u::D3D9DDI_HDEVICE handle, u::D3D9DDI_HSTATEBLOCK gone) noexcept
    -> HRESULT {
  return set(
      handle, [&](device& on) { return on.blocks.destroy(on.blocks.find(gone.pDrvPrivate)); },
      gone.pDrvPrivate);
}

auto APIENTRY capture_state_block_u(u::D3D9DDI_HDEVICE handle,
                                    u::D3D9DDI_HSTATEBLOCK named) noexcept -> HRESULT {
  return set(
      handle,
      [&](device& on) -> HRESULT {
        state_block* const block = on.blocks.find(named.pDrvPrivate);
        if (block == nullptr) return E_INVALIDARG;
        block->capture(on.state);
        return S_OK;
      },
      named.pDrvPrivate);
}

auto APIENTRY apply_state_block_u(u::D3D9DDI_HDEVICE handle, u::D3D9DDI_HSTATEBLOCK named) noexcept
    -> HRESULT {
  return set(
      handle,
      [&](device& on) {
        const state_block* const block = on.blocks.find(named.pDrvPrivate);
        return block != nullptr ? block->apply(on) : E_INVALIDARG;
      },
      named.pDrvPrivate);
}

auto APIENTRY begin_state_block_u(u::D3D9DDI_HDEVICE handle) noexcept -> HRESULT {
  return run(handle, [](device& on) {
    state_block* begun = nullptr;
    return on.blocks.begin(begun);
  });
}

auto APIENTRY end_state_block_u(u::D3D9DDI_HDEVICE handle, u::D3D9DDI_HSTATEBLOCK* out) noexcept
    -> HRESULT {
  return get(
      handle,
      [&](device& on) {
        state_block* const recorded = on.blocks.recording();
        const HRESULT ended = on.blocks.end();
        out->pDrvPrivate = SUCCEEDED(ended) ? recorded : nullptr;
        return ended;
      },
      out);
}

}  // namespace

void add_state_block_entries(device_table& table) noexcept {
  table.pfnCreateStateBlock = create_state_block_u;
  table.pfnDeleteStateBlock = delete_state_block_u;
  table.pfnCaptureStateBlock = capture_state_block_u;
  table.pfnApplyStateBlock = apply_state_block_u;
  table.pfnBeginStateBlock = begin_state_block_u;
  table.pfnEndStateBlock = end_state_block_u;
}

}  // namespace aerogpu::umd::front_u
