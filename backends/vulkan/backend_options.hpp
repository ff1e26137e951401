// SPDX-License-Identifier: MIT
/// \file What an embedder can choose about the Vulkan backend.
#pragma once

#include "vulkan/backend_limits.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace aerogpu::vulkan {

/// Where libvkd3d-shader compiles the shaders of Direct3D 10 and 11. It may abort on shaders that
/// nobody foresaw.
enum class shader_compiler_place {
  /// In a sandboxed process of its own (docs/shaders/shader-containers.md), which needs Linux.
  process,
  /// In the embedder's process, which goes with it: for guests that are trusted.
  in_process,
};

struct backend_options {
  /// Empty: the best device. A number: that place in `list_devices`. Else: a part of its name.
  std::string device;
  bool validate = false;      ///< Khronos validation layers; also names objects.
  bool name_objects = false;  ///< Names and labels for RenderDoc.
  /// Where compiled pipelines are kept between runs; empty = nowhere.
  std::string pipeline_cache_file;
  shader_compiler_place shader_compiler = shader_compiler_place::process;
  /// Path of the program aerogpu-shader-compiler; empty: AEROGPU_SHADER_COMPILER in the environment
  /// names it, or it is next to the running program or where it was installed.
  std::string shader_compiler_program;
  /// Folder where compiled Direct3D 10 and 11 shaders are kept between runs, at most 64 MiB; empty
  /// = nowhere. Guests that distrust each other need folders of their own.
  std::string shader_cache_folder;
  /// IEEE arithmetic in Direct3D 9 shaders: faster, and 0 * infinity is no longer 0.
  bool fast_shader_math = false;
  /// Use a device that cannot keep shaders inside their resources (`device_entry::unsafe`). Only
  /// for guests that are trusted.
  bool allow_unsafe_device = false;
  /// Treat the device as if it lacked 16-bit colour, BC and D24S8: for tests of the conversions.
  bool force_format_expansion = false;
  /// Apply D3DRS_FOG* behind SM1 and SM2 pixel shaders. Off, because the guest's driver writes fog
  /// into its own shaders.
  bool applies_fog = false;
  /// A submission that takes longer is given up: the device counts as lost. Milliseconds.
  std::uint32_t watchdog_ms = 30'000;
  /// What the backend may hold, and how long it may take.
  backend_limits bounds{};
  /// Secret behind the places of guest-chosen keys in hash tables; 0 = from the operating system.
  std::uint64_t hash_seed = 0;
  /// Called from a thread of the backend's own after the device finished something, so that the
  /// embedder has `tick` called soon, where it calls the device. Empty: no thread, and ticks poll.
  /// Must not call the device or the backend.
  std::function<void()> on_progress;
};

}  // namespace aerogpu::vulkan
