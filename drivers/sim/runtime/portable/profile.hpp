// SPDX-License-Identifier: MIT
/// \file Which shape of the DDI a runtime speaks, and what runtimes of the portable one (profile U)
/// differ in.
#pragma once

#include "drivers/win7/ddi/portable/portable_ddi.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace aerogpu::sim {

enum class ddi_profile : std::uint8_t { m, u };

/// U when AEROGPU_D3D9_OPENADAPTER_PROFILE says so, else M.
[[nodiscard]] auto profile_of_environment() -> ddi_profile;

/// A driver's exports of profile U; those that a runtime does not use may be missing.
struct portable_exports {
  d3d9ddi_u::PFND3DDDI_OPENADAPTER2 open_adapter2 = nullptr;
  d3d9ddi_u::PFND3DDDI_OPENADAPTERFROMHDC open_adapter_from_hdc = nullptr;
  d3d9ddi_u::PFND3DDDI_OPENADAPTERFROMLUID open_adapter_from_luid = nullptr;
};

enum class portable_opening : std::uint8_t { adapter2, hdc, luid };

/// Which submission callbacks there are; SubmitCommandCb has no members for new buffers.
struct portable_routes {
  bool has_render = true;
  bool has_present = true;
  bool has_present_bit = false;  ///< RenderCb takes a D3DDDICB_RENDERPRESENT.
  bool has_submit_command = false;
};

/// Where the buffers of a submission come from (umd-d3d9.md 4.3).
enum class portable_lending : std::uint8_t {
  rotating,   ///< The context's, others after each submission.
  kept,       ///< The context's, the same again.
  borrowed,   ///< GetCommandBufferCb's.
  allocated,  ///< AllocateCb's, given back once.
};

/// Which member of SubmitCommandCb's answer has the fence; RenderCb has SubmissionFenceId alone.
enum class portable_fence : std::uint8_t { id, value, pointer, fresh };

struct portable_variance {
  portable_opening opening = portable_opening::adapter2;
  portable_routes routes;
  portable_lending lending = portable_lending::rotating;
  /// pCommandBuffer lies in pDmaBuffer, and has no size of its own.
  bool lies_in_dma_buffer = false;
  bool has_patches = true;
  bool has_sync_object = false;
  bool has_create_context2 = true;
  std::uint32_t private_bytes = 16;
  portable_fence fence = portable_fence::id;
};

/// "RenderCb PresentCb, borrowed, in DMA buffer, no patches, sync object".
[[nodiscard]] auto describe(const portable_variance& how) -> std::string;
/// Every combination of callbacks, lending, DMA buffer, patch list and synchronisation object that
/// there can be. What is left rotates through them.
[[nodiscard]] auto each_portable_variance() -> std::vector<portable_variance>;
/// Few of them, with each choice at least once and each route with each lending.
[[nodiscard]] auto some_portable_variances() -> std::vector<portable_variance>;

}  // namespace aerogpu::sim
