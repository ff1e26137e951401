// SPDX-License-Identifier: MIT
/// \file What the bytes of CREATE_SHADER_DXBC are, told from the bytes alone (shaders.md 1.1).
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/limits.hpp"
#include "aerogpu/shader/d3d9_bytecode.hpp"
#include "aerogpu/shader/dxbc_container.hpp"
#include "aerogpu/shader/shader_inputs.hpp"
#include "aerogpu/shader/shader_language.hpp"
#include "aerogpu/shader/shader_signature.hpp"
#include "aerogpu/shader/sm4_program.hpp"
#include "aerogpu/stream/stage.hpp"

#include <array>
#include <cstdint>

namespace aerogpu {

/// A shader whose bytes are well formed. `code` lies in the bytes that were classified.
struct shader_program {
  shader_stage stage = shader_stage::vertex;
  shader_language language = shader_language::d3d9_tokens;
  std::uint8_t major = 0;  ///< Shader model; 1..3 reads D3D9 registers, 4 and up tables.
  std::uint8_t minor = 0;
  const_bytes code;      ///< D3D9 tokens up to the end token, or the whole container.
  vertex_inputs inputs;  ///< Of a vertex shader.
  std::uint8_t input_control_points = 0;  ///< Of a hull shader; 0 = not declared.
  /// Why no backend can run it; null when one may. Its handle lives, its draws fail.
  const char* unsupported = nullptr;

  [[nodiscard]] auto is_d3d9() const noexcept -> bool {
    return language == shader_language::d3d9_tokens;
  }
};

/// The first chunk that holds SM4 or SM5 tokens, or D3D9 tokens in a container.
[[nodiscard]] inline auto find_code(const dxbc_container& container) noexcept -> const_bytes {
  const const_bytes sm4 = container.find(fourcc("SHDR"));
  return sm4.data() != nullptr ? sm4 : container.find(fourcc("SHEX"));
}

namespace detail {

[[nodiscard]] inline auto bad_shader(const char* what, std::uint64_t detail = 0,
                                     std::uint64_t limit = 0) noexcept -> error {
  return make_error(error_code::invalid_parameter, what, detail, limit);
}

[[nodiscard]] inline auto classify_d3d9(const_bytes tokens) noexcept -> result<shader_program> {
  const auto parsed = parse_d3d9_bytecode(tokens);
  if (!parsed) return parsed.why();
  return shader_program{.stage = parsed->stage,
                        .language = shader_language::d3d9_tokens,
                        .major = parsed->major,
                        .minor = parsed->minor,
                        .code = tokens.first(parsed->size_bytes),
                        .inputs = parsed->inputs};
}

/// Fills in the inputs of a vertex shader from its signature.
[[nodiscard]] inline auto read_signature(const dxbc_container& container,
                                         shader_program& program) noexcept -> result<void> {
  struct signature_chunk {
    std::uint32_t name;
    signature_shape shape;
  };
  constexpr std::array chunks{signature_chunk{fourcc("ISGN"), isgn_shape},
                              signature_chunk{fourcc("ISG1"), isg1_shape}};
  for (const auto& [name, shape] : chunks) {
    const const_bytes chunk = container.find(name);
    if (chunk.data() == nullptr) continue;
    const auto inputs = parse_input_signature(chunk, shape);
    if (!inputs) return inputs.why();
    program.inputs = *inputs;
    return {};
  }
  return {};
}

[[nodiscard]] inline auto from_sm4(const sm4_program& program, const_bytes code) noexcept
    -> shader_program {
  return {.stage = program.stage,
          .language = shader_language::dxbc_container,
          .major = program.major,
          .minor = program.minor,
          .code = code,
          .inputs = {},
          .input_control_points = program.input_control_points};
}

[[nodiscard]] inline auto classify_container(const_bytes bytes) noexcept -> result<shader_program> {
  const auto container = dxbc_container::parse(bytes);
  if (!container) return container.why();
  const const_bytes tokens = find_code(*container);
  if (tokens.size() < sizeof(std::uint32_t)) {
    return bad_shader("the DXBC container holds no shader program");
  }
  if (d3d9::is_version_token(load<std::uint32_t>(tokens.data()))) return classify_d3d9(tokens);
  const auto parsed = parse_sm4_program(tokens);
  if (!parsed) return parsed.why();
  shader_program program = from_sm4(*parsed, container->bytes());
  if (!parsed->is_walkable) {
    program.unsupported = "the shader's instructions are not in a known encoding";
  } else if (program.stage == shader_stage::vertex) {
    const auto read = read_signature(*container, program);
    if (!read) return read.why();
  }
  return program;
}

/// SM4 or SM5 tokens that lack the container with the signatures.
[[nodiscard]] inline auto classify_bare_sm4(const_bytes bytes) noexcept -> result<shader_program> {
  const bool has_length = bytes.size() >= 8 && bytes.size() % 4 == 0 &&
                          load<std::uint32_t>(bytes.data() + 4) == bytes.size() / 4;
  if (!has_length) return bad_shader("the shader is neither DXBC nor Direct3D tokens");
  const auto parsed = parse_sm4_program(bytes);
  if (!parsed) return parsed.why();
  shader_program program = from_sm4(*parsed, bytes);
  program.unsupported = "the shader program lacks its container";
  return program;
}

[[nodiscard]] inline auto classify_bytes(const_bytes bytes) noexcept -> result<shader_program> {
  if (bytes.size() < sizeof(std::uint32_t)) return bad_shader("the shader is cut", bytes.size());
  const auto first = load<std::uint32_t>(bytes.data());
  if (first == dxbc_magic) return classify_container(bytes);
  if (!d3d9::is_version_token(first)) return classify_bare_sm4(bytes);
  if (bytes.size() % 4 != 0) {
    return bad_shader("the D3D9 byte code is not a multiple of 4", bytes.size(), 4);
  }
  return classify_d3d9(bytes);
}

}  // namespace detail

/// Tells what a shader's bytes are, for a packet that names `stage`.
/// Errors: invalid_parameter for malformed bytes and D3D9 blobs over their limit; out_of_memory for
/// containers over theirs; wrong_kind when the program is of another stage. A well-formed program
/// that no backend can run is no error: see `shader_program::unsupported`.
[[nodiscard]] inline auto classify_shader(const_bytes bytes, shader_stage stage,
                                          const limits& limits) noexcept -> result<shader_program> {
  if (bytes.size() > limits.shader_blob_bytes) {
    return make_error(error_code::out_of_memory, "the shader exceeds its limit", bytes.size(),
                      limits.shader_blob_bytes);
  }
  const auto program = detail::classify_bytes(bytes);
  if (!program) return program.why();
  if (program->is_d3d9() && bytes.size() > limits.d3d9_shader_blob_bytes) {
    return detail::bad_shader("the D3D9 shader exceeds its limit", bytes.size(),
                              limits.d3d9_shader_blob_bytes);
  }
  if (program->stage != stage) {
    return make_error(error_code::wrong_kind, "the shader program is of another stage",
                      static_cast<std::uint64_t>(program->stage),
                      static_cast<std::uint64_t>(stage));
  }
  return *program;
}

}  // namespace aerogpu
