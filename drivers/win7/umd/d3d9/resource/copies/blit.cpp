// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/resource/copies/blit.hpp"

#include "drivers/win7/umd/d3d9/adapter/formats.hpp"
#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/resource/copies/blit_draw.hpp"
#include "drivers/win7/umd/d3d9/resource/copies/copies.hpp"
#include "drivers/win7/umd/d3d9/resource/creation.hpp"
#include "drivers/win7/umd/d3d9/resource/destruction.hpp"
#include "drivers/win7/umd/d3d9/resource/surfaces.hpp"
#include "drivers/win7/umd/d3d9/resource/texels/colors.hpp"
#include "drivers/win7/umd/d3d9/resource/texels/cpu_bytes.hpp"

namespace aerogpu::umd {

namespace {

[[nodiscard]] auto is_on_host(const surface_ref& surface) noexcept -> bool {
  return surface.resource->handle != resource_handle{};
}

/// Whether texels go over as they are.
[[nodiscard]] auto is_plain_copy(const blit_request& request) noexcept -> bool {
  return request.to.resource->format == request.from.resource->format &&
         is_same_size(request.to_area, request.from_area) && !request.mirrors_x &&
         !request.mirrors_y && !request.blends;
}

/// Cuts both rectangles to their surfaces; those of one size by the same amount, so that texels
/// stay where they belong.
void cut(blit_request& request) noexcept {
  const bool is_same = is_same_size(request.to_area, request.from_area);
  const rectangle from = intersect(request.from_area, bounds_of(request.from));
  const rectangle to = intersect(request.to_area, bounds_of(request.to));
  const bool is_flipped = request.mirrors_x || request.mirrors_y;
  if (!is_same || is_flipped) {
    request.from_area = from;
    request.to_area = to;
    return;
  }
  // Both in offsets from the corner that was asked for; 64 bits hold any difference.
  const auto offset = [](std::int32_t at, std::int32_t corner) {
    return std::int64_t{at} - corner;
  };
  const rectangle& a = request.from_area;
  const rectangle& b = request.to_area;
  const std::int64_t left = std::max(offset(from.left, a.left), offset(to.left, b.left));
  const std::int64_t top = std::max(offset(from.top, a.top), offset(to.top, b.top));
  const std::int64_t right = std::min(offset(from.right, a.left), offset(to.right, b.left));
  const std::int64_t bottom = std::min(offset(from.bottom, a.top), offset(to.bottom, b.top));
  if (left >= right || top >= bottom) {
    request.to_area = {};
    return;
  }
  const auto at = [](std::int32_t corner, std::int64_t distance) {
    return static_cast<std::int32_t>(corner + distance);
  };
  request.from_area = {at(a.left, left), at(a.top, top), at(a.left, right), at(a.top, bottom)};
  request.to_area = {at(b.left, left), at(b.top, top), at(b.left, right), at(b.top, bottom)};
}

[[nodiscard]] auto copy(device& on, const blit_request& request) noexcept -> HRESULT {
  const texel_rectangle to = to_texels(request.to_area);
  return copy_texels(on, request.to, {to.x, to.y}, request.from, to_texels(request.from_area));
}

/// A texture for the time of one blit.
class temporary {
 public:
  explicit temporary(device& on) noexcept : on_(on) {}
  temporary(const temporary&) = delete;
  auto operator=(const temporary&) -> temporary& = delete;
  ~temporary() {
    if (made_ != nullptr) static_cast<void>(destroy_resource(on_, made_));
  }
  [[nodiscard]] auto make(std::uint32_t format, const rectangle& area) noexcept -> HRESULT {
    resource_request request;
    request.kind = resource_kind::texture;
    request.format = format;
    request.width = static_cast<std::uint32_t>(area.right - area.left);
    request.height = static_cast<std::uint32_t>(area.bottom - area.top);
    request.flags.is_lockable = false;
    return create_resource(on_, request, made_);
  }
  [[nodiscard]] auto get() const noexcept -> surface_ref { return {made_, 0}; }

 private:
  device& on_;
  resource* made_ = nullptr;
};

/// The source's rectangle goes into a texture of its own first: for surfaces that blit into
/// themselves, and for texels of system memory that are more than copied.
[[nodiscard]] auto blit_through_copy(device& on, const blit_request& request) noexcept -> HRESULT {
  temporary middle{on};
  const HRESULT made = middle.make(request.from.resource->format, request.from_area);
  if (FAILED(made)) return made;
  blit_request out = request;
  out.from = middle.get();
  out.from_area = bounds_of(out.from);
  const HRESULT copied =
      copy_texels(on, out.from, {0, 0}, request.from, to_texels(request.from_area));
  if (FAILED(copied)) return copied;
  return is_plain_copy(out) ? copy(on, out) : draw_blit(on, out);
}

/// Whether the host can draw from one to the other.
[[nodiscard]] auto can_draw(device& on, const blit_request& request) noexcept -> bool {
  const surface_format* const to =
      find_surface_format(on.adapter.facts(), request.to.resource->format);
  const bool is_depth = request.from.resource->layout()->format().is_depth();
  return is_on_host(request.to) && to != nullptr && to->can_be_render_target() && !is_depth;
}

/// UpdateSurface between the 32-bit formats (umd-d3d9.md 2.8.2): texels of system memory converted
/// by the CPU.
[[nodiscard]] auto converts_on_cpu(const blit_request& request) noexcept -> bool {
  return !is_on_host(request.from) && !is_on_host(request.to) &&
         is_same_size(request.to_area, request.from_area) &&
         texel_bytes(request.from.resource->format) != 0 &&
         texel_bytes(request.to.resource->format) != 0;
}
[[nodiscard]] auto convert(device& on, const blit_request& request) noexcept -> HRESULT {
  cpu_bytes to{on}, from{on};
  HRESULT mapped = to.map(*request.to.resource, lock_access::write);
  if (SUCCEEDED(mapped)) mapped = from.map(*request.from.resource, lock_access::read);
  if (FAILED(mapped)) return mapped;
  const row_target out = to.rows(request.to.subresource);
  const row_target in = from.rows(request.from.subresource);
  const std::uint32_t out_format = request.to.resource->format;
  const std::uint32_t in_format = request.from.resource->format;
  const std::uint32_t out_bytes = texel_bytes(out_format), in_bytes = texel_bytes(in_format);
  const texel_rectangle a = to_texels(request.to_area), b = to_texels(request.from_area);
  for (std::uint32_t y = 0; y < a.height; ++y) {
    std::byte* at = out.first + (a.y + y) * out.pitch_bytes + std::size_t{a.x} * out_bytes;
    const std::byte* texel = in.first + (b.y + y) * in.pitch_bytes + std::size_t{b.x} * in_bytes;
    for (std::uint32_t x = 0; x < a.width; ++x, at += out_bytes, texel += in_bytes) {
      const std::uint32_t bits = encode_color(out_format, decode_color(in_format, texel))->bits;
      if (out_bytes == 4) store(at, bits);
      if (out_bytes == 2) store(at, static_cast<std::uint16_t>(bits));
    }
  }
  return S_OK;
}

}  // namespace

auto blit(device& on, const blit_request& asked) noexcept -> HRESULT {
  if (!is_surface(asked.to) || !is_surface(asked.from)) return E_INVALIDARG;
  blit_request request = asked;
  cut(request);
  if (is_empty(request.to_area) || is_empty(request.from_area)) return S_OK;
  if (request.to.resource->is_mapped() || request.from.resource->is_mapped()) {
    return D3DERR_INVALIDCALL;
  }
  const bool is_itself = request.to == request.from;
  const bool is_copy = is_plain_copy(request);
  if (is_itself && is_copy && request.to_area == request.from_area) return S_OK;
  if (is_copy && !(is_itself && is_on_host(request.to))) return copy(on, request);
  if (is_copy && request.from.resource->layout()->format().is_depth()) return D3DERR_INVALIDCALL;
  if (is_copy) return blit_through_copy(on, request);
  if (converts_on_cpu(request)) return convert(on, request);
  if (!can_draw(on, request)) return D3DERR_INVALIDCALL;
  if (is_itself || !is_on_host(request.from)) return blit_through_copy(on, request);
  return draw_blit(on, request);
}

}  // namespace aerogpu::umd
