// SPDX-License-Identifier: MIT
/// \file What the entries of profile U have in common.
#pragma once

#include "drivers/win7/umd/d3d9/device/device_call.hpp"
#include "drivers/win7/umd/d3d9/front_u/device_handle.hpp"

namespace aerogpu::umd::front_u {

/// Runs `work(device)` as a setting: on a lost device it is kept and answered S_OK. `required` are
/// the pointers without which it is E_INVALIDARG.
template <class Work, class... Pointers>
[[nodiscard]] auto set(u::D3D9DDI_HDEVICE handle, Work&& work, const Pointers*... required) noexcept
    -> HRESULT {
  const device_call call{to_device(handle), when_lost::succeeds, required...};
  return call ? call.result(work(*call)) : call.refusal();
}

/// The same for a getter, which a loss does not change.
template <class Work, class... Pointers>
[[nodiscard]] auto get(u::D3D9DDI_HDEVICE handle, Work&& work, const Pointers*... required) noexcept
    -> HRESULT {
  const device_call call{to_device(handle), when_lost::succeeds, required...};
  return call ? work(*call) : call.refusal();
}

/// The same for work that a lost device refuses.
template <class Work, class... Pointers>
[[nodiscard]] auto run(u::D3D9DDI_HDEVICE handle, Work&& work, const Pointers*... required) noexcept
    -> HRESULT {
  const device_call call{to_device(handle), required...};
  return call ? work(*call) : call.refusal();
}

/// 0 is the vertex stage, anything else the pixel stage (umd-d3d9.md 2.11).
[[nodiscard]] constexpr auto to_stage(std::uint32_t number) noexcept -> stage {
  return number == 0 ? stage::vertex : stage::pixel;
}

/// Whether there are all of these constant registers.
[[nodiscard]] constexpr auto is_register_range(std::uint32_t first, std::uint32_t count) noexcept
    -> bool {
  return first <= constant_count && count <= constant_count - first;
}

}  // namespace aerogpu::umd::front_u
