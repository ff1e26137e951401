// SPDX-License-Identifier: MIT
// Work that never ends. The watchdog gives the device up; such devices are counted and capped, and
// the process ends while they still run.
#include "tests/catch.hpp"
#include "tests/hostile/attacks/compute.hpp"
#include "tests/hostile/shaders.hpp"
#include "tests/support/byte_code/shaders.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>

namespace aerogpu::hostile {

namespace hang_group {

constexpr std::uint32_t cs = 0x7301, target = 0x7302, indices = 0x7303, vs = 0x7304, ps = 0x7305;

auto impatient() -> computer_options {
  computer_options options;
  options.vulkan.watchdog_ms = 250;
  return options;
}

/// For whoever must be served: devices that were given up still take the processor.
auto patient() -> computer_options {
  computer_options options;
  options.vulkan.watchdog_ms = 20'000;
  return options;
}

/// The submission ends, whether with a picture or with an error.
void ends(session& s, const stream_builder& stream) {
  const error_code why = s.g().run(stream);
  std::printf("it ends: %s, %s; devices lost: %llu\n", kind_name(why),
              std::string{s.g().last_error()}.c_str(),
              static_cast<unsigned long long>(s.pc().counters().device_losses));
}

/// Objects of the last attack are gone or in the way; both are the guest's own fault.
auto huge_dispatch() -> stream_builder {
  program code{program_type::compute, 5};
  code.op(dcl_uav_raw, {plain(uav, {0})})
      .op(dcl_temps, {word(1)})
      .op(dcl_thread_group, {word(1024), word(1), word(1)})
      .op(imm_atomic_iadd, {to(temp, {0}, "x"), plain(uav, {0}), bits(0), bits(1)})
      .op(ret);
  return std::move(stream_builder{}
                       .create_shader(cs, test::wire_cs, container({{}, {}}, code))
                       .create_buffer(indices, 64)
                       .unordered_access(test::wire_cs, 0, {{indices}})
                       .bind_shaders(0, 0, cs)
                       .dispatch(65535, 65535, 65535)
                       .destroy_shader(cs)
                       .destroy(indices));
}

auto huge_draw(std::uint32_t count, std::uint32_t instances, bool is_indexed) -> stream_builder {
  stream_builder stream;
  stream.create_texture(target, {.usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET})
      .create_shader(vs, test::wire_vs, test::vs_4_0_origin())
      .create_shader(ps, test::wire_ps, test::ps_4_0_white())
      .create_buffer(indices, 8, {}, AEROGPU_RESOURCE_USAGE_INDEX_BUFFER)
      .targets({target})
      .bind_shaders(vs, ps)
      .index_buffer(indices)
      .topology(AEROGPU_TOPOLOGY_TRIANGLELIST);
  if (is_indexed) {
    stream.draw_indexed(count, instances);
  } else {
    stream.draw(count, instances);
  }
  return std::move(stream.targets({})
                       .bind_shaders(0, 0)
                       .destroy(target)
                       .destroy(indices)
                       .destroy_shader(vs)
                       .destroy_shader(ps));
}

/// An honest guest of this device draws, or hears in words why it cannot; its screen is shown.
void serves_or_refuses(session& s) {
  constexpr std::uint32_t texture = honest_handles + 0x20;
  guest& g = s.g();
  const std::uint64_t before = g.last_fence();
  const error_code why =
      g.run(stream_builder{}
                .create_texture(texture, {.usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET})
                .targets({texture})
                .clear(AEROGPU_CLEAR_COLOR, {0, 1, 0, 1})
                .present()
                .targets({})
                .destroy(texture));
  CHECK(g.completed() == before + 1);
  if (why != error_code::none) CHECK_FALSE(g.last_error().empty());
  rgba8_image image;
  CHECK(s.pc().read_display(image) == error_code::none);
}

void endless_dispatch() {
  session s{impatient()};
  ends(s, huge_dispatch());
  serves_or_refuses(s);
}

void endless_vertices() {
  session s{impatient()};
  ends(s, huge_draw(0xFFFFFFFD, 1, false));
  serves_or_refuses(s);
}

void endless_instances() {
  session s{impatient()};
  ends(s, huge_draw(3, 0xFFFFFFFF, false));
  serves_or_refuses(s);
}

/// Four thousand million indices of a buffer that holds four.
void endless_indices() {
  session s{impatient()};
  ends(s, huge_draw(0xFFFFFFFF, 1, true));
  serves_or_refuses(s);
}

void again_and_again() {
  session s{impatient()};
  for (int i = 0; i < 12; ++i) {
    ends(s, huge_dispatch());
    serves_or_refuses(s);
  }
  // The next machine on this host is served.
  session other{patient()};
  other.must_serve();
}

/// The machine is switched off while its device still works.
void leave_it_running() {
  {
    session s{impatient()};
    ends(s, huge_dispatch());
  }
  session other{patient()};
  other.must_serve();
}

/// Reset and doorbell in turn, while work is on its way that does not end.
void reset_while_hanging() {
  session s{impatient()};
  for (int i = 0; i < 4; ++i) {
    s.g().push(s.g().describe(huge_dispatch()));
    s.g().ring_doorbell();
    s.g().reset_ring();
    s.g().forget_memory();
  }
  serves_or_refuses(s);
}

/// One doorbell for eight draws that no device gets through, each of them a submission. A register
/// write or tick lasts as long as one, and fences come as they are done.
void slow_submissions() {
  constexpr std::uint32_t slow_ones = 8;
  computer_options options = impatient();
  options.vulkan.bounds.work_per_batch = 1u << 28;  // Pieces that the device survives.
  session s{options};
  guest& g = s.g();
  g.memory().has_real_time = true;
  g.must_run(stream_builder{}
                 .create_texture(target, {.usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET})
                 .create_shader(vs, test::wire_vs, test::vs_4_0_origin())
                 .create_shader(ps, test::wire_ps, test::ps_4_0_white())
                 .targets({target})
                 .bind_shaders(vs, ps)
                 .topology(AEROGPU_TOPOLOGY_TRIANGLELIST));
  const auto taken = [&] { return s.pc().statistics().submissions; };
  const std::uint64_t before = taken();
  aerogpu_submit_desc desc = g.describe(stream_builder{}.draw(0xFFFFFFFD, 1));
  for (std::uint32_t i = 0; i < slow_ones; ++i) {
    desc.signal_fence = g.next_fence();
    g.push(desc);
  }
  g.ring_doorbell();
  CHECK(taken() - before < slow_ones);
  std::uint32_t ticks = 1;
  for (; taken() - before < slow_ones && ticks <= slow_ones; ++ticks) {
    CHECK(g.on().next_deadline_ns() <= g.memory().time_ns);
    const std::uint64_t done = taken();
    g.on().tick();
    CHECK(taken() > done);
  }
  CHECK(ticks > 1);
  g.finish();
  g.memory().has_real_time = false;
  serves_or_refuses(s);
}

constexpr cost_limit once{.resident_mib = 192, .processor_seconds = 12, .more_devices = 2};
constexpr cost_limit often{
    .resident_mib = 384, .address_mib = 1280, .processor_seconds = 25, .more_devices = 5};
constexpr std::array attacks{
    attack{"endless-dispatch", "the watchdog ends a dispatch", once, endless_dispatch},
    attack{"endless-vertices", "the watchdog ends a draw", once, endless_vertices},
    attack{"endless-instances", "the watchdog ends a draw", once, endless_instances},
    attack{"endless-indices", "indices that are not there are not made", once, endless_indices},
    attack{"hang-again-and-again", "abandoned devices are capped, then 3D is refused", often,
           again_and_again},
    attack{"leave-it-running", "exit frees nothing under a running thread", once, leave_it_running},
    attack{"slow-submissions", "a tick begins no submission after its time", often,
           slow_submissions},
    attack{"reset-while-hanging", "a reset does not wait for ever", often, reset_while_hanging},
};

}  // namespace hang_group

auto hang_attacks() -> std::span<const attack> {
  return hang_group::attacks;
}

}  // namespace aerogpu::hostile
