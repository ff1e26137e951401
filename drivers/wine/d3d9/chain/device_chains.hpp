// SPDX-License-Identifier: MIT
/// \file The device's swap chains, and what belongs to its display: gamma, cursor.
#pragma once

#include "drivers/wine/d3d9/chain/swap_chain.hpp"
#include "drivers/wine/d3d9/window/window_system.hpp"

#include <memory>
#include <mutex>
#include <vector>

namespace aerogpu::d3d9 {

class device;
class surface;

class device_chains final : private picture_listener {
 public:
  explicit device_chains(device& of);
  ~device_chains();
  device_chains(const device_chains&) = delete;
  auto operator=(const device_chains&) -> device_chains& = delete;

  /// The device below has made its implicit chain and its depth surface (again).
  void take_implicit();
  /// Before the device below destroys them.
  void drop_implicit();
  /// Before the device ends: additional ones too.
  void close();

  [[nodiscard]] auto implicit() noexcept -> swap_chain& { return *implicit_.get(); }
  /// nullptr without EnableAutoDepthStencil.
  [[nodiscard]] auto auto_depth() noexcept -> surface* { return depth_.get(); }
  /// What the program would have to release before a Reset of a device that is not Ex: not the
  /// implicit chain, which gets other buffers.
  [[nodiscard]] auto is_referenced() const noexcept -> bool;
  [[nodiscard]] auto make_additional(D3DPRESENT_PARAMETERS& parameters,
                                     IDirect3DSwapChain9Ex** made) -> HRESULT;
  /// A chain has a picture that its window is to show later, or the program went to the back.
  /// False: nobody will see to it. On any thread.
  [[nodiscard]] auto expect_picture() noexcept -> bool;
  /// Waits for those pictures, and shows them.
  void finish_pictures();
  /// Before the device ends, and not under its lock: no other thread comes any more.
  void stop_watching() noexcept;
  /// An additional chain ends by itself.
  void forget(const swap_chain& gone) noexcept;

  D3DGAMMARAMP gamma{};
  bool has_cursor = false;
  bool is_cursor_shown = false;

 private:
  auto show_finished_pictures() noexcept -> bool override;
  /// Whether some are not done.
  auto show_pictures(DWORD lock_flags) -> bool;

  device& owner_;
  bound<swap_chain> implicit_;
  bound<surface> depth_;
  std::vector<swap_chain*> additional_;
  std::mutex watch_mutex_;
  std::unique_ptr<picture_watch> watch_;
};

}  // namespace aerogpu::d3d9
