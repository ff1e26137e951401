// SPDX-License-Identifier: MIT
// Fuzzes what a guest hands over as byte code and as input layouts.
#include "aerogpu/shader/shader_program.hpp"

#include "aerogpu/backend/input_layout.hpp"
#include "aerogpu/stream/input_layout_blob.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace aerogpu;

auto LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) -> int {
  fuzz::input in{data, size};
  const auto stage = static_cast<shader_stage>(in.below(shader_stage_count));
  const const_bytes blob = in.rest();
  const limits bounds;
  const auto program = classify_shader(blob, stage, bounds);
  if (program) {
    fuzz::claim(program->stage == stage, "a program is of the stage that was asked for");
    const bool is_inside = program->code.empty() || (program->code.data() >= blob.data() &&
                                                     program->code.data() + program->code.size() <=
                                                         blob.data() + blob.size());
    fuzz::claim(is_inside, "the code lies in the blob");
  }
  (void)parse_input_layout(blob);
  (void)parse_input_layout_blob(blob);
  return 0;
}
