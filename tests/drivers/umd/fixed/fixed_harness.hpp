// SPDX-License-Identifier: MIT
/// \file A device's state, its fixed-function pipeline, and an interpreter that runs the shaders.
#pragma once

#include "drivers/win7/umd/d3d9/fixed/fixed_function.hpp"
#include "tests/catch.hpp"
#include "tests/support/shaders/fixed_function_reference.hpp"
#include "tests/support/shaders/shader_interpreter.hpp"

#include <bit>
#include <map>
#include <string>
#include <vector>

namespace aerogpu::test {

/// Keeps the tokens of shaders and counts what was made.
class recording_factory final : public umd::fixed::shader_factory {
 public:
  auto create(umd::fixed::shader_stage stage, std::span<const std::uint32_t> tokens,
              shader_handle& out) noexcept -> HRESULT override;
  void destroy(umd::fixed::shader_stage stage, shader_handle shader) noexcept override;

  std::map<shader_handle, std::vector<std::uint32_t>> shaders;  ///< That live.
  std::vector<shader_handle> destroyed;
  std::size_t created = 0;
  HRESULT next_result = S_OK;

 private:
  std::uint32_t last_ = 0;
};

/// Direct3D's default states, matrices of identity.
[[nodiscard]] auto default_state() -> umd::device_state;

[[nodiscard]] constexpr auto bits(float v) -> std::uint32_t {
  return std::bit_cast<std::uint32_t>(v);
}
[[nodiscard]] auto matrix_of(const std::array<std::array<float, 4>, 4>& rows) -> D3DMATRIX;
[[nodiscard]] auto translation(float x, float y, float z) -> D3DMATRIX;
/// Turns about the y axis, then scales and moves.
[[nodiscard]] auto turned(float angle, float scale, float x, float y, float z) -> D3DMATRIX;
[[nodiscard]] auto perspective() -> D3DMATRIX;

/// Elements of a declaration for a format, in an order of its own, and END.
[[nodiscard]] auto elements_of(const reference_format& format) -> std::vector<D3DVERTEXELEMENT9>;

/// The texels of every stage, smooth so that rounding does not matter.
[[nodiscard]] auto texel_of(unsigned stage, const double4& coordinate) -> double4;

class fixed_harness {
 public:
  fixed_harness();

  // What a test sets.
  umd::device_state state = default_state();
  reference_format format;
  std::array<umd::fixed::texture_shape, 8> textures{};
  bool has_vertex_shader = false;
  bool has_pixel_shader = false;
  bool has_unclamped_colors = false;
  bool draws_sprites = false;
  bool has_fog_behind = true;
  umd::viewport viewport{0, 0, 640, 480, 0, 1};

  void set(D3DRENDERSTATETYPE which, std::uint32_t value);
  void set(unsigned stage, D3DTEXTURESTAGESTATETYPE which, std::uint32_t value);
  void set_light(std::uint32_t number, const D3DLIGHT9& light, bool is_enabled = true);
  void set_transform(unsigned which, const D3DMATRIX& value);
  /// COLOROP, COLORARG1, COLORARG2; alpha takes its first argument.
  void set_stage(unsigned stage, std::uint32_t op, std::uint32_t arg1, std::uint32_t arg2,
                 std::uint32_t arg0 = 0);
  void bind(unsigned stage, umd::fixed::texture_shape shape = umd::fixed::texture_shape::image_2d);

  [[nodiscard]] auto inputs() const -> umd::fixed::draw_inputs;
  [[nodiscard]] auto reference() const -> reference_draw;

  /// Prepares a draw and sends its constants as the driver would.
  auto prepare() -> HRESULT;
  [[nodiscard]] auto vertex_tokens() const -> const std::vector<std::uint32_t>&;
  [[nodiscard]] auto pixel_tokens() const -> const std::vector<std::uint32_t>&;

  /// Run the prepared shaders.
  [[nodiscard]] auto run_vertex(const reference_vertex& vertex) const -> reference_varyings;
  [[nodiscard]] auto run_pixel(const reference_varyings& in) const -> double4;

  /// Prepare, then compare with the reference, within `tolerance` of values up to 1.
  void check_vertex(const reference_vertex& vertex, double tolerance = 2e-4);
  void check_pixel(const reference_varyings& in, double tolerance = 2e-4);

  recording_factory factory;
  umd::fixed::pipeline pipeline{factory};
  umd::fixed::constant_file vertex_file;
  umd::fixed::constant_file pixel_file;
  umd::fixed::draw_plan plan;
  d3d9::constant_block vertex_constants{};  ///< As the host has them.
  d3d9::constant_block pixel_constants{};
  std::size_t uploaded_registers = 0;  ///< By the last `prepare`.
};

/// What the host fetches for a declared input: missing components are 0, 0, 0, 1.
[[nodiscard]] auto fetched_element(const reference_format& format, const reference_vertex& vertex,
                                   const d3d9::declaration& input) -> float4;

[[nodiscard]] auto text_of(const double4& v) -> std::string;
[[nodiscard]] auto is_near(const double4& a, const double4& b, double tolerance) -> bool;

/// Instructions of an opcode in a shader, and how they stand in its assembly.
[[nodiscard]] auto count_of(const std::vector<std::uint32_t>& tokens, d3d9::opcode op)
    -> std::size_t;
[[nodiscard]] auto assembly_of(const std::vector<std::uint32_t>& tokens) -> std::string;

}  // namespace aerogpu::test
