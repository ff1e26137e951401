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
