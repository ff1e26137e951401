// SPDX-License-Identifier: MIT
/// \file Every bound of the host, in one place, with its default, unit and reason.
#pragma once

#include "aerogpu/core/language.hpp"

#include <cstdint>

namespace aerogpu {

/// What one device may hold. Exhaustion is `out_of_memory` on that submission, never an abort.
/// Defaults follow host.md 1.18 where it names a number. docs/limits.md is made from this file.
struct limits {
  // Fetch (host.md 1.18)

  /// Used bytes of one command stream; a larger header is refused before anything is allocated.
  std::uint32_t stream_bytes = 64u << 20;
  /// Used bytes of one allocation table.
  std::uint32_t alloc_table_bytes = 16u << 20;
  /// Packets of one command stream, which runs to its end once it began: six times what the largest
  /// command buffer of the Windows driver holds.
  std::uint32_t packets_per_submission = 262'144;

  /// Bytes of guest-backed resources that one submission reads from guest memory, each place
  /// counted as a page at least: twice what one context may own.
  std::uint64_t upload_bytes_per_submission = 4ull << 30;
  /// Bytes that one submission creates, uploads, copies, clears, presents and reads back, counted
  /// likewise: seconds of a processor, and a thousand times what a frame moves.
  std::uint64_t transfer_bytes_per_submission = 16ull << 30;

  // Work of one tick: past any of these the rest of the ring waits for the next tick, due at once

  /// Ring entries; a frame takes a few dozen.
  std::uint32_t descriptors_per_tick = 1'024;
  /// Packets; a frame of a large game has 50,000.
  std::uint32_t packets_per_tick = 65'536;
  /// Bytes of streams and allocation tables copied out of guest memory, malformed ones too.
  std::uint64_t fetched_bytes_per_tick = 16ull << 20;
  /// Bytes that submissions move, as transfer_bytes_per_submission counts them, those that a
  /// recorder reads for them, and 64 for each slot of a table that the end of a context looks at.
  std::uint64_t transfer_bytes_per_tick = 256ull << 20;
  /// Milliseconds, as the host's clock has them: a frame takes a few, and its first one with all
  /// its shaders some hundred. The submission that passes them runs to its end.
  std::uint32_t tick_ms = 1'000;

  // Objects

  /// Live buffers and textures; a desktop holds a few thousand.
  std::uint32_t resources = 65'536;
  /// Resource handles: originals, aliases, views and reserved numbers.
  std::uint32_t resource_names = 131'072;
  /// Live texture views.
  std::uint32_t texture_views = 65'536;
  /// Live shaders.
  std::uint32_t shaders = 65'536;
  /// Live input layouts.
  std::uint32_t input_layouts = 65'536;
  /// Live sampler objects.
  std::uint32_t samplers = 65'536;
  /// State blocks; one per guest D3D device, a few dozen on a desktop. One takes 520 KiB when a
  /// guest sets every constant of every stage and draws.
  std::uint32_t contexts = 1'024;

  // Bytes

  /// What all live buffers and textures take, as the backend says.
  std::uint64_t resource_bytes = 4ull << 30;
  /// The same of those that one context created.
  std::uint64_t resource_bytes_per_context = 2ull << 30;
  /// Charged for each of them at least, and a quarter of it for each subresource: what library,
  /// backend and driver note about an object of any size, and the time that a snapshot takes for
  /// it.
  std::uint64_t resource_minimum_bytes = 4'096;
  /// Byte code of live shaders and blobs of layouts, kept for snapshots and rebuilds.
  std::uint64_t shader_bytes = 256ull << 20;
  /// One DXBC container.
  std::uint32_t shader_blob_bytes = 4u << 20;
  /// One D3D9 shader (host.md 3.2).
  std::uint32_t d3d9_shader_blob_bytes = 512u << 10;

  // Shapes: what Vulkan 1.3 desktop devices offer

  /// Texels, width and height of a texture.
  std::uint32_t texture_dimension = 16'384;
  /// Layers of a texture array.
  std::uint32_t array_layers = 2'048;
  /// One buffer.
  std::uint64_t buffer_bytes = 1ull << 30;

  // Sharing (host.md 2.8)

  /// Tokens bound at the same time.
  std::uint32_t share_tokens = 65'536;
  /// Retired tokens; when full, exports fail, because an entry is never forgotten.
  std::uint32_t retired_share_tokens = 1'048'576;

  // Dirty tracking and completion

  /// Dirty ranges of one buffer; one more uploads the others first, since merging would read guest
  /// memory over what the GPU wrote.
  std::uint32_t dirty_ranges_per_resource = 64;
  /// Bytes that one submission writes back to guest memory. Rows with gaps count as 256 at least:
  /// each is a write of its own.
  std::uint64_t write_back_bytes = 256ull << 20;
  /// Write-back packets of one submission.
  std::uint32_t write_backs = 65'536;
  /// Bytes that all submissions write back that were consumed and not completed. The ring waits
  /// until `write_back_bytes` fit, so that a submission never fails because of others.
  std::uint64_t pending_write_back_bytes = 512ull << 20;
  /// Their write-backs, as above with `write_backs`: each is noted with some 100 bytes.
  std::uint32_t pending_write_backs = 131'072;
  /// Submissions consumed and not completed; at the limit the ring waits.
  std::uint32_t pending_submissions = 1'024;
  /// Fences queued, also in a snapshot (host.md 1.17); at the limit the ring waits. As many reports
  /// of an external executor wait for bus mastering (host.md 1.4).
  std::uint32_t pending_fences = 65'536;
  /// Completions remembered before their submission (host.md 1.12); the oldest goes first.
  std::uint32_t early_completions = 65'536;

  // External executor (host.md 1.13)

  /// Captured submissions waiting for the executor; the oldest is dropped and completed.
  std::uint32_t captured_submissions = 256;
  /// Their payload.
  std::uint64_t captured_bytes = 128ull << 20;

  // Display (host.md 1.15 and 1.16)

  /// RGBA8 bytes of a scanout read-back; larger is refused before anything is allocated.
  std::uint64_t scanout_read_back_bytes = 64ull << 20;
  /// RGBA8 bytes of a cursor read-back.
  std::uint64_t cursor_read_back_bytes = 4ull << 20;
  /// Overdue vblank edges processed in one tick; then the clock is rescheduled.
  std::uint32_t vblank_catch_up_edges = 1'024;
};

}  // namespace aerogpu
