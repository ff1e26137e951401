// SPDX-License-Identifier: MIT
#include "aerogpu/device/snapshot/saved_work.hpp"

#include "aerogpu/device/detail/device_snapshot.hpp"
#include "tests/catch.hpp"
#include "tests/support/aggregate_leaves.hpp"
#include "tests/support/byte_patterns.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace aerogpu {
namespace {

using namespace test;

/// Scalars of what is waiting, without its bytes.
struct captured_fields {
  std::uint32_t flags = 1;
  context_id context{2};
  std::uint32_t engine = 3;
  fence_value fence{4};
  std::uint32_t generation = 5;
};
struct deferred_fields {
  fence_value fence{1};
  fence_value awaited{2};
  error_code why = error_code::device_lost;
  bool is_external = false;
  bool has_present = false;
  guest_rows to{gpa{0x5000}, 32, 16, 3};
};

auto captured_of(const captured_fields& f) -> captured_submission {
  captured_submission item;
  item.flags = f.flags;
  item.context = f.context;
  item.engine = f.engine;
  item.fence = f.fence;
  item.generation = f.generation;
  REQUIRE(item.assign(counting(5, 1), counting(3, 9)));
  return item;
}
auto fields_of(const captured_submission& i) -> captured_fields {
  return {i.flags, i.context, i.engine, i.fence, i.generation};
}

auto deferred_of(const deferred_fields& f) -> deferred_completion {
  deferred_completion done;
  done.fence = f.fence;
  done.awaited = f.awaited;
  done.why = f.why;
  done.is_external = f.is_external;
  done.has_present = f.has_present;
  deferred_write_back rows{f.to, {}};
  const byte_vector bytes = counting(f.to.row_size_bytes * f.to.row_count);
  REQUIRE(rows.rows.assign(bytes));
  REQUIRE(done.write_backs.push_back(std::move(rows)));
  return done;
}
auto fields_of(const deferred_completion& d) -> deferred_fields {
  return {d.fence, d.awaited, d.why, d.is_external, d.has_present, d.write_backs[0].to};
}

template <class Save>
auto saved(Save&& save) -> byte_vector {
  snapshot_writer out;
  save(out);
  REQUIRE(out.why().code == error_code::none);
  return {out.bytes().begin(), out.bytes().end()};
}

auto code_of_rows(const guest_rows& rows) -> error_code {
  const byte_vector bytes = saved([&](snapshot_writer& out) {
    out.put(rows.first_row);
    out.put(rows.pitch_bytes);
    out.put(rows.row_size_bytes);
    out.put(rows.row_count);
    out.put_bytes(byte_vector(64));
  });
  snapshot_reader in{bytes};
  static_cast<void>(aerogpu::detail::load_write_back(in));
  return in.why().code;
}

}  // namespace

TEST_CASE("each member of a captured submission is saved and loaded", "[device][snapshot]") {
  static_assert(member_count<captured_submission> == member_count<captured_fields> + 2);
  with_each_leaf_changed(captured_fields{}, [](const captured_fields& changed, std::size_t at) {
    CAPTURE(at);
    capture_queue queue{limits{}};
    REQUIRE(queue.push_back(captured_of({})));
    REQUIRE(queue.push_back(captured_of(changed)));
    const byte_vector bytes = saved([&](snapshot_writer& out) { save_captured(queue, out); });
    capture_queue loaded{limits{}};
    snapshot_reader in{bytes};
    load_captured(loaded, {}, in);
    REQUIRE(in.is_good());
    CHECK(in.left() == 0);
    REQUIRE(loaded.size() == 2);
    CHECK(leaves_of(fields_of(loaded[0])) == leaves_of(captured_fields{}));
    CHECK(leaves_of(fields_of(loaded[1])) == leaves_of(changed));
    CHECK(std::ranges::equal(loaded[1].stream.view(), counting(5, 1)));
    CHECK(std::ranges::equal(loaded[1].table.view(), counting(3, 9)));
    CHECK(loaded.payload_bytes() == 16);
  });
}

TEST_CASE("each member of a completion that waits is saved and loaded", "[device][snapshot]") {
  static_assert(member_count<deferred_completion> == member_count<deferred_fields>);
  static_assert(member_count<deferred_write_back> == 2);
  with_each_leaf_changed(deferred_fields{}, [](const deferred_fields& changed, std::size_t at) {
    CAPTURE(at);
    deferred_completions queue{8};
    REQUIRE(queue.push_back(deferred_of({})));
    REQUIRE(queue.push_back(deferred_of(changed)));
    const byte_vector bytes = saved([&](snapshot_writer& out) { save_deferred(queue, out); });
    deferred_completions loaded{8};
    snapshot_reader in{bytes};
    load_deferred(loaded, {}, in);
    REQUIRE(in.is_good());
    CHECK(in.left() == 0);
    REQUIRE(loaded.size() == 2);
    CHECK(leaves_of(fields_of(loaded[0])) == leaves_of(deferred_fields{}));
    CHECK(leaves_of(fields_of(loaded[1])) == leaves_of(changed));
    const auto rows = loaded[1].write_backs[0].rows.view();
    CHECK(std::ranges::equal(rows, counting(changed.to.row_size_bytes * changed.to.row_count)));
  });
}

TEST_CASE("a fence that was consumed after the save is corrupt", "[device][snapshot]") {
  static constexpr limits bounds{};
  const auto code_of = [](std::uint64_t consumed_at_ns) {
    fence_store store;
    REQUIRE(store.reserve(bounds));
    fence_timeline fences = store.make_timeline();
    const std::vector<pending_fence> pending{
        {fence_value{4}, consumed_at_ns, 1, fence_kind::vsync_paced, false}};
    REQUIRE(fences.restore(fence_value{3}, pending, {}));
    saved_registers registers;
    registers.now_ns = 1000;
    const byte_vector bytes = saved([&](snapshot_writer& out) {
      snapshot_builder snapshot{out};
      snapshot.begin(snapshot_section::registers);
      save_fields(registers, out);
      snapshot.begin(snapshot_section::fences);
      save_fences(fences, out);
      snapshot.finish();
    });
    const auto sections = snapshot_sections::parse(bytes);
    REQUIRE(sections);
    loaded_device loaded{bounds};
    return aerogpu::detail::load_parts(*sections, bounds, 0, loaded).why().code;
  };
  CHECK(code_of(0) == error_code::none);
  CHECK(code_of(1000) == error_code::none);
  CHECK(code_of(1001) == error_code::corrupt);
  CHECK(code_of(UINT64_MAX) == error_code::corrupt);
}

TEST_CASE("each member of a pending fence is saved and loaded", "[device][snapshot]") {
  const pending_fence base{fence_value{20}, 7, 1, fence_kind::immediate, false};
  with_each_leaf_changed(base, [&](const pending_fence& changed, std::size_t at) {
    CAPTURE(at);
    fence_store store;
    REQUIRE(store.reserve({}));
    fence_timeline fences = store.make_timeline();
    const std::vector<pending_fence> pending{{fence_value{15}, 0, 2, {}, true}, changed};
    const std::vector<fence_value> early{fence_value{30}, fence_value{31}};
    REQUIRE(fences.restore(fence_value{3}, pending, early));
    const byte_vector bytes = saved([&](snapshot_writer& out) { save_fences(fences, out); });
    loaded_fences loaded;
    snapshot_reader in{bytes};
    load_fences(loaded, {}, in);
    REQUIRE(in.is_good());
    CHECK(in.left() == 0);
    CHECK(loaded.timeline.completed() == fence_value{3});
    REQUIRE(loaded.timeline.pending_count() == 2);
    CHECK(loaded.timeline.pending(0) == pending[0]);
    CHECK(loaded.timeline.pending(1) == changed);
    REQUIRE(loaded.timeline.early_count() == 2);
    CHECK(loaded.timeline.early(0) == fence_value{30});
    CHECK(loaded.timeline.early(1) == fence_value{31});
  });
}

TEST_CASE("the smallest entries of each kind load", "[device][snapshot]") {
  const limits bounds;
  loaded_fences fences;
  const byte_vector one_fence = saved([](snapshot_writer& out) {
    out.put(std::uint64_t{0});
    out.put(std::uint32_t{1});
    out.put(fence_value{1});
    out.put(std::uint64_t{0});
    out.put(std::uint32_t{1});
    out.put(fence_kind::immediate);
    out.put(false);
    out.put(std::uint32_t{0});
  });
  snapshot_reader in{one_fence};
  load_fences(fences, bounds, in);
  CHECK(in.is_good());

  deferred_completions queue{8};
  REQUIRE(queue.push_back({}));
  const byte_vector one_report = saved([&](snapshot_writer& out) { save_deferred(queue, out); });
  deferred_completions loaded{8};
  snapshot_reader report{one_report};
  load_deferred(loaded, bounds, report);
  CHECK(report.is_good());
  CHECK(loaded.size() == 1);

  capture_queue captured{bounds};
  REQUIRE(captured.push_back({}));
  const byte_vector one_capture =
      saved([&](snapshot_writer& out) { save_captured(captured, out); });
  capture_queue loaded_capture{bounds};
  snapshot_reader capture{one_capture};
  load_captured(loaded_capture, bounds, capture);
  CHECK(capture.is_good());
  CHECK(loaded_capture.size() == 1);
}

TEST_CASE("rows of a write-back have a size and stay in the address space", "[device][snapshot]") {
  CHECK(code_of_rows({gpa{0x1000}, 32, 16, 4}) == error_code::none);
  CHECK(code_of_rows({gpa{0x1000}, 32, 16, 1}) == error_code::none);
  CHECK(code_of_rows({gpa{0x1000}, 32, 16, 5}) == error_code::corrupt);
  CHECK(code_of_rows({gpa{0x1000}, 32, 0, 4}) == error_code::corrupt);
  CHECK(code_of_rows({gpa{0x1000}, 32, 16, 0}) == error_code::corrupt);
  CHECK(code_of_rows({gpa{UINT64_MAX - 16}, 32, 16, 1}) == error_code::none);
  CHECK(code_of_rows({gpa{UINT64_MAX - 15}, 32, 16, 1}) == error_code::corrupt);
  CHECK(code_of_rows({gpa{UINT64_MAX - 48}, 32, 16, 2}) == error_code::none);
  CHECK(code_of_rows({gpa{UINT64_MAX - 47}, 32, 16, 2}) == error_code::corrupt);
  CHECK(code_of_rows({gpa{0}, UINT64_MAX, 16, 3}) == error_code::corrupt);
  CHECK(code_of_rows({gpa{0}, 32, UINT64_MAX, 2}) == error_code::corrupt);
  CHECK(code_of_rows({gpa{0}, UINT64_MAX - 16, 16, 2}) == error_code::none);
  CHECK(code_of_rows({gpa{0}, UINT64_MAX - 15, 16, 2}) == error_code::corrupt);
}

}  // namespace aerogpu
