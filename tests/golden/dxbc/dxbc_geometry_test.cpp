// SPDX-License-Identifier: MIT
#include "tests/golden/guests/dxbc_guest.hpp"

namespace aerogpu::golden {
namespace {

// D3D10_SB_PRIMITIVE and D3D10_SB_PRIMITIVE_TOPOLOGY.
constexpr std::uint32_t takes_points = 1, takes_lines = 2, takes_triangles = 3, takes_line_adj = 6,
                        takes_triangle_adj = 7;
constexpr std::uint32_t makes_points = 1, makes_line_strips = 3, makes_triangle_strips = 5;
constexpr std::uint32_t declare_instances = 0xCE, instance_id_register = 0x25;

using sm4::program;

/// A geometry shader of POSITION in register 0 and COLOR in register 2, whose body `write` makes.
template <class Write>
[[nodiscard]] auto gs(std::uint32_t primitive, std::uint32_t vertices, std::uint32_t topology,
                      std::uint32_t most, Write write) -> byte_vector {
  using namespace sm4;
  program code{program_type::geometry, 5};
  code.op(dcl_input_siv, {to(input, {vertices, 0}), word(name_position)})
      .op(dcl_input, {to(input, {vertices, 2})})
      .op(dcl_temps, {word(2)})
      .op(dcl_input_primitive, {}, primitive)
      .op(dcl_output_topology, {}, topology)
      .op(dcl_output_siv, {to(output, {0}), word(name_position)})
      .op(dcl_output, {to(output, {2})})
      .op(dcl_max_output_vertices, {word(most)});
  write(code);
  code.op(ret);
  return container({{position_read, color(2)}, {position_out, color(2)}}, code);
}

/// Emits one vertex of the primitive as it is.
void pass(program& code, std::uint32_t vertex) {
  using namespace sm4;
  code.op(mov, {to(output, {0}), from(input, {vertex, 0})})
      .op(mov, {to(output, {2}), from(input, {vertex, 2})})
      .op(emit);
}

[[nodiscard]] auto gs_passing(std::uint32_t primitive, std::uint32_t vertices,
                              std::uint32_t topology, std::initializer_list<std::uint32_t> passed)
    -> byte_vector {
  return gs(primitive, vertices, topology, static_cast<std::uint32_t>(passed.size()),
            [&](program& code) {
              for (const std::uint32_t vertex : passed) pass(code, vertex);
            });
}

struct geometry_scene : dxbc_scene {
  geometry_scene(int width, int height, const byte_vector& container) : dxbc_scene(width, height) {
    const auto vertex = passing_vs(), pixel = color_ps(), geometry = shader(wire_gs, container);
    g.stream()
        .bind_shaders(vertex, pixel, 0, geometry)
        .rasterizer({AEROGPU_FILL_SOLID, AEROGPU_CULL_NONE, 0, 0, 0, 0});
  }
};

constexpr color4 shown_green{0, 1, 0, 1}, shown_red{1, 0, 0, 1};

TEST_CASE("VK-072 a point becomes a quad", "[golden][dxbc][geometry]") {
  geometry_scene s(4, 4, sm4::gs_point_to_quad());
  s.draw({s.at(2, 2, shown_green)}, AEROGPU_TOPOLOGY_POINTLIST);
  s.expect(image(4, 4, black).fill({1, 1, 2, 2}, green));
}

TEST_CASE("VK-072 lines and triangles come in whole", "[golden][dxbc][geometry]") {
  SECTION("the ends of lines") {
    geometry_scene s(4, 1, gs_passing(takes_lines, 2, makes_points, {0, 1}));
    s.draw({s.at(0.5f, 0.5f, shown_green), s.at(3.5f, 0.5f, shown_red)}, AEROGPU_TOPOLOGY_LINELIST);
    s.expect(image(4, 1, black).fill({0, 0, 1, 1}, green).fill({3, 0, 1, 1}, red));
  }
  SECTION("triangles as they are") {
    geometry_scene s(4, 4, gs_passing(takes_triangles, 3, makes_triangle_strips, {0, 1, 2}));
    s.draw(s.quad({1, 0, 2, 4}, shown_green));
    s.expect(image(4, 4, black).fill({1, 0, 2, 4}, green));
  }
  SECTION("a line strip out of triangles") {
    geometry_scene s(4, 1, gs_passing(takes_triangles, 3, makes_line_strips, {0, 1}));
    s.draw({s.at(0, 0.5f, shown_green), s.at(4, 0.5f, shown_green), s.at(2, 1, shown_green)});
    s.expect(green);
  }
}

TEST_CASE("VK-072 lines and triangles with adjacency", "[golden][dxbc][geometry]") {
  const auto dots = [](const dxbc_scene& s, std::initializer_list<int> pixels) {
    std::vector<dxbc_vertex> made;
    for (const int x : pixels) {
      made.push_back(s.at(static_cast<float>(x) + 0.5f, 0.5f, shown_green));
    }
    return made;
  };
  SECTION("the neighbours of a line") {
    geometry_scene s(6, 1, gs_passing(takes_line_adj, 4, makes_points, {0, 3}));
    s.draw(dots(s, {4, 0, 1, 5}), AEROGPU_TOPOLOGY_LINELIST_ADJ);
    s.expect(image(6, 1, black).fill({4, 0, 2, 1}, green));
  }
  SECTION("the neighbours of each line of a strip") {
    geometry_scene s(6, 1, gs_passing(takes_line_adj, 4, makes_points, {0, 3}));
    s.draw(dots(s, {0, 1, 2, 3, 4}), AEROGPU_TOPOLOGY_LINESTRIP_ADJ);
    s.expect(image(6, 1, black).fill({0, 0, 2, 1}, green).fill({3, 0, 2, 1}, green));
  }
  SECTION("the neighbours of a triangle") {
    geometry_scene s(6, 1, gs_passing(takes_triangle_adj, 6, makes_points, {1, 3, 5}));
    s.draw(dots(s, {0, 3, 1, 4, 2, 5}), AEROGPU_TOPOLOGY_TRIANGLELIST_ADJ);
    s.expect(image(6, 1, black).fill({3, 0, 3, 1}, green));
  }
}

TEST_CASE("VK-072 without a geometry shader the neighbours are skipped",
          "[golden][dxbc][geometry]") {
  dxbc_scene s(4, 4);
  const auto vs = s.passing_vs(), ps = s.color_ps();
  s.g.stream().bind_shaders(vs, ps);
  const auto corners = s.quad(s.whole(), shown_green);
  std::vector<dxbc_vertex> vertices;
  for (const dxbc_vertex& v : corners) {
    vertices.push_back(v);
    vertices.push_back(s.at(-100, 37, shown_red));
  }
  s.draw(vertices, AEROGPU_TOPOLOGY_TRIANGLELIST_ADJ);
  s.expect(green);
}

TEST_CASE("VK-072 an indexed strip with a restart index", "[golden][dxbc][geometry]") {
  geometry_scene s(6, 1, gs_passing(takes_lines, 2, makes_line_strips, {0, 1}));
  std::vector<dxbc_vertex> ends;
  for (const int x : {0, 2, 4, 6}) ends.push_back(s.at(static_cast<float>(x), 0.5f, shown_green));
  s.set_vertices(ends, AEROGPU_TOPOLOGY_LINESTRIP);
  s.g.stream()
      .index_buffer(s.g.make_buffer(std::vector<std::uint16_t>{0, 1, 0xFFFF, 2, 3}))
      .draw_indexed(5);
  s.expect(image(6, 1, green).fill({2, 0, 2, 1}, black));
}

TEST_CASE("VK-072 instances of a geometry shader", "[golden][dxbc][geometry]") {
  using namespace sm4;
  // Instance n moves the point by n pixels of four.
  program code{program_type::geometry, 5};
  code.op(declare_instances, {word(3)})
      .op(dcl_input_siv, {to(input, {1, 0}), word(name_position)})
      .op(dcl_input, {to(input, {1, 2})})
      .op(dcl_input, {scalar(static_cast<file>(instance_id_register))})
      .op(dcl_temps, {word(2)})
      .op(dcl_input_primitive, {}, takes_points)
      .op(dcl_output_topology, {}, makes_points)
      .op(dcl_output_siv, {to(output, {0}), word(name_position)})
      .op(dcl_output, {to(output, {2})})
      .op(dcl_max_output_vertices, {word(1)})
      .op(utof, {to(temp, {0}, "x"), scalar(static_cast<file>(instance_id_register))})
      .op(mov, {to(output, {0}), from(input, {0, 0})})
      .op(mad, {to(output, {0}, "x"), from(temp, {0}, "x"), number(0.5f), from(input, {0, 0}, "x")})
      .op(mov, {to(output, {2}), from(input, {0, 2})})
      .op(emit)
      .op(ret);
  geometry_scene s(4, 1, container({{position_read, color(2)}, {position_out, color(2)}}, code));
  s.draw({s.at(0.5f, 0.5f, shown_green)}, AEROGPU_TOPOLOGY_POINTLIST);
  s.expect(image(4, 1, green).fill({3, 0, 1, 1}, black));
}

TEST_CASE("VK-072 a cut begins another strip", "[golden][dxbc][geometry]") {
  const bool cuts = GENERATE(false, true);
  geometry_scene s(6, 1, gs(takes_line_adj, 4, makes_line_strips, 4, [&](program& code) {
                     pass(code, 0);
                     pass(code, 1);
                     if (cuts) code.op(sm4::cut);
                     pass(code, 2);
                     pass(code, 3);
                   }));
  std::vector<dxbc_vertex> ends;
  for (const int x : {0, 2, 4, 6}) ends.push_back(s.at(static_cast<float>(x), 0.5f, shown_green));
  s.draw(ends, AEROGPU_TOPOLOGY_LINELIST_ADJ);
  s.expect(image(6, 1, green).fill({2, 0, 2, 1}, cuts ? black : green));
}

TEST_CASE("VK-072 a geometry shader that emits nothing draws nothing", "[golden][dxbc][geometry]") {
  geometry_scene s(4, 4, gs(takes_triangles, 3, makes_triangle_strips, 3, [](program&) {}));
  s.draw(s.quad(s.whole()));
  s.expect(black);
}

TEST_CASE("VK-072 the primitive's number, in a geometry shader", "[golden][dxbc][geometry]") {
  using namespace sm4;
  program code{program_type::geometry, 4};
  code.op(dcl_input, {scalar(primitive_id)})
      .op(dcl_input_siv, {to(input, {1, 0}), word(name_position)})
      .op(dcl_temps, {word(1)})
      .op(dcl_input_primitive, {}, takes_points)
      .op(dcl_output_topology, {}, makes_points)
      .op(dcl_output_siv, {to(output, {0}), word(name_position)})
      .op(dcl_output, {to(output, {2})})
      .op(dcl_max_output_vertices, {word(1)})
      .op(utof, {to(temp, {0}, "x"), scalar(primitive_id)})
      .op(mov, {to(output, {0}), from(input, {0, 0})})
      .op(mul, {to(output, {2}, "x"), from(temp, {0}, "x"), number(0.25f)})
      .op(mov, {to(output, {2}, "yzw"), number(0, 0, 0, 1)})
      .op(emit)
      .op(ret);
  geometry_scene s(4, 1, container({{position_read}, {position_out, color(2)}}, code));
  std::vector<dxbc_vertex> dots;
  for (int x = 0; x < 4; ++x) dots.push_back(s.at(static_cast<float>(x) + 0.5f, 0.5f));
  s.draw(dots, AEROGPU_TOPOLOGY_POINTLIST);
  s.expect(image::made_by(4, 1,
                          [](int x, int) {
                            constexpr std::array<std::uint8_t, 4> reds{0, 64, 128, 191};
                            return rgba{reds[static_cast<std::size_t>(x)], 0, 0, 255};
                          }),
           rounding);
}

/// A point with the colour b2[1] * t5[s3](0, 0) + a float4 of the structured t6.
[[nodiscard]] auto gs_reading_tables() -> byte_vector {
  using namespace sm4;
  program code{program_type::geometry, 5};
  code.op(dcl_constant_buffer, {from(constants, {2, 2})})
      .op(dcl_sampler, {plain(sampler, {3})})
      .op(dcl_resource, {plain(resource, {5}), word(returns_float)}, texture_2d)
      .op(dcl_resource_structured, {plain(resource, {6}), word(16)})
      .op(dcl_input_siv, {to(input, {1, 0}), word(name_position)})
      .op(dcl_temps, {word(2)})
      .op(dcl_input_primitive, {}, takes_points)
      .op(dcl_output_topology, {}, makes_points)
      .op(dcl_output_siv, {to(output, {0}), word(name_position)})
      .op(dcl_output, {to(output, {2})})
      .op(dcl_max_output_vertices, {word(1)})
      .op(sample_l,
          {to(temp, {0}), number(0, 0, 0, 0), from(resource, {5}), plain(sampler, {3}), number(0)})
      .op(ld_structured, {to(temp, {1}), bits(0), bits(0), from(resource, {6})})
      .op(mov, {to(output, {0}), from(input, {0, 0})})
      .op(mad, {to(output, {2}), from(constants, {2, 1}), from(temp, {0}), from(temp, {1})})
      .op(emit)
      .op(ret);
  return container({{position_read}, {position_out, color(2)}}, code);
}

TEST_CASE("VK-072 VK-075 geometry shaders have tables of their own", "[golden][dxbc][geometry]") {
  geometry_scene s(1, 1, gs_reading_tables());
  const auto constants = s.g.make_buffer(std::vector<color4>{{9, 9, 9, 9}, {1, 0.5f, 1, 0}});
  const auto texture = s.g.make_texture(image(1, 1, {255, 255, 0, 255}));
  const auto element = s.g.make_buffer(std::vector<color4>{{0, 0, 1, 1}});
  const auto source = s.g.make_buffer(std::vector<std::uint32_t>{1, 2, 3, 4});
  const auto result = s.g.make_buffer(std::vector<std::uint32_t>(8, 0));
  const auto other = s.g.make_buffer(std::vector<color4>(16));
  const auto cs = s.shader(wire_cs, sm4::cs_raw());
  // The same slots of the compute stage hold other things, before and after.
  s.g.stream()
      .constant_buffers(wire_cs, 2, {{other}})
      .set_texture(wire_cs, 5, 0)
      .resource_buffers(wire_cs, 6, {{other}})
      .constant_buffers(wire_gs, 2, {{constants}})
      .set_texture(wire_gs, 5, texture)
      .resource_buffers(wire_gs, 0, {{other}})
      .resource_buffers(wire_gs, 6, {{element}})
      .unordered_access(wire_gs, 0, {{other}})
      .resource_buffers(wire_cs, 0, {{source}})
      .unordered_access(wire_cs, 0, {{result}})
      .constant_buffers(wire_cs, 2, {{other}})
      .resource_buffers(wire_cs, 6, {{other}})
      .set_texture(wire_ps, 5, 0);
  s.draw({s.at(0.5f, 0.5f)}, AEROGPU_TOPOLOGY_POINTLIST);
  s.g.stream().bind_shaders(0, 0, cs).dispatch(1, 1, 1);
  s.expect({255, 128, 255, 255}, rounding);
  s.expect_words(result, 0, {2, 3, 4, 5, 0});
}

TEST_CASE("VK-072 a geometry shader writes to a buffer", "[golden][dxbc][geometry]") {
  using namespace sm4;
  program code{program_type::geometry, 5};
  code.op(dcl_uav_raw, {plain(uav, {1})})
      .op(dcl_input_siv, {to(input, {1, 0}), word(name_position)})
      .op(dcl_temps, {word(1)})
      .op(dcl_input_primitive, {}, takes_points)
      .op(dcl_output_topology, {}, makes_points)
      .op(dcl_output_siv, {to(output, {0}), word(name_position)})
      .op(dcl_max_output_vertices, {word(1)})
      .op(imm_atomic_iadd, {to(temp, {0}, "x"), plain(uav, {1}), bits(0), bits(1)})
      .op(mov, {to(output, {0}), from(input, {0, 0})})
      .op(emit)
      .op(ret);
  const auto offset = GENERATE(0u, 4u);
  geometry_scene s(4, 1, container({{position_read}, {position_out}}, code));
  const auto counter = s.g.make_buffer(std::vector<std::uint32_t>{10, 20, 30, 40});
  s.g.stream().unordered_access(wire_gs, 1, {{counter, offset, 8}});
  const std::vector<dxbc_vertex> dots(5, s.at(0.5f, 0.5f));
  s.draw(dots, AEROGPU_TOPOLOGY_POINTLIST);
  s.draw(dots, AEROGPU_TOPOLOGY_POINTLIST);
  std::vector<std::uint32_t> expected{10, 20, 30, 40};
  expected[offset / 4] += 10;
  s.expect_words(counter, 0, expected);
}

TEST_CASE("VK-072 many varyings", "[golden][dxbc][geometry]") {
  using namespace sm4;
  // Registers 1 to 15 hold a sixteenth of green each; the pixel shader adds them up.
  constexpr std::uint32_t last = 15;
  program code{program_type::geometry, 4};
  code.op(dcl_input_siv, {to(input, {1, 0}), word(name_position)})
      .op(dcl_input_primitive, {}, takes_points)
      .op(dcl_output_topology, {}, makes_points)
      .op(dcl_output_siv, {to(output, {0}), word(name_position)});
  for (std::uint32_t i = 1; i <= last; ++i) code.op(dcl_output, {to(output, {i})});
  code.op(dcl_max_output_vertices, {word(1)}).op(mov, {to(output, {0}), from(input, {0, 0})});
  for (std::uint32_t i = 1; i <= last; ++i) {
    code.op(mov, {to(output, {i}), number(0, 1.0f / 15, 0, 1)});
  }
  code.op(emit).op(ret);
  program pixel{program_type::pixel, 4};
  for (std::uint32_t i = 1; i <= last; ++i) pixel.op(dcl_input_ps, {to(input, {i})}, linear);
  pixel.op(dcl_output, {to(output, {0})}).op(dcl_temps, {word(1)});
  pixel.op(mov, {to(temp, {0}), from(input, {1})});
  for (std::uint32_t i = 2; i <= last; ++i) {
    pixel.op(add, {to(temp, {0}), from(temp, {0}), from(input, {i})});
  }
  pixel.op(mov, {to(output, {0}), from(temp, {0})}).op(ret);
  const auto many = [](std::uint32_t i) {
    return test::signature_entry{"TEXCOORD", i, sv_none, is_float, i, 0xF, 0xF};
  };
  const auto between = {position_out, many(1),  many(2),  many(3), many(4),  many(5),
                        many(6),      many(7),  many(8),  many(9), many(10), many(11),
                        many(12),     many(13), many(14), many(15)};
  geometry_scene s(4, 1, container({{position_read}, between}, code));
  const auto vs = s.passing_vs(), ps = s.shader(wire_ps, container({between, {target_out}}, pixel));
  const auto geometry = s.shader(wire_gs, container({{position_read}, between}, code));
  s.g.stream().bind_shaders(vs, ps, 0, geometry);
  s.draw({s.at(1.5f, 0.5f)}, AEROGPU_TOPOLOGY_POINTLIST);
  s.expect(image(4, 1, black).fill({1, 0, 1, 1}, green), rounding);
}

TEST_CASE("a geometry shader of other primitives than the topology's is refused",
          "[golden][dxbc][geometry]") {
  geometry_scene s(4, 4, sm4::gs_point_to_quad());
  s.draw(s.quad(s.whole()));
  const auto why = s.g.failure();
  if (s.g.renders()) CHECK(why == error_code::invalid_parameter);
}

TEST_CASE("VK-073 a geometry shader that names another stream than 0 is refused",
          "[golden][dxbc][geometry]") {
  constexpr std::uint32_t emit_stream = 0x75, stream_register = 0x10;
  dxbc_scene s;
  const auto container = gs(takes_points, 1, makes_points, 1, [](program& code) {
    using namespace sm4;
    code.op(emit_stream, {plain(static_cast<file>(stream_register), {1})});
  });
  s.g.stream().create_shader(s.g.new_handle(), wire_gs, container);
  CHECK(s.g.failure() == error_code::invalid_parameter);
}

/// Triangles pass through, and their number goes to SV_PrimitiveID.
[[nodiscard]] auto gs_numbering() -> byte_vector {
  using namespace sm4;
  constexpr std::uint32_t dcl_output_sgv = 0x66, triangle = 3, triangle_strip = 5;
  program code{program_type::geometry, 5};
  code.op(dcl_input_siv, {to(input, {3, 0}), word(name_position)})
      .op(dcl_input, {scalar(primitive_id)})
      .op(dcl_input_primitive, {}, triangle)
      .op(dcl_output_topology, {}, triangle_strip)
      .op(dcl_output_siv, {to(output, {0}), word(name_position)})
      .op(dcl_output_sgv, {to(output, {1}, "x"), word(name_primitive_id)})
      .op(dcl_max_output_vertices, {word(3)});
  for (std::uint32_t i = 0; i < 3; ++i) {
    code.op(mov, {to(output, {0}), from(input, {i, 0})})
        .op(mov, {to(output, {1}, "x"), scalar(primitive_id)})
        .op(emit);
  }
  code.op(ret);
  return container({{position_read},
                    {position_out, {"SV_PrimitiveID", 0, sv_primitive_id, is_uint, 1, 0x1, 0xE}}},
                   code);
}

TEST_CASE("a geometry shader numbers the primitives that a pixel shader reads",
          "[golden][dxbc][geometry]") {
  dxbc_scene s(8, 8);
  const auto vs = s.passing_vs(), gs = s.shader(wire_gs, gs_numbering());
  const auto ps = s.shader(wire_ps, sm4::ps_primitive_id());
  s.g.stream()
      .bind_shaders(vs, ps, 0, gs)
      .rasterizer({AEROGPU_FILL_SOLID, AEROGPU_CULL_NONE, 0, 0, 0, 0});
  // Each covers the whole target.
  const auto one = std::array{s.at(0, 0), s.at(16, 0), s.at(0, 16)};
  std::vector<dxbc_vertex> vertices;
  for (int i = 0; i < 3; ++i) vertices.insert(vertices.end(), one.begin(), one.end());
  s.draw(vertices);
  s.expect({128, 0, 0, 255}, rounding);
}

}  // namespace
}  // namespace aerogpu::golden
