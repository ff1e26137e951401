// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/present/present.hpp"
#include "drivers/win7/umd/d3d9/present/present_packets.hpp"
#include "drivers/win7/umd/d3d9/resource/backing.hpp"

namespace aerogpu::umd {

namespace {

/// The allocation that the kernel driver copies or shows; none for a surface that is not named.
[[nodiscard]] auto find_allocation(device& on, const surface_ref& surface,
                                   kernel_allocation& out) noexcept -> HRESULT {
  resource* const of = surface.resource;
  if (of == nullptr) return S_OK;
  if (of->layout() == nullptr || surface.subresource >= of->subresource_count()) {
    return E_INVALIDARG;
  }
  if (of->is_mapped()) return D3DERR_INVALIDCALL;
  const HRESULT has_one = require_allocation(on, *of);
  out = of->backing.allocation;
  return has_one;
}

/// Whether the kernel driver copies with the processor, from guest memory: to the desktop, which is
/// its own and has no name on the host.
[[nodiscard]] auto is_copied_from_memory(const kernel_present_request& request) noexcept -> bool {
  const resource* const to = request.destination.resource;
  return !request.is_flip && (to == nullptr || to->flags.is_standard);
}

/// What the kernel driver's flip or copy needs in the stream before it (umd-d3d9.md 2.14.6).
[[nodiscard]] auto prepare_source(device& on, const kernel_present_request& request) noexcept
    -> HRESULT {
  if (request.source.resource == nullptr) return S_OK;
  const bool writes_back =
      on.presents.flips == flip_policy::write_back || is_copied_from_memory(request);
  if (writes_back) return append_write_back(on, request.source);
  if (!request.is_flip) return S_OK;
  // The kernel's flip queue paces: no flag asks for a vertical blank.
  return append_present(on, request.source, AEROGPU_PRESENT_FLAG_NONE, 0);
}

}  // namespace

auto present_by_kernel(device& on, const kernel_present_request& request) noexcept -> HRESULT {
  if (request.is_flip && request.source.resource == nullptr) return E_INVALIDARG;
  kernel_allocation source{}, destination{};
  HRESULT result = find_allocation(on, request.source, source);
  if (SUCCEEDED(result)) result = find_allocation(on, request.destination, destination);
  if (SUCCEEDED(result)) result = prepare_source(on, request);
  if (SUCCEEDED(result)) result = on.commands.submit();
  if (FAILED(result)) return result;
  const HRESULT presented = on.runtime.present(source, destination);
  if (presented == D3DERR_WASSTILLDRAWING) return presented;
  if (FAILED(presented)) return on.commands.note_failure(submission_kind::present, presented);
  on.presents.note_present();
  on.queries.publish();
  on.commands.end_frame();
  return presented;
}

auto publish_to_compositor(device& on) noexcept -> HRESULT {
  const HRESULT flushed = flush(on);
  on.commands.end_frame();
  return flushed;
}

}  // namespace aerogpu::umd
