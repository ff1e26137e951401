// SPDX-License-Identifier: MIT
/// \file The host of a fake runtime: holds every stream to all rules, and runs it without a GPU.
#pragma once

#include "aerogpu/processor/command_processor.hpp"
#include "aerogpu/stream/error_text.hpp"
#include "aerogpu/stream/packet_cursor.hpp"
#include "aerogpu/stream/validate.hpp"
#include "null/null_backend.hpp"
#include "tests/catch.hpp"
#include "tests/support/alloc_table_bytes.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace aerogpu::umd::test {

using byte_vector = std::vector<std::byte>;

struct text_of_error {
  std::string text;
  void append(std::string_view more) noexcept { text.append(more); }
};

/// Why, as a person reads it.
[[nodiscard]] inline auto describe(const error& why) -> std::string {
  text_of_error out;
  append_error(out, why);
  return out.text;
}

/// Errors and warnings that the strict validator has about a stream; none is the rule.
[[nodiscard]] inline auto findings_of(const_bytes stream) -> std::vector<std::string> {
  std::vector<std::string> findings;
  const auto parsed = parse_stream_header(stream);
  if (!parsed) return {describe(parsed.why())};
  static_cast<void>(
      validate(*parsed, [&](const finding& f) { findings.push_back(describe(f.why)); }));
  return findings;
}

template <class Packet>
struct found_packet {
  Packet fields;
  byte_vector payload;  ///< With its padding.
};

/// The packets of one kind in a stream, in order.
template <class Packet>
[[nodiscard]] auto packets_of(const_bytes stream) -> std::vector<found_packet<Packet>> {
  std::vector<found_packet<Packet>> found;
  const auto parsed = parse_stream_header(stream);
  if (!parsed) return found;
  for (packet_cursor at{*parsed}; at.next();) {
    const const_bytes bytes = at.packet().bytes();
    if (at.packet().opcode() != packet_traits<Packet>::opcode || bytes.size() < sizeof(Packet)) {
      continue;
    }
    const const_bytes payload = bytes.subspan(sizeof(Packet));
    found.push_back({load<Packet>(bytes.data()), {payload.begin(), payload.end()}});
  }
  return found;
}

/// A command processor on the null backend and guest memory made of allocations: each lies at an
/// address of its own, with a gap behind it.
class stream_host {
 public:
  stream_host() : processor_(backend_) {}

  /// Guest memory of one allocation. Its storage neither moves nor ends before `unmap`.
  [[nodiscard]] auto map(byte_vector& storage) -> gpa {
    const gpa at{next_address_};
    next_address_ += (storage.size() + 0x1FFF) / 0x1000 * 0x1000;
    memory_[raw(at)] = &storage;
    return at;
  }
  void unmap(gpa at) { memory_.erase(raw(at)); }

  /// Runs one submission to its end; why it failed.
  auto run(const_bytes stream, const std::vector<aerogpu_alloc_entry>& entries,
           std::uint32_t context = 1) -> error {
    const byte_vector copy(stream.begin(), stream.end());
    std::vector<alloc_table::slot> slots(
        alloc_table::slots_for(static_cast<std::uint32_t>(entries.size())));
    alloc_table table{slots};
    if (!entries.empty()) {
      const auto parsed = table.parse(aerogpu::test::make_table(entries));
      if (!parsed) return parsed.why();
    }
    memory guest{*this};
    const auto report = processor_.execute(
        {context_id{context}, fence_value{++fences_}, copy, entries.empty() ? nullptr : &table},
        guest);
    processor_.wait_idle();
    listener heard{*this};
    processor_.poll(heard);
    return report.why;
  }

  [[nodiscard]] auto processor() -> command_processor<null_backend>& { return processor_; }
  [[nodiscard]] auto backend() -> null_backend& { return backend_; }

 private:
  /// Models guest_memory.
  struct memory {
    stream_host& host;

    [[nodiscard]] auto read(gpa at, mutable_bytes out) noexcept -> bool {
      const mutable_bytes found = host.find(at, out.size());
      if (found.size() != out.size()) return false;
      copy_bytes(out, found);
      return true;
    }
    [[nodiscard]] auto write(gpa at, const_bytes in) noexcept -> bool {
      const mutable_bytes found = host.find(at, in.size());
      if (found.size() != in.size()) return false;
      copy_bytes(found, in);
      return true;
    }
  };
  struct listener {
    stream_host& host;

    void on_write_back(submission_id, const guest_rows& to, const_bytes rows) noexcept {
      memory guest{host};
      for (std::uint32_t row = 0; row < to.row_count; ++row) {
        CHECK(guest.write(advance(to.first_row, row * to.pitch_bytes),
                          rows.subspan(static_cast<std::size_t>(row * to.row_size_bytes),
                                       static_cast<std::size_t>(to.row_size_bytes))));
      }
    }
    void on_complete(submission_id, const error& why) noexcept {
      CHECK(why.code == error_code::none);
    }
  };

  [[nodiscard]] auto find(gpa at, std::size_t size) noexcept -> mutable_bytes {
    auto next = memory_.upper_bound(raw(at));
    if (next == memory_.begin()) return {};
    const auto& [first, storage] = *--next;
    const std::uint64_t offset = raw(at) - first;
    if (offset > storage->size() || size > storage->size() - offset) return {};
    return mutable_bytes{*storage}.subspan(static_cast<std::size_t>(offset), size);
  }

  null_backend backend_;
  command_processor<null_backend> processor_;
  std::map<std::uint64_t, byte_vector*> memory_;
  std::uint64_t next_address_ = 0x1'0000'0000;
  std::uint64_t fences_ = 0;
};

}  // namespace aerogpu::umd::test
