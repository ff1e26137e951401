// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/trace/filter.hpp"

#include "drivers/win7/umd/d3d9/trace/text.hpp"

#include <algorithm>

namespace aerogpu::umd::trace {

void entry_filter::parse(std::string_view text) noexcept {
  is_on_ = false;
  is_kept_.fill(false);
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view token = trim(part_of(text, 0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
    if (token.empty()) continue;
    is_on_ = true;
    for (std::size_t i = 0; i < entry_count; ++i) {
      is_kept_[i] = is_kept_[i] || contains_text(entry_names[i], token);
    }
  }
  if (!is_on_) is_kept_.fill(true);
}

auto entry_filter::count() const noexcept -> std::uint32_t {
  return static_cast<std::uint32_t>(std::count(is_kept_.begin(), is_kept_.end(), true));
}

}  // namespace aerogpu::umd::trace
