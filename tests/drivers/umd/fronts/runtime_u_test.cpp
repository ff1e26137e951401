// SPDX-License-Identifier: MIT
/// The callbacks of profile U in every variance: routes, buffers, private data, fences, waits.
#include "aerogpu/abi/dbgctl_escape.h"
#include "drivers/win7/umd/d3d9/resource/creation.hpp"
#include "tests/drivers/umd/fronts/fake_callbacks_u.hpp"
#include "tests/drivers/umd/rigs/recording.hpp"

namespace aerogpu::umd::test {

namespace {

/// Which callbacks a runtime has, and through which one each kind of work has to go.
struct route_row {
  const char* name;
  bool has_render, has_present, has_present_bit, has_submit;
  const char* render;
  const char* present;
};
constexpr route_row routes[] = {
    {"both", true, true, false, false, "RenderCb", "PresentCb"},
    {"both and SubmitCommandCb", true, true, false, true, "RenderCb", "PresentCb"},
    {"RenderCb with a present bit", true, false, true, true, "RenderCb", "RenderCb"},
    {"RenderCb without a bit", true, false, false, false, "RenderCb", "RenderCb"},
    {"RenderCb, SubmitCommandCb", true, false, false, true, "RenderCb", "SubmitCommandCb"},
    {"SubmitCommandCb alone", false, false, false, true, "SubmitCommandCb", "SubmitCommandCb"},
    {"PresentCb, SubmitCommandCb", false, true, false, true, "SubmitCommandCb", "PresentCb"},
};

[[nodiscard]] auto variance_of(const route_row& row) -> variance_u {
  variance_u how;
  how.has_render = row.has_render;
  how.has_present = row.has_present;
  how.has_present_bit = row.has_present_bit;
  how.has_submit = row.has_submit;
  return how;
}

[[nodiscard]] auto submit(device_u_rig& rig, submission_kind kind) -> HRESULT {
  record_viewport(rig.core().commands);
  return rig.core().commands.submit(kind);
}

/// The kernel driver's fence counters.
void answer_fences(fake_system& system, const std::uint64_t& submitted,
                   const std::uint64_t& completed, int& asked) {
  system.answerer = [&](mutable_bytes buffer) {
    if (buffer.size() != sizeof(aerogpu_escape_query_fence_out)) return false;
    auto out = load<aerogpu_escape_query_fence_out>(buffer.data());
    out.last_submitted_fence = submitted;
    out.last_completed_fence = completed;
    store(buffer.data(), out);
    ++asked;
    return true;
  };
}

}  // namespace

TEST_CASE("every runtime gets each submission where it looks for it, exactly typed",
          "[umd][T010][T011][T012][T013][T015][T016][T020]") {
  const auto& row = GENERATE(from_range(std::begin(routes), std::end(routes)));
  const auto lending = GENERATE(lending_u::persistent, lending_u::borrowed, lending_u::allocated);
  const bool lies_within = GENERATE(false, true);
  const bool has_patches = GENERATE(false, true);
  CAPTURE(row.name, lending, lies_within, has_patches);
  variance_u how = variance_of(row);
  how.lending = lending;
  how.lies_in_dma_buffer = lies_within && lending != lending_u::persistent;
  how.has_patches = has_patches;
  how.private_bytes = has_patches ? 16 : 40;
  device_u_rig rig{how};
  for (int i = 0; i < 3; ++i) {
    CHECK(submit(rig, submission_kind::render) == S_OK);
    CHECK(submit(rig, submission_kind::present) == S_OK);
  }
  REQUIRE(rig.callbacks.seen.size() == 6);
  for (std::size_t i = 0; i < 6; ++i) {
    const bool is_present = i % 2 == 1;
    const seen_work_u& work = rig.callbacks.seen[i];
    CHECK(work.through == (is_present ? row.present : row.render));
    CHECK(work.type == (is_present ? 2u : 1u));
    CHECK(work.has_present_bit == (is_present && row.has_present_bit));
    CHECK(work.private_bytes == 16);
    CHECK(work.private_tail_is_kept);
    CHECK(work.list.empty());
  }
  CHECK((rig.callbacks.buffers_borrowed != 0) == (lending == lending_u::borrowed));
  CHECK((rig.callbacks.buffers_given != 0) == (lending == lending_u::allocated));
}

TEST_CASE("buffers of AllocateCb that were never submitted go back with the device",
          "[umd][T016]") {
  variance_u how;
  how.lending = lending_u::allocated;
  device_u_rig rig{how};
  record_viewport(rig.core().commands);
  CHECK(rig.callbacks.buffers_out == 1);
}

TEST_CASE("what GetCommandBufferCb leaves out is asked of AllocateCb", "[umd][T016]") {
  variance_u how;
  how.lending = lending_u::allocated;
  how.borrows_nothing = true;
  device_u_rig rig{how};
  const int before = rig.callbacks.buffers_given;
  CHECK(submit(rig, submission_kind::render) == S_OK);
  CHECK(rig.callbacks.buffers_borrowed != 0);
  CHECK(rig.callbacks.buffers_given == before + 1);
  CHECK(rig.callbacks.buffers_out == 0);
}

TEST_CASE("a present that fails is tried nowhere else, and the device is lost",
          "[umd][T014][T230]") {
  variance_u how;
  how.has_submit = true;
  device_u_rig rig{how};
  rig.callbacks.submit_result = E_OUTOFMEMORY;
  CHECK(submit(rig, submission_kind::present) == D3DERR_DEVICELOST);
  CHECK(rig.callbacks.seen.empty());
  CHECK(rig.system.logged("device lost: present submit via PresentCb failed hr=0x8007000e") == 1);
  rig.callbacks.submit_result = S_OK;
  CHECK(rig.functions.pfnFlush(rig.device) == D3DERR_DEVICELOST);
  CHECK(rig.functions.pfnSetRenderState(rig.device, D3DRS_LIGHTING, 0) == S_OK);
  CHECK(rig.callbacks.seen.empty());
}

TEST_CASE("a command buffer within a DMA buffer holds what is behind its start", "[umd][T008]") {
  std::array<std::byte, 256> memory{};
  const auto capacity = [&](std::ptrdiff_t offset, std::uint32_t size) {
    return front_u::command_capacity(memory.data() + 128, size, memory.data() + 128 + offset);
  };
  CHECK(capacity(0, 128) == 128);
  CHECK(capacity(48, 128) == 80);
  CHECK(capacity(127, 128) == 1);
  CHECK(capacity(128, 128) == 0);
  CHECK(capacity(-1, 128) == 128);
  CHECK(capacity(100, 64) == 64);
  CHECK(capacity(0, 0) == 0);
  CHECK(front_u::command_capacity(nullptr, 64, memory.data()) == 64);
  CHECK(front_u::command_capacity(memory.data(), 64, nullptr) == 64);
}

TEST_CASE("private data that is missing or short is refused, and said once", "[umd][T010]") {
  fake_system system;
  std::array<std::byte, 32> memory{};
  memory.fill(std::byte{0x77});
  front_u::submission_buffers buffers;
  CHECK(front_u::stamp_private_data(buffers, submission_kind::render) == E_INVALIDARG);
  buffers.private_data = memory.data();
  buffers.private_data_bytes = 15;
  CHECK(front_u::stamp_private_data(buffers, submission_kind::render) == E_INVALIDARG);
  CHECK(memory[0] == std::byte{0x77});
  buffers.private_data_bytes = 32;
  CHECK(front_u::stamp_private_data(buffers, submission_kind::present) == S_OK);
  CHECK(load<std::uint32_t>(memory.data()) == 2);
  CHECK(load<std::uint64_t>(memory.data() + 8) == 0);
  CHECK(memory[16] == std::byte{0x77});
  CHECK(system.logged("submit missing/invalid dma private data") <= 1);
}

TEST_CASE("a context without private data and nobody to ask makes no callback", "[umd][T010]") {
  variance_u how;
  how.private_bytes = GENERATE(0u, 8u);
  how.gives_memory = false;
  device_u_rig rig{how};
  CHECK(rig.functions.pfnFlush(rig.device) == D3DERR_DEVICELOST);
  CHECK(rig.callbacks.seen.empty());
}

TEST_CASE("the fence is the first field that has one", "[umd][T022]") {
  const auto field = GENERATE(fence_field_u::id, fence_field_u::fence, fence_field_u::pointer,
                              fence_field_u::fresh);
  variance_u how = variance_of(routes[5]);
  how.fence = field;
  device_u_rig rig{how};
  std::uint64_t submitted = 0;
  std::uint64_t completed = 0;
  int asked = 0;
  answer_fences(rig.system, submitted, completed, asked);
  rig.callbacks.next_fence = 700;
  REQUIRE(submit(rig, submission_kind::render) == S_OK);
  completion& fences = rig.core().commands.completion();
  completed = 699;
  rig.system.advance(completion::poll_interval_ns);
  CHECK(raw(fences.poll(rig.system.now_ns())) + 1 == raw(fences.submitted()));
  completed = 700;
  rig.system.advance(completion::poll_interval_ns);
  CHECK(fences.poll(rig.system.now_ns()) == fences.submitted());
}

TEST_CASE("without any fence the kernel driver's counter stands in", "[umd][T022]") {
  variance_u how;
  how.fence = fence_field_u::none;
  device_u_rig rig{how};
  std::uint64_t submitted = 55;
  std::uint64_t completed = 54;
  int asked = 0;
  answer_fences(rig.system, submitted, completed, asked);
  REQUIRE(submit(rig, submission_kind::render) == S_OK);
  completion& fences = rig.core().commands.completion();
  rig.system.advance(completion::poll_interval_ns);
  CHECK(fences.poll(rig.system.now_ns()) != fences.submitted());
  completed = 55;
  rig.system.advance(completion::poll_interval_ns);
  CHECK(fences.poll(rig.system.now_ns()) == fences.submitted());
  CHECK(rig.system.logged("fence fallback") <= 1);
}

TEST_CASE("a narrow id is the value next to what is known", "[umd][T022]") {
  CHECK(front_u::widen_fence_id(5, 0) == 5);
  CHECK(front_u::widen_fence_id(0xFFFF'FFFF, 0) == 0xFFFF'FFFF);
  CHECK(front_u::widen_fence_id(2, 0xFFFF'FFFE) == 0x1'0000'0002);
  CHECK(front_u::widen_fence_id(0xFFFF'FFFE, 0x3'0000'0001) == 0x2'FFFF'FFFE);
  CHECK(front_u::widen_fence_id(7, 0x3'0000'0001) == 0x3'0000'0007);
}

TEST_CASE("submissions complete in order, and those beyond the last place together", "[umd]") {
  front_u::kernel_fences fences;
  constexpr std::uint64_t more = front_u::kernel_fences::most_pending + 3;
  for (std::uint64_t i = 1; i <= more; ++i) fences.note(fence_value{i}, 10 * i);
  CHECK(fences.oldest_pending() == fence_value{1});
  CHECK(fences.finished_by(9) == fence_value{0});
  CHECK(fences.finished_by(25) == fence_value{2});
  CHECK(fences.value_of(fence_value{2}) == 0);
  CHECK(fences.value_of(fence_value{3}) == 30);
  CHECK(fences.value_of(fence_value{more - 1}) == 10 * more);
  CHECK(raw(fences.finished_by(10 * more - 1)) < more - 1);
  CHECK(fences.finished_by(10 * more) == fence_value{more});
}

TEST_CASE("the fence escape goes out once in 4 ms of a tight poll", "[umd][T024]") {
  device_u_rig rig;
  std::uint64_t submitted = 0;
  std::uint64_t completed = 0;
  int asked = 0;
  answer_fences(rig.system, submitted, completed, asked);
  REQUIRE(submit(rig, submission_kind::render) == S_OK);
  completion& fences = rig.core().commands.completion();
  asked = 0;
  rig.system.advance(completion::poll_interval_ns);
  for (int i = 0; i < 1000; ++i) static_cast<void>(fences.poll(rig.system.now_ns()));
  CHECK(asked == 1);
  completed = 1'000'000;
  rig.system.advance(completion::poll_interval_ns);
  CHECK(fences.poll(rig.system.now_ns()) == fences.submitted());
  CHECK(asked == 2);
}

TEST_CASE("a synchronisation object is waited for, and polling is for runtimes without",
          "[umd][T025]") {
  variance_u how;
  const bool has_object = GENERATE(false, true);
  how.sync_object = has_object ? 0x40000200 : 0;
  device_u_rig rig{how};
  std::uint64_t submitted = 0;
  std::uint64_t completed = 0;
  int asked = 0;
  answer_fences(rig.system, submitted, completed, asked);
  std::vector<std::uint64_t> waits;
  rig.system.waiter = [&](std::uint64_t fence, std::uint32_t milliseconds) {
    CHECK(milliseconds <= 250);
    waits.push_back(fence);
    return os::wait_status::complete;
  };
  rig.callbacks.next_fence = 40;
  REQUIRE(submit(rig, submission_kind::render) == S_OK);
  completion& fences = rig.core().commands.completion();
  if (!has_object) completed = 40;
  rig.system.advance(completion::poll_interval_ns);
  CHECK(fences.wait(fences.submitted(), completion::idle_limit_ns));
  CHECK(waits == (has_object ? std::vector<std::uint64_t>{40} : std::vector<std::uint64_t>{}));
}

TEST_CASE("a wait that fails makes way for polling, for good", "[umd][T025]") {
  variance_u how;
  how.sync_object = 0x40000200;
  device_u_rig rig{how};
  std::uint64_t submitted = 0;
  std::uint64_t completed = 1000;
  int asked = 0;
  int waits = 0;
  answer_fences(rig.system, submitted, completed, asked);
  rig.system.waiter = [&](std::uint64_t, std::uint32_t) {
    ++waits;
    return os::wait_status::failed;
  };
  completion& fences = rig.core().commands.completion();
  for (int i = 0; i < 3; ++i) {
    REQUIRE(submit(rig, submission_kind::render) == S_OK);
    rig.system.advance(completion::poll_interval_ns);
    CHECK(fences.wait(fences.submitted(), completion::idle_limit_ns));
  }
  CHECK(waits <= 1);
  CHECK(asked != 0);
}

TEST_CASE("a wait that times out ends at its limit", "[umd][T025]") {
  variance_u how;
  how.sync_object = 0x40000200;
  device_u_rig rig{how};
  std::uint64_t slept_ms = 0;
  rig.system.waiter = [&](std::uint64_t, std::uint32_t milliseconds) {
    slept_ms += milliseconds;
    rig.system.advance((milliseconds == 0 ? 1 : milliseconds) * std::uint64_t{1'000'000});
    return os::wait_status::timed_out;
  };
  REQUIRE(submit(rig, submission_kind::render) == S_OK);
  completion& fences = rig.core().commands.completion();
  CHECK_FALSE(fences.wait(fences.submitted(), 600'000'000));
  CHECK(slept_ms == 600);
  rig.system.waiter = [](std::uint64_t, std::uint32_t) { return os::wait_status::complete; };
}

TEST_CASE("an upload larger than any command buffer arrives in pieces, whole", "[umd][T017]") {
  variance_u how;
  how.lending = GENERATE(lending_u::persistent, lending_u::borrowed);
  how.command_bytes = 4096;
  how.has_submit = GENERATE(false, true);
  how.has_render = !how.has_submit;
  device_u_rig rig{how};
  rig.core().resources.rule = backing_rule::nothing;
  u::D3D9DDIARG_CREATERESOURCE create{};
  create.Type = D3DRTYPE_VERTEXBUFFER;
  create.Size = 20'000;
  REQUIRE(rig.functions.pfnCreateResource(rig.device, &create) == S_OK);
  u::D3D9DDI_LOCKED_BOX box{};
  const u::D3D9DDIARG_LOCK lock{create.hResource, 0, 0, 0};
  REQUIRE(rig.functions.pfnLock(rig.device, &lock, &box) == S_OK);
  byte_vector wanted(20'000);
  for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = static_cast<std::byte>(i * 7);
  std::copy(wanted.begin(), wanted.end(), static_cast<std::byte*>(box.pData));
  const u::D3D9DDIARG_UNLOCK unlock{create.hResource, 0, 0};
  REQUIRE(rig.functions.pfnUnlock(rig.device, &unlock) == S_OK);
  REQUIRE(rig.functions.pfnFlush(rig.device) == S_OK);
  byte_vector arrived(20'000);
  for (const seen_work_u& work : rig.callbacks.seen) {
    for (const auto& upload : packets_of<aerogpu_cmd_upload_resource>(work.stream)) {
      const auto at = static_cast<std::size_t>(upload.fields.offset_bytes);
      std::copy_n(upload.payload.begin(), static_cast<std::size_t>(upload.fields.size_bytes),
                  arrived.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }
  CHECK(arrived == wanted);
  CHECK(rig.callbacks.seen.size() >= 5);
  CHECK(rig.functions.pfnDestroyResource(rig.device, create.hResource) == S_OK);
}

TEST_CASE("a packet that no buffer holds is refused, and the device goes on", "[umd][T018]") {
  variance_u how;
  how.command_bytes = 4096;
  how.lending = GENERATE(lending_u::persistent, lending_u::borrowed);
  device_u_rig rig{how};
  CHECK(rig.core().commands.reserve(8192) == E_OUTOFMEMORY);
  CHECK(submit(rig, submission_kind::render) == S_OK);
}

TEST_CASE("Flush of an empty stream calls nobody back in profile U", "[umd][T021]") {
  device_u_rig rig;
  CHECK(rig.functions.pfnFlush(rig.device) == S_OK);
  CHECK(rig.callbacks.seen.empty());
}

TEST_CASE("a device without callbacks completes what it records", "[umd]") {
  device_u_rig rig;
  u::D3D9DDIARG_CREATEDEVICE create{};
  create.hAdapter = rig.adapter_handle;
  u::D3D9DDI_DEVICEFUNCS functions{};
  REQUIRE(rig.adapter.pfnCreateDevice(&create, &functions) == S_OK);
  u::D3D9DDIARG_CREATERESOURCE texture{};
  texture.Type = D3DRTYPE_TEXTURE;
  texture.Format = D3DFMT_A8R8G8B8;
  texture.Width = texture.Height = 16;
  texture.MipLevels = 1;
  CHECK(functions.pfnCreateResource(create.hDevice, &texture) == S_OK);
  CHECK(functions.pfnFlush(create.hDevice) == S_OK);
  CHECK(functions.pfnWaitForIdle(create.hDevice) == S_OK);
  CHECK(functions.pfnDestroyResource(create.hDevice, texture.hResource) == S_OK);
  CHECK(functions.pfnDestroyDevice(create.hDevice) == S_OK);
}

}  // namespace aerogpu::umd::test
