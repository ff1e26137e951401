// SPDX-License-Identifier: MIT
#include "spirv_bounds/expected_module.hpp"

#include "spirv_bounds/module_check.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace aerogpu::spirv {
namespace {

using spv::Capability;

/// What can be had without a feature of the device that could be missing, and what the backend
/// enables where the device has it.
constexpr std::array common_capabilities{
    Capability::Matrix,
    Capability::Shader,
    Capability::Sampled1D,
    Capability::Image1D,
    Capability::SampledBuffer,
    Capability::ImageBuffer,
    Capability::SampledCubeArray,
    Capability::ImageQuery,
    Capability::DerivativeControl,
    Capability::ImageGatherExtended,
    Capability::StorageImageExtendedFormats,
    Capability::StorageImageReadWithoutFormat,
    Capability::StorageImageWriteWithoutFormat,
    Capability::ClipDistance,
    Capability::CullDistance,
    Capability::SampleRateShading,
    Capability::Geometry,
    Capability::Tessellation,
    Capability::MultiViewport,
    Capability::DrawParameters,
    Capability::DemoteToHelperInvocationEXT,
};

constexpr std::array<std::string_view, 2> extensions{"SPV_EXT_demote_to_helper_invocation",
                                                     "SPV_KHR_shader_draw_parameters"};
constexpr std::string_view extended_instructions = "GLSL.std.450";

/// A mode, the stages that have it (bits of spv::ExecutionModel) and its literals.
struct mode_row {
  spv::ExecutionMode mode;
  std::uint8_t stages;
  std::uint8_t literals = 0;
};
constexpr std::uint8_t hull = 1u << 1, domain = 1u << 2, geometry = 1u << 3, pixel = 1u << 4,
                       compute = 1u << 5;
constexpr std::array modes{
    mode_row{spv::ExecutionMode::Invocations, geometry, 1},
    mode_row{spv::ExecutionMode::SpacingEqual, hull | domain},
    mode_row{spv::ExecutionMode::SpacingFractionalEven, hull | domain},
    mode_row{spv::ExecutionMode::SpacingFractionalOdd, hull | domain},
    mode_row{spv::ExecutionMode::VertexOrderCw, hull | domain},
    mode_row{spv::ExecutionMode::VertexOrderCcw, hull | domain},
    mode_row{spv::ExecutionMode::OriginUpperLeft, pixel},
    mode_row{spv::ExecutionMode::EarlyFragmentTests, pixel},
    mode_row{spv::ExecutionMode::PointMode, hull | domain},
    mode_row{spv::ExecutionMode::DepthReplacing, pixel},
    mode_row{spv::ExecutionMode::DepthGreater, pixel},
    mode_row{spv::ExecutionMode::DepthLess, pixel},
    mode_row{spv::ExecutionMode::LocalSize, compute, 3},
    mode_row{spv::ExecutionMode::InputPoints, geometry},
    mode_row{spv::ExecutionMode::InputLines, geometry},
    mode_row{spv::ExecutionMode::InputLinesAdjacency, geometry},
    mode_row{spv::ExecutionMode::Triangles, geometry | hull | domain},
    mode_row{spv::ExecutionMode::InputTrianglesAdjacency, geometry},
    mode_row{spv::ExecutionMode::Quads, hull | domain},
    mode_row{spv::ExecutionMode::Isolines, hull | domain},
    mode_row{spv::ExecutionMode::OutputVertices, geometry | hull, 1},
    mode_row{spv::ExecutionMode::OutputPoints, geometry},
    mode_row{spv::ExecutionMode::OutputLineStrip, geometry},
    mode_row{spv::ExecutionMode::OutputTriangleStrip, geometry},
};

/// Whether words from `first` on are a text with its end, and nothing else.
auto is_text(const instruction& in, std::size_t first, std::string_view text) noexcept -> bool {
  const std::size_t words = text.size() / 4 + 1;
  if (in.words.size() < first + words) return false;
  for (std::size_t i = 0; i < words * 4; ++i) {
    const auto letter = static_cast<char>(in.word(first + i / 4) >> (i % 4 * 8) & 0xFFu);
    if (letter != (i < text.size() ? text[i] : '\0')) return false;
  }
  return true;
}

class header_checker {
 public:
  header_checker(const module_index& module, const expected_module& expected) noexcept
      : module_(module), expected_(expected) {}

  [[nodiscard]] auto run() -> error {
    const error why = for_each(module_, header_words, module_.first_annotation(),
                               [this](const instruction& in) { return check(in); });
    if (why.code != error_code::none) return why;
    if (entry_ == 0) return refused("a module has no entry point", header_words);
    const bool is_compute = expected_.stage == spv::ExecutionModel::GLCompute;
    return is_compute && !has_size_ ? refused("a compute module has no group size", header_words)
                                    : error{};
  }

 private:
  auto check(const instruction& in) -> error {
    switch (in.op()) {
      case spv::Op::OpCapability: {
        const auto what = static_cast<Capability>(in.word(1));
        const bool is_known =
            std::ranges::find(common_capabilities, what) != common_capabilities.end();
        return is_known ? error{}
                        : refused("a SPIR-V capability is not allowed", in.at, in.word(1));
      }
      case spv::Op::OpExtension: {
        const bool is_known = std::ranges::any_of(
            extensions, [&in](std::string_view text) { return is_text(in, 1, text); });
        return is_known ? error{} : refused("a SPIR-V extension is not allowed", in.at);
      }
      case spv::Op::OpExtInstImport:
        return is_text(in, 2, extended_instructions)
                   ? error{}
                   : refused("an extended instruction set is not allowed", in.at);
      case spv::Op::OpMemoryModel:
        return in.word(1) == static_cast<std::uint32_t>(spv::AddressingModel::Logical) &&
                       in.word(2) == static_cast<std::uint32_t>(spv::MemoryModel::GLSL450)
                   ? error{}
                   : refused("a SPIR-V memory model is not allowed", in.at, in.word(2));
      case spv::Op::OpEntryPoint: return check_entry(in);
      case spv::Op::OpExecutionMode: return check_mode(in);
      default: return {};
    }
  }

  auto check_entry(const instruction& in) -> error {
    if (entry_ != 0) return refused("a module has two entry points", in.at);
    if (static_cast<spv::ExecutionModel>(in.word(1)) != expected_.stage) {
      return refused("a module is of another stage", in.at, in.word(1));
    }
    if (!is_text(in, 3, "main")) return refused("an entry point is not called main", in.at);
    const instruction function = module_.find(in.word(2));
    const instruction type = module_.find(function.word(4));
    const bool is_procedure = function.op() == spv::Op::OpFunction && type.words.size() == 3 &&
                              module_.find(function.type()).op() == spv::Op::OpTypeVoid;
    if (!is_procedure) return refused("an entry point is no procedure", in.at, in.word(2));
    entry_ = in.word(2);
    return {};
  }

  auto check_mode(const instruction& in) -> error {
    const auto mode = static_cast<spv::ExecutionMode>(in.word(2));
    const auto row = std::ranges::find(modes, mode, &mode_row::mode);
    const auto stage = static_cast<std::uint32_t>(expected_.stage);
    const bool is_known = row != modes.end() && stage < 8 && (row->stages >> stage & 1u) != 0 &&
                          in.words.size() == 3u + row->literals && in.word(1) == entry_;
    if (!is_known) return refused("a SPIR-V execution mode is not allowed", in.at, in.word(2));
    bool is_right = true;
    switch (mode) {
      case spv::ExecutionMode::LocalSize:
        has_size_ = true;
        is_right = std::ranges::equal(in.words.subspan(3), expected_.group_size);
        break;
      case spv::ExecutionMode::Invocations: is_right = in.word(3) == expected_.instances; break;
      case spv::ExecutionMode::OutputVertices: {
        const bool is_geometry = expected_.stage == spv::ExecutionModel::Geometry;
        const std::uint32_t count = is_geometry ? expected_.max_vertices : expected_.output_points;
        is_right = in.word(3) == count || (count == 0 && in.word(3) <= location_count);
        break;
      }
      default: break;
    }
    return is_right ? error{}
                    : refused("a SPIR-V execution mode has a wrong number", in.at, in.word(3));
  }

  const module_index& module_;
  const expected_module& expected_;
  std::uint32_t entry_ = 0;
  bool has_size_ = false;
};

}  // namespace

auto check_module(const module_index& module, const expected_module& expected) -> result<void> {
  if (const error why = header_checker{module, expected}.run(); why.code != error_code::none) {
    return why;
  }
  return check_globals(module, expected);
}

}  // namespace aerogpu::spirv
