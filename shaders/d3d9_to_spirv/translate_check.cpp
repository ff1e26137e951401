// SPDX-License-Identifier: MIT
// Refuses instructions that the shader's version has no meaning for. What operands may be, the
// parser has checked.
#include "d3d9_to_spirv/shader_context.hpp"

#include <algorithm>

namespace aerogpu::d3d9 {

namespace {

auto exists(availability where, shader_version version) noexcept -> bool {
  const bool is_sm1_pixel = version.is_pixel && version.major == 1;
  const bool is_ps_1_4 = is_sm1_pixel && version.minor == 4;
  switch (where) {
    case availability::anywhere: return true;
    case availability::vertex: return !version.is_pixel;
    case availability::pixel: return version.is_pixel;
    case availability::ps_1_0_to_1_3: return is_sm1_pixel && !is_ps_1_4;
    case availability::ps_1_4: return is_ps_1_4;
    case availability::sm1_pixel: return is_sm1_pixel;
    case availability::sm2: return version.major >= 2;
  }
  return false;
}

auto refuse(const instruction& in, const char* what,
            error_code code = error_code::invalid_parameter) noexcept -> error {
  return error{code, 0, in.offset, static_cast<std::uint64_t>(in.op), 0, what};
}

/// Of ps_1_x, where the destination is also the stage that is sampled.
auto check_stage(const instruction& in, bool is_ps_1_4, std::uint8_t rows) -> result<void> {
  const register_ref& reg = in.destination.reg;
  const register_type wanted = is_ps_1_4 ? register_type::temp : register_type::address_or_texture;
  if (reg.type != wanted) return refuse(in, "destination does not name a texture stage");
  if (reg.number >= sampler_count) return refuse(in, "texture stage is out of range");
  if (reg.number + 1u < rows) return refuse(in, "texture matrix lacks its first rows");
  return {};
}

auto check_instruction(const program& shader, const instruction& in) -> result<void> {
  const d3d9_opcode_row& row = shader.row_of(in);
  const shader_version version = shader.version;
  if (!exists(row.where, version)) {
    return refuse(in, "instruction does not exist in this version", error_code::unsupported);
  }
  if (!version.is_pixel || version.major != 1 || !in.has_destination) return {};
  if (in.op == opcode::texkill) return {};
  const bool is_ps_1_4 = version.minor == 4;
  if (row.kind == opcode_class::texture) return check_stage(in, is_ps_1_4, row.matrix_rows);
  const bool is_coordinate = in.destination.reg.type == register_type::address_or_texture;
  if (is_ps_1_4 && is_coordinate) return refuse(in, "ps_1_4 cannot write t#");
  return {};
}

/// Graphics drivers put callees into their callers, so calls count with all that they call.
auto check_size(const program& shader) -> result<void> {
  if (shader.routines.size() == 1) return {};  // 256 KiB hold no more than the limit.
  constexpr std::size_t label_count = 2048;
  heap_array<std::uint64_t> sizes;
  heap_array<std::uint32_t> by_label;
  if (!sizes.resize(shader.routines.size()) || !by_label.resize(label_count)) {
    return make_error(error_code::out_of_memory, "no memory for a shader's routines");
  }
  for (std::uint32_t r = 1; r < sizes.size(); ++r) by_label[shader.routines[r].label] = r;
  // A routine's size settles once its callees' have: no chain is longer than max_call_depth.
  for (std::uint32_t round = 0; round <= max_call_depth + 1; ++round) {
    for (std::size_t r = 0; r < sizes.size(); ++r) {
      std::uint64_t size = 0;
      for (std::uint32_t i = shader.routines[r].begin; i < shader.routines[r].end; ++i) {
        const instruction& in = shader.instructions[i];
        const bool calls = in.op == opcode::call || in.op == opcode::callnz;
        size += 1 + (calls ? sizes[by_label[in.sources[0].reg.number]] : 0);
      }
      sizes[r] = std::min<std::uint64_t>(size, max_expanded_instructions + 1);
    }
  }
  if (sizes[0] <= max_expanded_instructions) return {};
  return error{error_code::unsupported,   0,
               shader.size_bytes,         sizes[0],
               max_expanded_instructions, "calls expand to too many instructions"};
}

}  // namespace

auto check_program(const program& shader, const translate_options& options) -> result<void> {
  if (options.clip_planes > max_clip_planes) {
    return make_error(error_code::invalid_parameter, "clip_planes exceeds 6", options.clip_planes,
                      max_clip_planes);
  }
  for (const instruction& in : shader.instructions) {
    if (const auto ok = check_instruction(shader, in); !ok) return ok.why();
  }
  return check_size(shader);
}

}  // namespace aerogpu::d3d9
