// SPDX-License-Identifier: MIT
/// \file The device of the API. Its methods lie with the part that they belong to.
#pragma once

#include "drivers/sim/runtime/d3d9/d3d9_device.hpp"
#include "drivers/wine/d3d9/api/device.hpp"
#include "drivers/wine/d3d9/api/flags.hpp"
#include "drivers/wine/d3d9/com/caught.hpp"
#include "drivers/wine/d3d9/com/object.hpp"
#include "drivers/wine/d3d9/state/renewable.hpp"
#include "drivers/wine/d3d9/window/window_system.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace aerogpu::d3d9 {

class direct3d;
class device_chains;
class device_resources;
class device_states;

/// What CreateDevice was asked for.
struct device_request {
  D3DDEVTYPE type = D3DDEVTYPE_HAL;
  HWND focus = nullptr;
  DWORD flags = 0;  ///< D3DCREATE_
  bool is_ex = false;
};

class device final : public com_object<device, IDirect3DDevice9Ex>, private full_screen_listener {
 public:
  device(direct3d& of, const device_request& wanted);

  /// CreateDevice's work; `parameters` gets what was chosen.
  [[nodiscard]] auto create(D3DPRESENT_PARAMETERS& parameters) -> HRESULT;
  [[nodiscard]] auto answers(const iid& wanted) const noexcept -> bool;

  /// What every method does around its work: the lock, without D3DCREATE_MULTITHREADED too since a
  /// thread of the runtime shows pictures, and no exception leaves.
  template <class Work>
  [[nodiscard]] auto run(Work&& work) noexcept -> HRESULT {
    const std::lock_guard hold{mutex_};
    return caught(std::forward<Work>(work));
  }
  /// The same where no other thread is at it; else nothing.
  template <class Work>
  [[nodiscard]] auto run_if_free(Work&& work) noexcept -> std::optional<HRESULT> {
    const std::unique_lock hold{mutex_, std::try_to_lock};
    if (!hold) return std::nullopt;
    return caught(std::forward<Work>(work));
  }

  /// `run` of a draw or a clear: on a lost device that is not Ex it does nothing, and succeeds.
  template <class Work>
  [[nodiscard]] auto run_drawing(Work&& work) noexcept -> HRESULT {
    return run([&] { return after_drawing(std::forward<Work>(work)()); });
  }

  /// Only Reset, TestCooperativeLevel and Release work. Never so with Ex.
  [[nodiscard]] auto needs_reset() const noexcept -> bool {
    return condition_ != device_condition::working;
  }
  [[nodiscard]] auto is_lost() const noexcept -> bool {
    return condition_ == device_condition::lost;
  }
  /// Full-screen: whether the program is in front. Else true.
  [[nodiscard]] auto is_in_front() const noexcept -> bool { return is_in_front_; }
  /// Full-screen, the display is the device's as long as the program is in front; one that is not
  /// Ex takes it again in its Reset alone. False: it is not the device's.
  [[nodiscard]] auto follow_front() -> bool;
  /// Full-screen in another mode than its own. Direct3D 9Ex sees that when it presents.
  [[nodiscard]] auto has_other_mode() -> bool;
  void note_other_mode() noexcept { has_seen_other_mode_ = true; }
  /// Calls the driver until it no longer says that the device still draws, which it does after two
  /// seconds (umd-d3d9.md 4.8): the API's calls wait for as long as that takes. At most a minute,
  /// and not for a lost device; one that is known to be lost is not asked.
  template <class Call>
  [[nodiscard]] auto wait_for(Call&& call, bool may_wait = true) -> HRESULT {
    if (has_lost_driver_) return D3DERR_DEVICELOST;
    const int most_rounds = may_wait ? 30 : 1;
    auto result = call();
    for (int round = 1; result == D3DERR_WASSTILLDRAWING && round < most_rounds; ++round) {
      if (FAILED(below.check_device_state())) break;
      result = call();
    }
    return result;
  }
  /// Only another device of the driver helps. Never so with Ex.
  [[nodiscard]] auto has_lost_driver() const noexcept -> bool { return has_lost_driver_; }
  /// Whether the call failed because the driver's device is lost, of which programs that are not
  /// Ex hear by presents (umd-d3d9.md 6.5).
  [[nodiscard]] auto hides_loss(HRESULT result) -> bool;
  /// Of a copy into video memory: on a lost device that is not Ex it does nothing, and succeeds.
  [[nodiscard]] auto copied(HRESULT result) -> HRESULT {
    return hides_loss(result) ? S_OK : on_failure(result);
  }
  /// What the API says of a failure of the kernel or the driver, which may be the device's end.
  [[nodiscard]] auto on_failure(HRESULT failure) -> HRESULT;
  /// Of a call that may have submitted: without video memory the driver's device ends
  /// (umd-d3d9.md 2.17), which is all that programs of Direct3D 9 hear.
  [[nodiscard]] auto submitted(HRESULT result) const noexcept -> HRESULT {
    return result == D3DERR_OUTOFVIDEOMEMORY && !request.is_ex ? D3DERR_DEVICELOST : result;
  }

  // --- root/device_life.cpp ---
  HRESULT APIENTRY TestCooperativeLevel() override;
  UINT APIENTRY GetAvailableTextureMem() override;
  HRESULT APIENTRY GetDirect3D(IDirect3D9Ex** direct3d) override;
  HRESULT APIENTRY GetDeviceCaps(D3DCAPS9* caps) override;
  HRESULT APIENTRY GetDisplayMode(UINT chain, D3DDISPLAYMODE* mode) override;
  HRESULT APIENTRY GetDisplayModeEx(UINT chain, D3DDISPLAYMODEEX* mode,
                                    D3DDISPLAYROTATION* rotation) override;
  HRESULT APIENTRY GetCreationParameters(D3DDEVICE_CREATION_PARAMETERS* parameters) override;
  HRESULT APIENTRY Reset(D3DPRESENT_PARAMETERS* parameters) override;
  HRESULT APIENTRY ResetEx(D3DPRESENT_PARAMETERS* parameters, D3DDISPLAYMODEEX* mode) override;
  HRESULT APIENTRY CheckDeviceState(HWND window) override;
  HRESULT APIENTRY SetDialogBoxMode(BOOL is_enabled) override;

  // --- chain/device_chains.cpp ---
  HRESULT APIENTRY CreateAdditionalSwapChain(D3DPRESENT_PARAMETERS* parameters,
                                             IDirect3DSwapChain9Ex** chain) override;
  HRESULT APIENTRY GetSwapChain(UINT index, IDirect3DSwapChain9Ex** chain) override;
  UINT APIENTRY GetNumberOfSwapChains() override;
  HRESULT APIENTRY Present(const RECT* source, const RECT* destination, HWND window,
                           const _RGNDATA* dirty) override;
  HRESULT APIENTRY PresentEx(const RECT* source, const RECT* destination, HWND window,
                             const _RGNDATA* dirty, DWORD flags) override;
  HRESULT APIENTRY GetBackBuffer(UINT chain, UINT index, D3DBACKBUFFER_TYPE type,
                                 IDirect3DSurface9** buffer) override;
  HRESULT APIENTRY GetRasterStatus(UINT chain, D3DRASTER_STATUS* status) override;
  HRESULT APIENTRY GetFrontBufferData(UINT chain, IDirect3DSurface9* destination) override;
  void APIENTRY SetGammaRamp(UINT chain, DWORD flags, const D3DGAMMARAMP* ramp) override;
  void APIENTRY GetGammaRamp(UINT chain, D3DGAMMARAMP* ramp) override;
  HRESULT APIENTRY SetCursorProperties(UINT x, UINT y, IDirect3DSurface9* bitmap) override;
  void APIENTRY SetCursorPosition(int x, int y, DWORD flags) override;
  BOOL APIENTRY ShowCursor(BOOL is_shown) override;
  HRESULT APIENTRY WaitForVBlank(UINT chain) override;
  HRESULT APIENTRY SetMaximumFrameLatency(UINT frames) override;
  HRESULT APIENTRY GetMaximumFrameLatency(UINT* frames) override;
  HRESULT APIENTRY GetGPUThreadPriority(INT* priority) override;
  HRESULT APIENTRY SetGPUThreadPriority(INT priority) override;

  // --- resource/device_resources.cpp ---
  HRESULT APIENTRY EvictManagedResources() override;
  HRESULT APIENTRY CreateTexture(UINT width, UINT height, UINT levels, DWORD usage,
                                 D3DFORMAT format, D3DPOOL pool, IDirect3DTexture9** made,
                                 HANDLE* share) override;
  HRESULT APIENTRY CreateVolumeTexture(UINT width, UINT height, UINT depth, UINT levels,
                                       DWORD usage, D3DFORMAT format, D3DPOOL pool,
                                       IDirect3DVolumeTexture9** made, HANDLE* share) override;
  HRESULT APIENTRY CreateCubeTexture(UINT edge, UINT levels, DWORD usage, D3DFORMAT format,
                                     D3DPOOL pool, IDirect3DCubeTexture9** made,
                                     HANDLE* share) override;
  HRESULT APIENTRY CreateVertexBuffer(UINT bytes, DWORD usage, DWORD fvf, D3DPOOL pool,
                                      IDirect3DVertexBuffer9** made, HANDLE* share) override;
  HRESULT APIENTRY CreateIndexBuffer(UINT bytes, DWORD usage, D3DFORMAT format, D3DPOOL pool,
                                     IDirect3DIndexBuffer9** made, HANDLE* share) override;
  HRESULT APIENTRY CreateRenderTarget(UINT width, UINT height, D3DFORMAT format,
                                      D3DMULTISAMPLE_TYPE samples, DWORD quality, BOOL is_lockable,
                                      IDirect3DSurface9** made, HANDLE* share) override;
  HRESULT APIENTRY CreateRenderTargetEx(UINT width, UINT height, D3DFORMAT format,
                                        D3DMULTISAMPLE_TYPE samples, DWORD quality,
                                        BOOL is_lockable, IDirect3DSurface9** made, HANDLE* share,
                                        DWORD usage) override;
  HRESULT APIENTRY CreateDepthStencilSurface(UINT width, UINT height, D3DFORMAT format,
                                             D3DMULTISAMPLE_TYPE samples, DWORD quality,
                                             BOOL is_discardable, IDirect3DSurface9** made,
                                             HANDLE* share) override;
  HRESULT APIENTRY CreateDepthStencilSurfaceEx(UINT width, UINT height, D3DFORMAT format,
                                               D3DMULTISAMPLE_TYPE samples, DWORD quality,
                                               BOOL is_discardable, IDirect3DSurface9** made,
                                               HANDLE* share, DWORD usage) override;
  HRESULT APIENTRY CreateOffscreenPlainSurface(UINT width, UINT height, D3DFORMAT format,
                                               D3DPOOL pool, IDirect3DSurface9** made,
                                               HANDLE* share) override;
  HRESULT APIENTRY CreateOffscreenPlainSurfaceEx(UINT width, UINT height, D3DFORMAT format,
                                                 D3DPOOL pool, IDirect3DSurface9** made,
                                                 HANDLE* share, DWORD usage) override;
  HRESULT APIENTRY CheckResourceResidency(IDirect3DResource9** asked, std::uint32_t count) override;

  // --- resource/device_copies.cpp ---
  HRESULT APIENTRY UpdateSurface(IDirect3DSurface9* source, const RECT* area,
                                 IDirect3DSurface9* destination, const POINT* point) override;
  HRESULT APIENTRY UpdateTexture(IDirect3DBaseTexture9* source,
                                 IDirect3DBaseTexture9* destination) override;
  HRESULT APIENTRY GetRenderTargetData(IDirect3DSurface9* source,
                                       IDirect3DSurface9* destination) override;
  HRESULT APIENTRY StretchRect(IDirect3DSurface9* source, const RECT* source_area,
                               IDirect3DSurface9* destination, const RECT* destination_area,
                               D3DTEXTUREFILTERTYPE filter) override;
  HRESULT APIENTRY ColorFill(IDirect3DSurface9* given, const RECT* area, D3DCOLOR color) override;
  HRESULT APIENTRY ComposeRects(IDirect3DSurface9* source, IDirect3DSurface9* destination,
                                IDirect3DVertexBuffer9* source_areas, UINT count,
                                IDirect3DVertexBuffer9* destination_areas,
                                D3DCOMPOSERECTSOP operation, INT x, INT y) override;
  HRESULT APIENTRY SetConvolutionMonoKernel(UINT width, UINT height, float* rows,
                                            float* columns) override;

  // --- state/device_targets.cpp ---
  HRESULT APIENTRY SetRenderTarget(DWORD index, IDirect3DSurface9* given) override;
  HRESULT APIENTRY GetRenderTarget(DWORD index, IDirect3DSurface9** found) override;
  HRESULT APIENTRY SetDepthStencilSurface(IDirect3DSurface9* given) override;
  HRESULT APIENTRY GetDepthStencilSurface(IDirect3DSurface9** found) override;
  HRESULT APIENTRY BeginScene() override;
  HRESULT APIENTRY EndScene() override;
  HRESULT APIENTRY Clear(DWORD count, const D3DRECT* areas, DWORD flags, D3DCOLOR color,
                         float depth, DWORD stencil) override;
  HRESULT APIENTRY SetViewport(const D3DVIEWPORT9* viewport) override;
  HRESULT APIENTRY GetViewport(D3DVIEWPORT9* viewport) override;
  HRESULT APIENTRY SetScissorRect(const RECT* area) override;
  HRESULT APIENTRY GetScissorRect(RECT* area) override;

  // --- state/device_states.cpp ---
  HRESULT APIENTRY SetTransform(D3DTRANSFORMSTATETYPE which, const D3DMATRIX* matrix) override;
  HRESULT APIENTRY GetTransform(D3DTRANSFORMSTATETYPE which, D3DMATRIX* matrix) override;
  HRESULT APIENTRY MultiplyTransform(D3DTRANSFORMSTATETYPE which, const D3DMATRIX* matrix) override;
  HRESULT APIENTRY SetMaterial(const D3DMATERIAL9* material) override;
  HRESULT APIENTRY GetMaterial(D3DMATERIAL9* material) override;
  HRESULT APIENTRY SetLight(DWORD index, const D3DLIGHT9* light) override;
  HRESULT APIENTRY GetLight(DWORD index, D3DLIGHT9* light) override;
  HRESULT APIENTRY LightEnable(DWORD index, BOOL is_enabled) override;
  HRESULT APIENTRY GetLightEnable(DWORD index, BOOL* is_enabled) override;
  HRESULT APIENTRY SetClipPlane(DWORD index, const float* plane) override;
  HRESULT APIENTRY GetClipPlane(DWORD index, float* plane) override;
  HRESULT APIENTRY SetRenderState(D3DRENDERSTATETYPE state, DWORD value) override;
  HRESULT APIENTRY GetRenderState(D3DRENDERSTATETYPE state, DWORD* value) override;
  HRESULT APIENTRY SetClipStatus(const D3DCLIPSTATUS9* status) override;
  HRESULT APIENTRY GetClipStatus(D3DCLIPSTATUS9* status) override;
  HRESULT APIENTRY GetTexture(DWORD stage, IDirect3DBaseTexture9** texture) override;
  HRESULT APIENTRY SetTexture(DWORD stage, IDirect3DBaseTexture9* given) override;
  HRESULT APIENTRY GetTextureStageState(DWORD stage, D3DTEXTURESTAGESTATETYPE state,
                                        DWORD* value) override;
  HRESULT APIENTRY SetTextureStageState(DWORD stage, D3DTEXTURESTAGESTATETYPE state,
                                        DWORD value) override;
  HRESULT APIENTRY GetSamplerState(DWORD sampler, D3DSAMPLERSTATETYPE state, DWORD* value) override;
  HRESULT APIENTRY SetSamplerState(DWORD sampler, D3DSAMPLERSTATETYPE state, DWORD value) override;
  HRESULT APIENTRY ValidateDevice(DWORD* passes) override;
  HRESULT APIENTRY SetPaletteEntries(UINT palette, const PALETTEENTRY* entries) override;
  HRESULT APIENTRY GetPaletteEntries(UINT palette, PALETTEENTRY* entries) override;
  HRESULT APIENTRY SetCurrentTexturePalette(UINT palette) override;
  HRESULT APIENTRY GetCurrentTexturePalette(UINT* palette) override;
  HRESULT APIENTRY SetSoftwareVertexProcessing(BOOL is_software) override;
  BOOL APIENTRY GetSoftwareVertexProcessing() override;
  HRESULT APIENTRY SetNPatchMode(float segments) override;
  float APIENTRY GetNPatchMode() override;

  // --- state/device_blocks.cpp ---
  HRESULT APIENTRY CreateStateBlock(D3DSTATEBLOCKTYPE type, IDirect3DStateBlock9** block) override;
  HRESULT APIENTRY BeginStateBlock() override;
  HRESULT APIENTRY EndStateBlock(IDirect3DStateBlock9** block) override;

  // --- state/device_shaders.cpp ---
  HRESULT APIENTRY CreateVertexDeclaration(const D3DVERTEXELEMENT9* elements,
                                           IDirect3DVertexDeclaration9** declaration) override;
  HRESULT APIENTRY SetVertexDeclaration(IDirect3DVertexDeclaration9* declaration) override;
  HRESULT APIENTRY GetVertexDeclaration(IDirect3DVertexDeclaration9** declaration) override;
  HRESULT APIENTRY SetFVF(DWORD fvf) override;
  HRESULT APIENTRY GetFVF(DWORD* fvf) override;
  HRESULT APIENTRY CreateVertexShader(const DWORD* code, IDirect3DVertexShader9** made) override;
  HRESULT APIENTRY SetVertexShader(IDirect3DVertexShader9* given) override;
  HRESULT APIENTRY GetVertexShader(IDirect3DVertexShader9** found) override;
  HRESULT APIENTRY SetVertexShaderConstantF(UINT first, const float* data, UINT count) override;
  HRESULT APIENTRY GetVertexShaderConstantF(UINT first, float* data, UINT count) override;
  HRESULT APIENTRY SetVertexShaderConstantI(UINT first, const int* data, UINT count) override;
  HRESULT APIENTRY GetVertexShaderConstantI(UINT first, int* data, UINT count) override;
  HRESULT APIENTRY SetVertexShaderConstantB(UINT first, const BOOL* data, UINT count) override;
  HRESULT APIENTRY GetVertexShaderConstantB(UINT first, BOOL* data, UINT count) override;
  HRESULT APIENTRY CreatePixelShader(const DWORD* code, IDirect3DPixelShader9** made) override;
  HRESULT APIENTRY SetPixelShader(IDirect3DPixelShader9* given) override;
  HRESULT APIENTRY GetPixelShader(IDirect3DPixelShader9** found) override;
  HRESULT APIENTRY SetPixelShaderConstantF(UINT first, const float* data, UINT count) override;
  HRESULT APIENTRY GetPixelShaderConstantF(UINT first, float* data, UINT count) override;
  HRESULT APIENTRY SetPixelShaderConstantI(UINT first, const int* data, UINT count) override;
  HRESULT APIENTRY GetPixelShaderConstantI(UINT first, int* data, UINT count) override;
  HRESULT APIENTRY SetPixelShaderConstantB(UINT first, const BOOL* data, UINT count) override;
  HRESULT APIENTRY GetPixelShaderConstantB(UINT first, BOOL* data, UINT count) override;

  // --- state/device_draws.cpp ---
  HRESULT APIENTRY SetStreamSource(UINT stream, IDirect3DVertexBuffer9* buffer, UINT offset,
                                   UINT stride) override;
  HRESULT APIENTRY GetStreamSource(UINT stream, IDirect3DVertexBuffer9** buffer, UINT* offset,
                                   UINT* stride) override;
  HRESULT APIENTRY SetStreamSourceFreq(UINT stream, UINT setting) override;
  HRESULT APIENTRY GetStreamSourceFreq(UINT stream, UINT* setting) override;
  HRESULT APIENTRY SetIndices(IDirect3DIndexBuffer9* buffer) override;
  HRESULT APIENTRY GetIndices(IDirect3DIndexBuffer9** buffer) override;
  HRESULT APIENTRY DrawPrimitive(D3DPRIMITIVETYPE type, UINT first_vertex, UINT count) override;
  HRESULT APIENTRY DrawIndexedPrimitive(D3DPRIMITIVETYPE type, INT base_vertex, UINT least_index,
                                        UINT vertices, UINT first_index, UINT count) override;
  HRESULT APIENTRY DrawPrimitiveUP(D3DPRIMITIVETYPE type, UINT count, const void* vertices,
                                   UINT stride) override;
  HRESULT APIENTRY DrawIndexedPrimitiveUP(D3DPRIMITIVETYPE type, UINT least_index,
                                          UINT vertex_count, UINT count, const void* indices,
                                          D3DFORMAT format, const void* vertices,
                                          UINT stride) override;
  HRESULT APIENTRY ProcessVertices(UINT first, UINT destination, UINT count,
                                   IDirect3DVertexBuffer9* given,
                                   IDirect3DVertexDeclaration9* declaration, DWORD flags) override;
  HRESULT APIENTRY DrawRectPatch(UINT handle, const float* segments,
                                 const D3DRECTPATCH_INFO* info) override;
  HRESULT APIENTRY DrawTriPatch(UINT handle, const float* segments,
                                const D3DTRIPATCH_INFO* info) override;
  HRESULT APIENTRY DeletePatch(UINT handle) override;
  HRESULT APIENTRY CreateQuery(D3DQUERYTYPE type, IDirect3DQuery9** made) override;

  const bound<direct3d> parent;
  const device_request request;
  sim::d3d9_device below;    ///< The calls of the DDI.
  renewable_set renewables;  ///< What has something of the driver's device; all of it lives.

  std::unique_ptr<device_chains> chains;        ///< chain/device_chains.hpp
  std::unique_ptr<device_resources> resources;  ///< resource/device_resources.hpp
  std::unique_ptr<device_states> states;        ///< state/device_states.hpp

 private:
  enum class device_condition : std::uint8_t { working, lost, not_reset };

  ~device() override;
  /// The program has nothing of it any more: what the device binds ends while its memory lives.
  void on_last_reference() noexcept override { shut_down(); }
  void shut_down() noexcept;
  /// Parameters that were checked, and the window of full screen.
  [[nodiscard]] auto prepare(D3DPRESENT_PARAMETERS& parameters) -> HRESULT;
  /// Of a chain that has been made: its window fills the display, or does so no more.
  void enter_window(const D3DPRESENT_PARAMETERS& parameters);
  void leave_window();
  void on_activation(bool is_active) noexcept override;
  [[nodiscard]] auto reset(D3DPRESENT_PARAMETERS& parameters) -> HRESULT;
  [[nodiscard]] auto remake_chain(const D3DPRESENT_PARAMETERS& parameters) -> HRESULT;
  /// The driver's chain.
  [[nodiscard]] auto make_chain(const D3DPRESENT_PARAMETERS& parameters) -> HRESULT;
  /// The chain that was made becomes what the states draw to, which a reset left as they were or
  /// not.
  void take_chain(bool has_lost_all);
  /// A reset leaves nothing of state and video memory: always, unless the device is Ex and works.
  [[nodiscard]] auto loses_all() const noexcept -> bool {
    return !request.is_ex || has_lost_driver_;
  }
  /// The driver's device again, after a loss, and all that the program still has on it.
  [[nodiscard]] auto remake_driver(const D3DPRESENT_PARAMETERS& parameters) -> HRESULT;
  void note_lost_driver() noexcept;
  [[nodiscard]] auto after_drawing(HRESULT result) -> HRESULT;
  /// What happened to a device that is not Ex since the last call.
  void look_after_loss();

  std::recursive_mutex mutex_;
  // Changed on the focus window's thread too.
  std::atomic<device_condition> condition_ = device_condition::working;
  std::atomic<bool> is_in_front_ = true;
  std::atomic<bool> has_seen_other_mode_ = false;
  std::atomic<bool> has_lost_driver_ = false;
  HWND full_screen_ = nullptr;                ///< The window that is; nullptr when none is.
  std::optional<display_size> entered_size_;  ///< The display's then, whatever was asked for.
  INT gpu_priority_ = 0;
  UINT latency_ = 0;  ///< 0: as many frames as Windows chooses.
  bool is_shut_down_ = false;
};

/// Nothing, or an object of this device: another one's driver knows other objects.
template <class Object>
[[nodiscard]] auto is_of(const device& by, const Object* one) -> bool {
  return one == nullptr || &one->owner() == &by;
}

/// GetDevice of whatever the device made.
[[nodiscard]] inline auto give_device(device& owner, IDirect3DDevice9Ex** to) -> HRESULT {
  if (to == nullptr) return D3DERR_INVALIDCALL;
  hand_out(to, &owner);
  return S_OK;
}

}  // namespace aerogpu::d3d9
