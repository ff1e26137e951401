// SPDX-License-Identifier: MIT
/// Locks: where they point, what unlocking sends, when they wait, and what they read back.
#include "drivers/win7/umd/d3d9/resource/renaming.hpp"
#include "drivers/win7/umd/d3d9/state/targets.hpp"
#include "tests/drivers/umd/resource/resource_rig.hpp"

#include <algorithm>

namespace aerogpu::umd::test {

namespace {

[[nodiscard]] auto range_of(std::uint64_t offset, std::uint64_t size) -> lock_request {
  lock_request request;
  request.range = byte_range{offset, size};
  return request;
}
[[nodiscard]] auto area_of(rectangle area) -> lock_request {
  lock_request request;
  request.area = area;
  return request;
}
[[nodiscard]] auto discarding() -> lock_request {
  lock_request request;
  request.discards = true;
  request.is_write_only = true;
  return request;
}
[[nodiscard]] auto impatient(lock_request request = {}) -> lock_request {
  request.may_wait = false;
  return request;
}
[[nodiscard]] auto nested(lock_request request) -> lock_request {
  request.may_nest = true;
  return request;
}
[[nodiscard]] auto dynamic_buffer(std::uint64_t size) -> resource_request {
  resource_request request = buffer_of(size);
  request.flags.is_dynamic = true;
  return request;
}

/// Records something that reads a guest-backed resource.
void use(device_rig& rig, resource& of) {
  const allocation_use used{of.backing, false};
  auto& commands = rig.device.commands;
  REQUIRE(commands.reserve(packet_bytes<aerogpu_cmd_set_viewport>(), std::span{&used, 1}) == S_OK);
  REQUIRE(commands.packets().set_viewport({0, 0, 4, 4, 0, 1}));
  of.last_use = commands.pending_fence();
}

}  // namespace

TEST_CASE("a byte of a texture lies in the subresource that holds it", "[umd][T075]") {
  device_rig rig;
  const auto format =
      GENERATE(D3DFMT_A8R8G8B8, D3DFMT_R5G6B5, D3DFMT_DXT1, D3DFMT_DXT3, D3DFMT_DXT5);
  resource& texture = make(rig, texture_of(16, 16, format, 3));
  const texture_layout& layout = *texture.layout();
  for (std::uint32_t mip = 0; mip < 3; ++mip) {
    const auto at = layout.locate({mip, 0});
    std::uint32_t subresource = 99;
    std::uint64_t rest = 99;
    REQUIRE(locate_byte(texture, at.offset_bytes, subresource, rest) == S_OK);
    CHECK(subresource == mip);
    CHECK(rest == 0);
    REQUIRE(locate_byte(texture, at.offset_bytes + at.size_bytes() - 1, subresource, rest) == S_OK);
    CHECK(subresource == mip);
    CHECK(rest == at.size_bytes() - 1);
    // Size 0: to the end of that subresource.
    lock_request inside = range_of(1, 0);
    inside.subresource = mip;
    located_range where;
    REQUIRE(locate_request(texture, inside, where) == S_OK);
    CHECK(where.bytes == byte_range{at.offset_bytes + 1, at.size_bytes() - 1});
  }
  std::uint32_t subresource = 99;
  std::uint64_t rest = 0;
  CHECK(locate_byte(texture, texture.size_bytes, subresource, rest) == S_OK);
  CHECK(locate_byte(texture, texture.size_bytes + 1, subresource, rest) == E_INVALIDARG);
}

TEST_CASE("a lock reports the pitch of its level", "[umd][T076]") {
  device_rig rig;
  resource& texture = make(rig, texture_of(64, 32, D3DFMT_R5G6B5, 4));
  for (std::uint32_t mip = 0; mip < 4; ++mip) {
    lock_request request;
    request.subresource = mip;
    const lock_answer at = lock(rig, texture, request);
    CHECK(at.row_pitch_bytes == (64u >> mip) * 2);
    CHECK(at.slice_pitch_bytes == (64u >> mip) * 2 * (32u >> mip));
    unlock(rig, texture, mip);
  }
}

TEST_CASE("an area points at its first texel", "[umd][T076]") {
  device_rig rig;
  resource& texture = make(rig, texture_of(16, 16));
  std::byte* const start = lock(rig, texture).bytes;
  unlock(rig, texture);
  CHECK(lock(rig, texture, area_of({3, 5, 7, 9})).bytes == start + 5 * 64 + 3 * 4);
  unlock(rig, texture);
  resource& blocks = make(rig, texture_of(16, 16, D3DFMT_DXT1));
  std::byte* const first = lock(rig, blocks).bytes;
  unlock(rig, blocks);
  CHECK(lock(rig, blocks, area_of({4, 8, 8, 12})).bytes == first + 2 * 32 + 8);
  unlock(rig, blocks);
}

TEST_CASE("an area that reaches out is cut to the surface", "[umd][T076]") {
  device_rig rig;
  resource& texture = make(rig, texture_of(16, 16));
  const auto [area, first, last] =
      GENERATE(Catch::Generators::table<rectangle, std::uint64_t, std::uint64_t>(
          {{{-1, -2, 4, 4}, 0, 3 * 64 + 16},
           {{8, 12, 17, 400}, 12 * 64 + 32, 16 * 64},
           {{4, 4, 4, 8}, 4 * 64 + 16, 8 * 64},
           {{2, 9, 1, 3}, 9 * 64 + 8, 16 * 64},
           {{16, 20, 30, 40}, 15 * 64 + 60, 16 * 64},
           {{INT32_MIN, INT32_MIN, INT32_MAX, INT32_MAX}, 0, 16 * 64}}));
  located_range where;
  REQUIRE(locate_request(texture, area_of(area), where) == S_OK);
  CHECK(where.offset == first);
  CHECK(where.bytes == byte_range{first, last - first});
  std::memset(lock(rig, texture, area_of(area)).bytes, 0x42, last - first);
  unlock(rig, texture);
  byte_vector expected(16 * 64);
  std::fill(expected.begin() + static_cast<std::ptrdiff_t>(first),
            expected.begin() + static_cast<std::ptrdiff_t>(last), std::byte{0x42});
  CHECK(host_bytes(rig, texture) == expected);
}

TEST_CASE("an area that cuts blocks names all of them", "[umd][T076]") {
  device_rig rig;
  resource& blocks = make(rig, texture_of(18, 16, D3DFMT_DXT1));  // 5 blocks across, 40 bytes.
  located_range where;
  REQUIRE(locate_request(blocks, area_of({6, 5, 7, 9}), where) == S_OK);
  CHECK(where.bytes == byte_range{40 + 8, 40 + 8});
  REQUIRE(locate_request(blocks, area_of({17, 15, 18, 16}), where) == S_OK);
  CHECK(where.bytes == byte_range{3 * 40 + 32, 8});
  REQUIRE(locate_request(blocks, area_of({6, 5, 6, 5}), where) == S_OK);
  CHECK(where.bytes == byte_range{40 + 8, 3 * 40 - 8});
}

TEST_CASE("locks are paired", "[umd][T077]") {
  device_rig rig;
  const auto request = GENERATE(0, 1);
  resource& made = make(rig, request == 0 ? buffer_of(64) : target_of(8, 8));
  CHECK(unlock_resource(rig.device, made, 0) == E_INVALIDARG);
  static_cast<void>(lock(rig, made));
  CHECK(lock_result(rig, made, {}) == E_FAIL);
  unlock(rig, made);
  CHECK(unlock_resource(rig.device, made, 0) == E_INVALIDARG);
  lock_request beyond;
  beyond.subresource = 1;
  CHECK(lock_result(rig, made, beyond) == E_INVALIDARG);
}

TEST_CASE("a buffer that was locked twice goes to the host with its last unlock", "[umd][T077]") {
  device_rig rig;
  if (GENERATE(false, true)) rig.device.resources.rule = backing_rule::everything;
  resource& buffer = make(rig, dynamic_buffer(64));
  REQUIRE(rig.device.commands.submit() == S_OK);
  std::byte* const first = lock(rig, buffer, nested(range_of(8, 4))).bytes;
  std::byte* const second = lock(rig, buffer, nested(range_of(40, 4))).bytes;
  REQUIRE(second == first + 32);
  std::memset(first, 0x11, 4);
  std::memset(second, 0x22, 4);
  unlock(rig, buffer);
  CHECK(rig.device.commands.is_empty());
  unlock(rig, buffer);
  CHECK(unlock_resource(rig.device, buffer, 0) == E_INVALIDARG);
  byte_vector expected(64);
  std::fill_n(expected.begin() + 8, 4, std::byte{0x11});
  std::fill_n(expected.begin() + 40, 4, std::byte{0x22});
  CHECK(host_bytes(rig, buffer) == expected);
}

TEST_CASE("a further lock of a buffer keeps the memory of the first one", "[umd][T077][T083]") {
  device_rig rig;
  rig.device.resources.rule = backing_rule::everything;
  resource& buffer = make(rig, dynamic_buffer(64));
  rig.runtime.complete_at_once(false);
  use(rig, buffer);
  REQUIRE(rig.device.commands.submit() == S_OK);
  rig.runtime.complete_all();
  rig.system.advance(10'000'000);
  const lock_answer first = lock(rig, buffer, nested({}));
  const std::uint64_t locks = rig.runtime.locks();
  CHECK(lock(rig, buffer, nested(impatient(discarding()))).bytes == first.bytes);
  CHECK(rig.runtime.locks() == locks);
  CHECK(buffer.spares.empty());
  unlock(rig, buffer);
  unlock(rig, buffer);
  rig.runtime.complete_all();
}

TEST_CASE("a further lock that writes sends what it may have written", "[umd][T077]") {
  device_rig rig;
  resource& buffer = make(rig, buffer_of(64));
  lock_request reading = nested({});
  reading.is_read_only = true;
  static_cast<void>(lock(rig, buffer, reading));
  std::memset(lock(rig, buffer, nested(range_of(16, 8))).bytes, 0x33, 8);
  unlock(rig, buffer);
  unlock(rig, buffer);
  const auto uploads = sent<aerogpu_cmd_upload_resource>(rig);
  REQUIRE(uploads.size() == 1);
  CHECK(std::uint64_t{uploads[0].fields.offset_bytes} == 16);
  CHECK(std::uint64_t{uploads[0].fields.size_bytes} == 8);
}

TEST_CASE("locks of a surface do not nest, nor more of a buffer than can be counted",
          "[umd][T077]") {
  device_rig rig;
  resource& texture = make(rig, texture_of(8, 8));
  static_cast<void>(lock(rig, texture, nested({})));
  CHECK(lock_result(rig, texture, nested({})) == E_FAIL);
  unlock(rig, texture);
  resource& buffer = make(rig, buffer_of(64));
  static_cast<void>(lock(rig, buffer, nested({})));
  buffer.locks[0].count = UINT32_MAX;
  CHECK(lock_result(rig, buffer, nested({})) == E_FAIL);
  buffer.locks[0].count = 1;
  unlock(rig, buffer);
}

TEST_CASE("a buffer whose first lock only notified gives no memory to a second one",
          "[umd][T077]") {
  device_rig rig;
  resource& buffer = make(rig, buffer_of(64));
  lock_request notice = nested({});
  notice.only_notifies = true;
  CHECK(lock_result(rig, buffer, notice) == S_OK);
  CHECK(lock_result(rig, buffer, notice) == S_OK);
  CHECK(lock_result(rig, buffer, nested({})) == E_FAIL);
  unlock(rig, buffer);
  unlock(rig, buffer);
}

TEST_CASE("a range ends with the buffer", "[umd][T077]") {
  device_rig rig;
  resource& buffer = make(rig, buffer_of(64));
  CHECK(lock_result(rig, buffer, range_of(65, 0)) == E_INVALIDARG);
  CHECK(lock_result(rig, buffer, range_of(60, 5)) == E_INVALIDARG);
  CHECK(lock_result(rig, buffer, range_of(1, UINT64_MAX)) == E_INVALIDARG);
  CHECK(lock_result(rig, buffer, range_of(60, 4)) == S_OK);
  unlock(rig, buffer);
}

TEST_CASE("a read-only lock sends nothing", "[umd][T077]") {
  device_rig rig;
  const auto kind = GENERATE(0, 1, 2);
  resource& made = make(rig, kind == 0   ? buffer_of(64)
                             : kind == 1 ? target_of(8, 8)
                                         : texture_of(8, 8));
  REQUIRE(rig.device.commands.submit() == S_OK);
  lock_request request;
  request.is_read_only = true;
  static_cast<void>(lock(rig, made, request));
  unlock(rig, made);
  CHECK(rig.device.commands.is_empty());
}

TEST_CASE("a depth surface is not locked", "[umd]") {
  device_rig rig;
  CHECK(lock_result(rig, make(rig, depth_of(8, 8)), {}) == D3DERR_INVALIDCALL);
}

TEST_CASE("a target that was made not lockable gives what was drawn, and takes what is written",
          "[umd][T076]") {
  device_rig rig;
  resource_request request = target_of(8, 8);
  request.flags.is_lockable = false;
  resource& target = make(rig, request);
  byte_vector texels = counted_bytes(8 * 8 * 4);
  paint(rig, target, texels);
  const lock_answer at = lock(rig, target);
  CHECK(std::memcmp(at.bytes, texels.data(), texels.size()) == 0);
  std::memset(at.bytes + 4, 0xEE, 8);
  unlock(rig, target);
  std::fill_n(texels.begin() + 4, 8, std::byte{0xEE});
  CHECK(host_bytes(rig, target) == texels);
}

TEST_CASE("unlocking guest memory marks it dirty and lists it", "[umd][T078]") {
  device_rig rig;
  resource& target = make(rig, target_of(8, 8));
  REQUIRE(rig.device.commands.submit() == S_OK);
  const lock_answer at = lock(rig, target, area_of({2, 3, 4, 5}));
  at.bytes[0] = std::byte{0x5A};
  unlock(rig, target);
  REQUIRE(rig.device.commands.submit() == S_OK);
  const auto dirty = packets_of<aerogpu_cmd_resource_dirty_range>(rig.runtime.last().stream);
  REQUIRE(dirty.size() == 1);
  CHECK(std::uint64_t{dirty[0].fields.offset_bytes} == 3 * 32);  // Whole rows.
  CHECK(std::uint64_t{dirty[0].fields.size_bytes} == 2 * 32);
  const auto* const listed = rig.runtime.last().lists(target.backing.allocation);
  REQUIRE(listed != nullptr);
  CHECK_FALSE(listed->is_written);
  CHECK(packets_of<aerogpu_cmd_upload_resource>(rig.runtime.last().stream).empty());
  CHECK(host_bytes(rig, target)[3 * 32 + 2 * 4] == std::byte{0x5A});
}

TEST_CASE("a dirty range that begins a stream is submitted before its memory is locked again",
          "[umd][T078]") {
  device_rig rig;
  resource& target = make(rig, target_of(8, 4));
  REQUIRE(rig.device.commands.submit() == S_OK);
  static_cast<void>(lock(rig, target));
  unlock(rig, target);
  REQUIRE_FALSE(rig.device.commands.is_empty());
  static_cast<void>(lock(rig, target));
  CHECK(rig.device.commands.is_empty());
  CHECK(rig.runtime.last().lists(target.backing.allocation) != nullptr);
  unlock(rig, target);
}

TEST_CASE("unlocking host memory uploads it, rounded", "[umd][T078]") {
  device_rig rig;
  resource& buffer = make(rig, buffer_of(62));  // 64 for the host.
  std::memset(lock(rig, buffer, range_of(5, 6)).bytes, 0x11, 6);
  unlock(rig, buffer);
  std::memset(lock(rig, buffer, range_of(61, 0)).bytes, 0x22, 3);
  unlock(rig, buffer);
  const auto uploads = sent<aerogpu_cmd_upload_resource>(rig);
  REQUIRE(uploads.size() == 2);
  CHECK(std::uint64_t{uploads[0].fields.offset_bytes} == 4);
  CHECK(std::uint64_t{uploads[0].fields.size_bytes} == 8);
  CHECK(std::uint64_t{uploads[1].fields.offset_bytes} == 60);
  CHECK(std::uint64_t{uploads[1].fields.size_bytes} == 4);
  byte_vector expected(64);
  std::fill_n(expected.begin() + 5, 6, std::byte{0x11});
  std::fill_n(expected.begin() + 61, 3, std::byte{0x22});
  CHECK(host_bytes(rig, buffer) == expected);
}

TEST_CASE("a texture travels in whole rows, in as many pieces as it takes", "[umd][T078][T081]") {
  const auto command_bytes = GENERATE(640u, 1024u, 65536u);
  device_rig rig{{.command_bytes = command_bytes}};
  resource& texture = make(rig, texture_of(48, 40, D3DFMT_A8R8G8B8, 2));
  const byte_vector texels = counted_bytes(48 * 40 * 4);
  write_all(rig, texture, texels);
  CHECK(host_bytes(rig, texture) == texels);
  CHECK(host_bytes(rig, texture, 1) == byte_vector(24 * 20 * 4));
  for (const auto& each : sent<aerogpu_cmd_upload_resource>(rig)) {
    CHECK(std::uint64_t{each.fields.size_bytes} % (48 * 4) == 0);
  }
}

TEST_CASE("a row that fits no submission goes in parts", "[umd][T081]") {
  device_rig rig{{.command_bytes = 512}};
  const auto format = GENERATE(D3DFMT_A8R8G8B8, D3DFMT_DXT5, D3DFMT_R5G6B5);
  resource& texture = make(rig, texture_of(512, 4, format));
  const byte_vector texels = counted_bytes(static_cast<std::size_t>(texture.size_bytes));
  write_all(rig, texture, texels);
  CHECK(host_bytes(rig, texture) == texels);
}

TEST_CASE("X1R5G5B5 becomes opaque as far as it was touched", "[umd][T079]") {
  device_rig rig;
  const bool has_guest_memory = GENERATE(false, true);
  resource& made = make(
      rig, has_guest_memory ? target_of(8, 2, D3DFMT_X1R5G5B5) : texture_of(8, 2, D3DFMT_X1R5G5B5));
  write_all(rig, made, byte_vector(32, std::byte{0x21}));
  byte_vector expected(32, std::byte{0x21});
  for (std::size_t i = 1; i < 32; i += 2) expected[i] = std::byte{0xA1};
  CHECK(host_bytes(rig, made) == expected);

  // The high byte of pixel 2 alone, then the low one of pixel 4.
  *lock(rig, made, range_of(5, 1)).bytes = std::byte{0x7F};
  unlock(rig, made);
  *lock(rig, made, range_of(8, 1)).bytes = std::byte{0x33};
  unlock(rig, made);
  expected[5] = std::byte{0xFF};
  expected[8] = std::byte{0x33};
  CHECK(host_bytes(rig, made) == expected);
}

TEST_CASE("other formats keep their bits", "[umd][T079]") {
  device_rig rig;
  resource& made = make(rig, texture_of(8, 2, D3DFMT_A1R5G5B5));
  write_all(rig, made, byte_vector(32, std::byte{0x21}));
  CHECK(host_bytes(rig, made) == byte_vector(32, std::byte{0x21}));
}

TEST_CASE("a dirty range without room goes with the next submission, listed there", "[umd][T081]") {
  device_rig rig{{.command_bytes = 512}};
  resource& target = make(rig, target_of(8, 8));
  auto& commands = rig.device.commands;
  while (commands.room_bytes() >= packet_bytes<aerogpu_cmd_resource_dirty_range>()) {
    REQUIRE(commands.reserve(packet_bytes<aerogpu_cmd_set_render_state>()) == S_OK);
    REQUIRE(commands.packets().set_render_state(200, 1));
  }
  const std::size_t before = rig.runtime.submissions().size();
  lock_request all;
  lock_answer at = lock(rig, target, all);  // The creation is pending: this submits.
  static_cast<void>(at);
  unlock(rig, target);
  REQUIRE(commands.submit() == S_OK);
  CHECK(rig.runtime.submissions().size() > before);
  CHECK(rig.runtime.last().lists(target.backing.allocation) != nullptr);
  CHECK(packets_of<aerogpu_cmd_resource_dirty_range>(rig.runtime.last().stream).size() == 1);
}

TEST_CASE("a lock of what the host rendered shows it, and keeps what it does not touch",
          "[umd][T082]") {
  device_rig rig;
  const auto kind = GENERATE(0, 1, 2);
  resource& made = make(rig, kind == 0   ? target_of(8, 8)
                             : kind == 1 ? texture_of(8, 8)
                                         : shared_of(8, 8));
  byte_vector texels = counted_bytes(8 * 8 * 4);
  paint(rig, made, texels);
  const lock_answer at = lock(rig, made, area_of({1, 2, 3, 4}));
  CHECK(std::memcmp(at.bytes, texels.data() + 2 * 32 + 4, 8) == 0);
  std::memset(at.bytes, 0xEE, 8);
  unlock(rig, made);
  std::fill_n(texels.begin() + 2 * 32 + 4, 8, std::byte{0xEE});
  CHECK(host_bytes(rig, made) == texels);
}

TEST_CASE("a lock that replaces everything reads nothing back", "[umd][T082]") {
  device_rig rig;
  resource& made = make(rig, texture_of(8, 8));
  paint(rig, made, counted_bytes(8 * 8 * 4));
  std::memset(lock(rig, made, discarding()).bytes, 0x44, 8 * 8 * 4);
  unlock(rig, made);
  CHECK(sent<aerogpu_cmd_copy_texture2d>(rig).empty());
  CHECK(host_bytes(rig, made) == byte_vector(8 * 8 * 4, std::byte{0x44}));
}

TEST_CASE("every level of a rendered texture is read back", "[umd][T082]") {
  device_rig rig;
  const auto format = GENERATE(D3DFMT_A8R8G8B8, D3DFMT_R5G6B5, D3DFMT_DXT1, D3DFMT_DXT5);
  resource& made = make(rig, texture_of(16, 8, format, 5));
  std::vector<byte_vector> levels;
  for (std::uint32_t mip = 0; mip < 5; ++mip) {
    levels.push_back(
        counted_bytes(static_cast<std::size_t>(made.layout()->locate({mip, 0}).size_bytes()), mip));
    paint(rig, made, levels.back(), mip);
  }
  for (std::uint32_t mip = 0; mip < 5; ++mip) {
    lock_request request;
    request.subresource = mip;
    request.is_read_only = true;
    CHECK(std::memcmp(lock(rig, made, request).bytes, levels[mip].data(), levels[mip].size()) == 0);
    unlock(rig, made, mip);
  }
}

TEST_CASE("DISCARD in flight takes other memory under the same handle", "[umd][T083]") {
  device_rig rig;
  rig.device.resources.rule = backing_rule::everything;
  resource& buffer = make(rig, dynamic_buffer(64));
  write_all(rig, buffer, counted_bytes(64, 1));
  rig.runtime.complete_at_once(false);
  const guest_backing first = buffer.backing;
  use(rig, buffer);
  REQUIRE(rig.device.commands.submit() == S_OK);

  std::memset(lock(rig, buffer, discarding()).bytes, 0x77, 64);
  CHECK(buffer.backing.allocation != first.allocation);
  CHECK(buffer.backing.id != first.id);
  unlock(rig, buffer);
  const auto created = sent<aerogpu_cmd_create_buffer>(rig);
  REQUIRE(created.size() == 2);
  CHECK(std::uint32_t{created[1].fields.buffer_handle} == raw(buffer.handle));
  CHECK(std::uint32_t{created[1].fields.backing_alloc_id} == raw(buffer.backing.id));
  CHECK(std::uint32_t{created[1].fields.usage_flags} ==
        std::uint32_t{created[0].fields.usage_flags});
  CHECK(std::uint64_t{created[1].fields.size_bytes} == std::uint64_t{created[0].fields.size_bytes});
  CHECK(host_bytes(rig, buffer) == byte_vector(64, std::byte{0x77}));

  // The first one is in use until its fence passes, and then it is taken again.
  const guest_backing second = buffer.backing;
  rig.runtime.complete_all();
  rig.system.advance(10'000'000);
  use(rig, buffer);
  REQUIRE(rig.device.commands.submit() == S_OK);
  static_cast<void>(lock(rig, buffer, discarding()));
  CHECK(buffer.backing.allocation == first.allocation);
  unlock(rig, buffer);
  CHECK(buffer.spares.size() == 1);
  CHECK(buffer.spares[0].backing.allocation == second.allocation);
  rig.runtime.complete_all();
}

TEST_CASE("DISCARD that cannot map its new memory leaves the resource what the host has",
          "[umd][T083][T232]") {
  device_rig rig;
  rig.device.resources.rule = backing_rule::everything;
  resource& buffer = make(rig, dynamic_buffer(64));
  write_all(rig, buffer, counted_bytes(64, 1));
  rig.runtime.complete_at_once(false);
  const guest_backing first = buffer.backing;
  use(rig, buffer);
  REQUIRE(rig.device.commands.submit() == S_OK);
  rig.runtime.fail_call(rig.runtime.calls() + 2,
                        E_OUTOFMEMORY);  // Behind the allocation: its lock.
  CHECK(lock_result(rig, buffer, discarding()) == E_OUTOFMEMORY);
  CHECK(buffer.backing.allocation == first.allocation);
  CHECK(buffer.spares.size() == 1);
  rig.runtime.complete_all();
  rig.system.advance(10'000'000);
  write_all(rig, buffer, counted_bytes(64, 2));
  CHECK(host_bytes(rig, buffer) == counted_bytes(64, 2));
}

TEST_CASE("DISCARD takes no more than eight memories", "[umd][T083]") {
  device_rig rig;
  rig.device.resources.rule = backing_rule::everything;
  resource& buffer = make(rig, dynamic_buffer(64));
  rig.runtime.complete_at_once(false);
  for (int i = 0; i < 8; ++i) {
    use(rig, buffer);
    REQUIRE(rig.device.commands.submit() == S_OK);
    static_cast<void>(lock(rig, buffer, discarding()));
    unlock(rig, buffer);
  }
  CHECK(buffer.spares.size() == 8);
  use(rig, buffer);
  // Nothing completes: it waits, and gives up.
  CHECK(lock_result(rig, buffer, discarding()) == D3DERR_WASSTILLDRAWING);
  CHECK(buffer.spares.size() == 8);
  rig.runtime.complete_all();
}

TEST_CASE("a plain lock of memory in flight waits, and an impatient one says so", "[umd][T084]") {
  device_rig rig;
  resource& target = make(rig, target_of(8, 8));
  rig.runtime.complete_at_once(false);
  use(rig, target);
  CHECK(lock_result(rig, target, impatient()) == D3DERR_WASSTILLDRAWING);
  const std::uint64_t slept = rig.system.slept_ms();
  CHECK(lock_result(rig, target, {}) == D3DERR_WASSTILLDRAWING);  // Nobody completes it.
  CHECK(rig.system.slept_ms() - slept <= 2100);
  CHECK(rig.system.slept_ms() > slept);
  rig.runtime.complete_all();
  rig.system.advance(10'000'000);
  CHECK(lock_result(rig, target, impatient()) == S_OK);
  unlock(rig, target);
  rig.runtime.complete_all();
}

TEST_CASE("locks of shadows neither wait nor rename", "[umd][T084]") {
  device_rig rig;
  resource& buffer = make(rig, dynamic_buffer(64));
  rig.runtime.complete_at_once(false);
  write_all(rig, buffer, counted_bytes(64));
  REQUIRE(rig.device.commands.submit() == S_OK);
  const lock_request append = impatient(range_of(32, 32));
  const std::uint64_t locks = rig.runtime.locks();
  std::memset(lock(rig, buffer, append).bytes, 1, 32);
  unlock(rig, buffer);
  CHECK(lock_result(rig, buffer, impatient(discarding())) == S_OK);
  unlock(rig, buffer);
  CHECK(rig.runtime.locks() == locks);
  CHECK(rig.system.slept_ms() == 0);
  CHECK(sent<aerogpu_cmd_create_buffer>(rig).size() == 1);
  rig.runtime.complete_all();
}

TEST_CASE("a lock that only notifies waits and gives no memory", "[umd]") {
  device_rig rig{{.gives_fences = true}};
  resource& target = make(rig, target_of(8, 8));
  lock_request request;
  request.only_notifies = true;
  const std::uint64_t locks = rig.runtime.locks();
  CHECK(lock(rig, target, request).bytes == nullptr);
  unlock(rig, target);
  CHECK(rig.runtime.locks() == locks);
  CHECK(sent<aerogpu_cmd_resource_dirty_range>(rig).empty());
}

TEST_CASE("no submission lists what the application has locked", "[umd][T086]") {
  device_rig rig;
  resource& target = make(rig, target_of(8, 8));
  REQUIRE(set_render_target(rig.device, 0, {&target, 0}) == S_OK);
  static_cast<void>(lock(rig, target));
  // The fake refuses a submission that lists it.
  REQUIRE(set_render_target(rig.device, 1, {&make(rig, target_of(8, 8)), 0}) == S_OK);
  CHECK(rig.device.commands.submit() == S_OK);
  unlock(rig, target);
}

}  // namespace aerogpu::umd::test
