// SPDX-License-Identifier: MIT
#include "tests/drivers/umd/rigs/stream_host.hpp"

#include "aerogpu/stream/error_text.hpp"
#include "aerogpu/stream/validate.hpp"
#include "tests/catch.hpp"
#include "tests/support/alloc_table_bytes.hpp"
#include "tests/support/processors/null_processor.hpp"

#include <map>
#include <string_view>

namespace aerogpu::umd::test {
namespace {

struct text_of_error {
  std::string text;
  void append(std::string_view more) noexcept { text.append(more); }
};

}  // namespace

auto describe(const error& why) -> std::string {
  text_of_error out;
  append_error(out, why);
  return out.text;
}

auto findings_of(const_bytes stream) -> std::vector<std::string> {
  std::vector<std::string> findings;
  const auto parsed = parse_stream_header(stream);
  if (!parsed) return {describe(parsed.why())};
  static_cast<void>(
      validate(*parsed, [&](const finding& f) { findings.push_back(describe(f.why)); }));
  return findings;
}

/// Models guest_memory, and hears what completes.
struct stream_host::parts {
  [[nodiscard]] auto find(gpa at, std::size_t size) noexcept -> mutable_bytes {
    auto next = mapped.upper_bound(raw(at));
    if (next == mapped.begin()) return {};
    const auto& [first, storage] = *--next;
    const std::uint64_t offset = raw(at) - first;
    if (offset > storage->size() || size > storage->size() - offset) return {};
    return mutable_bytes{*storage}.subspan(static_cast<std::size_t>(offset), size);
  }
  [[nodiscard]] auto read(gpa at, mutable_bytes out) noexcept -> bool {
    const mutable_bytes found = find(at, out.size());
    if (found.size() != out.size()) return false;
    copy_bytes(out, found);
    return true;
  }
  [[nodiscard]] auto write(gpa at, const_bytes in) noexcept -> bool {
    const mutable_bytes found = find(at, in.size());
    if (found.size() != in.size()) return false;
    copy_bytes(found, in);
    return true;
  }

  void on_write_back(submission_id, const guest_rows& to, const_bytes rows) noexcept {
    for (std::uint32_t row = 0; row < to.row_count; ++row) {
      CHECK(write(advance(to.first_row, row * to.pitch_bytes),
                  rows.subspan(static_cast<std::size_t>(row * to.row_size_bytes),
                               static_cast<std::size_t>(to.row_size_bytes))));
    }
  }
  void on_complete(submission_id, const error& why) noexcept {
    CHECK(why.code == error_code::none);
  }

  null_backend backend;
  command_processor<null_backend> processor{backend};
  std::map<std::uint64_t, byte_vector*> mapped;
  std::uint64_t next_address = 0x1'0000'0000;
  std::uint64_t fences = 0;
};

stream_host::stream_host() : parts_(std::make_unique<parts>()) {}
stream_host::~stream_host() = default;

auto stream_host::map(byte_vector& storage) -> gpa {
  const gpa at{parts_->next_address};
  parts_->next_address += (storage.size() + 0x1FFF) / 0x1000 * 0x1000;
  parts_->mapped[raw(at)] = &storage;
  return at;
}
void stream_host::unmap(gpa at) {
  parts_->mapped.erase(raw(at));
}

auto stream_host::run(const_bytes stream, const std::vector<aerogpu_alloc_entry>& entries,
                      std::uint32_t context) -> error {
  const byte_vector copy(stream.begin(), stream.end());
  std::vector<alloc_table::slot> slots(
      alloc_table::slots_for(static_cast<std::uint32_t>(entries.size())));
  alloc_table table{slots};
  if (!entries.empty()) {
    const auto parsed = table.parse(aerogpu::test::make_table(entries));
    if (!parsed) return parsed.why();
  }
  const auto report = parts_->processor.execute({context_id{context}, fence_value{++parts_->fences},
                                                 copy, entries.empty() ? nullptr : &table},
                                                *parts_);
  parts_->processor.wait_idle();
  parts_->processor.poll(*parts_);
  return report.why;
}

auto stream_host::read_presented(mutable_bytes out) -> result<void> {
  return parts_->processor.read_presented(out);
}

auto stream_host::counters() const -> host_counters {
  return {parts_->backend.counters().clears, parts_->backend.counters().draws};
}

}  // namespace aerogpu::umd::test
