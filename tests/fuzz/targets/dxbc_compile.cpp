// SPDX-License-Identifier: MIT
// Fuzzes the compilation of SM4 and SM5 containers; the SPIR-V validator says whether it is right.
// The checksum is made anew on the way, so that the fuzzer need not find it.
#include "dxbc_to_spirv/compile.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/support/shaders/spirv_tools.hpp"

using namespace aerogpu;

namespace {

/// Options by choice of the input, so that each is tried with each shader.
auto take_options(fuzz::input& in) -> dxbc::compile_options {
  const std::uint32_t bits = in.u32();
  dxbc::compile_options options;
  options.demotes = (bits & 1) != 0;
  options.wants_names = (bits & 2) != 0;
  if ((bits & 4) != 0) {
    options.hull.partitioning = static_cast<std::uint8_t>(1 + (bits >> 3 & 3));
    options.hull.output_primitive = static_cast<std::uint8_t>(1 + (bits >> 5 & 3));
  }
  for (std::size_t i = 0; i < 4; ++i) {
    options.extra_outputs[i] = {static_cast<std::uint8_t>(bits >> (8 + i * 4) & 0xF),
                                static_cast<dxbc::component_class>((bits >> (24 + i * 2) & 3) % 3)};
  }
  return options;
}

}  // namespace

auto LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) -> int {
  fuzz::input in{data, size};
  const dxbc::compile_options options = take_options(in);
  const auto made = dxbc::compile(in.rest(), options);
  if (!made) return 0;
  fuzz::claim(
      test::spirv_complaints({made->words.data(), made->words.size()}, SPV_ENV_VULKAN_1_1).empty(),
      "what is compiled is valid SPIR-V");
  return 0;
}
