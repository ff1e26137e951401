// SPDX-License-Identifier: MIT
#include "aerogpu/stream/stage.hpp"

#include "aerogpu/stream/text/describe.hpp"
#include "tests/catch.hpp"
#include "tests/data/stage_truth_table.hpp"

using namespace aerogpu;

TEST_CASE("the strict resolver follows the truth table of wire.md 8", "[stream][stage]") {
  for (const auto& row : test::stage_truth_table) {
    INFO("minor " << row.abi_minor << " stage " << row.stage << " stage_ex " << row.stage_ex);
    const auto stage = resolve_stage_strict(row.stage, row.stage_ex, row.abi_minor);
    const auto expected = row.stage == 4 ? std::string_view{"reject"} : row.meaning;
    CHECK((stage ? stage_name(*stage) : "reject") == expected);
  }
}

TEST_CASE("the host's resolver alone takes raw 4 and 5, which mean hull and domain",
          "[stream][stage]") {
  for (const auto& row : test::stage_truth_table) {
    const auto stage = resolve_stage(row.stage, row.stage_ex, row.abi_minor);
    CHECK((stage ? stage_name(*stage) : "reject") == row.meaning);
  }
  const std::uint32_t minor = GENERATE(0u, 2u, 3u, 4u, 9u);
  CHECK(*resolve_stage(5, 0xFFFFFFFF, minor) == shader_stage::domain);
  CHECK(resolve_stage(6, 0, minor).why().code == error_code::invalid_parameter);
  CHECK(resolve_stage(0xFFFFFFFF, 0, minor).why().detail == 0xFFFFFFFF);
}

TEST_CASE("stage_ex above the known values is refused from minor 3 on", "[stream][stage]") {
  const std::uint32_t stage_ex = GENERATE(1u, 6u, 7u, 0x80000000u, 0xFFFFFFFFu);
  CHECK(*resolve_stage(AEROGPU_SHADER_STAGE_COMPUTE, stage_ex, 2) == shader_stage::compute);
  CHECK(resolve_stage(AEROGPU_SHADER_STAGE_COMPUTE, stage_ex, 3).why().detail == stage_ex);
  CHECK(resolve_stage(AEROGPU_SHADER_STAGE_COMPUTE, stage_ex, 0xFFFF).why().code ==
        error_code::invalid_parameter);
}

TEST_CASE("what encode_stage writes reads back as the same stage", "[stream][stage]") {
  for (std::uint32_t i = 0; i < shader_stage_count; ++i) {
    const auto stage = static_cast<shader_stage>(i);
    const encoded_stage words = encode_stage(stage);
    CHECK(*resolve_stage_strict(words.stage, words.stage_ex, 3) == stage);
    // Only hull and domain need the extension; compute is never written as 5 (rule 6).
    CHECK((words.stage_ex != 0) == (stage == shader_stage::hull || stage == shader_stage::domain));
  }
}
