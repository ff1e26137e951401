// SPDX-License-Identifier: MIT
/// \file "Did you mean": the known word nearest to a mistyped one.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aerogpu::tool {

/// Letters to insert, drop, replace or swap with their neighbour until one word is the other.
[[nodiscard]] inline auto word_distance(std::string_view a, std::string_view b) -> std::size_t {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      const bool is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swap) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = last;
    last = row;
  }
  return last[b.size()];
}

/// The known word that somebody who typed `word` most likely meant: one that begins so, or the one
/// nearest to it. Nothing when none is near.
[[nodiscard]] inline auto closest_word(std::string_view word,
                                       std::span<const std::string_view> known)
    -> std::optional<std::string_view> {
  std::optional<std::string_view> best;
  std::size_t least = 1 + std::max<std::size_t>(1, word.size() / 3);
  for (const std::string_view one : known) {
    const bool is_begun = word.size() > 1 && one.starts_with(word);
    const std::size_t distance = is_begun ? 1 : word_distance(word, one);
    if (distance >= least) continue;
    least = distance;
    best = one;
  }
  return best;
}

/// " (did you mean <prefix><word>?)", or nothing.
[[nodiscard]] inline auto suggestion(std::string_view word, std::span<const std::string_view> known,
                                     std::string_view prefix = {}) -> std::string {
  const auto meant = closest_word(word, known);
  if (!meant) return {};
  return " (did you mean " + std::string{prefix} + std::string{*meant} + "?)";
}

}  // namespace aerogpu::tool
