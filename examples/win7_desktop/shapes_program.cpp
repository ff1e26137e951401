// SPDX-License-Identifier: MIT
#include "programs.hpp"
#include "shapes.hpp"

#include <span>

namespace win7_desktop {

namespace {

[[nodiscard]] auto scene_at(double turn) -> shape_list {
  const auto angle = static_cast<float>(turn);
  shape_list made;
  add_gradient(made, content_width, content_height, 0xFF101A3C, 0xFF35204E);
  add_star(made, 120, 132, 104, 46, 7, angle, 0xFFFFE08A, 0xC8F0562E);
  add_star(made, 226, 118, 88, 76, 5, -angle * 1.3F, 0xE0B8F4FF, 0xA01E7BE0);
  add_star(made, 188, 186, 52, 20, 5, angle * 1.9F, 0xFFFFFFFF, 0xC04CD68A);
  return made;
}

}  // namespace

auto shapes_program::draw(aerogpu::sim::d3d9_device& device, journal& log, double turn) -> bool {
  const shape_list scene = scene_at(turn);
  const bool is_ready =
      log.check(device.clear({}, D3DCLEAR_TARGET, 0xFF000000, 1, 0), "Clear") &&
      log.check(device.set_render_state(D3DRS_LIGHTING, 0), "SetRenderState") &&
      log.check(device.set_render_state(D3DRS_CULLMODE, D3DCULL_NONE), "SetRenderState") &&
      log.check(device.set_render_state(D3DRS_ALPHABLENDENABLE, 1), "SetRenderState") &&
      log.check(device.set_render_state(D3DRS_SRCBLEND, D3DBLEND_SRCALPHA), "SetRenderState") &&
      log.check(device.set_render_state(D3DRS_DESTBLEND, D3DBLEND_INVSRCALPHA), "SetRenderState") &&
      log.check(device.set_fvf(D3DFVF_XYZRHW | D3DFVF_DIFFUSE), "SetFVF");
  return is_ready &&
         log.check(device.draw_primitive_up(D3DPT_TRIANGLELIST, static_cast<UINT>(scene.size() / 3),
                                            std::as_bytes(std::span{scene}), sizeof(screen_vertex)),
                   "DrawPrimitiveUP");
}

auto shapes_program::expected(double turn) const -> canvas {
  canvas made(content_width, content_height, 0xFF000000);
  fill_triangles(made, scene_at(turn));
  return made;
}

}  // namespace win7_desktop
