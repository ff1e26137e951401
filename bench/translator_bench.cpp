// SPDX-License-Identifier: MIT
// What translating a Direct3D 9 shader costs, beside MojoShader's SPIR-V and a walk over its
// tokens.
#include "bench/ratio.hpp"
#include "d3d9_to_spirv/assembly/assemble.hpp"
#include "d3d9_to_spirv/program.hpp"
#include "d3d9_to_spirv/translate.hpp"

#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>
#include <mojoshader/mojoshader.h>
#include <span>
#include <string>
#include <vector>

namespace {

using namespace aerogpu;

using tokens = std::vector<std::uint32_t>;

/// A ps_2_0 of as many instructions, of the kinds that lighting and texturing use.
auto shader_of(std::int64_t instructions) -> tokens {
  constexpr std::array lines{
      "mul r1, r0, c1",       "mad r2, r1, c2.x, c3",
      "dp3 r3.x, r2, c4",     "rsq r3.w, r3.x",
      "mul r2.xyz, r2, r3.w", "add_sat r4, r2, -c5",
      "lrp r5, r4.w, r1, r2", "max r0.xyz, r5, c6.y",
      "pow r6.x, r5.x, c7.w", "cmp r0, r6.x, r0, r5.wzyx",
  };
  std::string text = "ps_2_0\ndcl t0\ndcl v0\ndcl_2d s0\ndef c7, 0.5, 1, 2, 16\ntexld r0, t0, s0\n";
  for (std::int64_t i = 0; i < instructions - 2; ++i) {
    text += std::string{lines[static_cast<std::size_t>(i) % lines.size()]} + "\n";
    if (i == 0) text += "mov r1, r0\nmov r2, v0\nmov r3, v0\nmov r4, v0\nmov r5, v0\nmov r6, v0\n";
  }
  const auto made = d3d9::assemble(text + "mov oC0, r0\n");
  AEROGPU_CHECK(static_cast<bool>(made));
  return *made;
}

/// The least that any reader does: each token once, and the lengths.
[[gnu::noinline]] auto walk(const tokens& shader) -> std::uint32_t {
  std::uint32_t sum = 0;
  for (std::size_t at = 1; at < shader.size();) {
    const std::size_t end = at + 1 + (shader[at] >> 24 & 0xF);
    for (; at < end; ++at) sum += shader[at];
  }
  return sum;
}

[[gnu::noinline]] auto translate_ours(const tokens& shader) -> std::size_t {
  const auto parsed = d3d9::parse(std::as_bytes(std::span{shader}));
  const auto made = d3d9::translate(*parsed);
  return made->words.size();
}

[[gnu::noinline]] auto translate_mojoshader(const tokens& shader) -> std::size_t {
  const auto bytes = std::as_bytes(std::span{shader});
  const MOJOSHADER_parseData* made = MOJOSHADER_parse(
      MOJOSHADER_PROFILE_SPIRV, "main", reinterpret_cast<const unsigned char*>(bytes.data()),
      static_cast<unsigned>(bytes.size()), nullptr, 0, nullptr, 0, nullptr, nullptr, nullptr);
  const auto size = static_cast<std::size_t>(made->output_len);
  AEROGPU_CHECK(made->error_count == 0);
  MOJOSHADER_freeParseData(made);
  return size;
}

template <class Work>
auto repeated(Work work, const tokens& shader) {
  return [work, &shader] {
    for (int i = 0; i < 20; ++i) benchmark::DoNotOptimize(work(shader));
  };
}

void beside_mojoshader(benchmark::State& state) {
  const tokens shader = shader_of(state.range(0));
  aerogpu::bench::run_ratio(state, 20, repeated(translate_mojoshader, shader),
                            repeated(translate_ours, shader));
}

void beside_walk(benchmark::State& state) {
  const tokens shader = shader_of(state.range(0));
  aerogpu::bench::run_ratio(state, 20, repeated(walk, shader), repeated(translate_ours, shader));
}

BENCHMARK(beside_mojoshader)
    ->Name("translate/beside_mojoshader")
    ->Arg(10)
    ->Arg(50)
    ->Arg(200)
    ->UseManualTime();
BENCHMARK(beside_walk)->Name("translate/beside_walk")->Arg(10)->Arg(50)->Arg(200)->UseManualTime();

}  // namespace
