// SPDX-License-Identifier: MIT
#include "drivers/wine/d3d9/state/block.hpp"

namespace aerogpu::d3d9 {

state_block::state_block(device& of, std::unique_ptr<recorded_states> content)
    : device_child(of), content_(std::move(content)) {}

auto state_block::answers(const iid& wanted) const noexcept -> bool {
  return is_same(wanted, iid_state_block);
}

HRESULT APIENTRY state_block::Capture() {
  return owner().run([&]() -> HRESULT {
    if (owner().states->is_recording()) return D3DERR_INVALIDCALL;
    owner().states->capture(*content_, true);
    return S_OK;
  });
}

HRESULT APIENTRY state_block::Apply() {
  return owner().run([&]() -> HRESULT {
    if (owner().states->is_recording()) return D3DERR_INVALIDCALL;
    owner().states->apply(*content_);
    return S_OK;
  });
}

}  // namespace aerogpu::d3d9
