// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/submission/render.hpp"

#include "aerogpu/abi/alloc_table.h"
#include "aerogpu/abi/cmd_present.h"
#include "aerogpu/abi/cmd_resource.h"
#include "aerogpu/memory/alloc_table.hpp"
#include "drivers/win7/kmd/submission/dma_record.hpp"
#include "tests/drivers/kmd/submission/submission_fixture.hpp"

#include <array>
#include <cstring>
#include <random>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

constexpr std::uint32_t header_bytes = sizeof(aerogpu_cmd_stream_header);

[[nodiscard]] auto stream_in(const dma_buffer& buffer) -> byte_list {
  const auto header = load<aerogpu_cmd_stream_header>(buffer.bytes.data());
  REQUIRE(header.size_bytes <= buffer.bytes.size());
  const auto bytes = buffer.bytes.first(header.size_bytes);
  return {bytes.begin(), bytes.end()};
}

[[nodiscard]] auto record_of(dma_buffer& buffer) -> kmd::dma_record& {
  auto* const found =
      kmd::find_dma_record(buffer.private_data.data(), buffer.private_bytes().size());
  REQUIRE(found != nullptr);
  return *found;
}

[[nodiscard]] auto entry_at(dma_buffer& buffer, std::uint32_t index) -> aerogpu_alloc_entry {
  const auto& record = record_of(buffer);
  REQUIRE(index < record.reference_count);
  return load<aerogpu_alloc_entry>(buffer.bytes.data() + record.table_offset +
                                   alloc_table_bytes(index));
}

[[nodiscard]] auto gpa_at(const dma_buffer& buffer, const D3DDDI_PATCHLOCATIONLIST& patch)
    -> std::uint64_t {
  REQUIRE(patch.PatchOffset <= buffer.bytes.size() - sizeof(std::uint64_t));
  return load<std::uint64_t>(buffer.bytes.data() + patch.PatchOffset);
}

}  // namespace

TEST_CASE("Render fetches each byte of a command buffer once", "[kmd][render][case-63]") {
  started_driver driver;
  // Short packets, and one that is longer than any window.
  stream_words words;
  for (std::uint32_t i = 0; i < 3000; ++i) words.add(AEROGPU_CMD_NOP, 8 + i % 5 * 4, {i, i, i, i});
  words.add(AEROGPU_CMD_DEBUG_MARKER, 40'000, std::vector<std::uint32_t>(9'998, 0x1234));
  words.add(AEROGPU_CMD_NOP, 8);
  const byte_list stream = words.bytes();
  driver.pc.pc.user.watch();
  dma_buffer& buffer = driver.make_buffer();
  CHECK(driver.render(buffer, stream) == STATUS_SUCCESS);
  CHECK(driver.pc.pc.user.bytes_read_twice() == 0);
  CHECK(stream_in(buffer) == stream);
}

TEST_CASE("what a process changes during Render never reaches the host unchecked",
          "[kmd][render][case-63]") {
  const byte_list good = nop_stream(2000);
  // Whatever is read for the second time, or later, is another size by then.
  for (const std::uint32_t attack_at : {0u, 1u, 2u, 3u, 4u}) {
    started_driver driver;
    std::byte* const command = driver.pc.pc.user.place(good);
    std::uint32_t copies = 0;
    driver.pc.pc.user.before_copy = [&](std::byte*, std::size_t) {
      if (copies++ != attack_at) return;
      for (std::size_t at = header_bytes; at < good.size(); at += 8)
        store(command + at, aerogpu_cmd_hdr{AEROGPU_CMD_NOP, 0x7FFFFFFC});
      store(command + 8, 0xFFFFFFFCu);
    };
    dma_buffer& buffer = driver.make_buffer();
    const NTSTATUS status =
        driver.render_user(buffer, command, static_cast<std::uint32_t>(good.size()));
    if (status == STATUS_SUCCESS) CHECK(stream_in(buffer) == good);
    if (status != STATUS_SUCCESS) CHECK(status == STATUS_INVALID_PARAMETER);
    driver.pc.pc.user.before_copy = nullptr;
    driver.pc.pc.user.release(command);
  }
}

TEST_CASE("a user pointer that faults fails Render and lists no patches",
          "[kmd][render][case-64]") {
  started_driver driver;
  const list_line line{&driver.create_allocation(1)};
  const byte_list stream = nop_stream(5000);
  dma_buffer& buffer = driver.make_buffer();
  const auto length = static_cast<std::uint32_t>(stream.size());

  CHECK(driver.render_user(buffer, nullptr, length, {&line, 1}) == STATUS_INVALID_PARAMETER);
  CHECK(buffer.patch_count == 0);
  CHECK(buffer.used_bytes == 0);

  // The memory ends before the stream does, or goes away at any of the copies.
  std::byte* const part = driver.pc.pc.user.place(std::span{stream}.first(stream.size() - 4096));
  CHECK(driver.render_user(buffer, part, length, {&line, 1}) == STATUS_INVALID_PARAMETER);
  CHECK(buffer.patch_count == 0);
  driver.pc.pc.user.release(part);

  std::byte* const all = driver.pc.pc.user.place(stream);
  std::uint32_t failures = 0;
  for (std::uint64_t nth = 0;; ++nth) {
    driver.pc.pc.faults.fail(sim::fault_point::user_copy, nth);
    const NTSTATUS status = driver.render_user(buffer, all, length, {&line, 1});
    if (!driver.pc.pc.faults.has_fired(sim::fault_point::user_copy)) break;
    ++failures;
    CHECK(status == STATUS_INVALID_PARAMETER);
    CHECK(buffer.patch_count == 0);
    CHECK(kmd::find_dma_record(buffer.private_data.data(), buffer.private_bytes().size()) ==
          nullptr);
  }
  driver.pc.pc.faults.disarm();
  CHECK(failures >= 3);
  driver.pc.pc.user.release(all);
}

TEST_CASE("Render refuses streams that are framed wrongly", "[kmd][render][case-65]") {
  struct row {
    const char* name;
    std::vector<std::uint32_t> words;
    std::uint32_t extra_bytes = 0;
  };
  constexpr std::uint32_t magic = AEROGPU_CMD_STREAM_MAGIC;
  constexpr std::uint32_t version = AEROGPU_ABI_VERSION_U32;
  const std::vector<row> rows{
      {"shorter than a header", {magic, version, 24, 0, 0}},
      {"bad magic", {magic + 1, version, 24, 0, 0, 0}},
      {"another major", {magic, version + 0x10000, 24, 0, 0, 0}},
      {"size below the header", {magic, version, 20, 0, 0, 0}},
      {"size beyond the command", {magic, version, 28, 0, 0, 0}},
      {"size no multiple of 4", {magic, version, 30, 0, 0, 0, 0, 8}},
      {"packet of 6 bytes", {magic, version, 32, 0, 0, 0, 0, 6}},
      {"packet of 4 bytes", {magic, version, 32, 0, 0, 0, 0, 4}},
      {"packet of 0 bytes", {magic, version, 32, 0, 0, 0, 0, 0}},
      {"packet of 10 bytes", {magic, version, 36, 0, 0, 0, 0, 10, 0}},
      {"packet past the end", {magic, version, 32, 0, 0, 0, 0, 12}},
      {"packet of 4 GiB", {magic, version, 32, 0, 0, 0, 0, 0xFFFFFFFC}},
      {"half a packet header at the end", {magic, version, 36, 0, 0, 0, 0, 8, 0}},
      {"two bytes at the end", {magic, version, 34, 0, 0, 0, 0, 8, 0}},
  };
  started_driver driver;
  dma_buffer& buffer = driver.make_buffer();
  for (const row& one : rows) {
    CAPTURE(one.name);
    const auto bytes = std::as_bytes(std::span{one.words});
    CHECK(driver.render(buffer, bytes) == STATUS_INVALID_PARAMETER);
    CHECK(buffer.used_bytes == 0);
  }
}

TEST_CASE("bytes behind the stream's own size are dropped", "[kmd][render]") {
  started_driver driver;
  const byte_list stream = nop_stream(3);
  byte_list longer = stream;
  longer.resize(longer.size() + 100, std::byte{0xEE});
  dma_buffer& buffer = driver.make_buffer();
  CHECK(driver.render(buffer, longer) == STATUS_SUCCESS);
  CHECK(stream_in(buffer) == stream);
  CHECK(buffer.used_bytes == stream.size());
  CHECK(buffer.bytes[stream.size()] == std::byte{0xCC});
}

TEST_CASE("each allocation of the list gets one patch location that names its address",
          "[kmd][render][case-66]") {
  started_driver driver;
  const auto& a = driver.create_allocation(11);
  const auto& b = driver.create_allocation(12);
  const std::array lines{list_line{}, list_line{&a}, list_line{}, list_line{&b, true}};
  dma_buffer& buffer = driver.make_buffer();
  REQUIRE(driver.render(buffer, nop_stream(), lines) == STATUS_SUCCESS);
  REQUIRE(buffer.patch_count == 2);
  const std::array expected{1u, 3u};
  for (std::size_t i = 0; i < 2; ++i) {
    const auto& patch = buffer.patches[i];
    CHECK(patch.AllocationIndex == expected[i]);
    CHECK(patch.SlotId == expected[i]);
    CHECK(patch.DriverId == 0);
    CHECK(patch.AllocationOffset == 0);
    CHECK(patch.SplitOffset == 0);
  }
  CHECK(gpa_at(buffer, buffer.patches[0]) == a.address);
  CHECK(gpa_at(buffer, buffer.patches[1]) == b.address);
}

TEST_CASE("resident allocations carry their address when Patch never comes",
          "[kmd][render][case-67]") {
  started_driver driver;
  const auto& a = driver.create_allocation(1);
  const auto& away = driver.create_allocation(2);
  const std::array lines{list_line{&a}, list_line{&away, false, 0}};
  dma_buffer& buffer = driver.make_buffer();
  REQUIRE(driver.render(buffer, nop_stream(), lines) == STATUS_SUCCESS);
  CHECK(entry_at(buffer, 0).gpa == a.address);
  CHECK(entry_at(buffer, 1).gpa == 0);
  CHECK(record_of(buffer).references()[0].is_placed());
  CHECK_FALSE(record_of(buffer).references()[1].is_placed());
}

TEST_CASE("Patch overrides what was known at Render, and leaves what it does not list",
          "[kmd][patch][case-68]") {
  started_driver driver;
  const auto& a = driver.create_allocation(1);
  const auto& b = driver.create_allocation(2);
  const std::uint64_t moved = a.address + 0x100000;
  const std::array before{list_line{&a}, list_line{&b}};
  const std::array after{list_line{&a, false, 1, moved},
                         list_line{&b, false, 1, b.address + 0x100000}};
  dma_buffer& buffer = driver.make_buffer();
  REQUIRE(driver.render(buffer, nop_stream(), before) == STATUS_SUCCESS);
  driver.patch_range(buffer, after, 0, 1);
  CHECK(entry_at(buffer, 0).gpa == moved);
  CHECK(entry_at(buffer, 1).gpa == b.address);
  driver.patch_range(buffer, after, 1, 1);
  CHECK(entry_at(buffer, 1).gpa == b.address + 0x100000);
}

TEST_CASE("Patch twice for one buffer leaves the last addresses", "[kmd][patch][case-69]") {
  started_driver driver;
  const auto& a = driver.create_allocation(1);
  const std::array unknown{list_line{&a, false, 0}};
  dma_buffer& buffer = driver.make_buffer();
  REQUIRE(driver.render(buffer, nop_stream(), unknown) == STATUS_SUCCESS);
  for (const std::uint64_t at : {a.address, a.address + 0x4000, a.address + 0x2000}) {
    const std::array now{list_line{&a, false, 1, at}};
    driver.patch(buffer, now);
    CHECK(entry_at(buffer, 0).gpa == at);
  }
}

TEST_CASE("Patch ignores locations that Render never made", "[kmd][patch]") {
  started_driver driver;
  const auto& a = driver.create_allocation(1);
  const auto& b = driver.create_allocation(2);
  const std::array lines{list_line{&a}, list_line{&b}};
  dma_buffer& buffer = driver.make_buffer();
  REQUIRE(driver.render(buffer, nop_stream(), lines) == STATUS_SUCCESS);
  const byte_list before{buffer.bytes.begin(), buffer.bytes.end()};
  const std::array after{list_line{&a, false, 1, 0xABC000}, list_line{&b, false, 1, 0xDEF000}};

  std::swap(buffer.patches[0].PatchOffset, buffer.patches[1].PatchOffset);  // Another's entry.
  driver.patch(buffer, after);
  const auto locate = [](std::uint32_t index, std::uint32_t offset) {
    D3DDDI_PATCHLOCATIONLIST made{};
    made.AllocationIndex = index;
    made.PatchOffset = offset;
    return made;
  };
  buffer.patches[0] = locate(0, 4);
  buffer.patches[1] = locate(1, UINT32_MAX);
  driver.patch(buffer, after);
  buffer.patches[0] = locate(2, 40);
  driver.patch(buffer, after);
  driver.patch_range(buffer, after, 3, 5);
  CHECK(before == byte_list{buffer.bytes.begin(), buffer.bytes.end()});
}

TEST_CASE("table entries state unrounded sizes, and READONLY where nothing is written",
          "[kmd][render][case-70]") {
  started_driver driver;
  const auto& a = driver.create_allocation(7, 100);
  const auto& b = driver.create_allocation(3, 4097);
  const auto& c = driver.create_allocation(0x7FFFFFFF, 1);
  const std::array forward{list_line{&a, true}, list_line{&b, false}, list_line{&c, true}};
  const std::array backward{forward[2], forward[1], forward[0]};
  for (const auto& lines : {forward, backward}) {
    dma_buffer& buffer = driver.make_buffer();
    REQUIRE(driver.render(buffer, nop_stream(), lines) == STATUS_SUCCESS);
    REQUIRE(record_of(buffer).reference_count == 3);
    for (std::uint32_t i = 0; i < 3; ++i) {
      const aerogpu_alloc_entry entry = entry_at(buffer, i);
      CHECK(entry.alloc_id == lines[i].allocation->id);
      CHECK(entry.size_bytes == lines[i].allocation->size_bytes);
      CHECK(entry.gpa == lines[i].allocation->address);
      CHECK((entry.flags == AEROGPU_ALLOC_FLAG_READONLY) == !lines[i].is_written);
      CHECK(entry.reserved0 == 0);
    }
  }
}

TEST_CASE("lines of one allocation share an entry, read-only if none of them writes",
          "[kmd][render][case-71]") {
  started_driver driver;
  const auto& a = driver.create_allocation(5, 5000);
  for (const auto& [first, second, flags] :
       {std::tuple{false, false, 1u}, {true, false, 0u}, {false, true, 0u}, {true, true, 0u}}) {
    // The second line knows where it is, the first does not.
    const std::array lines{list_line{&a, first, 0}, list_line{}, list_line{&a, second}};
    dma_buffer& buffer = driver.make_buffer();
    REQUIRE(driver.render(buffer, nop_stream(), lines) == STATUS_SUCCESS);
    REQUIRE(record_of(buffer).reference_count == 1);
    CHECK(entry_at(buffer, 0).flags == flags);
    CHECK(entry_at(buffer, 0).size_bytes == 5000);
    CHECK(entry_at(buffer, 0).gpa == a.address);
    CHECK(buffer.patch_count == 2);
    CHECK(buffer.patches[0].PatchOffset == buffer.patches[1].PatchOffset);
  }
}

TEST_CASE("two allocations of one alloc_id fail Render", "[kmd][render][case-72]") {
  started_driver driver;
  const auto& a = driver.create_allocation(5);
  const auto& b = driver.create_allocation(5);
  const std::array lines{list_line{&a}, list_line{&b}};
  dma_buffer& buffer = driver.make_buffer();
  CHECK(driver.render(buffer, nop_stream(), lines) == STATUS_INVALID_PARAMETER);
  CHECK(buffer.patch_count == 0);
  // One allocation at two places is the same.
  const std::array places{list_line{&a}, list_line{&a, false, 1, a.address + 4096}};
  CHECK(driver.render(buffer, nop_stream(), places) == STATUS_INVALID_PARAMETER);
}

TEST_CASE("a list without allocations makes no table", "[kmd][render][case-73]") {
  started_driver driver;
  const std::array lines{list_line{}, list_line{}};
  dma_buffer& buffer = driver.make_buffer();
  REQUIRE(driver.render(buffer, nop_stream(), lines) == STATUS_SUCCESS);
  CHECK(buffer.patch_count == 0);
  driver.submit(buffer, 1);
  const auto desc = driver.newest_descriptor();
  CHECK(desc.alloc_table_gpa == 0);
  CHECK(desc.alloc_table_size_bytes == 0);
  CHECK(desc.cmd_gpa == buffer.physical);
}

TEST_CASE("packets that name guest memory are refused without a table",
          "[kmd][render][case-74][case-75]") {
  struct row {
    std::uint32_t opcode, size, at;  ///< `at`: word behind the packet header that is set.
    bool is_refused = true;
  };
  const std::vector<row> rows{
      {AEROGPU_CMD_CREATE_BUFFER, 40, 4},        {AEROGPU_CMD_CREATE_TEXTURE2D, 56, 8},
      {AEROGPU_CMD_RESOURCE_DIRTY_RANGE, 32, 0}, {AEROGPU_CMD_COPY_BUFFER, 48, 8},
      {AEROGPU_CMD_COPY_TEXTURE2D, 64, 12},      {AEROGPU_CMD_COPY_BUFFER, 48, 9, false},
      {AEROGPU_CMD_CREATE_BUFFER, 40, 0, false}, {AEROGPU_CMD_COPY_TEXTURE2D, 64, 0, false},
  };
  started_driver driver;
  const list_line line{&driver.create_allocation(9)};
  for (const row& one : rows) {
    CAPTURE(one.opcode, one.at);
    std::vector<std::uint32_t> words(one.at + 1);
    words[one.at] = 1;
    const byte_list stream =
        stream_words{}.add(AEROGPU_CMD_NOP, 12).add(one.opcode, one.size, words).bytes();
    dma_buffer& buffer = driver.make_buffer(8192);
    const NTSTATUS expected = one.is_refused ? STATUS_INVALID_PARAMETER : STATUS_SUCCESS;
    CHECK(driver.render(buffer, stream) == expected);
    CHECK(driver.render(buffer, stream, {&line, 1}) == STATUS_SUCCESS);
  }
}

TEST_CASE("a stream that outgrows the buffer is split between packets, each part whole",
          "[kmd][render][case-77]") {
  started_driver driver{{.dma_buffer_bytes = 8192}};
  const auto& a = driver.create_allocation(4);
  const list_line line{&a, true};
  stream_words words;
  for (std::uint32_t i = 0; i < 900; ++i) words.add(AEROGPU_CMD_NOP, 8 + i % 7 * 4, {i, i});
  const byte_list stream = words.bytes();

  byte_list joined;
  std::uint32_t multipass = 0;
  std::uint32_t parts = 0;
  for (NTSTATUS status = STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER; status != STATUS_SUCCESS;) {
    dma_buffer& buffer = driver.make_buffer();
    status = driver.render(buffer, stream, {&line, 1}, multipass);
    REQUIRE((status == STATUS_SUCCESS || status == STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER));
    REQUIRE(buffer.multipass > multipass);
    const byte_list part = stream_in(buffer);
    CHECK(part.size() - header_bytes == buffer.multipass - (parts == 0 ? header_bytes : multipass));
    joined.insert(joined.end(), part.begin() + header_bytes, part.end());
    CHECK(entry_at(buffer, 0).gpa == a.address);
    CHECK(buffer.patch_count == 1);
    CHECK(buffer.used_bytes <= buffer.bytes.size());
    multipass = buffer.multipass;
    driver.submit(buffer, ++parts);
  }
  CHECK(parts > 2);
  CHECK(multipass == stream.size());
  CHECK(joined == byte_list{stream.begin() + header_bytes, stream.end()});
  CHECK(driver.completions().back() == parts);
  CHECK(driver.pc.machine.host().errors.empty());
}

TEST_CASE("the last packet that fits and the first that does not are told apart",
          "[kmd][render][case-77]") {
  started_driver driver;
  for (const std::uint32_t size : {4092u, 4096u, 4100u}) {
    const byte_list stream = stream_words{}
                                 .add(AEROGPU_CMD_NOP, 8)
                                 .add(AEROGPU_CMD_DEBUG_MARKER, size - header_bytes - 8)
                                 .bytes();
    REQUIRE(stream.size() == size);
    dma_buffer& buffer = driver.make_buffer(4096);
    const bool fits = size <= 4096;
    CHECK(driver.render(buffer, stream) ==
          (fits ? STATUS_SUCCESS : STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER));
    CHECK(stream_in(buffer).size() == (fits ? size : header_bytes + 8));
  }
}

TEST_CASE("a packet that fits no buffer is refused", "[kmd][render][case-78]") {
  started_driver driver;
  const byte_list stream = stream_words{}.add(AEROGPU_CMD_DEBUG_MARKER, 4096 - 20).bytes();
  dma_buffer& buffer = driver.make_buffer(4096);
  CHECK(driver.render(buffer, stream) == STATUS_INVALID_PARAMETER);
  // The same in a continuation.
  const byte_list two =
      stream_words{}.add(AEROGPU_CMD_NOP, 8).add(AEROGPU_CMD_DEBUG_MARKER, 8192).bytes();
  CHECK(driver.render(buffer, two) == STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER);
  CHECK(driver.render(buffer, two, {}, buffer.multipass) == STATUS_INVALID_PARAMETER);
}

TEST_CASE("an offset of a former pass that Render never gave is refused", "[kmd][render]") {
  started_driver driver;
  const byte_list stream = nop_stream(4);
  dma_buffer& buffer = driver.make_buffer(4096);
  for (const std::uint32_t offset : {4u, 23u, 26u, 60u, 0xFFFFFFFCu})
    CHECK(driver.render(buffer, stream, {}, offset) == STATUS_INVALID_PARAMETER);
}

TEST_CASE("a command buffer without commands becomes a NOP", "[kmd][render][case-79]") {
  started_driver driver;
  dma_buffer& buffer = driver.make_buffer();
  REQUIRE(driver.render_user(buffer, nullptr, 0) == STATUS_SUCCESS);
  CHECK(stream_in(buffer) == nop_stream());
  driver.submit(buffer, 1);
  CHECK(driver.newest_descriptor().cmd_size_bytes == header_bytes + 8);
  CHECK(driver.completions() == std::vector{1u});
  CHECK(driver.pc.machine.host().errors.empty());
}

TEST_CASE("a list of 1,024 allocations works, and one patch line less is reported",
          "[kmd][render][case-80]") {
  started_driver driver;
  std::vector<list_line> lines;
  for (std::uint32_t i = 0; i < kmd::max_list_entries; ++i)
    lines.push_back({&driver.create_allocation(i + 1), i % 2 == 0});
  dma_buffer& buffer = driver.make_buffer();
  REQUIRE(driver.render(buffer, nop_stream(), lines) == STATUS_SUCCESS);
  CHECK(buffer.patch_count == kmd::max_list_entries);
  driver.scribbles = false;
  driver.submit(buffer, 1);
  CHECK(driver.table_entries(driver.newest_descriptor()).size() == kmd::max_list_entries);
  CHECK(driver.pc.machine.host().errors.empty());

  buffer.patches.resize(kmd::max_list_entries - 1);
  CHECK(driver.render(buffer, nop_stream(), lines) == STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER);
  CHECK(buffer.patch_count == 0);
  CHECK(buffer.used_bytes == 0);
  lines.push_back({});
  CHECK(driver.render(buffer, nop_stream(), lines) == STATUS_INVALID_PARAMETER);
}

TEST_CASE("a patch list that comes back no longer is refused", "[kmd][render][case-80]") {
  started_driver driver;
  std::vector<list_line> lines;
  for (std::uint32_t i = 0; i < 4; ++i) lines.push_back({&driver.create_allocation(i + 1), true});
  dma_buffer& buffer = driver.make_buffer();
  const auto render_with = [&](std::size_t patch_lines) {
    buffer.patches.resize(patch_lines);
    return driver.render(buffer, nop_stream(), lines);
  };
  const std::size_t second = GENERATE(0u, 2u);
  CHECK(render_with(2) == STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER);
  CHECK(render_with(second) == STATUS_INVALID_PARAMETER);
  CHECK(render_with(2) == STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER);
  CHECK(render_with(3) ==
        STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER);  // Longer: a whole one may come.
  CHECK(render_with(4) == STATUS_SUCCESS);
  CHECK(render_with(2) == STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER);
  CHECK(render_with(4) == STATUS_SUCCESS);
}

TEST_CASE("tables of random lists pass the host's decoder", "[kmd][render][property][case-81]") {
  const std::uint64_t seed = 0x81;
  INFO("seed " << seed);
  std::mt19937_64 random{seed};
  started_driver driver;
  std::vector<const test_allocation*> all;
  for (std::uint32_t i = 0; i < 200; ++i)
    all.push_back(&driver.create_allocation(1 + i * 7919 % 100'000, 1 + random() % 100'000));
  dma_buffer& buffer = driver.make_buffer(65536);
  std::vector<alloc_table::slot> slots(alloc_table::slots_for(kmd::max_list_entries));
  alloc_table table{slots};
  const byte_list stream = nop_stream(3);
  for (int round = 0; round < 10'000; ++round) {
    std::vector<list_line> lines(random() % 40);
    std::map<std::uint32_t, bool> is_written;
    for (list_line& line : lines) {
      if (random() % 8 == 0) continue;
      line = {all[random() % all.size()], random() % 2 == 0};
      is_written[line.allocation->id] |= line.is_written;
    }
    REQUIRE(driver.render(buffer, stream, lines) == STATUS_SUCCESS);
    const auto& record = record_of(buffer);
    REQUIRE(record.reference_count == is_written.size());
    if (is_written.empty()) continue;
    REQUIRE(record.table_offset % 16 == 0);
    REQUIRE(buffer.used_bytes == record.table_offset + record.table_bytes());
    REQUIRE(table.parse(buffer.bytes.subspan(record.table_offset, record.table_bytes())));
    for (const list_line& line : lines) {
      if (line.allocation == nullptr) continue;
      const auto found = table.find(static_cast<alloc_id>(line.allocation->id));
      REQUIRE(found);
      REQUIRE(raw(found->first) == line.allocation->address);
      REQUIRE(found->size_bytes == line.allocation->size_bytes);
      REQUIRE(found->is_read_only == !is_written[line.allocation->id]);
    }
  }
}

TEST_CASE("no kernel pointer lies in what the host sees of a DMA buffer",
          "[kmd][render][case-82]") {
  started_driver driver;
  std::vector<list_line> lines;
  for (std::uint32_t i = 0; i < 50; ++i) lines.push_back({&driver.create_allocation(i + 1)});
  dma_buffer& buffer = driver.make_buffer();
  std::memset(buffer.bytes.data(), 0, buffer.bytes.size());
  REQUIRE(driver.render(buffer, nop_stream(3), lines) == STATUS_SUCCESS);
  // Pointers of this process share their upper half with one of these.
  std::vector<const void*> kernel{buffer.bytes.data(), buffer.private_data.data(), &driver,
                                  driver.context, driver.pc.windows.context()};
  for (const list_line& line : lines) {
    kernel.push_back(line.allocation->opened);
    kernel.push_back(line.allocation->handle);
  }
  for (std::size_t at = 0; at + 8 <= buffer.bytes.size(); at += 4) {
    const auto word = load<std::uint64_t>(buffer.bytes.data() + at);
    for (const void* one : kernel) REQUIRE(word != reinterpret_cast<std::uintptr_t>(one));
  }
  for (std::size_t at = stream_in(buffer).size(); at < record_of(buffer).table_offset; ++at)
    CHECK(buffer.bytes[at] == std::byte{0});
}

TEST_CASE("Render refuses buffers and records that are too small", "[kmd][render]") {
  started_driver driver;
  const byte_list stream = nop_stream();
  dma_buffer& buffer = driver.make_buffer(4096);
  buffer.private_data.resize(kmd::dma_record_bytes / 8 - 1);
  CHECK(driver.render(buffer, stream) == STATUS_INVALID_PARAMETER);
  buffer.private_data.resize(kmd::dma_record_bytes / 8);
  std::vector<list_line> lines;
  for (std::uint32_t i = 0; i < 128; ++i) lines.push_back({&driver.create_allocation(i + 1)});
  CHECK(driver.render(buffer, stream, lines) == STATUS_INVALID_PARAMETER);  // 4120 bytes of table.
  lines.resize(126);
  CHECK(driver.render(buffer, stream, lines) == STATUS_SUCCESS);
}

TEST_CASE("the driver counts tables, their entries and what is read-only", "[kmd][render]") {
  started_driver driver;
  const auto& a = driver.create_allocation(1);
  const auto& b = driver.create_allocation(2);
  const std::array lines{list_line{&a, true}, list_line{&b, false}, list_line{&b, false}};
  dma_buffer& buffer = driver.make_buffer();
  REQUIRE(driver.render(buffer, nop_stream(), lines) == STATUS_SUCCESS);
  REQUIRE(driver.render(buffer, nop_stream()) == STATUS_SUCCESS);
  CHECK(driver.counters().tables.get() == 1);
  CHECK(driver.counters().table_entries.get() == 2);
  CHECK(driver.counters().readonly_entries.get() == 1);
}
