// SPDX-License-Identifier: MIT
/// \file A snapshot as named sections under one checksum.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/checked.hpp"
#include "aerogpu/core/hash.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/snapshot_io.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu {

inline constexpr std::uint64_t snapshot_magic = 0x504E535550474541ull;  // "AEGPUSNP"
inline constexpr std::uint32_t snapshot_version = 1;

/// Parts of a snapshot. One that a reader does not know is skipped; one that is missing leaves its
/// part at the power-on value, except where it is required.
enum class snapshot_section : std::uint32_t {
  registers = 1,  ///< Required.
  latches = 2,
  fences = 3,  ///< Required.
  deferred = 4,
  captured = 5,
  processor = 6,
  video_memory = 7,
  flip = 8,  ///< Only while one waits.
};

/// The section with the highest number.
inline constexpr auto last_snapshot_section = snapshot_section::flip;

namespace detail {

struct snapshot_entry {
  snapshot_section section;
  std::uint32_t reserved;
  std::uint64_t offset;  ///< From the start of the snapshot.
  std::uint64_t size;
};

/// The last bytes of a snapshot; `crc` covers everything before itself.
struct snapshot_footer {
  std::uint32_t entry_count;
  std::uint32_t crc;
};

inline constexpr std::size_t snapshot_header_bytes = 16;
inline constexpr std::size_t snapshot_entry_limit = 64;

}  // namespace detail

/// Writes header, sections, their directory and the checksum: each byte once, none changed later.
class snapshot_builder {
 public:
  explicit snapshot_builder(snapshot_writer& out) noexcept : out_(out), start_(out.bytes().size()) {
    out_.put(snapshot_magic);
    out_.put(snapshot_version);
    out_.put(std::uint32_t{0});
  }

  /// What is written to `out` from here on belongs to `section`.
  void begin(snapshot_section section) noexcept {
    end();
    AEROGPU_CHECK(count_ < entries_.size());
    entries_[count_++] = {section, 0, used(), 0};
    is_open_ = true;
  }

  /// Ends the last section and the snapshot.
  void finish() noexcept {
    end();
    for (std::uint32_t i = 0; i < count_; ++i) {
      out_.put(entries_[i].section);
      out_.put(entries_[i].reserved);
      out_.put(entries_[i].offset);
      out_.put(entries_[i].size);
    }
    out_.put(count_);
    if (out_.why().code == error_code::none) out_.put(crc32(out_.bytes().subspan(start_)));
  }

 private:
  void end() noexcept {
    if (is_open_) entries_[count_ - 1].size = used() - entries_[count_ - 1].offset;
    is_open_ = false;
  }
  [[nodiscard]] auto used() const noexcept -> std::uint64_t { return out_.bytes().size() - start_; }

  snapshot_writer& out_;
  std::size_t start_;
  std::array<detail::snapshot_entry, 16> entries_{};
  std::uint32_t count_ = 0;
  bool is_open_ = false;
};

/// The sections of a snapshot whose frame and checksum are right. Views the caller's bytes.
class snapshot_sections {
 public:
  /// Errors: bad_version for another version; corrupt for everything else.
  [[nodiscard]] static auto parse(const_bytes snapshot) noexcept -> result<snapshot_sections>;

  [[nodiscard]] auto has(snapshot_section section) const noexcept -> bool {
    return find(section) != nullptr;
  }
  /// The section's bytes; none when it is missing.
  [[nodiscard]] auto bytes(snapshot_section section) const noexcept -> const_bytes {
    const auto* const entry = find(section);
    if (entry == nullptr) return {};
    return bytes_.subspan(static_cast<std::size_t>(entry->offset),
                          static_cast<std::size_t>(entry->size));
  }

 private:
  [[nodiscard]] auto find(snapshot_section section) const noexcept
      -> const detail::snapshot_entry* {
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (entries_[i].section == section) return &entries_[i];
    }
    return nullptr;
  }

  const_bytes bytes_{};
  std::array<detail::snapshot_entry, detail::snapshot_entry_limit> entries_{};
  std::uint32_t count_ = 0;
};

inline auto snapshot_sections::parse(const_bytes snapshot) noexcept -> result<snapshot_sections> {
  using namespace detail;
  const auto corrupt = [](const char* what, std::uint64_t value = 0, std::uint64_t limit = 0) {
    return make_error(error_code::corrupt, what, value, limit);
  };
  constexpr std::size_t least = snapshot_header_bytes + sizeof(snapshot_footer);
  if (snapshot.size() < least) return corrupt("snapshot is too short", snapshot.size(), least);
  if (load<std::uint64_t>(snapshot.data()) != snapshot_magic) {
    return corrupt("snapshot magic is wrong", load<std::uint64_t>(snapshot.data()));
  }
  const auto version = load<std::uint32_t>(snapshot.data() + 8);
  if (version != snapshot_version) {
    return make_error(error_code::bad_version, "snapshot is of another version", version,
                      snapshot_version);
  }
  const auto footer_at = snapshot.size() - sizeof(snapshot_footer);
  const auto footer = load<snapshot_footer>(snapshot.data() + footer_at);
  const auto crc = crc32(snapshot.first(snapshot.size() - sizeof footer.crc));
  if (footer.crc != crc) return corrupt("snapshot checksum is wrong", footer.crc, crc);
  if (footer.entry_count > snapshot_entry_limit) {
    return corrupt("snapshot has too many sections", footer.entry_count, snapshot_entry_limit);
  }
  const auto directory_bytes = std::size_t{footer.entry_count} * sizeof(snapshot_entry);
  if (directory_bytes > footer_at - snapshot_header_bytes) {
    return corrupt("snapshot directory exceeds it", directory_bytes, footer_at);
  }
  const auto directory_at = footer_at - directory_bytes;
  snapshot_sections sections;
  sections.bytes_ = snapshot;
  for (std::uint32_t i = 0; i < footer.entry_count; ++i) {
    const auto entry =
        load<snapshot_entry>(snapshot.data() + directory_at + i * sizeof(snapshot_entry));
    if (!range_fits(entry.offset, entry.size, directory_at)) {
      return corrupt("section exceeds its snapshot", entry.size, directory_at);
    }
    if (sections.has(entry.section)) {
      return corrupt("section occurs twice", static_cast<std::uint64_t>(entry.section));
    }
    sections.entries_[sections.count_++] = entry;
  }
  return sections;
}

}  // namespace aerogpu
