// SPDX-License-Identifier: MIT
// Colours of pixel shaders in the bounding pass.
#include "spirv_bounds/rewriter.hpp"

namespace aerogpu::spirv {

/// llvmpipe of Mesa 22.3 crashes on colours without a first one. It begins as 0 and stays so;
/// whoever makes the pipeline masks it, as every target that the shader does not write.
auto rewriter::add_first_target() -> error {
  if (stage_ != spv::ExecutionModel::Fragment) return {};
  constexpr auto location = static_cast<std::uint32_t>(spv::Decoration::Location);
  constexpr auto output = static_cast<std::uint32_t>(spv::StorageClass::Output);
  spirv_id like = 0;
  bool has_first = false;
  const error why = for_each(module_, module_.first_annotation(), module_.first_global(),
                             [&](const instruction& in) -> error {
                               const bool is_color = in.op() == spv::Op::OpDecorate &&
                                                     in.word(2) == location &&
                                                     module_.find(in.word(1)).word(3) == output;
                               if (!is_color) return {};
                               like = in.word(1);
                               has_first |= in.word(3) == 0;
                               return {};
                             });
  if (why.code != error_code::none || like == 0 || has_first) return why;
  const spirv_id type = module_.find(like).type(), pointee = pointee_of(like);
  if (pointee == 0) return refused("a SPIR-V variable is of no pointer type", 0, like);
  const spirv_id zero = out_.null_of(pointee), first = out_.new_id();
  out_.globals.put(spv::Op::OpVariable, {type, first, output, zero});
  out_.annotations.put(spv::Op::OpDecorate, {first, location, 0});
  out_.more_interface = first;
  return {};
}

}  // namespace aerogpu::spirv
