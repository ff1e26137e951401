// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/front_u/open_adapter.hpp"

#include "aerogpu/hosted/heap_pointer.hpp"
#include "drivers/win7/umd/d3d9/adapter/adapter.hpp"
#include "drivers/win7/umd/d3d9/core/log.hpp"
#include "drivers/win7/umd/d3d9/front_u/adapter_entries.hpp"
#include "drivers/win7/umd/d3d9/trace/module.hpp"
#include "drivers/win7/umd/d3d9/trace/packing_u.hpp"
#include "drivers/win7/umd/d3d9/trace/traced.hpp"

#include <string_view>
#include <utility>

namespace aerogpu::umd::front_u {

namespace u = d3d9ddi_u;

namespace {

/// The portable callbacks of adapters have no members: the kernel is asked itself.
class adapter_runtime_u final : public adapter_runtime {
 public:
  auto query_private_data(mutable_bytes) noexcept -> HRESULT override {
    return D3DERR_NOTAVAILABLE;
  }
};

[[nodiscard]] auto luid_of(const adapter& of) noexcept -> LUID {
  LUID luid{};
  luid.LowPart = of.luid().low;
  luid.HighPart = of.luid().high;
  return luid;
}

void log_opening(std::string_view name, std::uint32_t interface, std::uint32_t version,
                 const adapter& opened) noexcept {
  log_line{name}
      .text(" Interface=")
      .number(interface)
      .text(" Version=")
      .number(version)
      .text(" LUID=")
      .bare_hex(static_cast<std::uint32_t>(opened.luid().high), 8)
      .text(":")
      .bare_hex(opened.luid().low, 8);
  log_adapter(opened);
}

/// `find(callbacks, opened)` finds the adapter.
template <class Argument, class Find>
[[nodiscard]] auto open_with(std::string_view name, Argument* open, Find&& find) noexcept
    -> HRESULT {
  log_module_path();
  if (open == nullptr) return E_INVALIDARG;
  const bool is_valid = open->pAdapterFuncs != nullptr && open->Interface != 0 &&
                        open->Version != 0 && open->Version <= newest_version;
  if (!is_valid) {
    log_line{name}
        .text(" invalid interface/version (")
        .number(open->Interface)
        .text("/")
        .number(open->Version)
        .text(")");
    return E_INVALIDARG;
  }
  std::unique_ptr<adapter_runtime> callbacks = make_heap<adapter_runtime_u>();
  if (callbacks == nullptr) return E_OUTOFMEMORY;
  adapter* opened = nullptr;
  if (const HRESULT found = find(std::move(callbacks), opened); FAILED(found)) return found;
  log_opening(name, open->Interface, open->Version, *opened);
  *open->pAdapterFuncs = adapter_table();
  open->hAdapter = {opened};
  return S_OK;
}

[[nodiscard]] auto open_primary(std::string_view name, u::D3DDDIARG_OPENADAPTER* open) noexcept
    -> HRESULT {
  return open_with(name, open, [](auto callbacks, adapter*& opened) {
    return umd::open_adapter(nullptr, std::move(callbacks), opened);
  });
}

auto APIENTRY open_adapter_untraced(u::D3DDDIARG_OPENADAPTER* open) noexcept -> HRESULT {
  return open_primary("OpenAdapter", open);
}

auto APIENTRY open_adapter2_untraced(u::D3DDDIARG_OPENADAPTER2* open) noexcept -> HRESULT {
  return open_primary("OpenAdapter2", open);
}

auto APIENTRY open_adapter_from_hdc_untraced(u::D3DDDIARG_OPENADAPTERFROMHDC* open) noexcept
    -> HRESULT {
  return open_with("OpenAdapterFromHdc", open, [&](auto callbacks, adapter*& opened) {
    const HRESULT found = umd::open_adapter(open->hDc, std::move(callbacks), opened);
    if (SUCCEEDED(found)) open->AdapterLuid = luid_of(*opened);
    return found;
  });
}

auto APIENTRY open_adapter_from_luid_untraced(u::D3DDDIARG_OPENADAPTERFROMLUID* open) noexcept
    -> HRESULT {
  return open_with("OpenAdapterFromLuid", open, [&](auto callbacks, adapter*& opened) {
    const os::adapter_luid luid{static_cast<std::uint32_t>(open->AdapterLuid.LowPart),
                                static_cast<std::int32_t>(open->AdapterLuid.HighPart)};
    return open_adapter_by_luid(luid, std::move(callbacks), opened);
  });
}

using trace::packing_u, trace::traced, trace::id_of;

}  // namespace

auto APIENTRY open_adapter(u::D3DDDIARG_OPENADAPTER* open) noexcept -> HRESULT {
  return traced<packing_u, id_of("OpenAdapter"), open_adapter_untraced>(open);
}

auto APIENTRY open_adapter2(u::D3DDDIARG_OPENADAPTER2* open) noexcept -> HRESULT {
  return traced<packing_u, id_of("OpenAdapter2"), open_adapter2_untraced>(open);
}

auto APIENTRY open_adapter_from_hdc(u::D3DDDIARG_OPENADAPTERFROMHDC* open) noexcept -> HRESULT {
  return traced<packing_u, id_of("OpenAdapterFromHdc"), open_adapter_from_hdc_untraced>(open);
}

auto APIENTRY open_adapter_from_luid(u::D3DDDIARG_OPENADAPTERFROMLUID* open) noexcept -> HRESULT {
  return traced<packing_u, id_of("OpenAdapterFromLuid"), open_adapter_from_luid_untraced>(open);
}

}  // namespace aerogpu::umd::front_u
