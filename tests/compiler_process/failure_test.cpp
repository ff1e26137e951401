// SPDX-License-Identifier: MIT
// What was refused once is refused again without the library.
#include "dxbc_to_spirv/compiler/shader_compiler.hpp"
#include "tests/compiler_process/support.hpp"
#include "tests/support/byte_code/dxbc_samples.hpp"
#include "tests/support/byte_code/shaders.hpp"
#include "tests/support/vulkan/vulkan_leaks.hpp"
#include "vulkan/engine.hpp"
#include "vulkan/vulkan_backend.hpp"

using namespace aerogpu;
using namespace aerogpu::vulkan;
namespace sm4 = aerogpu::test::sm4;

namespace {

int judgements = 0;
error_code verdict = error_code::none;

auto judge(heap_array<std::uint32_t>&, const dxbc::compiled&, const dxbc::compile_options&)
    -> result<void> {
  ++judgements;
  if (verdict != error_code::none) return make_error(verdict, "judged", 7);
  return {};
}

/// A compiler whose process does what `what` says (fake_compiler.cpp).
struct compiler_rig {
  explicit compiler_rig(const dxbc::compiler_limits& limits = {})
      : compiler(
            {.in_process = false, .program = FAKE_COMPILER, .cache_folder = "", .limits = limits}) {
    judgements = 0;
    verdict = error_code::none;
  }
  auto compile(char what, int number = 0, const dxbc::compile_options& options = {}) -> error {
    dxbc::compiled facts;
    facts.stage = static_cast<shader_stage>(what);  // The first byte of the job.
    const auto container = test::job_that(what, number);
    return compiler.compile(container, facts, options, judge).why();
  }
  auto answers() -> std::uint64_t { return compiler.process().counters().answers; }

  dxbc::shader_compiler compiler;
};

auto open_quiet_backend() -> std::unique_ptr<vulkan_backend> {
  test::require_vulkan_device();
  backend_options options;
  options.shader_compiler_program = BUILT_COMPILER;
  auto made = vulkan_backend::create(options);
  REQUIRE(made);
  return *std::move(made);
}

}  // namespace

TEST_CASE("a program that the library refuses reaches it once") {
  compiler_rig rig;
  const error first = rig.compile('n');
  CHECK(first.code == error_code::unsupported);
  for (int i = 0; i < 3; ++i) {
    const error again = rig.compile('n');
    CHECK(again.code == first.code);
    CHECK(again.what == first.what);
    CHECK(again.detail == first.detail);
  }
  CHECK(rig.answers() == 1);
  CHECK(rig.compile('n', 1).code == error_code::unsupported);  // Another program.
  CHECK(rig.answers() == 2);
  CHECK(rig.compiler.known_failures() == 2);
}

TEST_CASE("a program whose module is refused is compiled and judged once") {
  compiler_rig rig;
  verdict = error_code::unsupported;
  CHECK(rig.compile('w').detail == 7);
  verdict = error_code::none;
  CHECK(rig.compile('w').detail == 7);
  CHECK(rig.answers() == 1);
  CHECK(judgements == 1);
  // What only the judge asks for makes it another question.
  dxbc::compile_options points, zeroes;
  points.draws_points = true;
  zeroes.device_zeroes_workgroup = true;
  CHECK(rig.compile('w', 0, points).code == error_code::none);
  CHECK(rig.compile('w', 0, zeroes).code == error_code::none);
  CHECK(rig.answers() == 3);
}

TEST_CASE("what says nothing about a program is not remembered") {
  compiler_rig rig;
  verdict = error_code::out_of_memory;
  CHECK(rig.compile('w').code == error_code::out_of_memory);
  verdict = error_code::none;
  CHECK(rig.compile('w').code == error_code::none);
  CHECK(rig.compiler.known_failures() == 0);
  // A process that ends remembers by itself, and a compiler that is not there may come.
  CHECK(rig.compile('c').code == error_code::unsupported);
  dxbc::compiler_choice choice;
  choice.program = "/nowhere/compiler";
  dxbc::shader_compiler nowhere{choice};
  CHECK_FALSE(nowhere.compile(test::job_that('w'), {}, {}, judge));
  test::temporary_folder folder;
  const std::string ends = test::write_script(folder, "exit 0");
  choice.program = ends.c_str();
  dxbc::shader_compiler broken{choice};
  CHECK_FALSE(broken.compile(test::job_that('w'), {}, {}, judge));
  for (auto* const each : {&rig.compiler, &nowhere, &broken}) CHECK(each->known_failures() == 0);
}

TEST_CASE("whoever wants to read what the library says has it asked again") {
  compiler_rig rig;
  CHECK(rig.compile('n').code == error_code::unsupported);
  std::string log;
  dxbc::compile_options talks;
  talks.log = &log;
  CHECK(rig.compile('n', 0, talks).code == error_code::unsupported);
  CHECK(log == "no?");
  CHECK(rig.answers() == 2);
  CHECK(rig.compiler.known_failures() == 1);
}

TEST_CASE("remembered failures are bounded, and the one tried last stays") {
  dxbc::compiler_limits limits;
  limits.known_failures = 4;
  compiler_rig rig{limits};
  for (int i = 0; i < 4; ++i) CHECK(rig.compile('n', i).code == error_code::unsupported);
  CHECK(rig.compiler.known_failures() == 4);
  CHECK(rig.compile('n', 0).code == error_code::unsupported);
  CHECK(rig.answers() == 4);
  CHECK(rig.compile('n', 4).code == error_code::unsupported);
  CHECK(rig.compiler.known_failures() == 4);
  CHECK(rig.compile('n', 0).code == error_code::unsupported);
  CHECK(rig.answers() == 5);
  CHECK(rig.compile('n', 1).code == error_code::unsupported);
  CHECK(rig.answers() == 6);
}

TEST_CASE("a program that cannot run as a draw wants it is translated once") {
  const auto backend = open_quiet_backend();
  auto& shaders = backend->inside().records().shaders;
  vulkan::device_parts& device = *backend->inside().device();
  const auto code = sm4::ps_color();
  const auto made = shaders.create(device, {static_cast<shader_handle>(1), shader_stage::pixel,
                                            shader_language::dxbc_container, code});
  REQUIRE(made);
  CHECK(shaders.translations() == 1);
  auto options = shaders.base_compile_options(*device.gpu);
  options.extra_outputs[3] = {0xF, dxbc::component_class::floating};  // Of a pixel shader.
  const error first = shaders.variant(device, **made, options).why();
  CHECK(first.code == error_code::invalid_parameter);
  CHECK(shaders.translations() == 2);
  CHECK(shaders.kept_variants() == 2);
  CHECK(shaders.variant(device, **made, options).why().what == first.what);
  CHECK(shaders.translations() == 2);
  CHECK(shaders.variant(device, **made, shaders.base_compile_options(*device.gpu)));
  shaders.destroy(*made);
}

TEST_CASE("a refused program that is created again and again is translated once") {
  const auto backend = open_quiet_backend();
  auto& shaders = backend->inside().records().shaders;
  vulkan::device_parts& device = *backend->inside().device();
  auto code = test::vs_2_0_position();
  code.resize(code.size() - 8);  // Without its end.
  const shader_desc desc{static_cast<shader_handle>(1), shader_stage::vertex,
                         shader_language::d3d9_tokens, code};
  const error first = shaders.create(device, desc).why();
  CHECK(first.code != error_code::none);
  const std::uint64_t translations = shaders.translations();
  for (int i = 0; i < 3; ++i) CHECK(shaders.create(device, desc).why().what == first.what);
  CHECK(shaders.translations() == translations);
  CHECK(backend->live_objects() == 0);
}
