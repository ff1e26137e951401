// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/system/pci_resources.hpp"

namespace aerogpu::kmd {
namespace {

auto size_of_large(const CM_PARTIAL_RESOURCE_DESCRIPTOR& descriptor) noexcept -> std::uint64_t {
  const std::uint64_t units = descriptor.u.Memory40.Length40;
  switch (descriptor.Flags & CM_RESOURCE_MEMORY_LARGE) {
    case CM_RESOURCE_MEMORY_LARGE_40: return units << 8;
    case CM_RESOURCE_MEMORY_LARGE_48: return units << 16;
    case CM_RESOURCE_MEMORY_LARGE_64: return units << 32;
    default: return 0;
  }
}

auto size_of(const CM_PARTIAL_RESOURCE_DESCRIPTOR& descriptor) noexcept -> std::uint64_t {
  switch (descriptor.Type) {
    case CmResourceTypeMemory: return descriptor.u.Memory.Length;
    case CmResourceTypeMemoryLarge: return size_of_large(descriptor);
    default: return 0;
  }
}

}  // namespace

auto find_memory_ranges(const CM_RESOURCE_LIST* list) noexcept -> memory_ranges {
  memory_ranges found;
  if (list == nullptr) return found;
  const CM_FULL_RESOURCE_DESCRIPTOR* full = list->List;
  for (ULONG i = 0; i < list->Count; ++i) {
    const CM_PARTIAL_RESOURCE_LIST& partial = full->PartialResourceList;
    const CM_PARTIAL_RESOURCE_DESCRIPTOR* const end = partial.PartialDescriptors + partial.Count;
    for (const auto* at = partial.PartialDescriptors; at != end; ++at) {
      const std::uint64_t size_bytes = size_of(*at);
      if (size_bytes == 0) continue;
      const auto first = static_cast<std::uint64_t>(at->u.Memory.Start.QuadPart);
      if (!found.push_back({first, size_bytes})) return found;
    }
    full = reinterpret_cast<const CM_FULL_RESOURCE_DESCRIPTOR*>(end);
  }
  return found;
}

auto find_range(const memory_ranges& ranges, std::uint64_t first) noexcept -> const memory_range* {
  if (first == 0) return nullptr;
  for (const memory_range& range : ranges) {
    if (range.first == first) return &range;
  }
  return nullptr;
}

}  // namespace aerogpu::kmd
