// SPDX-License-Identifier: MIT
/// \file Vulkan's way to return a list, as an array.
#pragma once

#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "vulkan/device/api.hpp"

#include <cstdint>

namespace aerogpu::vulkan {

/// Calls `list(count, elements)` until the list is complete. Empty when the call fails. Errors:
/// out_of_memory, of the host and not of the call.
template <class Element, class List>
[[nodiscard]] auto enumerate(List&& list) noexcept -> result<heap_array<Element>> {
  heap_array<Element> elements;
  VkResult code = VK_INCOMPLETE;
  while (code == VK_INCOMPLETE) {  // The list may grow between the two calls.
    std::uint32_t count = 0;
    if (list(&count, static_cast<Element*>(nullptr)) != VK_SUCCESS) return heap_array<Element>{};
    if (!elements.resize(count)) {
      return make_error(error_code::out_of_memory, "the host has no memory for a list of Vulkan's",
                        count);
    }
    code = list(&count, elements.data());
    elements.truncate(count);
  }
  if (code != VK_SUCCESS) elements.clear();
  return elements;
}

}  // namespace aerogpu::vulkan
