// SPDX-License-Identifier: MIT
/// \file Constant registers, in either direction.
#include "drivers/win7/umd/d3d9/front_u/calls.hpp"
#include "drivers/win7/umd/d3d9/front_u/entries/entries.hpp"
#include "drivers/win7/umd/d3d9/state/setters.hpp"

#include <algorithm>
#include <array>

namespace aerogpu::umd::front_u {

namespace {

constexpr std::size_t most_registers_copied = 128;  // At once, to the stack.

/// Copies registers from the runtime, which hands them as scalars of any alignment, and sets them.
template <class Value, class Set>
[[nodiscard]] auto set_registers(u::D3D9DDI_HDEVICE handle, std::uint32_t first, const void* data,
                                 std::uint32_t count, Set&& apply) noexcept -> HRESULT {
  return set(
      handle,
      [&](device& on) -> HRESULT {
        if (count == 0) return E_INVALIDARG;
        if (!is_register_range(first, count)) return D3DERR_INVALIDCALL;
        std::array<Value, most_registers_copied> values;
        const_bytes left{static_cast<const std::byte*>(data), count * sizeof(Value)};
        HRESULT done = S_OK;
        for (std::uint32_t at = first; SUCCEEDED(done) && !left.empty();) {
          const std::span<Value> part =
              std::span{values}.first(std::min(left.size() / sizeof(Value), values.size()));
          copy_bytes(std::as_writable_bytes(part), left.first(part.size_bytes()));
          done = apply(on, at, std::span<const Value>{part});
          left = left.subspan(part.size_bytes());
          at += static_cast<std::uint32_t>(part.size());
        }
        return done;
      },
      data);
}

auto APIENTRY set_floats_u(u::D3D9DDI_HDEVICE handle, std::uint32_t which, std::uint32_t first,
                           const float* data, std::uint32_t count) noexcept -> HRESULT {
  return set_registers<float_register>(handle, first, data, count,
                                       [&](device& on, std::uint32_t at, auto values) {
                                         return set_constants_f(on, to_stage(which), at, values);
                                       });
}

auto APIENTRY set_ints_u(u::D3D9DDI_HDEVICE handle, std::uint32_t which, std::uint32_t first,
                         const std::int32_t* data, std::uint32_t count) noexcept -> HRESULT {
  return set_registers<int_register>(handle, first, data, count,
                                     [&](device& on, std::uint32_t at, auto values) {
                                       return set_constants_i(on, to_stage(which), at, values);
                                     });
}

auto APIENTRY set_bools_u(u::D3D9DDI_HDEVICE handle, std::uint32_t which, std::uint32_t first,
                          const BOOL* data, std::uint32_t count) noexcept -> HRESULT {
  return set_registers<std::uint32_t>(handle, first, data, count,
                                      [&](device& on, std::uint32_t at, auto values) {
                                        return set_constants_b(on, to_stage(which), at, values);
                                      });
}

}  // namespace

void add_constant_entries(device_table& table) noexcept {
  table.pfnSetShaderConstF = set_floats_u;
  table.pfnSetShaderConstI = set_ints_u;
  table.pfnSetShaderConstB = set_bools_u;
}

}  // namespace aerogpu::umd::front_u
