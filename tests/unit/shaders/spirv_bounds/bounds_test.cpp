// SPDX-License-Identifier: MIT
#include "spirv_text.hpp"

namespace aerogpu::spirv::test {
namespace {

constexpr const char* element = "%p = OpAccessChain %to_element %table %index\n";
constexpr const char* word = "%p = OpAccessChain %to_word %shared %index\n";

/// A loop around `body`, whose end is %next.
auto loop_of(const std::string& body, const std::string& name = "") -> std::string {
  const std::string top = "%top" + name, next = "%next" + name, done = "%done" + name,
                    inside = "%inside" + name;
  return "OpBranch " + top + "\n" + top + " = OpLabel\nOpLoopMerge " + done + " " + next +
         " None\nOpBranchConditional %is_odd " + inside + " " + done + "\n" + inside +
         " = OpLabel\n" + body + "OpBranch " + next + "\n" + next + " = OpLabel\nOpBranch " + top +
         "\n" + done + " = OpLabel\n";
}

}  // namespace

TEST_CASE("a constant index inside its array stays as it is", "[spirv][bounds]") {
  const std::string text =
      bounded(module_of("%p = OpAccessChain %to_element %table %n2\n%v = OpLoad %float4 %p\n"));
  CHECK(count(text, "OpULessThan") == 0);
  CHECK(count(text, "OpSelect") == 0);
}

TEST_CASE("a constant index behind its array is bounded like a value", "[spirv][bounds]") {
  // The validator accepts it: the length is no business of its.
  const std::string text =
      bounded(module_of("%p = OpAccessChain %to_element %table %n4\n%v = OpLoad %float4 %p\n"));
  CHECK(count(text, "OpULessThan") == 1);
}

TEST_CASE("a load through an index takes the first element or 0", "[spirv][bounds]") {
  const std::string text = bounded(module_of(std::string{element} + "%v = OpLoad %float4 %p\n"));
  CHECK(count(text, "OpULessThan") == 1);
  CHECK(count(text, "= OpSelect") == 2);  // The index, the value.
  CHECK(count(text, "OpSelectionMerge") == 0);
}

TEST_CASE("a store through an index is behind a branch", "[spirv][bounds]") {
  const std::string text = bounded(module_of(std::string{element} + "OpStore %p %ones\n"));
  CHECK(count(text, "OpSelectionMerge") == 1);
  CHECK(count(text, "OpStore") == 1);
}

TEST_CASE("each index of an access counts", "[spirv][bounds]") {
  const std::string text = bounded(
      module_of("%p = OpAccessChain %to_component %table %index %index\n%v = OpLoad %float %p\n"));
  CHECK(count(text, "OpULessThan") == 2);
  CHECK(count(text, "OpLogicalAnd") == 1);
}

TEST_CASE("an access within an access carries its bound on", "[spirv][bounds]") {
  const std::string text =
      bounded(module_of(std::string{element} + "%q = OpAccessChain %to_component %p %n1\n"
                                               "%v = OpLoad %float %q\nOpStore %q %one\n"));
  CHECK(count(text, "OpULessThan") == 1);
  CHECK(count(text, "= OpSelect") == 2);
  CHECK(count(text, "OpSelectionMerge") == 1);
}

TEST_CASE("a copy through indices on both sides is a load and a store", "[spirv][bounds]") {
  const std::string text = bounded(module_of(
      std::string{element} + "%q = OpAccessChain %to_element %table %index\nOpCopyMemory %p %q\n"));
  CHECK(count(text, "OpCopyMemory") == 0);
  CHECK(count(text, "OpSelectionMerge") == 1);
  CHECK(count(text, "OpULessThan") == 2);
}

TEST_CASE("an atomic through an index gives 0 outside", "[spirv][bounds]") {
  const std::string text =
      bounded(module_of(std::string{word} + "%old = OpAtomicIAdd %uint %p %n2 %n264 %n1\n"
                                            "%sum = OpIAdd %uint %old %n1\n"));
  CHECK(count(text, "OpAtomicIAdd") == 1);
  CHECK(count(text, "OpPhi") == 1);
  CHECK(count(text, "OpSelectionMerge") == 1);
}

TEST_CASE("phis and merges follow a block that is split", "[spirv][bounds]") {
  const std::string text =
      bounded(module_of("OpSelectionMerge %both None\nOpBranchConditional %is_odd %yes %both\n"
                        "%yes = OpLabel\n" +
                        std::string{element} +
                        "OpStore %p %ones\n%a = OpIAdd %uint %index %n1\nOpBranch %both\n"
                        "%both = OpLabel\n%r = OpPhi %uint %index %start %a %yes\n"
                        "%s = OpIAdd %uint %r %n1\n"));
  CHECK(count(text, "OpSelectionMerge") == 2);
}

TEST_CASE("a split block may be the last of a loop, and its first", "[spirv][bounds]") {
  const std::string access = std::string{element} + "OpStore %p %ones\n";
  const std::string text = bounded(module_of(loop_of(access)));
  CHECK(count(text, "OpSelectionMerge") == 1);
  const std::string at_top = bounded(
      module_of("OpBranch %top\n%top = OpLabel\n%i = OpPhi %uint %n0 %start %j %next\n" + access +
                "OpLoopMerge %done %next None\nOpBranchConditional %is_odd %next %done\n"
                "%next = OpLabel\n%j = OpIAdd %uint %i %n1\nOpBranch %top\n%done = OpLabel\n"));
  CHECK(count(at_top, "OpSelectionMerge") == 1);
}

TEST_CASE("variables without a value begin as zero", "[spirv][bounds]") {
  const std::string text =
      bounded(assemble(head +
                       "%main = OpFunction %void None %procedure\n%start = OpLabel\n"
                       "%local = OpVariable %to_local Function\n%v = OpLoad %float4 %local\n" +
                       end));
  CHECK(count(text, "OpConstantNull") == 3);  // An array, a vector, the words of the group.
  for (const char* storage : {" Private %", " Function %", " Workgroup %"}) {
    INFO(storage);
    CHECK(count(text, storage) >= 1);
  }
}

TEST_CASE("an array of more than a few elements is zeroed by a loop", "[spirv][bounds]") {
  const auto with = [](const std::string& length) {
    return bounded(assemble(head + "%length = OpConstant %uint " + length +
                            "\n%long = OpTypeArray %float4 %length\n"
                            "%to_long = OpTypePointer Private %long\n"
                            "%to_own = OpTypePointer Function %long\n"
                            "%longer = OpVariable %to_long Private\n"
                            "%main = OpFunction %void None %procedure\n%start = OpLabel\n"
                            "%own = OpVariable %to_own Function\nOpReturn\nOpFunctionEnd\n"));
  };
  CHECK(count(with("16"), "OpLoopMerge") == 0);
  CHECK(count(with("17"), "OpLoopMerge") == 2);
}

TEST_CASE("numbers of structures in shared memory do not wrap into it", "[spirv][bounds]") {
  const std::string structure =
      "%product = OpIMul %uint %index %n4\n%words_in = OpShiftRightLogical %uint %index %n2\n"
      "%sum = OpIAdd %uint %product %words_in\n%place = OpIAdd %uint %sum %n1\n"
      "%p = OpAccessChain %to_word %shared %place\n%v = OpLoad %uint %p\n";
  CHECK(count(bounded(module_of(structure)), "OpULessThan") == 2);
}

TEST_CASE("invocations zero the memory of their group where the device does not",
          "[spirv][bounds]") {
  const std::string text = bounded(module_of(std::string{word} + "%v = OpLoad %uint %p\n"), {});
  CHECK(count(text, "BuiltIn LocalInvocationIndex") == 1);
  CHECK(count(text, "OpControlBarrier") == 1);
  CHECK(count(text, "OpFunctionCall") == 1);
  CHECK(count(text, "OpLoopMerge") == 1);
}

TEST_CASE("the local index of a module is used again", "[spirv][bounds]") {
  std::string with_index = head + begin + end;
  const auto replace = [&](const std::string& what, const std::string& by) {
    with_index.replace(with_index.find(what), what.size(), by);
  };
  replace("%main \"main\" %number", "%main \"main\" %number %local");
  replace("%void = OpTypeVoid\n",
          "OpDecorate %local BuiltIn LocalInvocationIndex\n%void = OpTypeVoid\n");
  replace("%number = OpVariable",
          "%to_int = OpTypePointer Input %uint\n%local = OpVariable %to_int Input\n"
          "%number = OpVariable");
  CHECK(count(bounded(assemble(with_index), {}), "BuiltIn LocalInvocationIndex") == 1);
}

TEST_CASE("undefined values are zero", "[spirv][bounds]") {
  const std::string text =
      bounded(module_of("%u = OpUndef %float4\n"
                        "%v = OpVectorShuffle %float4 %ones %ones 0 1 0xFFFFFFFF 3\n"
                        "OpStore %value %u\n"));
  CHECK(count(text, "OpUndef") == 0);
  CHECK(count(text, "4294967295") == 0);
}

TEST_CASE("code that cannot be reached returns", "[spirv][bounds]") {
  const std::string text =
      bounded(assemble(head + begin +
                       "OpSelectionMerge %both None\nOpBranchConditional %is_odd %yes %no\n"
                       "%yes = OpLabel\nOpReturn\n%no = OpLabel\nOpReturn\n"
                       "%both = OpLabel\nOpUnreachable\nOpFunctionEnd\n"));
  CHECK(count(text, "OpUnreachable") == 0);
  CHECK(count(text, "OpReturn\n") == 3);
}

TEST_CASE("all loops share one budget of back edges", "[spirv][bounds]") {
  const std::string text = bounded(module_of(loop_of(loop_of("", "2")) + loop_of("", "3")));
  CHECK(count(text, " 77\n") == 1);
  CHECK(count(text, "OpSGreaterThan") == 3);
  CHECK(count(text, "OpISub") == 3);
}

TEST_CASE("outputs of a geometry shader are 0 at first and behind each vertex", "[spirv][bounds]") {
  const std::string text = bounded(assemble(
      "OpCapability Geometry\nOpMemoryModel Logical GLSL450\n"
      "OpEntryPoint Geometry %main \"main\" %color\n"
      "OpExecutionMode %main InputPoints\nOpExecutionMode %main Invocations 1\n"
      "OpExecutionMode %main OutputPoints\nOpExecutionMode %main OutputVertices 2\n"
      "OpDecorate %color Location 0\n%void = OpTypeVoid\n%procedure = OpTypeFunction %void\n"
      "%float = OpTypeFloat 32\n%float4 = OpTypeVector %float 4\n"
      "%to_float4 = OpTypePointer Output %float4\n%color = OpVariable %to_float4 Output\n"
      "%main = OpFunction %void None %procedure\n%start = OpLabel\nOpEmitVertex\nOpEmitVertex\n"
      "OpReturn\nOpFunctionEnd\n"));
  CHECK(count(text, "OpStore") == 3);
  CHECK(count(text, "OpControlBarrier") == 0);
}

TEST_CASE("outputs of a hull shader are 0 before any invocation writes them", "[spirv][bounds]") {
  const bool has_constants = GENERATE(true, false), has_number = GENERATE(true, false);
  const std::string constant = has_constants ? " %constant" : "";
  const std::string number = has_number ? " %number" : "";
  std::string text =
      "OpCapability Tessellation\nOpMemoryModel Logical GLSL450\n"
      "OpEntryPoint TessellationControl %main \"main\" %points" +
      constant + number +
      "\nOpExecutionMode %main OutputVertices 3\nOpDecorate %points Location 0\n";
  if (has_constants) text += "OpDecorate %constant Location 1\nOpDecorate %constant Patch\n";
  if (has_number) text += "OpDecorate %number BuiltIn InvocationId\n";
  text +=
      "%void = OpTypeVoid\n%procedure = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n"
      "%n3 = OpConstant %uint 3\n%float = OpTypeFloat 32\n%float4 = OpTypeVector %float 4\n"
      "%of_points = OpTypeArray %float4 %n3\n%to_points = OpTypePointer Output %of_points\n"
      "%points = OpVariable %to_points Output\n%to_float4 = OpTypePointer Output %float4\n";
  if (has_constants) text += "%constant = OpVariable %to_float4 Output\n";
  if (has_number) {
    text +=
        "%int = OpTypeInt 32 1\n%to_int = OpTypePointer Input %int\n"
        "%number = OpVariable %to_int Input\n";
  }
  text += "%main = OpFunction %void None %procedure\n%start = OpLabel\nOpReturn\nOpFunctionEnd\n";
  const std::string made = bounded(assemble(text));
  CHECK(count(made, "BuiltIn InvocationId") == 1);
  CHECK(count(made, "= OpAccessChain") == 1);
  CHECK(count(made, "= OpSelect") == 1);
  CHECK(count(made, "OpStore") == (has_constants ? 2 : 1));
  CHECK(count(made, "OpControlBarrier") == (has_constants ? 1 : 0));
}

TEST_CASE("a module without loops has no budget", "[spirv][bounds]") {
  CHECK(count(bounded(module_of("")), "OpISub") == 0);
}

TEST_CASE("what cannot be bounded is refused with a sentence", "[spirv][bounds]") {
  const std::string phi =
      "OpBranch %top\n%top = OpLabel\n%i = OpPhi %uint %n0 %start %j %next\n"
      "OpLoopMerge %done %next None\nOpBranchConditional %is_odd %next %done\n"
      "%next = OpLabel\n%j = OpIAdd %uint %i %n1\nOpBranch %top\n%done = OpLabel\n"
      "%x = OpPhi %uint %i %top\n";
  CHECK(refusal(module_of(phi)) == "a SPIR-V loop ends with a phi");
  const std::string one_block =
      "OpBranch %top\n%top = OpLabel\nOpLoopMerge %done %top None\n"
      "OpBranchConditional %is_odd %top %done\n%done = OpLabel\n";
  CHECK(refusal(module_of(one_block)) == "a SPIR-V loop is one block");
  const std::string leaving =
      "OpBranch %top\n%top = OpLabel\nOpLoopMerge %done %next None\n"
      "OpBranch %inside\n%inside = OpLabel\n%j = OpIAdd %uint %index %n1\n"
      "OpBranchConditional %is_odd %next %done\n"
      "%next = OpLabel\nOpBranch %top\n%done = OpLabel\n%k = OpIAdd %uint %j %n1\n";
  CHECK(is_valid(module_of(leaving)));
  CHECK(refusal(module_of(leaving)) == "a SPIR-V value is used behind its loop");
  CHECK(refusal(module_of("OpBranch %again\n%again = OpLabel\nOpBranch %back\n"
                          "%back = OpLabel\nOpBranch %again\n%never = OpLabel\n")) ==
        "a SPIR-V branch makes no proper loop");
}

TEST_CASE("an indexed pointer is not handed to a function", "[spirv][bounds]") {
  const std::string callee =
      "%f = OpFunction %void None %takes\n%a = OpFunctionParameter %to_element\n"
      "%g = OpLabel\nOpStore %a %ones\nOpReturn\nOpFunctionEnd\n";
  const std::string types = "%takes = OpTypeFunction %void %to_element\n";
  const auto whole =
      assemble(head + types + begin + element + "%r = OpFunctionCall %void %f %p\n" + end + callee);
  CHECK(refusal(whole) == "an indexed SPIR-V pointer is passed on");
  const auto whole_value =
      assemble(head + types + begin + "%r = OpFunctionCall %void %f %value\n" + end + callee);
  CHECK(count(bounded(whole_value), "OpFunctionCall") == 1);
}

TEST_CASE("an access with memory operands is refused", "[spirv][bounds]") {
  CHECK(refusal(module_of("OpStore %value %ones Volatile\n")) ==
        "a SPIR-V access has memory operands");
  CHECK(refusal(module_of("%v = OpLoad %float4 %value Volatile\n")) ==
        "a SPIR-V access has memory operands");
}

}  // namespace aerogpu::spirv::test
