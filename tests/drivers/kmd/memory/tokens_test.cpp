// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/memory/tokens.hpp"

#include "aerogpu/share/release_stream.hpp"
#include "drivers/sim/kernel/objects/handle_table.hpp"
#include "tests/drivers/kmd/memory/memory_driver.hpp"

#include <atomic>
#include <set>
#include <thread>

using namespace aerogpu;
using test::blob;
using test::memory_driver;
using test::shared_flag;
using table = DRIVER_INITIALIZATION_DATA;

namespace {

/// A shared allocation that nobody opened.
struct shared_one {
  HANDLE allocation;
  std::uint64_t token;
  blob data;
};
[[nodiscard]] auto make_shared(memory_driver& m, std::uint32_t id) -> shared_one {
  blob data = test::texture_blob({.id = id, .flags = shared_flag});
  const HANDLE handle = m.create(data).hAllocation;
  return {handle, test::parse_blob(data).share_token, data};
}

/// Descriptors of the ring, oldest first, as far as the ring still has them.
[[nodiscard]] auto descriptors(memory_driver& m) -> std::vector<aerogpu_submit_desc> {
  std::vector<aerogpu_submit_desc> all(kmd::ring_entries);
  all.resize(m.adapter().engine.copy_descriptors(all));
  return all;
}

/// The tokens that streams in the ring release.
[[nodiscard]] auto releases(memory_driver& m) -> std::vector<std::uint64_t> {
  std::vector<std::uint64_t> tokens;
  for (const auto& one : descriptors(m)) {
    if (one.cmd_size_bytes != sizeof(release_stream)) continue;
    const auto stream = load<release_stream>(m.pc.ram.at(one.cmd_gpa));
    if (stream.release.hdr.opcode == AEROGPU_CMD_RELEASE_SHARED_SURFACE)
      tokens.push_back(stream.release.share_token);
  }
  return tokens;
}

/// Adds the tokens whose releases lie in the ring as the device is about to see it.
void collect_releases(memory_driver& m, std::uint64_t ring, std::set<std::uint64_t>& tokens) {
  const std::uint64_t slots = ring + sizeof(aerogpu_ring_header);
  for (std::uint32_t i = 0; i < kmd::ring_entries; ++i) {
    const auto desc = load<aerogpu_submit_desc>(m.pc.ram.at(slots + i * kmd::ring_stride_bytes));
    if (desc.cmd_size_bytes != sizeof(release_stream)) continue;
    tokens.insert(load<release_stream>(m.pc.ram.at(desc.cmd_gpa)).release.share_token);
  }
}

/// `count` tokens, of as few processes as may have them; none where there is no more room.
[[nodiscard]] auto make_tokens(kmd::tokens& tokens, std::size_t count)
    -> std::vector<kmd::owned_token> {
  std::vector<kmd::owned_token> made;
  for (std::size_t i = 0; i < count; ++i)
    made.push_back(tokens.make({reinterpret_cast<const void*>(i / kmd::max_process_tokens + 100)}));
  return made;
}

/// Work that only signals its fence.
auto submit_empty(memory_driver& m, test::dma_buffer& buffer) -> UINT {
  return m.submit(buffer, buffer.bytes());
}

}  // namespace

TEST_CASE("tokens are unique and never 0", "[kmd][memory][case-55]") {
  memory_driver m;
  kmd::tokens& tokens = m.adapter().tokens;
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 100'000; ++i) {
    const auto made = tokens.make({});
    seen.insert(raw(made.token));
    if (tokens.drop_reference(made)) tokens.emitted(made.token);
  }
  CHECK(seen.size() == 100'000);
  CHECK(seen.count(0) == 0);
  CHECK(tokens.live_count() == 0);
}

TEST_CASE("the last of a token's holders releases it, once", "[kmd][memory][case-56]") {
  memory_driver m;
  auto one = make_shared(m, 1);
  const D3DKMT_HANDLE number = m.number_of(one.allocation);
  const HANDLE first = m.open(m.device, number, one.data, true).handle;
  const HANDLE second = m.open(m.device, number, one.data, false).handle;
  CHECK(m.adapter().tokens.references(static_cast<share_token>(one.token)) == 3);
  m.close({first});
  m.destroy({one.allocation});
  m.pc.settle();
  CHECK(releases(m).empty());
  m.close({second});
  m.pc.settle();
  CHECK(releases(m) == std::vector{one.token});
}

TEST_CASE("a release makes no fence, no interrupt and no table, behind all earlier work",
          "[kmd][memory][case-57]") {
  memory_driver m;
  auto buffer = m.present_buffer(4096);
  m.pc.bus.host.doorbells = sim::doorbell_mode::held;
  submit_empty(m, buffer);
  const UINT fence = submit_empty(m, buffer);
  const auto one = make_shared(m, 1);
  m.destroy({one.allocation});
  const auto ring = descriptors(m);
  REQUIRE(ring.size() == 3);
  const aerogpu_submit_desc& release = ring.back();
  CHECK(release.cmd_size_bytes == 48);
  CHECK(release.flags == AEROGPU_SUBMIT_FLAG_NO_IRQ);
  CHECK(release.context_id == 0);
  CHECK(release.alloc_table_gpa == 0);
  CHECK(release.alloc_table_size_bytes == 0);
  CHECK(release.signal_fence == fence);
  CHECK(releases(m) == std::vector{one.token});
  m.pc.bus.host.doorbells = sim::doorbell_mode::synchronous;
  m.pc.bus.release_doorbell();
  m.pc.settle();
  CHECK(m.is_done(fence));
  CHECK(m.adapter().errors.newest().interrupts == 0);
}

TEST_CASE("closing a handle twice releases nothing twice", "[kmd][memory][case-58]") {
  memory_driver m;
  auto one = make_shared(m, 1);
  const HANDLE opened = m.open(m.device, m.number_of(one.allocation), one.data, true).handle;
  m.close({opened});
  m.close({opened, opened});
  CHECK(m.adapter().tokens.references(static_cast<share_token>(one.token)) == 1);
  m.destroy({one.allocation});
  m.destroy({one.allocation, one.allocation});
  m.close({opened});
  m.pc.settle();
  CHECK(releases(m) == std::vector{one.token});
}

TEST_CASE("releases wait while the ring is full, and all reach the host",
          "[kmd][memory][case-59]") {
  memory_driver m;
  auto buffer = m.present_buffer(4096);
  m.pc.bus.host.doorbells = sim::doorbell_mode::held;
  UINT last = 0;
  for (std::uint32_t i = 0; i < kmd::ring_entries; ++i) last = submit_empty(m, buffer);
  std::set<std::uint64_t> expected;
  for (std::uint32_t i = 1; i <= 200; ++i) {
    const auto one = make_shared(m, i);
    expected.insert(one.token);
    m.destroy({one.allocation});
  }
  CHECK(releases(m).empty());
  std::set<std::uint64_t> emitted;
  const std::uint64_t ring = m.pc.bus.peek64(AEROGPU_MMIO_REG_RING_GPA_LO);
  m.pc.bus.host.on_write = [&](std::uint32_t offset, std::uint32_t) {
    if (offset == AEROGPU_MMIO_REG_DOORBELL) collect_releases(m, ring, emitted);
    return true;
  };
  m.pc.bus.host.doorbells = sim::doorbell_mode::synchronous;
  m.pc.bus.release_doorbell();
  // Releases raise no interrupt: other work moves the queue on.
  for (int i = 0; i < 8; ++i) {
    last = submit_empty(m, buffer);
    m.pc.settle();
  }
  CHECK(m.is_done(last));
  CHECK(emitted == expected);
  CHECK(m.adapter().errors.newest().interrupts == 0);
  CHECK(raw(m.adapter().tokens.next_release()) == 0);
}

TEST_CASE("every live token can be dropped while the ring is full, and none is lost",
          "[kmd][memory][case-59]") {
  memory_driver m;
  kmd::tokens& tokens = m.adapter().tokens;
  const auto live = make_tokens(tokens, kmd::max_tokens);
  CHECK(live.back().token != share_token{});
  CHECK(tokens.make({}).token == share_token{});
  std::size_t last_references = 0;
  for (const auto& one : live) last_references += tokens.drop_reference(one) ? 1 : 0;
  CHECK(last_references == kmd::max_tokens);
  CHECK(tokens.live_count() == 0);
  CHECK(tokens.make({}).token == share_token{});  // The room of those that wait is kept.
  for (const auto& one : live) {
    REQUIRE(tokens.next_release() == one.token);
    tokens.emitted(one.token);
  }
  CHECK(tokens.next_release() == share_token{});
  CHECK(tokens.make({}).token != share_token{});
}

TEST_CASE("a release in D3 touches no register, and one after a timeout names no forgotten token",
          "[kmd][memory][case-60]") {
  memory_driver m;
  const auto one = make_shared(m, 1);
  SECTION("D3") {
    REQUIRE(m.windows.call(&table::DxgkDdiSetPowerState, m.windows.context(), 0xFFFFFFFFu,
                           PowerDeviceD3, PowerActionSleep) == STATUS_SUCCESS);
    const auto before = m.pc.bus.log.total();
    m.destroy({one.allocation});
    m.pc.settle();
    CHECK(m.pc.bus.log.total() == before);
    REQUIRE(m.windows.call(&table::DxgkDdiSetPowerState, m.windows.context(), 0xFFFFFFFFu,
                           PowerDeviceD0, PowerActionNone) == STATUS_SUCCESS);
  }
  SECTION("a timeout") {
    REQUIRE(m.windows.call(&table::DxgkDdiResetFromTimeout, m.windows.context()) == STATUS_SUCCESS);
    m.windows.dxgk.fences.drop();
    m.destroy({one.allocation});
    REQUIRE(m.windows.call(&table::DxgkDdiRestartFromTimeout, m.windows.context()) ==
            STATUS_SUCCESS);
    auto buffer = m.present_buffer(4096);
    const UINT fence = submit_empty(m, buffer);
    m.pc.settle();
    CHECK(m.is_done(fence));
    CHECK(releases(m).empty());
  }
  CHECK(m.adapter().errors.newest().interrupts == 0);
}

TEST_CASE("without room for a token a shared allocation is not made, and nothing leaks",
          "[kmd][memory][case-61]") {
  memory_driver m;
  kmd::tokens& tokens = m.adapter().tokens;
  const auto live = make_tokens(tokens, kmd::max_tokens - 1);
  const auto one = make_shared(m, 1);
  const auto blocks = m.pc.pool.blocks();
  blob data = test::texture_blob({.id = 2, .flags = shared_flag});
  CHECK(m.create_allocations({&data, 1}).status == STATUS_INSUFFICIENT_RESOURCES);
  CHECK(m.pc.pool.blocks() == blocks);
  CHECK(tokens.live_count() == kmd::max_tokens);
  m.destroy({one.allocation});
  m.pc.settle();
  for (const auto& one : live)
    if (tokens.drop_reference(one)) tokens.emitted(tokens.next_release());
}

TEST_CASE("a process that shares 8,192 surfaces shares no more, and another one still can",
          "[kmd][memory][case-173]") {
  memory_driver m;
  std::vector<HANDLE> made;
  const sim::process_scope greedy{5};
  for (std::uint32_t i = 1; i <= 8192; ++i) made.push_back(make_shared(m, i).allocation);
  const auto blocks = m.pc.pool.blocks();
  blob data = test::texture_blob({.id = 9000, .flags = shared_flag});
  REQUIRE(m.create_allocations({&data, 1}).status == STATUS_INSUFFICIENT_RESOURCES);
  CHECK(m.pc.pool.blocks() == blocks);
  {
    const sim::process_scope other{6};
    made.push_back(make_shared(m, 9001).allocation);
    m.destroy({made.front()});
    made.erase(made.begin());
    m.pc.settle();
  }
  made.push_back(make_shared(m, 9002).allocation);
  m.destroy(made);
  m.pc.settle();
}

TEST_CASE("a token counts for its process until its release was sent, or the host forgot it",
          "[kmd][memory][case-173]") {
  memory_driver m;
  kmd::tokens& tokens = m.adapter().tokens;
  auto live = make_tokens(tokens, kmd::max_process_tokens);
  const auto make = [&] {
    live.push_back(tokens.make({reinterpret_cast<const void*>(std::uintptr_t{100})}));
    return live.back().token != share_token{};
  };
  CHECK_FALSE(make());
  REQUIRE(tokens.drop_reference(live[0]));
  REQUIRE(tokens.drop_reference(live[1]));
  CHECK_FALSE(make());
  tokens.emitted(live[0].token);
  CHECK(make());
  CHECK_FALSE(make());
  tokens.forget_releases();
  CHECK(make());
  CHECK_FALSE(make());
}

TEST_CASE("tokens that outlive their process do not count for one that gets its address",
          "[kmd][memory][case-173]") {
  memory_driver m;
  kmd::tokens& tokens = m.adapter().tokens;
  const kmd::os::process_identity ended{reinterpret_cast<const void*>(std::uintptr_t{100}), 7};
  const kmd::os::process_identity next{ended.object, 8};
  std::vector<kmd::owned_token> left;
  for (std::uint32_t i = 0; i < kmd::max_process_tokens; ++i) left.push_back(tokens.make(ended));
  CHECK(tokens.make(ended).token == share_token{});
  CHECK(tokens.make(next).token != share_token{});
  REQUIRE(tokens.drop_reference(left.front()));
  tokens.emitted(left.front().token);
  CHECK(tokens.make(ended).token != share_token{});
}

TEST_CASE("the calling process is another one when it was created later", "[sim][os]") {
  memory_driver m;
  const auto before = kmd::os::current_process();
  CHECK(kmd::os::current_process() == before);
  ++sim::this_thread().process_created;
  const auto after = kmd::os::current_process();
  CHECK(after.object == before.object);
  CHECK(after != before);
}

TEST_CASE("as many processes as the table has lines share surfaces", "[kmd][memory][case-173]") {
  memory_driver m;
  kmd::tokens& tokens = m.adapter().tokens;
  const auto make = [&](std::size_t process) {
    return tokens.make({reinterpret_cast<const void*>(process)});
  };
  std::vector<kmd::owned_token> live;
  for (std::size_t i = 1; i <= kmd::max_counted_processes; ++i) live.push_back(make(i));
  CHECK(live.back().token != share_token{});
  CHECK(make(kmd::max_counted_processes + 1).token == share_token{});
  CHECK(make(kmd::max_counted_processes).token != share_token{});
  REQUIRE(tokens.drop_reference(live.front()));
  tokens.emitted(live.front().token);
  CHECK(make(kmd::max_counted_processes + 1).token != share_token{});
}

TEST_CASE("each failing pool allocation leaves creation and opening without a trace",
          "[kmd][memory][case-61]") {
  memory_driver m;
  for (std::uint64_t nth = 0; nth < 2; ++nth) {
    const auto blocks = m.pc.pool.blocks();
    m.pc.faults.fail(sim::fault_point::pool, nth);
    blob data = test::texture_blob({.id = 2, .flags = shared_flag});
    const auto made = m.create_allocations({&data, 1});
    if (nth == 0) {
      CHECK(made.status == STATUS_NO_MEMORY);
    } else {
      REQUIRE(made.status == STATUS_SUCCESS);
      const HANDLE handle = made.infos.front().hAllocation;
      CHECK(m.open(m.device, m.number_of(handle), data, true).status ==
            STATUS_INSUFFICIENT_RESOURCES);
      m.destroy({handle});
    }
    CHECK(m.pc.faults.has_fired(sim::fault_point::pool));
    CHECK(m.pc.pool.blocks() == blocks);
    CHECK(m.adapter().tokens.live_count() == 0);
  }
}

TEST_CASE("eight threads that create, open, close and destroy keep every count exact",
          "[kmd][memory][case-62]") {
  memory_driver m{{.is_concurrent = true}};
  auto common = make_shared(m, 1);
  const D3DKMT_HANDLE number = m.number_of(common.allocation);
  std::atomic<int> failures = 0;
  std::vector<std::thread> threads;
  for (std::uint32_t process = 1; process <= 8; ++process) {
    threads.emplace_back([&m, &failures, number, process, bytes = common.data] {
      const sim::thread_scope here{m.pc, process};
      const auto expect = [&](bool holds) { failures += holds ? 0 : 1; };
      for (std::uint32_t i = 0; i < 200; ++i) {
        blob copy = bytes;
        const auto of_common = m.open(m.device, number, copy, false);
        expect(of_common.status == STATUS_SUCCESS);
        blob own = test::texture_blob({.id = process * 1000 + i, .flags = shared_flag});
        const auto made = m.create_allocations({&own, 1});
        expect(made.status == STATUS_SUCCESS);
        const HANDLE handle = made.infos.front().hAllocation;
        const auto of_own = m.open(m.device, m.number_of(handle), own, true);
        expect(of_own.status == STATUS_SUCCESS);
        expect(m.close({of_common.handle, of_own.handle}) == STATUS_SUCCESS);
        expect(m.destroy({handle}) == STATUS_SUCCESS);
      }
    });
  }
  for (std::thread& one : threads) one.join();
  CHECK(failures == 0);
  CHECK(m.adapter().tokens.references(static_cast<share_token>(common.token)) == 1);
  CHECK(m.adapter().tokens.live_count() == 1);
  m.destroy({common.allocation});
  CHECK(m.adapter().tokens.live_count() == 0);
}
