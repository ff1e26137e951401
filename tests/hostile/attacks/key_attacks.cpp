// SPDX-License-Identifier: MIT
// Keys chosen so that they meet in one place of a table. Tables over a guest's keys are keyed or
// ordered: nobody outside can choose where a key goes.
#include "tests/catch.hpp"
#include "tests/hostile/session.hpp"
#include "tests/support/alloc_table_bytes.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace aerogpu::hostile {

namespace key_group {

/// Fibonacci hashing multiplies by this; its inverse modulo 2^64 makes keys for any hash.
constexpr std::uint64_t factor = 0x9E3779B97F4A7C15ull;

constexpr auto inverse_of(std::uint64_t odd) -> std::uint64_t {
  std::uint64_t inverse = odd;
  for (int i = 0; i < 6; ++i) inverse *= 2 - odd * inverse;
  return inverse;
}
static_assert(factor * inverse_of(factor) == 1);

/// 64-bit keys whose hashes differ in the low 32 bits alone, which are not used.
auto meeting_keys(std::size_t count) -> std::vector<std::uint64_t> {
  std::vector<std::uint64_t> keys;
  for (std::uint64_t i = 1; keys.size() < count; ++i) {
    keys.push_back((0x12345678ull << 32 | i) * inverse_of(factor));
  }
  return keys;
}

/// 32-bit keys that meet as far as 32 bits can: those whose hash begins with the same bits.
auto meeting_ids(std::size_t count, std::uint32_t mask) -> std::vector<std::uint32_t> {
  std::vector<std::uint32_t> ids;
  for (std::uint64_t id = 1; id <= UINT32_MAX && ids.size() < count; ++id) {
    if (static_cast<std::uint32_t>(id * factor >> 32 & mask) < 64) {
      ids.push_back(static_cast<std::uint32_t>(id));
    }
  }
  return ids;
}

/// Ids of one stride, for tables that take the low bits of an id as it is.
auto strided_ids(std::size_t count, std::uint32_t stride) -> std::vector<std::uint32_t> {
  std::vector<std::uint32_t> ids;
  for (std::size_t i = 1; i <= count; ++i) ids.push_back(static_cast<std::uint32_t>(i) * stride);
  return ids;
}

auto table_of(const std::vector<std::uint32_t>& ids) -> byte_vector {
  std::vector<aerogpu_alloc_entry> entries;
  for (const std::uint32_t id : ids) {
    entries.push_back({id, AEROGPU_ALLOC_FLAG_NONE, heap_at, 4096, 0});
  }
  return test::make_table(entries);
}

/// Submits a table; whether it is taken is not the point, how long it takes is.
void submit_table(guest& g, const byte_vector& table) {
  aerogpu_submit_desc desc = g.describe(stream_builder{}.nop());
  desc.alloc_table_gpa = g.take(table.size());
  desc.alloc_table_size_bytes = static_cast<std::uint32_t>(table.size());
  copy_bytes(g.memory().ram(desc.alloc_table_gpa, table.size()), table);
  g.push(desc);
  g.ring_doorbell();
  g.finish();
  g.forget_memory();
}

constexpr std::size_t table_entries = ((16u << 20) - 24) / 32;

/// Ids that start their search at 64 of 65,536 slots, and ids with much in common.
void allocation_ids() {
  session s{on_null()};
  const byte_vector meeting = table_of(meeting_ids(30'000, 0xFFFF));
  for (int i = 0; i < 4; ++i) submit_table(s.g(), meeting);
  submit_table(s.g(), table_of(strided_ids(60'000, 1u << 16)));
  s.must_serve();
}

/// The largest table there may be.
void largest_table() {
  session s{on_null()};
  submit_table(s.g(), table_of(strided_ids(table_entries, 1)));
  submit_table(s.g(), table_of(strided_ids(table_entries, 4096)));
  s.must_serve();
}

/// Tokens, which have 64 bits: all of them meet.
void share_tokens() {
  session s{on_null()};
  constexpr std::uint32_t texture = 0x7901;
  s.g().must_run(stream_builder{}.create_texture(texture, {}));
  const auto tokens = meeting_keys(40'000);
  for (std::size_t first = 0; first < tokens.size(); first += 10'000) {
    stream_builder stream;
    for (std::size_t i = first; i < first + 10'000; ++i) stream.export_surface(texture, tokens[i]);
    static_cast<void>(s.g().run(stream));
  }
  s.must_serve();
}

/// The same, released again: retired ones stay in the table.
void retired_tokens() {
  session s{on_null()};
  constexpr std::uint32_t texture = 0x7901;
  s.g().must_run(stream_builder{}.create_texture(texture, {}));
  const auto tokens = meeting_keys(40'000);
  for (std::size_t first = 0; first < tokens.size(); first += 5'000) {
    stream_builder stream;
    for (std::size_t i = first; i < first + 5'000; ++i) {
      stream.export_surface(texture, tokens[i]).release_surface(tokens[i]);
    }
    static_cast<void>(s.g().run(stream));
  }
  s.must_serve();
}

void resource_handles() {
  session s{on_null()};
  for (const auto& ids : {meeting_ids(20'000, 0x7FFF), strided_ids(20'000, 1u << 17)}) {
    stream_builder made, dropped;
    for (const std::uint32_t id : ids) made.create_buffer(id, 4);
    for (const std::uint32_t id : ids) dropped.destroy(id);
    static_cast<void>(s.g().run(made));
    static_cast<void>(s.g().run(dropped));
  }
  s.must_serve();
}

void sampler_and_context_ids() {
  session s{on_null()};
  const auto ids = meeting_ids(20'000, 0x7FFF);
  stream_builder stream;
  for (const std::uint32_t id : ids) stream.create_sampler(id);
  for (const std::uint32_t id : ids) stream.destroy_sampler(id);
  static_cast<void>(s.g().run(stream));
  for (std::size_t i = 0; i < 2'000; ++i) {
    static_cast<void>(s.g().run(stream_builder{}.nop(), ids[i]));
  }
  s.must_serve();
}

/// Dirty ranges in an order that never lets two of them merge.
void dirty_ranges() {
  session s{on_null()};
  constexpr std::uint32_t buffer = 0x7902, ranges = 40'000;
  const guest_memory_block block = s.g().allocate(4u << 20);
  stream_builder stream;
  stream.create_buffer(buffer, 4u << 20, {block.id, 0});
  for (std::uint32_t i = 0; i < ranges; ++i) {
    stream.dirty(buffer, std::uint64_t{i * 7919u % ranges} * 64, 4);
  }
  s.g().must_run(stream);
  s.must_serve();
}

/// 2^20 wrong tokens do not find a surface, and a retired one does not come back.
void token_guessing() {
  session s{on_null()};
  constexpr std::uint32_t texture = 0x7903, alias = 0x7904;
  constexpr std::uint64_t token = 0x1234'5678'9ABC'DEF0;
  s.g().must_run(stream_builder{}.create_texture(texture, {}).export_surface(texture, token));
  for (std::uint64_t bit = 0; bit < 64; ++bit) {
    CHECK(s.g().run(stream_builder{}.import_surface(alias, token ^ std::uint64_t{1} << bit)) ==
          error_code::unknown_share_token);
  }
  std::uint64_t guess = 1;
  for (int i = 0; i < 20'000; ++i) {
    guess = guess * 6364136223846793005u + 1442695040888963407u;
    if (guess == token) continue;
    REQUIRE(s.g().run(stream_builder{}.import_surface(alias, guess), 7) ==
            error_code::unknown_share_token);
  }
  s.g().must_run(stream_builder{}.release_surface(token));
  CHECK(s.g().run(stream_builder{}.import_surface(alias, token)) ==
        error_code::unknown_share_token);
  CHECK(s.g().run(stream_builder{}.export_surface(texture, token)) ==
        error_code::share_token_retired);
  s.g().must_run(stream_builder{}.destroy(texture).create_texture(texture, {}));
  CHECK(s.g().run(stream_builder{}.export_surface(texture, token)) ==
        error_code::share_token_retired);
  s.must_serve();
}

constexpr cost_limit quick{.resident_mib = 128, .processor_seconds = 6};
constexpr std::array attacks{
    attack{"allocation-ids", "tables over a guest's keys are keyed", quick, allocation_ids},
    attack{"largest-table",
           "the largest table takes what its bytes take",
           {.resident_mib = 256, .processor_seconds = 8},
           largest_table},
    attack{"share-tokens", "tables over a guest's keys are keyed", quick, share_tokens},
    attack{"retired-tokens", "tables over a guest's keys are keyed", quick, retired_tokens},
    attack{"resource-handles", "tables over a guest's keys are keyed", quick, resource_handles},
    attack{"sampler-and-context-ids", "tables over a guest's keys are keyed", quick,
           sampler_and_context_ids},
    attack{"dirty-ranges", "dirty ranges of a buffer are bounded", quick, dirty_ranges},
    attack{"token-guessing", "a token is found by its whole value, and once", quick,
           token_guessing},
};

}  // namespace key_group

auto key_attacks() -> std::span<const attack> {
  return key_group::attacks;
}

}  // namespace aerogpu::hostile
