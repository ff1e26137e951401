// SPDX-License-Identifier: MIT
/// \file IDirect3DSwapChain9Ex: the device's implicit one, and those that the program makes.
#pragma once

#include "drivers/sim/runtime/d3d9/d3d9_chain.hpp"
#include "drivers/wine/d3d9/api/objects.hpp"
#include "drivers/wine/d3d9/com/object.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace aerogpu::d3d9 {

class device;
class surface;

class swap_chain final : public com_object<swap_chain, IDirect3DSwapChain9Ex> {
 public:
  /// `own` is nullptr for the implicit chain, which the device below has itself.
  swap_chain(device& owner, std::unique_ptr<sim::d3d9_chain> own);

  [[nodiscard]] auto answers(const iid& wanted) const noexcept -> bool;

  /// The chain below has been made (again): surfaces for its back buffers.
  void take_buffers();
  /// The buffers end here; those that the program still has stay without anything behind them.
  void drop_buffers();
  /// drop_buffers, and the chain below: before the device ends.
  void close();
  [[nodiscard]] auto back_buffer(UINT index) const noexcept -> surface*;
  [[nodiscard]] auto has_referenced_buffers() const noexcept -> bool;
  [[nodiscard]] auto parameters() const noexcept -> const D3DPRESENT_PARAMETERS& {
    return below.parameters();
  }
  /// Shows the picture that was presented last, where that is still to be done; `lock_flags` may
  /// have D3DLOCK_DONOTWAIT. D3DERR_WASSTILLDRAWING: it is not drawn yet. What else fails is a
  /// loss, which the device knows then, and the picture is dropped.
  auto show_picture(DWORD lock_flags) -> HRESULT;
  /// Asks the window system where the window is; presents and sizes follow it.
  void find_window(HWND window);

  HRESULT APIENTRY Present(const RECT* source, const RECT* destination, HWND window,
                           const _RGNDATA* dirty, DWORD flags) override;
  HRESULT APIENTRY GetFrontBufferData(IDirect3DSurface9* destination) override;
  HRESULT APIENTRY GetBackBuffer(UINT index, D3DBACKBUFFER_TYPE type,
                                 IDirect3DSurface9** buffer) override;
  HRESULT APIENTRY GetRasterStatus(D3DRASTER_STATUS* status) override;
  HRESULT APIENTRY GetDisplayMode(D3DDISPLAYMODE* mode) override;
  HRESULT APIENTRY GetDevice(IDirect3DDevice9Ex** to) override;
  HRESULT APIENTRY GetPresentParameters(D3DPRESENT_PARAMETERS* to) override;
  HRESULT APIENTRY GetLastPresentCount(UINT* count) override;
  HRESULT APIENTRY GetPresentStats(D3DPRESENTSTATS* statistics) override;
  HRESULT APIENTRY GetDisplayModeEx(D3DDISPLAYMODEEX* mode, D3DDISPLAYROTATION* rotation) override;

 private:
  ~swap_chain() override;
  [[nodiscard]] auto keeps() noexcept -> IUnknown* override;
  void end() noexcept override;

  [[nodiscard]] auto is_drawn_to() const noexcept -> bool;
  /// umd-d3d9.md 6.7.
  [[nodiscard]] auto check_present(const RECT* source, const RECT* destination, HWND window,
                                   const _RGNDATA* dirty, DWORD flags) const -> HRESULT;
  [[nodiscard]] auto present(const RECT* source, const RECT* destination, HWND window, DWORD flags)
      -> HRESULT;
  /// A window takes one present per refresh, unless it is asked to take them at once.
  [[nodiscard]] auto wait_for_turn(DWORD flags) -> HRESULT;
  /// Back buffer `shown` goes into the window's client area as soon as it is drawn.
  [[nodiscard]] auto begin_picture(const sim::d3d9_surface& shown, HWND window, const RECT* source,
                                   const RECT* destination) -> HRESULT;
  [[nodiscard]] auto copy_picture(const sim::d3d9_surface& shown) -> HRESULT;
  /// The copy into `picture_`, X8R8G8B8. D3DERR_WASSTILLDRAWING: it is not done.
  [[nodiscard]] auto read_picture(DWORD lock_flags) -> HRESULT;
  [[nodiscard]] auto read_front(std::byte* texels, UINT pitch_bytes, UINT width, UINT height)
      -> bool;

  device& owner_;
  const std::unique_ptr<sim::d3d9_chain> own_;

 public:
  sim::d3d9_chain& below;

 private:
  std::vector<bound<surface>> buffers_;
  /// Where the picture in `copy_` belongs.
  struct awaited_picture {
    HWND window = nullptr;
    RECT source{};
    std::optional<RECT> destination;  ///< Nothing: all of the client area.
  };

  sim::d3d9_resource* copy_ = nullptr;  ///< Like a back buffer, lockable.
  std::optional<awaited_picture> awaited_;
  std::optional<std::uint64_t> presented_ns_;  ///< The last present's turn.
  bool has_vertical_blanks_ = true;            ///< False once one did not come, until a Reset.
  /// What was shown last, of the size that the buffers had.
  struct shown_picture {
    std::vector<std::byte> texels;
    UINT width = 0;
    UINT height = 0;
  };
  shown_picture picture_;
};

}  // namespace aerogpu::d3d9
