// SPDX-License-Identifier: MIT
#include "tests/hostile/fleet/fleet_guests.hpp"

#include "tests/hostile/guest.hpp"
#include "tests/hostile/scene.hpp"
#include "tests/support/byte_code/dxbc_samples.hpp"

#include <array>
#include <memory>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

namespace aerogpu::hostile {

namespace {

/// Draws without an end.
auto draws(std::uint32_t) -> stream_builder {
  stream_builder stream;
  scene::create(stream);
  for (int i = 0; i < 10'000; ++i) stream.draw(3);
  scene::destroy(stream);
  return stream;
}

/// Moves memory without an end.
auto copies(std::uint32_t) -> stream_builder {
  constexpr std::uint32_t source = 1, buffer = 2;
  stream_builder stream;
  stream.create_texture(source, {.width = 512, .height = 512, .layers = 2})
      .create_buffer(buffer, 1u << 20);
  for (int i = 0; i < 64; ++i) {
    stream.copy_texture({source, 0, 1}, {source, 0, 0}, 512, 512)
        .copy_buffer(buffer, 1u << 19, buffer, 0, 1u << 19);
  }
  return std::move(stream.destroy(source).destroy(buffer));
}

/// Every draw is another pipeline.
auto pipelines(std::uint32_t round) -> stream_builder {
  stream_builder stream;
  scene::create(stream);
  for (std::uint32_t i = 0; i < 8; ++i) {
    aerogpu_blend_state state{};
    const std::uint32_t number = round * 8 + i;
    state.enable = 1;
    state.src_factor = number % 8;
    state.dst_factor = number / 8 % 8;
    state.color_write_mask = static_cast<std::uint8_t>(1 + number / 64 % 15);
    state.sample_mask = 0xFFFFFFFF;
    stream.blend(state).draw(3);
  }
  scene::destroy(stream);
  return stream;
}

/// Every shader is wrong.
auto shaders(std::uint32_t round) -> stream_builder {
  const auto samples = test::sm4::samples();
  byte_vector code = samples[round % samples.size()].bytes;
  code[round * 7919u % code.size()] ^= std::byte{0x40};
  return std::move(stream_builder{}.create_shader(1, test::wire_ps, code).destroy_shader(1));
}

/// Shares and takes back.
auto tokens(std::uint32_t round) -> stream_builder {
  stream_builder stream;
  stream.create_texture(1, {});
  for (std::uint64_t i = 0; i < 500; ++i) {
    const std::uint64_t token = std::uint64_t{round} * 500 + i + 1;
    stream.export_surface(1, token).import_surface(2, token).release_surface(token).destroy(2);
  }
  return std::move(stream.destroy(1));
}

/// Hangs its device.
auto hangs(std::uint32_t) -> stream_builder {
  using namespace test::sm4;
  constexpr std::uint32_t cs = 1, buffer_handle = 2;
  program code{program_type::compute, 5};
  code.op(dcl_uav_raw, {plain(uav, {0})})
      .op(dcl_temps, {word(1)})
      .op(dcl_thread_group, {word(64), word(1), word(1)})
      .op(imm_atomic_iadd, {to(temp, {0}, "x"), plain(uav, {0}), bits(0), bits(1)})
      .op(ret);
  return std::move(stream_builder{}
                       .create_shader(cs, test::wire_cs, container({{}, {}}, code))
                       .create_buffer(buffer_handle, 64)
                       .unordered_access(test::wire_cs, 0, {{buffer_handle}})
                       .bind_shaders(0, 0, cs)
                       .dispatch(65535, 65535, 65535)
                       .destroy_shader(cs)
                       .destroy(buffer_handle));
}

constexpr std::array all{
    neighbour{"draws", draws},     neighbour{"copies", copies}, neighbour{"pipelines", pipelines},
    neighbour{"shaders", shaders}, neighbour{"tokens", tokens}, neighbour{"hangs", hangs, 500},
};

}  // namespace

auto neighbours() -> std::span<const neighbour> {
  return all;
}

auto neighbour_of(std::string_view name) -> const neighbour& {
  for (const neighbour& each : all) {
    if (each.name == name) return each;
  }
  demand(false, "there is no such neighbour");
  return all[0];
}

hostile_loop::hostile_loop(const neighbour& guest, int niceness) : guest_(guest) {
  thread_ = std::thread{[this, niceness] { run(niceness); }};
  while (rounds_ == 0) std::this_thread::yield();
}

hostile_loop::~hostile_loop() {
  is_over_ = true;
  thread_.join();
}

void hostile_loop::run(int niceness) {
  // On Linux, which is where these tests run, a priority is that of one thread.
  const auto self = static_cast<id_t>(gettid());
  const int lowered = getpriority(PRIO_PROCESS, self) + niceness;
  demand(setpriority(PRIO_PROCESS, self, lowered) == 0, "a thread may lower its priority");
  computer_options options;
  if (guest_.watchdog_ms != 0) options.vulkan.watchdog_ms = guest_.watchdog_ms;
  const auto host = computer::create(options);
  guest hostile{*host};
  while (!is_over_) {
    hostile.push(hostile.describe(guest_.make(rounds_)));
    hostile.ring_doorbell();
    static_cast<void>(hostile.wait_for(hostile.last_fence()));
    hostile.forget_memory();
    ++rounds_;
  }
}

}  // namespace aerogpu::hostile
