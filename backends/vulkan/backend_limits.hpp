// SPDX-License-Identifier: MIT
/// \file Every bound of the Vulkan backend, in one place, with its default, unit and reason.
#pragma once

#include "aerogpu/core/result.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu::vulkan {

/// What one backend may hold on its device beside the guest's own objects, which `aerogpu::limits`
/// bounds. A full cache gives up what was used longest ago; a batch that reaches a limit is
/// submitted; everything else is out_of_memory for that submission, never an abort.
/// docs/limits.md is made from this file.
struct backend_limits {
  // Caches: what was used least recently goes first, once the device is done with it

  /// Graphics pipelines; a desktop with a few applications has some hundred.
  std::uint64_t graphics_pipelines = 1'024;
  /// Compute pipelines.
  std::uint64_t compute_pipelines = 256;
  /// What the pipelines of each kind may take, by an estimate from the SPIR-V of their stages.
  std::uint64_t pipeline_bytes = 256ull << 20;
  /// What the driver's own cache of compiled pipelines may hold, by the size of its file and the
  /// same estimate of what it had not: then it starts over, because Vulkan lets nothing of it go.
  std::uint64_t driver_cache_bytes = 1ull << 30;
  /// Modules: a shader has one for each combination of states that changes its code.
  std::uint64_t shader_variants = 8'192;
  /// SPIR-V of those modules.
  std::uint64_t shader_variant_bytes = 128ull << 20;
  /// Shaders without a handle that are kept, because guests create the same ones again.
  std::uint64_t idle_shaders = 256;
  /// Byte code of those.
  std::uint64_t idle_shader_bytes = 16ull << 20;
  /// Layouts of descriptor sets; those that a kept pipeline layout is made of stay.
  std::uint64_t descriptor_set_layouts = 512;
  /// Pipeline layouts: one for each set of registers that programs use.
  std::uint64_t pipeline_layouts = 512;
  /// Samplers; a device has about 4,000, also counting those that are on their way out.
  std::uint64_t samplers = 1'024;
  /// Views of all images, for shaders and as targets.
  std::uint64_t image_views = 16'384;
  /// Texel views of all buffers; a guest that goes through a buffer in steps makes many.
  std::uint64_t buffer_views = 4'096;

  // One batch of commands

  /// Pools of 512 descriptor sets; a batch that has used so many is submitted.
  std::uint64_t descriptor_pools_per_batch = 32;
  /// Sets of textures of Direct3D 9 draws that are found again within a batch.
  std::uint64_t texture_sets_per_batch = 4'096;

  /// Commands of one batch. llvmpipe keeps a copy of all state for each draw.
  std::uint64_t commands_per_batch = 4'096;
  /// Instructions of shaders that one batch may come to, by an estimate that takes every primitive
  /// for one that covers its targets; of a device on the processor a 16th. A byte that is copied,
  /// cleared or zeroed counts as 128. A draw or dispatch of more is cut, where that changes
  /// nothing, and goes on until the watchdog's time is over.
  std::uint64_t work_per_batch = 1ull << 42;
  /// What a driver may keep of one draw for what geometry and domain shaders make, by an estimate
  /// of the most that they can: llvmpipe has memory for all of it at once. A draw of more is cut,
  /// and refused where that is not possible. Several pieces may be at work at once.
  std::uint64_t made_geometry_bytes_per_draw = 128ull << 20;
  /// Uploads, constants and scratch of one batch: the textures of a whole screen in 4K. No single
  /// operation takes more, and no batch more than half of `staging_bytes`.
  std::uint64_t staging_bytes_per_batch = 64ull << 20;
  /// What one draw may have copied of vertices that lie where Vulkan may not read them. Direct3D
  /// aligns elements, so that no honest draw comes near.
  std::uint64_t unaligned_vertex_bytes_per_draw = 16ull << 20;

  // All batches of a device; at a limit the oldest one is waited for, under the watchdog

  /// Batches in flight: a desktop has a few, each with its command pool.
  std::uint64_t batches_in_flight = 256;
  /// Commands of batches in flight.
  std::uint64_t commands_in_flight = 16'384;
  /// Descriptor pools of batches in flight: most batches have one, some hundred KiB each.
  std::uint64_t descriptor_pools_in_flight = 256;
  /// Staging memory in use and kept: one batch that runs, one that waits and one that is recorded.
  std::uint64_t staging_bytes = 256ull << 20;
  /// Staging memory of each kind that is kept while no batch uses it.
  std::uint64_t spare_staging_bytes = 64ull << 20;
  /// Rows on their way to guest memory, of all submissions that were not reported; then read-backs
  /// fail. Twice what the library admits, for texels that are wider on the device.
  std::uint64_t read_back_bytes = 1ull << 30;

  /// Of these, rows that are kept because a copied texture has its content nowhere else yet
  /// (COPY_TEXTURE2D with write-back, until somebody reads the texture): a screen in 4K and more.
  std::uint64_t deferred_copy_bytes = 64ull << 20;

  // Memory of a device

  /// Blocks that buffers, images and staging lie in, each kept as long as anything lies in it, and
  /// those of devices that were given up; then what none of them has room for is out_of_memory.
  /// Twice `limits::resource_bytes`, which counts what lives: who raises that raises this.
  std::uint64_t reserved_bytes = 8ull << 30;

  // Devices

  /// Devices that were given up while they stood still and that Vulkan cannot end; at the limit
  /// nothing is drawn until one of them comes back. What they hold counts as `reserved_bytes`.
  std::uint64_t abandoned_devices = 2;

  // Objects that wait for the device before they are destroyed

  /// Objects in all; at the limit the batch is submitted and waited for.
  std::uint64_t retired_objects = 2'048;
  /// Their memory, that of pipelines by the estimate above; as above.
  std::uint64_t retired_bytes = 256ull << 20;

  // The thread that hands submissions over

  /// Milliseconds that one submission may keep it, with all that it waits for and has compiled;
  /// then its next batch or compilation fails, and with it the rest of it. An operation that began
  /// takes its own time, at most that of the watchdog.
  std::uint64_t submission_ms = 60'000;

  // Compilation

  /// Milliseconds that the driver may take to compile one pipeline; then the device is given up.
  std::uint64_t pipeline_compile_ms = 10'000;
  /// Milliseconds until shaders for which a driver took so long are handed to one again. A device
  /// is lost each time; but a host may have been busy.
  std::uint64_t pipeline_rest_ms = 60'000;
  /// Memory that the process must have left before the driver opens a device or compiles a
  /// pipeline: drivers end the process when they get none.
  std::uint64_t driver_headroom_bytes = 128ull << 20;
  /// Milliseconds for one shader in the process of the Direct3D 10 and 11 compiler; then the
  /// process is ended and the shader refused. The longest one takes 300.
  std::uint64_t shader_compile_ms = 10'000;
  /// Processes of that compiler that may end at once; then new shaders fail.
  std::uint64_t shader_compiler_ends = 8;
  /// Milliseconds after which one more may end.
  std::uint64_t shader_compiler_rest_ms = 10'000;
  /// Compiled shaders on disk; the file that was not used for longest goes.
  std::uint64_t shader_cache_bytes = 64ull << 20;
};

/// The values that a limit may have.
struct backend_limit_row {
  std::uint64_t backend_limits::*member;
  std::uint64_t least;
  std::uint64_t most;
  const char* refusal;
};

/// Far more than a process can hold, and less than what overflows anywhere.
inline constexpr std::uint64_t most_limit_count = 1ull << 20;
inline constexpr std::uint64_t least_limit_bytes = 1ull << 20;
inline constexpr std::uint64_t most_limit_bytes = 1ull << 40;
inline constexpr std::uint64_t most_limit_ms = 3'600'000;
inline constexpr std::uint64_t most_limit_work = 1ull << 60;

inline constexpr std::array backend_limit_rows{
    backend_limit_row{&backend_limits::graphics_pipelines, 1, most_limit_count,
                      "graphics_pipelines of the backend's limits is not from 1 to 2^20"},
    backend_limit_row{&backend_limits::compute_pipelines, 1, most_limit_count,
                      "compute_pipelines of the backend's limits is not from 1 to 2^20"},
    backend_limit_row{&backend_limits::pipeline_bytes, least_limit_bytes, most_limit_bytes,
                      "pipeline_bytes of the backend's limits is not from 1 MiB to 1 TiB"},
    backend_limit_row{&backend_limits::driver_cache_bytes, least_limit_bytes, most_limit_bytes,
                      "driver_cache_bytes of the backend's limits is not from 1 MiB to 1 TiB"},
    backend_limit_row{&backend_limits::shader_variants, 1, most_limit_count,
                      "shader_variants of the backend's limits is not from 1 to 2^20"},
    backend_limit_row{&backend_limits::shader_variant_bytes, least_limit_bytes, most_limit_bytes,
                      "shader_variant_bytes of the backend's limits is not from 1 MiB to 1 TiB"},
    backend_limit_row{&backend_limits::idle_shaders, 1, most_limit_count,
                      "idle_shaders of the backend's limits is not from 1 to 2^20"},
    backend_limit_row{&backend_limits::idle_shader_bytes, least_limit_bytes, most_limit_bytes,
                      "idle_shader_bytes of the backend's limits is not from 1 MiB to 1 TiB"},
    backend_limit_row{&backend_limits::descriptor_set_layouts, 1, most_limit_count,
                      "descriptor_set_layouts of the backend's limits is not from 1 to 2^20"},
    backend_limit_row{&backend_limits::pipeline_layouts, 1, most_limit_count,
                      "pipeline_layouts of the backend's limits is not from 1 to 2^20"},
    backend_limit_row{&backend_limits::samplers, 1, most_limit_count,
                      "samplers of the backend's limits is not from 1 to 2^20"},
    backend_limit_row{&backend_limits::image_views, 1, most_limit_count,
                      "image_views of the backend's limits is not from 1 to 2^20"},
    backend_limit_row{&backend_limits::buffer_views, 1, most_limit_count,
                      "buffer_views of the backend's limits is not from 1 to 2^20"},
    backend_limit_row{&backend_limits::descriptor_pools_per_batch, 1, most_limit_count,
                      "descriptor_pools_per_batch of the backend's limits is not from 1 to 2^20"},
    backend_limit_row{&backend_limits::texture_sets_per_batch, 1, most_limit_count,
                      "texture_sets_per_batch of the backend's limits is not from 1 to 2^20"},
    backend_limit_row{&backend_limits::commands_per_batch, 1, most_limit_count,
                      "commands_per_batch of the backend's limits is not from 1 to 2^20"},
    backend_limit_row{&backend_limits::work_per_batch, 1, most_limit_work,
                      "work_per_batch of the backend's limits is not from 1 to 2^60"},
    backend_limit_row{
        &backend_limits::made_geometry_bytes_per_draw, least_limit_bytes, most_limit_bytes,
        "made_geometry_bytes_per_draw of the backend's limits is not from 1 MiB to 1 TiB"},
    backend_limit_row{
        &backend_limits::unaligned_vertex_bytes_per_draw, least_limit_bytes, most_limit_bytes,
        "unaligned_vertex_bytes_per_draw of the backend's limits is not from 1 MiB to 1 TiB"},
    backend_limit_row{&backend_limits::staging_bytes_per_batch, least_limit_bytes, most_limit_bytes,
                      "staging_bytes_per_batch of the backend's limits is not from 1 MiB to 1 TiB"},
    backend_limit_row{&backend_limits::batches_in_flight, 1, most_limit_count,
                      "batches_in_flight of the backend's limits is not from 1 to 2^20"},
    backend_limit_row{&backend_limits::commands_in_flight, 1, most_limit_count,
                      "commands_in_flight of the backend's limits is not from 1 to 2^20"},
    backend_limit_row{&backend_limits::descriptor_pools_in_flight, 1, most_limit_count,
                      "descriptor_pools_in_flight of the backend's limits is not from 1 to 2^20"},
    backend_limit_row{&backend_limits::staging_bytes, least_limit_bytes, most_limit_bytes,
                      "staging_bytes of the backend's limits is not from 1 MiB to 1 TiB"},
    backend_limit_row{&backend_limits::spare_staging_bytes, least_limit_bytes, most_limit_bytes,
                      "spare_staging_bytes of the backend's limits is not from 1 MiB to 1 TiB"},
    backend_limit_row{&backend_limits::read_back_bytes, least_limit_bytes, most_limit_bytes,
                      "read_back_bytes of the backend's limits is not from 1 MiB to 1 TiB"},
    backend_limit_row{&backend_limits::deferred_copy_bytes, 1, most_limit_bytes,
                      "deferred_copy_bytes of the backend's limits is not from 1 to 1 TiB"},
    backend_limit_row{&backend_limits::reserved_bytes, least_limit_bytes, most_limit_bytes,
                      "reserved_bytes of the backend's limits is not from 1 MiB to 1 TiB"},
    backend_limit_row{&backend_limits::abandoned_devices, 1, most_limit_count,
                      "abandoned_devices of the backend's limits is not from 1 to 2^20"},
    backend_limit_row{&backend_limits::retired_objects, 1, most_limit_count,
                      "retired_objects of the backend's limits is not from 1 to 2^20"},
    backend_limit_row{&backend_limits::retired_bytes, least_limit_bytes, most_limit_bytes,
                      "retired_bytes of the backend's limits is not from 1 MiB to 1 TiB"},
    backend_limit_row{&backend_limits::pipeline_compile_ms, 1, most_limit_ms,
                      "pipeline_compile_ms of the backend's limits is not from 1 to 3,600,000"},
    backend_limit_row{&backend_limits::submission_ms, 1, most_limit_ms,
                      "submission_ms of the backend's limits is not from 1 to 3,600,000"},
    backend_limit_row{&backend_limits::pipeline_rest_ms, 1, most_limit_ms,
                      "pipeline_rest_ms of the backend's limits is not from 1 to 3,600,000"},
    backend_limit_row{&backend_limits::driver_headroom_bytes, 1, most_limit_bytes,
                      "driver_headroom_bytes of the backend's limits is not from 1 to 1 TiB"},
    backend_limit_row{&backend_limits::shader_compile_ms, 1, most_limit_ms,
                      "shader_compile_ms of the backend's limits is not from 1 to 3,600,000"},
    backend_limit_row{&backend_limits::shader_compiler_ends, 1, most_limit_count,
                      "shader_compiler_ends of the backend's limits is not from 1 to 2^20"},
    backend_limit_row{&backend_limits::shader_compiler_rest_ms, 1, most_limit_ms,
                      "shader_compiler_rest_ms of the backend's limits is not from 1 to 3,600,000"},
    backend_limit_row{&backend_limits::shader_cache_bytes, least_limit_bytes, most_limit_bytes,
                      "shader_cache_bytes of the backend's limits is not from 1 MiB to 1 TiB"},
};
static_assert(sizeof(backend_limits) == backend_limit_rows.size() * sizeof(std::uint64_t),
              "every limit has a row");

/// invalid_parameter, with the limit's name, for a value that makes no sense: 0 above all, with
/// which nothing could ever be drawn.
[[nodiscard]] constexpr auto check_limits(const backend_limits& bounds) noexcept -> result<void> {
  for (const backend_limit_row& row : backend_limit_rows) {
    const std::uint64_t value = bounds.*row.member;
    if (value >= row.least && value <= row.most) continue;
    return make_error(error_code::invalid_parameter, row.refusal, value,
                      value < row.least ? row.least : row.most);
  }
  return {};
}

}  // namespace aerogpu::vulkan
