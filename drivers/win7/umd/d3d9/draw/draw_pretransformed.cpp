// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/draw/draw_pretransformed.hpp"

#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/draw/draw_bindings.hpp"
#include "drivers/win7/umd/d3d9/draw/draw_memory.hpp"
#include "drivers/win7/umd/d3d9/draw/element_reader.hpp"
#include "drivers/win7/umd/d3d9/fixed/vertex/pretransformed.hpp"
#include "drivers/win7/umd/d3d9/shader/declaration.hpp"
#include "drivers/win7/umd/d3d9/state/emission.hpp"

namespace aerogpu::umd {

namespace {

/// A draw whose vertices are converted one stream after another.
class conversion {
 public:
  conversion(device& on, const draw_call& call, binding_override& bindings) noexcept
      : device_(on),
        call_(call),
        bindings_(bindings),
        count_(static_cast<std::uint32_t>(elements_of(call.type, call.primitive_count))) {}

  /// The stream that holds the position.
  [[nodiscard]] auto convert(std::uint32_t stream, std::uint32_t position_offset) noexcept
      -> HRESULT {
    const viewport view = effective_viewport(device_);
    return rewrite(stream, [&](const element_source& source, const fixed::vertex_indices& indices,
                               mutable_bytes out) {
      const fixed::pretransformed_vertices from{vertices_in(source, stream), position_offset};
      return call_.is_indexed ? fixed::expand_vertices(from, indices, count_, view, out)
                              : fixed::convert_vertices(from, call_.first, count_, view, out);
    });
  }

  /// A stream beside it: the same vertices in the same order.
  [[nodiscard]] auto follow(std::uint32_t stream) noexcept -> HRESULT {
    if (has_one_vertex(device_, stream)) {
      return repeat_vertex(device_, bindings_, call_, stream, count_);
    }
    if (!call_.is_indexed) {
      const std::uint64_t stride = stream_stride(device_, stream);
      return bindings_.skip_vertices(stream, call_.first * stride);
    }
    return rewrite(stream, [&](const element_source& source, const fixed::vertex_indices& indices,
                               mutable_bytes out) {
      return fixed::gather_vertices(vertices_in(source, stream), indices, count_, out);
    });
  }

 private:
  /// Binds what `write(vertices, indices, out)` makes of a stream.
  template <class Write>
  [[nodiscard]] auto rewrite(std::uint32_t stream, Write&& write) noexcept -> HRESULT {
    const std::uint32_t stride = stream_stride(device_, stream);
    if (stride == 0 || count_ == 0) return D3DERR_INVALIDCALL;
    mutable_bytes out;
    const HRESULT made = device_.scratch.make_room(std::uint64_t{count_} * stride, out);
    if (FAILED(made)) return made;
    {
      element_reader vertices{device_}, indices{device_};
      HRESULT read = vertices.open_stream(call_, stream);
      if (SUCCEEDED(read) && call_.is_indexed) read = indices.open_indices(call_);
      if (SUCCEEDED(read)) read = write(vertices.elements(), from_first(indices.elements()), out);
      if (FAILED(read)) return read;
    }
    return bindings_.use_vertices(stream, out, stride);
  }

  [[nodiscard]] auto vertices_in(const element_source& source, std::uint32_t stream) const noexcept
      -> fixed::stream_vertices {
    return {source.bytes, source.element_bytes, device_.state.declaration->extent_bytes(stream)};
  }

  [[nodiscard]] auto from_first(const element_source& indices) const noexcept
      -> fixed::vertex_indices {
    const std::uint64_t skipped = std::uint64_t{call_.first} * indices.element_bytes;
    const bool is_inside = skipped < indices.bytes.size();
    return {is_inside ? indices.bytes.subspan(static_cast<std::size_t>(skipped)) : const_bytes{},
            indices.element_bytes == 4, call_.base_vertex};
  }

  device& device_;
  const draw_call& call_;
  binding_override& bindings_;
  std::uint32_t count_;
};

}  // namespace

auto draw_pretransformed(device& on, const draw_call& call) noexcept -> HRESULT {
  const vertex_declaration& declaration = *on.state.declaration;
  const fixed::vertex_format& format = declaration.format();
  binding_override bindings{on};
  conversion work{on, call, bindings};
  const HRESULT converted = work.convert(format.position_stream, format.position_offset);
  if (FAILED(converted)) return converted;
  for (std::uint32_t stream = 0; stream < stream_count; ++stream) {
    const bool is_read = (declaration.streams() >> stream & 1) != 0;
    if (!is_read || stream == format.position_stream) continue;
    if (const HRESULT followed = work.follow(stream); FAILED(followed)) return followed;
  }
  draw_call plain = call;
  plain.is_indexed = false;
  plain.first = 0;
  return send_draw(on, plain);
}

}  // namespace aerogpu::umd
