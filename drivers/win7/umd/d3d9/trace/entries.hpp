// SPDX-License-Identifier: MIT
/// \file Every entry point that the tracer knows: its number and its name (umd-d3d9.md 5.2).
///
/// Numbers never change. The portable list is complete; what comes one day goes to the end of all.
#pragma once

#include "drivers/win7/ddi/portable/entries.hpp"
#include "drivers/win7/ddi/user/d3dumddi_entries.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace aerogpu::umd::trace {

enum class entry_id : std::uint32_t {};

inline constexpr std::string_view portable_names[] = {
    "OpenAdapter",
    "OpenAdapter2",
    "OpenAdapterFromHdc",
    "OpenAdapterFromLuid",
    "Adapter::CloseAdapter",
    "Adapter::GetCaps",
    "Adapter::QueryAdapterInfo",
    "Adapter::CreateDevice",
    "Device::DestroyDevice",
    "Device::CreateResource",
    "Device::OpenResource",
    "Device::OpenResource2",
    "Device::DestroyResource",
    "Device::CreateSwapChain",
    "Device::DestroySwapChain",
    "Device::GetSwapChain",
    "Device::SetSwapChain",
    "Device::Reset",
    "Device::ResetEx",
    "Device::CheckDeviceState",
    "Device::RotateResourceIdentities",
    "Device::Lock",
    "Device::Unlock",
    "Device::GetRenderTargetData",
    "Device::CopyRects",
    "Device::SetRenderTarget",
    "Device::SetDepthStencil",
    "Device::SetViewport",
    "Device::SetScissorRect",
    "Device::SetTexture",
    "Device::SetSamplerState",
    "Device::SetRenderState",
    "Device::CreateVertexDecl",
    "Device::SetVertexDecl",
    "Device::DestroyVertexDecl",
    "Device::CreateShader",
    "Device::SetShader",
    "Device::DestroyShader",
    "Device::SetShaderConstF",
    "Device::Blt",
    "Device::ColorFill",
    "Device::UpdateSurface",
    "Device::UpdateTexture",
    "Device::SetStreamSource",
    "Device::SetIndices",
    "Device::Clear",
    "Device::DrawPrimitive",
    "Device::DrawIndexedPrimitive",
    "Device::Present",
    "Device::PresentEx",
    "Device::SetMaximumFrameLatency",
    "Device::GetMaximumFrameLatency",
    "Device::GetPresentStats",
    "Device::GetLastPresentCount",
    "Device::Flush",
    "Device::WaitForVBlank",
    "Device::SetGPUThreadPriority",
    "Device::GetGPUThreadPriority",
    "Device::CheckResourceResidency",
    "Device::QueryResourceResidency",
    "Device::GetDisplayModeEx",
    "Device::ComposeRects",
    "Device::CreateQuery",
    "Device::DestroyQuery",
    "Device::IssueQuery",
    "Device::GetQueryData",
    "Device::WaitForIdle",
    "Device::SetFVF",
    "Device::DrawPrimitiveUP",
    "Device::SetTextureStageState",
    "Device::SetTransform",
    "Device::MultiplyTransform",
    "Device::SetClipPlane",
    "Device::SetShaderConstI",
    "Device::SetShaderConstB",
    "Device::SetMaterial",
    "Device::SetLight",
    "Device::LightEnable",
    "Device::SetNPatchMode",
    "Device::SetStreamSourceFreq",
    "Device::SetGammaRamp",
    "Device::CreateStateBlock",
    "Device::DeleteStateBlock",
    "Device::CaptureStateBlock",
    "Device::ApplyStateBlock",
    "Device::ValidateDevice",
    "Device::SetSoftwareVertexProcessing",
    "Device::SetCursorProperties",
    "Device::SetCursorPosition",
    "Device::ShowCursor",
    "Device::SetPaletteEntries",
    "Device::SetCurrentTexturePalette",
    "Device::SetClipStatus",
    "Device::GetClipStatus",
    "Device::GetGammaRamp",
    "Device::DrawRectPatch",
    "Device::DrawTriPatch",
    "Device::DeletePatch",
    "Device::ProcessVertices",
    "Device::GetRasterStatus",
    "Device::SetDialogBoxMode",
    "Device::DrawIndexedPrimitiveUP",
    "Device::GetSoftwareVertexProcessing",
    "Device::GetTransform",
    "Device::GetClipPlane",
    "Device::GetViewport",
    "Device::GetScissorRect",
    "Device::BeginStateBlock",
    "Device::EndStateBlock",
    "Device::GetMaterial",
    "Device::GetLight",
    "Device::GetLightEnable",
    "Device::GetRenderTarget",
    "Device::GetDepthStencil",
    "Device::GetTexture",
    "Device::GetTextureStageState",
    "Device::GetSamplerState",
    "Device::GetRenderState",
    "Device::GetPaletteEntries",
    "Device::GetCurrentTexturePalette",
    "Device::GetNPatchMode",
    "Device::GetFVF",
    "Device::GetVertexDecl",
    "Device::GetStreamSource",
    "Device::GetStreamSourceFreq",
    "Device::GetIndices",
    "Device::GetShader",
    "Device::GetShaderConstF",
    "Device::GetShaderConstI",
    "Device::GetShaderConstB",
    "Device::SetConvolutionMonoKernel",
    "Device::SetAutoGenFilterType",
    "Device::GetAutoGenFilterType",
    "Device::GenerateMipSubLevels",
    "Device::SetPriority",
    "Device::GetPriority",
    "Device::BeginScene",
    "Device::EndScene",
    "Device::DrawPrimitive2",
    "Device::DrawIndexedPrimitive2",
};

/// Two entries that nobody has, for tests of what a stub's name does.
inline constexpr std::string_view test_stub_names[] = {
    "Trace::TestStub (stub)",
    "Trace::TestStub2 (stub)",
};

inline constexpr std::size_t first_m_adapter =
    std::size(portable_names) + std::size(test_stub_names);
inline constexpr std::size_t first_m_device = first_m_adapter + std::size(ddi::adapter_entries);
inline constexpr std::size_t entry_count = first_m_device + std::size(ddi::device_entries);

namespace detail {

/// The portable tables' entries, the two of tests, and those of profile M as their rows stand.
consteval auto make_names() -> std::array<std::string_view, entry_count> {
  std::array<std::string_view, entry_count> names;
  std::size_t at = 0;
  for (const std::string_view name : portable_names) names[at++] = name;
  for (const std::string_view name : test_stub_names) names[at++] = name;
  for (const ddi::entry_row& row : ddi::adapter_entries) names[at++] = row.trace_name;
  for (const ddi::entry_row& row : ddi::device_entries) names[at++] = row.trace_name;
  return names;
}

/// No constant: a name that is not in the list does not compile.
inline void name_is_not_listed() {}

}  // namespace detail

inline constexpr std::array<std::string_view, entry_count> entry_names = detail::make_names();

/// The number of a name of the list.
consteval auto id_of(std::string_view name) -> entry_id {
  for (std::uint32_t i = 0; i < entry_count; ++i) {
    if (entry_names[i] == name) return entry_id{i};
  }
  detail::name_is_not_listed();
  return entry_id{};
}
consteval auto id_of(const ddi::entry_row& row) -> entry_id {
  return id_of(std::string_view{row.trace_name});
}

[[nodiscard]] constexpr auto name_of(entry_id id) noexcept -> std::string_view {
  const auto index = static_cast<std::size_t>(id);
  return index < entry_count ? entry_names[index] : "Unknown";
}

}  // namespace aerogpu::umd::trace
