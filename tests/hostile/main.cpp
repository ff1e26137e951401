// SPDX-License-Identifier: MIT
// hostile [GROUP or NAME...] runs attacks, each in a process of its own; hostile --attack NAME is
// one of those.
#include "tests/catch.hpp"
#include "tests/hostile/attacks/attack.hpp"
#include "tests/hostile/runner.hpp"
#include "tests/hostile/session.hpp"
#include "tests/support/sanitizer_options.hpp"
#include "tests/support/test_runner.hpp"
#include "tests/support/vulkan/vulkan_leaks.hpp"

#include <cstdio>
#include <span>
#include <string_view>

using namespace aerogpu::hostile;

namespace {

const attack* the_attack = nullptr;

TEST_CASE("an attack is held, at a price that is known") {
  the_attack->run();
  check_cost(the_attack->most);
}

auto run_here(const char* name) -> int {
  the_attack = find_attack(name);
  if (the_attack == nullptr) {
    std::fprintf(stderr, "there is no attack '%s'\n", name);
    return 2;
  }
  const std::array<const char*, 1> words{"hostile"};
  return aerogpu::test::run_tests(static_cast<int>(words.size()), words.data());
}

}  // namespace

auto main(int argc, char** argv) -> int {
  const std::span words{argv, static_cast<std::size_t>(argc)};
  aerogpu::test::require_vulkan_device();
  if (words.size() == 3 && std::string_view{words[1]} == "--attack") return run_here(words[2]);
  return run_attacks(words.subspan(1)) == 0 ? 0 : 1;
}
