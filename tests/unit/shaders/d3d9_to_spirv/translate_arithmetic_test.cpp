// SPDX-License-Identifier: MIT
#include "d3d9_to_spirv/translate.hpp"
#include "tests/unit/shaders/d3d9_to_spirv/spirv_view.hpp"

namespace aerogpu::d3d9::test {
namespace {

auto pixel(std::string_view line) -> std::string {
  return "ps_2_0\n" + std::string{line} + "\nmov oC0, r0\n";
}

auto fast() -> translate_options {
  translate_options options;
  options.rules = float_rules::fast;
  return options;
}

/// How many more of an operation a line needs than the shader around it.
template <class Op>
auto cost(std::string_view line, Op op, const translate_options& options = {}) -> std::ptrdiff_t {
  return count(translated(pixel(line), options).words, op) -
         count(translated(pixel("mov r0, c0"), options).words, op);
}

}  // namespace

TEST_CASE("products let zero win, unless the rules are fast", "[d3d9][translate]") {
  const auto line = GENERATE("mul r0, c0, c1", "mad r0, c0, c1, c2", "dp3 r0, c0, c1",
                             "dp4 r0, c0, c1", "dp2add r0, c0, c1, c2.x", "lrp r0, c0, c1, c2");
  CAPTURE(line);
  CHECK(cost(line, spv::Op::OpFMul) == 1);
  CHECK(cost(line, spv::Op::OpSelect) == 1);
  CHECK(cost(line, spv::Op::OpFOrdEqual) == 2);
  CHECK(cost(line, spv::Op::OpSelect, fast()) == 0);
  CHECK(cost(line, spv::Op::OpFOrdEqual, fast()) == 0);
}

TEST_CASE("arithmetic of several instructions stands in place once, and then is called",
          "[d3d9][translate]") {
  const auto line =
      GENERATE("mul r0, c0, c1", "dp2add r0, c0, c1, c2.x", "dp3 r0, c0, c1", "dp4 r0, c0, c1",
               "rcp r0, c0.x", "rsq r0, c0.x", "log r0, c0.x", "pow r0, c0.x, c1.x", "frc r0, c0");
  CAPTURE(line);
  const std::string once = std::string{line} + "\n";
  const auto extra = [](const std::string& text, spv::Op op) { return cost(text, op); };
  CHECK(extra(once, spv::Op::OpFunction) == 0);
  CHECK(extra(once, spv::Op::OpFunctionCall) == 0);
  CHECK(extra(once + once, spv::Op::OpFunction) == 1);
  CHECK(extra(once + once, spv::Op::OpFunctionCall) == 1);
  CHECK(extra(once + once + once + once, spv::Op::OpFunction) == 1);
  CHECK(extra(once + once + once + once, spv::Op::OpFunctionCall) == 3);
}

TEST_CASE("a call of shared arithmetic takes no more words than its operands need",
          "[d3d9][translate]") {
  const auto size = [](int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += "mul r0, r0, r1\n";
    return translated(pixel(text)).words.size();
  };
  constexpr std::size_t call_and_store = 6 + 3;
  CHECK(size(40) == size(20) + 20 * call_and_store);
}

TEST_CASE("operands of each width have shared arithmetic of their own", "[d3d9][translate]") {
  const words made = translated(
                         "vs_2_0\ndst r0, v0, c0\ndst r1, v0, c1\nmul r2, v0, c0\n"
                         "mul r3, r0, r1\nadd oPos, r2, r3\n")
                         .words;
  CHECK(count(made, spv::Op::OpFunction) == 2 + 2);
  CHECK(count(made, spv::Op::OpFMul) == 2 + 2);
}

TEST_CASE("shared arithmetic may be met first in a branch", "[d3d9][translate]") {
  const words made = translated(
                         "ps_2_x\nif b0\nmul r0, c0, c1\nelse\nmul r0, c1, c2\nendif\n"
                         "rep i0\nmul r0, r0, c3\nendrep\nmov oC0, r0\n")
                         .words;
  CHECK(count(made, spv::Op::OpFMul) == 2);
  CHECK(count(made, spv::Op::OpFunctionCall) == 1 + 2);
}

TEST_CASE("shared arithmetic has a name where names are wanted", "[d3d9][translate]") {
  const auto names = [](bool wants_names) {
    translate_options options;
    options.wants_names = wants_names;
    return aerogpu::test::spirv_text(
        translated(pixel("rsq r0, c0.x\nrsq r0, c1.x"), options).words);
  };
  CHECK(names(true).find("\"reciprocal_root\"") != std::string::npos);
  CHECK(names(false).find("\"reciprocal_root\"") == std::string::npos);
}

TEST_CASE("every product and sum keeps its order and rounding", "[d3d9][translate]") {
  const auto made = translated(
      "vs_3_0\ndcl_position v0\ndcl_position o0\nm4x4 r0, v0, c0\nmad r0, r0, c4, c5\n"
      "rcp r1, v0.x\nnrm r2, r0\nadd o0, r0, -r2\n");
  const auto exact = decorated(made.words, spv::Decoration::NoContraction);
  std::size_t arithmetic = 0;
  for (const spirv_instruction& in : instructions_of(made.words)) {
    using enum spv::Op;
    if (in.op != OpFMul && in.op != OpFAdd && in.op != OpFSub && in.op != OpFDiv) continue;
    ++arithmetic;
    CHECK(std::ranges::count(exact, in.operands[1],
                             &std::pair<std::uint32_t, std::uint32_t>::first) == 1);
  }
  CHECK(arithmetic > 12);  // What is used again stands once.
  CHECK(count(made.words, spv::Op::OpDot) == 0);
  CHECK(count(made.words, GLSLstd450Fma) == 0);
}

TEST_CASE("dots add their products from x on", "[d3d9][translate]") {
  const auto [line, sums] = GENERATE(table<const char*, int>(
      {{"dp2add r0, c0, c1, c2.x", 2}, {"dp3 r0, c0, c1", 2}, {"dp4 r0, c0, c1", 3}}));
  const words made = translated(pixel(line)).words;
  std::vector<std::uint32_t> components;
  for (const spirv_instruction& in : instructions_of(made)) {
    if (in.op == spv::Op::OpFAdd && sums != 0) components.push_back(in.operands[1]);
  }
  CHECK(components.size() == static_cast<std::size_t>(sums));
  // Each sum but the first takes the one before as its left side.
  std::uint32_t before = 0;
  for (const spirv_instruction& in : instructions_of(made)) {
    if (in.op != spv::Op::OpFAdd) continue;
    if (before != 0) CHECK(in.operands[2] == before);
    before = in.operands[1];
  }
}

TEST_CASE("functions use the GLSL one and mend its edges", "[d3d9][translate]") {
  const auto [line, function, selects] = GENERATE(table<const char*, GLSLstd450, int>({
      {"rsq r0, c0.x", GLSLstd450InverseSqrt, 2},  // Zero; infinity.
      {"log r0, c0.x", GLSLstd450Log2, 2},
      {"exp r0, c0.x", GLSLstd450Exp2, 0},
      {"pow r0, c0.x, c1.x", GLSLstd450Pow, 4},  // b < 0, a = 0, b = 0; infinity.
      {"min r0, c0, c1", GLSLstd450NMin, 0},
      {"max r0, c0, c1", GLSLstd450NMax, 0},
      {"frc r0, c0", GLSLstd450Floor, 1},  // One becomes the float below.
      {"abs r0, c0", GLSLstd450FAbs, 0},
      {"sincos r0.xy, c0.x, c1, c2", GLSLstd450Sin, 0},
      {"sincos r0.xy, c0.x, c1, c2", GLSLstd450Cos, 0},
      {"mov_sat r0, c0", GLSLstd450NClamp, 0},
  }));
  CAPTURE(line);
  CHECK(cost(line, function) == 1);
  CHECK(cost(line, spv::Op::OpSelect) == selects);
}

TEST_CASE("functions stay finite under fast rules as well", "[d3d9][translate]") {
  const auto line =
      GENERATE("rcp r0, c0.x", "rsq r0, c0.x", "log r0, c0.x", "pow r0, c0.x, c1.x", "nrm r0, c0");
  CAPTURE(line);
  CHECK(cost(line, GLSLstd450NClamp, fast()) == 1);
}

TEST_CASE("comparisons are false with NaN, but for NE", "[d3d9][translate]") {
  const auto [name, op] = GENERATE(table<const char*, spv::Op>({
      {"gt", spv::Op::OpFOrdGreaterThan},
      {"eq", spv::Op::OpFOrdEqual},
      {"ge", spv::Op::OpFOrdGreaterThanEqual},
      {"lt", spv::Op::OpFOrdLessThan},
      {"ne", spv::Op::OpFUnordNotEqual},
      {"le", spv::Op::OpFOrdLessThanEqual},
  }));
  const std::string name_text{name};
  const std::string set = "ps_2_x\nsetp_" + name_text + " p0, c0, c1\n(p0) mov oC0, c0\n";
  const std::string branch = "ps_2_x\nif_" + name_text + " c0.x, c1.x\nmov oC0, c0\nendif\n";
  const auto bare = count(translated("ps_2_x\nmov oC0, c0\n").words, op);
  CHECK(count(translated(set).words, op) == bare + 1);
  CHECK(count(translated(branch).words, op) == bare + 1);
}

TEST_CASE("lit, dst and the matrices write only the components they have", "[d3d9][translate]") {
  // The shuffle of two vectors merges old and new: components 4..7 are new.
  const auto [line, merged] = GENERATE(table<const char*, std::array<std::uint32_t, 4>>({
      {"lit r0.z, c0", {0, 1, 6, 3}},
      {"dst r0.yw, c0, c1", {0, 5, 2, 7}},
      {"m3x2 r0, c0, c1", {4, 5, 2, 3}},
      {"m3x3 r0, c0, c1", {4, 5, 6, 3}},
      {"m4x3 r0, c0, c1", {4, 5, 6, 3}},
      {"crs r0, c0, c1", {4, 5, 6, 3}},
      {"sincos r0.y, c0.x, c1, c2", {0, 5, 2, 3}},
  }));
  CAPTURE(line);
  std::array<std::uint32_t, 4> last{};
  const words made = translated(pixel(line)).words;
  for (const spirv_instruction& in : instructions_of(made)) {
    const bool merges = in.op == spv::Op::OpVectorShuffle && in.operands[2] != in.operands[3];
    if (merges) std::ranges::copy(in.operands.subspan(4), last.begin());
  }
  CHECK(last == merged);
}

}  // namespace aerogpu::d3d9::test
