/// \file Every bound of the host, in one place, with its default, unit and reason.
#pragma once

#include <cstdint>

namespace aerogpu {

/// What one device may hold. Exhaustion is `out_of_memory` on that submission, never an abort.
/// Defaults follow host.md 1.18 where it names a number.
struct limits {
  // Fetch, host.md 1.18.
  std::uint32_t stream_bytes = 64u << 20;       ///< Used bytes of one command stream.
  std::uint32_t alloc_table_bytes = 16u << 20;  ///< Used bytes of one allocation table.

  // Objects. A desktop needs a few thousand of each.
  std::uint32_t resources = 65'536;  ///< Live buffers and textures.
  std::uint32_t resource_names =
      131'072;  ///< Handles: originals, aliases, views and reserved numbers.
  std::uint32_t texture_views = 65'536;
  std::uint32_t shaders = 65'536;
  std::uint32_t input_layouts = 65'536;
  std::uint32_t samplers = 65'536;
  std::uint32_t contexts = 1'024;  ///< One per guest D3D device, a few dozen on a desktop.

  // Bytes. Counted for the device and for the context that created the object.
  std::uint64_t resource_bytes = 4ull << 30;
  std::uint64_t resource_bytes_per_context = 2ull << 30;
  std::uint64_t shader_bytes = 256ull << 20;   ///< Byte code kept for snapshots and rebuilds.
  std::uint32_t shader_blob_bytes = 4u << 20;  ///< One DXBC blob.
  std::uint32_t d3d9_shader_blob_bytes = 512u << 10;  ///< One D3D9 blob, host.md 3.2.

  // Shapes: what Vulkan 1.3 desktop devices offer.
  std::uint32_t texture_dimension = 16'384;  ///< Texels, width and height.
  std::uint32_t array_layers = 2'048;
  std::uint64_t buffer_bytes = 1ull << 30;  ///< One buffer.

  // Sharing, host.md 2.8.
  std::uint32_t share_tokens = 65'536;  ///< Bound at the same time.
  std::uint32_t retired_share_tokens =
      1'048'576;  ///< Then exports fail; entries are never forgotten.

  // Dirty tracking and completion.
  std::uint32_t dirty_ranges_per_resource = 64;   ///< Beyond it the nearest ranges merge.
  std::uint64_t write_back_bytes = 256ull << 20;  ///< One submission's write-backs.
  std::uint32_t write_backs = 65'536;             ///< One submission's write-back packets.
  std::uint32_t pending_submissions = 1'024;      ///< Consumed and not completed; the ring waits.
  std::uint32_t pending_fences = 65'536;          ///< host.md 1.17.
  std::uint32_t early_completions = 65'536;       ///< host.md 1.12.

  // External executor, host.md 1.13.
  std::uint32_t captured_submissions = 256;
  std::uint64_t captured_bytes = 128ull << 20;

  // Display, host.md 1.15 and 1.16.
  std::uint64_t scanout_read_back_bytes = 64ull << 20;  ///< RGBA8 output.
  std::uint64_t cursor_read_back_bytes = 4ull << 20;
  std::uint32_t vblank_catch_up_edges = 1'024;  ///< Per tick, host.md 1.14.
};

}  // namespace aerogpu
