// SPDX-License-Identifier: MIT
// Shaders that are dear to compile or never end. What reaches a driver's compiler is bounded, it
// runs under the watchdog, and loops have a budget.
#include "d3d9_to_spirv/assembly/assemble.hpp"
#include "tests/catch.hpp"
#include "tests/hostile/attacks/compute.hpp"
#include "tests/hostile/shaders.hpp"
#include "tests/support/layout_blobs.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace aerogpu::hostile {

namespace shader_cost_group {

constexpr std::uint32_t target = 0x7101, vertices = 0x7102, shader = 0x7103, other = 0x7104,
                        layout = 0x7105;

auto d3d9_shader(const std::string& assembly) -> byte_vector {
  const auto made = d3d9::assemble(assembly);
  REQUIRE(made);
  const const_bytes bytes = std::as_bytes(std::span{*made});
  return {bytes.begin(), bytes.end()};
}

auto repeated(std::string_view part, std::size_t count) -> std::string {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += part;
  return all;
}

/// A triangle over a 4 x 4 target with a pixel shader of Direct3D 9; how it ends is the host's
/// choice, that it ends is not.
void draw_with(guest& g, const byte_vector& pixel_shader, std::string_view vertex_version) {
  using namespace test;
  constexpr std::array<float, 12> corners{-1, 3, 0.5f, 1, 3, -1, 0.5f, 1, -1, -1, 0.5f, 1};
  const auto bytes = std::as_bytes(std::span{corners});
  const std::string vs{
      std::string{vertex_version} + "\ndcl_position v0\n" +
      (vertex_version == "vs_3_0" ? "dcl_position o0\nmov o0, v0" : "mov oPos, v0")};
  static_cast<void>(
      g.run(stream_builder{}
                .create_texture(target, {.usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET})
                .create_buffer(vertices, bytes.size())
                .upload(vertices, 0, {bytes.begin(), bytes.end()})
                .create_shader(shader, wire_vs, d3d9_shader(vs))
                .create_layout(layout, declaration_blob({{0, 0, 3, 0, 0, 0}, declaration_end}))
                .create_shader(other, wire_ps, pixel_shader)));
  static_cast<void>(g.run(stream_builder{}
                              .targets({target})
                              .bind_shaders(shader, other)
                              .constants_i(wire_ps, 0, {{255, 0, 1, 0}})
                              .set_layout(layout)
                              .topology(AEROGPU_TOPOLOGY_TRIANGLELIST)
                              .vertex_buffer(0, vertices, 16)
                              .draw(3)));
  static_cast<void>(g.run(stream_builder{}
                              .targets({})
                              .bind_shaders(0, 0)
                              .destroy(target)
                              .destroy(vertices)
                              .destroy_shader(shader)
                              .destroy_shader(other)
                              .destroy_layout(layout)));
}

void d3d9_powers() {
  session s;
  draw_with(s.g(),
            d3d9_shader("ps_3_0\nmov r0, c0\n" + repeated("pow r0, r0.x, c1.x\n", 12'000) +
                        "mov oC0, r0"),
            "vs_3_0");
  s.must_serve();
}

void d3d9_branches() {
  session s;
  draw_with(s.g(),
            d3d9_shader(
                "ps_3_0\nmov r0, c0\n" +
                repeated("if_gt r0.x, c1.x\nadd r0, r0, c2\nelse\nmul r0, r0, c3\nendif\n", 3'000) +
                "mov oC0, r0"),
            "vs_3_0");
  s.must_serve();
}

void d3d9_nested_branches() {
  session s;
  const std::string nest =
      repeated("if_gt r0.x, c1.x\nadd r0, r0, c2\n", 24) + repeated("endif\n", 24);
  draw_with(s.g(), d3d9_shader("ps_3_0\nmov r0, c0\n" + repeated(nest, 150) + "mov oC0, r0"),
            "vs_3_0");
  s.must_serve();
}

/// 255 to the fourth power rounds: the total budget ends them.
void d3d9_nested_loops() {
  session s;
  draw_with(s.g(),
            d3d9_shader("ps_3_0\nmov r0, c0\n" + repeated("rep i0\n", 4) + "add r0, r0, c1\n" +
                        repeated("endrep\n", 4) + "mov oC0, r0"),
            "vs_3_0");
  CHECK(s.pc().counters().device_losses == 0);
  s.must_serve();
}

/// Subroutines that each call the next one twice: 2^n instructions once they are expanded.
void d3d9_doubling_calls() {
  session s;
  std::string code = "ps_3_0\nmov r0, c0\ncall l0\nmov oC0, r0\nret\n";
  for (int i = 0; i < 24; ++i) {
    const std::string next = "call l" + std::to_string(i + 1) + "\n";
    code += "label l" + std::to_string(i) + "\n" + next + next + "ret\n";
  }
  code += "label l24\nadd r0, r0, c1\nret";
  draw_with(s.g(), d3d9_shader(code), "vs_3_0");
  s.must_serve();
}

/// A subroutine that calls itself.
void d3d9_recursion() {
  session s;
  const auto made = d3d9::assemble(
      "ps_3_0\nmov r0, c0\ncall l0\nmov oC0, r0\nret\nlabel l0\nadd r0, r0, c1\ncall l0\nret");
  if (made) {
    const const_bytes bytes = std::as_bytes(std::span{*made});
    draw_with(s.g(), {bytes.begin(), bytes.end()}, "vs_3_0");
  }
  s.must_serve();
}

/// `loop` without an end, in threads enough for all processors.
void endless_loop() {
  session s;
  program code = begin_compute(64);
  code.op(mov, {to(temp, {1}), bits(0, 0, 0, 0)})
      .op(op_loop)
      .op(iadd, {to(temp, {1}), from(temp, {1}), bits(1, 1, 1, 1)})
      .op(op_endloop);
  const compute_run run = run_compute(s.g(), end_compute(code), words(256, 1), 64);
  CHECK(run.why == error_code::none);
  CHECK(s.pc().counters().device_losses == 0);
  s.must_serve();
}

/// Loops in a loop, each with a condition that never comes.
void endless_nested_loops() {
  session s;
  program code = begin_compute(64);
  code.op(mov, {to(temp, {1}), bits(0, 0, 0, 0)});
  for (int i = 0; i < 8; ++i) code.op(op_loop);
  code.op(iadd, {to(temp, {1}), from(temp, {1}), bits(2, 2, 2, 2)})
      .op(op_ieq, {to(temp, {2}, "x"), from(temp, {1}, "x"), bits(1)})
      .op(op_breakc, {from(temp, {2}, "x")}, 1 << 7);
  for (int i = 0; i < 8; ++i) code.op(op_endloop);
  const compute_run run = run_compute(s.g(), end_compute(code), words(64, 1), 64);
  CHECK(run.why == error_code::none);
  CHECK(s.pc().counters().device_losses == 0);
  s.must_serve();
}

/// An honest loop of a thousand rounds still counts right.
void bounded_loop() {
  session s;
  program code = begin_compute(64);
  code.op(mov, {to(temp, {1}), bits(0, 0, 0, 0)})
      .op(op_loop)
      .op(op_ieq, {to(temp, {2}, "x"), from(temp, {1}, "x"), from(temp, {0}, "y")})
      .op(op_breakc, {from(temp, {2}, "x")}, 1 << 7)
      .op(iadd, {to(temp, {1}), from(temp, {1}), bits(1, 1, 1, 1)})
      .op(op_endloop);
  const compute_run run = run_compute(s.g(), end_compute(code), words(64, 1'000), 64);
  CHECK(run.why == error_code::none);
  CHECK((run.results == words(64, 1'000)));
  s.must_serve();
}

auto dxbc_chain(std::uint32_t count, std::uint32_t first, std::uint32_t second) -> byte_vector {
  program code = begin_compute(64);
  code.op(mov, {to(temp, {1}), from(temp, {0}, "yyyy")});
  for (std::uint32_t i = 0; i < count; ++i) {
    code.op(first, {to(temp, {1}), from(temp, {1})}).op(second, {to(temp, {1}), from(temp, {1})});
  }
  return end_compute(code);
}

void dxbc_powers() {
  session s;
  static_cast<void>(run_compute(s.g(), dxbc_chain(12'000, op_log, op_exp), words(64, 1), 64));
  s.must_serve();
}

void dxbc_branches() {
  session s;
  program code = begin_compute(64);
  code.op(mov, {to(temp, {1}), from(temp, {0}, "yyyy")});
  for (std::uint32_t i = 0; i < 4'000; ++i) {
    code.op(op_ult, {to(temp, {2}, "x"), from(temp, {1}, "x"), bits(i)})
        .op(op_if, {from(temp, {2}, "x")}, 1 << 7)
        .op(iadd, {to(temp, {1}), from(temp, {1}), from(temp, {0})})
        .op(op_else)
        .op(mul, {to(temp, {1}), from(temp, {1}), from(temp, {0})})
        .op(endif);
  }
  static_cast<void>(run_compute(s.g(), end_compute(code), words(64, 1), 64));
  s.must_serve();
}

/// A switch of thousands of cases in a loop.
void dxbc_cases() {
  session s;
  program code = begin_compute(64);
  code.op(mov, {to(temp, {1}), bits(0, 0, 0, 0)}).op(op_switch, {from(temp, {0}, "y")});
  for (std::uint32_t i = 0; i < 4'000; ++i) {
    code.op(op_case, {bits(i)})
        .op(iadd, {to(temp, {1}), from(temp, {1}), bits(i, i, i, i)})
        .op(op_break);
  }
  code.op(op_endswitch);
  static_cast<void>(run_compute(s.g(), end_compute(code), words(64, 1), 64));
  s.must_serve();
}

/// Many programs of a middling size, one after the other.
void many_programs() {
  session s;
  for (std::uint32_t i = 0; i < 24; ++i) {
    static_cast<void>(run_compute(s.g(), dxbc_chain(600 + i, op_log, op_exp), words(64, 1), 64));
  }
  s.must_serve();
}

constexpr cost_limit dear{.resident_mib = 384, .processor_seconds = 12};
constexpr cost_limit quick{.resident_mib = 96, .processor_seconds = 6};
constexpr std::array attacks{
    attack{"d3d9-powers", "compilation is bounded by a cost model", dear, d3d9_powers},
    attack{"d3d9-branches", "compilation is bounded by a cost model", dear, d3d9_branches},
    attack{"d3d9-nested-branches", "nesting is part of the cost", dear, d3d9_nested_branches},
    attack{"d3d9-nested-loops", "loops have a total budget", dear, d3d9_nested_loops},
    attack{"d3d9-doubling-calls", "the cost counts what is expanded", quick, d3d9_doubling_calls},
    attack{"d3d9-recursion", "a subroutine cannot call itself", quick, d3d9_recursion},
    attack{"endless-loop", "loops have a total budget, in DXBC too", dear, endless_loop},
    attack{"endless-nested-loops", "the budget is of all loops together", dear,
           endless_nested_loops},
    attack{"bounded-loop", "what honest programs need is within the budget", quick, bounded_loop},
    attack{"dxbc-powers", "compilation is bounded by a cost model", dear, dxbc_powers},
    attack{"dxbc-branches", "compilation is bounded by a cost model", dear, dxbc_branches},
    attack{"dxbc-cases", "compilation is bounded by a cost model", dear, dxbc_cases},
    attack{"many-programs", "compilation is bounded in sum as well", dear, many_programs},
};

}  // namespace shader_cost_group

auto shader_cost_attacks() -> std::span<const attack> {
  return shader_cost_group::attacks;
}

}  // namespace aerogpu::hostile
