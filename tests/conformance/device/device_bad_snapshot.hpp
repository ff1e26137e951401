// SPDX-License-Identifier: MIT
/// \file DEV-132: snapshots that a device refuses, whole.
#pragma once

#include "tests/conformance/backends.hpp"
#include "tests/conformance/device/snapshot_edits.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace aerogpu::conformance {

namespace snapshot_case {

// Contents of sections, with as many elements as a test likes.

[[nodiscard]] inline auto fences(const std::vector<pending_fence>& pending,
                                 const std::vector<std::uint64_t>& early = {}) -> byte_vector {
  snapshot_writer out;
  out.put(std::uint64_t{0});  // Completed.
  out.put(static_cast<std::uint32_t>(pending.size()));
  for (const auto& entry : pending) {
    out.put(entry.value);
    out.put(entry.consumed_at_ns);
    out.put(entry.unfinished);
    out.put(entry.kind);
    out.put(entry.wants_irq);
  }
  out.put(static_cast<std::uint32_t>(early.size()));
  for (const auto value : early) out.put(value);
  return copy_of(out.bytes());
}

/// Immediate fences 1 to `count`.
[[nodiscard]] inline auto rising_fences(std::uint64_t count) -> std::vector<pending_fence> {
  std::vector<pending_fence> pending;
  for (std::uint64_t i = 1; i <= count; ++i) {
    pending.push_back({.value = fence_value{i}, .unfinished = 1});
  }
  return pending;
}

/// Reports of an external executor that wait for DMA, each with so many write-backs of a byte.
[[nodiscard]] inline auto deferred(std::uint32_t count, std::uint32_t write_backs = 0)
    -> byte_vector {
  snapshot_writer out;
  out.put(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    out.put(std::uint64_t{i} + 1);
    out.put(std::uint64_t{0});
    out.put(error_code::none);
    out.put(true);
    out.put(false);
    out.put(write_backs);
    for (std::uint32_t j = 0; j < write_backs; ++j) {
      out.put(gpa{0x5000});
      out.put(std::uint64_t{1});  // Pitch, row size, rows.
      out.put(std::uint64_t{1});
      out.put(std::uint32_t{1});
      out.put_bytes(byte_vector(1));
    }
  }
  return copy_of(out.bytes());
}

struct captured_sizes {
  std::uint32_t stream = 0;
  std::uint32_t table = 0;
};

[[nodiscard]] inline auto captured(const std::vector<captured_sizes>& items) -> byte_vector {
  snapshot_writer out;
  out.put(static_cast<std::uint32_t>(items.size()));
  for (const auto& item : items) {
    out.put(std::uint32_t{0});  // Flags, context, engine.
    out.put(std::uint32_t{0});
    out.put(std::uint32_t{0});
    out.put(std::uint64_t{1});
    out.put(std::uint32_t{1});
    out.put(item.stream);
    out.put(item.table);
    out.put_bytes(byte_vector(std::size_t{item.stream} + item.table));
  }
  return copy_of(out.bytes());
}

/// Pages of video memory, each filled with its number.
[[nodiscard]] inline auto pages(const std::vector<std::uint32_t>& numbers) -> byte_vector {
  snapshot_writer out;
  for (const auto number : numbers) {
    out.put(number);
    out.put_bytes(test::filled(4096, number));
  }
  return copy_of(out.bytes());
}

}  // namespace snapshot_case

/// A device with small limits that holds some of everything, and snapshots of it.
template <backend B>
struct loading_rig : device_rig<B> {
  loading_rig() : device_rig<B>(small_limits()) {
    this->start();
    this->set_scanout(snapshot_case::shown);
    base = snapshot_case::save(*this);
    this->submit({.fence = 1, .stream = idle_stream()});
    this->submit({.fence = 2, .stream = present_stream()});
    this->complete(9);
    this->tick_at(period_ns);
    this->dev->bar1_write(0x3000, 0x11, 1);
    this->write(AEROGPU_MMIO_REG_CURSOR_FB_GPA_LO, 0x1234);
    this->set_bus_master(false);
    this->complete(1);
  }

  [[nodiscard]] static auto small_limits() -> device_config {
    auto config = device_rig<B>::bridge_config();
    config.bounds.pending_fences = 3;
    config.bounds.pending_submissions = 2;
    config.bounds.early_completions = 3;
    config.bounds.captured_submissions = 2;
    config.bounds.captured_bytes = 240;
    config.bounds.write_backs = 3;
    config.bounds.stream_bytes = 100;
    config.bounds.alloc_table_bytes = 80;
    return config;
  }
  [[nodiscard]] auto with(snapshot_section which, const std::optional<byte_vector>& content) const
      -> byte_vector {
    return snapshot_case::with_section(base, which, content);
  }
  /// Checks that a load fails and changes nothing.
  void check_refused(const byte_vector& snapshot, error_code why = error_code::corrupt) {
    const auto before = snapshot_case::save(*this);
    const auto scanouts = this->machine.scanouts.size();
    const auto line_changes = this->machine.line_changes;
    CHECK(this->dev->load(snapshot).why().code == why);
    CHECK(snapshot_case::save(*this) == before);
    CHECK(this->machine.scanouts.size() == scanouts);
    CHECK(this->machine.line_changes == line_changes);
  }

  byte_vector base;  ///< Of before the device was busy.
};

TEMPLATE_LIST_TEST_CASE("DEV-132 a snapshot at every limit loads", "[conformance][device]",
                        backends) {
  using namespace snapshot_case;
  loading_rig<TestType> rig;
  CHECK(rig.dev->load(rig.base));
  CHECK(rig.dev->load(rig.with(section::fences, fences(rising_fences(3)))));
  CHECK(rig.dev->load(rig.with(section::fences, fences(rising_fences(3), {4, 5, 6}))));
  CHECK(rig.dev->load(rig.with(section::deferred, deferred(5))));
  CHECK(rig.dev->load(rig.with(section::deferred, deferred(5, 3))));
  CHECK(rig.dev->load(rig.with(section::captured, captured({{100, 80}, {24, 36}}))));
  CHECK(rig.dev->load(rig.with(section::video_memory, pages({0, 1, 255}))));
  CHECK(limits{}.pending_fences == 65'536);
  CHECK(limits{}.early_completions == 65'536);
  CHECK(limits{}.captured_submissions == 256);
  CHECK(limits{}.captured_bytes == 128u << 20);
  CHECK(limits{}.write_backs == 65'536);
  CHECK(limits{}.stream_bytes == 64u << 20);
  CHECK(limits{}.alloc_table_bytes == 16u << 20);
}

TEMPLATE_LIST_TEST_CASE("DEV-132 a snapshot beyond a limit is refused, and the device unchanged",
                        "[conformance][device]", backends) {
  using namespace snapshot_case;
  loading_rig<TestType> rig;
  rig.check_refused(rig.with(section::fences, fences(rising_fences(4))));
  rig.check_refused(rig.with(section::fences, fences({}, {4, 5, 6, 7})));
  rig.check_refused(rig.with(section::deferred, deferred(6)));
  rig.check_refused(rig.with(section::deferred, deferred(1, 4)));
  rig.check_refused(rig.with(section::captured, captured({{24, 0}, {24, 0}, {24, 0}})));
  rig.check_refused(rig.with(section::captured, captured({{100, 80}, {24, 37}})));
  rig.check_refused(rig.with(section::captured, captured({{104, 0}})));
  rig.check_refused(rig.with(section::captured, captured({{24, 84}})));
  rig.check_refused(rig.with(section::video_memory, pages({256})));
}

TEMPLATE_LIST_TEST_CASE("DEV-132 unknown kinds and fences that do not rise are refused",
                        "[conformance][device]", backends) {
  using namespace snapshot_case;
  const auto fence = [](std::uint64_t value) {
    return pending_fence{.value = fence_value{value}, .unfinished = 1};
  };
  auto unknown = fence(1);
  unknown.kind = static_cast<fence_kind>(2);
  const std::vector<byte_vector> contents{
      fences({unknown}),             // Kind.
      fences({fence(1), fence(1)}),  // Duplicate.
      fences({fence(2), fence(1)}),  // Falling.
      fences({fence(0)}),            // Complete already.
      fences({fence(1)}, {1}),       // Early, and in flight.
  };
  loading_rig<TestType> rig;
  for (const auto& content : contents) rig.check_refused(rig.with(section::fences, content));
}

TEMPLATE_LIST_TEST_CASE("DEV-132 registers that contradict themselves are refused",
                        "[conformance][device]", backends) {
  const std::vector<std::function<void(saved_registers&)>> changes{
      [](saved_registers& r) { r.owner = static_cast<display_owner>(2); },
      [](saved_registers& r) { r.vblank.now_ns = r.now_ns + 1; },
      [](saved_registers& r) { r.now_ns = UINT64_MAX; },
  };
  loading_rig<TestType> rig;
  for (const auto& change : changes) {
    rig.check_refused(snapshot_case::with_registers(rig.base, change));
  }
}

TEMPLATE_LIST_TEST_CASE("DEV-132 missing, cut and overlong sections are refused",
                        "[conformance][device]", backends) {
  using namespace snapshot_case;
  loading_rig<TestType> rig;
  rig.check_refused(rig.with(section::registers, std::nullopt));
  rig.check_refused(rig.with(section::fences, std::nullopt));
  const auto sections = snapshot_sections::parse(rig.base);
  REQUIRE(sections);
  for (const auto which : {section::registers, section::latches, section::fences, section::deferred,
                           section::captured, section::processor}) {
    INFO(static_cast<std::uint32_t>(which));
    auto content = copy_of(sections->bytes(which));
    content.push_back(std::byte{0});
    rig.check_refused(rig.with(which, content));
    content.resize(content.size() - 2);
    rig.check_refused(rig.with(which, content));
  }
  rig.check_refused(rig.with(section::video_memory, pages({4, 4})));
  rig.check_refused(rig.with(section::video_memory, pages({4, 3})));
  rig.check_refused(rig.with(section::video_memory, test::part_of(pages({4}), 0, 4099)));
}

TEMPLATE_LIST_TEST_CASE("DEV-132 a damaged or cut snapshot is refused whichever byte is wrong",
                        "[conformance][device]", backends) {
  loading_rig<TestType> rig;
  const auto before = snapshot_case::save(rig);
  std::size_t loaded = 0;
  for (std::size_t i = 0; i < rig.base.size(); ++i) {
    auto damaged = rig.base;
    damaged[i] ^= std::byte{0x10};
    if (rig.dev->load(damaged)) ++loaded;
    if (rig.dev->load(test::part_of(rig.base, 0, i))) ++loaded;
  }
  CHECK(loaded == 0);
  CHECK(snapshot_case::save(rig) == before);
}

TEMPLATE_LIST_TEST_CASE("DEV-132 a snapshot of another version is refused as such",
                        "[conformance][device]", backends) {
  loading_rig<TestType> rig;
  auto newer = rig.base;
  newer[8] = std::byte{2};
  rig.check_refused(newer, error_code::bad_version);
}

}  // namespace aerogpu::conformance
