// SPDX-License-Identifier: MIT
/// \file SM4 and SM5 programs built from operands and opcodes (shaders.md 3.6).
#pragma once

#include "tests/support/byte_code/dxbc_container.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace aerogpu::test::sm4 {

enum class program_type : std::uint32_t { pixel, vertex, geometry, hull, domain, compute };

/// Opcodes that the samples use.
enum op : std::uint32_t {
  add = 0x00,
  cut = 0x09,
  discard = 0x0D,
  dp4 = 0x11,
  op_else = 0x12,
  emit = 0x13,
  emit_then_cut = 0x14,
  endif = 0x15,
  iadd = 0x1E,
  op_if = 0x1F,
  ishl = 0x29,
  itof = 0x2B,
  ld = 0x2D,
  ld_multisampled = 0x2E,
  mad = 0x32,
  mov = 0x36,
  mul = 0x38,
  ret = 0x3E,
  sample = 0x45,
  sample_c_lz = 0x47,
  sample_l = 0x48,
  utof = 0x56,
  dcl_resource = 0x58,
  dcl_constant_buffer = 0x59,
  dcl_sampler = 0x5A,
  dcl_output_topology = 0x5C,
  dcl_input_primitive = 0x5D,
  dcl_max_output_vertices = 0x5E,
  dcl_input = 0x5F,
  dcl_input_sgv = 0x60,
  dcl_input_siv = 0x61,
  dcl_input_ps = 0x62,
  dcl_input_ps_sgv = 0x63,
  dcl_output = 0x65,
  dcl_output_siv = 0x67,
  dcl_temps = 0x68,
  hs_decls = 0x71,
  hs_control_point_phase = 0x72,
  hs_fork_phase = 0x73,
  imm_atomic_iadd = 0xB4,
  dcl_input_control_points = 0x93,
  dcl_output_control_points = 0x94,
  dcl_tess_domain = 0x95,
  dcl_tess_partitioning = 0x96,
  dcl_tess_output_primitive = 0x97,
  dcl_fork_instances = 0x99,
  dcl_thread_group = 0x9B,
  dcl_uav_typed = 0x9C,
  dcl_uav_raw = 0x9D,
  dcl_uav_structured = 0x9E,
  dcl_resource_raw = 0xA1,
  dcl_resource_structured = 0xA2,
  store_typed = 0xA4,
  ld_raw = 0xA5,
  store_raw = 0xA6,
  ld_structured = 0xA7,
  store_structured = 0xA8,
  imm_atomic_alloc = 0xB2,
};

/// Register types.
enum file : std::uint32_t {
  temp = 0,
  input = 1,
  output = 2,
  immediate = 4,
  sampler = 6,
  resource = 7,
  constants = 8,
  primitive_id = 0x0B,
  output_depth = 0x0C,
  null = 0x0D,
  output_control_point_id = 0x16,
  fork_instance_id = 0x17,
  input_control_point = 0x19,
  patch_constant = 0x1B,
  domain_point = 0x1C,
  uav = 0x1E,
  thread_id = 0x20,
};

using indices = std::initializer_list<std::uint32_t>;

namespace parts {

[[nodiscard]] inline auto lane(char name) -> std::uint32_t {
  return static_cast<std::uint32_t>(std::string_view{"xyzw"}.find(name));
}

[[nodiscard]] inline auto with_indices(std::uint32_t token, indices at) -> token_vector {
  token_vector tokens{token | static_cast<std::uint32_t>(at.size()) << 20};
  tokens.insert(tokens.end(), at);
  return tokens;
}

}  // namespace parts

/// A register with a mask such as "xyz": a destination, or what a declaration names.
[[nodiscard]] inline auto to(file what, indices at, std::string_view mask = "xyzw")
    -> token_vector {
  std::uint32_t bits = 0;
  for (const char c : mask) bits |= 1u << parts::lane(c);
  return parts::with_indices(2u | bits << 4 | what << 12, at);
}

/// A register with a swizzle such as "xyxx"; one letter takes one component.
[[nodiscard]] inline auto from(file what, indices at, std::string_view swizzle = "xyzw")
    -> token_vector {
  if (swizzle.size() == 1) {
    return parts::with_indices(2u | 2u << 2 | parts::lane(swizzle[0]) << 4 | what << 12, at);
  }
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < 4; ++i) bits |= parts::lane(swizzle[i]) << (2 * i);
  return parts::with_indices(2u | 1u << 2 | bits << 4 | what << 12, at);
}

/// A register without components, such as a sampler or null.
[[nodiscard]] inline auto plain(file what, indices at = {}) -> token_vector {
  return parts::with_indices(what << 12, at);
}

/// A register of one component, such as the primitive id.
[[nodiscard]] inline auto scalar(file what) -> token_vector {
  return {1u | what << 12};
}

[[nodiscard]] inline auto bits(std::uint32_t x) -> token_vector {
  return {0x4001, x};
}
[[nodiscard]] inline auto bits(std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint32_t w)
    -> token_vector {
  return {0x4002, x, y, z, w};
}
[[nodiscard]] inline auto number(float x) -> token_vector {
  return bits(as_bits(x));
}
[[nodiscard]] inline auto number(float x, float y, float z, float w) -> token_vector {
  return bits(as_bits(x), as_bits(y), as_bits(z), as_bits(w));
}
/// A word behind the operands of a declaration.
[[nodiscard]] inline auto word(std::uint32_t value) -> token_vector {
  return {value};
}

/// Instructions one behind another.
class program {
 public:
  program(program_type type, std::uint32_t major, std::uint32_t minor = 0)
      : tokens_{static_cast<std::uint32_t>(type) << 16 | major << 4 | minor, 0} {}

  /// `controls` are the bits from 11 on.
  auto op(std::uint32_t code, std::initializer_list<token_vector> operands = {},
          std::uint32_t controls = 0) -> program& {
    const std::size_t at = tokens_.size();
    tokens_.push_back(0);
    for (const token_vector& operand : operands) {
      tokens_.insert(tokens_.end(), operand.begin(), operand.end());
    }
    tokens_[at] = static_cast<std::uint32_t>(tokens_.size() - at) << 24 | controls << 11 | code;
    return *this;
  }
  [[nodiscard]] auto tokens() const -> token_vector {
    token_vector finished = tokens_;
    finished[1] = static_cast<std::uint32_t>(finished.size());
    return finished;
  }

 private:
  token_vector tokens_;
};

/// The signatures around a program.
struct interface {
  std::vector<signature_entry> inputs;
  std::vector<signature_entry> outputs;
  std::vector<signature_entry> patch_constants = {};
};

[[nodiscard]] inline auto container(const interface& around, const program& code) -> byte_vector {
  const token_vector tokens = code.tokens();
  std::vector<dxbc_chunk> chunks{{"ISGN", make_signature(around.inputs)},
                                 {"OSGN", make_signature(around.outputs)}};
  if (around.patch_constants.size() != 0) {
    chunks.push_back({"PCSG", make_signature(around.patch_constants)});
  }
  const bool is_model_4 = (tokens[0] >> 4 & 0xF) == 4;
  chunks.push_back({is_model_4 ? "SHDR" : "SHEX", token_bytes(tokens)});
  return make_dxbc(chunks);
}

}  // namespace aerogpu::test::sm4
