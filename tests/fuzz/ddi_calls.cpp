// SPDX-License-Identifier: MIT
/// The calls of ddi_run, by what they work on.
#include "drivers/win7/ddi/d3d9/d3d9_flags.hpp"
#include "tests/fuzz/ddi_run.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

namespace aerogpu::fuzz {

namespace {

using table = D3DDDI_DEVICEFUNCS;

constexpr const UINT* no_edge_flags = nullptr;
constexpr std::size_t most_resources = 24;
constexpr std::size_t most_objects = 8;

/// vs_2_0: mov oPos, v0, with v0 declared as the position.
constexpr std::array<UINT, 8> vertex_program{0xFFFE0200, 0x0200001F, 0x80000000, 0x900F0000,
                                             0x02000001, 0xC00F0000, 0x90E40000, 0x0000FFFF};
/// ps_2_0: mov oC0, c0.
constexpr std::array<UINT, 5> pixel_program{0xFFFF0200, 0x02000001, 0x800F0800, 0xA0E40000,
                                            0x0000FFFF};

template <class T>
[[nodiscard]] auto pick(input& in, const std::vector<T>& from) -> T {
  const auto bits = in.u8();
  return from.empty() || bits >= 0xE0 ? T{} : from[bits % from.size()];
}

template <class T>
void drop(std::vector<T>& from, T gone) {
  std::erase(from, gone);
}

}  // namespace

template <class T>
auto ddi_run::filled() -> T {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(FLOAT) == 0);
  std::array<FLOAT, sizeof(T) / sizeof(FLOAT)> values{};
  for (FLOAT& value : values) value = real();
  T made;
  std::memcpy(&made, values.data(), sizeof made);
  return made;
}

void ddi_run::create_resource() {
  if (resources_.size() >= most_resources) return destroy_resource();
  auto made = std::make_unique<resource>();
  D3DDDIARG_CREATERESOURCE wanted{};
  wanted.Format = made->format = format();
  static constexpr std::array<UINT, 8> kinds{0x0001'0000,   // Texture
                                             0x0001'0001,   // Texture, RenderTarget
                                             0x0000'0001,   // RenderTarget
                                             0x0000'0002,   // ZBuffer
                                             0x0008'0004,   // VertexBuffer, Dynamic
                                             0x0010'0000,   // IndexBuffer
                                             0x0003'0000,   // Texture, CubeMap
                                             0x0001'0010};  // Texture, AutogenMipmap
  const auto kind = in_.u8();
  wanted.Flags.Value = kinds[kind % kinds.size()];
  if (kind >= 0xF0) wanted.Flags.Value ^= 1u << (in_.u8() % 32);
  if (wanted.Flags.VertexBuffer != 0 || wanted.Flags.IndexBuffer != 0) {
    wanted.Format = static_cast<D3DDDIFORMAT>(
        wanted.Flags.VertexBuffer != 0 ? D3DFMT_VERTEXDATA
                                       : (in_.u8() % 2 == 0 ? D3DFMT_INDEX16 : D3DFMT_INDEX32));
  }
  static constexpr std::array pools{D3DDDIPOOL_VIDEOMEMORY, D3DDDIPOOL_VIDEOMEMORY,
                                    D3DDDIPOOL_SYSTEMMEM, D3DDDIPOOL_NONLOCALVIDMEM};
  wanted.Pool = pools[in_.u8() % pools.size()];
  wanted.Rotation = D3DDDI_ROTATION_IDENTITY;
  const auto width = small();
  const auto height = wanted.Flags.CubeMap != 0 ? width : small();
  const UINT levels = 1 + in_.u8() % 4;
  const UINT faces = wanted.Flags.CubeMap != 0 ? 6 : 1;
  wanted.MipLevels = in_.u8() < 0xF0 ? levels : number();
  std::vector<D3DDDI_SURFACEINFO> surfaces;
  for (UINT i = 0; i < levels * faces; ++i) {
    const UINT level = i % levels;
    D3DDDI_SURFACEINFO one{std::max(width >> level, level == 0 ? 0u : 1u),
                           std::max(height >> level, level == 0 ? 0u : 1u),
                           1,
                           nullptr,
                           0,
                           0};
    if (wanted.Pool == D3DDDIPOOL_SYSTEMMEM) {
      one.SysMemPitch = (one.Width + 4) * 16;
      made->memory.emplace_back(std::size_t{one.SysMemPitch} * (one.Height + 4));
      one.pSysMem = made->memory.back().data();
    }
    surfaces.push_back(one);
  }
  wanted.pSurfList = surfaces.data();
  wanted.SurfCount = static_cast<UINT>(surfaces.size());
  const auto result = device_->create_resource(wanted, made->names);
  note(result);
  if (SUCCEEDED(result)) resources_.push_back(std::move(made));
}

void ddi_run::destroy_resource() {
  if (resources_.empty()) return;
  const auto at = in_.u8() % resources_.size();
  note(device_->destroy_resource(resources_[at]->names));
  resources_.erase(resources_.begin() + static_cast<std::ptrdiff_t>(at));
}

void ddi_run::lock() {
  D3DDDIARG_LOCK wanted{};
  wanted.hResource = any();
  wanted.SubResourceIndex = in_.u8() % 8;
  wanted.Flags.Value = in_.u16() & 0x3FFu & ~std::uint32_t{1u << 7};  // NotifyOnly carries nothing.
  wanted.Area = area();
  if (wanted.hResource == nullptr) return;
  const auto result = device_->lock(wanted);
  note(result);
  if (SUCCEEDED(result) && wanted.Flags.ReadOnly == 0 && wanted.pSurfData != nullptr)
    *static_cast<std::byte*>(wanted.pSurfData) = std::byte{in_.u8()};
  if (FAILED(result) || in_.u8() < 0x20) return;  // Now and then it stays locked.
  D3DDDIARG_UNLOCK ended{};
  ended.hResource = wanted.hResource;
  ended.SubResourceIndex = wanted.SubResourceIndex;
  note(device_->send<&table::pfnUnlock>(ended));
}

void ddi_run::unlock() {
  const auto handle = any();
  if (handle == nullptr) return;
  D3DDDIARG_UNLOCK ended{};
  ended.hResource = handle;
  ended.SubResourceIndex = in_.u8() % 4;
  note(device_->send<&table::pfnUnlock>(ended));
}

void ddi_run::set_state() {
  if (in_.u8() % 2 == 0) {
    const D3DDDIARG_RENDERSTATE wanted{static_cast<D3DDDIRENDERSTATETYPE>(number()), number()};
    return note(device_->send<&table::pfnSetRenderState>(wanted));
  }
  const D3DDDIARG_TEXTURESTAGESTATE wanted{in_.u8() < 0xF0 ? in_.u8() % 8u : number(),
                                           static_cast<D3DDDITEXTURESTAGESTATETYPE>(in_.u8() % 34),
                                           number()};
  note(device_->send<&table::pfnSetTextureStageState>(wanted));
}

void ddi_run::set_fixed_state() {
  switch (in_.u8() % 8) {
    case 0: {
      D3DDDIARG_SETTRANSFORM wanted{};
      wanted.TransformType = static_cast<D3DTRANSFORMSTATETYPE>(number());
      wanted.Matrix = filled<D3DMATRIX>();
      return note(device_->send<&table::pfnSetTransform>(wanted));
    }
    case 1: {
      D3DDDIARG_MULTIPLYTRANSFORM wanted{};
      wanted.TransformType = static_cast<D3DTRANSFORMSTATETYPE>(number());
      wanted.Matrix = filled<D3DMATRIX>();
      return note(device_->send<&table::pfnMultiplyTransform>(wanted));
    }
    case 2: return note(device_->send<&table::pfnSetMaterial>(filled<D3DDDIARG_SETMATERIAL>()));
    case 3: {
      const D3DDDIARG_CREATELIGHT wanted{number()};
      return note(device_->send<&table::pfnCreateLight>(wanted));
    }
    case 4: {
      const D3DDDIARG_DESTROYLIGHT wanted{number()};
      return note(device_->send<&table::pfnDestroyLight>(wanted));
    }
    case 5: {
      const D3DDDIARG_SETCLIPPLANE wanted{number(), {real(), real(), real(), real()}};
      return note(device_->send<&table::pfnSetClipPlane>(wanted));
    }
    default: {
      const D3DDDIARG_SETLIGHT wanted{number(), static_cast<D3DDDI_SETLIGHT_TYPE>(in_.u8() % 4)};
      auto light = filled<D3DDDI_LIGHT>();
      light.Type = static_cast<D3DLIGHTTYPE>(in_.u8() % 5);
      const auto* const properties = static_cast<const D3DDDI_LIGHT*>(&light);
      return note(device_->send<&table::pfnSetLight>(wanted, properties));
    }
  }
}

void ddi_run::set_binding() {
  const UINT stage = in_.u8() < 0xE0 ? in_.u8() % 4u : number();
  note(device_->call<&table::pfnSetTexture>(stage, any()));
}

void ddi_run::set_stream() {
  const UINT stream = in_.u8() < 0xE0 ? in_.u8() % 3u : number();
  switch (in_.u8() % 4) {
    case 0: {
      const D3DDDIARG_SETINDICES wanted{any(), in_.u8() % 2 == 0 ? 2u : 4u};
      return note(device_->send<&table::pfnSetIndices>(wanted));
    }
    case 1: {
      static constexpr std::array<UINT, 6> dividers{1,           0x4000'0002, 0x8000'0001,
                                                    0x4000'0003, 0x8000'0002, 0};
      const D3DDDIARG_SETSTREAMSOURCEFREQ wanted{stream, dividers[in_.u8() % dividers.size()]};
      return note(device_->send<&table::pfnSetStreamSourceFreq>(wanted));
    }
    default: {
      const D3DDDIARG_SETSTREAMSOURCE wanted{stream, any(), number(), small()};
      return note(device_->send<&table::pfnSetStreamSource>(wanted));
    }
  }
}

void ddi_run::set_targets() {
  switch (in_.u8() % 8) {
    case 0: {
      const D3DDDIARG_VIEWPORTINFO wanted{number(), number(), number(), number()};
      return note(device_->send<&table::pfnSetViewport>(wanted));
    }
    case 1: {
      const D3DDDIARG_ZRANGE wanted{real(), real()};
      return note(device_->send<&table::pfnSetZRange>(wanted));
    }
    case 2: return note(device_->send<&table::pfnSetScissorRect>(area()));
    case 3: {
      const D3DDDIARG_SETDEPTHSTENCIL wanted{any()};
      return note(device_->send<&table::pfnSetDepthStencil>(wanted));
    }
    default: {
      const D3DDDIARG_SETRENDERTARGET wanted{in_.u8() < 0xE0 ? in_.u8() % 4u : number(), any(),
                                             in_.u8() % 4u};
      return note(device_->send<&table::pfnSetRenderTarget>(wanted));
    }
  }
}

/// The runtime checks registers against the stage's; its arrays are as long as it says.
void ddi_run::set_constants() {
  const UINT first = in_.u8();
  const UINT count = std::min<UINT>(small(), 256 - first);
  std::vector<FLOAT> values(std::size_t{4} * count);
  for (FLOAT& value : values) value = real();
  const auto bytes = std::as_bytes(std::span{values});
  const auto words = std::span{reinterpret_cast<const INT*>(bytes.data()), values.size()};
  const D3DDDIARG_SETVERTEXSHADERCONST vertex{first, count};
  const D3DDDIARG_SETPIXELSHADERCONST pixel{first, count};
  switch (in_.u8() % 6) {
    case 0:
      return note(device_->send<&table::pfnSetVertexShaderConst>(
          vertex, static_cast<const void*>(values.data())));
    case 1:
      return note(device_->send<&table::pfnSetPixelShaderConst>(
          pixel, static_cast<const FLOAT*>(values.data())));
    case 2: return note(device_->send<&table::pfnSetVertexShaderConstI>(vertex, words.data()));
    case 3: return note(device_->send<&table::pfnSetPixelShaderConstI>(pixel, words.data()));
    case 4:
      return note(device_->send<&table::pfnSetVertexShaderConstB>(
          vertex, static_cast<const BOOL*>(words.data())));
    default:
      return note(device_->send<&table::pfnSetPixelShaderConstB>(
          pixel, static_cast<const BOOL*>(words.data())));
  }
}

void ddi_run::shaders() {
  const bool is_vertex = in_.u8() % 2 == 0;
  auto& known = is_vertex ? vertex_shaders_ : pixel_shaders_;
  const auto choice = in_.u8() % 4;
  if (choice == 0 && known.size() < most_objects) {
    std::vector<UINT> code;
    if (is_vertex)
      code.assign(vertex_program.begin(), vertex_program.end());
    else
      code.assign(pixel_program.begin(), pixel_program.end());
    // A damaged program is the application's; the runtime looks at few of its tokens.
    if (in_.u8() >= 0xC0) code[in_.u8() % code.size()] = in_.u32();
    const auto bytes = static_cast<UINT>(code.size() * sizeof(UINT));
    HANDLE handle = nullptr;
    HRESULT result = S_OK;
    if (is_vertex) {
      D3DDDIARG_CREATEVERTEXSHADERFUNC wanted{bytes, nullptr};
      result = device_->make<&table::pfnCreateVertexShaderFunc>(
          wanted, std::span<const UINT>{code}, &D3DDDIARG_CREATEVERTEXSHADERFUNC::ShaderHandle);
      handle = wanted.ShaderHandle;
    } else {
      D3DDDIARG_CREATEPIXELSHADER wanted{bytes, nullptr};
      result = device_->make<&table::pfnCreatePixelShader>(
          wanted, std::span<const UINT>{code}, &D3DDDIARG_CREATEPIXELSHADER::ShaderHandle);
      handle = wanted.ShaderHandle;
    }
    note(result);
    if (SUCCEEDED(result)) known.push_back(handle);
    return;
  }
  const auto shader = pick(in_, known);
  if (choice == 1 && shader != nullptr) {
    drop(known, shader);
    return note(is_vertex ? device_->call<&table::pfnDeleteVertexShaderFunc>(shader)
                          : device_->call<&table::pfnDeletePixelShader>(shader));
  }
  note(is_vertex ? device_->call<&table::pfnSetVertexShaderFunc>(shader)
                 : device_->call<&table::pfnSetPixelShader>(shader));
}

void ddi_run::declarations() {
  const auto choice = in_.u8() % 4;
  if (choice >= 2 && declarations_.size() < most_objects) {
    static constexpr std::array<D3DDDIVERTEXELEMENT, 6> usual{{
        {0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0},
        {0, 0, D3DDECLTYPE_FLOAT4, 0, D3DDECLUSAGE_POSITIONT, 0},
        {0, 16, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 0},
        {0, 20, D3DDECLTYPE_FLOAT2, 0, D3DDECLUSAGE_TEXCOORD, 0},
        {0, 12, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_NORMAL, 0},
        {1, 0, D3DDECLTYPE_FLOAT4, 0, D3DDECLUSAGE_TEXCOORD, 1},
    }};
    std::vector<D3DDDIVERTEXELEMENT> elements{usual[in_.u8() % 2]};
    for (int i = in_.u8() % 4; i > 0; --i) elements.push_back(usual[2 + in_.u8() % 4]);
    if (in_.u8() >= 0xC0) {
      auto& damaged = elements[in_.u8() % elements.size()];
      damaged.Offset = in_.u16();
      damaged.Type = in_.u8();
      damaged.Usage = in_.u8();
    }
    elements.push_back({0xFF, 0, D3DDECLTYPE_UNUSED, 0, 0, 0});
    D3DDDIARG_CREATEVERTEXSHADERDECL wanted{static_cast<UINT>(elements.size()), nullptr};
    const auto result = device_->make<&table::pfnCreateVertexShaderDecl>(
        wanted, std::span<const D3DDDIVERTEXELEMENT>{elements},
        &D3DDDIARG_CREATEVERTEXSHADERDECL::ShaderHandle);
    note(result);
    if (FAILED(result)) return;
    declarations_.push_back(wanted.ShaderHandle);
    return note(device_->call<&table::pfnSetVertexShaderDecl>(wanted.ShaderHandle));
  }
  const auto declaration = pick(in_, declarations_);
  if (choice == 0 && declaration != nullptr) {
    drop(declarations_, declaration);
    return note(device_->call<&table::pfnDeleteVertexShaderDecl>(declaration));
  }
  note(device_->call<&table::pfnSetVertexShaderDecl>(declaration));
}

void ddi_run::draw() {
  const auto type = static_cast<D3DPRIMITIVETYPE>(in_.u8() % 8);
  switch (in_.u8() % 4) {
    case 0: {
      const D3DDDIARG_DRAWPRIMITIVE2 wanted{type, number(), number()};
      return note(device_->send<&table::pfnDrawPrimitive2>(wanted));
    }
    case 1: {
      const D3DDDIARG_DRAWINDEXEDPRIMITIVE wanted{
          type, static_cast<INT>(number()), small(), small(), number(), number()};
      return note(device_->send<&table::pfnDrawIndexedPrimitive>(wanted));
    }
    default: {
      const D3DDDIARG_DRAWPRIMITIVE wanted{type, number(), number()};
      return note(device_->send<&table::pfnDrawPrimitive>(wanted, no_edge_flags));
    }
  }
}

/// Within memory that the application has: the driver takes its word for the length.
void ddi_run::draw_from_memory() {
  const auto type = static_cast<D3DPRIMITIVETYPE>(1 + in_.u8() % 6);
  const D3DDDIARG_SETSTREAMSOURCEUM stream{0, small()};
  const auto* const vertices = static_cast<const void*>(vertices_.data());
  note(device_->send<&table::pfnSetStreamSourceUm>(stream, vertices));
  if (in_.u8() % 2 == 0) {
    const D3DDDIARG_DRAWPRIMITIVE wanted{type, 0, small()};
    note(device_->send<&table::pfnDrawPrimitive>(wanted, no_edge_flags));
  } else {
    const UINT index_bytes = in_.u8() % 2 == 0 ? 2 : 4;
    const auto* const indices = static_cast<const void*>(indices_.data());
    note(device_->call<&table::pfnSetIndicesUm>(index_bytes, indices));
    const D3DDDIARG_DRAWINDEXEDPRIMITIVE wanted{type, 0, small(), 1 + small(), 0, small()};
    note(device_->send<&table::pfnDrawIndexedPrimitive>(wanted));
  }
  const D3DDDIARG_SETSTREAMSOURCE none{0, nullptr, 0, 0};
  note(device_->send<&table::pfnSetStreamSource>(none));
  const D3DDDIARG_SETINDICES no_indices{nullptr, 0};
  note(device_->send<&table::pfnSetIndices>(no_indices));
}

void ddi_run::draw_patch() {
  const std::array<FLOAT, 4> segments{real(), real(), real(), real()};
  const auto basis = static_cast<D3DBASISTYPE>(in_.u8() % 4);
  const auto degree = static_cast<D3DDEGREETYPE>(in_.u8() % 4 == 0 ? in_.u8() : 3);
  if (in_.u8() % 2 == 0) {
    const D3DDDIRECTPATCH_INFO info{
        small(), small(), in_.u8() % 2 == 0 ? 4 : small(), in_.u8() % 2 == 0 ? 4 : small(), small(),
        basis,   degree};
    const D3DDDIARG_DRAWRECTPATCH wanted{in_.u8() % 4u};
    return note(device_->send<&table::pfnDrawRectPatch>(
        wanted, in_.u8() % 8 == 0 ? nullptr : &info, static_cast<const FLOAT*>(segments.data())));
  }
  const D3DDDITRIPATCH_INFO info{small(), in_.u8() % 4 == 0 ? number() : 10, basis, degree};
  const D3DDDIARG_DRAWTRIPATCH wanted{in_.u8() % 4u};
  note(device_->send<&table::pfnDrawTriPatch>(wanted, in_.u8() % 8 == 0 ? nullptr : &info,
                                              static_cast<const FLOAT*>(segments.data())));
}

void ddi_run::clear() {
  const D3DDDIARG_CLEAR wanted{in_.u8() % 16u, in_.u32(), real(), in_.u8()};
  std::vector<RECT> areas(in_.u8() % 3);
  for (RECT& one : areas) one = area();
  note(device_->send<&table::pfnClear>(wanted, static_cast<UINT>(areas.size()),
                                       static_cast<const RECT*>(areas.data())));
}

void ddi_run::copy() {
  switch (in_.u8() % 4) {
    case 0: {
      const D3DDDIARG_BUFFERBLT wanted{any(), any(), number(), {number(), number()}};
      return note(device_->send<&table::pfnBufBlt>(wanted));
    }
    case 1: {
      const D3DDDIARG_TEXBLT wanted{any(),
                                    any(),
                                    in_.u8() % 7u,
                                    {static_cast<LONG>(small()), static_cast<LONG>(small())},
                                    area()};
      return note(device_->send<&table::pfnTexBlt>(wanted));
    }
    default: {
      D3DDDIARG_BLT wanted{};
      wanted.hSrcResource = any();
      wanted.SrcSubResourceIndex = in_.u8() % 4;
      wanted.SrcRect = area();
      wanted.hDstResource = any();
      wanted.DstSubResourceIndex = in_.u8() % 4;
      wanted.DstRect = area();
      wanted.Flags.Value = in_.u16() & 0x7FFu;
      return note(device_->send<&table::pfnBlt>(wanted));
    }
  }
}

void ddi_run::fill() {
  switch (in_.u8() % 3) {
    case 0: {
      D3DDDIARG_COLORFILL wanted{any(), in_.u8() % 4u, area(), in_.u32(), {}};
      wanted.Flags.Value = in_.u8() % 2;
      return note(device_->send<&table::pfnColorFill>(wanted));
    }
    case 1: {
      const D3DDDIARG_DEPTHFILL wanted{any(), in_.u8() % 4u, area(), in_.u32()};
      return note(device_->send<&table::pfnDepthFill>(wanted));
    }
    default: {
      const D3DDDIARG_GENERATEMIPSUBLEVELS wanted{
          any(), static_cast<D3DDDITEXTUREFILTERTYPE>(in_.u8() % 4)};
      return note(device_->send<&table::pfnGenerateMipSubLevels>(wanted));
    }
  }
}

void ddi_run::state_sets() {
  D3DDDIARG_STATESET wanted{};
  wanted.Operation = in_.u8() % 7;
  wanted.StateBlockType = static_cast<D3DSTATEBLOCKTYPE>(in_.u8() % 5);
  const bool makes =
      wanted.Operation == D3DHAL_STATESETBEGIN || wanted.Operation == D3DHAL_STATESETCREATE;
  if (makes && state_sets_.size() >= most_objects) return;
  if (!makes) wanted.hStateSet = pick(in_, state_sets_);
  if (!makes && wanted.hStateSet == nullptr && wanted.Operation != D3DHAL_STATESETEND) return;
  const auto result = device_->ask<&table::pfnStateSet>(wanted, &D3DDDIARG_STATESET::hStateSet);
  note(result);
  if (FAILED(result)) return;
  if (makes && wanted.hStateSet != nullptr) state_sets_.push_back(wanted.hStateSet);
  if (wanted.Operation == D3DHAL_STATESETDELETE) drop(state_sets_, wanted.hStateSet);
}

void ddi_run::queries() {
  const auto choice = in_.u8() % 4;
  if (choice == 0 && queries_.size() < most_objects) {
    HANDLE made = nullptr;
    const auto type = in_.u8() % 4 == 0 ? number() : UINT{D3DDDIQUERYTYPE_EVENT};
    const auto result = device_->create_query(static_cast<D3DDDIQUERYTYPE>(type), made);
    note(result);
    if (SUCCEEDED(result)) queries_.push_back(made);
    return;
  }
  const auto query = pick(in_, queries_);
  if (query == nullptr) return;
  switch (choice) {
    case 1: {
      drop(queries_, query);
      return note(device_->call<&table::pfnDestroyQuery>(query));
    }
    case 2: {
      D3DDDIARG_ISSUEQUERY wanted{query, {}};
      wanted.Flags.Value = in_.u8() % 4;
      return note(device_->send<&table::pfnIssueQuery>(wanted));
    }
    default: {
      std::uint64_t data = 0;
      const D3DDDIARG_GETQUERYDATA wanted{query, &data};
      return note(device_->send<&table::pfnGetQueryData>(wanted));
    }
  }
}

void ddi_run::present() {
  D3DDDIARG_PRESENT wanted{};
  wanted.hSrcResource = any();
  wanted.SrcSubResourceIndex = in_.u8() % 4;
  wanted.hDstResource = in_.u8() % 2 == 0 ? nullptr : any();
  wanted.Flags.Value = 1u << (in_.u8() % 4);
  wanted.FlipInterval = static_cast<D3DDDI_FLIPINTERVAL_TYPE>(in_.u8() % 5);
  if (wanted.Flags.Flip != 0) wanted.hDstResource = nullptr;
  sim::present_details details;
  details.color = in_.u32();
  details.may_wait = false;
  note(device_->present(wanted, details));
}

void ddi_run::others() {
  switch (in_.u8() % 10) {
    case 0: {
      D3DDDIARG_VALIDATETEXTURESTAGESTATE asked{};
      return note(device_->ask<&table::pfnValidateDevice>(
          asked, &D3DDDIARG_VALIDATETEXTURESTAGESTATE::NumPasses));
    }
    case 1: {
      const D3DDDIARG_SETPRIORITY wanted{any(), number()};
      return note(device_->send<&table::pfnSetPriority>(wanted));
    }
    case 2: {
      const D3DDDIARG_SETDISPLAYMODE wanted{any(), in_.u8() % 2u};
      return note(device_->send<&table::pfnSetDisplayMode>(wanted));
    }
    case 3: {
      const HANDLE list[]{any(), any()};
      const D3DDDIARG_QUERYRESOURCERESIDENCY wanted{list, in_.u8() % 3u};
      return note(device_->send<&table::pfnQueryResourceResidency>(wanted));
    }
    case 4: {
      D3DDDIARG_GETPITCH asked{nullptr, any(), in_.u8() % 8u, 0};
      return note(device_->ask<&table::pfnGetPitch>(asked, &D3DDDIARG_GETPITCH::Pitch));
    }
    case 5: {
      const D3DDDIARG_WINFO wanted{real(), real()};
      return note(device_->send<&table::pfnUpdateWInfo>(wanted));
    }
    case 6: {
      const D3DDDIARG_RESOLVESHAREDRESOURCE wanted{any()};
      return note(device_->send<&table::pfnResolveSharedResource>(wanted));
    }
    case 7: {
      const D3DDDIARG_CAPTURETOSYSMEM wanted{any(), area(), any(), in_.u8() % 8u, area()};
      return note(device_->send<&table::pfnCaptureToSysMem>(wanted));
    }
    case 8: {
      const std::vector<std::byte> room(in_.u8() % 64u);
      sim::lent_bytes answer{machine_.runtime.rules, room, "GetInfo's pDevInfoStruct"};
      const UINT id = in_.u8() % 2 == 0 ? 4u : number();  // D3DDEVINFOID_VCACHE
      note(device_->call<&table::pfnGetInfo>(id, answer.get(), static_cast<UINT>(room.size())));
      static_cast<void>(answer.take());
      return;
    }
    default: return note(device_->call<&table::pfnFlush>());
  }
}

void ddi_run::plan_fault() {
  static constexpr std::array<HRESULT, 4> failures{E_OUTOFMEMORY, D3DERR_DEVICEREMOVED,
                                                   D3DERR_OUTOFVIDEOMEMORY, E_FAIL};
  machine_.runtime.faults.fail(1 + in_.u8() % 6u, failures[in_.u8() % failures.size()]);
}

}  // namespace aerogpu::fuzz
