// SPDX-License-Identifier: MIT
#include "tools/aerogpu/show/compare_page.hpp"

#include "tools/aerogpu/terminal/console.hpp"

#include <array>
#include <cstdio>

namespace aerogpu::tool {

namespace {

constexpr std::string_view style = R"(<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em; background: #14181f; color: #dde4ee; }
h1 { font-size: 1.3em; } h2 { font-size: 1.05em; margin: 1.8em 0 .3em; }
.row { display: grid; grid-template-columns: repeat(3, 1fr); gap: 12px; }
figure { margin: 0; } figcaption { color: #8fa1b8; }
img { width: 100%; image-rendering: pixelated; background: #000; border: 1px solid #39434f; }
.same { color: #6fd08c; } .different { color: #ff8466; }
</style>
)";

auto escaped(const std::string& words) -> std::string {
  std::string out;
  for (const char c : words) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

auto base64(const_bytes bytes) -> std::string {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      group =
          group << 8 | (at + i < bytes.size() ? std::to_integer<std::uint32_t>(bytes[at + i]) : 0);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      const bool is_padding = at + i > bytes.size();
      out += is_padding ? '=' : digits[group >> (18 - 6 * i) & 63];
    }
  }
  return out;
}

auto figure(const png_picture& picture, const std::string& caption, std::string& why)
    -> std::optional<std::string> {
  const auto file = encode_png(picture, why);
  if (!file) return std::nullopt;
  return "<figure><img alt=\"" + escaped(caption) + "\" src=\"data:image/png;base64," +
         base64(*file) + "\"><figcaption>" + escaped(caption) + "</figcaption></figure>\n";
}

auto summary(const picture_difference& d) -> std::string {
  if (!d.has_same_size) return "the sizes differ";
  return "largest difference " + decimal(d.largest) + ", mean " + three_decimals(d.mean) + ", " +
         counted(d.above, "pixel") + " above the tolerance";
}

auto size_text(const png_picture& picture) -> std::string {
  return decimal(picture.width) + " x " + decimal(picture.height);
}

}  // namespace

auto three_decimals(double value) -> std::string {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3f", value);
  return text.data();
}

compare_page::compare_page(std::string a, std::string b, std::uint32_t tolerance,
                           std::uint32_t gain)
    : head_(
          "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">\n<title>aerogpu compare"
          "</title>\n" +
          std::string{style} + "<h1>" + escaped(a) + " against " + escaped(b) +
          "</h1>\n<p>Tolerance " + decimal(tolerance) + "; differences are shown " + decimal(gain) +
          " times as large.</p>\n"),
      gain_(gain) {}

auto compare_page::add(const compared_frame& frame, std::string& why) -> bool {
  const auto a = figure(frame.a, "A, " + size_text(frame.a), why);
  const auto b = a ? figure(frame.b, "B, " + size_text(frame.b), why) : std::nullopt;
  if (!b) return false;
  const bool is_same = frame.difference.is_same();
  body_ += "<h2>" + escaped(frame.name) + " <span class=\"" + (is_same ? "same" : "different") +
           "\">" + summary(frame.difference) + "</span></h2>\n<div class=\"row\">\n" + *a + *b;
  if (frame.difference.has_same_size) {
    const auto between = figure(difference_picture(frame.a, frame.b, gain_), "difference", why);
    if (!between) return false;
    body_ += *between;
  }
  body_ += "</div>\n";
  return true;
}

auto compare_page::str() const -> std::string {
  return head_ + body_ + "</html>\n";
}

}  // namespace aerogpu::tool
