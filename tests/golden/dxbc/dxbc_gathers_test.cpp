#include "tests/golden/guests/dxbc_guest.hpp"

#include <algorithm>

namespace aerogpu::golden {
namespace {

constexpr std::uint32_t gather4 = 109, gather4_c = 126, gather4_po = 127, gather4_po_c = 128;
constexpr std::string_view component_names = "xyzw";
constexpr int texture_size = 8;

struct number_atfset {
  int x = 0, y = 0;
};

/// A texel of the texture that is gathered from: no two numbers are alike.
[[nodiscard]] auto number_at(int x, int y, std::size_t component) -> std::uint8_t {
  const int inside_x = std::clamp(x, 0, texture_size - 1),
            inside_y = std::clamp(y, 0, texture_size - 1);
  return static_cast<std::uint8_t>(inside_x * 32 + inside_y * 4 + static_cast<int>(component));
}

/// Four texels around the middle, moved: Direct3D goes round from the lower left.
[[nodiscard]] auto gathered(std::size_t component, number_atfset moved) -> rgba {
  const int right = texture_size / 2 + moved.x, below = texture_size / 2 + moved.y;
  const int left = right - 1, above = below - 1;
  return {number_at(left, below, component), number_at(right, below, component),
          number_at(right, above, component), number_at(left, above, component)};
}

/// One gather in the middle of t0. `offsets` are those of the instruction's extension, or of its
/// operand where it has one; comparing ones compare with `reference`.
[[nodiscard]] auto ps_gathering(std::uint32_t opcode, const test::token_vector& sampler_operand,
                                number_atfset moved, float reference = 0) -> byte_vector {
  using namespace sm4;
  const bool compares = opcode == gather4_c || opcode == gather4_po_c;
  const bool has_operand = opcode == gather4_po || opcode == gather4_po_c;
  const auto place = number(0.5f, 0.5f, 0, 0);
  const auto far =
      bits(static_cast<std::uint32_t>(moved.x), static_cast<std::uint32_t>(moved.y), 0, 0);
  program code{program_type::pixel, 5};
  code.op(dcl_sampler, {plain(sampler, {0})}, compares ? 1 : 0)
      .op(dcl_resource, {plain(resource, {0}), word(returns_float)}, texture_2d)
      .op(dcl_output, {to(output, {0})});
  test::token_vector tokens = code.tokens();
  test::token_vector made{opcode};
  if (!has_operand && (moved.x != 0 || moved.y != 0)) {
    constexpr std::uint32_t sample_controls = 1;
    made[0] |= 0x80000000u;
    made.push_back(sample_controls | (static_cast<std::uint32_t>(moved.x) & 0xFu) << 9 |
                   (static_cast<std::uint32_t>(moved.y) & 0xFu) << 13);
  }
  const auto append = [&made](const test::token_vector& operand) {
    made.insert(made.end(), operand.begin(), operand.end());
  };
  append(to(output, {0}));
  append(place);
  if (has_operand) append(far);
  append(from(resource, {0}));
  append(sampler_operand);
  if (compares) append(number(reference));
  made[0] |= static_cast<std::uint32_t>(made.size()) << 24;
  tokens.insert(tokens.end(), made.begin(), made.end());
  tokens.push_back(1u << 24 | ret);
  tokens[1] = static_cast<std::uint32_t>(tokens.size());
  return test::make_dxbc({{"ISGN", test::make_signature({position_out})},
                          {"OSGN", test::make_signature({target_out})},
                          {"SHEX", test::token_bytes(tokens)}});
}

struct gather_scene : dxbc_scene {
  gather_scene() : dxbc_scene(2, 2) {}

  void bind_colors() {
    const auto texture =
        g.make_texture(image::made_by(texture_size, texture_size, [](int x, int y) {
          return rgba{number_at(x, y, 0), number_at(x, y, 1), number_at(x, y, 2),
                      number_at(x, y, 3)};
        }));
    g.stream().set_texture(wire_ps, 0, texture);
  }
  /// Depth 0.25 on the left and 0.75 on the right.
  void bind_depth() {
    const auto depth = g.make_target(2, 2, AEROGPU_FORMAT_D32_FLOAT);
    g.bind_targets({target}, depth);
    g.stream().clear(AEROGPU_CLEAR_DEPTH, {}, 1.0f);
    const auto vs = passing_vs(), ps = color_ps();
    g.stream().bind_shaders(vs, ps);
    auto vertices = quad({0, 0, 1, 2});
    for (dxbc_vertex& v : vertices) v.z = 0.25f;
    draw(vertices);
    vertices = quad({1, 0, 1, 2});
    for (dxbc_vertex& v : vertices) v.z = 0.75f;
    draw(vertices);
    g.bind_targets({target});
    g.stream().set_texture(wire_ps, 0, depth);
  }
};

TEST_CASE("a gather takes the component that its sampler operand names",
          "[golden][dxbc][gathers]") {
  const auto component = GENERATE(0u, 1u, 2u, 3u);
  const auto moved = GENERATE(values<number_atfset>({{0, 0}, {1, -2}, {-8, 7}}));
  INFO("component " << component << ", offset " << moved.x << ' ' << moved.y);
  gather_scene s;
  s.bind_colors();
  const auto named = sm4::from(sm4::sampler, {0}, component_names.substr(component, 1));
  s.draw_whole(s.shader(wire_ps, ps_gathering(gather4, named, moved)));
  s.expect(gathered(component, moved));
}

TEST_CASE("a gather whose sampler names no component takes the first", "[golden][dxbc][gathers]") {
  gather_scene s;
  s.bind_colors();
  s.draw_whole(s.shader(wire_ps, ps_gathering(gather4, sm4::plain(sm4::sampler, {0}), {})));
  s.expect(gathered(0, {}));
}

TEST_CASE("offsets of a gather's operand are its lowest six bits", "[golden][dxbc][gathers]") {
  struct row {
    number_atfset given, meant;
  };
  const auto [given, meant] = GENERATE(values<row>(
      {{{0, 0}, {0, 0}}, {{2, -3}, {2, -3}}, {{64 + 2, -64 - 3}, {2, -3}}, {{33, 31}, {-31, 31}}}));
  const auto component = GENERATE(0u, 3u);
  INFO("offset " << given.x << ' ' << given.y << ", component " << component);
  gather_scene s;
  s.bind_colors();
  const auto named = sm4::from(sm4::sampler, {0}, component_names.substr(component, 1));
  s.draw_whole(s.shader(wire_ps, ps_gathering(gather4_po, named, given)));
  s.expect(gathered(component, meant));
}

TEST_CASE("a gather compares each of four texels", "[golden][dxbc][gathers]") {
  const auto opcode = GENERATE(gather4_c, gather4_po_c);
  struct row {
    float reference;
    number_atfset moved;
    rgba expected;
  };
  const auto [reference, moved, expected] = GENERATE(values<row>({{0.5f, {0, 0}, {0, 255, 255, 0}},
                                                                  {0.5f, {1, 0}, white},
                                                                  {0.5f, {-1, 0}, nothing},
                                                                  {0.1f, {0, 0}, white},
                                                                  {0.9f, {0, 0}, nothing}}));
  INFO("opcode " << opcode << ", reference " << reference << ", offset " << moved.x);
  gather_scene s;
  s.bind_depth();
  const auto named = sm4::from(sm4::sampler, {0}, "x");
  s.draw_whole(s.shader(wire_ps, ps_gathering(opcode, named, moved, reference)));
  s.expect(expected);
}

/// The level of detail of t0, a quarter of it, in red: of one component as compilers write it.
[[nodiscard]] auto ps_level() -> byte_vector {
  using namespace sm4;
  constexpr std::uint32_t lod = 108;
  program code{program_type::pixel, 4, 1};
  code.op(dcl_sampler, {plain(sampler, {0})})
      .op(dcl_resource, {plain(resource, {0}), word(returns_float)}, texture_2d)
      .op(dcl_input_ps, {to(input, {1}, "xy")}, linear)
      .op(dcl_output, {to(output, {0})})
      .op(dcl_temps, {word(1)})
      .op(lod, {to(temp, {0}, "x"), from(input, {1}, "xyxx"), from(resource, {0}, "y"),
                plain(sampler, {0})})
      .op(mul, {to(output, {0}), from(temp, {0}, "xxxx"), number(0.25f, 0, 0, 0)})
      .op(ret);
  return container({{position_out, texcoord(1)}, {target_out}}, code);
}

TEST_CASE("lod says how many texels lie side by side in a pixel", "[golden][dxbc][gathers]") {
  // 8, 16 and 32 texels over two pixels.
  const auto wide = GENERATE(8, 16, 32);
  gather_scene s;
  s.g.stream().set_texture(wire_ps, 0, s.g.make_texture(image(wide, wide, white)));
  s.draw_whole(s.shader(wire_ps, ps_level()));
  const int level = wide == 8 ? 2 : wide == 16 ? 3 : 4;
  s.expect({static_cast<std::uint8_t>(std::min(255, level * 64)), 0, 0, 0}, rounding);
}

}  // namespace
}  // namespace aerogpu::golden
