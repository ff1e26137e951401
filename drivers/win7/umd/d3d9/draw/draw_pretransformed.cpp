#include "drivers/win7/umd/d3d9/draw/draw_pretransformed.hpp"

#include "drivers/win7/umd/d3d9/core/device.hpp"
#include "drivers/win7/umd/d3d9/draw/draw_bindings.hpp"
#include "drivers/win7/umd/d3d9/draw/draw_memory.hpp"
#include "drivers/win7/umd/d3d9/fixed/pretransformed.hpp"
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
        count_(static_cast<std::uint32_t>(elements_of(call.type, call.primitive_count))) {
    if (call.is_indexed) {
      const element_source source = read_indices(on, call);
      const std::uint64_t skipped = std::uint64_t{call.first} * source.element_bytes;
      const bool is_inside = skipped < source.bytes.size();
      indices_ = {
          is_inside ? source.bytes.subspan(static_cast<std::size_t>(skipped)) : const_bytes{},
          source.element_bytes == 4, call.base_vertex};
    }
  }

  /// The stream that holds the position.
  [[nodiscard]] auto convert(std::uint32_t stream, std::uint32_t position_offset) noexcept
      -> HRESULT {
    const element_source source = read_stream(device_, call_, stream);
    if (source.bytes.empty()) return D3DERR_INVALIDCALL;
    mutable_bytes out;
    if (const HRESULT made = make_room(source.element_bytes, out); FAILED(made)) return made;
    const fixed::pretransformed_vertices from{source.bytes, source.element_bytes, position_offset};
    const viewport view = effective_viewport(device_);
    const HRESULT converted = call_.is_indexed
                                  ? fixed::expand_vertices(from, indices_, count_, view, out)
                                  : fixed::convert_vertices(from, call_.first, count_, view, out);
    if (FAILED(converted)) return converted;
    return bindings_.use_vertices(stream, out, source.element_bytes);
  }

  /// A stream beside it: the same vertices in the same order.
  [[nodiscard]] auto follow(std::uint32_t stream) noexcept -> HRESULT {
    const element_source source = read_stream(device_, call_, stream);
    if (!call_.is_indexed) {
      return bindings_.skip_vertices(stream, std::uint64_t{call_.first} * source.element_bytes);
    }
    mutable_bytes out;
    if (const HRESULT made = make_room(source.element_bytes, out); FAILED(made)) return made;
    const HRESULT gathered =
        fixed::gather_vertices(source.bytes, source.element_bytes, indices_, count_, out);
    if (FAILED(gathered)) return gathered;
    return bindings_.use_vertices(stream, out, source.element_bytes);
  }

 private:
  [[nodiscard]] auto make_room(std::uint32_t stride_bytes, mutable_bytes& out) noexcept -> HRESULT {
    const std::uint64_t bytes = std::uint64_t{count_} * stride_bytes;
    if (bytes == 0) return D3DERR_INVALIDCALL;
    if (bytes > scratch_buffer::most_bytes) return E_INVALIDARG;
    if (!device_.scratch.bytes.resize(static_cast<std::size_t>(bytes))) return E_OUTOFMEMORY;
    out = device_.scratch.bytes.view();
    return S_OK;
  }

  device& device_;
  const draw_call& call_;
  binding_override& bindings_;
  std::uint32_t count_;
  fixed::vertex_indices indices_;
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
