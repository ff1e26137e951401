// SPDX-License-Identifier: MIT
/// \file State blocks.
#pragma once

#include "drivers/wine/d3d9/state/child.hpp"
#include "drivers/wine/d3d9/state/device_states.hpp"

#include <memory>

namespace aerogpu::d3d9 {

class state_block final : public device_child<state_block, IDirect3DStateBlock9> {
 public:
  state_block(device& of, std::unique_ptr<recorded_states> content);

  [[nodiscard]] auto answers(const iid& wanted) const noexcept -> bool;
  HRESULT APIENTRY Capture() override;
  HRESULT APIENTRY Apply() override;

 private:
  ~state_block() override = default;

  const std::unique_ptr<recorded_states> content_;
};

}  // namespace aerogpu::d3d9
