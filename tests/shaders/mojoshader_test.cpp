// SPDX-License-Identifier: MIT
// Straight-line shaders as we translate them and as MojoShader does, both on the device
// (shaders.md 4). Zero times infinity, pow(0, 0), expp of vs_1_1 and colours beyond 0..1 are left
// out: there MojoShader does not do as Direct3D 9 does.
#include "d3d9_to_spirv/assembly/assemble.hpp"
#include "tests/shaders/shader_suite.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <random>
#include <unistd.h>

namespace aerogpu::test {
namespace {

constexpr std::uint32_t table_words = 281;
constexpr std::uint32_t first_semantic = 41;  ///< In the table: usage * 16 + index.
constexpr std::uint32_t first_color_output = 265;
constexpr std::uint32_t texcoord_usage = 5;
constexpr std::uint32_t texcoord_location = 2;

/// What the child makes of `tokens`; empty where it gives up or aborts.
auto ask_child(const std::vector<std::uint32_t>& tokens) -> std::vector<std::uint32_t> {
  std::array<char, 32> path{"/tmp/aerogpu_shader_XXXXXX"};
  const int file = mkstemp(path.data());
  REQUIRE(file >= 0);
  const auto bytes = std::as_bytes(std::span{tokens});
  REQUIRE(write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  close(file);
  const std::string command =
      std::string{"'" AEROGPU_MOJOSHADER_CHILD "' < "} + path.data() + " 2>/dev/null";
  std::FILE* child = popen(command.c_str(), "r");
  REQUIRE(child != nullptr);
  std::vector<std::uint32_t> words;
  for (std::uint32_t word = 0; std::fread(&word, sizeof word, 1, child) == 1;) {
    words.push_back(word);
  }
  const int ended = pclose(child);
  unlink(path.data());
  return ended == 0 ? words : std::vector<std::uint32_t>{};
}

/// Uniforms go to set 0, where ours are. Other sets stay.
void move_uniforms(std::vector<std::uint32_t>& module, std::uint32_t binding) {
  constexpr std::uint32_t decorate = 71, binding_word = 33, set_word = 34;
  std::uint32_t block = 0;
  for (const std::uint32_t wanted : {set_word, binding_word}) {
    for (std::size_t at = 5; at < module.size(); at += module[at] >> 16) {
      const bool is_it = (module[at] & 0xFFFF) == decorate && module[at + 2] == wanted;
      if (!is_it) continue;
      if (wanted == set_word && (module[at + 3] == 2 || module[at + 3] == 3)) {
        block = module[at + 1];
        module[at + 3] = 0;
      } else if (wanted == binding_word && module[at + 1] == block) {
        module[at + 3] = binding;
      }
    }
  }
}

/// MojoShader's module with our locations, and its uniforms: used registers alone, in order.
auto link(const std::vector<std::uint32_t>& answer, const d3d9::constant_block& constants,
          bool is_pixel) -> shader_code {
  shader_code code;
  const std::uint32_t size = answer[0];
  code.words.assign(answer.begin() + 1, answer.begin() + 1 + size);
  const std::span table{answer.data() + 1 + size, table_words};
  const auto set = [&](std::uint32_t entry, std::uint32_t location) {
    if (table[entry] != 0 && table[entry] < size) code.words[table[entry]] = location;
  };
  for (std::uint32_t i = 0; i < 8; ++i) {
    set(first_semantic + texcoord_usage * 16 + i, texcoord_location + i);
  }
  if (is_pixel) set(first_color_output, 0);
  move_uniforms(code.words, is_pixel ? 1 : 0);
  std::vector<std::uint32_t> registers;
  for (std::size_t at = 2 + size + table_words; at + 1 < answer.size(); at += 2) {
    if (answer[at] == 0) registers.push_back(answer[at + 1]);
  }
  std::ranges::sort(registers);
  for (const std::uint32_t number : registers) {
    const auto bytes = std::as_bytes(std::span{constants.floats[number]});
    code.constants.insert(code.constants.end(), bytes.begin(), bytes.end());
  }
  return code;
}

struct version_text {
  std::string_view version;
  std::string_view head;
  std::string_view input;
  std::string_view output;
};

constexpr std::array versions{
    version_text{"vs_2_0", "dcl_position v0\ndcl_normal v1\nmov oPos, v0\n", "v1", "oT0"},
    version_text{"vs_3_0",
                 "dcl_position v0\ndcl_normal v1\ndcl_position o0\ndcl_texcoord o1\n"
                 "mov o0, v0\n",
                 "v1", "o1"},
    version_text{"ps_2_0", "dcl t0\n", "t0", "oC0"},
    version_text{"ps_2_x", "dcl t0\n", "t0", "oC0"},
};

/// Exact instructions first, then one that Vulkan leaves some freedom.
auto straight_line(const version_text& v, std::uint32_t seed) -> std::string {
  std::mt19937 random{seed};
  const auto one_of = [&](std::initializer_list<const char*> all) {
    return std::string{all.begin()[random() % all.size()]};
  };
  const auto source = [&] {
    return one_of({"", "", "-"}) + one_of({"r0", "r1", "r2", "r3", "r0", "r1"}) +
           one_of({"", ".x", ".wzyx", ".yyzw"});
  };
  const bool is_pixel = v.version[0] == 'p';
  std::string text = std::string{v.version} + "\n" + std::string{v.head} + "mov r0, " +
                     std::string{v.input} + "\nmov r1, c1\nmov r2, c6\nmov r3, c12\nmov r4, c6\n";
  for (int i = 0; i < 6; ++i) {
    const std::string three = is_pixel ? one_of({"mad", "lrp", "cmp"}) : one_of({"mad", "lrp"});
    const std::string two = is_pixel ? one_of({"add", "mul", "dp3", "dp4", "min", "max"})
                                     : one_of({"add", "mul", "dp3", "dp4", "slt", "sge", "dst"});
    const bool takes_three = random() % 3 == 0;
    text += (takes_three ? three : two) + " r4" + one_of({"", ".xy", ".w", ".xyz"}) + ", " +
            source() + ", " + source() + (takes_three ? ", " + source() : "") + "\nmov " +
            one_of({"r0", "r1", "r2", "r3"}) + ", r4\n";
  }
  text += one_of({"mov r5, r0", "rcp r5, r1.x", "rsq r5, r2.y", "exp r5, c1.x", "log r5, r3.w",
                  "nrm r5, r0", "pow r5, c12.x, r1.y", "abs r5, r1"}) +
          "\nmov " + std::string{v.output} + ", r5\n";
  return text;
}

}  // namespace

TEST_CASE("straight-line shaders compute what MojoShader's do", "[shaders][mojoshader]") {
  constexpr std::uint32_t seeds = 40;
  const version_text v = GENERATE(from_range(versions));
  const bool is_pixel = v.version[0] == 'p';
  d3d9::constant_block constants{};
  constants.floats[1] = {.5f, 2, -1, 1.25f};
  constants.floats[6] = {-.75f, 1, .125f, -2};
  constants.floats[12] = {1.5f, .25f, 1, -.5f};
  std::uint32_t compared = 0;
  for (std::uint32_t seed = 1; seed <= seeds; ++seed) {
    const std::string text = straight_line(v, seed);
    const auto tokens = d3d9::assemble(text);
    REQUIRE(tokens);
    const auto answer = ask_child(*tokens);
    if (answer.empty()) continue;
    ++compared;
    const shader_code ours = code_of(translated(text), constants);
    const shader_code theirs = link(answer, constants, is_pixel);
    const float4 input{1.25f, -.5f, .75f, 2};
    float4 got, wanted;
    if (is_pixel) {
      varyings in{};
      in[texcoord_location] = input;
      got = device().run_pixel(ours, std::vector{in}).colors[0][0];
      wanted = device().run_pixel(theirs, std::vector{in}).colors[0][0];
    } else {
      attributes in{};
      in[1] = input;
      constexpr std::uint32_t locations = 1u << texcoord_location;
      got = device().run_vertex(ours, std::vector{in}, locations)[0][texcoord_location];
      wanted = device().run_vertex(theirs, std::vector{in}, locations)[0][texcoord_location];
    }
    INFO("seed " << seed << ":\n"
                 << text << "ours       " << text_of(got) << "\nMojoShader " << text_of(wanted));
    CHECK(is_close(got, wanted, 1e-5f));
  }
  // MojoShader's modules may not please the validator; ours are validated by all other tests.
  static_cast<void>(device().vulkan().take_complaints());
  CHECK(compared > seeds / 2);
}

}  // namespace aerogpu::test
