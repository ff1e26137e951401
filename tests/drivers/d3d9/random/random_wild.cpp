// SPDX-License-Identifier: MIT
/// \file Calls that only a wild random program makes.
#include "tests/drivers/d3d9/random/random_program.hpp"

namespace aerogpu::test {

void random_program::make_anything() {
  auto& slot = surfaces_[choose_.below(static_cast<std::uint32_t>(surfaces_.size()))];
  d3d9_surface* made = nullptr;
  const UINT wide = any_or(16), high = any_or(16);
  const auto format = static_cast<D3DFORMAT>(any_or(D3DFMT_X8R8G8B8));
  // Much memory is not what is looked for.
  if (std::uint64_t{wide} * high > (1u << 20)) return;
  const auto samples = static_cast<D3DMULTISAMPLE_TYPE>(any_or(0));
  HRESULT result{};
  switch (choose_.below(4)) {
    case 0:
      result =
          device_.CreateRenderTarget(wide, high, format, samples, any_or(0), 1, &made, nullptr);
      break;
    case 1:
      result = device_.CreateDepthStencilSurface(wide, high,
                                                 static_cast<D3DFORMAT>(any_or(D3DFMT_D24S8)),
                                                 samples, any_or(0), 0, &made, nullptr);
      break;
    case 2:
      result = device_.CreateOffscreenPlainSurface(
          wide, high, format, static_cast<D3DPOOL>(any_or(D3DPOOL_SYSTEMMEM)), &made, nullptr);
      break;
    default: {
      d3d9_query* query = nullptr;
      result = device_.CreateQuery(static_cast<D3DQUERYTYPE>(any_or(D3DQUERYTYPE_EVENT)), &query);
      if (result >= 0)
        queries_[choose_.below(static_cast<std::uint32_t>(queries_.size()))].reset(query);
    }
  }
  note(result);
  if (made != nullptr) slot.reset(made);
}

void random_program::lock_anything() {
  const auto inside = area();
  const RECT* const part = choose_.one_in(2) ? nullptr : &inside;
  D3DLOCKED_RECT locked{};
  if (auto* const surface = some(surfaces_)) {
    note(surface->LockRect(&locked, part, any_or(0)));
    if (!choose_.one_in(4)) note(surface->UnlockRect());
    auto* const other = some(surfaces_);
    if (other != nullptr && choose_.one_in(2))
      note(device_.UpdateSurface(surface, part, other, nullptr));
    if (choose_.one_in(3)) note(device_.GetRenderTargetData(back_buffer_.get(), surface));
    if (choose_.one_in(3)) note(device_.SetDepthStencilSurface(surface));
    if (choose_.one_in(3))
      note(device_.StretchRect(surface, part, back_buffer_.get(), nullptr,
                               static_cast<D3DTEXTUREFILTERTYPE>(any_or(1))));
  }
  if (auto* const texture = some(textures_)) {
    const UINT level = any_or(0);
    note(texture->LockRect(level, &locked, part, any_or(0)));
    if (!choose_.one_in(4)) note(texture->UnlockRect(level));
    note(texture->AddDirtyRect(part));
    if (choose_.one_in(2)) texture->SetLOD(any_or(1));
    auto* const other = some(textures_);
    if (other != nullptr) note(device_.UpdateTexture(texture, other));
    texture->GenerateMipSubLevels();
  }
  if (auto* const vertices = some(vertices_)) {
    void* bytes = nullptr;
    note(vertices->Lock(any_or(16), any_or(64), &bytes, any_or(D3DLOCK_NOOVERWRITE)));
    if (!choose_.one_in(4)) note(vertices->Unlock());
  }
}

void random_program::ask_anything() {
  if (auto* const query = some(queries_)) {
    note(query->Issue(any_or(D3DISSUE_END)));
    std::array<std::byte, 64> answer{};
    note(query->GetData(answer.data(), any_or(4) % answer.size(), any_or(D3DGETDATA_FLUSH)));
  }
  DWORD value = 0;
  note(device_.GetRenderState(static_cast<D3DRENDERSTATETYPE>(any_or(7)), &value));
  note(device_.GetTextureStageState(any_or(0), static_cast<D3DTEXTURESTAGESTATETYPE>(any_or(1)),
                                    &value));
  note(device_.GetSamplerState(any_or(0), static_cast<D3DSAMPLERSTATETYPE>(any_or(1)), &value));
  D3DMATRIX matrix{};
  note(device_.GetTransform(static_cast<D3DTRANSFORMSTATETYPE>(any_or(2)), &matrix));
  std::array<float, 16> constants{};
  note(device_.SetVertexShaderConstantF(any_or(3), constants.data(), any_or(1) % 5));
  note(device_.GetPixelShaderConstantF(any_or(3), constants.data(), any_or(1) % 5));
  note(device_.SetStreamSourceFreq(any_or(0), any_or(1)));
  note(device_.SetClipPlane(any_or(0), constants.data()));
  note(device_.ValidateDevice(&value));
  if (choose_.one_in(4)) note(device_.EvictManagedResources());
}

void random_program::present_anything() {
  const auto from = area();
  if (!choose_.one_in(8)) {
    note(device_.PresentEx(choose_.one_in(2) ? &from : nullptr, nullptr, nullptr, nullptr,
                           any_or(D3DPRESENT_DONOTWAIT)));
    return;
  }
  if (is_recording_) return;
  auto wanted = parameters(window_);
  wanted.BackBufferFormat = static_cast<D3DFORMAT>(any_or(D3DFMT_X8R8G8B8));
  wanted.BackBufferCount = any_or(1);
  wanted.SwapEffect = static_cast<D3DSWAPEFFECT>(any_or(D3DSWAPEFFECT_DISCARD));
  back_buffer_.reset();
  note(device_.ResetEx(&wanted, nullptr));
  d3d9_surface* target = nullptr;
  if (device_.GetRenderTarget(0, &target) >= 0) back_buffer_.reset(target);
}

}  // namespace aerogpu::test
