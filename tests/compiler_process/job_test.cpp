// SPDX-License-Identifier: MIT
#include "dxbc_to_spirv/binding_map.hpp"
#include "dxbc_to_spirv/compiler/protocol.hpp"
#include "tests/compiler_process/support.hpp"

#include <algorithm>

using namespace aerogpu;
using dxbc::compile_job;

namespace {

auto facts_with(std::size_t bindings) -> dxbc::compiled {
  dxbc::compiled facts;
  facts.stage = shader_stage::domain;
  for (std::size_t i = 0; i < bindings; ++i) {
    REQUIRE(facts.bindings.push_back({.kind = static_cast<dxbc::binding_kind>(i % 5),
                                      .register_index = static_cast<std::uint8_t>(i),
                                      .set = 4,
                                      .slot = static_cast<std::uint32_t>(100 + i)}));
  }
  return facts;
}

auto written(const_bytes container, const dxbc::compiled& facts,
             const dxbc::compile_options& options = {}) -> heap_array<std::byte> {
  auto job = dxbc::write_job(container, facts, options);
  REQUIRE(job.why().code == error_code::none);
  return *std::move(job);
}

auto edited(heap_array<std::byte> job, std::size_t at, std::uint8_t value)
    -> heap_array<std::byte> {
  job[at] = static_cast<std::byte>(value);
  return job;
}

constexpr std::uint32_t id = 7;

auto reply_of(dxbc::reply_status status, std::uint32_t words, std::uint32_t messages)
    -> dxbc::reply_frame {
  return {dxbc::reply_magic, id, status, 0, words, messages};
}

}  // namespace

TEST_CASE("a job is read as it was written") {
  const std::array<std::byte, 8> container{std::byte{1}, std::byte{2}};
  dxbc::compile_options options;
  options.demotes = true;
  options.hull.partitioning = 3;
  options.hull.output_primitive = 4;
  const auto bytes = written(container, facts_with(5), options);
  const auto job = compile_job::parse(bytes.view());
  REQUIRE(job.why().code == error_code::none);
  CHECK(job->stage() == shader_stage::domain);
  CHECK(job->has(dxbc::job_demotes));
  CHECK_FALSE(job->has(dxbc::job_wants_names));
  CHECK(job->partitioning() == 3);
  CHECK(job->output_primitive() == 4);
  CHECK(std::ranges::equal(job->container(), container));
  REQUIRE(job->binding_count() == 5);
  for (std::uint32_t i = 0; i < 5; ++i) {
    CHECK(job->binding(i).kind == i);
    CHECK(job->binding(i).register_index == i);
    CHECK(job->binding(i).set == 4);
    CHECK(job->binding(i).slot == 100 + i);
  }
}

TEST_CASE("options that do not matter to a stage do not matter to its job") {
  auto facts = facts_with(0);
  facts.stage = shader_stage::pixel;
  dxbc::compile_options options;
  options.hull.partitioning = 3;
  CHECK(std::ranges::equal(written({}, facts, options), written({}, facts)));
}

TEST_CASE("a job of any other length is none") {
  const std::array<std::byte, 8> container{};
  const auto bytes = written(container, facts_with(3));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CAPTURE(size);
    CHECK(compile_job::parse(bytes.view().first(size)).why().code == error_code::invalid_parameter);
  }
  auto longer = written(container, facts_with(3));
  REQUIRE(longer.push_back(std::byte{0}));
  CHECK(compile_job::parse(longer.view()).why().code == error_code::invalid_parameter);
}

TEST_CASE("a job with an unknown enumerator is none") {
  const auto [at, last_legal] = GENERATE(table<std::size_t, std::uint8_t>(
      {{0, shader_stage_count - 1}, {1, 3}, {2, 4}, {3, 4}, {12, 4}}));
  CAPTURE(at);
  CHECK(compile_job::parse(edited(written({}, facts_with(1)), at, last_legal).view()).why().code ==
        error_code::none);
  CHECK(
      compile_job::parse(
          edited(written({}, facts_with(1)), at, static_cast<std::uint8_t>(last_legal + 1)).view())
          .why()
          .code == error_code::invalid_parameter);
}

TEST_CASE("a job has at most as many bindings as there are registers") {
  CHECK(dxbc::write_job({}, facts_with(dxbc::max_job_bindings - 1), {}));
  const auto bytes = written({}, facts_with(dxbc::max_job_bindings));
  CHECK(compile_job::parse(bytes.view()));
  const auto why = dxbc::write_job({}, facts_with(dxbc::max_job_bindings + 1), {}).why();
  CHECK(why.code == error_code::unsupported);
  CHECK(why.limit == dxbc::max_job_bindings);
  CHECK(compile_job::parse(edited(written({}, facts_with(1)), 7, 0xFF).view()).why().code ==
        error_code::invalid_parameter);
}

TEST_CASE("a container has a largest size") {
  std::vector<std::byte> container(dxbc::max_container_bytes);
  CHECK(compile_job::parse(written(container, facts_with(0)).view()));
  container.push_back(std::byte{0});
  CHECK(dxbc::write_job(container, facts_with(0), {}).why().limit == dxbc::max_container_bytes);
}

TEST_CASE("a reply is read when it answers the request and its sizes are within the limits") {
  using enum dxbc::reply_status;
  constexpr auto words = dxbc::max_module_words, characters = dxbc::max_message_bytes;
  CHECK(dxbc::is_reply(reply_of(compiled, 1, 0), id));
  CHECK(dxbc::is_reply(reply_of(compiled, words, characters), id));
  CHECK_FALSE(dxbc::is_reply(reply_of(compiled, words + 1, 0), id));
  CHECK_FALSE(dxbc::is_reply(reply_of(compiled, 1, characters + 1), id));
  CHECK_FALSE(dxbc::is_reply(reply_of(compiled, 0, 0), id));
  CHECK(dxbc::is_reply(reply_of(refused, 0, characters), id));
  CHECK_FALSE(dxbc::is_reply(reply_of(refused, 1, 0), id));
  CHECK(dxbc::is_reply(reply_of(out_of_memory, 0, 0), id));
  CHECK_FALSE(dxbc::is_reply(reply_of(static_cast<dxbc::reply_status>(3), 0, 0), id));
  CHECK_FALSE(dxbc::is_reply(reply_of(compiled, 1, 0), id + 1));
  auto strange = reply_of(compiled, 1, 0);
  strange.magic = dxbc::request_magic;
  CHECK_FALSE(dxbc::is_reply(strange, id));
}
