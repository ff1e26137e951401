// SPDX-License-Identifier: MIT
/// \file What goldens of Direct3D 10 and 11 shaders share: their vertices, and buffers of words.
#pragma once

#include "tests/golden/guests/guest.hpp"
#include "tests/support/byte_code/dxbc_samples.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace aerogpu::golden {

namespace sm4 = test::sm4;

using test::ilay_element;
using test::wire_cs;
using test::wire_gs;
inline constexpr test::wire_stage wire_hs{AEROGPU_SHADER_STAGE_COMPUTE,
                                          AEROGPU_SHADER_STAGE_EX_HULL};
inline constexpr test::wire_stage wire_ds{AEROGPU_SHADER_STAGE_COMPUTE,
                                          AEROGPU_SHADER_STAGE_EX_DOMAIN};

/// Numbers of DXGI_FORMAT.
inline constexpr std::uint32_t dxgi_float4_format = 2, dxgi_float2_format = 16;

/// What `sm4::vs_passing` reads.
struct dxbc_vertex {
  float x = 0, y = 0, z = 0.5f, w = 1;
  float u = 0, v = 0;
  color4 color{1, 1, 1, 1};
};

/// The head of a compute program: r0 is the four words of t0 that belong to its thread, one to a
/// group; r2 and r3 are free.
[[nodiscard]] auto words_program() -> sm4::program;
/// What r0 is then goes to the same place of u0.
[[nodiscard]] auto words_shader(sm4::program code) -> byte_vector;

/// A guest with one colour target, black at first, and the layout of `dxbc_vertex`.
class dxbc_scene {
 public:
  explicit dxbc_scene(int width = 4, int height = 4, host_variant variant = host_variant::plain);

  guest g;
  std::uint32_t target = 0;

  [[nodiscard]] auto shader(test::wire_stage stage, const byte_vector& container) -> std::uint32_t;
  [[nodiscard]] auto layout(const std::vector<ilay_element>& elements) -> std::uint32_t;
  /// POSITION, TEXCOORD and COLOR of slot 0.
  [[nodiscard]] auto vertex_layout() -> std::uint32_t;
  [[nodiscard]] auto passing_vs() -> std::uint32_t;
  [[nodiscard]] auto color_ps() -> std::uint32_t;

  /// A vertex at a place in pixels of the target.
  [[nodiscard]] auto at(float x, float y, const color4& color = {1, 1, 1, 1}) const -> dxbc_vertex;
  /// Two triangles that cover `where`, with coordinates 0 to 1.
  [[nodiscard]] auto quad(const area& where, const color4& color = {1, 1, 1, 1}) const
      -> std::vector<dxbc_vertex>;
  [[nodiscard]] auto whole() const -> area { return {0, 0, width_, height_}; }

  /// Binds layout, vertices and topology; shaders are bound already.
  void set_vertices(const std::vector<dxbc_vertex>& vertices,
                    std::uint32_t topology = AEROGPU_TOPOLOGY_TRIANGLELIST);
  /// The same, and draws them.
  void draw(const std::vector<dxbc_vertex>& vertices,
            std::uint32_t topology = AEROGPU_TOPOLOGY_TRIANGLELIST);
  /// Draws the whole target with `sm4::vs_passing` and a pixel shader.
  void draw_whole(std::uint32_t pixel_shader);

  void expect(const image& expected, const tolerance& allowed = exact) {
    g.expect(target, expected, allowed);
  }
  void expect(const rgba& color, const tolerance& allowed = exact) {
    g.expect(target, color, allowed);
  }

  /// Runs what is pending, then reads words of a buffer.
  [[nodiscard]] auto read_words(std::uint32_t buffer, std::uint64_t offset_bytes, std::size_t count)
      -> std::vector<std::uint32_t>;
  /// What a `words_shader` makes of words, four to a thread.
  [[nodiscard]] auto run_words(const byte_vector& container,
                               const std::vector<std::uint32_t>& values)
      -> std::vector<std::uint32_t>;
  void expect_words(std::uint32_t buffer, std::uint64_t offset_bytes,
                    const std::vector<std::uint32_t>& expected);

 private:
  int width_, height_;
  std::uint32_t layout_ = 0, passing_vs_ = 0, color_ps_ = 0;
};

}  // namespace aerogpu::golden
