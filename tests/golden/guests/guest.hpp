// SPDX-License-Identifier: MIT
/// \file A small guest: makes objects, draws, and looks at what came out.
#pragma once

#include "tests/catch.hpp"
#include "tests/golden/guests/color_math.hpp"
#include "tests/golden/guests/image.hpp"
#include "tests/golden/hosts/host.hpp"
#include "tests/support/layout_blobs.hpp"
#include "tests/support/stream_builder.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

namespace aerogpu::golden {

using test::byte_vector;
using test::declaration_element;
using test::stream_builder;
using test::texture_spec;
using test::wire_ps;
using test::wire_vs;

/// What the guest's own shaders read: clip-space position, and four numbers that go with it.
struct vertex {
  float x = 0, y = 0, z = 0, w = 1;
  color4 attribute{};
};

/// Types of D3D9 declaration elements (shaders.md 2.6).
inline constexpr std::uint8_t type_float1 = 0, type_float2 = 1, type_float3 = 2, type_float4 = 3,
                              type_color = 4, type_ubyte4 = 5, type_short2 = 6, type_short4 = 7,
                              type_ubyte4n = 8, type_short2n = 9, type_short4n = 10,
                              type_ushort2n = 11, type_ushort4n = 12, type_udec3 = 13,
                              type_dec3n = 14, type_half2 = 15, type_half4 = 16;
/// Usages.
inline constexpr std::uint8_t usage_position = 0, usage_blendweight = 1, usage_blendindices = 2,
                              usage_normal = 3, usage_psize = 4, usage_texcoord = 5,
                              usage_tangent = 6, usage_binormal = 7, usage_positiont = 9,
                              usage_color = 10;

/// Streams, objects and memory of one guest on a host of its own. What it adds to `stream()` runs
/// when something is read, or at `submit()`. When it goes, nothing may be left in the backend, and
/// the validation of the API must have said nothing.
class guest {
 public:
  explicit guest(host_variant variant = host_variant::plain);
  guest(const guest&) = delete;
  auto operator=(const guest&) -> guest& = delete;
  ~guest();

  // Streams

  [[nodiscard]] auto stream() -> stream_builder& { return stream_; }
  /// Runs what is pending and checks that it succeeds.
  void submit(std::uint32_t context = 0);
  /// Runs what is pending and hands back why it failed.
  [[nodiscard]] auto failure(std::uint32_t context = 0) -> error_code;
  /// A handle that nothing has.
  [[nodiscard]] auto new_handle() -> std::uint32_t { return next_handle_++; }

  // Guest memory

  /// An allocation of `size` zero bytes; its id, for `backing`.
  [[nodiscard]] auto allocate(std::uint64_t size) -> std::uint32_t;
  void poke(std::uint32_t alloc_id, std::uint64_t offset, const byte_vector& bytes);
  [[nodiscard]] auto peek(std::uint32_t alloc_id, std::uint64_t offset, std::size_t size)
      -> byte_vector;

  // Objects

  /// A colour or depth target.
  [[nodiscard]] auto make_target(int width, int height,
                                 std::uint32_t format = AEROGPU_FORMAT_R8G8B8A8_UNORM)
      -> std::uint32_t;
  [[nodiscard]] auto make_texture(const texture_spec& spec) -> std::uint32_t;
  /// With `bytes` as its content, all subresources one after another.
  [[nodiscard]] auto make_texture(const texture_spec& spec, const byte_vector& bytes)
      -> std::uint32_t;
  /// R8G8B8A8 with one mip level.
  [[nodiscard]] auto make_texture(const image& content) -> std::uint32_t;
  [[nodiscard]] auto make_buffer(const byte_vector& bytes) -> std::uint32_t;
  template <class T>
  [[nodiscard]] auto make_buffer(const std::vector<T>& items) -> std::uint32_t {
    const const_bytes bytes = std::as_bytes(std::span{items});
    return make_buffer(byte_vector{bytes.begin(), bytes.end()});
  }
  /// A Direct3D 9 shader from assembly; the first line is its version.
  [[nodiscard]] auto make_shader(std::string_view assembly) -> std::uint32_t;
  /// A Direct3D 9 declaration; the end is added.
  [[nodiscard]] auto make_layout(std::vector<declaration_element> elements) -> std::uint32_t;

  // Drawing

  /// Binds targets; `fill` counts in pixels of the first one.
  void bind_targets(std::vector<std::uint32_t> colors, std::uint32_t depth = 0);
  /// Clears the colour targets.
  void clear(const rgba& color) { stream_.clear(AEROGPU_CLEAR_COLOR, to_color(color)); }
  /// Draws a rectangle of one colour, as two triangles that face the viewer.
  void fill(const area& where, const rgba& color, float z = 0.5f);
  void fill(const area& where, const color4& color, float z = 0.5f);
  /// The same over the whole target.
  void fill_all(const rgba& color, float z = 0.5f);
  void fill_all(const color4& color, float z = 0.5f);
  /// Draws vertices with the colour of their attributes.
  void draw(const std::vector<vertex>& vertices,
            std::uint32_t topology = AEROGPU_TOPOLOGY_TRIANGLELIST);
  /// Draws vertices with a pixel shader that reads their attribute as t0.
  void draw_with(std::uint32_t pixel_shader, const std::vector<vertex>& vertices,
                 std::uint32_t topology = AEROGPU_TOPOLOGY_TRIANGLELIST);
  /// Draws a rectangle that shows what slot 0 holds, from coordinates (0, 0) to (u, v).
  void draw_textured(const area& where, float u = 1, float v = 1);
  /// Two triangles over a rectangle of the first target, attributes by bilinear interpolation.
  [[nodiscard]] auto rectangle(const area& where, float z, const color4& top_left,
                               const color4& top_right, const color4& bottom_left) const
      -> std::vector<vertex>;
  /// Pixels to clip space.
  [[nodiscard]] auto at_pixel(float x, float y, float z = 0.5f) const -> vertex;

  // Looking

  [[nodiscard]] auto renders() const -> bool { return host_->renders(); }
  [[nodiscard]] auto features() const -> host_features { return host_->features(); }
  /// One subresource of a texture as RGBA8.
  [[nodiscard]] auto read(std::uint32_t texture, std::uint32_t mip = 0, std::uint32_t layer = 0)
      -> image;
  /// Its bytes in its own format, tight rows.
  [[nodiscard]] auto read_bytes(std::uint32_t texture, std::uint32_t mip = 0,
                                std::uint32_t layer = 0) -> byte_vector;
  /// The presented image; empty when there is none.
  [[nodiscard]] auto read_presented() -> image;
  /// Checks mip 0 of a texture.
  void expect(std::uint32_t texture, const image& expected, const tolerance& allowed = exact);
  /// The same; all pixels are equal.
  void expect(std::uint32_t texture, const rgba& color, const tolerance& allowed = exact);
  /// Tells how a texture was created where the guest did it by hand.
  void know(std::uint32_t texture, const texture_spec& spec) { specs_[texture] = spec; }

  // Shaders that most cases use

  [[nodiscard]] auto position_and_attribute_vs() -> std::uint32_t;
  [[nodiscard]] auto constant_color_ps() -> std::uint32_t;
  [[nodiscard]] auto attribute_color_ps() -> std::uint32_t;
  [[nodiscard]] auto textured_ps() -> std::uint32_t;
  [[nodiscard]] auto vertex_layout() -> std::uint32_t;

 private:
  [[nodiscard]] auto made_once(std::uint32_t& handle, std::string_view assembly) -> std::uint32_t;

  std::unique_ptr<host> host_;
  std::uint64_t errors_before_ = 0;
  stream_builder stream_;
  conformance::table_entries table_;
  std::map<std::uint32_t, texture_spec> specs_;
  std::uint32_t next_handle_ = 1;
  std::uint32_t next_alloc_ = 1;
  std::uint64_t next_address_ = 0x10'0000;
  int target_width_ = 0, target_height_ = 0;
  std::uint32_t vs_ = 0, constant_ps_ = 0, attribute_ps_ = 0, textured_ps_ = 0, layout_ = 0;
};

/// Texels of a colour format as RGBA8.
[[nodiscard]] auto to_image(const_bytes texels, std::uint32_t format, int width, int height)
    -> image;

}  // namespace aerogpu::golden
