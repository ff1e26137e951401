// SPDX-License-Identifier: MIT
// A ring that lies, changes while it is read, or is simply long. A tick does a bounded piece of
// work and says when it wants to go on.
#include "aerogpu/device/device.hpp"
#include "aerogpu/trace/recorder.hpp"
#include "tests/catch.hpp"
#include "tests/hostile/session.hpp"
#include "tests/support/alloc_table_bytes.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace aerogpu::hostile {

namespace ring_group {

/// Processor time of one register write or tick, beyond which a virtual processor feels it. Far
/// more than what the limits allow, so that a slow machine passes.
constexpr std::uint64_t longest_call_ns = 1'000'000'000;

/// The embedder's loop until all is done. Each call ends soon, and there are not too many.
void drain(guest& g, std::uint64_t last_fence, std::uint64_t most_calls) {
  std::uint64_t calls = 0, longest_ns = 0;
  while (g.completed() < last_fence && calls++ < most_calls) {
    REQUIRE(g.on().next_deadline_ns() != no_deadline);
    g.memory().time_ns = std::max(g.memory().time_ns, g.on().next_deadline_ns());
    const std::uint64_t before = thread_time_ns();
    g.on().tick();
    longest_ns = std::max(longest_ns, thread_time_ns() - before);
  }
  CHECK(g.completed() == last_fence);
  CHECK(longest_ns < longest_call_ns);
}

/// A ring of 2^20 entries that all name the same stream.
void fill_ring(guest& g, const stream_builder& stream, std::uint32_t entries) {
  const aerogpu_submit_desc first = g.describe(stream);
  g.start_ring(g.take(64 + std::uint64_t{entries} * 64), entries);
  for (std::uint32_t i = 0; i < entries; ++i) {
    aerogpu_submit_desc desc = first;
    desc.signal_fence = g.next_fence();
    g.push(desc);
  }
}

void long_ring() {
  session s{on_null()};
  constexpr std::uint32_t entries = 1u << 20;
  stream_builder stream;
  for (int i = 0; i < 16; ++i) stream.nop();
  const std::uint64_t done_before = s.pc().statistics().submissions;
  fill_ring(s.g(), stream, entries);
  const std::uint64_t before = thread_time_ns();
  s.g().ring_doorbell();
  CHECK(thread_time_ns() - before < longest_call_ns);
  const std::uint64_t taken = s.pc().statistics().submissions - done_before;
  CHECK(taken < entries / 16);
  CHECK(s.pc().next_deadline_ns() <= s.g().memory().time_ns);
  drain(s.g(), s.g().last_fence(), entries);
  s.must_serve_after_reset();
}

/// Few entries, each with as many packets as a stream may have.
void long_streams() {
  session s{on_null()};
  stream_builder stream;
  byte_vector packets(8u << 20);
  for (std::size_t at = 0; at < packets.size(); at += sizeof(aerogpu_cmd_hdr)) {
    store(packets.data() + at, aerogpu_cmd_hdr{AEROGPU_CMD_NOP, sizeof(aerogpu_cmd_hdr)});
  }
  stream.append(packets);
  fill_ring(s.g(), stream, 64);
  const std::uint64_t before = thread_time_ns();
  s.g().ring_doorbell();
  CHECK(thread_time_ns() - before < longest_call_ns);
  drain(s.g(), s.g().last_fence(), 1u << 16);
  s.must_serve_after_reset();
}

/// Bytes that are fetched and then refused cost as much as good ones.
void refused_streams() {
  session s{on_null()};
  byte_vector junk(16u << 20, std::byte{0xFF});
  const aerogpu_cmd_stream_header header{AEROGPU_CMD_STREAM_MAGIC,
                                         AEROGPU_ABI_VERSION_U32,
                                         static_cast<std::uint32_t>(junk.size()),
                                         0,
                                         0,
                                         0};
  store(junk.data(), header);
  const std::uint64_t at = s.g().take(junk.size());
  copy_bytes(s.g().memory().ram(at, junk.size()), junk);
  aerogpu_submit_desc desc{};
  desc.desc_size_bytes = sizeof desc;
  desc.cmd_gpa = at;
  desc.cmd_size_bytes = static_cast<std::uint32_t>(junk.size());
  for (std::uint32_t i = 0; i < ring_entries; ++i) {
    desc.signal_fence = s.g().next_fence();
    s.g().push(desc);
  }
  const std::uint64_t before = thread_time_ns();
  s.g().ring_doorbell();
  CHECK(thread_time_ns() - before < longest_call_ns);
  drain(s.g(), s.g().last_fence(), 1u << 12);
  s.must_serve();
}

/// Takes a recording and keeps nothing.
struct lost_bytes {
  auto append(const_bytes) noexcept -> bool { return true; }
};

/// Empty submissions while somebody records, each with a table of large ranges that lie on one
/// another: what is read for them is work as well.
void recorded_ranges() {
  constexpr std::uint64_t range_bytes = 8u << 20, most = 16u << 20;
  auto options = on_null();
  options.device.bounds.transfer_bytes_per_tick = most;
  session s{options};
  guest& g = s.g();
  const std::uint64_t range = g.take(range_bytes);
  std::vector<aerogpu_alloc_entry> entries;
  for (std::uint32_t id = 1; id <= 64; ++id) {
    entries.push_back({id, AEROGPU_ALLOC_FLAG_NONE, range, range_bytes, 0});
  }
  const byte_vector table = test::make_table(entries);
  const std::uint64_t table_at = g.take(table.size());
  copy_bytes(g.memory().ram(table_at, table.size()), table);
  lost_bytes sink;
  auto writer = trace_writer<lost_bytes>::create(sink);
  REQUIRE(writer);
  trace_recorder<lost_bytes> recorder{*std::move(writer), 42, {.submission_bytes = most}};
  g.on().set_tap(recorder.tap());
  aerogpu_submit_desc desc{};
  desc.desc_size_bytes = sizeof desc;
  desc.alloc_table_gpa = table_at;
  desc.alloc_table_size_bytes = static_cast<std::uint32_t>(table.size());
  for (int i = 0; i < 16; ++i) {
    desc.signal_fence = g.next_fence();
    g.push(desc);
  }
  std::uint64_t read_bytes = 0;
  g.memory().after_read = [&](gpa, std::size_t size) { read_bytes += size; };
  const std::uint64_t before = thread_time_ns();
  g.ring_doorbell();
  CHECK(thread_time_ns() - before < longest_call_ns);
  CHECK(read_bytes < 2 * most);
  g.memory().after_read = nullptr;
  drain(g, g.last_fence(), 64);
  g.on().set_tap({});
  CHECK(recorder.statistics().submissions == 16);
  s.must_serve();
}

/// A doorbell for each write, a hundred thousand times, with nothing to do.
void doorbell_storm() {
  session s{on_null()};
  for (int i = 0; i < 100'000; ++i) s.g().ring_doorbell();
  s.must_serve();
}

/// Every byte that the host reads is another one as soon as it was read.
void changing_memory() {
  session s{on_null()};
  guest& g = s.g();
  std::uint32_t seed = 77;
  const auto random = [&] { return seed = seed * 1664525 + 1013904223; };
  for (int i = 0; i < 2'000; ++i) {
    const std::uint32_t handle = 0x7801 + random() % 8;
    stream_builder stream;
    stream.create_buffer(handle, 256).upload(handle, 0, byte_vector(64)).destroy(handle);
    g.push(g.describe(stream));
    g.memory().after_read = [&](gpa at, std::size_t size) {
      if (raw(at) < ring_at) return;
      mutable_bytes bytes = g.memory().ram(raw(at), size);
      for (std::size_t n = 0; n < 3 && !bytes.empty(); ++n) {
        bytes[random() % bytes.size()] ^= static_cast<std::byte>(1u << random() % 8);
      }
    };
    g.ring_doorbell();
    g.memory().after_read = nullptr;
    g.reset_ring();
    g.forget_memory();
  }
  s.must_serve();
}

/// Headers of every wrong kind.
void lying_headers() {
  session s{on_null()};
  guest& g = s.g();
  constexpr std::array<std::uint32_t, 8> values{0,          1,          0x7FFFFFFF, 0x80000000,
                                                0xFFFFFFFF, 0xFFFFFFF0, 63,         0x10000};
  for (std::uint32_t at = 0; at < 32; at += 4) {
    for (const std::uint32_t value : values) {
      g.memory().poke(ring_at + at, value);
      g.ring_doorbell();
      g.reset_ring();
    }
  }
  for (const std::uint64_t address :
       {std::uint64_t{UINT64_MAX}, std::uint64_t{UINT64_MAX - 63}, std::uint64_t{1} << 63,
        g.memory().size() - 64, std::uint64_t{0xD000'0000}, std::uint64_t{0xD00F'FFC0},
        std::uint64_t{0xE000'0000}}) {
    g.reg64(AEROGPU_MMIO_REG_RING_GPA_LO, address);
    g.ring_doorbell();
    g.reg64(AEROGPU_MMIO_REG_FENCE_GPA_LO, address);
    g.ring_doorbell();
    g.reset_ring();
  }
  s.must_serve();
}

/// Descriptors with random words: addresses, sizes and fences of any kind.
void lying_descriptors() {
  session s{on_null()};
  guest& g = s.g();
  std::uint64_t seed = 5;
  const auto random = [&] { return seed = seed * 6364136223846793005u + 1442695040888963407u; };
  const std::array<std::uint64_t, 7> addresses{
      0, UINT64_MAX, UINT64_MAX - 64, ring_at, heap_at, g.memory().size() - 8, 0xD0000000};
  for (int i = 0; i < 20'000; ++i) {
    aerogpu_submit_desc desc{};
    desc.desc_size_bytes = (random() >> 32) % 4 == 0 ? static_cast<std::uint32_t>(random()) : 64;
    desc.context_id = static_cast<std::uint32_t>(random() >> 60);
    desc.cmd_gpa = addresses[(random() >> 32) % addresses.size()];
    desc.cmd_size_bytes = static_cast<std::uint32_t>(random() >> (32 + random() % 32));
    desc.alloc_table_gpa = addresses[(random() >> 32) % addresses.size()];
    desc.alloc_table_size_bytes = static_cast<std::uint32_t>(random() >> (32 + random() % 32));
    desc.signal_fence = random() >> (random() % 64);
    g.push(desc);
    g.ring_doorbell();
    if (i % 64 == 63) g.reset_ring();
  }
  s.must_serve_after_reset();
}

/// Fences that go back, repeat, and stand at the end of all numbers.
void fence_abuse() {
  session s{on_null()};
  guest& g = s.g();
  for (const std::uint64_t fence :
       {std::uint64_t{5}, std::uint64_t{5}, std::uint64_t{3}, std::uint64_t{0},
        std::uint64_t{1} << 32, std::uint64_t{1} << 63, std::uint64_t{7}, UINT64_MAX, UINT64_MAX,
        std::uint64_t{1}}) {
    aerogpu_submit_desc desc = g.describe(stream_builder{}.nop());
    desc.signal_fence = fence;
    g.push(desc);
    g.ring_doorbell();
    g.on().wait_idle();
  }
  CHECK(g.completed() == UINT64_MAX);
  s.must_serve_after_reset();
}

/// The ring, its descriptors and its fence page lie on top of each other, and in the write-backs.
void overlapping_memory() {
  session s{on_null()};
  guest& g = s.g();
  for (const std::uint64_t offset : {0u, 16u, 24u, 28u, 56u, 64u, 112u}) {
    g.reg64(AEROGPU_MMIO_REG_FENCE_GPA_LO, ring_at + offset);
    for (int i = 0; i < 16; ++i) {
      g.push(g.describe(stream_builder{}.nop()));
      g.ring_doorbell();
    }
    g.reset_ring();
    g.forget_memory();
  }
  // A write-back over the ring that is being consumed.
  constexpr std::uint32_t source = 0x7801, destination = 0x7802;
  const aerogpu_alloc_entry over_ring{1, AEROGPU_ALLOC_FLAG_NONE, ring_at, 4096, 0};
  const byte_vector table = test::make_table({over_ring});
  const std::uint64_t table_at = g.take(table.size());
  copy_bytes(g.memory().ram(table_at, table.size()), table);
  aerogpu_submit_desc desc = g.describe(
      stream_builder{}
          .create_buffer(source, 4096)
          .upload(source, 0, test::filled(4096, 0xFF))
          .create_buffer(destination, 4096, {1, 0})
          .copy_buffer(destination, 0, source, 0, 4096, AEROGPU_COPY_FLAG_WRITEBACK_DST));
  desc.alloc_table_gpa = table_at;
  desc.alloc_table_size_bytes = static_cast<std::uint32_t>(table.size());
  g.push(desc);
  g.push(g.describe(stream_builder{}.nop()));
  g.ring_doorbell();
  g.on().wait_idle();
  s.must_serve_after_reset();
}

/// Presents that wait for vblanks, more than there is room for.
void paced_presents() {
  session s{on_null()};
  guest& g = s.g();
  g.start_ring(g.take(64 + 64 * 65536), 65536);
  const aerogpu_submit_desc first =
      g.describe(stream_builder{}.present(0, AEROGPU_PRESENT_FLAG_VSYNC));
  for (std::uint32_t i = 0; i < 65'536; ++i) {
    aerogpu_submit_desc desc = first;
    desc.signal_fence = g.next_fence();
    g.push(desc);
  }
  g.ring_doorbell();
  for (int i = 0; i < 100; ++i) {
    g.memory().time_ns += 16'666'667;
    g.on().tick();
  }
  g.reg(AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 0);
  s.must_serve_after_reset();
}

constexpr cost_limit small{.resident_mib = 96, .processor_seconds = 10};
/// The guest's own memory is in this process, too.
constexpr cost_limit with_ring{.resident_mib = 192, .processor_seconds = 12};
constexpr std::array attacks{
    attack{"long-ring", "a tick takes a bounded number of descriptors", with_ring, long_ring},
    attack{"long-streams", "a tick takes a bounded number of packets", with_ring, long_streams},
    attack{"refused-streams", "a tick fetches a bounded number of bytes", with_ring,
           refused_streams},
    attack{"recorded-ranges", "a recorder reads a bounded number of bytes", with_ring,
           recorded_ranges},
    attack{"doorbell-storm", "a doorbell without work costs next to nothing", small,
           doorbell_storm},
    attack{"changing-memory", "guest memory is fetched once", small, changing_memory},
    attack{"lying-headers", "the ring's header is checked", small, lying_headers},
    attack{"lying-descriptors", "descriptors are checked", small, lying_descriptors},
    attack{"fence-abuse", "fences go forward only", small, fence_abuse},
    attack{"overlapping-memory", "what the host writes may lie anywhere", small,
           overlapping_memory},
    attack{"paced-presents", "pending fences are bounded", with_ring, paced_presents},
};

}  // namespace ring_group

auto ring_attacks() -> std::span<const attack> {
  return ring_group::attacks;
}

}  // namespace aerogpu::hostile
