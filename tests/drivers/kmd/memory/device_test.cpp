// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/adapter/device.hpp"

#include "drivers/sim/kernel/objects/handle_table.hpp"
#include "tests/drivers/kmd/memory/memory_driver.hpp"

#include <set>

using namespace aerogpu;
using test::memory_driver;
using table = DRIVER_INITIALIZATION_DATA;

TEST_CASE("CreateDevice fills the information behind a kernel pointer", "[kmd][memory][case-40]") {
  memory_driver m;
  DXGK_DEVICEINFO info;
  std::memset(&info, 0xFF, sizeof info);
  DXGKARG_CREATEDEVICE args{};
  args.pInfo = &info;
  REQUIRE(m.windows.call(&table::DxgkDdiCreateDevice, m.windows.context(), &args) ==
          STATUS_SUCCESS);
  CHECK(info.DmaBufferSize == 0x50000);
  CHECK(info.DmaBufferSegmentSet == 0);
  CHECK(info.DmaBufferPrivateDataSize == kmd::dma_record_bytes);
  CHECK(info.AllocationListSize == 1024);
  CHECK(info.PatchLocationListSize == 1024);
  CHECK(info.Flags.Value == 0);
  CHECK(m.windows.call(&table::DxgkDdiDestroyDevice, args.hDevice) == STATUS_SUCCESS);
}

TEST_CASE("CreateDevice answers flags without a pointer: the contexts have the sizes",
          "[kmd][memory][case-40]") {
  memory_driver m;
  for (UINT flags = 0; flags < 4; ++flags) {
    DXGKARG_CREATEDEVICE args{};
    args.Flags.Value = flags;
    REQUIRE(m.windows.call(&table::DxgkDdiCreateDevice, m.windows.context(), &args) ==
            STATUS_SUCCESS);
    CHECK(args.pInfo == nullptr);
    CHECK(m.windows.call(&table::DxgkDdiDestroyDevice, args.hDevice) == STATUS_SUCCESS);
  }
}

TEST_CASE("CreateContext takes node 0 alone and fills all six sizes", "[kmd][memory][case-41]") {
  memory_driver m;
  DXGKARG_CREATECONTEXT args{};
  args.NodeOrdinal = 1;
  CHECK(m.windows.call(&table::DxgkDdiCreateContext, m.device, &args) == STATUS_INVALID_PARAMETER);
  args.NodeOrdinal = 0;
  const bool is_gdi = GENERATE(false, true);
  args.Flags.GdiContext = is_gdi ? 1 : 0;
  std::memset(&args.ContextInfo, 0xFF, sizeof args.ContextInfo);
  REQUIRE(m.windows.call(&table::DxgkDdiCreateContext, m.device, &args) == STATUS_SUCCESS);
  CHECK(args.ContextInfo.DmaBufferSize == 0x50000);
  CHECK(args.ContextInfo.DmaBufferSegmentSet == 0);
  CHECK(args.ContextInfo.DmaBufferPrivateDataSize == kmd::dma_record_bytes);
  CHECK(args.ContextInfo.AllocationListSize == (is_gdi ? 256u : 1024u));
  CHECK(args.ContextInfo.PatchLocationListSize == 1024);
  CHECK(args.ContextInfo.DmaBufferAllocationGroup == 0);
  CHECK(m.windows.call(&table::DxgkDdiDestroyContext, args.hContext) == STATUS_SUCCESS);
}

TEST_CASE("context ids are unique and never 0, also where the counter wraps",
          "[kmd][memory][case-42]") {
  memory_driver m;
  m.adapter().last_context_id = 0xFFFFFFFD;
  std::set<std::uint32_t> ids;
  std::vector<HANDLE> contexts;
  for (int i = 0; i < 6; ++i) {
    contexts.push_back(m.create_context(m.device));
    ids.insert(raw(static_cast<kmd::context*>(contexts.back())->id));
  }
  CHECK(ids.size() == 6);
  CHECK(ids.count(0) == 0);
  CHECK(ids.count(0xFFFFFFFF) == 1);
  CHECK(ids.count(1) == 1);
  for (HANDLE one : contexts)
    CHECK(m.windows.call(&table::DxgkDdiDestroyContext, one) == STATUS_SUCCESS);
}

TEST_CASE("each of fifty devices in a row gets its sizes", "[kmd][memory][case-162]") {
  memory_driver m;
  for (int i = 0; i < 50; ++i) {
    DXGK_DEVICEINFO info{};
    DXGKARG_CREATEDEVICE args{};
    args.pInfo = &info;
    REQUIRE(m.windows.call(&table::DxgkDdiCreateDevice, m.windows.context(), &args) ==
            STATUS_SUCCESS);
    CHECK(info.DmaBufferSize == 0x50000);
    CHECK(info.DmaBufferPrivateDataSize == kmd::dma_record_bytes);
    CHECK(m.windows.call(&table::DxgkDdiDestroyDevice, args.hDevice) == STATUS_SUCCESS);
  }
}

TEST_CASE("a device or context that finds no memory leaves nothing behind", "[kmd][memory]") {
  memory_driver m;
  const auto before = m.pc.pool.blocks();
  DXGKARG_CREATEDEVICE device{};
  m.pc.faults.fail(sim::fault_point::pool, 0);
  CHECK(m.windows.call(&table::DxgkDdiCreateDevice, m.windows.context(), &device) ==
        STATUS_NO_MEMORY);
  for (std::uint64_t nth = 0; nth < 2; ++nth) {
    DXGKARG_CREATECONTEXT context{};
    m.pc.faults.fail(sim::fault_point::pool, nth);
    CHECK(m.windows.call(&table::DxgkDdiCreateContext, m.device, &context) == STATUS_NO_MEMORY);
    CHECK(m.pc.faults.has_fired(sim::fault_point::pool));
  }
  CHECK(m.pc.pool.blocks() == before);
}

TEST_CASE("a context's working memory is paged", "[kmd][memory]") {
  memory_driver m;
  const auto before = m.pc.pool.non_paged_bytes();
  const HANDLE made = m.create_context(m.device);
  CHECK(m.pc.pool.non_paged_bytes() - before < 1024);
  CHECK(m.windows.call(&table::DxgkDdiDestroyContext, made) == STATUS_SUCCESS);
}

TEST_CASE("a process with 128 contexts gets no more, and another one still gets its own",
          "[kmd][memory][case-172]") {
  memory_driver m;
  std::vector<HANDLE> contexts;
  const auto create = [&] {
    DXGKARG_CREATECONTEXT args{};
    const NTSTATUS status = m.windows.call(&table::DxgkDdiCreateContext, m.device, &args);
    if (NT_SUCCESS(status)) contexts.push_back(args.hContext);
    return status;
  };
  const sim::process_scope greedy{5};
  for (int i = 0; i < 128; ++i) REQUIRE(create() == STATUS_SUCCESS);
  const auto blocks = m.pc.pool.blocks();
  CHECK(create() == STATUS_NO_MEMORY);
  CHECK(m.pc.pool.blocks() == blocks);
  {
    const sim::process_scope other{6};
    CHECK(create() == STATUS_SUCCESS);
    // Windows ends contexts on any thread: the one who made it has room again.
    CHECK(m.windows.call(&table::DxgkDdiDestroyContext, contexts.front()) == STATUS_SUCCESS);
    contexts.erase(contexts.begin());
  }
  CHECK(create() == STATUS_SUCCESS);
  CHECK(create() == STATUS_NO_MEMORY);
  for (HANDLE one : contexts)
    CHECK(m.windows.call(&table::DxgkDdiDestroyContext, one) == STATUS_SUCCESS);
}
