// SPDX-License-Identifier: MIT
#include "drivers/sim/runtime/d3d9/d3d9_adapter.hpp"

#include "drivers/sim/kernel/objects/handle_table.hpp"
#include "drivers/sim/kernel/objects/user_services.hpp"

#include <algorithm>
#include <span>

namespace aerogpu::sim {
namespace {

constexpr UINT refresh_hertz = 60;

template <class T>
[[nodiscard]] auto bytes_of(T& value) -> std::span<std::byte> {
  return std::as_writable_bytes(std::span{&value, 1});
}

[[nodiscard]] auto make_mode(UINT width, UINT height, D3DDDIFORMAT format) -> D3DDISPLAYMODEEX {
  // The API's display modes have no alpha.
  const auto shown =
      format == D3DDDIFMT_A8R8G8B8 ? D3DFMT_X8R8G8B8 : static_cast<D3DFORMAT>(format);
  return {sizeof(D3DDISPLAYMODEEX),       width, height, refresh_hertz, shown,
          D3DSCANLINEORDERING_PROGRESSIVE};
}

}  // namespace

auto d3d9_adapter::get_device_caps(D3DCAPS9& caps) -> HRESULT {
  return ddi.get_caps(D3DDDICAPS_GETD3D9CAPS, {}, bytes_of(caps));
}

template <class T>
auto d3d9_adapter::get_list(D3DDDICAPS_TYPE count_type, D3DDDICAPS_TYPE list_type)
    -> std::vector<T> {
  UINT count = 0;
  if (FAILED(ddi.get_caps(count_type, {}, bytes_of(count)))) return {};
  std::vector<T> list(count);
  if (count == 0) return list;
  if (FAILED(ddi.get_caps(list_type, {}, std::as_writable_bytes(std::span{list})))) return {};
  return list;
}

auto d3d9_adapter::formats() -> std::vector<FORMATOP> {
  return get_list<FORMATOP>(D3DDDICAPS_GETFORMATCOUNT, D3DDDICAPS_GETFORMATDATA);
}

auto d3d9_adapter::query_types() -> std::vector<D3DDDIQUERYTYPE> {
  return get_list<D3DDDIQUERYTYPE>(D3DDDICAPS_GETD3DQUERYCOUNT, D3DDDICAPS_GETD3DQUERYDATA);
}

auto d3d9_adapter::multisample_levels(D3DFORMAT format, D3DDDIMULTISAMPLE_TYPE type) -> UINT {
  DDIMULTISAMPLEQUALITYLEVELSDATA asked{};
  asked.Format = static_cast<D3DDDIFORMAT>(format);
  asked.MsType = type;
  const auto result = ddi.get_caps(D3DDDICAPS_GETMULTISAMPLEQUALITYLEVELS, {}, bytes_of(asked));
  return SUCCEEDED(result) ? asked.QualityLevels : 0;
}

auto d3d9_adapter::check_device_format(D3DFORMAT format, UINT operations) -> HRESULT {
  const auto list = formats();
  const auto found = std::find_if(list.begin(), list.end(), [&](const FORMATOP& one) {
    return static_cast<int>(one.Format) == static_cast<int>(format) &&
           (one.Operations & operations) == operations;
  });
  return found != list.end() ? S_OK : D3DERR_NOTAVAILABLE;
}

auto d3d9_adapter::display_modes() -> std::vector<D3DDISPLAYMODEEX> {
  const process_scope here{ddi.process.id};
  D3DKMT_GETDISPLAYMODELIST asked{};
  asked.hAdapter = ddi.process.kernel_adapter();
  if (!NT_SUCCESS(D3DKMTGetDisplayModeList(&asked))) return {};
  std::vector<D3DKMT_DISPLAYMODE> modes(asked.ModeCount);
  asked.pModeList = modes.data();
  if (!NT_SUCCESS(D3DKMTGetDisplayModeList(&asked))) return {};
  std::vector<D3DDISPLAYMODEEX> list;
  list.reserve(modes.size());
  for (const auto& one : modes) list.push_back(make_mode(one.Width, one.Height, one.Format));
  return list;
}

auto d3d9_adapter::display_mode() -> std::optional<D3DDISPLAYMODEEX> {
  const process_scope here{ddi.process.id};
  const auto mode = current_display_mode();
  if (!mode) return std::nullopt;
  return make_mode(mode->Width, mode->Height, mode->Format);
}

}  // namespace aerogpu::sim
