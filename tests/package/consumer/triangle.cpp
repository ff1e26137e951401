// SPDX-License-Identifier: MIT
// A program outside of the project: a guest draws a triangle with Direct3D 9 shaders on Vulkan.
#include "d3d9_to_spirv/assembly/assemble.hpp"
#include "guest.hpp"
#include "vulkan/device/device_list.hpp"
#include "vulkan/device/host_allocator.hpp"
#include "vulkan/device/stuck_devices.hpp"
#include "vulkan/vulkan_backend.hpp"

#include <cstdlib>

namespace {

constexpr shader_handle vertices{2}, pixels{3};
constexpr input_layout_handle layout{4};
constexpr resource_handle corners{5};

/// The token stream of a shader, which has no errors.
auto tokens(std::string_view text) -> std::vector<std::uint32_t> {
  auto assembled = d3d9::assemble(text);
  if (!assembled) std::exit(7);
  return *assembled;
}

auto draw_triangle(stream_writer<span_sink>& w) -> bool {
  const auto vs = tokens("vs_2_0\ndcl_position v0\nmov oPos, v0\n");
  const auto ps = tokens("ps_2_0\ndef c0, 0.2, 0.4, 0.6, 1\nmov oC0, c0\n");
  constexpr std::array<float, 12> places{-1, -3, 0, 1, -1, 1, 0, 1, 3, 1, 0, 1};
  constexpr d3d9_vertex_element position{0, 0, 3, 0, 0, 0};  // FLOAT4, POSITION0
  std::array<std::byte, 64> blob{};
  const auto declaration = write_d3d9_declaration(std::span{&position, 1}, blob);
  const aerogpu_vertex_buffer_binding binding{raw(corners), 16, 0, 0};
  return declaration &&
         w.create_shader_dxbc(vertices, shader_stage::vertex, std::as_bytes(std::span{vs})) &&
         w.create_shader_dxbc(pixels, shader_stage::pixel, std::as_bytes(std::span{ps})) &&
         w.bind_shaders({vertices, pixels}) && w.create_input_layout(layout, *declaration) &&
         w.set_input_layout(layout) &&
         w.create_buffer({corners, AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER, sizeof places}) &&
         w.upload_resource(corners, 0, std::as_bytes(std::span{places})) &&
         w.set_vertex_buffers(0, std::span{&binding, 1}) && w.clear({.color = {1, 1, 1, 1}}) &&
         w.set_viewport({0, 0, 4, 4}) && w.set_render_state(22, 1) &&  // D3DRS_CULLMODE, none
         w.set_primitive_topology(AEROGPU_TOPOLOGY_TRIANGLELIST) && w.draw(3);
}

}  // namespace

auto main() -> int {
  vulkan::tune_host_allocator();
  for (const vulkan::device_entry& device : vulkan::list_devices()) {
    if (!device.unsafe.empty()) std::printf("%s: %s\n", device.name.c_str(), device.unsafe.c_str());
  }
  auto backend = vulkan::vulkan_backend::create();
  if (!backend) return std::printf("consumer: no Vulkan: %s\n", backend.why().what), 8;
  const int code = run_guest(**backend, draw_triangle);
  backend->reset();
  if (!vulkan::has_stuck_devices()) return code;
  std::fflush(stdout);
  std::_Exit(code);
}
