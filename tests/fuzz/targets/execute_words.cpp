// SPDX-License-Identifier: MIT
// Fuzzes Direct3D 10/11 programs by running them: whatever a program addresses, it computes what it
// does on the host, and what it may not reach stays as it was.
#include "tests/fuzz/fuzz.hpp"
#include "tests/support/sanitizer_options.hpp"
#include "tests/support/vulkan/vulkan_leaks.hpp"
#include "tests/support/words/program_session.hpp"

#include <memory>

using namespace aerogpu;

namespace {

/// One device for all inputs; closed before the driver's libraries go.
auto session() -> test::program_session& {
  static std::unique_ptr<vulkan::vulkan_backend> backend;
  static std::unique_ptr<test::program_session> only;
  if (only != nullptr) return *only;
  test::require_vulkan_device();
  auto made = vulkan::vulkan_backend::create();
  fuzz::claim(static_cast<bool>(made), "there is a Vulkan device");
  backend = *std::move(made);
  only = std::make_unique<test::program_session>(*backend);
  std::atexit([] {
    only.reset();
    backend.reset();
  });
  return *only;
}

}  // namespace

auto LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) -> int {
  fuzz::input in{data, size};
  const auto stage = static_cast<test::word_stage>(in.u8() % 4);
  test::word_inputs inputs;
  for (test::word4& row : inputs.constants) row = in.take<test::word4>();
  for (std::uint32_t& word : inputs.source) word = in.u8();
  // Two bytes of the input a choice; large ones take four more.
  const test::word_program program = test::make_word_program(stage, [&in]() -> std::uint32_t {
    const std::uint16_t small = in.u16();
    return small < 0xF000 ? small : in.u32();
  });
  const auto outcome = session().run(stage, test::assemble(program), inputs);
  const std::string found = test::difference(program, inputs, outcome);
  fuzz::claim(found.empty(), found.empty() ? "" : ("a program does not differ: " + found).c_str());
  return 0;
}
