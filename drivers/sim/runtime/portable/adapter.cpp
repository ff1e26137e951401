// SPDX-License-Identifier: MIT
#include "drivers/sim/runtime/portable/adapter.hpp"

#include "drivers/sim/kernel/thunks/thunks.hpp"
#include "drivers/sim/runtime/ddi/ddi_adapter.hpp"
#include "drivers/sim/runtime/portable/device.hpp"
#include "drivers/sim/runtime/tokens.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>

namespace aerogpu::sim {
namespace {

// umd-d3d9.md 2.2.1.
constexpr std::uint32_t caps_d3d9 = 1, caps_format_count = 2, caps_format = 3, caps_multisample = 4;
constexpr std::uint32_t is_target = 1, is_depth_stencil = 2;
constexpr UINT portable_version = 1;

struct portable_adapter {
  explicit portable_adapter(ddi_adapter& of) : runtime(of) {}

  [[nodiscard]] auto enter(const char* name) const -> ddi_scope {
    return {this, runtime.process.id, runtime.rules(), name, nullptr};
  }
  /// An answer of the driver's, in a structure or an array of its own.
  template <class T>
  [[nodiscard]] auto get_caps(std::uint32_t type, T& data) -> HRESULT {
    const auto bytes = std::as_writable_bytes(std::span{&data, 1});
    lent_bytes answer{runtime.rules(), bytes, "GetCaps"};
    const u::D3D9DDIARG_GETCAPS argument{type, answer.get(), sizeof data};
    lent<u::D3D9DDIARG_GETCAPS> passed{runtime.rules(), argument, "GetCaps"};
    HRESULT result = E_FAIL;
    {
      const auto inside = enter("GetCaps");
      result = functions->pfnGetCaps(driver, passed.get());
    }
    static_cast<void>(passed.take());
    const auto written = answer.take();
    std::copy(written.begin(), written.end(), bytes.begin());
    return result;
  }

  ddi_adapter& runtime;
  u::D3D9DDI_HADAPTER driver{};
  lent_table<u::D3D9DDI_ADAPTERFUNCS> functions;
};

[[nodiscard]] auto to_adapter(HANDLE handle) -> portable_adapter& {
  return *static_cast<portable_adapter*>(handle);
}

[[nodiscard]] auto display_luid() -> LUID {
  D3DKMT_OPENADAPTERFROMGDIDISPLAYNAME opened{};
  if (!NT_SUCCESS(D3DKMTOpenAdapterFromGdiDisplayName(&opened))) return {};
  const D3DKMT_CLOSEADAPTER closed{opened.hAdapter};
  static_cast<void>(D3DKMTCloseAdapter(&closed));
  return opened.AdapterLuid;
}

/// Through one export; `argument` holds what is its own.
template <class Argument, class Export>
[[nodiscard]] auto open_with(portable_adapter& to, const char* name, Export entry,
                             Argument& argument) -> HRESULT {
  if (entry == nullptr) return E_NOINTERFACE;
  argument.Interface = portable_version;
  argument.Version = portable_version;
  argument.pAdapterFuncs = to.functions.get();
  lent<Argument> passed{to.runtime.rules(), argument, name};
  HRESULT result = E_FAIL;
  {
    const auto inside = to.enter(name);
    result = entry(passed.get());
  }
  // The structure may have the member from its base.
  constexpr u::D3D9DDI_HADAPTER Argument::*handle = &Argument::hAdapter;
  if constexpr (std::is_same_v<Argument, u::D3DDDIARG_OPENADAPTERFROMHDC>) {
    argument = passed.take(handle, &Argument::AdapterLuid);
  } else {
    argument = passed.take(handle);
  }
  to.driver = argument.hAdapter;
  return result;
}

[[nodiscard]] auto open_by_choice(portable_adapter& to) -> HRESULT {
  const auto& runtime = to.runtime.process.runtime;
  const auto& exports = runtime.driver.portable;
  switch (runtime.options.portable.opening) {
    case portable_opening::adapter2: {
      u::D3DDDIARG_OPENADAPTER2 argument{};
      return open_with(to, "OpenAdapter2", exports.open_adapter2, argument);
    }
    case portable_opening::luid: {
      u::D3DDDIARG_OPENADAPTERFROMLUID argument{};
      argument.AdapterLuid = display_luid();
      return open_with(to, "OpenAdapterFromLuid", exports.open_adapter_from_luid, argument);
    }
    case portable_opening::hdc: break;
  }
  u::D3DDDIARG_OPENADAPTERFROMHDC argument{};
  argument.hDc = reinterpret_cast<HDC>(&to);
  const auto result = open_with(to, "OpenAdapterFromHdc", exports.open_adapter_from_hdc, argument);
  const auto wanted = display_luid();
  if (SUCCEEDED(result) && (argument.AdapterLuid.LowPart != wanted.LowPart ||
                            argument.AdapterLuid.HighPart != wanted.HighPart)) {
    to.runtime.rules().record(contract_rule::bad_argument,
                              "OpenAdapterFromHdc: another LUID than the display's");
  }
  return result;
}

[[nodiscard]] auto format_count(portable_adapter& of) -> UINT {
  std::uint32_t count = 0;
  return SUCCEEDED(of.get_caps(caps_format_count, count)) ? count : 0;
}

/// As many as fit: profile M asks for all of them at once.
[[nodiscard]] auto get_formats(portable_adapter& of, FORMATOP* out, UINT room) -> HRESULT {
  struct {
    std::uint32_t index, format, operations;
  } one{};
  const auto count = std::min(format_count(of), room);
  for (UINT i = 0; i < count; ++i) {
    one = {i, 0, 0};
    if (const auto got = of.get_caps(caps_format, one); FAILED(got)) return got;
    UINT operations = FORMATOP_TEXTURE | FORMATOP_CUBETEXTURE | FORMATOP_OFFSCREENPLAIN;
    if (one.operations == is_target)
      operations |= FORMATOP_OFFSCREEN_RENDERTARGET | FORMATOP_SAME_FORMAT_RENDERTARGET;
    if (one.operations == is_depth_stencil) operations = FORMATOP_ZSTENCIL;
    out[i] = {static_cast<D3DDDIFORMAT>(one.format), operations, 0, 0, 0};
  }
  return S_OK;
}

[[nodiscard]] auto get_levels(portable_adapter& of, DDIMULTISAMPLEQUALITYLEVELSDATA& asked)
    -> HRESULT {
  struct {
    std::uint32_t format, type, flags, levels;
  } data{static_cast<std::uint32_t>(asked.Format), static_cast<std::uint32_t>(asked.MsType), 0, 0};
  const auto result = of.get_caps(caps_multisample, data);
  asked.QualityLevels = data.levels;
  return result;
}

template <class T>
[[nodiscard]] auto data_of(const D3DDDIARG_GETCAPS& asked) -> T* {
  return asked.DataSize >= sizeof(T) ? static_cast<T*>(asked.pData) : nullptr;
}

template <class T>
[[nodiscard]] auto answer(const D3DDDIARG_GETCAPS& asked, const T& value) -> HRESULT {
  auto* const out = data_of<T>(asked);
  if (out == nullptr) return E_INVALIDARG;
  *out = value;
  return S_OK;
}

auto APIENTRY get_caps(HANDLE adapter, const D3DDDIARG_GETCAPS* asked) -> HRESULT {
  const callback_scope here;
  auto& of = to_adapter(adapter);
  switch (asked->Type) {
    case D3DDDICAPS_GETD3D9CAPS: {
      auto* const caps = data_of<D3DCAPS9>(*asked);
      return caps != nullptr ? of.get_caps(caps_d3d9, *caps) : E_INVALIDARG;
    }
    case D3DDDICAPS_GETFORMATCOUNT: return answer(*asked, format_count(of));
    case D3DDDICAPS_GETFORMATDATA:
      return get_formats(of, static_cast<FORMATOP*>(asked->pData),
                         asked->DataSize / static_cast<UINT>(sizeof(FORMATOP)));
    case D3DDDICAPS_GETMULTISAMPLEQUALITYLEVELS: {
      auto* const levels = data_of<DDIMULTISAMPLEQUALITYLEVELSDATA>(*asked);
      return levels != nullptr ? get_levels(of, *levels) : E_INVALIDARG;
    }
    // Nothing asks for them there: events are all that there is.
    case D3DDDICAPS_GETD3DQUERYCOUNT: return answer(*asked, UINT{1});
    case D3DDDICAPS_GETD3DQUERYDATA: return answer(*asked, D3DDDIQUERYTYPE_EVENT);
    default: std::memset(asked->pData, 0, asked->DataSize); return S_OK;
  }
}

auto APIENTRY create_device(HANDLE adapter, D3DDDIARG_CREATEDEVICE* a) -> HRESULT {
  const callback_scope here;
  auto& of = to_adapter(adapter);
  auto* const device = find_token(a->hDevice).device;
  if (device == nullptr) return E_INVALIDARG;
  auto made = std::make_unique<portable_device>(*device, a->Flags.Value);
  portable_device::fill(*a->pDeviceFuncs);
  const auto result = made->create(*of.functions.get(), of.driver);
  if (SUCCEEDED(result)) a->hDevice = made.release();
  return result;
}

auto APIENTRY close_adapter(HANDLE adapter) -> HRESULT {
  const callback_scope here;
  const std::unique_ptr<portable_adapter> ended{&to_adapter(adapter)};
  const auto inside = ended->enter("CloseAdapter");
  return ended->functions->pfnCloseAdapter(ended->driver);
}

}  // namespace

auto APIENTRY open_portable_adapter(D3DDDIARG_OPENADAPTER* argument) -> HRESULT {
  const callback_scope here;
  auto& adapter = *find_token(argument->hAdapter).adapter;
  auto made = std::make_unique<portable_adapter>(adapter);
  const auto result = open_by_choice(*made);
  if (FAILED(result)) return result;
  const auto missing = made->functions.first_missing();
  if (made->functions.is_overrun() || missing != made->functions.entries ||
      made->driver.pDrvPrivate == nullptr) {
    adapter.rules().record(contract_rule::missing_entry,
                           "an export of profile U left its table or its handle incomplete");
    return E_FAIL;
  }
  *argument->pAdapterFuncs = {&get_caps, &create_device, &close_adapter};
  argument->DriverVersion = driver_version;
  argument->hAdapter = made.release();
  return result;
}

}  // namespace aerogpu::sim
