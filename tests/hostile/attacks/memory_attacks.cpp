// SPDX-License-Identifier: MIT
// Few bytes from the guest, many on the host. What a batch, a context and a device may hold has
// budgets, and quotas charge what is really taken.
#include "d3d9_to_spirv/assembly/assemble.hpp"
#include "tests/catch.hpp"
#include "tests/hostile/scene.hpp"
#include "tests/hostile/session.hpp"
#include "tests/hostile/shaders.hpp"
#include "tests/support/byte_code/shaders.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace aerogpu::hostile {

namespace memory_group {

constexpr std::uint64_t mib = 1u << 20;
constexpr std::uint32_t source = 0x7501, destination = 0x7502, first_of_many = 0x10000;

/// Budgets that an attack passes within a second.
auto tight() -> computer_options {
  computer_options options;
  options.vulkan.bounds.staging_bytes_per_batch = 8 * mib;
  options.vulkan.bounds.staging_bytes = 32 * mib;
  options.vulkan.bounds.spare_staging_bytes = 8 * mib;
  options.vulkan.bounds.read_back_bytes = 32 * mib;
  options.vulkan.bounds.retired_bytes = 32 * mib;
  options.device.bounds.write_back_bytes = 32 * mib;
  options.device.bounds.pending_write_back_bytes = 32 * mib;
  options.vulkan.watchdog_ms = 20'000;  // Not what is tested, and the machine may be slow.
  return options;
}

/// It may end well or with an error; the guest then drops what it made.
void run_and_reset(session& s, const stream_builder& stream) {
  static_cast<void>(s.g().run(stream));
  s.must_serve();
  s.must_serve_after_reset();
}

/// For draws of much work on a machine that may be slow.
auto patient() -> computer_options {
  computer_options options;
  options.vulkan.watchdog_ms = 60'000;
  return options;
}

/// Draws that reach a little past the end of their indices: a padded copy for each.
void index_padding() {
  session s{tight()};
  constexpr std::uint32_t count = 256 * 1024;
  stream_builder stream;
  scene::create(stream);
  stream.create_buffer(source, std::uint64_t{count} * 4, {}, AEROGPU_RESOURCE_USAGE_INDEX_BUFFER)
      .index_buffer(source, AEROGPU_INDEX_FORMAT_UINT32);
  for (int i = 0; i < 160; ++i) stream.draw_indexed(count + 3);
  run_and_reset(s, stream);
}

/// The same memory is dirty again before each of its uses.
void dirty_again() {
  session s{tight()};
  const guest_memory_block block = s.g().allocate(4 * mib);
  stream_builder stream;
  stream.create_buffer(source, 4 * mib, {block.id, 0}).create_buffer(destination, 4 * mib);
  for (int i = 0; i < 100; ++i) {
    stream.dirty(source, 0, 4 * mib).copy_buffer(destination, 0, source, 0, 4);
  }
  run_and_reset(s, stream);
}

void dirty_texture_again() {
  session s{tight()};
  const guest_memory_block block = s.g().allocate(4 * mib);
  stream_builder stream;
  stream
      .create_texture(source,
                      {.width = 1024, .height = 1024, .pitch = 4096, .memory = {block.id, 0}})
      .create_texture(destination, {.width = 1024, .height = 1024});
  for (int i = 0; i < 100; ++i) {
    stream.dirty(source, 0, 4).copy_texture({destination}, {source}, 1, 1);
  }
  run_and_reset(s, stream);
}

/// Each copy inside of one resource goes through memory that is neither.
void copies_inside() {
  session s{tight()};
  stream_builder stream;
  stream.create_texture(source, {.width = 1024, .height = 1024, .layers = 2})
      .create_buffer(destination, 8 * mib);
  for (int i = 0; i < 100; ++i) {
    stream.copy_texture({source, 0, 1}, {source, 0, 0}, 1024, 1024)
        .copy_buffer(destination, 4 * mib, destination, 0, 4 * mib);
  }
  run_and_reset(s, stream);
}

/// Objects that are used, destroyed and made anew before the device has got to them.
void create_and_destroy() {
  session s{tight()};
  stream_builder stream;
  for (int i = 0; i < 100; ++i) {
    stream
        .create_texture(
            source, {.width = 1024, .height = 1024, .usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET})
        .targets({source})
        .clear(AEROGPU_CLEAR_COLOR, {1, 0, 0, 1})
        .targets({})
        .destroy(source);
  }
  run_and_reset(s, stream);
}

/// 56 MiB by their texels, 3.6 GiB by what a device takes for them.
void padded_layers() {
  computer_options options = tight();
  options.device.bounds.resource_bytes_per_context = 64 * mib;
  session s{options};
  s.g().must_run(stream_builder{}.create_texture(destination, {}));
  for (std::uint32_t i = 0; i < 500; ++i) {
    stream_builder stream;
    stream.create_texture(first_of_many + i, {.width = 1, .height = 1, .layers = 2048})
        .copy_texture({destination}, {first_of_many + i}, 1, 1);
    if (s.g().run(stream) != error_code::none) break;
  }
  s.must_serve();
  s.must_serve_after_reset();
}

/// Formats that the host keeps in another one, four and eight times as large.
void converted_formats() {
  computer_options options = tight();
  options.device.bounds.resource_bytes_per_context = 24 * mib;
  options.vulkan.force_format_expansion = true;
  session s{options};
  const test::texture_spec blocks{
      .format = AEROGPU_FORMAT_BC1_RGBA_UNORM, .width = 1024, .height = 1024};
  const test::texture_spec packed{
      .format = AEROGPU_FORMAT_B5G6R5_UNORM, .width = 512, .height = 512};
  s.g().must_run(stream_builder{}.create_texture(destination, blocks));
  for (std::uint32_t i = 0; i < 30; ++i) {
    const std::uint32_t first = first_of_many + 2 * i;
    stream_builder stream;
    stream.create_texture(first, blocks)
        .create_texture(first + 1, packed)
        .copy_texture({destination}, {first}, 1024, 1024)
        .copy_texture({first}, {destination}, 1024, 1024)
        .upload(first + 1, 0, byte_vector(4096));
    if (s.g().run(stream) != error_code::none) break;
  }
  s.must_serve();
  s.must_serve_after_reset();
}

/// Buffers or textures of 1 MiB, each used: as many as there may be, until something fails.
void fill(session& s, std::uint32_t first, std::uint32_t count, bool is_texture) {
  for (std::uint32_t i = 0; i < count; ++i) {
    stream_builder stream;
    if (is_texture) {
      stream.create_texture(first + i, {.width = 512, .height = 512})
          .copy_texture({source}, {first + i}, 1, 1);
    } else {
      stream.create_buffer(first + i, mib).copy_buffer(destination, 0, first + i, 0, 4);
    }
    if (s.g().run(stream) != error_code::none) return;
  }
}

/// Of 30 objects one stays, and with it the block that they lay in; then others fill the quota.
void pinned_blocks() {
  computer_options options = tight();
  options.device.bounds.resource_bytes_per_context = 96 * mib;
  options.vulkan.bounds.reserved_bytes = 128 * mib;
  session s{options};
  s.g().must_run(stream_builder{}.create_texture(source, {}).create_buffer(destination, 64));
  constexpr std::uint32_t count = 90;
  std::uint32_t first = first_of_many;
  for (const bool is_texture : {false, true}) {
    fill(s, first, count, is_texture);
    for (std::uint32_t i = 0; i < count; ++i, ++first) {
      if (i % 30 != 29) static_cast<void>(s.g().run(stream_builder{}.destroy(first)));
    }
  }
  for (std::uint32_t i = 0; i < 3; ++i, ++first) {
    static_cast<void>(s.g().run(
        stream_builder{}.create_buffer(first, 20 * mib).copy_buffer(destination, 0, first, 0, 4)));
  }
  s.must_serve();
  s.must_serve_after_reset();
}

/// 60,000 buffers and textures of 4 bytes.
void tiny_objects() {
  computer_options options = tight();
  options.device.bounds.resource_bytes_per_context = 32 * mib;
  session s{options};
  stream_builder stream;
  for (std::uint32_t i = 0; i < 30'000; ++i) {
    stream.create_buffer(first_of_many + i, 4)
        .create_texture(first_of_many + 50'000 + i, {.width = 1, .height = 1});
  }
  run_and_reset(s, stream);
}

/// Write-backs of many submissions, none of which was polled for yet.
void pending_write_backs() {
  session s{tight()};
  const guest_memory_block block = s.g().allocate(16 * mib);
  s.g().must_run(stream_builder{}
                     .create_buffer(source, 16 * mib)
                     .create_buffer(destination, 16 * mib, {block.id, 0}));
  for (int i = 0; i < 100; ++i) {
    s.g().push(s.g().describe(stream_builder{}.copy_buffer(destination, 0, source, 0, 16 * mib,
                                                           AEROGPU_COPY_FLAG_WRITEBACK_DST)));
  }
  s.g().ring_doorbell();
  s.g().finish();
  s.must_serve();
  s.must_serve_after_reset();
}

/// The same 16 MiB again and again in one submission.
void repeated_write_backs() {
  session s{tight()};
  const guest_memory_block block = s.g().allocate(16 * mib);
  stream_builder stream;
  stream.create_buffer(source, 16 * mib).create_buffer(destination, 16 * mib, {block.id, 0});
  for (int i = 0; i < 100; ++i) {
    stream.copy_buffer(destination, 0, source, 0, 16 * mib, AEROGPU_COPY_FLAG_WRITEBACK_DST);
  }
  run_and_reset(s, stream);
}

/// Commands cost memory too: draws, clears, presents and flushes without an end.
void many_commands() {
  session s{tight()};
  stream_builder stream;
  scene::create(stream);
  for (int i = 0; i < 8'000; ++i) {
    stream.constants_f(test::wire_ps, 0, {{0.5f, static_cast<float>(i), 0, 1}}).draw(3);
  }
  for (int i = 0; i < 3'000; ++i) stream.clear(AEROGPU_CLEAR_COLOR, {1, 0, 0, 1}).present();
  run_and_reset(s, stream);
}

void many_flushes() {
  session s{tight()};
  stream_builder stream;
  scene::create(stream);
  for (int i = 0; i < 4'000; ++i) stream.draw(3).flush();
  run_and_reset(s, stream);
}

/// Submissions of one draw, with a doorbell for all.
void many_submissions() {
  session s{tight()};
  stream_builder first;
  scene::create(first);
  s.g().must_run(first);
  for (int round = 0; round < 8; ++round) {
    for (std::uint32_t i = 0; i < ring_entries; ++i) {
      s.g().push(s.g().describe(stream_builder{}.draw(3).present()));
    }
    s.g().ring_doorbell();
    s.g().finish();
    s.g().forget_memory();
  }
  s.must_serve();
}

/// Contexts with all the state that one can have.
void full_contexts() {
  session s{on_null()};
  const std::vector<std::array<float, 4>> floats(4096);
  stream_builder stream;
  constexpr test::wire_stage hull{AEROGPU_SHADER_STAGE_COMPUTE, AEROGPU_SHADER_STAGE_EX_HULL};
  constexpr test::wire_stage domain{AEROGPU_SHADER_STAGE_COMPUTE, AEROGPU_SHADER_STAGE_EX_DOMAIN};
  for (const test::wire_stage stage :
       {test::wire_vs, test::wire_ps, test::wire_cs, test::wire_gs, hull, domain}) {
    stream.constants_f(stage, 0, floats);
  }
  for (std::uint32_t context = 0; context < 1'200; ++context) {
    static_cast<void>(s.g().run(stream, 0x1000 + context));
  }
  s.must_serve();
}

/// Marks for a debugger, as large as a stream may be.
void long_markers() {
  session s{validated()};
  stream_builder stream;
  for (int i = 0; i < 200; ++i) stream.marker(test::filled(64 * 1024, 'x'));
  run_and_reset(s, stream);
}

/// A texture of the largest size that a handle names, a hundred times, never written.
void untouched_giants() {
  computer_options options = tight();
  options.device.bounds.resource_bytes = 256 * mib;
  session s{options};
  stream_builder stream;
  for (std::uint32_t i = 0; i < 100; ++i) {
    stream.create_texture(first_of_many + i, {.width = 16384, .height = 16384, .mips = 15});
  }
  for (std::uint32_t i = 0; i < 100; ++i) stream.create_buffer(first_of_many + i, 1u << 30);
  CHECK(s.g().run(stream) != error_code::none);
  s.must_serve();
  s.must_serve_after_reset();
}

/// Sizes whose products wrap in 32 and in 64 bits.
void wrapping_sizes() {
  session s;
  constexpr std::uint32_t most = 0xFFFFFFFF;
  for (const test::texture_spec& spec : std::vector<test::texture_spec>{
           {.width = most, .height = most},
           {.width = 0x10000, .height = 0x10000},
           {.width = 1, .height = 1, .layers = most},
           {.width = 16384, .height = 16384, .layers = 2048},
           {.width = 4, .height = 4, .mips = most},
           {.format = AEROGPU_FORMAT_BC7_RGBA_UNORM, .width = most - 3, .height = 4}}) {
    CHECK(s.g().run(stream_builder{}.create_texture(source, spec)) != error_code::none);
  }
  for (const std::uint64_t size : {UINT64_MAX, UINT64_MAX - 3, std::uint64_t{1} << 63,
                                   std::uint64_t{1} << 40, (std::uint64_t{1} << 32) + 4}) {
    CHECK(s.g().run(stream_builder{}.create_buffer(source, size)) != error_code::none);
  }
  s.must_serve();
}

/// What a geometry shader says that it makes.
struct geometry {
  std::uint32_t points = 1;  ///< Of the primitives that it takes: 1 or 3.
  std::uint32_t vertices = 1;
  std::uint32_t invocations = 1;
};

/// That many points of 25 registers.
auto gs_wide_points(const geometry& made) -> byte_vector {
  constexpr std::uint32_t op_dcl_instances = 0xCE, colors = 24;
  std::vector<test::signature_entry> outputs{position_out};
  program code{program_type::geometry, 5};
  code.op(dcl_input_siv, {to(input, {made.points, 0}), word(name_position)})
      .op(dcl_temps, {word(2)})
      .op(dcl_input_primitive, {}, made.points)
      .op(dcl_output_topology, {}, 1)
      .op(op_dcl_instances, {word(made.invocations)})
      .op(dcl_output_siv, {to(output, {0}), word(name_position)});
  for (std::uint32_t i = 1; i <= colors; ++i) {
    outputs.push_back({"COLOR", i, sv_none, is_float, i, 0xF, 0});
    code.op(dcl_output, {to(output, {i})});
  }
  code.op(dcl_max_output_vertices, {word(made.vertices)})
      .op(mov, {to(temp, {0}), bits(0, 0, 0, 0)})
      .op(op_loop)
      .op(op_ieq, {to(temp, {1}, "x"), from(temp, {0}, "x"), bits(made.vertices)})
      .op(op_breakc, {from(temp, {1}, "x")}, 1 << 7)
      .op(mov, {to(output, {0}), from(input, {0, 0})});
  for (std::uint32_t i = 1; i <= colors; ++i) {
    code.op(mov, {to(output, {i}), number(0.25f, 0.5f, 0.75f, 1)});
  }
  code.op(emit).op(iadd, {to(temp, {0}), from(temp, {0}), bits(1, 1, 1, 1)}).op(op_endloop).op(ret);
  return container({{position_read}, outputs}, code);
}

constexpr std::uint32_t small_target = 0x7503, vs = 0x7504, ps = 0x7505, gs = 0x7506, hs = 0x7507,
                        ds = 0x7508;

/// A target of 4 by 4 pixels, so that what is drawn is little work.
auto draw_to_small_target(const byte_vector& vertex) -> stream_builder {
  return std::move(
      stream_builder{}
          .create_texture(small_target, {.usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET})
          .create_shader(vs, test::wire_vs, vertex)
          .create_shader(ps, test::wire_ps, test::ps_4_0_white())
          .targets({small_target}));
}

/// It ends, and none of it is left.
void draw_and_forget(session& s, std::uint32_t count) {
  const error_code why = s.g().run(stream_builder{}.draw(count));
  CHECK((why == error_code::none || why == error_code::unsupported));
  CHECK(s.pc().counters().device_losses == 0);
  static_cast<void>(s.g().run(stream_builder{}.destroy_shader(gs)));
}

/// Memory for 33 million vertices of a few points, then for as many as a device lets them make.
void geometry_vertices() {
  session s{patient()};
  s.g().must_run(draw_to_small_target(test::vs_4_0_origin()).topology(AEROGPU_TOPOLOGY_POINTLIST));
  for (const geometry& made : {geometry{1, 1024, 32}, geometry{1, 10, 32}}) {
    static_cast<void>(s.g().run(stream_builder{}
                                    .create_shader(gs, test::wire_gs, gs_wide_points(made))
                                    .bind_shaders(vs, ps, 0, gs)));
    draw_and_forget(s, 4'096);
  }
  s.must_serve_after_reset();
}

/// The same behind patches, each of some thousand triangles; then those alone.
void geometry_behind_patches() {
  session s{patient()};
  constexpr test::signature_entry point{"SV_Position", 0, sv_position, is_float, 0, 0xF, 0xF};
  s.g().must_run(
      draw_to_small_target(vs_position_only())
          .create_shader(hs, {AEROGPU_SHADER_STAGE_COMPUTE, AEROGPU_SHADER_STAGE_EX_HULL},
                         hs_triangle(64, point, false))
          .create_shader(ds, {AEROGPU_SHADER_STAGE_COMPUTE, AEROGPU_SHADER_STAGE_EX_DOMAIN},
                         ds_triangle(point))
          .topology(AEROGPU_TOPOLOGY_PATCHLIST_1 + 2));
  for (const geometry& made : {geometry{3, 10, 32}, geometry{3, 10, 1}}) {
    static_cast<void>(s.g().run(stream_builder{}
                                    .create_shader(gs, test::wire_gs, gs_wide_points(made))
                                    .bind_all_shaders({vs, ps, 0, 0}, {gs, hs, ds})));
    draw_and_forget(s, 3 * 24);
  }
  static_cast<void>(s.g().run(stream_builder{}.bind_all_shaders({vs, ps, 0, 0}, {0, hs, ds})));
  draw_and_forget(s, 3 * 1'300);
  s.must_serve_after_reset();
}

/// 6 MiB of shaders that do nothing, each instruction in 4 bytes.
void empty_instructions() {
  session s;
  constexpr std::uint32_t count = 24, code_bytes = 256 * 1024;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto code = d3d9::assemble("vs_1_1\ndef c0, " + std::to_string(i) +
                                     ", 0, 0, 1\ndcl_position v0\nmov oPos, v0");
    REQUIRE(code);
    const const_bytes short_form = std::as_bytes(std::span{*code});
    byte_vector bytes{short_form.begin(), short_form.end()};
    bytes.insert(bytes.end() - 4, code_bytes - bytes.size(), std::byte{});
    s.g().must_run(stream_builder{}.create_shader(first_of_many + i, test::wire_vs, bytes));
  }
  s.must_serve();
  s.must_serve_after_reset();
}

constexpr cost_limit staged{.resident_mib = 160, .processor_seconds = 12};
constexpr cost_limit quota{.resident_mib = 144, .address_mib = 256, .processor_seconds = 12};
constexpr std::array attacks{
    attack{"index-padding", "staging has a budget, at which the batch is submitted", staged,
           index_padding},
    attack{"dirty-again", "staging has a budget, at which the batch is submitted", staged,
           dirty_again},
    attack{"dirty-texture-again", "staging has a budget, at which the batch is submitted", staged,
           dirty_texture_again},
    attack{"copies-inside", "temporaries have a budget, too", staged, copies_inside},
    attack{"create-and-destroy", "what waits for the device has a budget", staged,
           create_and_destroy},
    attack{"padded-layers", "quotas charge what the device takes", quota, padded_layers},
    attack{"converted-formats",
           "quotas charge converted formats and shadows",
           {.resident_mib = 80, .processor_seconds = 12},
           converted_formats},
    attack{"pinned-blocks",
           "blocks are bounded, too, of which little is in use",
           {.resident_mib = 150, .address_mib = 256, .processor_seconds = 12},
           pinned_blocks},
    attack{"tiny-objects",
           "quotas charge a minimum for each object",
           {.resident_mib = 60, .processor_seconds = 12},
           tiny_objects},
    attack{"pending-write-backs",
           "the budget of write-backs is of all that is pending",
           {.resident_mib = 112, .address_mib = 160, .processor_seconds = 12},
           pending_write_backs},
    attack{"repeated-write-backs", "the budget of write-backs is of all that is pending", staged,
           repeated_write_backs},
    attack{"many-commands", "commands have a budget, at which the batch is submitted", staged,
           many_commands},
    attack{"many-flushes", "batches in flight are bounded", staged, many_flushes},
    attack{"many-submissions", "batches in flight are bounded", staged, many_submissions},
    attack{
        "full-contexts", "the state of contexts is bounded", {.resident_mib = 560}, full_contexts},
    attack{"long-markers", "labels are bounded", staged, long_markers},
    attack{"untouched-giants", "quotas hold before memory is touched", quota, untouched_giants},
    attack{"empty-instructions",
           "of a shader only its bytes are kept, however many instructions they are",
           {.resident_mib = 56, .processor_seconds = 30},
           empty_instructions},
    attack{"geometry-vertices",
           "what a driver keeps of what shaders make has a budget, at which a draw is cut",
           {.resident_mib = 288, .processor_seconds = 60},
           geometry_vertices},
    attack{"geometry-behind-patches",
           "what a driver keeps of what shaders make has a budget, at which a draw is cut",
           {.resident_mib = 288, .processor_seconds = 60},
           geometry_behind_patches},
    attack{"wrapping-sizes", "sizes are checked before they are multiplied", staged,
           wrapping_sizes},
};

}  // namespace memory_group

auto memory_attacks() -> std::span<const attack> {
  return memory_group::attacks;
}

}  // namespace aerogpu::hostile
