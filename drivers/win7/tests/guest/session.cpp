// SPDX-License-Identifier: MIT
#include "drivers/win7/tests/guest/session.hpp"

namespace aerogpu::guest {
namespace {

auto reason_for(display_search found) noexcept -> std::string_view {
  switch (found) {
    case display_search::found: break;
    case display_search::no_thunks: return "this Windows has no display drivers of the WDDM kind";
    case display_search::absent: return "no display of this desktop belongs to an AeroGPU";
    case display_search::remote: return "a remote session does not use the AeroGPU";
  }
  return "the AeroGPU adapter cannot be opened";
}

}  // namespace

session::~session() {
  if (adapter_ == 0) return;
  const D3DKMT_CLOSEADAPTER closed{adapter_};
  static_cast<void>(calls().D3DKMTCloseAdapter(&closed));
}

auto session::open(report& to, bool is_required) -> bool {
  D3DKMT_OPENADAPTERFROMGDIDISPLAYNAME named{};
  const auto found = around_.find_display(named);
  if (found != display_search::found) {
    const message why{reason_for(found)};
    if (!is_required)
      to.skip(why);
    else
      to.check(false, "there is an AeroGPU", why);
    return false;
  }
  const NTSTATUS status = calls().D3DKMTOpenAdapterFromGdiDisplayName(&named);
  if (!NT_SUCCESS(status)) {
    to.check(false, "the adapter can be opened", message{status_of(status)});
    return false;
  }
  adapter_ = named.hAdapter;
  return true;
}

auto session::send(void* packet, std::uint32_t size_bytes) -> NTSTATUS {
  D3DKMT_ESCAPE arguments{};
  arguments.hAdapter = adapter_;
  arguments.Type = D3DKMT_ESCAPE_DRIVERPRIVATE;
  arguments.pPrivateDriverData = packet;
  arguments.PrivateDriverDataSize = size_bytes;
  return calls().D3DKMTEscape(&arguments);
}

auto session::judge(report& to, rule_text rule, std::uint32_t op, std::uint32_t size_bytes,
                    NTSTATUS status, const aerogpu_escape_header& header) -> bool {
  if (!NT_SUCCESS(status))
    return to.check(false, rule, message{"refused with ", status_of(status)});
  const bool is_valid = header.version == AEROGPU_ESCAPE_VERSION && header.op == op &&
                        header.size >= sizeof header && header.size <= size_bytes;
  if (is_valid) return true;
  return to.check(false, rule,
                  message{"its header has version ", std::uint32_t{header.version}, ", operation ",
                          std::uint32_t{header.op}, ", size ", std::uint32_t{header.size}});
}

}  // namespace aerogpu::guest
