// SPDX-License-Identifier: MIT
#include "vulkan/modules/module_work.hpp"

#include "spirv_bounds/module_index.hpp"
#include "tests/catch.hpp"

#include <cstdint>
#include <initializer_list>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::vulkan;

namespace {

/// A module of these instructions; of its words only they are read.
auto module_of(std::initializer_list<std::vector<std::uint32_t>> instructions)
    -> std::vector<std::uint32_t> {
  std::vector<std::uint32_t> words(spirv::header_words);
  for (const auto& each : instructions) words.insert(words.end(), each.begin(), each.end());
  return words;
}

auto word(spv::Op op, std::uint32_t size) -> std::uint32_t {
  return size << 16 | static_cast<std::uint32_t>(op);
}

auto built_in(spv::BuiltIn which) -> std::vector<std::uint32_t> {
  return {word(spv::Op::OpDecorate, 4), 1, static_cast<std::uint32_t>(spv::Decoration::BuiltIn),
          static_cast<std::uint32_t>(which)};
}

}  // namespace

TEST_CASE("instructions of functions count, and nothing in front of them", "[vulkan][work]") {
  const auto module = module_of({{word(spv::Op::OpTypeVoid, 2), 1},
                                 {word(spv::Op::OpFunction, 5), 1, 2, 0, 3},
                                 {word(spv::Op::OpLabel, 2), 4},
                                 {word(spv::Op::OpReturn, 1)},
                                 {word(spv::Op::OpFunctionEnd, 1)}});
  CHECK(measure_work(module).instructions == 3);
}

TEST_CASE("a module tells what it counts", "[vulkan][work]") {
  struct row {
    spv::BuiltIn which;
    bool vertices, instances, primitives;
  };
  const auto [which, vertices, instances, primitives] =
      GENERATE(row{spv::BuiltIn::VertexIndex, true, false, false},
               row{spv::BuiltIn::BaseVertex, true, false, false},
               row{spv::BuiltIn::InstanceIndex, false, true, false},
               row{spv::BuiltIn::BaseInstance, false, true, false},
               row{spv::BuiltIn::PrimitiveId, false, false, true},
               row{spv::BuiltIn::Position, false, false, false});
  const module_work work = measure_work(module_of({built_in(which)}));
  CHECK(work.counts_vertices == vertices);
  CHECK(work.counts_instances == instances);
  CHECK(work.counts_primitives == primitives);
}

TEST_CASE("a member of a block may be what is counted", "[vulkan][work]") {
  const auto module = module_of({{word(spv::Op::OpMemberDecorate, 5), 1, 0,
                                  static_cast<std::uint32_t>(spv::Decoration::BuiltIn),
                                  static_cast<std::uint32_t>(spv::BuiltIn::PrimitiveId)}});
  CHECK(measure_work(module).counts_primitives);
}

TEST_CASE("other decorations count nothing", "[vulkan][work]") {
  const auto module = module_of(
      {{word(spv::Op::OpDecorate, 4), 1, static_cast<std::uint32_t>(spv::Decoration::Location),
        static_cast<std::uint32_t>(spv::BuiltIn::VertexIndex)}});
  CHECK_FALSE(measure_work(module).counts_vertices);
}
