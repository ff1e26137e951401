// SPDX-License-Identifier: MIT
// Objects that go while they are bound, in flight or shared, and names that come back as something
// else. Handles resolve in one place; what the device still uses outlives its name.
#include "tests/catch.hpp"
#include "tests/hostile/scene.hpp"
#include "tests/hostile/session.hpp"
#include "tests/support/byte_code/shaders.hpp"
#include "tests/support/layout_blobs.hpp"

#include <array>
#include <cstdint>

namespace aerogpu::hostile {

namespace lifetime_group {

constexpr std::uint32_t pool = 12;  ///< Handles that a random guest uses.
constexpr std::uint32_t first = 0x7A01;

/// Packets at random over few handles, in few contexts: each handle is soon something else, while
/// it is bound elsewhere.
class careless_guest {
 public:
  explicit careless_guest(std::uint64_t seed) : state_(seed) {}

  auto stream(int packets) -> stream_builder {
    stream_builder made;
    for (int i = 0; i < packets; ++i) add_packet(made);
    return made;
  }
  auto random(std::uint32_t below) -> std::uint32_t {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>(state_ >> 33) % below;
  }

 private:
  auto handle() -> std::uint32_t { return first + random(pool); }
  auto size() -> std::uint32_t { return 1u << random(6); }

  void add_packet(stream_builder& to) {
    using namespace test;
    constexpr std::array formats{AEROGPU_FORMAT_B8G8R8A8_UNORM, AEROGPU_FORMAT_R8G8B8A8_UNORM,
                                 AEROGPU_FORMAT_B5G6R5_UNORM, AEROGPU_FORMAT_D24_UNORM_S8_UINT,
                                 AEROGPU_FORMAT_BC1_RGBA_UNORM};
    switch (random(24)) {
      case 0: to.create_buffer(handle(), size() * 16); break;
      case 1:
      case 2:
        to.create_texture(handle(), {.format = static_cast<std::uint32_t>(formats[random(5)]),
                                     .width = size(),
                                     .height = size(),
                                     .layers = 1 + random(2)});
        break;
      case 3: to.create_view(handle(), handle(), {.format = AEROGPU_FORMAT_B8G8R8A8_UNORM}); break;
      case 4:
      case 5: to.destroy(handle()); break;
      case 6: to.destroy_view(handle()); break;
      case 7: to.create_shader(handle(), wire_vs, vs_2_0_position()); break;
      case 8:
        to.create_shader(handle(), wire_ps, random(2) == 0 ? ps_2_0_white() : ps_2_0_textured());
        break;
      case 9: to.destroy_shader(handle()); break;
      case 10:
        to.create_layout(handle(), declaration_blob({{0, 0, 3, 0, 0, 0}, declaration_end}));
        break;
      case 11: to.destroy_layout(handle()); break;
      case 12: to.bind_shaders(handle(), handle()); break;
      case 13: to.set_layout(handle()); break;
      case 14: to.targets({handle()}, random(2) == 0 ? handle() : 0); break;
      case 15: to.set_texture(wire_ps, 0, handle()); break;
      case 16: to.vertex_buffer(0, handle(), 16); break;
      case 17: to.index_buffer(handle()); break;
      case 18: to.draw(3); break;
      case 19: to.draw_indexed(6); break;
      case 20: to.clear(AEROGPU_CLEAR_COLOR | AEROGPU_CLEAR_DEPTH, {1, 0, 0, 1}); break;
      case 21: to.export_surface(handle(), 1 + random(4)); break;
      case 22: to.import_surface(handle(), 1 + random(4)); break;
      default: to.copy_texture({handle()}, {handle()}, 1, 1); break;
    }
  }

  std::uint64_t state_;
};

/// Most submissions fail at some packet; what came before it stays.
void random_names() {
  session s{validated()};
  careless_guest guest{2'026};
  int failed = 0, count = 6'000;
  for (int i = 0; i < count; ++i) {
    const auto packets = static_cast<int>(1 + guest.random(3));
    failed += s.g().run(guest.stream(packets), guest.random(3)) != error_code::none ? 1 : 0;
  }
  CHECK(failed < count * 9 / 10);
  s.must_serve();
  s.must_serve_after_reset();
}

/// The same with several submissions in flight, and resets in between.
void random_names_in_flight() {
  session s{validated()};
  careless_guest guest{7};
  for (int round = 0; round < 60; ++round) {
    for (std::uint32_t i = 0; i < 16; ++i) {
      s.g().push(s.g().describe(guest.stream(2), guest.random(3)));
    }
    s.g().ring_doorbell();
    if (round % 3 == 0)
      s.g().reset_ring();
    else
      s.g().finish();
    s.g().forget_memory();
  }
  s.must_serve();
  s.must_serve_after_reset();
}

/// Everything that a draw uses is destroyed behind it, before the device has drawn, and its memory
/// is taken by others.
void destroy_behind_the_draw() {
  session s{validated()};
  for (int round = 0; round < 40; ++round) {
    stream_builder stream;
    scene::create(stream);
    stream.bind_shaders(scene::vs, scene::textured_ps)
        .set_texture(test::wire_ps, 0, scene::texture)
        .draw(3)
        .present();
    scene::destroy(stream);
    for (std::uint32_t i = 0; i < 8; ++i) {
      stream.create_buffer(first + i, 4096).upload(first + i, 0, test::filled(4096, 0xFF));
    }
    for (std::uint32_t i = 0; i < 8; ++i) stream.destroy(first + i);
    s.g().must_run(stream, static_cast<std::uint32_t>(round));
  }
  s.must_serve();
}

/// A handle that is bound in one context becomes another kind of object in another one.
void reuse_across_contexts() {
  session s{validated()};
  stream_builder made;
  scene::create(made);
  made.set_texture(test::wire_ps, 0, scene::texture).draw(3);
  s.g().must_run(made, 1);
  stream_builder other;
  other.destroy(scene::texture)
      .create_buffer(scene::texture, 64)
      .destroy(scene::target)
      .create_texture(scene::target,
                      {.format = AEROGPU_FORMAT_D32_FLOAT, .width = 64, .height = 64})
      .destroy(scene::vertices)
      .create_texture(scene::vertices, {});
  s.g().must_run(other, 2);
  // Bindings went with what they named.
  CHECK(s.g().run(stream_builder{}.draw(3), 1) != error_code::none);
  stream_builder bound;
  bound.targets({scene::target});
  static_cast<void>(s.g().run(bound.draw(3), 1));
  s.must_serve();
}

/// A surface shared with another process goes away under it, and its token names another one.
void shared_surface_goes() {
  session s{validated()};
  constexpr std::uint32_t alias = 0x7A40;
  for (std::uint64_t token = 1; token < 200; ++token) {
    stream_builder stream;
    scene::create(stream);
    stream.export_surface(scene::texture, token)
        .import_surface(alias, token)
        .bind_shaders(scene::vs, scene::textured_ps)
        .set_texture(test::wire_ps, 0, alias)
        .destroy(scene::texture)
        .draw(3)
        .destroy(alias)
        .draw(3);
    scene::destroy(stream);
    s.g().must_run(stream, static_cast<std::uint32_t>(token % 4));
  }
  s.must_serve();
}

/// What is presented is destroyed, and shown all the same or not at all.
void presented_surface_goes() {
  session s{validated()};
  for (int i = 0; i < 100; ++i) {
    stream_builder stream;
    stream
        .create_texture(first,
                        {.width = 64, .height = 64, .usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET})
        .targets({first})
        .clear(AEROGPU_CLEAR_COLOR, {1, 0, 0, 1})
        .present()
        .destroy(first);
    s.g().must_run(stream);
    rgba8_image image;
    static_cast<void>(s.pc().read_display(image));
  }
  s.must_serve();
}

/// The same of a texture that a view alone keeps.
void presented_view_goes() {
  session s{validated()};
  constexpr std::uint32_t view = first + 1;
  for (int i = 0; i < 100; ++i) {
    stream_builder stream;
    stream
        .create_texture(first,
                        {.width = 64, .height = 64, .usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET})
        .create_view(view, first, {})
        .targets({view})
        .destroy(first)
        .clear(AEROGPU_CLEAR_COLOR, {1, 0, 0, 1})
        .present();
    if (i % 2 == 0) {
      stream.destroy_view(view);
    } else {
      stream.destroy(view);
    }
    s.g().must_run(stream);
    rgba8_image image;
    static_cast<void>(s.pc().read_display(image));
  }
  s.must_serve();
}

constexpr cost_limit small{.resident_mib = 160, .processor_seconds = 15};
constexpr std::array attacks{
    attack{"random-names", "a handle names what it names now", small, random_names},
    attack{"random-names-in-flight", "what is in flight outlives its name", small,
           random_names_in_flight},
    attack{"destroy-behind-the-draw", "what is in flight outlives its name", small,
           destroy_behind_the_draw},
    attack{"reuse-across-contexts", "destroying unbinds in every context", small,
           reuse_across_contexts},
    attack{"shared-surface-goes", "an alias keeps its surface", small, shared_surface_goes},
    attack{"presented-surface-goes", "what is shown outlives its name", small,
           presented_surface_goes},
    attack{"presented-view-goes", "what is shown outlives its name", small, presented_view_goes},
};

}  // namespace lifetime_group

auto lifetime_attacks() -> std::span<const attack> {
  return lifetime_group::attacks;
}

}  // namespace aerogpu::hostile
