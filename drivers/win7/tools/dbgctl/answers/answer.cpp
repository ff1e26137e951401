// SPDX-License-Identifier: MIT
#include "drivers/win7/tools/dbgctl/answers/answer.hpp"

#include "aerogpu/abi/escape.h"
#include "drivers/win7/tools/dbgctl/answers/value_names.hpp"

#include <algorithm>
#include <cstring>

namespace aerogpu::dbgctl {
namespace {

auto word_at(std::span<const std::byte> bytes, std::size_t offset) noexcept -> std::uint32_t {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes.data() + offset, sizeof word);
  return word;
}

auto too_many(const char* what, std::uint32_t count, std::uint64_t limit) -> std::string {
  return "it counts " + std::to_string(count) + " " + what + ", and has room for " +
         std::to_string(limit);
}

/// Whether the entries or bytes that it counts lie within it.
auto check_list(const answer_layout& layout, std::span<const std::byte> bytes) -> std::string {
  if (layout.entries != nullptr) {
    const entry_list& list = *layout.entries;
    const std::uint32_t count = word_at(bytes, list.count_at);
    const std::uint64_t room =
        std::min<std::uint64_t>(list.capacity, (bytes.size() - list.first_at) / list.stride);
    if (count > room) return too_many("entries", count, room);
  }
  if (layout.bytes != nullptr) {
    const byte_list& list = *layout.bytes;
    const std::uint32_t count = word_at(bytes, list.count_at);
    const std::uint64_t room = std::min<std::uint64_t>(list.capacity, bytes.size() - list.first_at);
    if (count > room) return too_many("bytes", count, room);
  }
  return {};
}

}  // namespace

auto answer::read(std::size_t offset, std::uint32_t width) const noexcept -> std::uint64_t {
  std::uint64_t value = 0;
  if (offset > bytes_.size() || width > bytes_.size() - offset) return 0;
  std::memcpy(&value, bytes_.data() + offset, width);
  return value;
}

auto answer::value(const field& row) const noexcept -> std::optional<std::uint64_t> {
  if (row.offset + row.width > bytes_.size()) return std::nullopt;
  if (row.valid_with != 0) {
    const std::uint64_t needed = row.valid_with | flags_valid;
    if ((read(layout_->flags_at, 4) & needed) != needed) return std::nullopt;
  }
  return read(row.offset, row.width);
}

auto answer::value(std::string_view name) const noexcept -> std::uint64_t {
  for (const field& row : layout_->fields) {
    if (row.name == name) return value(row).value_or(0);
  }
  return 0;
}

auto answer::entry_count() const noexcept -> std::uint32_t {
  if (layout_->entries == nullptr) return 0;
  return static_cast<std::uint32_t>(read(layout_->entries->count_at, 4));
}

auto answer::entry_value(std::uint32_t index, const field& row) const noexcept -> std::uint64_t {
  const entry_list& list = *layout_->entries;
  const std::size_t at = list.first_at + std::size_t{index} * list.stride;
  return read(at + row.offset, row.width);
}

auto answer::raw_bytes() const noexcept -> std::span<const std::byte> {
  if (layout_->bytes == nullptr) return {};
  return bytes_.subspan(layout_->bytes->first_at,
                        static_cast<std::size_t>(read(layout_->bytes->count_at, 4)));
}

auto check_answer(std::uint32_t op, const answer_layout& layout, std::span<const std::byte> buffer,
                  std::size_t& size_bytes) -> std::string {
  aerogpu_escape_header header{};
  if (buffer.size() < sizeof header) return "it has no header";
  std::memcpy(&header, buffer.data(), sizeof header);
  if (header.version != AEROGPU_ESCAPE_VERSION) {
    return "its header has version " + std::to_string(header.version) + ", not 1";
  }
  if (header.op != op) {
    return "it answers operation " + std::to_string(header.op) + ", not " + std::to_string(op);
  }
  if (header.size < layout.minimum_size || header.size > buffer.size()) {
    return "its size is " + std::to_string(header.size) + " bytes, not " +
           std::to_string(layout.minimum_size) + " to " + std::to_string(buffer.size());
  }
  size_bytes = header.size;
  return check_list(layout, buffer.first(header.size));
}

}  // namespace aerogpu::dbgctl
