// SPDX-License-Identifier: MIT
/// \file The user-mode half of one process: Direct3D 9 calls into one command stream at a time.
#pragma once

#include "aerogpu/stream/sinks.hpp"
#include "aerogpu/stream/writer.hpp"
#include "examples/aero_desktop/guest/guest_kernel.hpp"
#include "examples/aero_desktop/guest/shader_text.hpp"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace desktop {

using float4 = std::array<float, 4>;

/// Pixels, y down.
struct box {
  float x = 0, y = 0, width = 0, height = 0;

  [[nodiscard]] constexpr auto inflated(float by) const -> box {
    return {x - by, y - by, width + 2 * by, height + 2 * by};
  }
  [[nodiscard]] constexpr auto moved(float dx, float dy) const -> box {
    return {x + dx, y + dy, width, height};
  }
};

/// Texels 0..1 of a texture.
inline constexpr box whole_texture{0, 0, 1, 1};

/// What the guest's driver remembers of a texture.
struct surface {
  aerogpu::resource_handle handle{};
  std::uint32_t width = 0;
  std::uint32_t height = 0;
};

/// One context. Objects are created on first use; blending is premultiplied throughout.
class d3d_device {
 public:
  d3d_device(guest_kernel& kernel, aerogpu::context_id context, const shader_library& code);
  d3d_device(const d3d_device&) = delete;
  auto operator=(const d3d_device&) -> d3d_device& = delete;

  [[nodiscard]] auto context() const -> aerogpu::context_id { return context_; }
  [[nodiscard]] auto kernel() -> guest_kernel& { return kernel_; }

  /// Sends what was written since the last time. 0 when a packet or the kernel refuses.
  [[nodiscard]] auto submit(std::uint32_t flags = 0) -> aerogpu::fence_value;

  // Objects
  [[nodiscard]] auto create_target(std::uint32_t width, std::uint32_t height, aerogpu_format format)
      -> surface;
  /// A texture in the guest's memory, B8G8R8A8; `pixels` are written there first.
  [[nodiscard]] auto create_picture(std::uint32_t width, std::uint32_t height,
                                    aerogpu::const_bytes pixels) -> surface;
  [[nodiscard]] auto create_buffer(std::uint32_t usage, aerogpu::const_bytes content)
      -> aerogpu::resource_handle;
  [[nodiscard]] auto create_layout(std::span<const aerogpu::d3d9_vertex_element> elements)
      -> aerogpu::input_layout_handle;
  void destroy(aerogpu::resource_handle resource);
  /// All that this device created and that was not destroyed.
  void destroy_all();

  // Sharing
  void export_surface(const surface& what, aerogpu::share_token token);
  [[nodiscard]] auto import_surface(const surface& like, aerogpu::share_token token) -> surface;

  // State
  void set_target(const surface& color, const surface& depth = {});
  void set_state(std::uint32_t state, std::uint32_t value);
  void set_shaders(shader vertex, shader pixel);
  void set_texture(const surface& what);
  void set_vertex_constants(std::uint32_t first, std::initializer_list<float4> values);
  void set_pixel_constants(std::uint32_t first, std::initializer_list<float4> values);
  void set_vertices(aerogpu::input_layout_handle layout, aerogpu::resource_handle buffer,
                    std::uint32_t stride_bytes);

  // Work
  void clear_depth();
  /// Draws a box of the target with the pixel shader; `texels` is the part of the texture.
  void draw_box(shader pixel, const box& where, const box& texels = whole_texture);
  void draw_triangles(std::uint32_t vertex_count);
  void draw_quads(aerogpu::resource_handle indices, std::uint32_t first_quad,
                  std::uint32_t quad_count);
  void upload(aerogpu::resource_handle to, std::uint64_t offset_bytes, aerogpu::const_bytes bytes);
  void copy(const surface& to, const surface& from);
  void present();
  void mark(std::string_view text);

 private:
  using stream_bytes = std::vector<std::byte>;
  using writer = aerogpu::stream_writer<aerogpu::growing_sink<stream_bytes>>;

  void begin();
  void put(const aerogpu::result<void>& written) { is_good_ = is_good_ && written; }
  void bind_defaults();
  [[nodiscard]] auto handle_of(shader which) -> aerogpu::shader_handle;

  guest_kernel& kernel_;
  aerogpu::context_id context_;
  const shader_library& code_;
  stream_bytes bytes_;
  aerogpu::growing_sink<stream_bytes> sink_{bytes_};
  writer out_{sink_};
  bool is_good_ = true;
  bool has_defaults_ = false;
  std::vector<memory_block> memory_;  ///< That the stream may touch.
  std::vector<aerogpu::resource_handle> resources_;
  std::vector<aerogpu::input_layout_handle> layouts_;
  std::array<aerogpu::shader_handle, shader_count> shaders_{};
  aerogpu::resource_handle corners_{};
  aerogpu::input_layout_handle corner_layout_{};
};

}  // namespace desktop
