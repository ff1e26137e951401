// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/front_u/caps_queries.hpp"

#include "aerogpu/abi/pci.h"
#include "aerogpu/core/bytes.hpp"
#include "drivers/win7/umd/d3d9/adapter/caps.hpp"
#include "drivers/win7/umd/d3d9/adapter/formats.hpp"
#include "drivers/win7/umd/d3d9/adapter/unknown_queries.hpp"
#include "drivers/win7/umd/d3d9/front_u/extended_entries.hpp"

#include <array>
#include <cstddef>
#include <cstring>

namespace aerogpu::umd::front_u {

namespace u = d3d9ddi_u;

namespace {

constexpr GUID device_guid{
    0x5f84f5ae, 0x6c2b, 0x4c3f, {0x8b, 0x6f, 0x5e, 0x7d, 0x3c, 0x3a, 0x27, 0xb1}};

template <class T>
[[nodiscard]] auto answer(mutable_bytes out, const T& value) noexcept -> HRESULT {
  if (out.size() < sizeof value) return E_INVALIDARG;
  copy_bytes(out.first(sizeof value), bytes_of(value));
  return S_OK;
}

[[nodiscard]] auto operations_of(const surface_format& format) noexcept -> std::uint32_t {
  if (format.is_depth_stencil()) return operation_depth_stencil;
  return format.can_be_render_target() ? operation_render_target : 0;
}

/// In: the index. Out: the format, and its operations where they fit.
[[nodiscard]] auto answer_format(mutable_bytes out, const adapter_facts& facts) noexcept
    -> HRESULT {
  constexpr std::size_t least_bytes = 8;
  constexpr std::size_t bytes_with_operations = 12;
  if (out.size() < least_bytes) return E_INVALIDARG;
  const auto index = load<std::uint32_t>(out.data());
  const auto formats = formats_of(facts);
  if (index >= formats.size()) return E_INVALIDARG;
  store(out.data() + 4, static_cast<std::uint32_t>(formats[index].d3d9));
  if (out.size() >= bytes_with_operations) store(out.data() + 8, operations_of(formats[index]));
  return S_OK;
}

/// {format, type, levels}, or with flags before the levels.
[[nodiscard]] auto answer_multisample(mutable_bytes out, const adapter_facts& facts) noexcept
    -> HRESULT {
  constexpr std::size_t short_bytes = 12;
  constexpr std::size_t long_bytes = 16;
  if (out.size() < short_bytes) return E_INVALIDARG;
  const surface_format* const format = find_surface_format(facts, load<std::uint32_t>(out.data()));
  const auto type = load<std::uint32_t>(out.data() + 4);
  const bool has_level = format != nullptr && operations_of(*format) != 0 && type == 0;
  const std::size_t levels_at = out.size() >= long_bytes ? 12 : 8;
  store(out.data() + levels_at, std::uint32_t{has_level});
  return S_OK;
}

template <std::size_t Size>
void set_text(char (&out)[Size], const char* text) noexcept {
  std::memcpy(out, text, std::strlen(text) + 1);
}

[[nodiscard]] auto make_identifier() noexcept -> D3DADAPTER_IDENTIFIER9 {
  D3DADAPTER_IDENTIFIER9 identifier{};
  set_text(identifier.Driver, "aerogpu_d3d9");
  set_text(identifier.Description, "AeroGPU D3D9Ex (WDDM 1.1)");
  set_text(identifier.DeviceName, "\\\\.\\DISPLAY1");
  identifier.DriverVersion.QuadPart = 1;
  identifier.VendorId = AEROGPU_PCI_VENDOR_ID;
  identifier.DeviceId = AEROGPU_PCI_DEVICE_ID;
  identifier.SubSysId = AEROGPU_PCI_SUBSYSTEM_ID << 16 | AEROGPU_PCI_SUBSYSTEM_VENDOR_ID;
  identifier.DeviceIdentifier = device_guid;
  return identifier;
}

}  // namespace

auto answer_caps(const adapter_facts& facts, const u::D3D9DDIARG_GETCAPS& query) noexcept
    -> HRESULT {
  if (query.pData == nullptr || query.DataSize == 0) return E_INVALIDARG;
  const mutable_bytes out{static_cast<std::byte*>(query.pData), query.DataSize};
  switch (query.Type) {
    case caps_d3d9: return answer(out, make_caps());
    case caps_format_count:
      return answer(out, static_cast<std::uint32_t>(formats_of(facts).size()));
    case caps_format: return answer_format(out, facts);
    case caps_multisample_levels: return answer_multisample(out, facts);
    default: break;
  }
  log_unknown_query(query.Type, query.DataSize);
  std::memset(out.data(), 0, out.size());
  return S_OK;
}

auto answer_info(const adapter& of, const u::D3D9DDIARG_QUERYADAPTERINFO& query) noexcept
    -> HRESULT {
  if (query.pPrivateDriverData == nullptr || query.PrivateDriverDataSize == 0) return E_INVALIDARG;
  const mutable_bytes out{static_cast<std::byte*>(query.pPrivateDriverData),
                          query.PrivateDriverDataSize};
  switch (query.Type) {
    case info_identifier: return answer(out, make_identifier());
    case info_luid: return answer(out, of.luid());
    case u::info_extended_functions: return answer_extended_functions(out);
    default: break;
  }
  if (out.size() == sizeof device_guid) return answer(out, device_guid);
  std::memset(out.data(), 0, out.size());
  return S_OK;
}

}  // namespace aerogpu::umd::front_u
