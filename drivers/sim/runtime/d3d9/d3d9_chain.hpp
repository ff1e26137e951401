// SPDX-License-Identifier: MIT
/// \file A swap chain: its buffers, what it shows where, and how often.
#pragma once

#include "drivers/sim/runtime/resource.hpp"

#include <optional>
#include <vector>

namespace aerogpu::sim {

class d3d9_device;

/// Where a chain's window is, which USER would know.
struct window_place {
  RECT client{};  ///< On the desktop; empty: as large as the back buffer, in the corner.
  bool is_occluded = false;
  /// Whether the runtime scales a picture of another size; else the kernel driver's copy does.
  bool is_fitted = true;
};

/// PresentEx's arguments, beyond what the chain itself says.
struct chain_present {
  DWORD flags = 0;             ///< D3DPRESENT_
  HWND window = nullptr;       ///< nullptr: the chain's.
  std::optional<RECT> source;  ///< Of the back buffer; nothing: all of it.
};

/// What is copied where.
struct picture_move {
  RECT source{};
  RECT destination{};
};

/// The device's implicit one, or one that the program made beside it: windowed only.
class d3d9_chain {
 public:
  explicit d3d9_chain(d3d9_device& of) : device_(of) {}
  ~d3d9_chain();
  d3d9_chain(const d3d9_chain&) = delete;
  auto operator=(const d3d9_chain&) -> d3d9_chain& = delete;

  /// Its buffers, by one CreateResource; full-screen, the display's source becomes the device's.
  /// What was made before a failure stays until `destroy`.
  [[nodiscard]] auto create(const D3DPRESENT_PARAMETERS& wanted) -> HRESULT;
  void destroy();
  /// umd-d3d9.md 6.5 and what the API fills in. Changes nothing of the chain.
  [[nodiscard]] auto check_parameters(D3DPRESENT_PARAMETERS& wanted) const -> HRESULT;

  [[nodiscard]] auto back_buffer(UINT index) const -> d3d9_surface;
  [[nodiscard]] auto parameters() const noexcept -> const D3DPRESENT_PARAMETERS& { return wanted_; }
  /// Whether a present changes which buffer is the first.
  [[nodiscard]] auto flips() const noexcept -> bool;

  /// Full-screen, the display's source is the device's, and shows the front buffer: from `create`
  /// until `leave_full_screen`, and again.
  [[nodiscard]] auto enter_full_screen() -> HRESULT;
  void leave_full_screen();

  [[nodiscard]] auto present(const chain_present& wanted) -> HRESULT;
  /// What the runtime does of a windowed present under composition: into a surface that the
  /// compositor opened too.
  [[nodiscard]] auto present_to(const d3d9_surface& redirection) -> HRESULT;
  /// GetLastPresentCount: every present that was accepted, those of occluded windows too.
  [[nodiscard]] auto presents() const noexcept -> UINT { return presents_; }

  window_place window;

 private:
  [[nodiscard]] auto fit(const picture_move& seen, D3DDDIARG_PRESENT& argument,
                         present_details& details) -> HRESULT;
  [[nodiscard]] auto make_fitted(UINT width, UINT height, D3DFORMAT format) -> HRESULT;
  void rotate();

  d3d9_device& device_;
  D3DPRESENT_PARAMETERS wanted_{};
  d3d9_resource* resource_ = nullptr;  ///< All buffers are its surfaces.
  std::vector<d3d9_surface> buffers_;  ///< In their order; full-screen with the front buffer last.
  d3d9_resource* fitted_ = nullptr;    ///< The picture as its window and the desktop have it.
  bool is_source_owned_ = false;
  UINT presents_ = 0;
};

}  // namespace aerogpu::sim
