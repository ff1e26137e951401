// SPDX-License-Identifier: MIT
// What compiling a Direct3D 10 or 11 shader costs in a process of its own, and with a cache on
// disk, beside the library in this process. Checks, patches and the validator are part of all of
// them.
#include "bench/ratio.hpp"
#include "dxbc_to_spirv/compile.hpp"
#include "tests/support/byte_code/dxbc_samples.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace {

using namespace aerogpu;
namespace sm4 = test::sm4;

/// A pixel shader of as many instructions.
auto shader_of(std::int64_t instructions) -> test::byte_vector {
  sm4::program code{sm4::program_type::pixel, 4};
  code.op(sm4::dcl_input_ps, {sm4::to(sm4::input, {1})}, sm4::linear)
      .op(sm4::dcl_output, {sm4::to(sm4::output, {0})})
      .op(sm4::dcl_temps, {sm4::word(2)})
      .op(sm4::mov, {sm4::to(sm4::temp, {0}), sm4::from(sm4::input, {1})});
  for (std::int64_t i = 0; i < instructions; ++i) {
    const auto which = static_cast<std::uint32_t>(i % 2);
    code.op(sm4::add, {sm4::to(sm4::temp, {1 - which}), sm4::from(sm4::temp, {which}),
                       sm4::from(sm4::temp, {which})});
  }
  code.op(sm4::mov, {sm4::to(sm4::output, {0}),
                     sm4::from(sm4::temp, {static_cast<std::uint32_t>(instructions % 2)})})
      .op(sm4::ret);
  return sm4::container({{sm4::position_out, sm4::texcoord(1, 0xF)}, {sm4::target_out}}, code);
}

void compile(const test::byte_vector& shader, dxbc::shader_compiler* compiler) {
  const auto made = dxbc::compile(shader, {}, compiler);
  AEROGPU_CHECK(static_cast<bool>(made));
}

/// A folder that goes with the program.
auto cache_folder() -> const std::string& {
  struct folder {
    std::string path = std::filesystem::temp_directory_path() / "aerogpu-bench-XXXXXX";
    folder() { AEROGPU_CHECK(mkdtemp(path.data()) != nullptr); }
    ~folder() { std::filesystem::remove_all(path); }
  };
  static const folder made;
  return made.path;
}

void beside_in_process(benchmark::State& state, const dxbc::compiler_choice& choice) {
  const auto shader = shader_of(state.range(0));
  const auto here = dxbc::open_shader_compiler({.in_process = true});
  const auto other = dxbc::open_shader_compiler(choice);
  compile(shader, other.get());  // Starts the process, fills the cache.
  bench::run_ratio(
      state, 1, bench::wall_clock, [&] { compile(shader, here.get()); },
      [&] { compile(shader, other.get()); }, [] {});
}

void process_warm(benchmark::State& state) {
  beside_in_process(state, {});
}

void cached(benchmark::State& state) {
  beside_in_process(state, {.cache_folder = cache_folder().c_str()});
}

/// The first shader of a backend.
void process_cold(benchmark::State& state) {
  const auto shader = shader_of(state.range(0));
  const auto here = dxbc::open_shader_compiler({.in_process = true});
  bench::run_ratio(
      state, 1, bench::wall_clock, [&] { compile(shader, here.get()); },
      [&] { compile(shader, dxbc::open_shader_compiler({}).get()); }, [] {});
}

BENCHMARK(process_warm)->Arg(10)->Arg(100)->Arg(1000)->UseManualTime();
BENCHMARK(cached)->Arg(10)->Arg(100)->Arg(1000)->UseManualTime();
BENCHMARK(process_cold)->Arg(10)->Arg(100)->Arg(1000)->UseManualTime();

}  // namespace
