// SPDX-License-Identifier: MIT
#include "tests/golden/guests/dxbc_guest.hpp"

namespace aerogpu::golden {
namespace {

using words = std::vector<std::uint32_t>;
using floats = std::vector<float>;

/// Typed u0[i] = t0[i] + 1.5, a float for each thread; groups of four.
[[nodiscard]] auto cs_typed() -> byte_vector {
  using namespace sm4;
  program code{program_type::compute, 5};
  code.op(dcl_resource, {plain(resource, {0}), word(returns_float)}, buffer)
      .op(dcl_uav_typed, {plain(uav, {0}), word(returns_float)}, buffer)
      .op(dcl_input, {to(thread_id, {}, "x")})
      .op(dcl_temps, {word(1)})
      .op(dcl_thread_group, {word(4), word(1), word(1)})
      .op(ld, {to(temp, {0}), from(thread_id, {}, "xxxx"), from(resource, {0})})
      .op(add, {to(temp, {0}), from(temp, {0}), number(1.5f, 1.5f, 1.5f, 1.5f)})
      .op(store_typed, {to(uav, {0}), from(thread_id, {}, "xxxx"), from(temp, {0})})
      .op(ret);
  return container({{}, {}}, code);
}

/// Words of a count of its own, from `first` on.
[[nodiscard]] auto counting(std::uint32_t first, std::size_t count) -> words {
  words made;
  for (std::size_t i = 0; i < count; ++i) made.push_back(first + static_cast<std::uint32_t>(i));
  return made;
}

struct compute_scene : dxbc_scene {
  explicit compute_scene(host_variant variant = host_variant::plain) : dxbc_scene(4, 4, variant) {}

  std::uint32_t source = g.make_buffer(counting(100, 16));
  std::uint32_t destination = g.make_buffer(words(16, 7));

  void run(const byte_vector& container, std::uint32_t groups) {
    const auto cs = shader(wire_cs, container);
    g.stream().bind_shaders(0, 0, cs).dispatch(groups, 1, 1);
  }
};

TEST_CASE("VK-070 raw buffers: every thread reads a word and writes one",
          "[golden][dxbc][compute]") {
  compute_scene s;
  s.g.stream()
      .resource_buffers(wire_cs, 0, {{s.source}})
      .unordered_access(wire_cs, 0, {{s.destination}});
  s.run(sm4::cs_raw(), 3);
  words expected = counting(101, 12);
  expected.resize(16, 7);
  s.expect_words(s.destination, 0, expected);
}

TEST_CASE("VK-070 structured buffers", "[golden][dxbc][compute]") {
  compute_scene s;
  const auto from = s.g.make_buffer(floats{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
  s.g.stream()
      .resource_buffers(wire_cs, 1, {{from}})
      .unordered_access(wire_cs, 1, {{s.destination}});
  s.run(sm4::cs_structured(), 1);
  words expected;
  for (int i = 1; i <= 16; ++i) expected.push_back(as_bits(2.0f * static_cast<float>(i)));
  s.expect_words(s.destination, 0, expected);
}

TEST_CASE("VK-070 typed buffers hold numbers of 32 bits", "[golden][dxbc][compute]") {
  compute_scene s;
  const auto from = s.g.make_buffer(floats{1, 2, 3, -4});
  s.g.stream()
      .resource_buffers(wire_cs, 0, {{from}})
      .unordered_access(wire_cs, 0, {{s.destination}});
  s.run(cs_typed(), 1);
  s.expect_words(s.destination, 0,
                 {as_bits(2.5f), as_bits(3.5f), as_bits(4.5f), as_bits(-2.5f), 7});
}

TEST_CASE("VK-070 atomics count every thread of every group", "[golden][dxbc][compute]") {
  compute_scene s;
  const auto counter = s.g.make_buffer(words{1000, 0});
  const auto cs = s.shader(wire_cs, sm4::cs_atomic());
  s.g.stream().unordered_access(wire_cs, 0, {{counter}}).bind_shaders(0, 0, cs).dispatch(3, 2, 5);
  s.expect_words(counter, 0, {1120, 0});
}

TEST_CASE("VK-070 what a dispatch writes is seen by the next one and by copies",
          "[golden][dxbc][compute]") {
  compute_scene s;
  const auto between = s.g.make_buffer(words(16, 0)), copy = s.g.make_buffer(words(16, 0));
  const auto cs = s.shader(wire_cs, sm4::cs_raw());
  s.g.stream()
      .bind_shaders(0, 0, cs)
      .resource_buffers(wire_cs, 0, {{s.source}})
      .unordered_access(wire_cs, 0, {{between}})
      .dispatch(4, 1, 1)
      .copy_buffer(copy, 0, between, 0, 64)
      .resource_buffers(wire_cs, 0, {{between}})
      .unordered_access(wire_cs, 0, {{s.destination}})
      .dispatch(4, 1, 1)
      .resource_buffers(wire_cs, 0, {{s.destination}})
      .unordered_access(wire_cs, 0, {{between}})
      .dispatch(4, 1, 1);
  s.expect_words(copy, 0, counting(101, 16));
  s.expect_words(s.destination, 0, counting(102, 16));
  s.expect_words(between, 0, counting(103, 16));
}

TEST_CASE("VK-070 draws see what dispatches between them write", "[golden][dxbc][compute]") {
  compute_scene s;
  const auto shown = s.g.make_buffer(floats{1, 0, 0, 1});
  const auto half = s.g.make_buffer(floats{0, 0.5f, 0, 0.5f});
  const auto vs = s.passing_vs(), ps = s.shader(wire_ps, sm4::ps_constant(3));
  const auto cs = s.shader(wire_cs, sm4::cs_structured());
  s.g.stream()
      .bind_shaders(vs, ps, cs)
      .constant_buffers(wire_ps, 3, {{shown}})
      .resource_buffers(wire_cs, 1, {{half}})
      .unordered_access(wire_cs, 1, {{shown}});
  s.set_vertices(s.quad({0, 0, 2, 4}));
  s.g.stream().draw(6).dispatch(1, 1, 1);
  s.set_vertices(s.quad({2, 0, 2, 4}));
  s.g.stream().draw(6);
  s.expect(image(4, 4, red).fill({2, 0, 2, 4}, green));
}

TEST_CASE("VK-070 a dispatch makes vertices and indices for a draw", "[golden][dxbc][compute]") {
  compute_scene s;
  // Doubled by the dispatch: position, coordinates and colour of three vertices, 40 bytes each.
  std::vector<dxbc_vertex> halves = s.quad({0, 0, 8, 8}, {0, 0.5f, 0, 0.5f});
  halves.resize(6);
  for (dxbc_vertex& v : halves) v.x /= 2, v.y /= 2, v.z /= 2, v.w = 0.5f;
  const auto from = s.g.make_buffer(halves);
  const auto vertices = s.g.make_buffer(byte_vector(6 * sizeof(dxbc_vertex)));
  const auto indices = s.g.make_buffer(words(4, 0));
  const auto index_source = s.g.make_buffer(words{0xFFFFFFFF, 0, 1, 2});
  const auto vs = s.passing_vs(), ps = s.color_ps(), layout = s.vertex_layout();
  const auto doubling = s.shader(wire_cs, sm4::cs_structured());
  const auto counting_up = s.shader(wire_cs, sm4::cs_raw());
  s.g.stream()
      .bind_shaders(vs, ps, doubling)
      .resource_buffers(wire_cs, 0, {{index_source}, {from}})
      .unordered_access(wire_cs, 0, {{indices}, {vertices}})
      .dispatch(4, 1, 1)
      .bind_shaders(vs, ps, counting_up)
      .dispatch(1, 1, 1)
      .set_layout(layout)
      .vertex_buffer(0, vertices, sizeof(dxbc_vertex))
      .index_buffer(indices, AEROGPU_INDEX_FORMAT_UINT32)
      .topology(AEROGPU_TOPOLOGY_TRIANGLELIST)
      .draw_indexed(3);
  s.expect(green);
}

TEST_CASE("VK-070 unbound buffers read zero, and writes to them are dropped",
          "[golden][dxbc][compute]") {
  // Without null descriptors, zeros that nobody else sees stand in.
  compute_scene s(GENERATE(host_variant::plain, host_variant::bare_device));
  s.g.stream().unordered_access(wire_cs, 0, {{s.destination}});
  s.run(sm4::cs_raw(), 1);
  s.expect_words(s.destination, 0, {1, 1, 1, 1, 7});
  s.g.stream().resource_buffers(wire_cs, 0, {{s.source}}).unordered_access(wire_cs, 0, {{0}});
  s.run(sm4::cs_raw(), 1);
  s.run(sm4::cs_atomic(), 1);
  s.expect_words(s.destination, 0, {1, 1, 1, 1, 7});
}

TEST_CASE("VK-070 a destroyed buffer is unbound, and its slot is free", "[golden][dxbc][compute]") {
  compute_scene s;
  const auto gone = s.g.make_buffer(words(16, 1));
  s.g.stream()
      .resource_buffers(wire_cs, 0, {{gone}})
      .unordered_access(wire_cs, 0, {{s.destination}});
  s.run(sm4::cs_raw(), 1);
  s.g.stream().destroy(gone);
  s.run(sm4::cs_raw(), 1);
  s.expect_words(s.destination, 0, {1, 1, 1, 1, 7});
}

TEST_CASE("VK-071 ranges end where they say", "[golden][dxbc][compute]") {
  compute_scene s;
  s.g.stream()
      .resource_buffers(wire_cs, 0, {{s.source, 16, 12}})
      .unordered_access(wire_cs, 0, {{s.destination, 16, 24}});
  s.run(sm4::cs_raw(), 2);
  // Beyond the third word zero is read, beyond the sixth nothing is written.
  s.expect_words(s.destination, 0, {7, 7, 7, 7, 105, 106, 107, 1, 1, 1, 7, 7, 7, 7, 7, 7});
}

TEST_CASE("VK-071 ranges at any offset", "[golden][dxbc][compute]") {
  const auto from = GENERATE(0u, 4u, 12u, 16u, 20u), to = GENERATE(0u, 4u, 8u, 32u);
  INFO("from " << from << " to " << to);
  compute_scene s;
  s.g.stream()
      .resource_buffers(wire_cs, 0, {{s.source, from, 16}})
      .unordered_access(wire_cs, 0, {{s.destination, to, 16}});
  s.run(sm4::cs_raw(), 1);
  s.run(sm4::cs_raw(), 2);
  words expected(16, 7);
  for (std::size_t i = 0; i < 4; ++i) expected[to / 4 + i] = 101 + from / 4 + std::uint32_t(i);
  s.expect_words(s.destination, 0, expected);
}

TEST_CASE("VK-071 many ranges of one buffer in one submission", "[golden][dxbc][compute]") {
  constexpr std::uint32_t ranges = 150;
  compute_scene s;
  const auto long_source = s.g.make_buffer(counting(0, ranges * 4));
  const auto cs = s.shader(wire_cs, sm4::cs_raw());
  s.g.stream().bind_shaders(0, 0, cs).unordered_access(wire_cs, 0, {{s.destination}});
  for (std::uint32_t i = 0; i < ranges; ++i) {
    s.g.stream().resource_buffers(wire_cs, 0, {{long_source, i * 16, 16}}).dispatch(1, 1, 1);
  }
  s.expect_words(s.destination, 0, counting(ranges * 4 - 3, 4));
}

TEST_CASE("VK-071 an atomic at an offset keeps what was there", "[golden][dxbc][compute]") {
  compute_scene s;
  s.g.stream().unordered_access(wire_cs, 0, {{s.source, 8, 8}});
  s.run(sm4::cs_atomic(), 2);
  s.run(sm4::cs_atomic(), 1);
  s.expect_words(s.source, 0, {100, 101, 114, 103, 104});
}

TEST_CASE("VK-071 constant buffers of compute shaders at any offset", "[golden][dxbc][compute]") {
  using namespace sm4;
  program code{program_type::compute, 5};
  code.op(dcl_constant_buffer, {from(constants, {1, 2})})
      .op(dcl_uav_raw, {plain(uav, {0})})
      .op(dcl_thread_group, {word(1), word(1), word(1)})
      .op(store_raw, {to(uav, {0}), bits(0), from(constants, {1, 1})})
      .op(ret);
  const auto offset = GENERATE(0u, 4u, 16u, 28u);
  compute_scene s;
  s.g.stream()
      .constant_buffers(wire_cs, 1, {{s.source, offset, 28}})
      .unordered_access(wire_cs, 0, {{s.destination}});
  s.run(container({{}, {}}, code), 1);
  words expected = counting(104 + offset / 4, 3);
  expected.insert(expected.end(), {0, 7});
  s.expect_words(s.destination, 0, expected);
}

TEST_CASE("a dispatch of another stage than compute says that it cannot",
          "[golden][dxbc][compute]") {
  compute_scene s;
  const auto vs = s.passing_vs(), ps = s.color_ps();
  const auto gs = s.shader(wire_gs, sm4::gs_point_to_quad());
  s.g.stream().bind_shaders(vs, ps, 0, gs).dispatch(1, 1, 1, AEROGPU_SHADER_STAGE_EX_GEOMETRY);
  const auto why = s.g.failure();
  if (s.g.renders()) CHECK(why == error_code::unsupported);
}

}  // namespace
}  // namespace aerogpu::golden
