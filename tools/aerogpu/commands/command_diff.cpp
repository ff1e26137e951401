// SPDX-License-Identifier: MIT
// aerogpu diff: the first difference of two files, in words.
#include "tools/aerogpu/commands/commands.hpp"
#include "tools/aerogpu/files/recording.hpp"
#include "tools/aerogpu/output/packet_diff.hpp"
#include "tools/aerogpu/terminal/console.hpp"
#include "tools/aerogpu/terminal/exit_code.hpp"

#include <algorithm>
#include <array>

namespace aerogpu::tool {

namespace {

struct diff_choice {
  bool with_fences = true;
  bool with_memory = true;
};

auto describe_memory(const recorded_work& a, const recorded_work& b) -> std::string {
  for (std::size_t i = 0; i < std::min(a.memory.size(), b.memory.size()); ++i) {
    const recorded_memory& x = a.memory[i];
    const recorded_memory& y = b.memory[i];
    const std::string name = "allocation " + decimal(raw(x.id));
    if (x.id != y.id) return name + " against allocation " + decimal(raw(y.id));
    if (x.at != y.at) return name + ": address " + hex(raw(x.at)) + " against " + hex(raw(y.at));
    if (x.flags != y.flags) {
      return name + ": flags " + decimal(x.flags) + " against " + decimal(y.flags);
    }
    if (std::ranges::equal(x.bytes, y.bytes)) continue;
    const auto at = std::mismatch(x.bytes.begin(), x.bytes.end(), y.bytes.begin(), y.bytes.end());
    return name + ": content differs from byte " +
           hex(static_cast<std::uint64_t>(at.first - x.bytes.begin())) + " on";
  }
  if (a.memory.size() == b.memory.size()) return {};
  return counted(a.memory.size(), "memory range") + " against " +
         counted(b.memory.size(), "memory range");
}

auto describe_number(const char* name, std::uint64_t a, std::uint64_t b) -> std::string {
  return a == b ? std::string{} : name + (" " + decimal(a)) + " against " + decimal(b);
}

/// The first difference of two submissions; empty when there is none.
auto describe_works(const recorded_work& a, const recorded_work& b, const diff_choice& how)
    -> std::string {
  const recorded_submission& x = a.what;
  const recorded_submission& y = b.what;
  std::string words = describe_number("context", raw(x.context), raw(y.context));
  if (words.empty()) words = describe_number("flags", x.submit_flags, y.submit_flags);
  if (words.empty()) words = describe_number("engine", x.engine_id, y.engine_id);
  if (words.empty() && how.with_fences)
    words = describe_number("fence", raw(x.fence), raw(y.fence));
  if (words.empty()) words = describe_stream_difference(x.stream, y.stream);
  if (words.empty() && how.with_memory && !std::ranges::equal(x.alloc_table, y.alloc_table)) {
    words = "the allocation tables differ";
  }
  if (words.empty() && how.with_memory) words = describe_memory(a, b);
  return words;
}

auto compare(const recording& a, const recording& b, const diff_choice& how) -> std::string {
  const std::size_t count = std::min(a.works().size(), b.works().size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::string words = describe_works(a.works()[i], b.works()[i], how);
    if (!words.empty()) return "submission " + decimal(i) + ": " + words;
  }
  if (a.works().size() != b.works().size()) {
    return "A has " + counted(a.works().size(), "submission") + ", B has " +
           decimal(b.works().size());
  }
  const auto& x = a.foreign_packets();
  const auto& y = b.foreign_packets();
  const bool same = std::ranges::equal(x, y, [](const other_record& l, const other_record& r) {
    return std::ranges::equal(l.payload, r.payload);
  });
  return same ? std::string{} : "the packet records of another ABI differ";
}

constexpr std::array<option_row, 2> diff_options{{
    {"ignore-fences", "", "do not compare fence values"},
    {"ignore-memory", "", "do not compare allocation tables and memory content"},
}};

auto run_diff(const arguments& given) -> int {
  std::string why;
  const auto a = recording::open(given.operands()[0], why);
  if (!a) {
    complain(why);
    return exit_cannot;
  }
  const auto b = recording::open(given.operands()[1], why);
  if (!b) {
    complain(why);
    return exit_cannot;
  }
  const diff_choice how{!given.has("ignore-fences"), !given.has("ignore-memory")};
  const std::string words = compare(*a, *b, how);
  if (words.empty()) {
    // Damaged bytes that agree show nothing.
    return a->is_damaged() || b->is_damaged() ? exit_stream_has_errors : exit_fine;
  }
  print(words + "\n");
  return exit_stream_has_errors;
}

}  // namespace

const command diff_command{
    {"diff", "A B",
     "Names the first packet in which two files differ. Prints nothing when none does.",
     diff_options, 2, 2},
    &run_diff};

}  // namespace aerogpu::tool
