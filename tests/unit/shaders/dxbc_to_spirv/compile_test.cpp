// SPDX-License-Identifier: MIT
#include "tests/support/byte_code/cheap_module.hpp"
#include "tests/support/byte_code/shaders.hpp"
#include "tests/unit/shaders/dxbc_to_spirv/compiled_samples.hpp"

using namespace aerogpu;
using namespace aerogpu::dxbc::view;
namespace sm4 = aerogpu::test::sm4;

TEST_CASE("a sample of every stage compiles to valid SPIR-V") {
  for (const auto& [name, bytes] : sm4::samples()) {
    INFO(name);
    CHECK(!compiled_of(bytes).words.empty());
  }
}

TEST_CASE("every sample of Direct3D 10 and 11 costs less than a quarter of each limit") {
  for (const auto& [name, bytes] : sm4::samples()) {
    INFO(name);
    test::check_cheap(compiled_of(bytes).words.view());
  }
}

TEST_CASE("the descriptors of a shader are where the map puts them") {
  const auto vertex = compiled_of(test::vs_4_0_transformed());
  CHECK(descriptors(vertex.words) == std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 0}});
  const auto pixel = compiled_of(test::ps_4_0_textured());
  CHECK(descriptors(pixel.words) ==
        std::vector<std::pair<std::uint32_t, std::uint32_t>>{{1, 1}, {1, 162}, {1, 35}});
  const auto last = compiled_of(sm4::ps_last_registers());
  CHECK(descriptors(last.words) ==
        std::vector<std::pair<std::uint32_t, std::uint32_t>>{{1, 13}, {1, 175}, {1, 159}});
}

TEST_CASE("bindings tell what each register is") {
  const auto made = compiled_of(test::ps_4_0_textured());
  REQUIRE(made.bindings.size() == 3);
  CHECK(made.bindings[0].kind == dxbc::binding_kind::constant_buffer);
  CHECK(made.bindings[0].register_index == 1);
  CHECK(made.bindings[0].size_bytes == 16);
  CHECK(made.bindings[1].kind == dxbc::binding_kind::sampler);
  CHECK(made.bindings[1].slot == 162);
  CHECK_FALSE(made.bindings[1].is_comparison);
  CHECK(made.bindings[2].kind == dxbc::binding_kind::texture);
  CHECK(made.bindings[2].dimension == dxbc::image_dimension::image_2d);
  CHECK(made.bindings[2].set == 1);
}

TEST_CASE("a comparison sampler is told from others") {
  CHECK(compiled_of(sm4::ps_shadow()).bindings[0].is_comparison);
}

TEST_CASE("raw and structured buffers are texel buffers with their layout") {
  const auto raw = compiled_of(sm4::cs_raw());
  REQUIRE(raw.bindings.size() == 2);
  CHECK(raw.bindings[0].kind == dxbc::binding_kind::buffer_resource);
  CHECK(raw.bindings[0].layout == dxbc::buffer_layout::raw);
  CHECK(raw.bindings[1].kind == dxbc::binding_kind::uav_buffer);
  CHECK(raw.bindings[1].slot == 176);
  CHECK(count(raw.words, spv::Op::OpImageWrite) == 1);
  const auto structured = compiled_of(sm4::cs_structured());
  CHECK(structured.bindings[1].layout == dxbc::buffer_layout::structured);
  CHECK(structured.bindings[1].stride_bytes == 16);
}

TEST_CASE("a compute shader tells its group size") {
  const auto made = compiled_of(sm4::cs_raw());
  CHECK(made.stage == shader_stage::compute);
  CHECK(made.group_size == std::array<std::uint32_t, 3>{4, 1, 1});
}

TEST_CASE("a compute shader tells the bytes of all its group-shared memory") {
  CHECK(compiled_of(sm4::cs_shared()).group_shared_bytes == 64 + 128);
}

TEST_CASE("vertex inputs have the class of their signature") {
  const auto made = compiled_of(sm4::vs_blend_indices());
  CHECK(made.inputs[0].components == dxbc::component_class::floating);
  CHECK(made.inputs[1].components == dxbc::component_class::unsigned_integer);
  CHECK(made.inputs[1].mask == 0xF);
  CHECK(made.inputs[2].mask == 0);
}

TEST_CASE("values that the hardware makes are no inputs, and need draw parameters") {
  const auto made = compiled_of(sm4::vs_vertex_id());
  CHECK(made.inputs[1].mask == 0);
  CHECK(made.uses_draw_parameters);
  CHECK_FALSE(compiled_of(sm4::vs_passing()).uses_draw_parameters);
}

TEST_CASE("the position is no varying, the rest has the masks of the signature") {
  const auto made = compiled_of(sm4::vs_passing());
  CHECK(made.outputs[0].mask == 0);
  CHECK(made.outputs[1].mask == 0x3);
  CHECK(made.outputs[2].mask == 0xF);
}

TEST_CASE("a shader without registers gets no descriptors") {
  CHECK(descriptors(compiled_of(sm4::vs_passing()).words).empty());
}

TEST_CASE("a geometry shader tells its primitives") {
  const auto made = compiled_of(sm4::gs_point_to_quad());
  CHECK(made.geometry.input_primitive == 1);
  CHECK(made.geometry.output_topology == 5);
  CHECK(made.geometry.max_vertices == 4);
  CHECK(count(made.words, spv::Op::OpEmitVertex) == 4);
}

TEST_CASE("a hull shader tells its patches, and its domain shader takes over the spacing") {
  const auto hull = compiled_of(sm4::hs_triangle());
  CHECK(hull.tessellation.input_control_points == 3);
  CHECK(hull.tessellation.output_control_points == 3);
  CHECK(hull.tessellation.domain == 2);
  dxbc::compile_options options;
  options.hull = hull.tessellation;
  options.hull.partitioning = 3;
  const auto domain = compiled_of(sm4::ds_triangle(), options);
  CHECK(domain.tessellation.domain == 2);
  CHECK(has_mode(domain.words, spv::ExecutionMode::SpacingFractionalOdd));
}

TEST_CASE("a depth output is told") {
  CHECK(compiled_of(sm4::ps_depth()).writes_depth);
  CHECK_FALSE(compiled_of(sm4::ps_color()).writes_depth);
}

TEST_CASE("names are in the module on demand only") {
  dxbc::compile_options options;
  const auto bare = compiled_of(sm4::ps_constant(), options);
  options.wants_names = true;
  const auto named = compiled_of(sm4::ps_constant(), options);
  CHECK(count(named.words, spv::Op::OpName) > count(bare.words, spv::Op::OpName));
}

TEST_CASE("the position that a shader writes is invariant, and no other variable") {
  int written = 0;
  for (const auto& sample : test::sm4::samples()) {
    INFO(sample.name);
    const auto made = compiled_of(sample.bytes);
    const bool writes = made.stage == shader_stage::vertex || made.stage == shader_stage::domain ||
                        made.stage == shader_stage::geometry;
    std::vector<std::uint32_t> positions, outputs, invariant;
    for_each_spirv(made.words, [&](spv::Op op, std::span<const std::uint32_t> operands) {
      if (op == spv::Op::OpVariable &&
          static_cast<spv::StorageClass>(operands[2]) == spv::StorageClass::Output) {
        outputs.push_back(operands[1]);
      }
      if (op != spv::Op::OpDecorate) return;
      const auto decoration = static_cast<spv::Decoration>(operands[1]);
      if (decoration == spv::Decoration::Invariant) invariant.push_back(operands[0]);
      if (decoration == spv::Decoration::BuiltIn &&
          static_cast<spv::BuiltIn>(operands[2]) == spv::BuiltIn::Position) {
        positions.push_back(operands[0]);
      }
    });
    std::erase_if(positions,
                  [&](std::uint32_t id) { return std::ranges::count(outputs, id) == 0; });
    CHECK(invariant == (writes ? positions : std::vector<std::uint32_t>{}));
    written += writes && !positions.empty() ? 1 : 0;
  }
  CHECK(written >= 7);  // All but the one that writes control points.
}

TEST_CASE("a vertex shader that draws points writes their size, and others do not") {
  // OpDecorate <variable> BuiltIn PointSize
  const auto writes_size = [](const dxbc::compiled& shader) {
    const auto& words = shader.words;
    for (std::size_t at = 5; at < words.size(); at += words[at] >> 16) {
      if ((words[at] & 0xFFFFu) == 71 && words[at + 2] == 11 && words[at + 3] == 1) return true;
    }
    return false;
  };
  const bool draws_points = GENERATE(false, true);
  dxbc::compile_options options;
  options.draws_points = draws_points;
  CHECK(writes_size(compiled_of(sm4::vs_passing(), options)) == draws_points);
}

TEST_CASE("a geometry shader that makes points writes their size in front of each of them") {
  using namespace sm4;
  program code{program_type::geometry, 4};
  code.op(dcl_input_siv, {to(input, {1, 0}), word(name_position)})
      .op(dcl_input_primitive, {}, 1)   // A point,
      .op(dcl_output_topology, {}, 1);  // and points.
  code.op(dcl_output_siv, {to(output, {0}), word(name_position)})
      .op(dcl_max_output_vertices, {word(2)})
      .op(mov, {to(output, {0}), from(input, {0, 0})})
      .op(emit)
      .op(mov, {to(output, {0}), from(input, {0, 0})})
      .op(emit)
      .op(ret);
  const auto made = compiled_of(container({{position_read}, {position_out}}, code));
  const auto& words = made.words;
  std::uint32_t size = 0;
  for (std::size_t at = 5; at < words.size(); at += words[at] >> 16) {
    if ((words[at] & 0xFFFFu) == 71 && words[at + 2] == 11 && words[at + 3] == 1) {
      size = words[at + 1];  // OpDecorate <variable> BuiltIn PointSize
    }
  }
  REQUIRE(size != 0);
  std::size_t emitted = 0, before = 0;
  for (std::size_t at = 5; at < words.size(); at += words[at] >> 16) {
    if ((words[at] & 0xFFFFu) == 218) {  // OpEmitVertex
      ++emitted;
      INFO("vertex " << emitted);
      CHECK((words[before] & 0xFFFFu) == 62);  // OpStore
      CHECK(words[before + 1] == size);
    }
    before = at;
  }
  CHECK(emitted == 2);
}
