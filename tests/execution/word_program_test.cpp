// SPDX-License-Identifier: MIT
// Random Direct3D 10/11 programs on the device beside the same programs on the host, between
// canaries: what is out of range reads zero, writes vanish, and nothing else is reached.
#include "tests/catch.hpp"
#include "tests/support/vulkan/vulkan_pool.hpp"
#include "tests/support/words/program_session.hpp"

#include <random>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

auto random_inputs(std::mt19937& random) -> word_inputs {
  const auto next = [&] { return static_cast<std::uint32_t>(random()); };
  word_inputs made;
  for (word4& row : made.constants) {
    for (std::uint32_t& word : row) word = next() % 2 == 0 ? next() % 16 : next();
  }
  for (std::uint32_t& word : made.source) word = next();
  return made;
}

}  // namespace

TEST_CASE("random programs compute what they do on the host, and reach nothing else",
          "[execution]") {
  const auto [stage, seeds] = GENERATE(table<word_stage, std::uint32_t>({
      {word_stage::compute, 60},
      {word_stage::pixel, 25},
      {word_stage::vertex, 25},
      {word_stage::geometry, 25},
  }));
  const auto backend = borrow_vulkan_backend();
  const std::uint32_t errors_before = backend->validation_errors();
  program_session session{*backend};
  for (std::uint32_t seed = 1; seed <= seeds; ++seed) {
    std::mt19937 random{seed};
    const word_program program =
        make_word_program(stage, [&] { return static_cast<std::uint32_t>(random()); });
    const word_inputs inputs = random_inputs(random);
    INFO("stage " << static_cast<int>(stage) << ", seed " << seed);
    CHECK(difference(program, inputs, session.run(stage, assemble(program), inputs)) == "");
  }
  CHECK(backend->validation_errors() == errors_before);
}
