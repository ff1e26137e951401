// SPDX-License-Identifier: MIT
// Shaders that are wrong, or right in a way that a compiler did not foresee. Each is refused with
// an error of its submission or runs; the host lives on.
#include "tests/catch.hpp"
#include "tests/hostile/attacks/compute.hpp"
#include "tests/hostile/shaders.hpp"
#include "tests/support/byte_code/shaders.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace aerogpu::hostile {

namespace shader_form_group {

constexpr std::uint32_t name_clip_distance = 2, name_cull_distance = 3;
constexpr std::uint32_t dcl_input_ps_siv = 0x64;

constexpr std::uint32_t handle = 0x7201, vs = 0x7202, ps = 0x7203, target = 0x7204;

/// What other stages need beside the shader of an attack.
void add_surroundings(stream_builder& stream) {
  stream.create_texture(target, {.usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET})
      .create_shader(vs, test::wire_vs, test::vs_4_0_origin())
      .create_shader(ps, test::wire_ps, test::ps_4_0_white())
      .targets({target})
      .topology(AEROGPU_TOPOLOGY_POINTLIST);
}

auto use_of(test::wire_stage stage, const byte_vector& code) -> stream_builder {
  stream_builder stream;
  add_surroundings(stream);
  stream.create_shader(handle, stage, code);
  if (stage.stage == AEROGPU_SHADER_STAGE_COMPUTE) {
    return std::move(stream.bind_shaders(0, 0, handle).dispatch(1, 1, 1));
  }
  const bool is_vs = stage.stage == AEROGPU_SHADER_STAGE_VERTEX;
  const bool is_ps = stage.stage == AEROGPU_SHADER_STAGE_PIXEL;
  const bool is_gs = stage.stage == AEROGPU_SHADER_STAGE_GEOMETRY;
  stream.bind_all_shaders({is_vs ? handle : vs, is_ps ? handle : ps, 0, 0},
                          {is_gs ? handle : 0, 0, 0});
  return std::move(stream.draw(1));
}

/// Creates a shader and draws or dispatches with it. It is destroyed again.
auto uses(guest& g, test::wire_stage stage, const byte_vector& code) -> bool {
  const bool is_taken = g.run(use_of(stage, code)) == error_code::none;
  const std::string_view why = g.last_error();
  if (!is_taken) CHECK_FALSE(why.empty());
  g.must_run(stream_builder{}
                 .targets({})
                 .bind_shaders(0, 0)
                 .destroy(target)
                 .destroy_shader(handle)
                 .destroy_shader(vs)
                 .destroy_shader(ps));
  return is_taken;
}

/// It is refused with a sentence.
void must_refuse(guest& g, test::wire_stage stage, const byte_vector& code) {
  CHECK_FALSE(uses(g, stage, code));
}

auto ps_packed_distances() -> byte_vector {
  program code{program_type::pixel, 4};
  code.op(dcl_input_ps_siv, {to(input, {1}, "xy"), word(name_clip_distance)}, linear)
      .op(dcl_input_ps_siv, {to(input, {1}, "zw"), word(name_cull_distance)}, linear)
      .op(dcl_output, {to(output, {0})})
      .op(mov, {to(output, {0}), from(input, {1})})
      .op(ret);
  return container({{position_out,
                     {"SV_ClipDistance", 0, name_clip_distance, is_float, 1, 0x3, 0x3},
                     {"SV_CullDistance", 0, name_cull_distance, is_float, 1, 0xC, 0xC}},
                    {target_out}},
                   code);
}

auto gs_packed_distances() -> byte_vector {
  program code{program_type::geometry, 4};
  code.op(dcl_input_siv, {to(input, {1, 0}), word(name_position)})
      .op(dcl_input_siv, {to(input, {1, 1}, "xy"), word(name_clip_distance)})
      .op(dcl_input_siv, {to(input, {1, 1}, "zw"), word(name_cull_distance)})
      .op(dcl_input_primitive, {}, 1)
      .op(dcl_output_topology, {}, 1)
      .op(dcl_output_siv, {to(output, {0}), word(name_position)})
      .op(dcl_max_output_vertices, {word(1)})
      .op(mov, {to(output, {0}), from(input, {0, 1})})
      .op(emit)
      .op(ret);
  return container({{position_read,
                     {"SV_ClipDistance", 0, name_clip_distance, is_float, 1, 0x3, 0x3},
                     {"SV_CullDistance", 0, name_cull_distance, is_float, 1, 0xC, 0xC}},
                    {position_out}},
                   code);
}

void packed_distances() {
  session s;
  must_refuse(s.g(), test::wire_ps, ps_packed_distances());
  must_refuse(s.g(), test::wire_gs, gs_packed_distances());
  s.must_serve();
}

constexpr std::uint32_t cube = 6, cube_array = 10;
constexpr std::uint32_t is_extended = 1u << 20;  ///< Bit 31 of the opcode.

/// The word behind an opcode that moves texels by (1, 1, 1).
constexpr std::uint32_t offsets = 1u | 1u << 9 | 1u << 13 | 1u << 17;

auto ps_with_offsets(std::uint32_t dimension, bool samples) -> byte_vector {
  program code{program_type::pixel, 4, 1};
  if (samples) code.op(dcl_sampler, {plain(sampler, {0})});
  code.op(dcl_resource, {plain(resource, {0}), word(returns_float)}, dimension)
      .op(dcl_input_ps, {to(input, {1})}, linear)
      .op(dcl_output, {to(output, {0})})
      .op(dcl_temps, {word(1)})
      .op(mov, {to(temp, {0}), bits(0, 0, 0, 0)});
  if (samples) {
    code.op(sample,
            {word(offsets), to(output, {0}), from(input, {1}), from(resource, {0}),
             plain(sampler, {0})},
            is_extended);
  } else {
    code.op(ld, {word(offsets), to(output, {0}), from(temp, {0}), from(resource, {0})},
            is_extended);
  }
  code.op(ret);
  return container({{position_out, texcoord(1, 0xF)}, {target_out}}, code);
}

void texel_offsets() {
  session s;
  must_refuse(s.g(), test::wire_ps, ps_with_offsets(buffer, false));
  must_refuse(s.g(), test::wire_ps, ps_with_offsets(cube, true));
  must_refuse(s.g(), test::wire_ps, ps_with_offsets(cube_array, true));

  s.must_serve();
}

/// Writes SV_Target`index`, and SV_Depth if it is to.
auto ps_lone_target(std::uint32_t index, bool writes_depth) -> byte_vector {
  const test::signature_entry color{"SV_Target", index, sv_none, is_float, index, 0xF, 0};
  const test::signature_entry depth{"SV_Depth", 0, sv_none, is_float, no_register, 0x1, 0xE};
  program code{program_type::pixel, 4};
  code.op(dcl_output, {to(output, {index})});
  if (writes_depth) code.op(dcl_output, {scalar(output_depth)});
  code.op(mov, {to(output, {index}), number(1, 1, 1, 1)});
  if (writes_depth) code.op(mov, {scalar(output_depth), number(0.25f)});
  code.op(ret);
  return writes_depth ? container({{position_out}, {color, depth}}, code)
                      : container({{position_out}, {color}}, code);
}

/// Colours that nobody asked for, and none where one is expected.
void lone_targets() {
  session s{validated()};
  program nothing{program_type::pixel, 4};
  nothing.op(ret);
  static_cast<void>(uses(s.g(), test::wire_ps, container({{position_out}, {}}, nothing)));
  for (const std::uint32_t index : {0u, 1u, 7u}) {
    for (const bool writes_depth : {false, true}) {
      INFO("SV_Target" << index << (writes_depth ? " and depth" : ""));
      static_cast<void>(uses(s.g(), test::wire_ps, ps_lone_target(index, writes_depth)));
    }
  }
  s.must_serve();
}

void deep_nesting() {
  session s;
  for (const int depth : {33, 1'000, 30'000}) {
    program code = begin_compute(64);
    code.op(mov, {to(temp, {1}), bits(0, 0, 0, 0)});
    for (int i = 0; i < depth; ++i) code.op(op_if, {from(temp, {0}, "y")}, 1 << 7);
    for (int i = 0; i < depth; ++i) code.op(endif);
    must_refuse(s.g(), test::wire_cs, end_compute(code));
  }
  s.must_serve();
}

void huge_declarations() {
  session s;
  const std::vector<token_vector> rows{
      declare(op_dcl_tgsm_raw, {plain(group_shared, {0}), word(0x7FFFFFFC)}),
      declare(op_dcl_tgsm_raw, {plain(group_shared, {0}), word(0xFFFFFFFF)}),
      declare(op_dcl_tgsm_structured, {plain(group_shared, {0}), word(2048), word(0x7FFFFFFF)}),
      declare(op_dcl_tgsm_structured, {plain(group_shared, {0}), word(0xFFFFFFFC), word(2)}),
      declare(op_dcl_tgsm_raw, {plain(group_shared, {0xFFFFFFFF}), word(64)}),
      declare(op_dcl_indexable_temp, {word(0), word(0x0FFFFFFF), word(4)}),
      declare(op_dcl_indexable_temp, {word(0xFFFFFFFF), word(4), word(4)}),
      declare(op_dcl_indexable_temp, {word(0), word(0x40000000), word(4)}),
      declare(dcl_temps, {word(0xFFFFFFFF)}),
      declare(dcl_constant_buffer, {from(constants, {0, 0xFFFFFFFF})}),
      declare(dcl_constant_buffer, {from(constants, {0xFFFFFFFF, 1})}),
      declare(dcl_resource_structured, {plain(resource, {1}), word(0xFFFFFFFC)}),
      declare(dcl_uav_structured, {plain(uav, {1}), word(0x80000000)}),
      declare(dcl_resource_raw, {plain(resource, {0xFFFFFFFF})}),
      declare(dcl_uav_raw, {plain(uav, {0x80000000})}),
      declare(dcl_sampler, {plain(sampler, {0xFFFFFFFF})}),
  };
  for (const token_vector& row : rows) {
    program code = begin_compute(64, {row});
    code.op(mov, {to(temp, {1}), bits(0, 0, 0, 0)});
    must_refuse(s.g(), test::wire_cs, end_compute(code));
  }
  for (const std::array<std::uint32_t, 3> group :
       {std::array{0xFFFFFFFFu, 1u, 1u}, std::array{1024u, 1024u, 64u},
        std::array{65536u, 65536u, 1u}, std::array{0u, 1u, 1u}, std::array{1u, 1u, 65u}}) {
    program code{program_type::compute, 5};
    code.op(dcl_thread_group, {word(group[0]), word(group[1]), word(group[2])}).op(ret);
    must_refuse(s.g(), test::wire_cs, container({{}, {}}, code));
  }
  s.must_serve();
}

/// Lengths that would make a reader stand still or run away.
void lying_lengths() {
  session s;
  const token_vector good{0x00050050, 7, 0x0400009B, 1, 1, 1, 0x0100003E};
  const auto with = [&](std::size_t at, std::uint32_t value) {
    token_vector tokens = good;
    tokens[at] = value;
    return test::make_dxbc({{"ISGN", test::make_signature({})},
                            {"OSGN", test::make_signature({})},
                            {"SHEX", test::token_bytes(tokens)}});
  };
  for (const std::uint32_t value : {0u, 1u, 0x7FFFFFFFu, 0xFFFFFFFFu, 0x40000000u}) {
    must_refuse(s.g(), test::wire_cs, with(1, value));
  }
  for (const std::uint32_t opcode : {0x0000009Bu, 0x7F00009Bu, 0x0500009Bu, 0x00000035u}) {
    must_refuse(s.g(), test::wire_cs, with(2, opcode));
  }
  // Custom data whose length is 0, 1, and more than there is.
  for (const std::uint32_t length : {0u, 1u, 0x80000000u, 0xFFFFFFFFu}) {
    token_vector tokens = good;
    tokens.insert(tokens.begin() + 2, {3u << 11 | op_custom_data, length, 1, 2, 3, 4});
    tokens[1] = static_cast<std::uint32_t>(tokens.size());
    must_refuse(s.g(), test::wire_cs,
                test::make_dxbc({{"ISGN", test::make_signature({})},
                                 {"OSGN", test::make_signature({})},
                                 {"SHEX", test::token_bytes(tokens)}}));
  }
  s.must_serve();
}

/// Any word of any container, changed to what hurts most; then bits at random.
void changed_words() {
  session s;
  std::uint32_t seed = 12'345;
  const auto random = [&] { return seed = seed * 1664525 + 1013904223; };
  constexpr std::array stages{test::wire_vs, test::wire_ps, test::wire_gs, test::wire_cs};
  for (const sample_shader& sample : samples()) {
    for (int i = 0; i < 48; ++i) {
      byte_vector code = sample.bytes;
      const std::size_t at = random() % (code.size() / 4) * 4;
      const std::uint32_t now = load<std::uint32_t>(code.data() + at);
      const std::array<std::uint32_t, 6> bad{
          0, 0xFFFFFFFF, 0x80000000, now + 1, now ^ 1u << random() % 32, random()};
      const std::uint32_t changed = bad[random() % bad.size()];
      store(code.data() + at, changed);
      INFO(sample.name << ": word " << at / 4 << " was " << now << ", is " << changed);
      for (const test::wire_stage stage : stages) {
        INFO("stage " << stage.stage);
        static_cast<void>(uses(s.g(), stage, code));
      }
    }
  }
  s.must_serve();
}

/// A container in which all chunks begin at one place, and ones that lie about their sizes.
void lying_containers() {
  session s;
  const byte_vector good = vs_passing();
  const auto stored = [&](std::size_t at, std::uint32_t value) {
    byte_vector code = good;
    store(code.data() + at, value);
    return code;
  };
  constexpr std::size_t total_size = 24, chunk_count = 28, first_chunk = 32;
  for (const std::uint32_t value : {0u, 31u, 0x7FFFFFFFu, 0xFFFFFFFFu}) {
    must_refuse(s.g(), test::wire_vs, stored(total_size, value));
    must_refuse(s.g(), test::wire_vs, stored(first_chunk, value));
  }
  for (const std::uint32_t count : {0x10000u, 0x3FFFFFFFu, 0x40000000u, 0xFFFFFFFFu}) {
    must_refuse(s.g(), test::wire_vs, stored(chunk_count, count));
  }
  for (std::size_t size = 0; size < good.size(); size += 4) {
    must_refuse(s.g(), test::wire_vs,
                {good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)});
  }
  s.must_serve();
}

constexpr cost_limit small{.resident_mib = 128, .processor_seconds = 8};
constexpr std::array attacks{
    attack{"packed-distances", "two kinds of distances in one register are refused", small,
           packed_distances},
    attack{"texel-offsets", "texel offsets on buffers and cubes are refused", small, texel_offsets},
    attack{"lone-targets", "a pixel shader may leave out the targets that are bound", small,
           lone_targets},
    attack{"deep-nesting", "blocks nest 32 deep at most", small, deep_nesting},
    attack{"huge-declarations", "each declared size has a limit", small, huge_declarations},
    attack{"lying-lengths", "lengths are checked before a step is taken", small, lying_lengths},
    attack{"changed-words",
           "no byte code ends the host",
           {.resident_mib = 256, .processor_seconds = 20},
           changed_words},
    attack{"lying-containers", "chunks lie within their container", small, lying_containers},
};

}  // namespace shader_form_group

auto shader_form_attacks() -> std::span<const attack> {
  return shader_form_group::attacks;
}

}  // namespace aerogpu::hostile
