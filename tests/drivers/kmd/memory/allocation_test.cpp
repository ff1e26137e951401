// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/memory/allocation.hpp"

#include "drivers/sim/kernel/objects/handle_table.hpp"
#include "tests/drivers/kmd/memory/memory_driver.hpp"

#include <set>

using namespace aerogpu;
using test::blob;
using test::memory_driver;
using test::shared_flag;
using table = DRIVER_INITIALIZATION_DATA;

namespace {

[[nodiscard]] auto edited(blob data, void (*edit)(alloc_private_data&)) -> blob {
  alloc_private_data fields = test::parse_blob(data);
  edit(fields);
  std::memcpy(data.data(), &fields, data.size());
  return data;
}

/// The driver's log as a caller with or without privilege gets it.
[[nodiscard]] auto dump_log(memory_driver& m, bool is_privileged)
    -> aerogpu_escape_dump_createallocation_inout {
  aerogpu_escape_dump_createallocation_inout dump{};
  dump.hdr = {AEROGPU_ESCAPE_VERSION, AEROGPU_ESCAPE_OP_DUMP_CREATEALLOCATION, sizeof dump, 0};
  dump.entry_capacity = 32;
  DXGKARG_ESCAPE args{};
  args.pPrivateDriverData = &dump;
  args.PrivateDriverDataSize = sizeof dump;
  sim::this_thread().is_privileged = is_privileged;
  CHECK(m.windows.call(&table::DxgkDdiEscape, m.windows.context(), &args) == STATUS_SUCCESS);
  return dump;
}

void show(memory_driver& m, HANDLE allocation) {
  DXGKARG_SETVIDPNSOURCEADDRESS args{};
  args.PrimarySegment = 1;
  args.PrimaryAddress.QuadPart = static_cast<LONGLONG>(m.video(0).address);
  args.hAllocation = allocation;
  REQUIRE(m.windows.call(&table::DxgkDdiSetVidPnSourceAddress, m.windows.context(),
                         static_cast<const DXGKARG_SETVIDPNSOURCEADDRESS*>(&args)) ==
          STATUS_SUCCESS);
}

/// Moves the cursor by an escape of the calling process.
[[nodiscard]] auto move_cursor(memory_driver& m) -> NTSTATUS {
  aerogpu_escape_set_cursor_position_in request{};
  request.hdr = {AEROGPU_ESCAPE_VERSION, AEROGPU_ESCAPE_OP_SET_CURSOR_POSITION, sizeof request, 0};
  DXGKARG_ESCAPE args{};
  args.pPrivateDriverData = &request;
  args.PrivateDriverDataSize = sizeof request;
  return m.windows.call(&table::DxgkDdiEscape, m.windows.context(),
                        static_cast<const DXGKARG_ESCAPE*>(&args));
}

[[nodiscard]] auto object_of(HANDLE handle) -> const kmd::allocation& {
  return *static_cast<const kmd::allocation*>(handle);
}

}  // namespace

TEST_CASE("blobs of every version make allocations of whole pages in the video segment",
          "[kmd][memory][case-45]") {
  memory_driver m;
  auto data = GENERATE(test::buffer_blob(7, 5000), test::texture_blob({.id = 7}),
                       test::texture_blob({.id = 7, .handle = 99}));
  const std::uint64_t size = test::parse_blob(data).size_bytes;
  const DXGK_ALLOCATIONINFO info = m.create(data);
  CHECK(info.hAllocation != nullptr);
  CHECK(info.Size == (size + 4095) / 4096 * 4096);
  CHECK(info.Alignment == 0);
  CHECK(info.PitchAlignedSize == 0);
  CHECK(info.HintedBank.Value == 0);
  CHECK(info.PreferredSegment.Value == 0);
  CHECK(info.SupportedReadSegmentSet == 1);
  CHECK(info.SupportedWriteSegmentSet == 1);
  CHECK(info.EvictionSegmentSet == 0);
  CHECK(info.MaximumRenamingListLength == 0);
  CHECK(info.Flags.Value == 1);  // CpuVisible.
  CHECK(info.pAllocationUsageHint == nullptr);
  CHECK(info.AllocationPriority == D3DDDI_ALLOCATIONPRIORITY_NORMAL);
  CHECK(object_of(info.hAllocation).size_bytes == size);
  m.destroy({info.hAllocation});
}

TEST_CASE("a primary is in the video segment with high priority; a shadow may be scattered",
          "[kmd][memory][case-45]") {
  memory_driver m;
  auto primary = m.standard_blob(D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE, 640, 480);
  const DXGK_ALLOCATIONINFO shown = m.create(primary);
  CHECK(shown.SupportedReadSegmentSet == 1);
  CHECK(shown.AllocationPriority == D3DDDI_ALLOCATIONPRIORITY_HIGH);
  CHECK(shown.Flags.Value == 1);
  for (const auto type :
       {D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE, D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE}) {
    auto data = m.standard_blob(type, 640, 480);
    const DXGK_ALLOCATIONINFO info = m.create(data);
    CHECK(info.SupportedReadSegmentSet == 3);
    CHECK(info.SupportedWriteSegmentSet == 3);
    CHECK(info.AllocationPriority == D3DDDI_ALLOCATIONPRIORITY_NORMAL);
    m.destroy({info.hAllocation});
  }
  m.destroy({shown.hAllocation});
}

TEST_CASE("a blob that breaks a rule is refused with the rule's status", "[kmd][memory][case-46]") {
  struct row {
    const char* what;
    blob data;
    NTSTATUS expected;
  };
  const blob good = test::texture_blob({.id = 5});
  const blob short_v3 = [] {
    blob data = test::texture_blob({.id = 5, .handle = 1});
    data.resize(71);
    return data;
  }();
  const std::vector<row> rows{
      {"no blob", {}, STATUS_BUFFER_TOO_SMALL},
      {"39 bytes", blob(good.begin(), good.begin() + 39), STATUS_BUFFER_TOO_SMALL},
      {"bad magic", edited(good, [](auto& b) { b.magic ^= 1; }), STATUS_INVALID_PARAMETER},
      {"version 0", edited(good, [](auto& b) { b.version = 0; }), STATUS_INVALID_PARAMETER},
      {"version 4", edited(good, [](auto& b) { b.version = 4; }), STATUS_INVALID_PARAMETER},
      {"short v2", blob(good.begin(), good.begin() + 63), STATUS_BUFFER_TOO_SMALL},
      {"v3 in 64 bytes", edited(good, [](auto& b) { b.version = 3; }), STATUS_BUFFER_TOO_SMALL},
      {"short v3", short_v3, STATUS_BUFFER_TOO_SMALL},
      {"id 0 in v1", edited(test::buffer_blob(5, 64), [](auto& b) { b.alloc_id = 0; }),
       STATUS_INVALID_PARAMETER},
      {"id of the kernel's range", edited(good, [](auto& b) { b.alloc_id = 0x80000000; }),
       STATUS_INVALID_PARAMETER},
      {"token without sharing", edited(good, [](auto& b) { b.share_token = 9; }),
       STATUS_INVALID_PARAMETER},
      {"pitch above the size", edited(good, [](auto& b) { b.row_pitch_bytes = 64 * 32 * 4 + 1; }),
       STATUS_INVALID_PARAMETER},
      {"size 0", test::buffer_blob(5, 0), STATUS_INVALID_PARAMETER},
      {"no page holds it", test::buffer_blob(5, UINT64_MAX - 4094), STATUS_INTEGER_OVERFLOW},
  };
  memory_driver m;
  const auto before = m.pc.pool.blocks();
  for (const row& one : rows) {
    CAPTURE(one.what);
    blob data = one.data;
    const auto made = m.create_allocations({&data, 1});
    CHECK(made.status == one.expected);
    CHECK(made.infos.front().hAllocation == nullptr);
    CHECK(data == one.data);
    CHECK(m.pc.pool.blocks() == before);
  }
}

TEST_CASE("the largest id of user mode is taken", "[kmd][memory][case-46]") {
  memory_driver m;
  blob data = test::buffer_blob(0x7FFFFFFF, 64);
  m.destroy({m.create(data).hAllocation});
}

TEST_CASE("a shared resource is one allocation that the processor does not map",
          "[kmd][memory][case-47]") {
  memory_driver m;
  std::array<blob, 2> two{test::texture_blob({.id = 1, .flags = shared_flag}),
                          test::texture_blob({.id = 2, .flags = shared_flag})};
  const auto refused = m.create_allocations(two);
  CHECK(refused.status == STATUS_NOT_SUPPORTED);
  CHECK(refused.infos[0].hAllocation == nullptr);
  CHECK(m.adapter().tokens.live_count() == 0);

  const DXGK_ALLOCATIONINFO info = m.create(two[0]);
  CHECK(info.Flags.Value == 0);
  CHECK(info.SupportedReadSegmentSet == 1);
  m.destroy({info.hAllocation});
}

TEST_CASE("the processor maps a shared primary", "[kmd][memory][case-47]") {
  memory_driver m;
  blob data =
      test::texture_blob({.id = 1, .flags = shared_flag | AEROGPU_WDDM_ALLOC_PRIV_FLAG_PRIMARY});
  const DXGK_ALLOCATIONINFO info = m.create(data);
  CHECK(info.Flags.Value == 1);  // CpuVisible.
  CHECK(info.SupportedReadSegmentSet == 1);
  m.destroy({info.hAllocation});
}

TEST_CASE("a creator gets its token at both calls, also when the first one's bytes are lost",
          "[kmd][memory][case-48]") {
  memory_driver m;
  const blob asked = test::texture_blob({.id = 1, .flags = shared_flag});
  blob data = asked;
  const DXGK_ALLOCATIONINFO info = m.create(data);
  const std::uint64_t token = test::parse_blob(data).share_token;
  CHECK(token != 0);
  blob opened_data = GENERATE_COPY(true, false) ? asked : data;
  const auto opened = m.open(m.device, m.number_of(info.hAllocation), opened_data, true);
  REQUIRE(opened.status == STATUS_SUCCESS);
  CHECK(test::parse_blob(opened_data).share_token == token);
  CHECK(opened_data == data);
  m.close({opened.handle});
  m.destroy({info.hAllocation});
}

TEST_CASE("a later opener sees the creator's bytes, which must name the allocation",
          "[kmd][memory][case-49]") {
  memory_driver m;
  blob data = test::texture_blob({.id = 1, .flags = shared_flag});
  const DXGK_ALLOCATIONINFO info = m.create(data);
  const D3DKMT_HANDLE number = m.number_of(info.hAllocation);
  blob same = data;
  const auto opened = m.open(m.device, number, same, false);
  REQUIRE(opened.status == STATUS_SUCCESS);
  CHECK(same == data);

  const auto refused = [&](void (*edit)(alloc_private_data&)) {
    blob other = edited(data, edit);
    const blob before = other;
    const NTSTATUS status = m.open(m.device, number, other, false).status;
    CHECK(other == before);
    return status;
  };
  CHECK(refused([](auto& b) { b.alloc_id = 2; }) == STATUS_INVALID_PARAMETER);
  CHECK(refused([](auto& b) { b.share_token ^= 1; }) == STATUS_INVALID_PARAMETER);
  CHECK(refused([](auto& b) { b.flags = 0; }) == STATUS_INVALID_PARAMETER);
  CHECK(refused([](auto& b) { b.size_bytes = 0; }) == STATUS_INVALID_PARAMETER);
  CHECK(refused([](auto& b) { b.magic = 0; }) == STATUS_INVALID_PARAMETER);
  CHECK(m.open(m.device, number, data, false, 2).status == STATUS_NOT_SUPPORTED);
  CHECK(object_of(info.hAllocation).references == 2);
  m.close({opened.handle});
  m.destroy({info.hAllocation});
}

TEST_CASE("what cannot be opened takes no reference", "[kmd][memory][case-50]") {
  memory_driver m;
  blob data = test::texture_blob({.id = 1, .flags = shared_flag});
  const blob tokenless = data;
  const DXGK_ALLOCATIONINFO info = m.create(data);
  const auto token = static_cast<share_token>(test::parse_blob(data).share_token);
  const D3DKMT_HANDLE number = m.number_of(info.hAllocation);
  blob copy = data;
  CHECK(m.open(m.device, 0x1234, copy, false).status == STATUS_INVALID_HANDLE);
  copy = tokenless;
  CHECK(m.open(m.device, number, copy, false).status == STATUS_INVALID_PARAMETER);
  CHECK(object_of(info.hAllocation).references == 1);
  CHECK(m.adapter().tokens.references(token) == 1);

  m.destroy({info.hAllocation});
  copy = data;
  CHECK(m.open(m.device, number, copy, false).status == STATUS_INVALID_HANDLE);
}

TEST_CASE("several openings are all or none", "[kmd][memory]") {
  memory_driver m;
  blob data = test::buffer_blob(1, 64);
  const DXGK_ALLOCATIONINFO info = m.create(data);
  const D3DKMT_HANDLE number = m.number_of(info.hAllocation);
  const auto before = m.pc.pool.blocks();
  m.pc.faults.fail(sim::fault_point::pool, 2);
  const auto failed = m.open(m.device, number, data, true, 4);
  CHECK(failed.status == STATUS_INSUFFICIENT_RESOURCES);
  CHECK(failed.handle == nullptr);
  CHECK(m.pc.pool.blocks() == before);
  CHECK(object_of(info.hAllocation).references == 1);
  m.destroy({info.hAllocation});
}

TEST_CASE("a failure at the third of five elements takes the first two back",
          "[kmd][memory][case-51]") {
  memory_driver m;
  const auto before = m.pc.pool.blocks();
  std::vector<blob> blobs;
  for (std::uint32_t i = 1; i <= 5; ++i) blobs.push_back(test::buffer_blob(i, 64));
  SECTION("a bad blob") {
    blobs[2][0] ^= std::byte{1};
    CHECK(m.create_allocations(blobs).status == STATUS_INVALID_PARAMETER);
  }
  SECTION("no memory") {
    m.pc.faults.fail(sim::fault_point::pool, 2);
    const auto made = m.create_allocations(blobs);
    CHECK(made.status == STATUS_NO_MEMORY);
    for (int i = 0; i < 3; ++i)
      CHECK(made.infos[static_cast<std::size_t>(i)].hAllocation == nullptr);
  }
  CHECK(m.pc.pool.blocks() == before);
}

TEST_CASE("the kernel's own ids start at 0x80000000, are unique, and come again when they are free",
          "[kmd][memory][case-52]") {
  memory_driver m;
  std::set<std::uint32_t> ids;
  std::vector<HANDLE> made;
  const auto make = [&] {
    blob data = m.standard_blob(D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE, 16, 16);
    made.push_back(m.create(data).hAllocation);
    const std::uint32_t id = test::parse_blob(data).alloc_id;
    CHECK(raw(object_of(made.back()).id) == id);
    ids.insert(id);
    return id;
  };
  CHECK(make() == 0x80000000);
  for (int i = 0; i < 9; ++i) make();
  CHECK(ids.size() == 10);
  CHECK(*ids.rbegin() == 0x80000009);

  m.adapter().kmd_alloc_ids = 0x7FFFFFFF;
  CHECK(make() == 0xFFFFFFFF);
  CHECK(make() == 0x8000000A);
  m.destroy({made[3], made[8]});
  m.adapter().kmd_alloc_ids = 0xFFFFFFFF;
  CHECK(make() == 0x80000003);
  CHECK(make() == 0x80000008);
  CHECK(make() == 0x8000000B);
  made.erase(made.begin() + 8);
  made.erase(made.begin() + 3);
  m.destroy(made);
  m.adapter().kmd_alloc_ids = 0;
  made.clear();
  CHECK(make() == 0x80000000);
  m.destroy(made);
}

TEST_CASE("DescribeAllocation tells size, format and rate of a primary, a texture and a buffer",
          "[kmd][memory][case-53]") {
  memory_driver m;
  struct row {
    blob data;
    UINT width, height;
    D3DDDIFORMAT format;
  };
  std::vector<row> rows{
      {m.standard_blob(D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE, 800, 600,
                       D3DDDIFMT_X8R8G8B8),
       800, 600, D3DDDIFMT_X8R8G8B8},
      {m.standard_blob(D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE, 80, 60, D3DDDIFMT_X1R5G5B5), 80,
       60, D3DDDIFMT_X1R5G5B5},
      {test::texture_blob({.id = 3, .width = 128, .height = 30, .dxgi = 28}), 128, 30,
       D3DDDIFMT_A8B8G8R8},
      {test::texture_blob({.id = 3, .dxgi = 91}), 64, 32, D3DDDIFMT_A8R8G8B8},
      {edited(test::buffer_blob(4, 64 * 4 * 4),
              [](auto& b) { b.reserved0 = AEROGPU_WDDM_ALLOC_PRIV_DESC_PACK(22, 64, 4); }),
       64, 4, D3DDDIFMT_X8R8G8B8},
      {test::buffer_blob(4, 5000), 5000, 1, D3DDDIFMT_UNKNOWN}};
  for (row& one : rows) {
    const DXGK_ALLOCATIONINFO info = m.create(one.data);
    DXGKARG_DESCRIBEALLOCATION args;
    std::memset(&args, 0xFF, sizeof args);
    args.hAllocation = info.hAllocation;
    REQUIRE(m.windows.call(&table::DxgkDdiDescribeAllocation, m.windows.context(), &args) ==
            STATUS_SUCCESS);
    CHECK(args.Width == one.width);
    CHECK(args.Height == one.height);
    CHECK(args.Format == one.format);
    CHECK(args.MultisampleMethod.NumSamples == 0);
    CHECK(args.MultisampleMethod.NumQualityLevels == 0);
    CHECK(args.PrivateDriverFormatAttribute == 0);
    const bool is_surface = one.format != D3DDDIFMT_UNKNOWN;
    CHECK(args.RefreshRate.Numerator == (is_surface ? 60 : 0));
    CHECK(args.RefreshRate.Denominator == (is_surface ? 1 : 0));
    m.destroy({info.hAllocation});
    CHECK(m.windows.call(&table::DxgkDdiDescribeAllocation, m.windows.context(), &args) ==
          STATUS_INVALID_HANDLE);
  }
}

TEST_CASE("DescribeAllocation states no rate for a surface that its allocation does not hold",
          "[kmd][memory][case-53]") {
  memory_driver m;
  auto data = edited(test::texture_blob({.id = 7, .width = 1920, .height = 1080}), [](auto& b) {
    b.row_pitch_bytes = 0;
    b.size_bytes = 4096;
  });
  const DXGK_ALLOCATIONINFO info = m.create(data);
  DXGKARG_DESCRIBEALLOCATION args;
  std::memset(&args, 0xFF, sizeof args);
  args.hAllocation = info.hAllocation;
  REQUIRE(m.windows.call(&table::DxgkDdiDescribeAllocation, m.windows.context(), &args) ==
          STATUS_SUCCESS);
  CHECK(args.RefreshRate.Numerator == 0);
  CHECK(args.RefreshRate.Denominator == 0);
  m.destroy({info.hAllocation});
}

TEST_CASE("DescribeAllocation states no rate for a surface whose rows are closer than a mode's",
          "[kmd][memory][case-53]") {
  memory_driver m;
  const auto [pitch, rate] = GENERATE(Catch::Generators::table<std::uint32_t, UINT>(
      {{5464, 0}, {5631, 0}, {5632, 60}, {5888, 60}}));
  alloc_private_data fields =
      test::parse_blob(test::texture_blob({.id = 7, .width = 1366, .height = 768}));
  fields.row_pitch_bytes = pitch;
  fields.size_bytes = std::uint64_t{pitch} * 768;
  blob data = test::to_blob(fields);
  const DXGK_ALLOCATIONINFO info = m.create(data);
  DXGKARG_DESCRIBEALLOCATION args{};
  args.hAllocation = info.hAllocation;
  REQUIRE(m.windows.call(&table::DxgkDdiDescribeAllocation, m.windows.context(), &args) ==
          STATUS_SUCCESS);
  CHECK(args.Format == D3DDDIFMT_A8R8G8B8);
  CHECK(args.RefreshRate.Numerator == rate);
  m.destroy({info.hAllocation});
}

TEST_CASE("a program moves the cursor while the screen shows a surface of its own",
          "[kmd][memory][case-157]") {
  memory_driver m;
  const sim::process_scope here{5};
  blob data = test::texture_blob({.id = 7});
  const HANDLE own = m.create(data).hAllocation;
  auto primary = m.standard_blob(D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE, 64, 64);
  const HANDLE desktop = m.create(primary).hAllocation;
  CHECK(move_cursor(m) == STATUS_ACCESS_DENIED);  // Nothing is shown.
  show(m, own);
  CHECK(move_cursor(m) == STATUS_SUCCESS);
  {
    const sim::process_scope other{6};
    CHECK(move_cursor(m) == STATUS_ACCESS_DENIED);
    sim::this_thread().is_privileged = true;
    CHECK(move_cursor(m) == STATUS_SUCCESS);
    sim::this_thread().is_privileged = false;
  }
  show(m, desktop);
  CHECK(move_cursor(m) == STATUS_ACCESS_DENIED);
  show(m, own);
  m.destroy({own, desktop});
  CHECK(move_cursor(m) == STATUS_ACCESS_DENIED);
}

TEST_CASE("close and destroy come in any order, and more than once", "[kmd][memory][case-54]") {
  memory_driver m;
  const auto before = m.pc.pool.blocks();
  blob data = test::texture_blob({.id = 1, .flags = shared_flag});
  const DXGK_ALLOCATIONINFO info = m.create(data);
  const D3DKMT_HANDLE number = m.number_of(info.hAllocation);
  const HANDLE first = m.open(m.device, number, data, true).handle;
  const HANDLE second = m.open(m.device, number, data, false).handle;
  SECTION("close before destroy") {
    m.close({first, nullptr, second, first});
    CHECK(m.pc.pool.blocks() == before + 1);
    m.destroy({info.hAllocation, nullptr, info.hAllocation});
  }
  SECTION("destroy before close") {
    m.destroy({info.hAllocation});
    m.destroy({info.hAllocation});
    CHECK(m.pc.pool.blocks() == before + 3);
    m.close({second});
    m.close({first});
    m.close({first, second});
    m.destroy({info.hAllocation});
  }
  SECTION("destroy in between") {
    m.close({first});
    m.destroy({info.hAllocation});
    m.close({second, second});
  }
  CHECK(m.pc.pool.blocks() == before);
  CHECK(m.adapter().tokens.live_count() == 0);
}

TEST_CASE("another device opens the standard primary, whose bytes stay",
          "[kmd][memory][case-159]") {
  memory_driver m;
  blob data = m.standard_blob(D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE, 1024, 768);
  const DXGK_ALLOCATIONINFO info = m.create(data);
  CHECK(test::parse_blob(data).alloc_id >= 0x80000000);
  const D3DKMT_HANDLE number = m.number_of(info.hAllocation);
  const HANDLE creator = m.open(m.device, number, data, true).handle;
  const HANDLE other = m.create_device();
  const blob before = data;
  const auto opened = m.open(other, number, data, false);
  CHECK(opened.status == STATUS_SUCCESS);
  CHECK(data == before);
  m.close({opened.handle, creator});
  m.destroy({info.hAllocation});
  m.windows.call(&table::DxgkDdiDestroyDevice, other);
}

TEST_CASE("a stream that names the primary's id gets a table entry for it",
          "[kmd][memory][case-160]") {
  memory_driver m;
  const auto primary = m.make_surface(
      m.standard_blob(D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE, 64, 64), m.video(0x10000));
  const std::uint32_t id = raw(object_of(primary.allocation).id);
  std::byte* const stream = m.pc.user.allocate(4096);
  aerogpu_cmd_stream_header header{AEROGPU_CMD_STREAM_MAGIC,
                                   AEROGPU_ABI_VERSION_U32,
                                   24 + sizeof(aerogpu_cmd_create_texture2d),
                                   0,
                                   0,
                                   0};
  aerogpu_cmd_create_texture2d packet{};
  packet.hdr = {AEROGPU_CMD_CREATE_TEXTURE2D, sizeof packet};
  packet.texture_handle = 1;
  packet.format = AEROGPU_FORMAT_B8G8R8A8_UNORM;
  packet.width = packet.height = 64;
  packet.mip_levels = packet.array_layers = 1;
  packet.row_pitch_bytes = 256;
  packet.backing_alloc_id = id;
  std::memcpy(stream, &header, sizeof header);
  std::memcpy(stream + sizeof header, &packet, sizeof packet);

  auto buffer = m.present_buffer();
  std::array<DXGK_ALLOCATIONLIST, 1> list{primary.line(true)};
  std::array<D3DDDI_PATCHLOCATIONLIST, 4> patches{};
  DXGKARG_RENDER args{};
  args.pCommand = stream;
  args.CommandLength = header.size_bytes;
  args.pDmaBuffer = buffer.bytes();
  args.DmaSize = buffer.size();
  args.pDmaBufferPrivateData = buffer.private_data();
  args.DmaBufferPrivateDataSize = buffer.private_size();
  args.pAllocationList = list.data();
  args.AllocationListSize = 1;
  args.pPatchLocationListOut = patches.data();
  args.PatchLocationListOutSize = 4;
  REQUIRE(m.windows.call(&table::DxgkDdiRender, m.context, &args) == STATUS_SUCCESS);
  const auto entry = load<aerogpu_alloc_entry>(buffer.bytes() + buffer.record().table_offset + 24);
  CHECK(entry.alloc_id == id);
  CHECK(entry.gpa == primary.at.address);
  CHECK(entry.size_bytes == 64 * 64 * 4);
  const UINT fence = m.submit(buffer, args.pDmaBuffer);
  m.pc.settle();
  CHECK(m.is_done(fence));
  CHECK(m.adapter().errors.newest().interrupts == 0);
  m.drop(primary);
}

TEST_CASE("each allocation that was created is in the driver's log, and none that was not",
          "[kmd][memory]") {
  memory_driver m;
  std::vector<blob> good{test::buffer_blob(7, 5000), test::texture_blob({.id = 8, .width = 64})};
  const auto first = m.create_allocations(good);
  REQUIRE(first.status == STATUS_SUCCESS);
  std::vector<blob> bad{test::buffer_blob(0, 5000)};
  CHECK(m.create_allocations(bad).status == STATUS_INVALID_PARAMETER);
  blob shared = test::buffer_blob(9, 4096, shared_flag);
  const DXGK_ALLOCATIONINFO third = m.create(shared);

  aerogpu_escape_dump_createallocation_inout log{};
  m.adapter().allocation_log.copy_to(log);
  REQUIRE(log.entry_count == 3);
  CHECK(log.write_index == 3);
  CHECK(log.entries[0].alloc_id == 7);
  CHECK(log.entries[0].size_bytes == 5000);
  CHECK(log.entries[0].num_allocations == 2);
  CHECK(log.entries[1].alloc_id == 8);
  CHECK(log.entries[1].alloc_index == 1);
  CHECK(log.entries[1].pitch_bytes == 256);
  CHECK(log.entries[1].call_seq == log.entries[0].call_seq);
  CHECK(log.entries[1].seq > log.entries[0].seq);
  CHECK(log.entries[2].alloc_id == 9);
  CHECK(log.entries[2].call_seq > log.entries[1].call_seq);
  CHECK(log.entries[2].priv_flags == shared_flag);
  CHECK(log.entries[2].share_token == test::parse_blob(shared).share_token);
  CHECK(log.entries[2].share_token != 0);
  m.destroy({first.infos[0].hAllocation, first.infos[1].hAllocation, third.hAllocation});
}

TEST_CASE("share tokens in the log are for privileged callers alone", "[kmd][memory]") {
  memory_driver m;
  blob shared = test::buffer_blob(9, 4096, shared_flag);
  const DXGK_ALLOCATIONINFO made = m.create(shared);
  const auto hidden = dump_log(m, false);
  REQUIRE(hidden.entry_count == 1);
  CHECK(hidden.entries[0].share_token == 0);
  CHECK(hidden.entries[0].alloc_id == 9);
  CHECK(hidden.entries[0].priv_flags == shared_flag);
  const auto shown = dump_log(m, true);
  REQUIRE(shown.entry_count == 1);
  CHECK(shown.entries[0].share_token == test::parse_blob(shared).share_token);
  m.destroy({made.hAllocation});
}
