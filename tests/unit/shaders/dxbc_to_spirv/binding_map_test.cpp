// SPDX-License-Identifier: MIT
#include "dxbc_to_spirv/binding_map.hpp"

#include "tests/catch.hpp"

using namespace aerogpu;
using namespace aerogpu::dxbc;

TEST_CASE("each register file has its range of bindings") {
  const auto [file, first, last, last_binding] =
      GENERATE(table<register_file, std::uint32_t, std::uint32_t, std::uint32_t>(
          {{register_file::constant_buffer, 0, 13, 13},
           {register_file::resource, 32, 127, 159},
           {register_file::sampler, 160, 15, 175},
           {register_file::uav, 176, 7, 183},
           {register_file::uav_counter, 192, 7, 199}}));
  CHECK(binding_of(file, 0) == first);
  CHECK(binding_of(file, last) == last_binding);
  CHECK(range_of(file).count == last + 1);
}

TEST_CASE("each stage has its descriptor set, and compute stands alone") {
  const auto [stage, set] =
      GENERATE(table<shader_stage, std::uint32_t>({{shader_stage::vertex, 0},
                                                   {shader_stage::pixel, 1},
                                                   {shader_stage::geometry, 2},
                                                   {shader_stage::hull, 3},
                                                   {shader_stage::domain, 4},
                                                   {shader_stage::compute, 0}}));
  CHECK(descriptor_set_of(stage) == set);
}
