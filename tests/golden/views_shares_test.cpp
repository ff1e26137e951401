// SPDX-License-Identifier: MIT
#include "tests/golden/guests/states.hpp"

namespace aerogpu::golden {
namespace {

constexpr std::uint64_t token = 0x1234'5678'9ABC;

TEST_CASE("VK-061 a view of the other transfer curve decodes or encodes", "[golden][views]") {
  guest g;
  const rgba color{200, 100, 50, 255};
  const auto texture = g.make_texture(image(4, 4, color));
  const auto view = g.new_handle();
  g.stream().create_view(view, texture, {.format = AEROGPU_FORMAT_R8G8B8A8_UNORM_SRGB});
  const auto target = g.make_target(4, 4);
  g.bind_targets({target});
  g.stream().set_texture(wire_ps, 0, view);
  g.draw_textured({0, 0, 4, 4});
  g.expect(target, decoded(color), rounding);

  // As a target.
  const auto target_view = g.new_handle();
  g.stream().create_view(target_view, target, {.format = AEROGPU_FORMAT_R8G8B8A8_UNORM_SRGB});
  g.stream().targets({target_view}).set_texture(wire_ps, 0, texture);
  g.draw_textured({0, 0, 4, 4});
  g.expect(target, encoded(color), rounding);
}

TEST_CASE("VK-061 clearing through a view encodes as the view says", "[golden][views]") {
  guest g;
  const auto target = g.make_target(4, 4);
  const auto view = g.new_handle();
  g.stream()
      .create_view(view, target, {.format = AEROGPU_FORMAT_R8G8B8A8_UNORM_SRGB})
      .targets({view})
      .clear(AEROGPU_CLEAR_COLOR, {0.5f, 0.25f, 0, 1});
  g.expect(target, {to_byte(srgb_encoded(0.5)), to_byte(srgb_encoded(0.25)), 0, 255}, rounding);
}

TEST_CASE("VK-061 a single mip level of a layer is a target", "[golden][views]") {
  guest g;
  const texture_spec spec{
      .format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
      .width = 16,
      .height = 16,
      .mips = 3,
      .layers = 2,
      .usage = AEROGPU_RESOURCE_USAGE_TEXTURE | AEROGPU_RESOURCE_USAGE_RENDER_TARGET};
  const auto texture = g.make_texture(spec);
  const auto view = g.new_handle();
  g.stream()
      .create_view(view, texture, {.format = spec.format, .base_mip = 1, .base_layer = 1})
      .targets({view});
  g.clear(blue);
  g.draw({{-1, 1, 0.5f, 1, to_color(red)},
          {0, 1, 0.5f, 1, to_color(red)},
          {-1, -1, 0.5f, 1, to_color(red)},
          {-1, -1, 0.5f, 1, to_color(red)},
          {0, 1, 0.5f, 1, to_color(red)},
          {0, -1, 0.5f, 1, to_color(red)}});
  const image seen = g.read(texture, 1, 1);
  const image others[] = {g.read(texture, 0, 0), g.read(texture, 1, 0), g.read(texture, 2, 1),
                          g.read(texture, 0, 1)};
  if (!g.renders()) return;
  check_image(seen, image(8, 8, blue).fill({0, 0, 4, 8}, red));
  check_image(others[0], image(16, 16));
  check_image(others[1], image(8, 8));
  check_image(others[2], image(4, 4));
  check_image(others[3], image(16, 16));
}

TEST_CASE("VK-061 mips are made by drawing each level from the one before", "[golden][views]") {
  guest g;
  const texture_spec spec{
      .format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
      .width = 8,
      .height = 8,
      .mips = 3,
      .usage = AEROGPU_RESOURCE_USAGE_TEXTURE | AEROGPU_RESOURCE_USAGE_RENDER_TARGET};
  const auto texture = g.make_texture(spec);
  std::array<std::uint32_t, 3> views{};
  for (std::uint32_t mip = 0; mip < 3; ++mip) {
    views[mip] = g.new_handle();
    g.stream().create_view(views[mip], texture, {.format = spec.format, .base_mip = mip});
  }
  const image base = image::made_by(8, 8, [](int x, int) { return x < 4 ? red : green; });
  g.stream().upload(texture, 0, {base.bytes().begin(), base.bytes().end()});
  // The view of a level of a texture that is drawn to elsewhere: spec 3.8 reads whole textures, so
  // the level before goes through a copy.
  const auto copy = g.make_texture(spec);
  for (std::uint32_t mip = 1; mip < 3; ++mip) {
    const auto copy_view = g.new_handle();
    g.stream()
        .copy_texture({copy, mip - 1}, {texture, mip - 1}, 8 >> (mip - 1), 8 >> (mip - 1))
        .create_view(copy_view, copy, {.format = spec.format, .base_mip = mip - 1})
        .set_texture(wire_ps, 0, copy_view)
        .targets({views[mip]});
    g.draw_with(g.textured_ps(), {{-1, 1, 0.5f, 1, {0, 0, 0, 1}},
                                  {1, 1, 0.5f, 1, {1, 0, 0, 1}},
                                  {-1, -1, 0.5f, 1, {0, 1, 0, 1}},
                                  {-1, -1, 0.5f, 1, {0, 1, 0, 1}},
                                  {1, 1, 0.5f, 1, {1, 0, 0, 1}},
                                  {1, -1, 0.5f, 1, {1, 1, 0, 1}}});
  }
  const image last = g.read(texture, 2);
  if (g.renders()) check_image(last, image(2, 2, green).fill({0, 0, 1, 2}, red));
}

TEST_CASE("VK-061 a depth view of one level tests depth there", "[golden][views]") {
  guest g;
  const auto target = g.make_target(8, 8);
  const auto depth = g.make_texture({.format = AEROGPU_FORMAT_D32_FLOAT,
                                     .width = 16,
                                     .height = 16,
                                     .mips = 2,
                                     .usage = AEROGPU_RESOURCE_USAGE_DEPTH_STENCIL});
  const auto view = g.new_handle();
  g.stream().create_view(view, depth, {.format = AEROGPU_FORMAT_D32_FLOAT, .base_mip = 1});
  g.bind_targets({target}, view);
  g.stream().clear(3, to_color(black), 0.5f);
  g.fill({0, 0, 4, 8}, green, 0.25f);
  g.fill({4, 0, 4, 8}, red, 0.75f);
  g.expect(target, image(8, 8, black).fill({0, 0, 4, 8}, green));
}

TEST_CASE("VK-063 a shared surface shows the same through both handles", "[golden][shares]") {
  guest g;
  const auto original = g.make_target(8, 8), alias = g.new_handle(), target = g.make_target(8, 8);
  g.stream().export_surface(original, token).import_surface(alias, token);
  g.know(alias, {.format = AEROGPU_FORMAT_R8G8B8A8_UNORM, .width = 8, .height = 8});
  g.submit();
  g.bind_targets({alias});
  g.clear(red);
  g.fill({0, 0, 4, 8}, green);
  g.submit(7);  // In a context that did not make it.
  const image expected = image(8, 8, red).fill({0, 0, 4, 8}, green);
  g.expect(original, expected);
  g.expect(alias, expected);
  g.bind_targets({target});
  g.stream().set_texture(wire_ps, 0, original);
  g.draw_textured({0, 0, 8, 8});
  g.expect(target, expected);
}

TEST_CASE("VK-063 the texture stays while one of its handles does", "[golden][shares]") {
  guest g;
  const auto original = g.make_target(8, 8), alias = g.new_handle();
  g.bind_targets({original});
  g.clear(red);
  g.stream()
      .export_surface(original, token)
      .import_surface(alias, token)
      .targets({})
      .destroy(original);
  g.know(alias, {.format = AEROGPU_FORMAT_R8G8B8A8_UNORM, .width = 8, .height = 8});
  g.submit();
  g.bind_targets({alias});
  g.fill({0, 0, 4, 8}, green);
  g.expect(alias, image(8, 8, red).fill({0, 0, 4, 8}, green));
}

TEST_CASE("VK-077 present shows the first target that is not null", "[golden][present]") {
  const auto [format, alpha] =
      GENERATE(table<std::uint32_t, std::uint8_t>({{AEROGPU_FORMAT_R8G8B8A8_UNORM, 77},
                                                   {AEROGPU_FORMAT_B8G8R8A8_UNORM, 77},
                                                   {AEROGPU_FORMAT_B8G8R8X8_UNORM, 255}}));
  guest g;
  const auto first = g.make_target(8, 8, format), second = g.make_target(8, 8);
  g.bind_targets({first, second});
  g.clear({10, 20, 30, 77});
  g.bind_targets({0, first, second});
  g.stream().present();
  const image shown = g.read_presented();
  if (g.renders()) check_image(shown, image(8, 8, {10, 20, 30, alpha}));
  g.stream().targets({}).present();
  CHECK(g.read_presented().width() == 0);
}

TEST_CASE("VK-077 the last of several presents decides, and shows bytes as stored",
          "[golden][present]") {
  guest g;
  const auto first = g.make_target(8, 8),
             second = g.make_target(4, 4, AEROGPU_FORMAT_R8G8B8A8_UNORM_SRGB);
  g.bind_targets({first});
  g.clear(red);
  g.stream().present();
  g.bind_targets({second});
  g.stream().clear(AEROGPU_CLEAR_COLOR, {0.5f, 0.5f, 0.5f, 1}).present_ex(0, 1, 0xFFFF);
  const image shown = g.read_presented();
  const std::uint8_t gray = to_byte(srgb_encoded(0.5));
  if (g.renders()) check_image(shown, image(4, 4, {gray, gray, gray, 255}), rounding);
}

TEST_CASE("VK-078 a presented image stays until its last handle goes", "[golden][present]") {
  guest g;
  const auto original = g.make_target(8, 8), alias = g.new_handle();
  g.bind_targets({original});
  g.clear(green);
  g.stream().export_surface(original, token).import_surface(alias, token).present();
  g.stream().targets({}).destroy(original);
  const image shown = g.read_presented();
  if (g.renders()) check_image(shown, image(8, 8, green));
  g.stream().destroy(alias);
  CHECK(g.read_presented().width() == 0);
}

}  // namespace
}  // namespace aerogpu::golden
