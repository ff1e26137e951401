// SPDX-License-Identifier: MIT
// aerogpu compare: pictures of two runs, frame by frame.
#include "tools/aerogpu/commands/commands.hpp"
#include "tools/aerogpu/files/files.hpp"
#include "tools/aerogpu/files/outputs.hpp"
#include "tools/aerogpu/output/compare_page.hpp"
#include "tools/aerogpu/output/picture_diff.hpp"
#include "tools/aerogpu/terminal/console.hpp"
#include "tools/aerogpu/terminal/exit_code.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

namespace aerogpu::tool {

namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t gain = 16;  ///< By which differences are made visible.

constexpr std::array<option_row, 4> compare_options{{
    {"tolerance", "N", "largest difference of a channel that is no difference, 0 (default) to 255"},
    {"html", "FILE", "write one page: a summary, then A, B, their difference and a slider"},
    {"diff", "DIR", "write each difference as DIR/NAME, 16 times as large"},
    quiet_row,
}};

struct compare_choice {
  std::uint32_t tolerance = 0;
  std::string html_file;
  std::string diff_folder;
  verbosity talk = verbosity::normal;
};

/// A pair of files; one path is empty where the other folder has no such frame.
struct frame_pair {
  std::string name, a, b;
};

auto pictures_in(const std::string& folder) -> std::set<std::string> {
  std::set<std::string> names;
  std::error_code failed;
  for (fs::directory_iterator at{folder, failed}, end; !failed && at != end; at.increment(failed)) {
    if (at->path().extension() == ".png") names.insert(at->path().filename().string());
  }
  return names;
}

/// Frames in the order of their names. Nothing, and a sentence in `why`, when there are none.
auto pair_frames(const std::string& a, const std::string& b, std::string& why)
    -> std::optional<std::vector<frame_pair>> {
  std::error_code ignored;
  const bool is_folder = fs::is_directory(a, ignored);
  if (is_folder != fs::is_directory(b, ignored)) {
    why = "A and B must both be folders or both be PNG files";
    return std::nullopt;
  }
  if (!is_folder) return std::vector<frame_pair>{{fs::path{a}.filename().string(), a, b}};
  const std::set<std::string> in_a = pictures_in(a), in_b = pictures_in(b);
  std::set<std::string> names = in_a;
  names.insert(in_b.begin(), in_b.end());
  if (names.empty()) {
    why = "there are no PNG files in " + a + " and " + b;
    return std::nullopt;
  }
  std::vector<frame_pair> pairs;
  pairs.reserve(names.size());
  for (const std::string& name : names) {
    pairs.push_back(
        {name, in_a.contains(name) ? join(a, name) : "", in_b.contains(name) ? join(b, name) : ""});
  }
  return pairs;
}

class comparison {
 public:
  comparison(const std::string& a, const std::string& b, const compare_choice& how)
      : how_(how),
        page_(a, b, how.tolerance, gain),
        rows_({"frame", "size", "max", "mean", "above " + decimal(how.tolerance), "verdict"}) {}

  /// False, and a sentence in `why`, when a file cannot be read or written.
  [[nodiscard]] auto add(const frame_pair& pair, std::string& why) -> bool {
    if (pair.a.empty() || pair.b.empty()) {
      rows_.add({pair.name, "", "", "", "", pair.a.empty() ? "missing in A" : "missing in B"});
      code_ = exit_cannot;
      return how_.html_file.empty() || add_missing(pair, why);
    }
    auto a = read_png(pair.a, why);
    auto b = a ? read_png(pair.b, why) : std::nullopt;
    if (!b) return false;
    const picture_difference found = compare_pictures(*a, *b, how_.tolerance);
    if (!found.is_same()) code_ = std::max<int>(code_, exit_stream_has_errors);
    list(pair.name, *a, *b, found);
    if (!how_.diff_folder.empty() && found.has_same_size && !write_difference(pair, *a, *b, why)) {
      return false;
    }
    return how_.html_file.empty() ||
           page_.add({pair.name, found, *std::move(a), *std::move(b)}, why);
  }

  /// Prints the table and writes the page.
  [[nodiscard]] auto finish(std::string& why) const -> bool {
    if (how_.talk == verbosity::normal) print(rows_.str());
    if (how_.html_file.empty()) return true;
    const std::string page = page_.str();
    return write_file(how_.html_file, std::as_bytes(std::span{page}), why);
  }
  [[nodiscard]] auto code() const -> int { return code_; }

 private:
  [[nodiscard]] auto add_missing(const frame_pair& pair, std::string& why) -> bool {
    const bool is_in_a = pair.b.empty();
    const auto only = read_png(is_in_a ? pair.a : pair.b, why);
    return only && page_.add_missing(pair.name, is_in_a ? "A" : "B", *only, why);
  }

  void list(const std::string& name, const png_picture& a, const png_picture& b,
            const picture_difference& found) {
    const std::string size = decimal(a.width) + "x" + decimal(a.height);
    if (!found.has_same_size) {
      const std::string other = decimal(b.width) + "x" + decimal(b.height);
      rows_.add({name, size, "", "", "", "different: B is " + other});
      return;
    }
    rows_.add({name, size, decimal(found.largest), three_decimals(found.mean), decimal(found.above),
               found.is_same() ? "same" : "different"});
  }

  [[nodiscard]] auto write_difference(const frame_pair& pair, const png_picture& a,
                                      const png_picture& b, std::string& why) const -> bool {
    const png_picture between = difference_picture(a, b, gain);
    return write_png(join(how_.diff_folder, pair.name), between.pixels, between.width,
                     between.height, why);
  }

  const compare_choice& how_;
  compare_page page_;
  table rows_;
  int code_ = exit_fine;
};

auto choose_compare(const arguments& given, std::string& why) -> std::optional<compare_choice> {
  compare_choice how;
  how.html_file = given.value("html").value_or("");
  how.diff_folder = given.value("diff").value_or("");
  const auto tolerance = parse_number(given.value("tolerance").value_or("0"));
  if (!tolerance || *tolerance > 255) {
    why = "--tolerance needs a number from 0 to 255";
    return std::nullopt;
  }
  how.tolerance = static_cast<std::uint32_t>(*tolerance);
  how.talk = given.has("quiet") ? verbosity::quiet : verbosity::normal;
  return how;
}

/// Whether page and differences can be written, and over no picture that is compared. False, and a
/// sentence in `why`, when not.
auto admits_outputs(const compare_choice& how, const std::vector<frame_pair>& pairs,
                    std::string& why) -> bool {
  std::vector<std::string> inputs;
  for (const frame_pair& pair : pairs) inputs.insert(inputs.end(), {pair.a, pair.b});
  std::erase(inputs, std::string{});
  if (!how.html_file.empty() && !can_write_file(how.html_file, inputs, why)) return false;
  if (how.diff_folder.empty()) return true;
  if (!can_write_into(how.diff_folder, why)) return false;
  return std::ranges::all_of(pairs, [&](const frame_pair& pair) {
    const std::string output = join(how.diff_folder, pair.name);
    return is_no_input(output, {pair.a, pair.b}, why) && claim_output(output, why);
  });
}

auto run_compare(const arguments& given) -> int {
  const std::string& a = given.operands()[0];
  const std::string& b = given.operands()[1];
  std::string why;
  const auto how = choose_compare(given, why);
  const auto pairs = how ? pair_frames(a, b, why) : std::nullopt;
  if (!pairs || !admits_outputs(*how, *pairs, why)) {
    complain(why);
    return exit_cannot;
  }
  comparison frames{a, b, *how};
  progress so_far{"comparing " + a + " with " + b, pairs->size(), how->talk};
  std::uint64_t done = 0;
  for (const frame_pair& pair : *pairs) {
    if (!frames.add(pair, why)) {
      complain(why);
      return exit_cannot;
    }
    so_far.at(++done);
  }
  if (!frames.finish(why)) {
    complain(why);
    return exit_cannot;
  }
  if (frames.code() == exit_cannot) complain("a frame has no counterpart");
  return frames.code();
}

}  // namespace

const command compare_command{
    {"compare", "A B",
     "Compares PNG files: two, or all of two folders, paired by name.\n\n"
     "Exits with 0 where no channel differs by more than the tolerance, 1 where one does or sizes\n"
     "differ, and 2 where a frame is missing.",
     compare_options, 2, 2},
    &run_compare};

}  // namespace aerogpu::tool
