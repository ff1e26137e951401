// SPDX-License-Identifier: MIT
/// \file IDirect3DDevice9::ProcessVertices: vertices of the bound streams, into a buffer.
#include "drivers/wine/d3d9/root/device.hpp"
#include "drivers/wine/d3d9/state/device_states.hpp"
#include "drivers/wine/d3d9/state/process/vertex_processor.hpp"

namespace aerogpu::d3d9 {

HRESULT APIENTRY device::ProcessVertices(UINT first, UINT destination, UINT count,
                                         IDirect3DVertexBuffer9* given,
                                         IDirect3DVertexDeclaration9* declaration, DWORD flags) {
  return run([&]() -> HRESULT {
    auto* const target = vertex_buffer::of(given);
    auto* layout = vertex_declaration::of(declaration);
    if (target == nullptr || !states->is_software_processing()) return D3DERR_INVALIDCALL;
    if (!is_of(*this, target) || !is_of(*this, layout)) return D3DERR_INVALIDCALL;
    const auto& state = states->now();
    // Nothing on the CPU runs shaders.
    if (!state.declaration || state.vertex) return D3DERR_INVALIDCALL;
    if (layout == nullptr) {
      D3DVERTEXBUFFER_DESC description{};
      static_cast<void>(target->GetDesc(&description));
      const auto result = states->declaration_of(description.FVF, layout);
      if (FAILED(result)) return result;
    }
    const auto elements = layout->elements();
    const auto stride = extent_of(elements, 0);
    if (!are_inside({destination, count, stride, stride}, target->size_bytes()))
      return D3DERR_INVALIDCALL;
    source_vertices source;
    if (const auto result = source.load(state, first, count); FAILED(result)) return result;
    const vertex_processor processor{state, source, elements, flags};
    if (!processor.is_possible()) return D3DERR_INVALIDCALL;
    locked_buffer output;
    if (const auto result = output.lock(*target, 0); FAILED(result)) return result;
    auto* to = output.bytes().data() + destination * stride;
    for (std::size_t i = 0; i < count; ++i, to += stride) processor.process(i, to);
    return S_OK;
  });
}

}  // namespace aerogpu::d3d9
