// SPDX-License-Identifier: MIT
/// \file A guest process with one window: it draws into a surface that it shares by token.
#pragma once

#include "examples/aero_desktop/desktop/glyph_atlas.hpp"
#include "examples/aero_desktop/desktop/text_painter.hpp"
#include "examples/aero_desktop/guest/d3d_device.hpp"

#include <memory>
#include <string>
#include <vector>

namespace desktop {

/// What a program is, besides its picture.
struct program_traits {
  std::string title;
  std::uint32_t width = 0;  ///< Of the client area, pixels.
  std::uint32_t height = 0;
};

/// What every program of the guest may use.
struct program_services {
  guest_kernel& kernel;
  const shader_library& shaders;
  const glyph_atlas& font;
};

class window_program {
 public:
  window_program(const program_services& services, aerogpu::context_id context,
                 program_traits traits)
      : services_(services),
        device_(services.kernel, context, services.shaders),
        traits_(std::move(traits)) {}
  window_program(const window_program&) = delete;
  auto operator=(const window_program&) -> window_program& = delete;
  virtual ~window_program() = default;

  /// Creates the surface and exports it. These are false when a stream is refused.
  [[nodiscard]] auto open() -> bool;
  [[nodiscard]] auto paint(float seconds) -> bool;
  /// Destroys all objects and drops the process's reference to the token.
  [[nodiscard]] auto close() -> bool;

  [[nodiscard]] auto is_open() const -> bool { return token_ != aerogpu::share_token{}; }
  [[nodiscard]] auto token() const -> aerogpu::share_token { return token_; }
  [[nodiscard]] auto traits() const -> const program_traits& { return traits_; }
  [[nodiscard]] auto image() const -> const surface& { return surface_; }

 protected:
  /// Objects besides the surface, in the stream that creates it.
  virtual void create(d3d_device& device) { static_cast<void>(device); }
  /// One picture; the surface is the target.
  virtual void draw(d3d_device& device, float seconds) = 0;

  [[nodiscard]] auto services() const -> const program_services& { return services_; }
  [[nodiscard]] auto device() -> d3d_device& { return device_; }
  [[nodiscard]] auto area() const -> box {
    return {0, 0, static_cast<float>(traits_.width), static_cast<float>(traits_.height)};
  }

 private:
  program_services services_;
  d3d_device device_;
  program_traits traits_;
  surface surface_;
  aerogpu::share_token token_{};
};

enum class program_kind : std::uint8_t { console, cube, wave, clock };
inline constexpr std::size_t program_count = 4;

/// The program of a kind, in a context of its own.
[[nodiscard]] auto make_program(program_kind kind, const program_services& services)
    -> std::unique_ptr<window_program>;

}  // namespace desktop
