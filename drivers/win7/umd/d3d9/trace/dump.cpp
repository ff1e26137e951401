// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/trace/dump.hpp"

#include "aerogpu/core/text.hpp"
#include "drivers/win7/umd/d3d9/core/os.hpp"

#include <array>
#include <cstddef>
#include <span>

namespace aerogpu::umd::trace {

namespace {

/// One line, written when it is complete.
class trace_line {
 public:
  explicit trace_line(bool to_stderr) noexcept : to_stderr_(to_stderr) {
    text_.append("aerogpu-d3d9-trace: ");
  }
  trace_line(const trace_line&) = delete;
  auto operator=(const trace_line&) -> trace_line& = delete;
  ~trace_line() {
    const std::size_t size = text_.view().size();
    storage_[size] = '\n';
    os::write_trace({storage_.data(), size + 1}, to_stderr_);
  }

  auto text(std::string_view more) noexcept -> trace_line& {
    text_.append(more);
    return *this;
  }
  auto number(std::uint64_t value) noexcept -> trace_line& {
    append_decimal(text_, value);
    return *this;
  }
  auto hex(std::uint64_t value, std::size_t digits = 1) noexcept -> trace_line& {
    append_hex(text_, value, digits);
    return *this;
  }

 private:
  static constexpr std::size_t longest = 384;  ///< Bytes, the newline included.

  std::array<char, longest> storage_;
  text_buffer text_{std::span{storage_}.first(longest - 1)};
  bool to_stderr_;
};

void add_settings(trace_line& line, const trace_settings& settings,
                  const entry_filter& filter) noexcept {
  line.text(" mode=")
      .text(settings.records_all ? "all" : "unique")
      .text(" max=")
      .number(settings.record_limit)
      .text(" dump_present=")
      .number(settings.dump_present)
      .text(" dump_on_detach=")
      .number(settings.dumps_on_detach)
      .text(" dump_on_fail=")
      .number(settings.dumps_on_fail)
      .text(" dump_on_stub=")
      .number(settings.dumps_on_stub)
      .text(" stderr_on=")
      .number(settings.writes_stderr)
      .text(" filter_on=")
      .number(filter.is_on())
      .text(" filter_count=")
      .number(filter.count());
}

void write_record(std::uint32_t index, const record& each, bool to_stderr) noexcept {
  trace_line line{to_stderr};
  line.text("#").text(index < 10 ? "00" : index < 100 ? "0" : "").number(index);
  line.text(" t=").number(each.time).text(" tid=").number(each.thread);
  line.text(" ").text(name_of(each.entry));
  constexpr std::string_view labels[] = {" a0=", " a1=", " a2=", " a3="};
  for (std::size_t i = 0; i < each.arguments.size(); ++i) {
    line.text(labels[i]).hex(each.arguments[i]);
  }
  line.text(" hr=").hex(each.result, 8);
}

}  // namespace

void write_banner(const trace_settings& settings, const entry_filter& filter) noexcept {
  trace_line line{settings.writes_stderr};
  add_settings(line.text("enabled"), settings, filter);
}

void write_dump(std::string_view reason, const trace_settings& settings, const entry_filter& filter,
                const record_buffer& records) noexcept {
  const std::uint32_t size = records.size();
  record each;
  std::uint32_t written = 0;
  for (std::uint32_t i = 0; i < size; ++i) written += records.read(i, each) ? 1 : 0;
  {
    trace_line line{settings.writes_stderr};
    line.text("dump reason=").text(reason).text(" entries=").number(written);
    add_settings(line, settings, filter);
  }
  for (std::uint32_t i = 0; i < size && written != 0; ++i) {
    if (!records.read(i, each)) continue;  // Another thread is just beginning it.
    write_record(i, each, settings.writes_stderr);
    --written;
  }
}

}  // namespace aerogpu::umd::trace
