// SPDX-License-Identifier: MIT
/// \file The report of `aerogpu compare` as one HTML file that needs no other.
#pragma once

#include "tools/aerogpu/show/picture_diff.hpp"

#include <optional>
#include <string>
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
  [[nodiscard]] auto str() const -> std::string;

 private:
  std::string head_;
  std::string body_;
  std::uint32_t gain_;
};

/// "0.012".
[[nodiscard]] auto three_decimals(double value) -> std::string;

}  // namespace aerogpu::tool
