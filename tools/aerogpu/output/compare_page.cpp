// SPDX-License-Identifier: MIT
#include "tools/aerogpu/output/compare_page.hpp"

#include "tools/aerogpu/terminal/console.hpp"

#include <array>
#include <cstdio>

namespace aerogpu::tool {

namespace {

constexpr std::string_view style = R"(<meta name="viewport" content="width=device-width">
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em; background: #14181f; color: #dde4ee; }
h1 { font-size: 1.3em; } h2 { font-size: 1.05em; margin: 2em 0 .3em;
  scroll-margin-top: 3em; }
a { color: inherit; } table { border-collapse: collapse; } td, th { padding: .1em 1em .1em 0; }
th { text-align: left; color: #8fa1b8; font-weight: normal; } td.number { text-align: right; }
nav { position: sticky; top: 0; background: #14181f; padding: .5em 0; z-index: 1; }
.row { display: flex; flex-wrap: wrap; gap: 12px; align-items: flex-start; }
figure { margin: 0; } figcaption { color: #8fa1b8; }
img { image-rendering: pixelated; background: #000; display: block; outline: 1px solid #39434f; }
img, .stack { width: calc(var(--pixels) * var(--zoom) * 1px / var(--ratio)); }
.stack { position: relative; } .stack img + img { position: absolute; top: 0; left: 0;
  clip-path: inset(0 calc(100% - var(--at)) 0 0); }
input[type=range] { display: block; width: 100%; margin: 4px 0 0; }
.same { color: #6fd08c; } .different, .missing { color: #ff8466; }
</style>
)";

/// A pixel of a picture is a whole number of the screen's, so that its edges are sharp.
constexpr std::string_view script = R"(<script>
const root = document.documentElement.style;
const setRatio = () => root.setProperty('--ratio', window.devicePixelRatio || 1);
const setZoom = zoom => root.setProperty('--zoom', zoom);
setRatio();
window.addEventListener('resize', setRatio);
document.querySelectorAll('nav input').forEach(one =>
  one.addEventListener('change', () => setZoom(one.value)));
document.querySelectorAll('.row').forEach(row => {
  const stack = row.querySelector('.stack');
  if (!stack) return;
  const [b, a] = stack.querySelectorAll('img'), [fromA, fromB] = row.querySelectorAll('img');
  a.src = fromA.src;
  b.src = fromB.src;
  stack.style.setProperty('--pixels', fromA.style.getPropertyValue('--pixels'));
  for (const one of [a, b]) one.style.width = '100%';
  stack.parentElement.querySelector('input').addEventListener('input',
    event => stack.style.setProperty('--at', event.target.value + '%'));
});
</script>
)";

constexpr std::string_view zoom_bar = R"(<nav>Pixels as
<label><input type="radio" name="zoom" value="1" checked>1</label>
<label><input type="radio" name="zoom" value="2">2</label>
<label><input type="radio" name="zoom" value="4">4</label>
<label><input type="radio" name="zoom" value="8">8</label> of the screen</nav>
)";

constexpr std::string_view slider = R"(<figure><div class="stack" style="--at: 50%"><img alt="B">
<img alt="A"></div><input type="range" min="0" max="100" value="50" aria-label="left A, right B">
<figcaption>left A, right B</figcaption></figure>
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
  return "<figure><img style=\"--pixels: " + decimal(picture.width) + "\" alt=\"" +
         escaped(caption) + "\" src=\"data:image/png;base64," + base64(*file) + "\"><figcaption>" +
         escaped(caption) + "</figcaption></figure>\n";
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
          "<!doctype html>\n<html lang=\"en\" style=\"--zoom: 1; --ratio: 1\"><meta "
          "charset=\"utf-8\">\n<title>aerogpu compare</title>\n" +
          std::string{style} + "<h1>" + escaped(a) + " against " + escaped(b) +
          "</h1>\n<p>Tolerance " + decimal(tolerance) + "; differences are shown " + decimal(gain) +
          " times as large.</p>\n"),
      gain_(gain) {}

void compare_page::begin_frame(const std::string& name, std::string_view kind,
                               const std::string& words, const picture_difference* found) {
  ++count_;
  const std::string anchor = "frame" + decimal(count_);
  const auto cell = [](const std::string& text) {
    return "<td class=\"number\">" + text + "</td>";
  };
  rows_ += "<tr><td><a href=\"#" + anchor + "\">" + escaped(name) + "</a></td>";
  if (found != nullptr && found->has_same_size) {
    rows_ += cell(decimal(found->largest)) + cell(three_decimals(found->mean)) +
             cell(decimal(found->above));
  } else {
    rows_ += "<td></td><td></td><td></td>";
  }
  rows_ += "<td class=\"" + std::string{kind} + "\">" + std::string{kind} + "</td></tr>\n";
  body_ += "<h2 id=\"" + anchor + "\">" + escaped(name) + " <span class=\"" + std::string{kind} +
           "\">" + words + "</span></h2>\n<div class=\"row\">\n";
}

auto compare_page::add(const compared_frame& frame, std::string& why) -> bool {
  const auto a = figure(frame.a, "A, " + size_text(frame.a), why);
  const auto b = a ? figure(frame.b, "B, " + size_text(frame.b), why) : std::nullopt;
  if (!b) return false;
  const bool is_same = frame.difference.is_same();
  if (!is_same) ++different_;
  begin_frame(frame.name, is_same ? "same" : "different", summary(frame.difference),
              &frame.difference);
  body_ += *a + *b;
  if (frame.difference.has_same_size) {
    const auto between = figure(difference_picture(frame.a, frame.b, gain_), "difference", why);
    if (!between) return false;
    body_ += *between + std::string{slider};
  }
  body_ += "</div>\n";
  return true;
}

auto compare_page::add_missing(const std::string& name, const std::string& from,
                               const png_picture& picture, std::string& why) -> bool {
  const auto only = figure(picture, from + ", " + size_text(picture), why);
  if (!only) return false;
  ++missing_;
  begin_frame(name, "missing", std::string{"missing in "} + (from == "A" ? "B" : "A"), nullptr);
  body_ += *only + "</div>\n";
  return true;
}

auto compare_page::str() const -> std::string {
  const std::uint64_t same = count_ - different_ - missing_;
  return head_ + "<p>" + counted(count_, "frame") + ": <span class=\"same\">" + decimal(same) +
         " the same</span>, <span class=\"different\">" + decimal(different_) +
         " different</span>, <span class=\"missing\">" + decimal(missing_) +
         " missing</span>.</p>\n<table><tr><th>frame</th><th>max</th><th>mean</th><th>pixels "
         "above</th><th></th></tr>\n" +
         rows_ + "</table>\n" + std::string{zoom_bar} + body_ + std::string{script} + "</html>\n";
}

}  // namespace aerogpu::tool
