// SPDX-License-Identifier: MIT
/// \file What a device's driver has of the kernel: contexts, allocations, resources, locks.
#pragma once

#include "drivers/sim/kernel/objects/handle_table.hpp"
#include "drivers/sim/runtime/callbacks/command_spaces.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace aerogpu::sim {

/// Which entry point is to make a resource's allocations.
enum class resource_origin : std::uint8_t { made, made_shared, opened };

struct held_resource {
  resource_origin origin = resource_origin::made;
  D3DKMT_HANDLE kernel = 0;  ///< hKMResource.
  D3DKMT_HANDLE share = 0;
  byte_list runtime_data;  ///< What the runtime tells openers.
};

struct held_allocation {
  HANDLE resource = nullptr;  ///< The runtime's; nullptr for one by itself.
  std::uint32_t locks = 0;
};

struct held_context {
  D3DKMT_HANDLE kernel = 0;
  /// The kernel's own buffers, into which submissions are copied.
  std::byte* commands = nullptr;
  D3DDDI_ALLOCATIONLIST* allocations = nullptr;
  ULONG queued_buffers = 0;  ///< After the last submission.
  std::unique_ptr<command_spaces> lent;
};

/// The mutex guards all; it is never held over a thunk.
struct ledger {
  std::mutex mutex;
  std::map<HANDLE, std::unique_ptr<held_context>> contexts;  ///< By the runtime's handle.
  std::map<HANDLE, held_resource> resources;                 ///< By the runtime's handle.
  std::map<D3DKMT_HANDLE, held_allocation> allocations;

  /// Allocations of a resource. The mutex is held.
  [[nodiscard]] auto allocations_of(HANDLE resource) const -> std::vector<D3DKMT_HANDLE> {
    std::vector<D3DKMT_HANDLE> found;
    for (const auto& [handle, one] : allocations) {
      if (one.resource == resource) found.push_back(handle);
    }
    return found;
  }
};

[[nodiscard]] inline auto hexadecimal(std::uint64_t value) -> std::string {
  constexpr const char* digits = "0123456789abcdef";
  std::string text;
  do {
    text.insert(text.begin(), digits[value % 16]);
    value /= 16;
  } while (value != 0);
  return "0x" + text;
}

}  // namespace aerogpu::sim
