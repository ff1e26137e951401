// SPDX-License-Identifier: MIT
// Vertices at places that Vulkan forbids. They are drawn right or refused; the validation layers
// hear of none of it.
#include "tests/catch.hpp"
#include "tests/hostile/scene.hpp"
#include "tests/hostile/session.hpp"
#include "tests/support/byte_code/dxbc_samples.hpp"
#include "tests/support/layout_blobs.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <utility>

namespace aerogpu::hostile {

namespace vertex_group {

constexpr std::uint32_t buffer = 0x7C01, layout = 0x7C02, indices = 0x7C03, vs = 0x7C04,
                        ps = 0x7C05, target = 0x7C06;

class random_numbers {
 public:
  auto below(std::uint32_t limit) -> std::uint32_t {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>(state_ >> 33) % limit;
  }
  template <class T, std::size_t N>
  auto one_of(const std::array<T, N>& values) -> T {
    return values[below(static_cast<std::uint32_t>(N))];
  }

 private:
  std::uint64_t state_ = 99;
};

constexpr std::array<std::uint32_t, 22> numbers{0,    1,    2,    3,    4,     6,         8,   12,
                                                13,   16,   20,   31,   64,    255,       256, 2044,
                                                2048, 2049, 2052, 4096, 65536, 0xFFFFFFFC};

/// Declarations of Direct3D 9: types of all sizes at offsets of any alignment.
void d3d9_layouts() {
  session s{validated()};
  random_numbers random;
  stream_builder first;
  scene::create(first);
  first.create_buffer(buffer, 4096).upload(buffer, 0, test::filled(4096, 0x3F));
  s.g().must_run(first);
  int drawn = 0;
  for (int i = 0; i < 400; ++i) {
    const auto offset = static_cast<std::uint16_t>(random.one_of(numbers));
    const auto type = static_cast<std::uint8_t>(random.below(17));
    stream_builder stream;
    scene::bind(stream);
    stream
        .create_layout(layout,
                       test::declaration_blob({{0, offset, type, 0, 0, 0}, test::declaration_end}))
        .set_layout(layout)
        .vertex_buffer(0, buffer, random.one_of(numbers), random.one_of(numbers))
        .draw(3 + random.below(200));
    drawn += s.g().run(stream) == error_code::none ? 1 : 0;
    s.g().must_run(stream_builder{}.destroy_layout(layout));
  }
  CHECK(drawn > 20);
  s.must_serve();
}

/// Layouts of Direct3D 11: several elements, slots, classes and step rates.
void dxgi_layouts() {
  session s{validated()};
  random_numbers random;
  s.g().must_run(stream_builder{}
                     .create_texture(target, {.usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET})
                     .create_shader(vs, test::wire_vs, test::sm4::vs_passing())
                     .create_shader(ps, test::wire_ps, test::sm4::ps_color())
                     .create_buffer(buffer, 4096)
                     .upload(buffer, 0, test::filled(4096, 0x3F)));
  // Floats, halves, normalised bytes and shorts, and what no vertex has.
  constexpr std::array<std::uint32_t, 12> formats{2, 6, 10, 11, 16, 24, 28, 34, 35, 41, 49, 54};
  int drawn = 0;
  for (int i = 0; i < 400; ++i) {
    std::vector<test::ilay_element> elements;
    for (const char* name : {"POSITION", "TEXCOORD", "COLOR"}) {
      const bool is_tame = random.below(4) != 0;
      elements.push_back({.name = name,
                          .format = random.one_of(formats),
                          .slot = random.below(3),
                          .offset = is_tame ? random.below(12) * 4 : random.one_of(numbers) / 4 * 4,
                          .input_class = is_tame ? 0 : random.below(2),
                          .step_rate = is_tame ? 0 : random.below(4)});
    }
    stream_builder stream;
    stream.targets({target})
        .bind_shaders(vs, ps)
        .topology(AEROGPU_TOPOLOGY_TRIANGLELIST)
        .create_layout(layout, test::ilay_blob(elements))
        .set_layout(layout);
    for (std::uint32_t slot = 0; slot < 3; ++slot) {
      const bool is_tame = random.below(4) != 0;
      stream.vertex_buffer(slot, buffer, is_tame ? 64 + random.below(64) : random.one_of(numbers),
                           is_tame ? random.below(64) : random.one_of(numbers));
    }
    stream.draw(3 + random.below(100), 1 + random.below(4));
    drawn += s.g().run(stream) == error_code::none ? 1 : 0;
    s.g().must_run(stream_builder{}.destroy_layout(layout));
  }
  CHECK(drawn > 20);
  s.must_serve();
}

/// Counts, first vertices and bases at the ends of their ranges; small buffers.
void draw_ranges() {
  session s{validated()};
  stream_builder first;
  scene::create(first);
  first.create_buffer(indices, 256, {}, AEROGPU_RESOURCE_USAGE_INDEX_BUFFER)
      .upload(indices, 0, test::filled(256, 0xFE));
  s.g().must_run(first);
  constexpr std::array<std::uint32_t, 9> edges{0,    1,          3,          63,        64,
                                               1000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
  for (const std::uint32_t first_vertex : edges) {
    for (const std::uint32_t first_instance : edges) {
      stream_builder stream;
      scene::bind(stream);
      stream.add(aerogpu_cmd_draw{{}, 3, 1, first_vertex, first_instance});
      static_cast<void>(s.g().run(stream));
    }
  }
  for (const std::uint32_t format : {AEROGPU_INDEX_FORMAT_UINT16, AEROGPU_INDEX_FORMAT_UINT32}) {
    for (const std::uint32_t first_index : edges) {
      for (const std::uint32_t base : edges) {
        stream_builder stream;
        scene::bind(stream);
        stream.index_buffer(indices, format, (first_index % 8) * 4)
            .add(aerogpu_cmd_draw_indexed{
                {}, 3, 1, first_index, static_cast<std::int32_t>(base), 0});
        static_cast<void>(s.g().run(stream));
      }
    }
  }
  s.must_serve();
}

/// Buffers that end within a vertex, or before the first; the neighbours hold a secret.
void ends_within_a_vertex() {
  session s{validated()};
  stream_builder first;
  scene::create(first);
  s.g().must_run(first);
  for (std::uint32_t size = 4; size <= 64; size += 4) {
    stream_builder stream;
    scene::bind(stream);
    stream.create_buffer(buffer, size)
        .create_buffer(indices, 4096)
        .upload(indices, 0, test::filled(4096, 0x40))
        .vertex_buffer(0, buffer, 16)
        .draw(300)
        .vertex_buffer(0, buffer, 16, size)
        .draw(3)
        .destroy(buffer)
        .destroy(indices);
    static_cast<void>(s.g().run(stream));
  }
  // All vertices that are not there lie in one point: nothing is drawn.
  stream_builder stream;
  scene::bind(stream);
  stream.clear(AEROGPU_CLEAR_COLOR, {0, 0, 0, 0})
      .create_buffer(buffer, 4)
      .vertex_buffer(0, buffer, 16);
  s.g().must_run(std::move(stream.draw(300)));
  CHECK((scene::read_target(s.g()) == test::filled(64, 0)));
  s.must_serve();
}

/// Viewports and scissors of no sensible size, and numbers that are none.
void viewports() {
  session s{validated()};
  stream_builder first;
  scene::create(first);
  s.g().must_run(first);
  constexpr float huge = 3e38f;
  const float not_a_number = std::numeric_limits<float>::quiet_NaN();
  const float infinite = std::numeric_limits<float>::infinity();
  for (const float x : {0.0f, -huge, huge, not_a_number, infinite, -infinite, 1e9f, 0.5f}) {
    for (const float width : {0.0f, -4.0f, huge, not_a_number, infinite, 1e-30f, 65536.0f}) {
      stream_builder stream;
      scene::bind(stream);
      stream.viewport({x, x, width, width, x, width})
          .scissor(INT32_MIN, INT32_MAX, INT32_MAX, INT32_MIN)
          .draw(3)
          .scissor(-1, -1, INT32_MAX, INT32_MAX)
          .draw(3)
          .clear(AEROGPU_CLEAR_COLOR | AEROGPU_CLEAR_DEPTH, {x, width, x, width}, x, 0xFFFFFFFF);
      static_cast<void>(s.g().run(stream));
    }
  }
  s.must_serve();
}

/// Render states with any number in them.
void render_states() {
  session s{validated()};
  random_numbers random;
  stream_builder first;
  scene::create(first);
  s.g().must_run(first);
  for (int i = 0; i < 300; ++i) {
    stream_builder stream;
    scene::bind(stream);
    stream.bind_shaders(scene::vs, scene::textured_ps)
        .set_texture(test::wire_ps, 0, scene::texture);
    for (int n = 0; n < 6; ++n) {
      stream.render_state(random.below(256), random.one_of(numbers))
          .sampler_state(AEROGPU_SHADER_STAGE_PIXEL, 0, random.below(16), random.one_of(numbers));
    }
    stream.topology(random.below(40)).draw(6);
    static_cast<void>(s.g().run(stream, static_cast<std::uint32_t>(i % 8)));
  }
  s.must_serve();
}

constexpr cost_limit small{.resident_mib = 192, .processor_seconds = 20};
constexpr std::array attacks{
    attack{"d3d9-layouts", "no vertex layout reaches Vulkan that it forbids", small, d3d9_layouts},
    attack{"dxgi-layouts", "no vertex layout reaches Vulkan that it forbids", small, dxgi_layouts},
    attack{"draw-ranges", "vertices and indices that are not there are zero", small, draw_ranges},
    attack{"ends-within-a-vertex", "vertices that are not there are zero", small,
           ends_within_a_vertex},
    attack{"viewports", "no viewport reaches Vulkan that it forbids", small, viewports},
    attack{"render-states", "no state reaches Vulkan that it forbids", small, render_states},
};

}  // namespace vertex_group

auto vertex_attacks() -> std::span<const attack> {
  return vertex_group::attacks;
}

}  // namespace aerogpu::hostile
