// SPDX-License-Identifier: MIT
/// \file The display: the monitor, the mode, the desktop's surfaces, the pointer.
#pragma once

#include "drivers/sim/kernel/display/flip_queue.hpp"
#include "drivers/sim/kernel/display/vidpn.hpp"
#include "drivers/sim/kernel/objects/object_manager.hpp"
#include "drivers/sim/kernel/render/render_path.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace aerogpu::sim {

struct display_mode {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  D3DDDIFORMAT format = D3DDDIFMT_A8R8G8B8;
  friend auto operator==(const display_mode&, const display_mode&) -> bool = default;
};

/// A surface that dxgkrnl makes for itself, and where its pixels lie.
struct desktop_surface {
  std::shared_ptr<user_allocation> opening;
  std::shared_ptr<kernel_resource> resource;
  std::uint32_t pitch_bytes = 0;
};

/// One source and one target, both 0. PASSIVE, and the system's process is the caller's.
class display_manager {
 public:
  display_manager(services& base, object_manager& objects, render_path& renders, flip_queue& flips,
                  vidpn_manager& vidpns);

  // --- the monitor ---
  /// Children, their status, the EDID and the monitor's modes.
  [[nodiscard]] auto find_monitor() -> NTSTATUS;
  [[nodiscard]] auto preferred_mode() const -> display_mode;
  /// What the driver offers for the one path.
  [[nodiscard]] auto modes() -> std::vector<display_mode>;
  /// Whether it offers the path's target a mode of that many frames a second.
  [[nodiscard]] auto offers_rate(const D3DDDI_RATIONAL& rate) -> bool;

  // --- modes ---
  /// The system's device and context.
  [[nodiscard]] auto create_desktop() -> NTSTATUS;
  void destroy_desktop();
  /// Dark, CommitVidPn, a new primary and shadow, its address, visible (kmd.md 3.25).
  [[nodiscard]] auto set_mode(const display_mode& mode) -> NTSTATUS;
  /// As `set_mode`, with a surface of somebody's as the primary: a full-screen application's.
  [[nodiscard]] auto set_mode(const display_mode& mode, const std::shared_ptr<allocation>& primary)
      -> NTSTATUS;
  /// Points the scanout at a surface, as after CommitVidPn; it stays in place until another is
  /// shown.
  [[nodiscard]] auto show_as_primary(const std::shared_ptr<allocation>& surface) -> NTSTATUS;
  [[nodiscard]] auto mode() const noexcept -> const display_mode& { return mode_; }
  /// What the desktop goes back to when a full-screen application ends.
  [[nodiscard]] auto desktop_mode() const noexcept -> const display_mode& { return desktop_mode_; }
  [[nodiscard]] auto set_visible(bool is_visible) -> NTSTATUS;
  /// Wake-up: the committed mode once more, and the surface that was shown.
  [[nodiscard]] auto restore() -> NTSTATUS;
  /// Sleep, stop: nothing is shown, nothing pinned.
  void blank();

  // --- the desktop while no compositor runs ---
  [[nodiscard]] auto primary() const noexcept -> const desktop_surface& { return primary_; }
  [[nodiscard]] auto shadow() const noexcept -> const desktop_surface& { return shadow_; }
  /// GDI drew into the shadow surface: the rectangle goes to the primary. Waits.
  [[nodiscard]] auto update_desktop(const RECT& area) -> NTSTATUS;

  // --- the pointer ---
  [[nodiscard]] auto set_pointer_shape(const DXGKARG_SETPOINTERSHAPE& shape) -> NTSTATUS;
  [[nodiscard]] auto set_pointer_position(std::int32_t x, std::int32_t y, bool is_visible)
      -> NTSTATUS;

 private:
  [[nodiscard]] auto make_surface(D3DKMDT_STANDARDALLOCATION_TYPE type, const display_mode& mode,
                                  desktop_surface& made) -> NTSTATUS;
  [[nodiscard]] auto commit(const display_mode& mode) -> NTSTATUS;
  void close(desktop_surface& surface);

  services& base_;
  object_manager& objects_;
  render_path& renders_;
  flip_queue& flips_;
  vidpn_manager& vidpns_;
  std::shared_ptr<user_device> device_;
  std::shared_ptr<user_context> context_;
  display_mode mode_;
  display_mode desktop_mode_;
  vidpn* committed_ = nullptr;
  desktop_surface primary_;
  desktop_surface shadow_;
  std::shared_ptr<allocation> scanned_out_;  ///< What `show_as_primary` was last given.
};

}  // namespace aerogpu::sim
