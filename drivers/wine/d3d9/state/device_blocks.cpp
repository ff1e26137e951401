// SPDX-License-Identifier: MIT
/// \file IDirect3DDevice9: state blocks.
#include "drivers/wine/d3d9/root/device.hpp"
#include "drivers/wine/d3d9/state/block.hpp"

namespace aerogpu::d3d9 {

HRESULT APIENTRY device::CreateStateBlock(D3DSTATEBLOCKTYPE type, IDirect3DStateBlock9** block) {
  return run([&]() -> HRESULT {
    if (block == nullptr || type < D3DSBT_ALL || type > D3DSBT_VERTEXSTATE)
      return D3DERR_INVALIDCALL;
    if (states->is_recording()) return D3DERR_INVALIDCALL;
    auto content = std::make_unique<recorded_states>();
    content->values = states->empty_values();
    content->mask = states_of(type, states->now());
    states->capture(*content, false);
    hand_out(block, new state_block{*this, std::move(content)});
    return S_OK;
  });
}

HRESULT APIENTRY device::BeginStateBlock() {
  return run([&]() -> HRESULT {
    if (states->is_recording()) return D3DERR_INVALIDCALL;
    states->start_recording();
    return S_OK;
  });
}

HRESULT APIENTRY device::EndStateBlock(IDirect3DStateBlock9** block) {
  return run([&]() -> HRESULT {
    if (block == nullptr || !states->is_recording()) return D3DERR_INVALIDCALL;
    hand_out(block, new state_block{*this, states->finish_recording()});
    return S_OK;
  });
}

}  // namespace aerogpu::d3d9
