// SPDX-License-Identifier: MIT
/// Recording, splitting, submitting and completing on a fake runtime.
#include "tests/drivers/umd/rigs/device_rig.hpp"
#include "tests/drivers/umd/rigs/recording.hpp"
#include "tests/drivers/umd/submission/heard_environment.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace aerogpu::umd::test {

TEST_CASE("a recorded stream arrives as it was written, with header and size", "[umd][T001]") {
  device_rig rig;
  record_viewport(rig.device.commands);
  CHECK(rig.runtime.submissions().empty());
  REQUIRE(rig.device.commands.submit() == S_OK);
  const byte_vector& stream = rig.runtime.last().stream;
  const auto header = load<aerogpu_cmd_stream_header>(stream.data());
  CHECK(header.magic == std::uint32_t{AEROGPU_CMD_STREAM_MAGIC});
  CHECK(header.abi_version == AEROGPU_ABI_VERSION_U32);
  CHECK(header.size_bytes == stream.size());
  CHECK(header.flags == 0);
  CHECK(packets_of<aerogpu_cmd_set_viewport>(stream).size() == 1);
}

TEST_CASE("an empty stream is never submitted", "[umd][T021][T035]") {
  device_rig rig;
  CHECK(rig.device.commands.submit() == S_OK);
  CHECK(rig.device.commands.submit(submission_kind::present) == S_OK);
  // An operation that reserved and wrote nothing leaves nothing behind either.
  const guest_backing memory = allocate_backing(rig, 64);
  REQUIRE(rig.device.commands.reserve(64, std::array{allocation_use{memory, true}}) == S_OK);
  CHECK(rig.device.commands.submit() == S_OK);
  CHECK(rig.runtime.submissions().empty());
  record_viewport(rig.device.commands);
  REQUIRE(rig.device.commands.submit() == S_OK);
  CHECK(rig.runtime.last().lists(memory.allocation) == nullptr);
  rig.runtime.deallocate(memory.allocation, nullptr);
}

TEST_CASE("buffers rotate, and an old one is never written again", "[umd][T015]") {
  device_rig rig({.command_bytes = 512});  // The fake watches its old buffers.
  for (int i = 0; i < 100; ++i) record_viewport(rig.device.commands);
  REQUIRE(rig.device.commands.submit() == S_OK);
  CHECK(rig.runtime.submissions().size() > 5);
  std::size_t packets = 0;
  for (const seen_submission& each : rig.runtime.submissions()) {
    packets += packets_of<aerogpu_cmd_set_viewport>(each.stream).size();
  }
  CHECK(packets == 100);
}

TEST_CASE("an upload larger than the buffer arrives in pieces that make the whole", "[umd][T017]") {
  device_rig rig({.command_bytes = 512});
  recorder& commands = rig.device.commands;
  const resource_handle buffer = rig.adapter.handles.next_resource();
  constexpr std::uint32_t size = 5000;
  REQUIRE(commands.reserve(packet_bytes<aerogpu_cmd_create_buffer>()) == S_OK);
  REQUIRE(
      commands.packets().create_buffer({buffer, AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER, size, {}}));
  byte_vector content(size);
  for (std::size_t i = 0; i < size; ++i) content[i] = static_cast<std::byte>(i * 7);
  REQUIRE(upload_in_pieces(commands, buffer, content));
  REQUIRE(commands.submit() == S_OK);

  CHECK(rig.runtime.submissions().size() > 10);
  byte_vector arrived(size);
  for (const seen_submission& each : rig.runtime.submissions()) {
    for (const auto& piece : packets_of<aerogpu_cmd_upload_resource>(each.stream)) {
      std::copy_n(piece.payload.begin(), static_cast<std::size_t>(piece.fields.size_bytes),
                  arrived.begin() + static_cast<std::ptrdiff_t>(piece.fields.offset_bytes));
    }
  }
  CHECK(arrived == content);
}

TEST_CASE("what exceeds an empty buffer is out of memory, once and without a submission",
          "[umd][T018]") {
  const auto room = GENERATE(std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{UINT32_MAX} - 512,
                             UINT64_MAX - 512);
  device_rig rig({.command_bytes = 512});
  const std::uint64_t largest = rig.device.commands.largest_room_bytes();
  CHECK(largest == 512 - 24);
  CHECK(rig.device.commands.reserve(largest + room) == (room == 0 ? S_OK : E_OUTOFMEMORY));
  CHECK(rig.runtime.submissions().empty());
  record_viewport(rig.device.commands);
  CHECK(rig.device.commands.reserve(largest + room) == (room == 0 ? S_OK : E_OUTOFMEMORY));
  CHECK(rig.runtime.submissions().size() == 1);
}

TEST_CASE("a recorder without persistent buffers asks for each", "[umd][T019]") {
  device_rig rig({.command_bytes = 4096, .buffers = buffer_model::acquired});
  const std::uint64_t at_start = rig.runtime.acquired();
  record_viewport(rig.device.commands);
  REQUIRE(rig.device.commands.submit() == S_OK);
  record_viewport(rig.device.commands);
  REQUIRE(rig.device.commands.reserve(10'000) == S_OK);  // Grows to what is needed.
  CHECK(rig.runtime.acquired() == at_start + 2);
  CHECK(rig.runtime.submissions().size() == 2);
}

TEST_CASE("a buffer that cannot be had fails the operation and not the device", "[umd][T019]") {
  device_rig rig({.command_bytes = 4096, .buffers = buffer_model::acquired});
  record_viewport(rig.device.commands);
  REQUIRE(rig.device.commands.submit() == S_OK);
  rig.runtime.fail_next_call(E_FAIL);
  CHECK(rig.device.commands.reserve(64) == E_OUTOFMEMORY);
  CHECK(rig.device.commands.is_empty());
  CHECK(rig.device.commands.reserve(64) == S_OK);
}

TEST_CASE("fences are the submission's number, whatever other devices do", "[umd][T023]") {
  device_rig one;
  device_rig two;
  record_viewport(one.device.commands);
  CHECK(one.device.commands.pending_fence() == fence_value{1});
  REQUIRE(one.device.commands.submit() == S_OK);
  CHECK(one.device.commands.pending_fence() == fence_value{1});
  CHECK(two.device.commands.pending_fence() == fence_value{0});
  record_viewport(two.device.commands);
  REQUIRE(two.device.commands.submit() == S_OK);
  CHECK(two.runtime.last().fence == fence_value{1});
}

TEST_CASE("a failed submission loses the device once and for all, and is logged", "[umd][T230]") {
  const auto [failure, kept] = GENERATE(table<HRESULT, HRESULT>({
      {E_FAIL, D3DERR_DEVICELOST},
      {E_OUTOFMEMORY, D3DERR_DEVICELOST},
      {D3DERR_DEVICEREMOVED, D3DERR_DEVICEREMOVED},
      {D3DERR_DEVICEHUNG, D3DERR_DEVICEHUNG},
  }));
  device_rig rig({.gives_fences = true});
  record_viewport(rig.device.commands);
  rig.runtime.fail_next_call(failure);
  CHECK(rig.device.commands.submit() == kept);
  CHECK(rig.device.loss.code() == kept);
  CHECK(rig.device.commands.is_empty());
  CHECK(rig.system.logged("device lost: render submit via RenderCb failed hr=0x") == 1);
  const std::uint64_t calls = rig.runtime.calls();
  CHECK(rig.device.commands.reserve(64) == kept);
  CHECK(rig.device.commands.submit() == kept);
  CHECK(rig.runtime.calls() == calls);
}

TEST_CASE("a lost device keeps its first code", "[umd][T230]") {
  device_loss loss;
  CHECK_FALSE(loss.is_lost());
  CHECK(loss.note(E_FAIL));
  CHECK_FALSE(loss.note(D3DERR_DEVICEREMOVED));
  CHECK(loss.code() == D3DERR_DEVICELOST);
}

TEST_CASE("a call on a lost device fails with the code, or succeeds where nothing is lost",
          "[umd][T230]") {
  device_rig rig;
  CHECK(device_call{nullptr}.refusal() == E_INVALIDARG);
  CHECK(device_call{&rig.device, static_cast<const int*>(nullptr)}.refusal() == E_INVALIDARG);
  CHECK(rig.device.loss.note(D3DERR_DEVICEHUNG));
  CHECK(device_call{&rig.device}.refusal() == D3DERR_DEVICEHUNG);
  const device_call state{&rig.device, when_lost::succeeds};
  REQUIRE(state);
  CHECK(state.result(D3DERR_DEVICEHUNG) == S_OK);
  CHECK(state.result(S_FALSE) == S_FALSE);
}

TEST_CASE("three splits of a frame for one reason ask for twice as much, up to the cap", "[umd]") {
  device_rig rig({.command_bytes = 512, .list_entries = 3});
  recorder& commands = rig.device.commands;
  const auto split = [&] {
    record_viewport(commands);
    REQUIRE(commands.reserve(commands.largest_room_bytes()) == S_OK);
  };
  split();
  split();
  commands.end_frame();
  split();
  split();
  CHECK(rig.runtime.wished_bytes() == 0);
  split();
  CHECK(rig.runtime.wished_bytes() == 1024);
  CHECK(rig.runtime.wished_entries() == 0);
  rig.runtime.set_next_space(recorder::most_wished_bytes - 4, 3);
  commands.end_frame();
  split();
  split();
  split();
  CHECK(rig.runtime.wished_bytes() == recorder::most_wished_bytes);
}

TEST_CASE("each submission is a log line when asked for, with rising fences", "[umd][T248]") {
  device_rig quiet;
  record_viewport(quiet.device.commands);
  REQUIRE(quiet.device.commands.submit() == S_OK);
  CHECK(quiet.system.logged("submit ") == 0);

  fake_system system;
  const heard_environment heard{system, {{"AEROGPU_D3D9_LOG_SUBMITS", "1"}}};
  fake_runtime runtime;
  adapter owner{{0, {1, 1}}, plain_facts()};
  device loud{owner, runtime};
  REQUIRE(start_device(loud) == S_OK);
  record_viewport(loud.commands);
  REQUIRE(loud.commands.submit() == S_OK);
  record_viewport(loud.commands);
  REQUIRE(loud.commands.submit(submission_kind::present) == S_OK);
  CHECK(system.logged("submit cmd_bytes=56 fence=1 present=0") == 1);
  CHECK(system.logged("submit cmd_bytes=56 fence=2 present=1") == 1);
  stop_device(loud);
}

TEST_CASE("every call of a device's start that fails unmakes what was made", "[umd][T232]") {
  for (std::uint64_t call = 1;; ++call) {
    fake_system system;
    fake_runtime runtime;  // Finds that nothing is left.
    adapter owner{{0, {1, 1}}, plain_facts()};
    device starting{owner, runtime};
    runtime.fail_call(call, E_FAIL);
    if (start_device(starting) == S_OK) {
      CHECK(call == 1 + 1 + marker_ring::slots);
      stop_device(starting);
      break;
    }
    CHECK(runtime.live_allocations() == 0);
  }
}

TEST_CASE("a context without room for a packet is no device", "[umd]") {
  const auto [bytes, entries] =
      GENERATE(table<std::uint32_t, std::uint32_t>({{0, 4}, {255, 4}, {4096, 0}}));
  fake_system system;
  fake_runtime runtime({.command_bytes = bytes, .list_entries = entries});
  adapter owner{{0, {1, 1}}, plain_facts()};
  device starting{owner, runtime};
  CHECK(start_device(starting) == E_FAIL);
}

}  // namespace aerogpu::umd::test
