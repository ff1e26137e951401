// SPDX-License-Identifier: MIT
// Runs shaders: the tested one between fixed stages.
#include "tests/support/shaders/shader_device.hpp"

#include "tests/support/shaders/shader_pass.hpp"
#include "tests/support/shaders/shader_stages.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace aerogpu::test {

auto shader_device::find() -> shader_device* {
  static const std::unique_ptr<shader_device> only = [] {
    const char* wish = std::getenv("AEROGPU_TEST_VALIDATION");
    const bool validates = wish == nullptr || std::string_view{wish} != "0";
    auto device = vulkan_device::open(validates ? vulkan_device::layers::validation
                                                : vulkan_device::layers::none);
    return std::unique_ptr<shader_device>{device == nullptr ? nullptr
                                                            : new shader_device{std::move(device)}};
  }();
  return only.get();
}

auto shader_device::draw(const shader_draw& what) -> shader_pixels {
  return shader_pass{*device_, what, shader_pass::output::targets}.run();
}

auto shader_device::run_vertex(const shader_code& shader, std::span<const attributes> inputs,
                               std::uint32_t locations, std::span<const shader_texture> textures)
    -> std::vector<varyings> {
  shader_draw what;
  what.vertex = shader;
  what.pixel = capturing_pixel_shader(locations);
  what.vertices.assign(inputs.begin(), inputs.end());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    what.vertices[i][0] = place_in_row(i, inputs.size());
  }
  what.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  what.width = static_cast<std::uint32_t>(inputs.size());
  what.textures.assign(textures.begin(), textures.end());
  return shader_pass{*device_, what, shader_pass::output::capture}.run().captured;
}

auto shader_device::run_pixel(const shader_code& shader, std::span<const varyings> inputs,
                              std::uint8_t color_outputs, std::span<const shader_texture> textures)
    -> shader_pixels {
  shader_draw what;
  what.vertex = feeding_vertex_shader();
  what.pixel = shader;
  what.vertices.resize(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    what.vertices[i][0] = place_in_row(i, inputs.size());
    std::ranges::copy(std::span{inputs[i]}.first<location_count - 1>(),
                      what.vertices[i].begin() + 1);
  }
  what.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  what.width = static_cast<std::uint32_t>(inputs.size());
  what.textures.assign(textures.begin(), textures.end());
  what.color_outputs = color_outputs;
  return draw(what);
}

auto shader_device::feeding_vertex_shader() -> const shader_code& {
  if (feeding_.words.empty()) feeding_.words = assemble_feeding_stage();
  return feeding_;
}

auto shader_device::capturing_pixel_shader(std::uint32_t locations) -> const shader_code& {
  shader_code& code = capturing_[locations];
  if (code.words.empty()) code.words = assemble_capturing_stage(locations);
  return code;
}

auto place_in_row(std::size_t index, std::size_t width) -> float4 {
  const auto centre = static_cast<float>(2 * index + 1) / static_cast<float>(width) - 1;
  return {centre, 0, 0.5f, 1};
}

auto covering_triangle(const std::array<attributes, 3>& corners) -> std::vector<attributes> {
  constexpr std::array<float4, 3> places{{{-1, -1, 0.5f, 1}, {-1, 3, 0.5f, 1}, {3, -1, 0.5f, 1}}};
  std::vector<attributes> all(corners.begin(), corners.end());
  for (std::size_t i = 0; i < places.size(); ++i) all[i][0] = places[i];
  return all;
}

auto bytes_of_block(const d3d9::constant_block& constants) -> std::vector<std::byte> {
  const auto bytes = std::as_bytes(std::span{&constants, 1});
  return {bytes.begin(), bytes.end()};
}

auto code_of(const d3d9::translation& from, const d3d9::constant_block& constants) -> shader_code {
  auto bytes = bytes_of_block(constants);
  const std::size_t first = offsetof(d3d9::constant_block, floats) - float_constants_offset(from);
  bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(first));
  return {{from.words.begin(), from.words.end()}, std::move(bytes)};
}

}  // namespace aerogpu::test
