// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/front_m/caps_queries.hpp"

#include "aerogpu/core/bytes.hpp"
#include "drivers/win7/umd/d3d9/adapter/caps.hpp"
#include "drivers/win7/umd/d3d9/adapter/formats.hpp"
#include "drivers/win7/umd/d3d9/adapter/unknown_queries.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

namespace aerogpu::umd::front_m {

namespace {

constexpr DWORD ddraw_caps2 = 0x10 | 0x8;    // DYNAMICTEXTURES, FLIPNOVSYNC
constexpr DWORD mode_caps = 0x20;            // READSCANLINE
constexpr std::size_t d3dcaps8_bytes = 212;  // The front of D3DCAPS9.
// Structures of Direct3D 3 and 7, which begin with their size; the first ends with a pointer.
constexpr DWORD global_driver_data_bytes = sizeof(void*) == 8 ? 200 : 192;
constexpr DWORD extended_caps_bytes = 116;

constexpr UINT takes_ramps = 1;  // Of 256 values of 16 bits for each of three colours.

constexpr std::array query_types{D3DDDIQUERYTYPE_EVENT};

/// The answer's bytes at the front of the caller's, and zeros behind.
auto answer_bytes(mutable_bytes out, const_bytes answer) noexcept -> HRESULT {
  if (out.size() < answer.size()) return E_INVALIDARG;
  std::memset(out.data(), 0, out.size());
  copy_bytes(out.first(answer.size()), answer);
  return S_OK;
}
template <class T>
auto answer(mutable_bytes out, const T& value) noexcept -> HRESULT {
  return answer_bytes(out, bytes_of(value));
}

/// A structure without content but for its size, by which DirectDraw knows that it was filled in.
auto answer_size(mutable_bytes out, DWORD bytes) noexcept -> HRESULT {
  std::memset(out.data(), 0, out.size());
  const auto size = static_cast<DWORD>(std::min<std::size_t>(bytes, out.size()));
  if (out.size() >= sizeof size) store(out.data(), size);
  return S_OK;
}

/// Feature level 9_1 wants ramps as well, which the kernel driver takes (umd-d3d9.md 2.2.5).
[[nodiscard]] auto make_caps_of_m() noexcept -> D3DCAPS9 {
  D3DCAPS9 caps = make_caps();
  caps.Caps2 |= D3DCAPS2_FULLSCREENGAMMA;
  return caps;
}

/// `take(format, operations)` of everything that profile M lists, each format once.
template <class Take>
void for_each_listed(const adapter_facts& facts, Take&& take) noexcept {
  for (const surface_format& each : formats_of(facts)) {
    const auto d3d9 = static_cast<std::uint32_t>(each.d3d9);
    take(d3d9, each.operations | only_listed_operations(d3d9));
  }
  for (const listed_operations& each : only_listed()) {
    const auto d3d9 = static_cast<std::uint32_t>(each.d3d9);
    if (is_only_listed(d3d9)) take(d3d9, each.operations);
  }
}

[[nodiscard]] auto count_listed(const adapter_facts& facts) noexcept -> UINT {
  UINT count = 0;
  for_each_listed(facts, [&](std::uint32_t, std::uint32_t) { ++count; });
  return count;
}

/// As many whole rows as fit.
auto answer_formats(mutable_bytes out, const adapter_facts& facts) noexcept -> HRESULT {
  std::memset(out.data(), 0, out.size());
  std::size_t at = 0;
  for_each_listed(facts, [&](std::uint32_t d3d9, std::uint32_t operations) {
    if (out.size() - at < sizeof(FORMATOP)) return;
    FORMATOP row{};
    row.Format = static_cast<D3DDDIFORMAT>(d3d9);
    row.Operations = operations;
    store(out.data() + at, row);
    at += sizeof row;
  });
  return S_OK;
}

/// In and out: the caller names format and type.
auto answer_multisample(mutable_bytes out, const adapter_facts& facts) noexcept -> HRESULT {
  if (out.size() < sizeof(DDIMULTISAMPLEQUALITYLEVELSDATA)) return E_INVALIDARG;
  auto levels = load<DDIMULTISAMPLEQUALITYLEVELSDATA>(out.data());
  const bool is_known =
      find_surface_format(facts, static_cast<std::uint32_t>(levels.Format)) != nullptr;
  levels.QualityLevels = is_known && levels.MsType == D3DDDIMULTISAMPLE_NONE ? 1 : 0;
  store(out.data(), levels);
  return S_OK;
}

}  // namespace

auto answer_caps(const adapter_facts& facts, const D3DDDIARG_GETCAPS& query) noexcept -> HRESULT {
  const mutable_bytes out{static_cast<std::byte*>(query.pData), query.DataSize};
  switch (query.Type) {
    case D3DDDICAPS_DDRAW: return answer(out, DDRAW_CAPS{0, ddraw_caps2, 0, 0, 0});
    case D3DDDICAPS_DDRAW_MODE_SPECIFIC:
      return answer(out, DDRAW_MODE_SPECIFIC_CAPS{0, mode_caps, 0, 0, 0, 0, 0});
    case D3DDDICAPS_GETFORMATCOUNT: return answer(out, count_listed(facts));
    case D3DDDICAPS_GETFORMATDATA: return answer_formats(out, facts);
    case D3DDDICAPS_GETMULTISAMPLEQUALITYLEVELS: return answer_multisample(out, facts);
    case D3DDDICAPS_GETD3DQUERYCOUNT: return answer(out, static_cast<UINT>(query_types.size()));
    case D3DDDICAPS_GETD3DQUERYDATA:
      return answer_bytes(out, std::as_bytes(std::span{query_types}));
    case D3DDDICAPS_GETD3D3CAPS: return answer_size(out, global_driver_data_bytes);
    case D3DDDICAPS_GETD3D7CAPS: return answer_size(out, extended_caps_bytes);
    case D3DDDICAPS_GETD3D8CAPS:
      return answer_bytes(out, bytes_of(make_caps_of_m()).first(d3dcaps8_bytes));
    case D3DDDICAPS_GETD3D9CAPS: return answer(out, make_caps_of_m());
    case D3DDDICAPS_GETGAMMARAMPCAPS: return answer(out, DDIGAMMACAPS{takes_ramps});
    case D3DDDICAPS_CHECKOVERLAYSUPPORT: return D3DERR_UNSUPPORTEDOVERLAY;
    // Counts and descriptions of what is not offered.
    case D3DDDICAPS_GETDECODEGUIDCOUNT:
    case D3DDDICAPS_GETDECODERTFORMATCOUNT:
    case D3DDDICAPS_GETDECODECOMPRESSEDBUFFERINFOCOUNT:
    case D3DDDICAPS_GETDECODECONFIGURATIONCOUNT:
    case D3DDDICAPS_GETVIDEOPROCESSORDEVICEGUIDCOUNT:
    case D3DDDICAPS_GETVIDEOPROCESSORRTFORMATCOUNT:
    case D3DDDICAPS_GETVIDEOPROCESSORRTSUBSTREAMFORMATCOUNT:
    case D3DDDICAPS_GETEXTENSIONGUIDCOUNT: return answer(out, UINT{0});
    case D3DDDICAPS_GETCONTENTPROTECTIONCAPS:
    case D3DDDICAPS_GETCERTIFICATESIZE:
    case D3DDDICAPS_GETCERTIFICATE:
    case D3DDDICAPS_GETD3D5CAPS:
    case D3DDDICAPS_GETD3D6CAPS: break;
    default: log_unknown_query(static_cast<UINT>(query.Type), query.DataSize); break;
  }
  std::memset(out.data(), 0, out.size());
  return S_OK;
}

}  // namespace aerogpu::umd::front_m
