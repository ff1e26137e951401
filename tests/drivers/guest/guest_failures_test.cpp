// SPDX-License-Identifier: MIT
/// \file The guest tests fail when they should: a device that is silent, a kernel that refuses, a
/// driver that lies, a call that never returns.
#include "aerogpu/abi/mmio.h"
#include "aerogpu/abi/umd_private.h"
#include "drivers/win7/tests/guest/tests.hpp"
#include "tests/drivers/guest/simulated_desktop.hpp"

#include <condition_variable>
#include <cstring>
#include <functional>
#include <mutex>
#include <thread>

using namespace aerogpu;
using guest::exit_code;
using test::guest_machine;
using test::run_guest_test;

namespace {

/// What an escape's answer becomes, between the driver and the test.
struct lie {
  const guest::guest_test* test;
  std::uint32_t op;
  std::function<void(std::byte*)> change;
  const char* broken;  ///< The rule that must be reported.
};

const lie* current_lie = nullptr;
std::uint64_t lies_told = 0;

auto APIENTRY lying_escape(const D3DKMT_ESCAPE* arguments) -> NTSTATUS {
  const NTSTATUS status = D3DKMTEscape(arguments);
  auto* const packet = static_cast<std::byte*>(arguments->pPrivateDriverData);
  aerogpu_escape_header header{};
  if (arguments->PrivateDriverDataSize >= sizeof header)
    std::memcpy(&header, packet, sizeof header);
  if (!NT_SUCCESS(status) || header.op != current_lie->op) return status;
  ++lies_told;
  current_lie->change(packet);
  return status;
}

/// Sets a member of the answer.
template <class Packet, class Member, class Value>
auto set(Member Packet::*member, Value value) -> std::function<void(std::byte*)> {
  return [=](std::byte* at) {
    Packet packet;
    std::memcpy(&packet, at, sizeof packet);
    packet.*member = static_cast<Member>(value);
    std::memcpy(at, &packet, sizeof packet);
  };
}
template <class Packet, class Change>
auto edit(Change change) -> std::function<void(std::byte*)> {
  return [=](std::byte* at) mutable {
    Packet packet;
    std::memcpy(&packet, at, sizeof packet);
    change(packet);
    std::memcpy(at, &packet, sizeof packet);
  };
}

using perf = aerogpu_escape_query_perf_out;
using ring_dump = aerogpu_escape_dump_ring_v2_inout;
using scanout_v2 = aerogpu_escape_query_scanout_out_v2;
using cursor_out = aerogpu_escape_query_cursor_out;
using vblank_out = aerogpu_escape_query_vblank_out;
using fence_out = aerogpu_escape_query_fence_out;
using error_out = aerogpu_escape_query_error_out;
using device_v2 = aerogpu_escape_query_device_v2_out;
using create_log = aerogpu_escape_dump_createallocation_inout;

auto lies() -> std::vector<lie> {
  constexpr std::uint32_t latched =
      AEROGPU_DBGCTL_QUERY_ERROR_FLAGS_VALID | AEROGPU_DBGCTL_QUERY_ERROR_FLAG_ERROR_LATCHED;
  return {
      {&guest::device_state_sanity, 7, set(&device_v2::detected_mmio_magic, 7),
       "the magic is known"},
      {&guest::device_state_sanity, 7, set(&device_v2::abi_version_u32, 0),
       "there is an ABI version"},
      {&guest::device_state_sanity, 1, set(&aerogpu_escape_query_device_out::mmio_version, 9),
       "both queries give one version"},
      {&guest::device_state_sanity, 14, set(&error_out::flags, latched), "no error is latched"},
      {&guest::device_state_sanity, 14, set(&error_out::flags, 0), "the error flags are valid"},
      {&guest::transfer_feature_sanity, 7, set(&device_v2::features_lo, 0),
       "QUERY_DEVICE_V2 has TRANSFER"},
      {&guest::fence_state_sanity, 2, set(&fence_out::last_submitted_fence, 0),
       "no fence completes that was not submitted"},
      {&guest::fence_state_sanity, 2,
       edit<fence_out>(
           [n = std::uint64_t{100}](fence_out& p) mutable { p.last_completed_fence = --n; }),
       "neither fence goes back"},
      {&guest::perf_state_sanity, 12,
       edit<perf>([n = std::uint64_t{100}](perf& p) mutable { p.total_presents = --n; }),
       "no counter goes back"},
      {&guest::perf_state_sanity, 12, set(&perf::flags, 0), "the flags are valid"},
      {&guest::perf_state_sanity, 12, set(&perf::ring0_tail, 100'000),
       "the ring holds what is pending"},
      {&guest::perf_state_sanity, 12, set(&perf::contig_pool_bytes_saved, 100),
       "the pool saves whole pages, when it is hit"},
      {&guest::perf_state_sanity, 12, set(&perf::alloc_table_readonly_entries, 1u << 30),
       "read-only entries are entries"},
      {&guest::perf_state_sanity, 12, set(&perf::alloc_table_count, 1u << 30), "no table is empty"},
      {&guest::ring_state_sanity, 6, set(&ring_dump::ring_size_bytes, 0), "the ring has a size"},
      {&guest::ring_state_sanity, 6, set(&ring_dump::desc_count, 33),
       "the dump keeps within its entries"},
      {&guest::ring_state_sanity, 6, set(&ring_dump::head, 1u << 20),
       "the head is not past the tail"},
      {&guest::ring_state_sanity, 6, edit<ring_dump>([](ring_dump& p) {
         p.desc_count = 1;
         p.desc[0].cmd_gpa = 0;
         p.desc[0].cmd_size_bytes = 8;
       }),
       "addresses and sizes go together"},
      {&guest::scanout_state_sanity, 10, edit<scanout_v2>([](auto& p) { ++p.base.mmio_width; }),
       "the registers have the desktop's mode"},
      {&guest::scanout_state_sanity, 10, edit<scanout_v2>([](auto& p) { p.base.mmio_enable = 0; }),
       "the scanout is on"},
      {&guest::scanout_state_sanity, 10, set(&scanout_v2::cached_fb_gpa, 0),
       "the driver knows the frame buffer"},
      {&guest::modeset_roundtrip_sanity, 10,
       edit<scanout_v2>([](auto& p) { p.base.cached_width = 1; }), "driver and registers have it"},
      {&guest::cursor_state_sanity, 11, set(&cursor_out::x, 5000u),
       "the cursor follows its position"},
      {&guest::cursor_state_sanity, 11, set(&cursor_out::enable, 1u), "hiding it switches it off"},
      {&guest::cursor_state_sanity, 11, set(&cursor_out::enable, 0u), "showing it switches it on"},
      {&guest::cursor_state_sanity, 11, set(&cursor_out::fb_gpa, 0u),
       "it has a picture, a format and a pitch"},
      {&guest::vblank_state_sanity, 5, set(&vblank_out::vblank_seq, 7u),
       "sequence and time advance"},
      {&guest::vblank_state_sanity, 5, set(&vblank_out::vblank_period_ns, 1u),
       "the period is that of a monitor"},
      {&guest::vblank_state_sanity, 5, set(&vblank_out::vblank_period_ns, 20'000'000u),
       "the measured period is near the reported one"},
      {&guest::vblank_wait_pacing, 5, set(&vblank_out::vblank_seq, 7u),
       "each wait is a blank of the device's"},
      {&guest::vblank_wait_pacing, 5, edit<vblank_out>([](vblank_out& p) { p.vblank_seq *= 2; }),
       "and few blanks pass without one"},
      {&guest::dbgctl_selftest_sanity, 4, set(&aerogpu_escape_selftest_inout::passed, 0),
       "the self-test passes"},
      {&guest::dbgctl_selftest_sanity, 4, set(&aerogpu_escape_selftest_inout::error_code, 3),
       "the self-test passes"},
      {&guest::dump_createalloc_sanity, 9, set(&create_log::entry_count, 0u),
       "the log is not empty, and its counts agree"},
      {&guest::dump_createalloc_sanity, 9,
       edit<create_log>([](create_log& p) { p.entries[0].alloc_id = 0; }), "each has an id"},
      {&guest::dump_createalloc_sanity, 9,
       edit<create_log>([](create_log& p) { p.entries[p.entry_count - 1].alloc_id = 1; }),
       "ours is among them"},
      {&guest::map_shared_handle_stress, 8,
       edit<aerogpu_escape_map_shared_handle_inout>(
           [n = 1u](auto& p) mutable { p.debug_token = ++n; }),
       "the first one keeps its number"},
      {&guest::dbgctl_escape_security_sanity, 13, set(&aerogpu_escape_read_gpa_inout::status, 0u),
       "READ_GPA of a bad address does not succeed"},
      {&guest::dbgctl_escape_security_sanity, 13,
       edit<aerogpu_escape_read_gpa_inout>([](auto& p) { p.data[4095] = 1; }),
       "and copies nothing"},
      {&guest::submit_fence_stress, 2, set(&fence_out::last_submitted_fence, 5u),
       "each submission has a fence of its own"},
      {&guest::submit_fence_stress, 2, set(&fence_out::last_completed_fence, 0u),
       "the last fence completes"},
      {&guest::submit_fence_stress, 6, edit<ring_dump>([](ring_dump& p) {
         for (auto& one : p.desc) one.flags = 0;
       }),
       "the present's descriptor says so"},
      {&guest::submit_fence_stress, 6, edit<ring_dump>([](ring_dump& p) {
         p.desc[0] = p.desc[p.desc_count - 1];
         p.desc[0].fence = p.desc[1].fence - 1;
         p.desc[p.desc_count - 1].flags = 0;
       }),
       "the present's descriptor says so"},
      {&guest::alloc_table_readonly_sanity, 6, edit<ring_dump>([](ring_dump& p) {
         p.desc[0] = p.desc[p.desc_count - 1];
         p.desc[0].fence = p.desc[1].fence - 1;
         p.desc[p.desc_count - 1].alloc_table_size_bytes = 24 + 32;
       }),
       "the submission has a table of two entries"},
      {&guest::alloc_table_readonly_sanity, 6,
       edit<ring_dump>([](ring_dump& p) { p.desc[p.desc_count - 1].alloc_table_size_bytes += 32; }),
       "the submission has a table of two entries"},
      {&guest::alloc_table_readonly_sanity, 12, set(&perf::alloc_table_readonly_entries, 0u),
       "the read-only one is counted"},
  };
}

}  // namespace

TEST_CASE("each lie of the driver breaks the rule that it is about", "[drivers][guest]") {
  for (const auto& one : lies()) {
    guest_machine machine{{.allows_gated_escapes = true}};
    machine.thunks_of_kernel.D3DKMTEscape = &lying_escape;
    current_lie = &one;
    lies_told = 0;
    const auto code = run_guest_test(machine, *one.test);
    INFO(one.test->name << ": " << one.broken << "\n" << machine.text);
    CHECK(lies_told != 0);
    CHECK(code == exit_code::fail);
    CHECK(machine.text.find("FAIL  " + std::string{one.broken}) != std::string::npos);
  }
}

TEST_CASE("an answer with a wrong header is no answer", "[drivers][guest]") {
  const auto change = GENERATE(0, 1, 2, 3);
  const lie wrong{&guest::device_state_sanity, 7,
                  edit<aerogpu_escape_header>([=](aerogpu_escape_header& h) {
                    if (change == 0) h.version = 2;
                    if (change == 1) h.op = 1;
                    if (change == 2) h.size = 4096;
                    if (change == 3) h.size = 15;
                  }),
                  "QUERY_DEVICE_V2 answers"};
  guest_machine machine;
  machine.thunks_of_kernel.D3DKMTEscape = &lying_escape;
  current_lie = &wrong;
  CHECK(run_guest_test(machine, *wrong.test) == exit_code::fail);
  CHECK(machine.text.find("FAIL  QUERY_DEVICE_V2 answers") != std::string::npos);
}

namespace {

/// What each test needs: without it the test must not pass.
struct refusal {
  const char* thunk;
  std::vector<const guest::guest_test*> tests;
};

auto refusals() -> std::vector<refusal> {
  const std::vector<const guest::guest_test*> drawing{&guest::submit_fence_stress,
                                                      &guest::alloc_table_readonly_sanity,
                                                      &guest::dump_createalloc_sanity};
  const std::vector<const guest::guest_test*> without_escapes{
      &guest::umd_private_sanity,
      &guest::segment_budget_sanity,
      &guest::vblank_wait,
      &guest::vblank_wait_sanity,
      &guest::wait_vblank_pacing,
      &guest::get_scanline_sanity,
      &guest::dbgctl_escape_security_sanity};
  std::vector<const guest::guest_test*> with_escapes;
  for (const auto* const one : guest::all_tests) {
    if (std::find(without_escapes.begin(), without_escapes.end(), one) == without_escapes.end())
      with_escapes.push_back(one);
  }
  return {
      {"D3DKMTOpenAdapterFromGdiDisplayName", {guest::all_tests.begin(), guest::all_tests.end()}},
      {"D3DKMTQueryAdapterInfo",
       {&guest::umd_private_sanity, &guest::segment_budget_sanity,
        &guest::transfer_feature_sanity}},
      {"D3DKMTEscape", with_escapes},
      {"D3DKMTCreateDevice", drawing},
      {"D3DKMTCreateContext", drawing},
      {"D3DKMTCreateAllocation", drawing},
      {"D3DKMTRender", {&guest::submit_fence_stress, &guest::alloc_table_readonly_sanity}},
      {"D3DKMTPresent", {&guest::submit_fence_stress}},
      {"D3DKMTGetDisplayModeList", {&guest::modeset_roundtrip_sanity}},
      {"D3DKMTWaitForVerticalBlankEvent",
       {&guest::vblank_wait, &guest::vblank_wait_sanity, &guest::vblank_wait_pacing,
        &guest::wait_vblank_pacing}},
      {"D3DKMTGetScanLine", {&guest::get_scanline_sanity}},
  };
}

template <class Arguments>
void refuse(guest::thunk<Arguments>& function) {
  function = [](Arguments*) -> NTSTATUS { return STATUS_ACCESS_DENIED; };
}

}  // namespace

TEST_CASE("a thunk that Windows refuses fails each test that needs it", "[drivers][guest]") {
  guest_machine machine{{.allows_gated_escapes = true}};
  const auto honest = machine.thunks_of_kernel;
  for (const auto& one : refusals()) {
    guest::for_each_thunk(machine.thunks_of_kernel, [&](std::string_view name, auto& function) {
      if (name == one.thunk) refuse(function);
    });
    for (const auto* const test : one.tests) {
      machine.text.clear();
      const auto code = run_guest_test(machine, *test);
      INFO(one.thunk << "\n" << machine.text);
      CHECK(code == exit_code::fail);
    }
    machine.thunks_of_kernel = honest;
  }
}

TEST_CASE("a wait that ends at once is no wait for the vertical blank", "[drivers][guest]") {
  guest_machine machine;
  machine.thunks_of_kernel.D3DKMTWaitForVerticalBlankEvent =
      [](const D3DKMT_WAITFORVERTICALBLANKEVENT*) -> NTSTATUS { return STATUS_SUCCESS; };
  for (const auto* const test :
       {&guest::vblank_wait_sanity, &guest::vblank_wait_pacing, &guest::wait_vblank_pacing}) {
    machine.text.clear();
    CHECK(run_guest_test(machine, *test) == exit_code::fail);
    CHECK(machine.text.find("FAIL  a wait does not end at once") != std::string::npos);
  }
}

TEST_CASE("a vertical blank that never comes fails the tests that wait for it",
          "[drivers][guest]") {
  guest_machine machine;
  machine.pc.bus.host.on_write = [](std::uint32_t offset, std::uint32_t) {
    return offset != AEROGPU_MMIO_REG_IRQ_ENABLE;
  };
  machine.pc.bus.poke(AEROGPU_MMIO_REG_IRQ_ENABLE, 0);
  CHECK(run_guest_test(machine, guest::vblank_wait) == exit_code::fail);
  INFO(machine.text);
  CHECK(machine.text.find("FAIL  every wait succeeds") != std::string::npos);
  machine.pc.bus.host.on_write = {};
}

TEST_CASE("a scan line that stands still is found", "[drivers][guest]") {
  guest_machine machine;
  machine.thunks_of_kernel.D3DKMTGetScanLine = [](D3DKMT_GETSCANLINE* now) -> NTSTATUS {
    now->InVerticalBlank = 0;
    now->ScanLine = 17;
    return STATUS_SUCCESS;
  };
  CHECK(run_guest_test(machine, guest::get_scanline_sanity) == exit_code::fail);
  CHECK(machine.text.find("FAIL  the line changes") != std::string::npos);
  CHECK(machine.text.find("FAIL  both the picture and the blank are seen") != std::string::npos);
}

TEST_CASE("a private blob of another device is found", "[drivers][guest]") {
  guest_machine machine;
  machine.thunks_of_kernel.D3DKMTQueryAdapterInfo =
      [](const D3DKMT_QUERYADAPTERINFO* asked) -> NTSTATUS {
    aerogpu_umd_private_v1 blob{};
    blob.size_bytes = 32;
    blob.flags = AEROGPU_UMDPRIV_FLAG_IS_LEGACY | AEROGPU_UMDPRIV_FLAG_HAS_VBLANK |
                 AEROGPU_UMDPRIV_FLAG_HAS_FENCE_PAGE;
    std::memcpy(asked->pPrivateDriverData, &blob, sizeof blob);
    return STATUS_SUCCESS;
  };
  CHECK(run_guest_test(machine, guest::umd_private_sanity) == exit_code::fail);
  CHECK(machine.text.find("6 of 6 findings are wrong") != std::string::npos);
}

TEST_CASE("a device that takes no submission fails the test, and no one waits for ever",
          "[drivers][guest]") {
  guest_machine machine;
  machine.pc.bus.host.doorbells = sim::doorbell_mode::held;
  CHECK(run_guest_test(machine, guest::submit_fence_stress) == exit_code::fail);
  INFO(machine.text);
  CHECK(machine.text.find("FAIL submit_fence_stress: ") != std::string::npos);
  machine.pc.bus.host.doorbells = sim::doorbell_mode::synchronous;
  machine.text.clear();
  CHECK(run_guest_test(machine, guest::submit_fence_stress) == exit_code::pass);
}

TEST_CASE("a test that ends after its time has failed", "[drivers][guest]") {
  guest_machine machine;
  CHECK(run_guest_test(machine, guest::vblank_wait, {"--timeout-ms=100"}) == exit_code::fail);
  CHECK(machine.text.find("FAIL vblank_wait: it has not ended after 100 ms") != std::string::npos);
}

namespace {

/// A call that does not return until the case lets it.
class stuck_call {
 public:
  void enter() {
    std::unique_lock hold{mutex_};
    is_entered_ = true;
    changed_.notify_all();
    changed_.wait(hold, [&] { return is_released_; });
  }
  void wait_entered() {
    std::unique_lock hold{mutex_};
    changed_.wait(hold, [&] { return is_entered_; });
  }
  void release() {
    const std::lock_guard hold{mutex_};
    is_released_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_entered_ = false;
  bool is_released_ = false;
};
stuck_call* stuck = nullptr;

/// Windows as `windows/user32_desktop.cpp` has it: the test runs on a thread of its own, and its
/// time is up once it is stuck.
class threaded_machine : public guest_machine {
 public:
  ~threaded_machine() {
    if (worker_.joinable()) worker_.join();
  }
  auto run_within(std::uint32_t, guest::task work) -> bool override {
    worker_ = std::thread{[this, work] {
      const sim::thread_scope here{pc};
      work.run(work.with);
    }};
    stuck->wait_entered();
    return false;
  }
  void join() { worker_.join(); }

 private:
  std::thread worker_;
};

}  // namespace

TEST_CASE("a call that never returns fails the test, with what was found before it",
          "[drivers][guest]") {
  stuck_call held;
  stuck = &held;
  threaded_machine machine;
  machine.thunks_of_kernel.D3DKMTWaitForVerticalBlankEvent =
      [](const D3DKMT_WAITFORVERTICALBLANKEVENT*) -> NTSTATUS {
    stuck->enter();
    return STATUS_SUCCESS;
  };
  guest::program program{guest::vblank_wait, machine};
  const std::string_view words[]{"--timeout-ms=50", "--json"};
  CHECK(program.run(words) == exit_code::fail);
  CHECK(machine.text ==
        "{\"test\":\"vblank_wait\",\"result\":\"FAIL\",\"reason\":\"it has not ended after 50 "
        "ms\",\"findings\":[]}\n");
  held.release();
  machine.join();
}

TEST_CASE("a report that holds nothing, or more than fits, is no success", "[drivers][guest]") {
  guest::report empty;
  CHECK(empty.result() == guest::verdict::fail);
  empty.note("a note", {});
  CHECK(empty.result() == guest::verdict::fail);

  const int findings = GENERATE(39, 40, 41);
  guest::report full;
  for (int i = 0; i < findings; ++i) CHECK(full.check(true, "a rule"));
  CHECK(full.result() == (findings <= 40 ? guest::verdict::pass : guest::verdict::fail));
}

TEST_CASE("a broken rule outweighs a skip", "[drivers][guest]") {
  guest::report found;
  found.skip(guest::message{"why"});
  CHECK(found.result() == guest::verdict::skip);
  CHECK_FALSE(found.check(false, "a rule"));
  CHECK(found.result() == guest::verdict::fail);
}
