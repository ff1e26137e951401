// SPDX-License-Identifier: MIT
// Fuzzes the translation of Direct3D 9 shaders; the SPIR-V validator says whether it is right.
#include "d3d9_to_spirv/program.hpp"
#include "d3d9_to_spirv/translate.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/support/shaders/spirv_tools.hpp"

using namespace aerogpu;
using namespace aerogpu::d3d9;

namespace {

/// Options by choice of the input, so that each is tried with each shader.
auto take_options(fuzz::input& in) -> translate_options {
  const std::uint32_t bits = in.u32();
  translate_options options;
  options.rules = (bits & 1) != 0 ? float_rules::fast : float_rules::exact;
  options.wants_names = (bits & 2) != 0;
  options.is_flat_shaded = (bits & 4) != 0;
  options.is_point_sprite = (bits & 8) != 0;
  options.unwritten = (bits & 16) != 0 ? unwritten_varyings::direct3d9 : unwritten_varyings::zero;
  options.clip_planes = static_cast<std::uint8_t>((bits >> 5 & 7) % (max_clip_planes + 1));
  options.fog = static_cast<fog_mode>((bits >> 8 & 7) % 5);
  options.fog_from = static_cast<fog_depth>(bits >> 11 & 3);
  options.fogs_model_3 = (bits >> 12 & 1) != 0;
  options.draws_points = (bits >> 31 & 1) != 0;
  options.undeclared_samplers.fill(static_cast<sampler_dimension>((bits >> 11 & 3) % 3));
  options.inputs_with_w_one = static_cast<std::uint16_t>(bits >> 16);
  options.signed_inputs = static_cast<std::uint16_t>(bits >> 13 & 7);
  options.unsigned_inputs = static_cast<std::uint16_t>(bits >> 15 & 7);
  options.written_varyings = in.u32();
  const std::uint32_t extra = in.u8() % (max_extra_varyings + 1);
  for (std::uint32_t i = 0; i < extra; ++i) {
    (void)options.extra_varyings.push_back({usage::normal, static_cast<std::uint8_t>(i)});
  }
  return options;
}

}  // namespace

auto LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) -> int {
  fuzz::input in{data, size};
  const translate_options options = take_options(in);
  const auto shader = parse(in.rest());
  if (!shader) return 0;
  const auto made = translate(*shader, options);
  if (!made) return 0;
  fuzz::claim(made->words.size() <= max_module_words + 16, "a module is no larger than its limit");
  fuzz::claim(
      test::spirv_complaints({made->words.data(), made->words.size()}, SPV_ENV_VULKAN_1_3).empty(),
      "what is translated is valid SPIR-V");
  return 0;
}
