// SPDX-License-Identifier: MIT
/// \file Packets that fail, one for each way, on clean and dirty resources.
#pragma once

#include "aerogpu/core/error.hpp"
#include "tests/support/byte_code/shaders.hpp"
#include "tests/support/stream_builder.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace aerogpu::conformance {

using namespace test;

/// Handles of `failing_objects`. Clean ones lie in allocation 1, dirty ones in 2; 3 is read-only.
namespace failing_handles {
inline constexpr std::uint32_t clean_buffer = 1, dirty_buffer = 2, read_only_buffer = 3;
inline constexpr std::uint32_t host_buffer = 4;
inline constexpr std::uint32_t clean_texture = 11, dirty_texture = 12, host_texture = 14;
inline constexpr std::uint32_t vs = 20;
}  // namespace failing_handles

/// 4x4 of four bytes, behind the 16 bytes of a buffer.
[[nodiscard]] inline auto failing_texture(std::uint32_t alloc) -> texture_spec {
  return {.pitch = 16, .memory = {alloc, 16}};
}

[[nodiscard]] inline auto failing_objects() -> stream_builder {
  using namespace failing_handles;
  return stream_builder{}
      .create_buffer(clean_buffer, 16, {1, 0})
      .create_buffer(dirty_buffer, 16, {2, 0})
      .create_buffer(read_only_buffer, 16, {3, 0})
      .create_buffer(host_buffer, 16)
      .create_texture(clean_texture, failing_texture(1))
      .create_texture(dirty_texture, failing_texture(2))
      .create_texture(host_texture, {})
      .create_shader(vs, wire_vs, vs_4_0_origin());
}

struct failing_packet {
  std::string_view name;
  error_code expected;
  void (*add)(stream_builder&);
  std::uint32_t missing_alloc = 0;  ///< Taken out of the table for this submission.
};

[[nodiscard]] inline auto failing_packets() -> std::vector<failing_packet> {
  using namespace failing_handles;
  using s = stream_builder;
  constexpr std::uint32_t write_back = AEROGPU_COPY_FLAG_WRITEBACK_DST;
  return {
      {"a framing error", error_code::framing,
       [](s& to) { to.dirty(clean_buffer, 0, 16).raw(AEROGPU_CMD_DRAW); }},
      {"a dirty range past the buffer", error_code::resource_out_of_bounds,
       [](s& to) { to.dirty(clean_buffer, 0, 17); }},
      {"a dirty range whose end overflows", error_code::size_overflow,
       [](s& to) { to.dirty(clean_texture, 4, UINT64_MAX); }},
      {"a dirty range without its allocation", error_code::unknown_alloc_id,
       [](s& to) { to.dirty(clean_buffer, 0, 16); }, 1},
      {"a rebind with another size", error_code::rebind_mismatch,
       [](s& to) {
         to.create_buffer(dirty_buffer, 20, {2, 0});
       }},
      {"a rebind past the allocation", error_code::alloc_out_of_bounds,
       [](s& to) {
         to.create_buffer(dirty_buffer, 16, {2, 0xF4});
       }},
      {"a rebind of a texture with another pitch", error_code::rebind_mismatch,
       [](s& to) {
         texture_spec other = failing_texture(2);
         other.pitch = 20;
         to.create_texture(dirty_texture, other);
       }},
      {"an upload past the buffer", error_code::resource_out_of_bounds,
       [](s& to) { to.upload(dirty_buffer, 4, filled(16, 9)); }},
      {"an upload that is not aligned", error_code::invalid_parameter,
       [](s& to) { to.upload(dirty_buffer, 2, filled(4, 9)); }},
      {"an upload past the texture", error_code::resource_out_of_bounds,
       [](s& to) { to.upload(dirty_texture, 60, filled(8, 9)); }},
      {"a partial upload that cannot read the rest", error_code::unknown_alloc_id,
       [](s& to) { to.upload(dirty_texture, 0, filled(8, 9)); }, 2},
      {"a copy from a buffer past its end", error_code::resource_out_of_bounds,
       [](s& to) { to.copy_buffer(host_buffer, 0, dirty_buffer, 8, 12); }},
      {"a copy into a buffer past its end", error_code::resource_out_of_bounds,
       [](s& to) { to.copy_buffer(dirty_buffer, 8, host_buffer, 0, 12); }},
      {"a copy that is not aligned", error_code::invalid_parameter,
       [](s& to) { to.copy_buffer(host_buffer, 0, dirty_buffer, 2, 4); }},
      {"a copy with unknown flags", error_code::invalid_parameter,
       [](s& to) { to.copy_buffer(host_buffer, 0, dirty_buffer, 0, 16, 2); }},
      {"a copy onto itself", error_code::invalid_parameter,
       [](s& to) { to.copy_buffer(dirty_buffer, 0, dirty_buffer, 4, 8); }},
      {"a copy from a texture as a buffer", error_code::wrong_kind,
       [](s& to) { to.copy_buffer(host_buffer, 0, dirty_texture, 0, 16); }},
      {"a write-back to host memory", error_code::not_guest_backed,
       [](s& to) { to.copy_buffer(host_buffer, 0, dirty_buffer, 0, 16, write_back); }},
      {"a write-back to read-only memory", error_code::read_only,
       [](s& to) { to.copy_buffer(read_only_buffer, 0, dirty_buffer, 0, 16, write_back); }},
      {"a write-back without its allocation", error_code::unknown_alloc_id,
       [](s& to) { to.copy_buffer(clean_buffer, 0, dirty_buffer, 0, 16, write_back); }, 1},
      {"a copy that cannot read its source", error_code::unknown_alloc_id,
       [](s& to) { to.copy_buffer(host_buffer, 0, dirty_buffer, 0, 16); }, 2},
      {"a partial copy that cannot read its destination", error_code::unknown_alloc_id,
       [](s& to) { to.copy_buffer(dirty_buffer, 0, host_buffer, 0, 8); }, 2},
      {"a texture copy past its edge", error_code::resource_out_of_bounds,
       [](s& to) { to.copy_texture({host_texture}, {.handle = dirty_texture, .x = 1}, 4, 4); }},
      {"a texture copy from a mip that is not there", error_code::invalid_parameter,
       [](s& to) { to.copy_texture({host_texture}, {.handle = dirty_texture, .mip = 1}, 1, 1); }},
      {"a texture copy onto itself", error_code::invalid_parameter,
       [](s& to) { to.copy_texture({dirty_texture}, {dirty_texture}, 4, 4); }},
      {"a texture write-back to host memory", error_code::not_guest_backed,
       [](s& to) { to.copy_texture({host_texture}, {dirty_texture}, 4, 4, write_back); }},
      {"a texture write-back without its allocation", error_code::unknown_alloc_id,
       [](s& to) { to.copy_texture({clean_texture}, {dirty_texture}, 4, 4, write_back); }, 1},
      {"a partial texture copy that cannot read its destination", error_code::unknown_alloc_id,
       [](s& to) { to.copy_texture({dirty_texture}, {host_texture}, 2, 2); }, 2},
      {"a draw without targets", error_code::missing_binding,
       [](s& to) {
         to.bind_shaders(vs, 0).set_texture(wire_ps, 0, dirty_texture).targets({}).draw(3);
       }},
      {"a draw without a vertex shader", error_code::missing_binding,
       [](s& to) { to.bind_shaders(0, 0).targets({host_texture}).draw(3); }},
      {"a draw that cannot read its target", error_code::unknown_alloc_id,
       [](s& to) { to.bind_shaders(vs, 0).targets({dirty_texture}).draw(3); }, 2},
      {"an unknown handle", error_code::unknown_handle,
       [](s& to) { to.copy_buffer(99, 0, dirty_buffer, 0, 16); }},
  };
}

}  // namespace aerogpu::conformance
