// SPDX-License-Identifier: MIT
/// \file Which values a limit may have: one row for each member of `limits`.
#pragma once

#include "aerogpu/core/error.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/limits.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace aerogpu {

/// A member with its range. 0 is in it where "none of these" is an answer that a guest can get; not
/// where the ring or the embedder's loop would stand still, or every submission fail. The upper end
/// keeps sums in 64 bits, and one call short.
struct limit_row {
  std::string_view name;
  std::uint32_t limits::*word = nullptr;  ///< This or the next.
  std::uint64_t limits::*wide = nullptr;
  std::uint64_t least = 0;
  std::uint64_t most = 0;
  const char* why = nullptr;  ///< What a value outside is told.

  [[nodiscard]] constexpr auto value_in(const limits& l) const noexcept -> std::uint64_t {
    return word != nullptr ? l.*word : l.*wide;
  }
  constexpr void set_in(limits& l, std::uint64_t value) const noexcept {
    if (word != nullptr) {
      l.*word = static_cast<std::uint32_t>(value);
    } else {
      l.*wide = value;
    }
  }
};

namespace detail {

inline constexpr std::uint64_t most_objects = 1ull << 24;
inline constexpr std::uint64_t most_bytes = 1ull << 48;
inline constexpr std::uint64_t any_word = UINT32_MAX;

[[nodiscard]] constexpr auto words(std::string_view name, std::uint32_t limits::*member,
                                   std::uint64_t least, std::uint64_t most,
                                   const char* why) noexcept -> limit_row {
  return {name, member, nullptr, least, most, why};
}
[[nodiscard]] constexpr auto bytes(std::string_view name, std::uint64_t limits::*member,
                                   std::uint64_t least, const char* why) noexcept -> limit_row {
  return {name, nullptr, member, least, most_bytes, why};
}

}  // namespace detail

/// In the order of the members.
inline constexpr std::array limit_table{
    detail::words("stream_bytes", &limits::stream_bytes, 1, detail::any_word,
                  "limits.stream_bytes is 0: no command stream could run"),
    detail::words("alloc_table_bytes", &limits::alloc_table_bytes, 0, detail::any_word, ""),
    detail::words("packets_per_submission", &limits::packets_per_submission, 1, detail::any_word,
                  "limits.packets_per_submission is 0: no command stream could run"),
    detail::bytes("upload_bytes_per_submission", &limits::upload_bytes_per_submission, 1,
                  "limits.upload_bytes_per_submission is not from 1 to 2^48"),
    detail::bytes("transfer_bytes_per_submission", &limits::transfer_bytes_per_submission, 1,
                  "limits.transfer_bytes_per_submission is not from 1 to 2^48"),
    detail::words("descriptors_per_tick", &limits::descriptors_per_tick, 1, detail::any_word,
                  "limits.descriptors_per_tick is 0: the ring would stand still"),
    detail::words("packets_per_tick", &limits::packets_per_tick, 1, detail::any_word,
                  "limits.packets_per_tick is 0: the ring would stand still"),
    detail::bytes("fetched_bytes_per_tick", &limits::fetched_bytes_per_tick, 1,
                  "limits.fetched_bytes_per_tick is not from 1 to 2^48"),
    detail::bytes("transfer_bytes_per_tick", &limits::transfer_bytes_per_tick, 1,
                  "limits.transfer_bytes_per_tick is not from 1 to 2^48"),
    detail::words("tick_ms", &limits::tick_ms, 1, detail::any_word,
                  "limits.tick_ms is 0: the ring would stand still"),
    detail::words("resources", &limits::resources, 0, detail::most_objects,
                  "limits.resources is more than 2^24"),
    detail::words("resource_names", &limits::resource_names, 0, detail::most_objects,
                  "limits.resource_names is more than 2^24"),
    detail::words("texture_views", &limits::texture_views, 0, detail::most_objects,
                  "limits.texture_views is more than 2^24"),
    detail::words("shaders", &limits::shaders, 0, detail::most_objects,
                  "limits.shaders is more than 2^24"),
    detail::words("input_layouts", &limits::input_layouts, 0, detail::most_objects,
                  "limits.input_layouts is more than 2^24"),
    detail::words("samplers", &limits::samplers, 0, detail::most_objects,
                  "limits.samplers is more than 2^24"),
    detail::words("contexts", &limits::contexts, 1, 1u << 16,
                  "limits.contexts is not from 1 to 65,536: a submission runs in a context"),
    detail::bytes("resource_bytes", &limits::resource_bytes, 0,
                  "limits.resource_bytes is more than 2^48"),
    detail::bytes("resource_bytes_per_context", &limits::resource_bytes_per_context, 0,
                  "limits.resource_bytes_per_context is more than 2^48"),
    detail::bytes("resource_minimum_bytes", &limits::resource_minimum_bytes, 0,
                  "limits.resource_minimum_bytes is more than 2^48"),
    detail::bytes("shader_bytes", &limits::shader_bytes, 0,
                  "limits.shader_bytes is more than 2^48"),
    detail::words("shader_blob_bytes", &limits::shader_blob_bytes, 0, detail::any_word, ""),
    detail::words("d3d9_shader_blob_bytes", &limits::d3d9_shader_blob_bytes, 0, detail::any_word,
                  ""),
    detail::words("texture_dimension", &limits::texture_dimension, 0, 1u << 16,
                  "limits.texture_dimension is more than 65,536"),
    detail::words("array_layers", &limits::array_layers, 0, 1u << 16,
                  "limits.array_layers is more than 65,536"),
    detail::bytes("buffer_bytes", &limits::buffer_bytes, 0,
                  "limits.buffer_bytes is more than 2^48"),
    detail::words("share_tokens", &limits::share_tokens, 0, detail::most_objects,
                  "limits.share_tokens is more than 2^24"),
    detail::words("retired_share_tokens", &limits::retired_share_tokens, 0, detail::most_objects,
                  "limits.retired_share_tokens is more than 2^24"),
    detail::words("dirty_ranges_per_resource", &limits::dirty_ranges_per_resource, 1, 4'096,
                  "limits.dirty_ranges_per_resource is not from 1 to 4,096: they are searched"),
    detail::bytes("write_back_bytes", &limits::write_back_bytes, 0,
                  "limits.write_back_bytes is more than 2^48"),
    detail::words("write_backs", &limits::write_backs, 0, detail::most_objects,
                  "limits.write_backs is more than 2^24"),
    detail::bytes("pending_write_back_bytes", &limits::pending_write_back_bytes, 0,
                  "limits.pending_write_back_bytes is more than 2^48"),
    detail::words("pending_write_backs", &limits::pending_write_backs, 0, detail::most_objects,
                  "limits.pending_write_backs is more than 2^24"),
    detail::words("pending_submissions", &limits::pending_submissions, 1, 1u << 20,
                  "limits.pending_submissions is not from 1 to 2^20: with 0 the ring would stand "
                  "still, and their storage is reserved"),
    detail::words("pending_fences", &limits::pending_fences, 1, 1u << 20,
                  "limits.pending_fences is not from 1 to 2^20: with 0 the ring would stand still, "
                  "and their storage is reserved"),
    detail::words("early_completions", &limits::early_completions, 0, 1u << 20,
                  "limits.early_completions is more than 2^20: their storage is reserved"),
    detail::words("captured_submissions", &limits::captured_submissions, 0, detail::most_objects,
                  "limits.captured_submissions is more than 2^24"),
    detail::bytes("captured_bytes", &limits::captured_bytes, 0,
                  "limits.captured_bytes is more than 2^48"),
    detail::bytes("scanout_read_back_bytes", &limits::scanout_read_back_bytes, 0,
                  "limits.scanout_read_back_bytes is more than 2^48"),
    detail::bytes("cursor_read_back_bytes", &limits::cursor_read_back_bytes, 0,
                  "limits.cursor_read_back_bytes is more than 2^48"),
    detail::words("vblank_catch_up_edges", &limits::vblank_catch_up_edges, 1, 1u << 16,
                  "limits.vblank_catch_up_edges is not from 1 to 65,536: with 0 no vblank would "
                  "come, and a late tick runs them all"),
};

/// Error: invalid_parameter for the first member outside its range, with a sentence that names it.
[[nodiscard]] constexpr auto check_limits(const limits& chosen) noexcept -> result<void> {
  for (const limit_row& row : limit_table) {
    const std::uint64_t value = row.value_in(chosen);
    if (value >= row.least && value <= row.most) continue;
    return make_error(error_code::invalid_parameter, row.why, value,
                      value < row.least ? row.least : row.most);
  }
  return {};
}

}  // namespace aerogpu
