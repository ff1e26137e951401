// SPDX-License-Identifier: MIT
/// \file An honest desktop, whose frames are watched while others share its host process.
#pragma once

#include "examples/aero_desktop/desktop/desktop.hpp"
#include "vulkan/vulkan_backend.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace aerogpu::hostile {

struct shown_frame {
  std::vector<std::byte> pixels;
  std::uint64_t thread_ns = 0;  ///< Processor time of the desktop's thread.
  std::uint64_t wall_ns = 0;
};

/// The story of examples/aero_desktop on a device and a backend of its own, on the caller's thread.
class honest_desktop {
 public:
  /// Fails the case when the backend cannot be made. Shows the story once, so that shaders are
  /// compiled.
  honest_desktop();

  static constexpr std::uint32_t frame_count = 4;
  /// The whole story, in `frame_count` frames.
  [[nodiscard]] auto show() -> std::vector<shown_frame>;

 private:
  std::optional<desktop::shader_library> shaders_;
  std::unique_ptr<vulkan::vulkan_backend> backend_;
};

}  // namespace aerogpu::hostile
