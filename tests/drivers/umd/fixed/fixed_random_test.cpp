// SPDX-License-Identifier: MIT
// Random states: generated shaders against the reference, the byte-code checker and, where it is
// built, the translator to SPIR-V.
#include "aerogpu/shader/d3d9_bytecode.hpp"
#include "tests/drivers/umd/fixed/fixed_random_state.hpp"

#ifdef AEROGPU_TEST_TRANSLATES
#include "d3d9_to_spirv/translate.hpp"
#endif

namespace aerogpu::test {

namespace {

/// A projection that divides by next to nothing makes any rounding large.
auto is_tame(const fixed_harness& h, const reference_varyings& in) -> bool {
  const double4 wanted = process_pixel(h.reference(), in, texel_of);
  reference_varyings moved = in;
  for (double4& t : moved.texcoords) {
    for (double& x : t) x *= 1 + 1e-6;
  }
  return is_near(wanted, process_pixel(h.reference(), moved, texel_of), 1e-4);
}

/// Lengths, bit 31 of every operand and the end, walked without the project's parser.
void check_shape(const std::vector<std::uint32_t>& tokens, std::uint32_t version) {
  REQUIRE(tokens.size() > 2);
  CHECK(tokens.front() == version);
  CHECK(tokens.back() == 0x0000FFFF);
  std::size_t at = 1;
  bool is_declaring = true;
  while (at + 1 < tokens.size()) {
    const std::uint32_t opcode = tokens[at] & 0xFFFF, length = tokens[at] >> 24;
    const bool is_definition = opcode == 81;
    if (opcode != 31 && !is_definition) is_declaring = false;
    CHECK((is_declaring || (opcode != 31 && !is_definition)));
    REQUIRE(length < 16);
    REQUIRE(at + length < tokens.size() - 1);
    for (std::size_t i = 1; i <= (is_definition ? 1 : length); ++i) {
      CHECK((tokens[at + i] >> 31) == 1);
    }
    at += 1 + length;
  }
  CHECK(at + 1 == tokens.size());
}

/// A vertex shader reads one register of the constants and one of the inputs at a time.
void check_read_ports(const d3d9::program& program) {
  for (const d3d9::instruction& in : program.instructions) {
    std::array<std::int64_t, 2> read{-1, -1};
    for (std::size_t i = 0; i < in.source_count; ++i) {
      const d3d9::register_ref& reg = in.sources[i].reg;
      const bool is_input = reg.type == d3d9::register_type::input;
      if (!is_input && reg.type != d3d9::register_type::constant) continue;
      std::int64_t& before = read[is_input ? 0 : 1];
      CHECK((before == -1 || before == reg.number));
      before = reg.number;
    }
  }
}

void check_tokens(const std::vector<std::uint32_t>& tokens, shader_stage stage) {
  const const_bytes bytes = std::as_bytes(std::span{tokens});
  const auto checked = parse_d3d9_bytecode(bytes);
  REQUIRE(checked);
  CHECK(checked->stage == stage);
  CHECK(checked->major == 3);
  CHECK(checked->dialect == d3d9_dialect::standard);
  CHECK(checked->size_bytes == bytes.size());
  const auto program = d3d9::parse(bytes);
  REQUIRE(program);
  check_shape(tokens, stage == shader_stage::vertex ? 0xFFFE0300 : 0xFFFF0300);
  if (stage == shader_stage::vertex) check_read_ports(*program);
  for (const d3d9::declaration& d : program->declarations) {
    const bool is_input = d.reg.type == d3d9::register_type::input;
    CHECK(d.reg.number < (is_input ? (stage == shader_stage::pixel ? 10 : 16) : 16));
  }
#ifdef AEROGPU_TEST_TRANSLATES
  CHECK(d3d9::translate(*program));
#endif
}

}  // namespace

TEST_CASE("vertices of random states come out as the reference says", "[umd][fixed][T183]") {
  for (std::uint32_t seed = 1; seed <= 400; ++seed) {
    INFO("seed " << seed);
    random_state random{seed};
    fixed_harness h;
    random.fill(h);
    h.check_vertex(random.vertex(), 1e-3);
  }
}

TEST_CASE("pixels of random states come out as the reference says", "[umd][fixed][T183]") {
  unsigned compared = 0;
  for (std::uint32_t seed = 1; seed <= 800; ++seed) {
    INFO("seed " << seed);
    random_state random{seed * 7919};
    fixed_harness h;
    random.fill(h);
    const reference_varyings in = random.varyings();
    if (!is_tame(h, in)) continue;
    ++compared;
    h.check_pixel(in, 1e-3);
  }
  CHECK(compared > 700);
}

TEST_CASE("every generated shader is well-formed, of standard tokens, and translates",
          "[umd][fixed][T186]") {
  for (std::uint32_t seed = 1; seed <= 150; ++seed) {
    INFO("seed " << seed);
    random_state random{seed * 104729};
    fixed_harness h;
    random.fill(h);
    h.has_vertex_shader = seed % 7 == 1;
    h.has_pixel_shader = seed % 7 == 2;
    REQUIRE(h.prepare() == S_OK);
    if (!h.has_vertex_shader) check_tokens(h.vertex_tokens(), shader_stage::vertex);
    if (!h.has_pixel_shader) check_tokens(h.pixel_tokens(), shader_stage::pixel);
  }
}

TEST_CASE("a buffer that is too small holds no shader, and nothing is written behind it",
          "[umd][fixed][T186]") {
  umd::fixed::vertex_key vertex;
  umd::fixed::pixel_key pixel;
  std::vector<std::uint32_t> large(umd::fixed::max_shader_tokens);
  const std::size_t vertex_size = umd::fixed::make_vertex_shader(vertex, large).size();
  const std::size_t pixel_size = umd::fixed::make_pixel_shader(pixel, large).size();
  const auto check = [&](auto make, const auto& key, std::size_t size) {
    REQUIRE(size > 10);
    for (std::size_t room = 0; room <= size; ++room) {
      std::vector<std::uint32_t> out(size + 1, 0x55555555);
      const auto made = make(key, std::span{out}.first(room));
      CHECK(made.size() == (room == size ? size : 0));
      CHECK(out[room] == 0x55555555);
    }
  };
  check(umd::fixed::make_vertex_shader, vertex, vertex_size);
  check(umd::fixed::make_pixel_shader, pixel, pixel_size);
}

}  // namespace aerogpu::test
