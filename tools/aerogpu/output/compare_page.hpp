// SPDX-License-Identifier: MIT
/// \file The report of `aerogpu compare` as one HTML file that needs no other.
#pragma once

#include "tools/aerogpu/output/picture_diff.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aerogpu::tool {

/// One pair of pictures on the page.
struct compared_frame {
  std::string name;
  picture_difference difference;
  png_picture a, b;
};

class compare_page {
 public:
  /// `a` and `b` are what the command line named.
  compare_page(std::string a, std::string b, std::uint32_t tolerance, std::uint32_t gain);

  /// False, and a sentence in `why`, when a picture cannot be encoded.
  [[nodiscard]] auto add(const compared_frame& frame, std::string& why) -> bool;
  /// A frame that one side alone has: `from` is "A" or "B".
  [[nodiscard]] auto add_missing(const std::string& name, const std::string& from,
                                 const png_picture& picture, std::string& why) -> bool;
  /// A summary, then every frame that was added.
  [[nodiscard]] auto str() const -> std::string;

 private:
  void begin_frame(const std::string& name, std::string_view kind, const std::string& words,
                   const picture_difference* found);

  std::string head_;
  std::string rows_;  ///< Of the summary.
  std::string body_;
  std::uint64_t count_ = 0;
  std::uint64_t different_ = 0;
  std::uint64_t missing_ = 0;
  std::uint32_t gain_;
};

/// "0.012".
[[nodiscard]] auto three_decimals(double value) -> std::string;

}  // namespace aerogpu::tool
