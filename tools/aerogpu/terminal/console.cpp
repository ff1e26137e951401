// SPDX-License-Identifier: MIT
#include "tools/aerogpu/terminal/console.hpp"

#include "aerogpu/core/text.hpp"
#include "aerogpu/stream/error_text.hpp"

#include <algorithm>
#include <cstdio>

#if defined(_WIN32)
#include <io.h>
#else
#include <unistd.h>
#endif

namespace aerogpu::tool {

void print(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

void complain(std::string_view sentence) {
  std::fflush(stdout);
  std::fprintf(stderr, "aerogpu: %.*s\n", static_cast<int>(sentence.size()), sentence.data());
}

auto describe(const std::string& file, const error& why) -> std::string {
  std::string sentence = file + ": " + kind_name(why.code) + " at byte " + hex(why.offset) + ": " +
                         why.what + " (" + decimal(why.detail);
  if (why.limit != 0) sentence += ", limit " + decimal(why.limit);
  return sentence + ")";
}

auto printable(std::string_view words) -> std::string {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto code = static_cast<unsigned char>(words[i]);
    const auto next = i + 1 < words.size() ? static_cast<unsigned char>(words[i + 1]) : 0u;
    const bool is_c1 = code == 0xC2 && next >= 0x80 && next < 0xA0;  // U+0080 to U+009F, in UTF-8.
    if (code == '\\') {
      out += "\\\\";
    } else if (code < ' ' || code == 0x7F || is_c1) {
      const unsigned shown = is_c1 ? next : code;
      out += {'\\', 'x', digits[shown >> 4], digits[shown & 0xF]};
      if (is_c1) ++i;
    } else {
      out += words[i];
    }
  }
  return out;
}

auto decimal(std::uint64_t value) -> std::string {
  text out;
  append_decimal(out, value);
  return out.str();
}

auto hex(std::uint64_t value) -> std::string {
  text out;
  append_hex(out, value);
  return out.str();
}

auto four_digits(std::uint64_t value) -> std::string {
  const std::string digits = decimal(value);
  return std::string(digits.size() < 4 ? 4 - digits.size() : 0, '0') + digits;
}

auto counted(std::uint64_t count, std::string_view noun) -> std::string {
  return decimal(count) + " " + std::string{noun} + (count == 1 ? "" : "s");
}

namespace {

auto is_number(std::string_view cell) -> bool {
  return !cell.empty() && std::all_of(cell.begin(), cell.end(),
                                      [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
}

}  // namespace

auto table::str() const -> std::string {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string out;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - row[i].size(), ' ');
      line += i == 0 ? "" : "  ";
      line += is_number(row[i]) ? padding + row[i] : row[i] + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

auto facts::str() const -> std::string {
  std::size_t width = 0;
  for (const auto& [name, value] : lines_) width = std::max(width, name.size());
  std::string out;
  for (const auto& [name, value] : lines_) {
    out += name + std::string(width - name.size() + 2, ' ') + value + "\n";
  }
  return out;
}

namespace {

auto is_terminal(std::FILE* file) -> bool {
#if defined(_WIN32)
  return _isatty(_fileno(file)) != 0;
#else
  return isatty(fileno(file)) == 1;
#endif
}

}  // namespace

progress::progress(std::string what, std::uint64_t total, verbosity how)
    : what_(std::move(what)),
      total_(total),
      is_shown_(how == verbosity::normal && is_terminal(stderr)) {}

void progress::at(std::uint64_t done) {
  if (!is_shown_) return;
  const auto now = clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::seconds{1};
  has_spoken_ = true;
  const double share = total_ == 0 ? 1.0 : static_cast<double>(done) / static_cast<double>(total_);
  std::fprintf(stderr, "\raerogpu: %s %3.0f %%", what_.c_str(), share * 100.0);
}

progress::~progress() {
  if (has_spoken_) std::fputs("\r\033[K", stderr);
}

}  // namespace aerogpu::tool
