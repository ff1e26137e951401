// SPDX-License-Identifier: MIT
#include "aerogpu/hosted/limit_table.hpp"

#include "tests/catch.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

using namespace aerogpu;

TEST_CASE("the table of limits has a row for each member, in order", "[limits]") {
  const limits defaults;
  const auto* const base = reinterpret_cast<const std::byte*>(&defaults);
  std::size_t end = 0;
  for (const limit_row& row : limit_table) {
    INFO(row.name);
    const std::size_t size = row.word != nullptr ? sizeof(std::uint32_t) : sizeof(std::uint64_t);
    const auto* const at = row.word != nullptr
                               ? reinterpret_cast<const std::byte*>(&(defaults.*row.word))
                               : reinterpret_cast<const std::byte*>(&(defaults.*row.wide));
    CHECK(static_cast<std::size_t>(at - base) == (end + size - 1) / size * size);
    end = static_cast<std::size_t>(at - base) + size;
  }
  CHECK((end + 7) / 8 * 8 == sizeof(limits));
}

TEST_CASE("the default limits are good", "[limits]") {
  STATIC_REQUIRE(check_limits({}));
}

TEST_CASE("each limit is taken at both ends of its range and refused beyond, by name", "[limits]") {
  for (const limit_row& row : limit_table) {
    INFO(row.name);
    for (const std::uint64_t good : {row.least, row.most}) {
      limits chosen;
      row.set_in(chosen, good);
      CHECK(row.value_in(chosen) == good);
      CHECK(check_limits(chosen));
    }
    const auto refuses = [&](std::uint64_t bad, std::uint64_t end) {
      limits chosen;
      row.set_in(chosen, bad);
      const auto checked = check_limits(chosen);
      CHECK(checked.why().code == error_code::invalid_parameter);
      CHECK(checked.why().detail == bad);
      CHECK(checked.why().limit == end);
      const std::string_view text{checked.why().what};
      CHECK(text.find("limits." + std::string{row.name} + " ") == 0);
    };
    if (row.least != 0) refuses(row.least - 1, row.least);
    const std::uint64_t widest = row.word != nullptr ? UINT32_MAX : UINT64_MAX;
    if (row.most != widest) {
      refuses(row.most + 1, row.most);
      refuses(widest, row.most);
    }
  }
}

TEST_CASE("limits of 0 that would stop the ring or every submission are refused", "[limits]") {
  const auto member = GENERATE(&limits::stream_bytes, &limits::packets_per_submission,
                               &limits::descriptors_per_tick, &limits::packets_per_tick,
                               &limits::contexts, &limits::pending_submissions,
                               &limits::pending_fences, &limits::vblank_catch_up_edges,
                               &limits::dirty_ranges_per_resource, &limits::tick_ms);
  limits chosen;
  chosen.*member = 0;
  CHECK_FALSE(check_limits(chosen));
}

TEST_CASE("limits of 0 that mean none of a kind are taken", "[limits]") {
  const auto member = GENERATE(&limits::texture_views, &limits::share_tokens, &limits::write_backs,
                               &limits::early_completions, &limits::captured_submissions,
                               &limits::alloc_table_bytes, &limits::samplers);
  limits chosen;
  chosen.*member = 0;
  CHECK(check_limits(chosen));
}
