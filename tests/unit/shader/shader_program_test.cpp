// SPDX-License-Identifier: MIT
#include "aerogpu/shader/shader_program.hpp"

#include "tests/catch.hpp"
#include "tests/support/byte_code/shaders.hpp"

#include <cstring>
#include <random>

namespace aerogpu {
namespace {

using namespace test;

constexpr limits default_limits{};

auto code_of(const byte_vector& bytes, shader_stage stage) -> error_code {
  return classify_shader(bytes, stage, default_limits).why().code;
}

/// A container in the private encoding of reference recordings (shaders.md 3.7): no checksum,
/// unaligned chunks, instruction lengths in bits 11 and up.
auto synthetic_container() -> byte_vector {
  const byte_vector program = token_bytes({0x00010040, 11, 0x00001900, 0x0010F012, 0, 0x00002801,
                                           0x0010F022, 0, 0x401E01, 0, 0x0000083E});
  byte_vector bytes(36);
  std::memcpy(bytes.data(), "DXBC", 4);
  store(bytes.data() + 20, std::uint32_t{1});
  store(bytes.data() + 28, std::uint32_t{1});
  bytes.push_back(std::byte{0});  // an unaligned chunk
  store(bytes.data() + 32, static_cast<std::uint32_t>(bytes.size()));
  for (const char c : std::string_view{"SHDR"}) bytes.push_back(static_cast<std::byte>(c));
  const auto size = static_cast<std::uint32_t>(program.size());
  const const_bytes size_bytes = bytes_of(size);
  bytes.insert(bytes.end(), size_bytes.begin(), size_bytes.end());
  bytes.insert(bytes.end(), program.begin(), program.end());
  store(bytes.data() + 24, static_cast<std::uint32_t>(bytes.size()));
  return bytes;
}

auto gs_with(const token_vector& body) -> byte_vector {
  token_vector code{0x00020050, static_cast<std::uint32_t>(body.size() + 3)};
  code.insert(code.end(), body.begin(), body.end());
  code.push_back(0x0100003E);
  return make_sm4("SHEX", make_signature({}), make_signature({}), code);
}

}  // namespace

TEST_CASE("each kind of shader is told from its bytes", "[shader_program]") {
  struct row {
    byte_vector bytes;
    shader_stage stage;
    shader_language language;
    int major;
  };
  const std::vector<row> rows{
      {vs_2_0_position(), shader_stage::vertex, shader_language::d3d9_tokens, 2},
      {ps_2_0_white(), shader_stage::pixel, shader_language::d3d9_tokens, 2},
      {vs_4_0_transformed(), shader_stage::vertex, shader_language::dxbc_container, 4},
      {ps_4_0_textured(), shader_stage::pixel, shader_language::dxbc_container, 4},
      {gs_4_0_point(), shader_stage::geometry, shader_language::dxbc_container, 4},
      {cs_5_0_nothing(), shader_stage::compute, shader_language::dxbc_container, 5},
  };
  for (const row& r : rows) {
    const auto program = classify_shader(r.bytes, r.stage, default_limits);
    REQUIRE(program);
    CHECK(program->stage == r.stage);
    CHECK(program->language == r.language);
    CHECK(program->major == r.major);
    CHECK(program->unsupported == nullptr);
    CHECK(program->code.size() == r.bytes.size());
    for (std::uint8_t other = 0; other < shader_stage_count; ++other) {
      if (static_cast<shader_stage>(other) == r.stage) continue;
      CHECK(code_of(r.bytes, static_cast<shader_stage>(other)) == error_code::wrong_kind);
    }
  }
}

TEST_CASE("D3D9 tokens are taken out of a container, up to their end", "[shader_program]") {
  byte_vector tokens = vs_2_0_position();
  const std::size_t size = tokens.size();
  tokens.resize(size + 8);
  const byte_vector container = make_dxbc({{"SHDR", tokens}});
  const auto program = classify_shader(container, shader_stage::vertex, default_limits);
  REQUIRE(program);
  CHECK(program->is_d3d9());
  CHECK(program->code.size() == size);
  CHECK(program->inputs.size() == 1);
}

TEST_CASE("a vertex shader's inputs come from its signature, but not generated values",
          "[shader_program]") {
  const auto signature = make_signature({{"SV_VertexID", 0, 6, 1, 0, 1, 1},
                                         {"TexCoord", 2, 0, 3, 5, 3, 3},
                                         {"SV_InstanceID", 0, 8, 1, 1, 1, 1}});
  const byte_vector bytes =
      make_sm4("SHDR", signature, make_signature({}), {0x00010040, 3, 0x0100003E});
  const auto program = classify_shader(bytes, shader_stage::vertex, default_limits);
  REQUIRE(program);
  REQUIRE(program->inputs.size() == 1);
  CHECK(program->inputs[0].semantic == vertex_semantic{semantic_name_hash("TEXCOORD"), 2});
  CHECK(program->inputs[0].register_index == 5);
}

TEST_CASE("a broken signature is malformed", "[shader_program]") {
  const auto with = [](byte_vector signature) {
    return code_of(make_sm4("SHDR", signature, make_signature({}), {0x00010040, 3, 0x0100003E}),
                   shader_stage::vertex);
  };
  const byte_vector good = make_signature({{"A", 0, 0, 3, 0, 1, 1}});
  CHECK(with(good) == error_code::none);
  CHECK(with(part_of(good, 0, 7)) == error_code::invalid_parameter);
  CHECK(with(part_of(good, 0, 31)) == error_code::invalid_parameter);
  CHECK(with(part_of(good, 0, 33)) == error_code::invalid_parameter);  // name without an end
  byte_vector many = good;
  store(many.data(), std::uint32_t{257});
  CHECK(with(many) == error_code::invalid_parameter);
  byte_vector far_table = good;
  store(far_table.data() + 4, 0xFFFFFFF0u);
  CHECK(with(far_table) == error_code::invalid_parameter);
  byte_vector far_register = good;
  store(far_register.data() + 8 + 16, std::uint32_t{32});
  CHECK(with(far_register) == error_code::invalid_parameter);
  byte_vector far_name = good;
  store(far_name.data() + 8, 0xFFFFFFFFu);
  CHECK(with(far_name) == error_code::invalid_parameter);
}

TEST_CASE("a container must hold what its header says", "[shader_program]") {
  const byte_vector good = ps_4_0_white();
  const auto patched = [&](std::size_t at, std::uint32_t value) {
    byte_vector bytes = good;
    store(bytes.data() + at, value);
    return code_of(bytes, shader_stage::pixel);
  };
  constexpr auto bad = error_code::invalid_parameter;
  CHECK(patched(4, 0) == error_code::none);  // nobody looks at the checksum
  CHECK(patched(24, static_cast<std::uint32_t>(good.size() + 1)) == bad);
  CHECK(patched(24, 31) == bad);
  CHECK(patched(28, 5000) == bad);
  CHECK(patched(28, 0xFFFFFFFF) == bad);
  CHECK(patched(32, static_cast<std::uint32_t>(good.size() - 7)) == bad);
  CHECK(patched(32, 0xFFFFFFFF) == bad);
  CHECK(code_of(part_of(good, 0, good.size() - 1), shader_stage::pixel) == bad);
  CHECK(code_of(part_of(good, 0, 31), shader_stage::pixel) == bad);
  CHECK(code_of(make_dxbc({}), shader_stage::pixel) == bad);
  CHECK(code_of(make_dxbc({{"SHDR", {}}}), shader_stage::pixel) == bad);
  byte_vector longer = good;
  longer.resize(good.size() + 12);
  CHECK(classify_shader(longer, shader_stage::pixel, default_limits)->code.size() == good.size());
}

TEST_CASE("a program's own length stays inside its chunk", "[shader_program]") {
  const auto with = [](const token_vector& code) {
    return code_of(make_dxbc({{"SHDR", token_bytes(code)}}), shader_stage::pixel);
  };
  CHECK(with({0x00000040, 3, 0x0100003E}) == error_code::none);
  CHECK(with({0x00000040, 3, 0x0100003E, 0, 0}) == error_code::none);
  CHECK(with({0x00000040, 4, 0x0100003E}) == error_code::invalid_parameter);
  CHECK(with({0x00000040, 1, 0x0100003E}) == error_code::invalid_parameter);
  CHECK(with({0x00000040}) == error_code::invalid_parameter);
  CHECK(with({0x00060040, 3, 0x0100003E}) == error_code::invalid_parameter);
}

TEST_CASE("an encoding that does not walk is unsupported, not malformed", "[shader_program]") {
  const auto program = classify_shader(synthetic_container(), shader_stage::vertex, default_limits);
  REQUIRE(program);
  CHECK(program->unsupported != nullptr);
  CHECK(code_of(synthetic_container(), shader_stage::pixel) == error_code::wrong_kind);
}

TEST_CASE("instructions that leave the program do not walk", "[shader_program]") {
  const auto walks = [](const token_vector& code) {
    return parse_sm4_program(token_bytes(code))->is_walkable;
  };
  CHECK(walks({0x00000040, 2}));
  CHECK(walks({0x00000040, 3, 0x0100003E}));
  CHECK_FALSE(walks({0x00000040, 3, 0x0200003E}));
  CHECK_FALSE(walks({0x00000040, 3, 0x0000003E}));
  CHECK(walks({0x00000040, 6, 0x00000035, 3, 9, 0x0100003E}));  // custom data has its own length
  CHECK_FALSE(walks({0x00000040, 5, 0x00000035, 4, 9}));
  CHECK_FALSE(walks({0x00000040, 3, 0x00000035}));
  CHECK_FALSE(walks({0x00000040, 4, 0x00000035, 0}));
}

TEST_CASE("a bare SM4 program is unsupported, and its stage still counts", "[shader_program]") {
  const byte_vector bare = token_bytes({0x00010040, 3, 0x0100003E});
  const auto program = classify_shader(bare, shader_stage::vertex, default_limits);
  REQUIRE(program);
  CHECK(program->unsupported != nullptr);
  CHECK(code_of(bare, shader_stage::pixel) == error_code::wrong_kind);
  CHECK(code_of(token_bytes({0x00010040, 4, 0x0100003E}), shader_stage::vertex) ==
        error_code::invalid_parameter);
}

TEST_CASE("a geometry shader may use stream 0 only", "[shader_program]") {
  const auto [opcode, stream, code] = GENERATE(table<std::uint32_t, std::uint32_t, error_code>({
      {0x75, 0, error_code::none},
      {0x75, 1, error_code::invalid_parameter},
      {0x76, 2, error_code::invalid_parameter},
      {0x77, 3, error_code::invalid_parameter},
      {0x8F, 0, error_code::none},
      {0x8F, 1, error_code::invalid_parameter},
  }));
  CHECK(code_of(gs_with({0x03000000 | opcode, 0x00110000, stream}), shader_stage::geometry) ==
        code);
}

TEST_CASE("a hull shader tells its input control points", "[shader_program]") {
  const byte_vector hull = make_sm4("SHEX", make_signature({}), make_signature({}),
                                    {0x00030050, 4, 0x01000093 | 16u << 11, 0x0100003E});
  CHECK(classify_shader(hull, shader_stage::hull, default_limits)->input_control_points == 16);
}

TEST_CASE("bytes that are nothing known are malformed", "[shader_program]") {
  const byte_vector bytes =
      GENERATE(byte_vector{}, bytes_from({1, 2, 3}), bytes_from({'G', 'L', 'S', 'L'}),
               filled(64, 0xFF), filled(64, 0), token_bytes({0xFFFD0200, 0x0000FFFF}));
  CHECK(code_of(bytes, shader_stage::vertex) == error_code::invalid_parameter);
}

TEST_CASE("raw D3D9 byte code is whole tokens", "[shader_program]") {
  byte_vector bytes = vs_2_0_position();
  bytes.push_back(std::byte{0});
  CHECK(code_of(bytes, shader_stage::vertex) == error_code::invalid_parameter);
}

TEST_CASE("shaders have size limits", "[shader_program]") {
  byte_vector d3d9 = vs_2_0_position();
  d3d9.resize(default_limits.d3d9_shader_blob_bytes);
  CHECK(code_of(d3d9, shader_stage::vertex) == error_code::none);
  d3d9.resize(d3d9.size() + 4);
  CHECK(code_of(d3d9, shader_stage::vertex) == error_code::invalid_parameter);
  byte_vector container = ps_4_0_white();
  limits most;
  most.shader_blob_bytes = static_cast<std::uint32_t>(container.size());
  CHECK(classify_shader(container, shader_stage::pixel, most));
  --most.shader_blob_bytes;
  CHECK(classify_shader(container, shader_stage::pixel, most).why().code ==
        error_code::out_of_memory);
}

TEST_CASE("no bytes make the classification read past the end", "[shader_program]") {
  std::mt19937 random{11};
  const std::vector<byte_vector> seeds{vs_4_0_transformed(), ps_4_0_textured(), gs_4_0_point(),
                                       synthetic_container(), ps_2_0_textured()};
  for (int round = 0; round < 20'000; ++round) {
    const byte_vector& seed = seeds[random() % seeds.size()];
    byte_vector bytes = part_of(seed, 0, seed.size() - random() % 3 * (random() % seed.size()) / 2);
    for (int flips = 0; flips < 3 && !bytes.empty(); ++flips) {
      bytes[random() % bytes.size()] ^= static_cast<std::byte>(1u << random() % 8);
    }
    bytes.shrink_to_fit();
    const auto program =
        classify_shader(bytes, static_cast<shader_stage>(random() % 6), default_limits);
    if (program) REQUIRE(program->code.size() <= bytes.size());
  }
}

}  // namespace aerogpu
