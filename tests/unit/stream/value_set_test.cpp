// SPDX-License-Identifier: MIT
#include "aerogpu/stream/value_set.hpp"

#include "tests/catch.hpp"
#include "tests/data/abi_facts.hpp"

#include <algorithm>
#include <iterator>
#include <string>

using namespace aerogpu;
using test::enum_facts;

namespace {

auto find_set(std::string_view type_name) -> const value_set_row* {
  for (const value_set_row& set : value_sets) {
    if (!type_name.empty() && set.type_name == type_name) return &set;
  }
  return nullptr;
}

/// Enumerations that no field of a packet holds have no set.
auto is_in_packets(std::string_view type) -> bool {
  constexpr std::string_view elsewhere[] = {"aerogpu_alloc_flags",
                                            "aerogpu_cmd_opcode",
                                            "aerogpu_cmd_stream_flags",
                                            "aerogpu_dbgctl_ring_format",
                                            "aerogpu_dbgctl_selftest_error",
                                            "aerogpu_engine_id",
                                            "aerogpu_error_code",
                                            "aerogpu_submit_flags",
                                            "aerogpu_wddm_alloc_kind",
                                            "aerogpu_wddm_alloc_private_flags"};
  return std::find(std::begin(elsewhere), std::end(elsewhere), type) == std::end(elsewhere);
}

/// A format that is none, and flags of no bit, have a name in the ABI but are no members.
auto is_member(const test::enum_fact& fact) -> bool {
  const value_set_row* set = find_set(fact.type);
  const bool is_no_format = fact.type == "aerogpu_format" && fact.value == 0;
  return set != nullptr && !is_no_format && !(set->is_flags && fact.value == 0);
}

}  // namespace

TEST_CASE("every enumerator of the ABI is in its set under its name", "[stream][value_set]") {
  for (const auto& fact : enum_facts) {
    INFO(fact.name);
    const value_set_row* set = find_set(fact.type);
    REQUIRE((set != nullptr) == is_in_packets(fact.type));
    if (!is_member(fact)) continue;
    const named_value* found = set->find(fact.value);
    REQUIRE(found != nullptr);
    CHECK(std::string(set->prefix) + std::string(found->name) == fact.name);
    CHECK(set->contains(fact.value));
    if (fact.type == "aerogpu_format") CHECK(found->since_minor == fact.since_minor);
  }
}

TEST_CASE("no set holds a value that the ABI does not have", "[stream][value_set]") {
  for (const value_set_row& set : value_sets) {
    if (set.type_name.empty()) continue;
    std::size_t expected = 0;
    for (const auto& fact : enum_facts) expected += fact.type == set.type_name && is_member(fact);
    INFO(set.type_name);
    CHECK(set.values.size() == expected);
  }
}

TEST_CASE("membership is exact below, between and above the enumerators", "[stream][value_set]") {
  const value_set_row& formats = row_of(value_set::format);
  for (const std::uint32_t value : {0u, 11u, 31u, 34u, 63u, 72u, 127u, 128u, 129u, 0xFFFFFFFFu}) {
    CHECK_FALSE(formats.contains(value));
  }
  const value_set_row& topologies = row_of(value_set::primitive_topology);
  for (const std::uint32_t value : {0u, 7u, 9u, 14u, 32u, 65u}) {
    CHECK_FALSE(topologies.contains(value));
  }
  CHECK(topologies.contains(33));
  CHECK(topologies.contains(64));
}

TEST_CASE("a flag word is a member when all its bits are known", "[stream][value_set]") {
  const value_set_row& usage = row_of(value_set::resource_usage);
  CHECK(usage.contains(0));
  CHECK(usage.contains(0xFF));
  CHECK_FALSE(usage.contains(0x100));
  CHECK_FALSE(usage.contains(0x80000001));
}
