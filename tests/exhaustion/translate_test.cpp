// SPDX-License-Identifier: MIT
// Parser and translator of Direct3D 9 shaders, with each of their allocations failing once.
#include "d3d9_to_spirv/translate.hpp"

#include "d3d9_to_spirv/assembly/assemble.hpp"
#include "d3d9_to_spirv/program.hpp"
#include "tests/catch.hpp"
#include "tests/support/failing_heap.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

struct attempt {
  error why;
  std::vector<std::uint32_t> words;
};

auto assembled(const std::string& text) -> std::vector<std::uint32_t> {
  const auto tokens = d3d9::assemble(text);
  INFO("line " << tokens.why().detail << ": " << tokens.why().what);
  REQUIRE(tokens);
  return *tokens;
}

auto translate_armed(const std::vector<std::uint32_t>& tokens) -> result<d3d9::translation> {
  const heap_scope armed;
  d3d9::translate_options options;
  options.wants_names = true;
  const auto parsed = d3d9::parse(std::as_bytes(std::span{tokens}));
  if (!parsed) return parsed.why();
  return d3d9::translate(*parsed, options);
}

auto translated(const std::vector<std::uint32_t>& tokens, std::uint64_t failing) -> attempt {
  failing_heap::plan(failing);
  const auto made = translate_armed(tokens);
  if (!made) return {made.why(), {}};
  return {{}, {made->words.begin(), made->words.end()}};
}

/// With more constants than any index holds at first, routines, and registers out of reach.
auto large_shader() -> std::string {
  std::string text = "vs_3_0\ndcl_position v0\ndcl_position o0\ndcl_texcoord5 o1\n";
  for (int i = 0; i < 200; ++i) {
    text += "def c" + std::to_string(i) + ", " + std::to_string(i) + ".5, 1, 2, " +
            std::to_string(i) + "\n";
  }
  text += "defi i0, 2, 0, 1, 0\nmov r0, v0\nrep i0\n";
  for (int i = 0; i < 200; ++i) text += "mad r0, r0, c" + std::to_string(i) + ", v0\n";
  text += "endrep\nif b1\ncallnz l1, b0\nendif\nmov o0, r0\nmov o1, r0\nret\n";
  return text + "label l1\npow r0, r0.x, r0.y\ncall l2\nret\nlabel l2\nnrm r0, r0\nret";
}

}  // namespace

TEST_CASE("whichever allocation of the translator fails, it says so and keeps nothing",
          "[exhaustion]") {
  const std::string text = GENERATE(large_shader(), std::string{"ps_1_1\ntex t0\nmul r0, t0, c0"});
  const std::vector<std::uint32_t> tokens = assembled(text);
  const std::int64_t before = failing_heap::live_blocks();
  const attempt good = translated(tokens, 0);
  REQUIRE(good.why.code == error_code::none);
  REQUIRE(failing_heap::throwing_calls().empty());
  std::uint64_t failures = 0;
  for (std::uint64_t number = 1;; ++number) {
    const attempt done = translated(tokens, number);
    CAPTURE(number, done.why.what);
    CHECK(failing_heap::live_blocks() == before);
    if (done.why.code == error_code::none) {
      CHECK(done.words == good.words);
      break;
    }
    CHECK(done.why.code == error_code::out_of_memory);
    ++failures;
  }
  CHECK(failures > 5);
}
