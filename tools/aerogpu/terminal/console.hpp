// SPDX-License-Identifier: MIT
/// \file Text for people: aligned tables, sentences on stderr, progress of long work.
#pragma once

#include "aerogpu/core/error.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace aerogpu::tool {

/// Text that `append_*` and `dump_*` write to.
class text {
 public:
  void append(std::string_view more) noexcept { value_.append(more); }
  [[nodiscard]] auto str() const noexcept -> const std::string& { return value_; }
  [[nodiscard]] auto size() const noexcept -> std::size_t { return value_.size(); }
  void clear() noexcept { value_.clear(); }

 private:
  std::string value_;
};

/// Writes to stdout.
void print(std::string_view text);
/// What `append_*` and `dump_*` write to when nobody keeps it: there may be more than fits in
/// memory.
class printed_text {
 public:
  void append(std::string_view more) noexcept { print(more); }
};
/// Writes "aerogpu: <sentence>" to stderr.
void complain(std::string_view sentence);
/// Where and why a file is broken, for `complain`.
[[nodiscard]] auto describe(const std::string& file, const error& why) -> std::string;

/// Text of a file as a terminal may have it: control characters become \xNN, a backslash two.
[[nodiscard]] auto printable(std::string_view words) -> std::string;
[[nodiscard]] auto decimal(std::uint64_t value) -> std::string;
[[nodiscard]] auto hex(std::uint64_t value) -> std::string;
/// "0007", for names that sort.
[[nodiscard]] auto four_digits(std::uint64_t value) -> std::string;
/// "1 packet", "2 packets".
[[nodiscard]] auto counted(std::uint64_t count, std::string_view noun) -> std::string;

/// Rows of cells whose columns line up. Numbers line up at the right.
class table {
 public:
  explicit table(std::vector<std::string> head) : rows_{std::move(head)} {}
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  [[nodiscard]] auto str() const -> std::string;

 private:
  std::vector<std::vector<std::string>> rows_;
};

/// "name   value" lines whose values line up.
class facts {
 public:
  void add(std::string name, std::string value) {
    lines_.emplace_back(std::move(name), std::move(value));
  }
  [[nodiscard]] auto str() const -> std::string;

 private:
  std::vector<std::pair<std::string, std::string>> lines_;
};

/// Whether a command tells more than errors and what was asked of it.
enum class verbosity : std::uint8_t { normal, quiet };

/// Tells how far long work is, on stderr where that is a terminal, at most once a second and only
/// after the first second. The line goes away with it.
class progress {
 public:
  progress(std::string what, std::uint64_t total, verbosity how = verbosity::normal);
  progress(const progress&) = delete;
  auto operator=(const progress&) -> progress& = delete;
  ~progress();
  void at(std::uint64_t done);

 private:
  using clock = std::chrono::steady_clock;
  std::string what_;
  std::uint64_t total_;
  clock::time_point next_ = clock::now() + std::chrono::seconds{1};
  bool is_shown_;
  bool has_spoken_ = false;
};

}  // namespace aerogpu::tool
