// SPDX-License-Identifier: MIT
#include "tests/drivers/umd/rigs/fake_umd_device.hpp"

#include "aerogpu/abi/cmd_stream.h"
#include "aerogpu/abi/version.h"
#include "aerogpu/abi/wddm_alloc.h"
#include "drivers/win7/primary_pitch.hpp"

#include <algorithm>
#include <cstring>

namespace aerogpu::test {
namespace {

/// Where a blob's id comes from: processes share the driver, and so its counter.
[[nodiscard]] auto next_alloc_id() -> std::uint32_t {
  static std::uint32_t last = 0;
  return ++last;
}

[[nodiscard]] auto make_blob(UINT width, UINT height, bool is_shared, bool is_primary)
    -> aerogpu_wddm_alloc_priv_v3 {
  const std::uint64_t pitch = is_primary ? primary_pitch_bytes(width * 4) : width * 4;
  aerogpu_wddm_alloc_priv_v3 blob{};
  blob.magic = AEROGPU_WDDM_ALLOC_PRIV_MAGIC;
  blob.version = AEROGPU_WDDM_ALLOC_PRIV_VERSION_3;
  blob.alloc_id = next_alloc_id();
  blob.flags = is_shared ? AEROGPU_WDDM_ALLOC_PRIV_FLAG_IS_SHARED : 0;
  blob.size_bytes = pitch * height;
  blob.kind = AEROGPU_WDDM_ALLOC_KIND_TEXTURE2D;
  blob.width = width;
  blob.height = height;
  blob.format = 87;  // DXGI_FORMAT_B8G8R8A8_UNORM
  blob.row_pitch_bytes = static_cast<std::uint32_t>(pitch);
  return blob;
}

/// A stream of `size` bytes that says nothing.
void write_stream(std::byte* to, std::uint32_t size) {
  const aerogpu_cmd_stream_header header{
      AEROGPU_CMD_STREAM_MAGIC, AEROGPU_ABI_VERSION_U32, size, AEROGPU_CMD_STREAM_FLAG_NONE, 0, 0};
  std::memset(to, 0, size);
  std::memcpy(to, &header, sizeof header);
  const auto rest = size - static_cast<std::uint32_t>(sizeof header);
  if (rest == 0) return;
  const aerogpu_cmd_hdr nop{AEROGPU_CMD_NOP, rest};
  std::memcpy(to + sizeof header, &nop, sizeof nop);
}

}  // namespace

auto fake_device::allocate(HANDLE resource, UINT width, UINT height, bool is_shared,
                           bool is_primary) -> D3DKMT_HANDLE {
  auto blob = make_blob(width, height, is_shared, is_primary);
  D3DDDI_ALLOCATIONINFO info{};
  info.pPrivateDriverData = &blob;
  info.PrivateDriverDataSize = sizeof blob;
  info.Flags.Primary = is_primary ? 1 : 0;
  D3DDDICB_ALLOCATE wanted{};
  wanted.hResource = resource;
  wanted.NumAllocations = 1;
  wanted.pAllocationInfo = &info;
  return SUCCEEDED(callbacks.pfnAllocateCb(runtime, &wanted)) ? info.hAllocation : 0;
}

auto fake_device::free(D3DKMT_HANDLE allocation) -> HRESULT {
  const D3DDDICB_DEALLOCATE gone{nullptr, 1, &allocation};
  return callbacks.pfnDeallocateCb(runtime, &gone);
}

auto fake_device::free_resource(HANDLE resource) -> HRESULT {
  const D3DDDICB_DEALLOCATE gone{resource, 0, nullptr};
  return callbacks.pfnDeallocateCb(runtime, &gone);
}

auto fake_device::lock(D3DKMT_HANDLE allocation, UINT flags) -> HRESULT {
  D3DDDICB_LOCK wanted{};
  wanted.hAllocation = allocation;
  wanted.Flags.Value = flags;
  return callbacks.pfnLockCb(runtime, &wanted);
}

auto fake_device::unlock(D3DKMT_HANDLE allocation) -> HRESULT {
  const D3DDDICB_UNLOCK wanted{1, &allocation};
  return callbacks.pfnUnlockCb(runtime, &wanted);
}

auto fake_device::create_context() -> HRESULT {
  D3DDDICB_CREATECONTEXT wanted{};
  const auto result = callbacks.pfnCreateContextCb(runtime, &wanted);
  context = wanted.hContext;
  commands = static_cast<std::byte*>(wanted.pCommandBuffer);
  command_bytes = wanted.CommandBufferSize;
  list = wanted.pAllocationList;
  list_entries = wanted.AllocationListSize;
  the_fake_umd().command_sizes.push_back(command_bytes);
  return result;
}

auto fake_device::render() -> HRESULT {
  auto& driver = the_fake_umd();
  const auto does = driver.does;
  auto* const old_commands = commands;
  auto* const old_list = list;
  const auto old_bytes = command_bytes;
  const auto least = static_cast<std::uint32_t>(sizeof(aerogpu_cmd_stream_header));
  D3DDDICB_RENDER wanted{};
  wanted.hContext = does == umd_misdeed::use_unknown_context ? runtime : context;
  wanted.CommandLength = std::max(driver.render_bytes, least);
  if (does == umd_misdeed::overrun_command_bytes) wanted.CommandLength = command_bytes + 4;
  if (does == umd_misdeed::fill_reserved) wanted.PrivateDriverDataSize = 16;
  write_stream(commands, std::min(wanted.CommandLength, command_bytes));
  if (does == umd_misdeed::write_behind_commands) commands[command_bytes] = std::byte{1};
  if (does == umd_misdeed::write_behind_list) list[list_entries].hAllocation = 1;
  wanted.NumAllocations = 1;
  list[0] = {};
  list[0].hAllocation = does == umd_misdeed::list_unknown_allocation ? 0x1234 : marker;
  if (does == umd_misdeed::overrun_list_entries) wanted.NumAllocations = list_entries + 1;
  if (driver.wishes_larger) {
    wanted.Flags.ResizeCommandBuffer = 1;
    wanted.NewCommandBufferSize = command_bytes * 2;
    wanted.Flags.ResizeAllocationList = 1;
    wanted.NewAllocationListSize = list_entries * 2;
  }
  const auto result = callbacks.pfnRenderCb(runtime, &wanted);
  commands = static_cast<std::byte*>(wanted.pNewCommandBuffer);
  command_bytes = wanted.NewCommandBufferSize;
  list = wanted.pNewAllocationList;
  list_entries = wanted.NewAllocationListSize;
  if (commands == nullptr) {  // Refused: nothing was lent.
    commands = old_commands;
    list = old_list;
    command_bytes = old_bytes;
  }
  driver.command_sizes.push_back(command_bytes);
  if (does == umd_misdeed::write_into_old_commands) old_commands[8] = std::byte{1};
  if (does == umd_misdeed::write_into_old_list) old_list[1].hAllocation = 1;
  if (does == umd_misdeed::keep_old_size) std::memset(commands, 0, old_bytes);
  return result;
}

}  // namespace aerogpu::test
