// SPDX-License-Identifier: MIT
/// PresentEx of the portable profile: submissions, packets, throttle, counts.
#include "drivers/win7/umd/d3d9/state/targets.hpp"
#include "tests/drivers/umd/rigs/present_rig.hpp"
#include "tests/drivers/umd/rigs/recording.hpp"

#include <vector>

namespace aerogpu::umd::test {

namespace {

[[nodiscard]] auto present_with(device_rig& rig, std::uint32_t flags, std::uint32_t interval = 0)
    -> HRESULT {
  present_request request;
  request.flags = flags;
  request.interval = interval;
  return present(rig.device, request);
}

}  // namespace

TEST_CASE("a present is one submission, and a second one before it when work is pending",
          "[umd][present][T210]") {
  device_rig rig;
  make_chain(rig, chain_of());
  const auto& seen = rig.runtime.submissions();
  const std::size_t before = seen.size();
  REQUIRE(present_with(rig, 0) == S_OK);
  REQUIRE(seen.size() == before + 1);
  CHECK(seen[before].kind == submission_kind::present);

  record_viewport(rig.device.commands);
  REQUIRE(present_with(rig, 0) == S_OK);
  REQUIRE(seen.size() == before + 3);
  CHECK(seen[before + 1].kind == submission_kind::render);
  CHECK(opcodes_of(seen[before + 1].stream) == opcodes<aerogpu_cmd_set_viewport>());
  CHECK(seen[before + 2].kind == submission_kind::present);
  CHECK(opcodes_of(seen[before + 2].stream) == opcodes<aerogpu_cmd_present_ex>());
}

TEST_CASE("PRESENT_EX says what was asked for, and waits for a vertical blank that there is",
          "[umd][present][T211]") {
  struct row {
    std::uint32_t interval, flags;
    bool is_paced;
  };
  const auto asked = GENERATE(row{0, 0, false}, row{1, 0, true}, row{4, 0x2, true},
                              row{interval_immediate, 0, false}, row{1, 0x100, false},
                              row{2, 0xFFFFFE02, true}, row{1, 0x8, true});
  const bool has_vblank = GENERATE(false, true);
  device_rig rig{{}, has_vblank ? facts_with_vblank() : plain_facts()};
  make_chain(rig, chain_of());
  REQUIRE(present_with(rig, asked.flags, asked.interval) == S_OK);
  const auto packets = packets_of<aerogpu_cmd_present_ex>(rig.runtime.last().stream);
  REQUIRE(packets.size() == 1);
  const aerogpu_cmd_present_ex& packet = packets[0].fields;
  const bool is_forced = (asked.flags & 0x100) != 0;
  const bool is_paced = asked.is_paced && has_vblank && !is_forced;
  CHECK(std::uint32_t{packet.scanout_id} == 0);
  CHECK(std::uint32_t{packet.flags} == (is_paced ? 1u : 0u));
  CHECK(std::uint32_t{packet.d3d9_present_flags} == asked.flags);
  CHECK(std::uint32_t{packet.reserved0} == 0);
}

TEST_CASE("the presented surface is the first target at PRESENT_EX, whatever is bound",
          "[umd][present][T212]") {
  device_rig rig;
  swap_chain& chain = make_chain(rig, chain_of());
  resource& other = make(rig, target_of(8, 8));
  resource& depth = make(rig, depth_of(8, 8));
  const byte_vector texels = counted_bytes(chain_buffer_bytes);
  paint(rig, *chain.buffers[0], texels);
  REQUIRE(set_render_target(rig.device, 0, {&other, 0}) == S_OK);
  REQUIRE(set_depth_stencil(rig.device, {&depth, 0}) == S_OK);
  REQUIRE(present_with(rig, 0) == S_OK);

  const auto& stream = rig.runtime.last().stream;
  CHECK(opcodes_of(stream) == opcodes<aerogpu_cmd_set_render_targets, aerogpu_cmd_present_ex,
                                      aerogpu_cmd_set_render_targets>());
  CHECK(first_targets(stream) ==
        std::vector<std::uint32_t>{raw(chain.buffers[0]->handle), raw(other.handle)});
  const auto restored = packets_of<aerogpu_cmd_set_render_targets>(stream).back().fields;
  CHECK(std::uint32_t{restored.depth_stencil} == raw(depth.handle));
  CHECK(shown_texels(rig, chain_buffer_bytes) == texels);
  const listed_allocation* const used =
      rig.runtime.last().lists(chain.buffers[0]->backing.allocation);
  REQUIRE(used != nullptr);
  CHECK_FALSE(used->is_written);
}

TEST_CASE("what is presented needs no buffer of a chain, and is shown where it lies",
          "[umd][present][T212]") {
  device_rig rig;
  swap_chain& chain = make_chain(rig, chain_of(2, D3DSWAPEFFECT_FLIP));
  const auto before = handles_of(chain);
  resource& other = make(rig, target_of(8, 8));
  present_request request;
  request.source = &other;
  REQUIRE(present(rig.device, request) == S_OK);
  CHECK(first_targets(rig.runtime.last().stream) ==
        std::vector<std::uint32_t>{raw(other.handle), before[0]});
  CHECK(handles_of(chain) == before);
}

TEST_CASE("a present without a surface, of a strange chain or of a locked buffer is refused",
          "[umd][present]") {
  device_rig rig;
  CHECK(present_with(rig, 0) == E_INVALIDARG);
  swap_chain& chain = make_chain(rig, chain_of());
  swap_chain strange{chain_of()};
  present_request request;
  request.chain = &strange;
  CHECK(present(rig.device, request) == E_INVALIDARG);
  request.chain = &chain;
  static_cast<void>(lock(rig, *chain.buffers[0]));
  CHECK(present(rig.device, request) == D3DERR_INVALIDCALL);
  unlock(rig, *chain.buffers[0]);
  CHECK(rig.device.presents.count() == 0);
  CHECK(present(rig.device, request) == S_OK);
}

TEST_CASE("with a latency of 1 a second present that must not wait does nothing at all",
          "[umd][present][T213]") {
  device_rig rig{fenced()};
  make_chain(rig, chain_of(2, D3DSWAPEFFECT_FLIP));
  REQUIRE(rig.device.presents.set_portable_latency(1) == S_OK);
  REQUIRE(present_with(rig, present_does_not_wait) == S_OK);
  REQUIRE(rig.device.commands.submit() == S_OK);  // What the rotation bound.
  record_viewport(rig.device.commands);
  const std::size_t submissions = rig.runtime.submissions().size();
  const auto buffers = handles_of(*rig.device.swap_chains.current());
  CHECK(present_with(rig, present_does_not_wait) == D3DERR_WASSTILLDRAWING);
  CHECK(rig.runtime.submissions().size() == submissions);
  CHECK(rig.device.presents.count() == 1);
  CHECK(handles_of(*rig.device.swap_chains.current()) == buffers);
  CHECK_FALSE(rig.device.commands.is_empty());
  CHECK(rig.system.slept_ms() == 0);
}

TEST_CASE("a present that may wait goes on after 100 ms, or as soon as there is room",
          "[umd][present][T213]") {
  device_rig rig{fenced()};
  make_chain(rig, chain_of());
  REQUIRE(rig.device.presents.set_portable_latency(1) == S_OK);
  REQUIRE(present_with(rig, 0) == S_OK);
  const std::uint64_t began = rig.system.now_ns();
  REQUIRE(present_with(rig, 0) == S_OK);
  const std::uint64_t waited = rig.system.now_ns() - began;
  CHECK(waited >= 100'000'000);
  CHECK(waited <= 105'000'000);
  CHECK(rig.device.presents.count() == 2);

  rig.runtime.complete_all();
  rig.system.advance(completion::poll_interval_ns);
  const std::uint64_t slept = rig.system.slept_ms();
  REQUIRE(present_with(rig, present_does_not_wait) == S_OK);
  CHECK(rig.system.slept_ms() == slept);
}

TEST_CASE(
    "a present that must not wait asks the kernel for fences every 4 ms, one that waits in its "
    "rounds",
    "[umd][present][T213]") {
  device_rig rig{fenced()};
  make_chain(rig, chain_of());
  REQUIRE(rig.device.presents.set_portable_latency(1) == S_OK);
  REQUIRE(present_with(rig, 0) == S_OK);
  std::uint64_t before = rig.runtime.polls();
  for (int i = 0; i < 100; ++i) {
    REQUIRE(present_with(rig, present_does_not_wait) == D3DERR_WASSTILLDRAWING);
    rig.system.advance(400'000);
  }
  CHECK(rig.runtime.polls() - before <= 40 / 4 + 1);
  before = rig.runtime.polls();
  REQUIRE(present_with(rig, 0) == S_OK);
  constexpr std::uint64_t slices = 100 / 4, rounds = 4 + 4 + 2;  // Yields, milliseconds, ends.
  CHECK(rig.runtime.polls() - before >= 100);
  CHECK(rig.runtime.polls() - before <= slices * rounds);
}

TEST_CASE("frame latency is 3 unless set, and each profile has its limits",
          "[umd][present][T214]") {
  device_rig rig;
  presentation& presents = rig.device.presents;
  const auto now = [&] { return presents.latency.maximum(); };
  CHECK(now() == 3);
  CHECK(presents.set_portable_latency(0) == E_INVALIDARG);
  CHECK(now() == 3);
  for (const auto& [asked, kept] : std::vector<std::pair<std::uint32_t, std::uint32_t>>{
           {1, 1}, {15, 15}, {16, 16}, {17, 16}, {0xFFFFFFFF, 16}}) {
    CHECK(presents.set_portable_latency(asked) == S_OK);
    CHECK(now() == kept);
  }
  CHECK(presents.latency.set_maximum(20));
  CHECK(now() == 20);
  CHECK_FALSE(presents.latency.set_maximum(21));
  CHECK(now() == 20);
  CHECK(presents.latency.set_maximum(0));
  CHECK(now() == 3);
}

TEST_CASE("as many presents as the latency are in flight, and Reset forgets them",
          "[umd][present][T214]") {
  device_rig rig{fenced()};
  swap_chain& chain = make_chain(rig, chain_of());
  for (int i = 0; i < 3; ++i) REQUIRE(present_with(rig, present_does_not_wait) == S_OK);
  CHECK(present_with(rig, present_does_not_wait) == D3DERR_WASSTILLDRAWING);
  REQUIRE(reset_swap_chain(rig.device, chain.shape) == S_OK);
  CHECK(rig.device.presents.latency.in_flight() == 0);
  CHECK(rig.device.presents.latency.maximum() == 3);
  CHECK(present_with(rig, present_does_not_wait) == S_OK);
}

TEST_CASE("presents are counted once they are accepted, occluded ones too, failed ones not",
          "[umd][present][T215][T216]") {
  device_rig rig;
  swap_chain& chain = make_chain(rig, chain_of());
  int window = 0;
  rig.system.windows[&window] = {true, true, true, 32, 16};
  chain.shape.window = &window;
  const auto statistics = [&] { return rig.device.presents.statistics(); };
  CHECK(statistics().present_count == 0);
  CHECK(present_with(rig, 0) == S_PRESENT_OCCLUDED);
  CHECK(rig.device.presents.count() == 1);
  rig.system.windows[&window].is_iconic = false;
  const std::uint64_t first_ticks = statistics().sync_ticks;
  CHECK(first_ticks != 0);
  CHECK(present_with(rig, 0) == S_OK);
  const present_statistics now = statistics();
  CHECK(now.present_count == 2);
  CHECK(now.present_refresh_count == 2);
  CHECK(now.sync_refresh_count == 2);
  CHECK(now.sync_gpu_time == 0);
  CHECK(now.sync_ticks >= first_ticks);
  rig.runtime.fail_next_call(E_FAIL);
  CHECK(present_with(rig, 0) == D3DERR_DEVICELOST);
  CHECK(rig.device.presents.count() == 2);
  CHECK(rig.system.logged("device lost: present submit via PresentCb failed hr=0x80004005") == 1);
}

TEST_CASE("an occluded present submits the work before it, and presents nothing",
          "[umd][present][T216]") {
  device_rig rig{fenced()};
  swap_chain& chain = make_chain(rig, chain_of());
  int window = 0;
  auto& state = rig.system.windows[&window];
  state = GENERATE(os::window_state{true, true, true, 32, 16},
                   os::window_state{true, false, true, 0, 16},
                   os::window_state{true, false, true, 32, 0});
  chain.shape.window = &window;
  record_viewport(rig.device.commands);
  const std::size_t before = rig.runtime.submissions().size();
  const HRESULT occluded = present_with(rig, 0);
  CHECK(occluded == 0x08760878);
  REQUIRE(rig.runtime.submissions().size() == before + 1);
  CHECK(rig.runtime.last().kind == submission_kind::render);
  CHECK(opcodes_of(rig.runtime.last().stream) == opcodes<aerogpu_cmd_set_viewport>());
  CHECK(rig.device.presents.latency.in_flight() == 0);
}

TEST_CASE("a window that is not visible is occluded only when that is asked for",
          "[umd][present][T216]") {
  device_rig rig;
  make_chain(rig, chain_of());
  int window = 0;
  rig.system.windows[&window] = {true, false, false, 32, 16};
  present_request request;
  request.window = &window;
  CHECK(present(rig.device, request) == S_OK);
  rig.device.presents.occludes_invisible = true;
  CHECK(present(rig.device, request) == S_PRESENT_OCCLUDED);
  rig.system.windows[&window].is_visible = true;
  CHECK(present(rig.device, request) == S_OK);
  int unknown = 0;
  request.window = &unknown;
  CHECK(present(rig.device, request) == S_OK);
}

TEST_CASE("the state of a device is that of its window, until the device is lost",
          "[umd][present][T224]") {
  device_rig rig;
  int window = 0;
  CHECK(check_device_state(rig.device, nullptr) == S_OK);
  rig.system.windows[&window] = {true, false, true, 32, 16};
  CHECK(check_device_state(rig.device, &window) == S_OK);
  rig.system.windows[&window].is_iconic = true;
  CHECK(check_device_state(rig.device, &window) == S_PRESENT_OCCLUDED);
  rig.device.loss.note(D3DERR_DEVICEHUNG);
  CHECK(check_device_state(rig.device, &window) == D3DERR_DEVICEHUNG);
  CHECK(check_device_state(rig.device, nullptr) == D3DERR_DEVICEHUNG);
}

TEST_CASE("waiting for idle gives up after 2 seconds, and ends at once when all is done",
          "[umd][present][T227]") {
  device_rig rig{fenced()};
  record_viewport(rig.device.commands);
  const std::uint64_t began = rig.system.now_ns();
  CHECK(wait_for_idle(rig.device) == D3DERR_WASSTILLDRAWING);
  const std::uint64_t waited = rig.system.now_ns() - began;
  CHECK(waited >= 2'000'000'000);
  CHECK(waited <= 2'005'000'000);
  rig.runtime.complete_all();
  CHECK(wait_for_idle(rig.device) == S_OK);
  rig.device.loss.note(E_FAIL);
  CHECK(wait_for_idle(rig.device) == D3DERR_DEVICELOST);
}

TEST_CASE("Flush without work makes no call, and shows queries that were issued",
          "[umd][present][T201]") {
  device_rig rig;
  REQUIRE(flush(rig.device) == S_OK);
  const std::uint64_t calls = rig.runtime.calls();
  CHECK(flush(rig.device) == S_OK);
  CHECK(rig.runtime.calls() == calls);
  event_query query;
  record_viewport(rig.device.commands);
  REQUIRE(query.issue(rig.device, shown_by::flush) == S_OK);
  CHECK(query.ask(rig.device) == S_FALSE);
  SECTION("flush") {
    CHECK(flush(rig.device) == S_OK);
  }
  SECTION("present") {
    make_chain(rig, chain_of());
    CHECK(present_with(rig, 0) == S_OK);
  }
  rig.system.advance(completion::poll_interval_ns);
  CHECK(query.ask(rig.device) == S_OK);
}

}  // namespace aerogpu::umd::test
