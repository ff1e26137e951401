// SPDX-License-Identifier: MIT
#include "spirv_bounds/instruction_table.hpp"

#include <array>
#include <spirv/unified1/GLSL.std.450.h>

namespace aerogpu::spirv {
namespace {

using enum module_section;
using enum result_form;

constexpr auto row(spv::Op op, std::uint8_t least_words, result_form result, module_section section,
                   std::uint8_t leading_ids = 0, bool has_trailing_ids = false,
                   std::uint8_t weight = 0) noexcept -> instruction_form {
  return {static_cast<std::uint16_t>(op),
          least_words,
          result,
          section,
          leading_ids,
          has_trailing_ids,
          weight};
}

/// A value made of so many others.
constexpr auto math(spv::Op op, std::uint8_t operands, std::uint8_t weight = 1) noexcept
    -> instruction_form {
  instruction_form made = row(op, static_cast<std::uint8_t>(3 + operands), type_and_id, function,
                              operands, false, weight);
  made.is_by_component = true;
  return made;
}

/// A texture operation: values, a word that says what follows, and that.
constexpr auto texture(spv::Op op, std::uint8_t operands, std::uint8_t weight) noexcept
    -> instruction_form {
  return row(op, static_cast<std::uint8_t>(3 + operands), type_and_id, function, operands, true,
             weight);
}

/// A statement without a value.
constexpr auto statement(spv::Op op, std::uint8_t least_words, std::uint8_t ids = 0,
                         std::uint8_t weight = 1) noexcept -> instruction_form {
  return row(op, least_words, none, function, ids, false, weight);
}

constexpr auto atomic(spv::Op op, std::uint8_t operands) noexcept -> instruction_form {
  return math(op, operands, 160);
}

constexpr std::uint8_t sample_weight = 40, fetch_weight = 24;

constexpr std::array module_rows{
    row(spv::Op::OpCapability, 2, none, capability),
    row(spv::Op::OpExtension, 2, none, extension),
    row(spv::Op::OpExtInstImport, 3, id, import),
    row(spv::Op::OpMemoryModel, 3, none, memory_model),
    row(spv::Op::OpEntryPoint, 4, none, entry_point),
    row(spv::Op::OpExecutionMode, 3, none, execution_mode),
    row(spv::Op::OpSource, 3, none, debug),
    row(spv::Op::OpName, 3, none, debug),
    row(spv::Op::OpMemberName, 4, none, debug),
    row(spv::Op::OpDecorate, 3, none, annotation),
    row(spv::Op::OpMemberDecorate, 4, none, annotation),
    row(spv::Op::OpTypeVoid, 2, id, global),
    row(spv::Op::OpTypeBool, 2, id, global),
    row(spv::Op::OpTypeInt, 4, id, global),
    row(spv::Op::OpTypeFloat, 3, id, global),
    row(spv::Op::OpTypeVector, 4, id, global),
    row(spv::Op::OpTypeImage, 9, id, global),
    row(spv::Op::OpTypeSampler, 2, id, global),
    row(spv::Op::OpTypeSampledImage, 3, id, global),
    row(spv::Op::OpTypeArray, 4, id, global),
    row(spv::Op::OpTypeStruct, 2, id, global),
    row(spv::Op::OpTypePointer, 4, id, global),
    row(spv::Op::OpTypeFunction, 3, id, global),
    row(spv::Op::OpConstantTrue, 3, type_and_id, global),
    row(spv::Op::OpConstantFalse, 3, type_and_id, global),
    row(spv::Op::OpConstant, 4, type_and_id, global),
    row(spv::Op::OpConstantComposite, 3, type_and_id, global, all_ids),
    row(spv::Op::OpConstantNull, 3, type_and_id, global),
    row(spv::Op::OpSpecConstant, 4, type_and_id, global),
    row(spv::Op::OpUndef, 3, type_and_id, global_or_function),
    row(spv::Op::OpVariable, 4, type_and_id, global_or_function),
    row(spv::Op::OpLine, 4, none, anywhere),
    row(spv::Op::OpNoLine, 1, none, anywhere),
};

constexpr std::array flow_rows{
    row(spv::Op::OpFunction, 5, type_and_id, function),
    row(spv::Op::OpFunctionParameter, 3, type_and_id, function),
    row(spv::Op::OpFunctionCall, 4, type_and_id, function, all_ids, false, 1),
    row(spv::Op::OpLabel, 2, id, function),
    row(spv::Op::OpPhi, 3, type_and_id, function, 0, false, 1),
    statement(spv::Op::OpFunctionEnd, 1, 0, 0),
    statement(spv::Op::OpLoopMerge, 4, 0, 0),
    statement(spv::Op::OpSelectionMerge, 3, 0, 0),
    statement(spv::Op::OpBranch, 2, 0),
    statement(spv::Op::OpBranchConditional, 4, 1, 2),
    statement(spv::Op::OpSwitch, 3, 1, 2),
    statement(spv::Op::OpKill, 1),
    statement(spv::Op::OpReturn, 1, 0, 0),
    statement(spv::Op::OpReturnValue, 2, 1, 0),
    statement(spv::Op::OpUnreachable, 1, 0, 0),
    statement(spv::Op::OpEmitVertex, 1, 0, 16),
    statement(spv::Op::OpEndPrimitive, 1, 0, 4),
    statement(spv::Op::OpControlBarrier, 4, 3, 8),
    statement(spv::Op::OpMemoryBarrier, 3, 2, 4),
};

constexpr std::array memory_rows{
    row(spv::Op::OpLoad, 4, type_and_id, function, 1, false, 1),
    row(spv::Op::OpAccessChain, 4, type_and_id, function, all_ids, false, 1),
    row(spv::Op::OpInBoundsAccessChain, 4, type_and_id, function, all_ids, false, 1),
    statement(spv::Op::OpStore, 3, 2),
    statement(spv::Op::OpCopyMemory, 3, 2, 2),
    math(spv::Op::OpImageTexelPointer, 3, 8),
    math(spv::Op::OpSampledImage, 2, 0),
    math(spv::Op::OpImage, 1, 0),
    texture(spv::Op::OpImageSampleImplicitLod, 2, sample_weight),
    texture(spv::Op::OpImageSampleExplicitLod, 2, sample_weight),
    texture(spv::Op::OpImageSampleDrefImplicitLod, 3, sample_weight),
    texture(spv::Op::OpImageSampleDrefExplicitLod, 3, sample_weight),
    texture(spv::Op::OpImageSampleProjImplicitLod, 2, sample_weight),
    texture(spv::Op::OpImageSampleProjExplicitLod, 2, sample_weight),
    texture(spv::Op::OpImageGather, 3, sample_weight),
    texture(spv::Op::OpImageDrefGather, 3, sample_weight),
    texture(spv::Op::OpImageFetch, 2, fetch_weight),
    texture(spv::Op::OpImageRead, 2, fetch_weight),
    row(spv::Op::OpImageWrite, 4, none, function, 3, true, fetch_weight),
    math(spv::Op::OpImageQuerySizeLod, 2, 4),
    math(spv::Op::OpImageQuerySize, 1, 4),
    math(spv::Op::OpImageQueryLod, 2, sample_weight),
    math(spv::Op::OpImageQueryLevels, 1, 4),
    math(spv::Op::OpImageQuerySamples, 1, 4),
    atomic(spv::Op::OpAtomicExchange, 4),
    atomic(spv::Op::OpAtomicCompareExchange, 6),
    atomic(spv::Op::OpAtomicIAdd, 4),
    atomic(spv::Op::OpAtomicSMin, 4),
    atomic(spv::Op::OpAtomicUMin, 4),
    atomic(spv::Op::OpAtomicSMax, 4),
    atomic(spv::Op::OpAtomicUMax, 4),
    atomic(spv::Op::OpAtomicAnd, 4),
    atomic(spv::Op::OpAtomicOr, 4),
    atomic(spv::Op::OpAtomicXor, 4),
};

constexpr std::array value_rows{
    row(spv::Op::OpVectorShuffle, 6, type_and_id, function, 2, false, 1),
    row(spv::Op::OpCompositeConstruct, 4, type_and_id, function, all_ids, false, 1),
    row(spv::Op::OpCompositeExtract, 4, type_and_id, function, 1, false, 1),
    row(spv::Op::OpCompositeInsert, 5, type_and_id, function, 2, false, 1),
    math(spv::Op::OpConvertFToU, 1, 2),
    math(spv::Op::OpConvertFToS, 1, 2),
    math(spv::Op::OpConvertSToF, 1),
    math(spv::Op::OpConvertUToF, 1, 2),
    math(spv::Op::OpBitcast, 1, 0),
    math(spv::Op::OpSNegate, 1),
    math(spv::Op::OpFNegate, 1),
    math(spv::Op::OpIAdd, 2),
    math(spv::Op::OpFAdd, 2),
    math(spv::Op::OpISub, 2),
    math(spv::Op::OpFSub, 2),
    math(spv::Op::OpIMul, 2),
    math(spv::Op::OpFMul, 2),
    math(spv::Op::OpUDiv, 2, 128),
    math(spv::Op::OpFDiv, 2, 2),
    math(spv::Op::OpUMod, 2, 128),
    math(spv::Op::OpVectorTimesScalar, 2),
    row(spv::Op::OpExtInst, 5, type_and_id, function, 1, true, 0),
    math(spv::Op::OpDot, 2, 8),
    math(spv::Op::OpIAddCarry, 2, 2),
    math(spv::Op::OpISubBorrow, 2, 2),
    math(spv::Op::OpUMulExtended, 2, 4),
    math(spv::Op::OpSMulExtended, 2, 4),
    math(spv::Op::OpAny, 1),
    math(spv::Op::OpAll, 1),
    math(spv::Op::OpIsNan, 1),
    math(spv::Op::OpIsInf, 1, 2),
    math(spv::Op::OpSelect, 3),
    math(spv::Op::OpBitFieldInsert, 4, 4),
    math(spv::Op::OpBitFieldSExtract, 3, 4),
    math(spv::Op::OpBitFieldUExtract, 3, 4),
    math(spv::Op::OpBitReverse, 1, 4),
    math(spv::Op::OpBitCount, 1, 4),
};

/// Opcodes that follow each other and have one form.
struct opcode_range {
  spv::Op first;
  spv::Op last;
  std::uint8_t operands;
  std::uint8_t weight;
};
constexpr std::array value_ranges{
    opcode_range{spv::Op::OpLogicalEqual, spv::Op::OpLogicalAnd, 2, 1},
    opcode_range{spv::Op::OpLogicalNot, spv::Op::OpLogicalNot, 1, 1},
    opcode_range{spv::Op::OpIEqual, spv::Op::OpFUnordGreaterThanEqual, 2, 1},
    opcode_range{spv::Op::OpShiftRightLogical, spv::Op::OpBitwiseAnd, 2, 1},
    opcode_range{spv::Op::OpNot, spv::Op::OpNot, 1, 1},
    opcode_range{spv::Op::OpDPdx, spv::Op::OpFwidthCoarse, 1, 2},
};

/// Of GLSL.std.450, by number. Those that take a pointer are not here.
constexpr auto extended_weights = [] {
  std::array<std::uint8_t, GLSLstd450Count> all{};
  for (const auto cheap :
       {GLSLstd450Round, GLSLstd450RoundEven,   GLSLstd450Trunc, GLSLstd450FAbs, GLSLstd450SAbs,
        GLSLstd450FSign, GLSLstd450SSign,       GLSLstd450Floor, GLSLstd450Ceil, GLSLstd450Fract,
        GLSLstd450Sqrt,  GLSLstd450InverseSqrt, GLSLstd450FMin,  GLSLstd450UMin, GLSLstd450SMin,
        GLSLstd450FMax,  GLSLstd450UMax,        GLSLstd450SMax,  GLSLstd450NMin, GLSLstd450NMax,
        GLSLstd450Fma}) {
    all[cheap] = 1;
  }
  for (const auto small :
       {GLSLstd450FClamp, GLSLstd450UClamp, GLSLstd450SClamp, GLSLstd450NClamp, GLSLstd450FMix,
        GLSLstd450Step, GLSLstd450FindILsb, GLSLstd450FindSMsb, GLSLstd450FindUMsb,
        GLSLstd450PackHalf2x16, GLSLstd450UnpackHalf2x16, GLSLstd450UnpackUnorm4x8, GLSLstd450Cross,
        GLSLstd450Length, GLSLstd450Normalize}) {
    all[small] = 3;
  }
  all[GLSLstd450Exp] = all[GLSLstd450Exp2] = 20;
  all[GLSLstd450Log] = all[GLSLstd450Log2] = 36;
  all[GLSLstd450Sin] = all[GLSLstd450Cos] = 40;
  all[GLSLstd450Pow] = 128;
  return all;
}();

}  // namespace

namespace detail {

constexpr std::array<instruction_form, form_count> forms = [] {
  std::array<instruction_form, form_count> all{};
  const auto add = [&all](const auto& rows) {
    for (const instruction_form& form : rows) {
      if (form.op + 1u < all.size()) all[form.op] = form;
    }
  };
  add(module_rows);
  add(flow_rows);
  add(memory_rows);
  add(value_rows);
  for (const opcode_range& range : value_ranges) {
    for (auto op = static_cast<std::size_t>(range.first);
         op <= static_cast<std::size_t>(range.last); ++op) {
      all[op] = math(static_cast<spv::Op>(op), range.operands, range.weight);
    }
  }
  return all;
}();

auto form_of_extension(spv::Op op) noexcept -> const instruction_form& {
  static constexpr auto processed = row(spv::Op::OpModuleProcessed, 2, none, debug);
  static constexpr auto demote = statement(spv::Op::OpDemoteToHelperInvocationEXT, 1);
  if (op == spv::Op::OpModuleProcessed) return processed;
  return op == spv::Op::OpDemoteToHelperInvocationEXT ? demote : forms.back();
}

}  // namespace detail

auto weight_of_extended(std::uint32_t number) noexcept -> std::uint32_t {
  return number < extended_weights.size() ? extended_weights[number] : 0;
}

}  // namespace aerogpu::spirv
