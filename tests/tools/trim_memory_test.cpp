// SPDX-License-Identifier: MIT
/// \file What `aerogpu trim` takes from recordings of others: no offset and no count of a file.
#include "tests/catch.hpp"
#include "tests/support/stream_builder.hpp"
#include "tools/aerogpu/trim/packet_flow.hpp"

#include <cstdint>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::test;
using namespace aerogpu::tool;

namespace {

constexpr alloc_id memory_id{1};

/// A submission of this stream, with these bytes of the one allocation.
auto work_of(const byte_vector& stream, const_bytes memory) -> recorded_work {
  recorded_work work;
  work.what.stream = stream;
  work.memory.push_back({memory_id, 0, gpa{0x1000}, memory});
  return work;
}

/// A stream that makes buffers of four bytes, each in an allocation of its own or all in one.
auto create_buffers(std::uint32_t count, bool share_memory) -> byte_vector {
  stream_builder create;
  for (std::uint32_t i = 0; i < count; ++i) {
    create.create_buffer(1 + i, 4, {share_memory ? raw(memory_id) : 1 + i, 0});
  }
  return create.bytes();
}

/// A submission of this stream, with four of these bytes for each allocation.
auto work_of_many(const byte_vector& stream, const_bytes memory) -> recorded_work {
  recorded_work work;
  work.what.stream = stream;
  for (std::uint32_t i = 0; i < memory.size() / 4; ++i) {
    work.memory.push_back({alloc_id{1 + i}, 0, gpa{0x1000 + 4 * i}, memory.subspan(4 * i, 4)});
  }
  return work;
}

}  // namespace

TEST_CASE("what a recording tells to read again may lie beyond the memory that it has", "[tools]") {
  const auto [offset, size] = GENERATE(table<std::uint32_t, std::uint64_t>(
      {{64, 4096}, {68, 4}, {200, 256}, {4096, 65'536}, {1u << 27, 4096}, {0xFFFFFFF0, 4096}}));
  const byte_vector before(64, std::byte{'A'}), after(64, std::byte{'B'});
  const byte_vector create = stream_builder{}.create_buffer(1, size, {1, offset}).bytes();
  const byte_vector dirty = stream_builder{}.dirty(1, 0, size).bytes();
  flow_tracer tracer;
  CHECK(tracer.trace(work_of(create, before)).size() == 1);
  CHECK(tracer.trace(work_of(dirty, after)).size() == 1);
  CHECK(tracer.unsteady().size() == 1);  // Nothing that was told explains the change.
}

TEST_CASE("what a recording tells to read again within its memory is no surprise", "[tools]") {
  const byte_vector before(64, std::byte{'A'}), after(64, std::byte{'B'});
  const byte_vector create = stream_builder{}.create_buffer(1, 64, {1, 0}).bytes();
  const byte_vector dirty = stream_builder{}.dirty(1, 0, 64).bytes();
  flow_tracer tracer;
  CHECK(tracer.trace(work_of(create, before)).size() == 1);
  CHECK(tracer.trace(work_of(dirty, after)).size() == 1);
  CHECK(tracer.unsteady().empty());
}

TEST_CASE("packets of which nothing comes are not traced", "[tools]") {
  flow_tracer tracer;
  CHECK(tracer.trace(work_of(stream_builder{}.nop().nop().bytes(), {})).empty());
}

// A walk over the product of the two takes minutes.
TEST_CASE("memory of very many objects is looked for among very many ranges", "[tools]") {
  constexpr std::uint32_t count = 100'000, changed = 700;
  const byte_vector create = create_buffers(count, false), idle = stream_builder{}.nop().bytes();
  const byte_vector before(4 * count, std::byte{'A'}), same = before;
  byte_vector after = before;
  for (std::uint32_t i = 0; i < changed; ++i) after[4 * (count - 1 - 3 * i)] = std::byte{'B'};
  flow_tracer tracer;
  CHECK(tracer.trace(work_of_many(create, before)).size() == count);
  for (int i = 0; i < 2; ++i) (void)tracer.trace(work_of_many(idle, same));
  CHECK(tracer.unsteady().empty());
  (void)tracer.trace(work_of_many(idle, after));
  CHECK(tracer.unsteady().size() == changed);
}

TEST_CASE("an allocation that very many objects share is compared once", "[tools]") {
  constexpr std::uint32_t count = 20'000;
  const byte_vector create = create_buffers(count, true), idle = stream_builder{}.nop().bytes();
  const byte_vector before(4u << 20, std::byte{'A'}), same = before;
  byte_vector after = before;
  after.back() = std::byte{'B'};
  flow_tracer tracer;
  CHECK(tracer.trace(work_of(create, before)).size() == count);
  (void)tracer.trace(work_of(idle, same));
  CHECK(tracer.unsteady().empty());
  (void)tracer.trace(work_of(idle, after));
  CHECK(tracer.unsteady().size() == count);
}

TEST_CASE("the first range of an allocation counts", "[tools]") {
  const byte_vector before(64, std::byte{'A'}), after(64, std::byte{'B'});
  const byte_vector create = stream_builder{}.create_buffer(1, 64, {1, 0}).bytes();
  const byte_vector idle = stream_builder{}.nop().bytes();
  recorded_work second = work_of(idle, before), third = work_of(idle, after);
  second.memory.push_back({memory_id, 0, gpa{0x2000}, after});
  third.memory.push_back({memory_id, 0, gpa{0x2000}, before});
  flow_tracer tracer;
  CHECK(tracer.trace(work_of(create, before)).size() == 1);
  (void)tracer.trace(second);
  CHECK(tracer.unsteady().empty());
  (void)tracer.trace(third);
  CHECK(tracer.unsteady().size() == 1);
}
