/// \file Vulkan's way to return a list, as a vector.
#pragma once

#include "vulkan/api.hpp"

#include <cstdint>
#include <vector>

namespace aerogpu::vulkan {

/// Calls `list(count, elements)` until the list is complete. Empty when the call fails.
template <class Element, class List>
[[nodiscard]] auto enumerate(List&& list) -> std::vector<Element> {
  std::vector<Element> elements;
  VkResult code = VK_INCOMPLETE;
  while (code == VK_INCOMPLETE) {  // The list may grow between the two calls.
    std::uint32_t count = 0;
    if (list(&count, static_cast<Element*>(nullptr)) != VK_SUCCESS) return {};
    elements.resize(count);
    code = list(&count, elements.data());
    elements.resize(count);
  }
  if (code != VK_SUCCESS) elements.clear();
  return elements;
}

}  // namespace aerogpu::vulkan
