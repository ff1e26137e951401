// SPDX-License-Identifier: MIT
/// \file Saving a device, and loading one whole or not at all.
#pragma once

#include "aerogpu/device/device_model.hpp"
#include "aerogpu/device/snapshot/saved_registers.hpp"
#include "aerogpu/device/snapshot/saved_vram.hpp"
#include "aerogpu/device/snapshot/saved_work.hpp"
#include "aerogpu/device/snapshot/snapshot_container.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace aerogpu {

/// What the backend has comes in first: applied, or, without DMA, kept with its bytes.
template <device_host Host, device_backend Backend>
auto device<Host, Backend>::settle() noexcept -> result<void> {
  executor_.wait_idle();
  if (state_.can_dma()) {
    collect();
    state_.release_fences();
    state_.publish();
    return {};
  }
  if (!deferred_.reserve(deferred_.size() + executor_.to_defer())) {
    return make_error(error_code::out_of_memory, "host memory is exhausted");
  }
  executor_.collect_into(deferred_);
  return {};
}

/// Bytes of a snapshot, but for submissions that wait; or some more.
template <device_host Host, device_backend Backend>
auto device<Host, Backend>::expected_save_bytes() noexcept -> std::uint64_t {
  constexpr std::uint64_t most_register_bytes = 4096;
  const std::uint64_t vram = state_.vram().is_lent() ? 0 : saved_vram_bytes(state_.vram().bytes());
  return most_register_bytes + vram + executor_.processor().expected_save_bytes();
}

template <device_host Host, device_backend Backend>
auto device<Host, Backend>::save(snapshot_writer& out) noexcept -> result<void> {
  const detail::device_entry entry{entry_};
  if (const auto settled = settle(); !settled) return settled.why();
  out.expect(expected_save_bytes());
  snapshot_builder snapshot{out};
  snapshot.begin(snapshot_section::registers);
  save_fields(state_.collect_registers(), out);
  snapshot.begin(snapshot_section::latches);
  save_fields(collect_latches(state_.registers()), out);
  snapshot.begin(snapshot_section::fences);
  save_fences(state_.fences(), out);
  snapshot.begin(snapshot_section::deferred);
  save_deferred(deferred_, out);
  snapshot.begin(snapshot_section::captured);
  save_captured(consumer_.captured(), out);
  if constexpr (has_processor) {
    snapshot.begin(snapshot_section::processor);
    if (const auto saved = executor_.processor().save(out); !saved) return saved.why();
  }
  if (executor_.processor().scanout().is_flip_waiting()) {
    snapshot.begin(snapshot_section::flip);
    out.put(state_.published().surface.address);
  }
  if (!state_.vram().is_lent()) {
    snapshot.begin(snapshot_section::video_memory);
    save_vram(state_.vram().bytes(), out);
  }
  snapshot.finish();
  return out.why();
}

/// Everything of a snapshot but video memory and GPU objects, parsed and checked.
struct loaded_device {
  explicit loaded_device(const limits& bounds) noexcept
      : deferred(most_deferred(bounds)), captured(bounds) {}

  saved_registers registers;
  saved_latches latches;
  loaded_fences fences;
  deferred_completions deferred;
  capture_queue captured;
  gpa shown_before_flip{};  ///< The address that shows while a flip waits; 0 = none waits.
};

namespace detail {

/// Reads one section to its end with `load(reader)`.
template <class Load>
[[nodiscard]] auto load_section(const snapshot_sections& sections, snapshot_section section,
                                Load&& load) noexcept -> result<void> {
  snapshot_reader in{sections.bytes(section)};
  load(in);
  in.require(in.left() == 0, "section is longer than its content", in.left());
  return in.is_good() ? result<void>{} : result<void>{in.why()};
}

/// No edge would ever come for a paced fence that was consumed far in the future.
[[nodiscard]] inline auto check_times(const loaded_device& loaded) noexcept -> result<void> {
  const fence_timeline& fences = loaded.fences.timeline;
  for (std::size_t i = 0; i < fences.pending_count(); ++i) {
    const std::uint64_t consumed_at_ns = fences.pending(i).consumed_at_ns;
    if (consumed_at_ns <= loaded.registers.now_ns) continue;
    return make_error(error_code::corrupt, "a pending fence was consumed after the save",
                      consumed_at_ns, loaded.registers.now_ns);
  }
  return {};
}

/// Reads what a device needs before its own state may change.
[[nodiscard]] inline auto load_parts(const snapshot_sections& sections, const limits& bounds,
                                     std::size_t vram_bytes, loaded_device& to) noexcept
    -> result<void> {
  using section = snapshot_section;
  error why;
  const auto part = [&](section which, auto&& load) {
    if (why.code != error_code::none) return;
    const auto loaded = load_section(sections, which, load);
    if (!loaded) why = loaded.why();
  };
  part(section::registers, [&](snapshot_reader& in) { to.registers = load_registers(in); });
  part(section::fences, [&](snapshot_reader& in) { load_fences(to.fences, bounds, in); });
  if (sections.has(section::latches)) {
    part(section::latches, [&](auto& in) { to.latches = load_fields<saved_latches>(in); });
  }
  if (sections.has(section::deferred)) {
    part(section::deferred, [&](auto& in) { load_deferred(to.deferred, bounds, in); });
  }
  if (sections.has(section::captured)) {
    part(section::captured, [&](auto& in) { load_captured(to.captured, bounds, in); });
  }
  if (sections.has(section::flip)) {
    part(section::flip, [&](auto& in) { to.shown_before_flip = in.template take<gpa>(); });
  }
  if (sections.has(section::video_memory)) {
    part(section::video_memory,
         [&](snapshot_reader& in) { check_vram(in.take_bytes(in.left()), vram_bytes, in); });
  }
  if (why.code != error_code::none) return why;
  return check_times(to);
}

}  // namespace detail

template <device_host Host, device_backend Backend>
auto device<Host, Backend>::load(const_bytes snapshot) noexcept -> result<void> {
  const detail::device_entry entry{entry_};
  const auto sections = snapshot_sections::parse(snapshot);
  if (!sections) return sections.why();
  const auto& bounds = state_.bounds();
  loaded_device loaded{bounds};
  const auto parts = detail::load_parts(*sections, bounds, state_.vram().bytes().size(), loaded);
  if (!parts) return parts.why();
  if (sections->has(snapshot_section::processor)) {
    const auto objects =
        detail::load_section(*sections, snapshot_section::processor, [&](snapshot_reader& in) {
          (void)executor_.processor().load(in);  // All or nothing; `in` knows which.
        });
    if (!objects) return objects.why();
    executor_.abandon();
  } else {
    executor_.reset();
  }
  adopt(std::move(loaded));
  if (sections->has(snapshot_section::video_memory)) {
    load_vram(sections->bytes(snapshot_section::video_memory), state_.vram().bytes());
  }
  return {};
}

/// A flip that waited at the save goes on waiting where an edge will come.
template <device_host Host, device_backend Backend>
void device<Host, Backend>::restore_flip(gpa shown_before) noexcept {
  auto&& source = executor_.processor().scanout();
  if (!source.is_flip_waiting()) return;
  auto before = state_.registers().scanout;
  before.frame_buffer.restore(shown_before, false, 0);
  const bool has_edge = state_.clock().is_running() && is_valid_scanout(state_.registers().scanout);
  if (has_edge && is_valid_scanout(before)) return state_.restore_shown(before);
  source.end_flip();
  executor_.on_flip();
}

/// Cannot fail. Work that only another kind of executor could finish counts as finished; what waits
/// for DMA finishes behind its write-backs.
template <device_host Host, device_backend Backend>
void device<Host, Backend>::adopt(loaded_device&& loaded) noexcept {
  state_.adopt_fences(std::move(loaded.fences.store), loaded.fences.timeline);
  deferred_ = std::move(loaded.deferred);
  consumer_.captured() = std::move(loaded.captured);
  const auto mode = state_.config().executor;
  if (mode == executor_mode::in_process || mode == executor_mode::no_op) {
    consumer_.captured().clear();
    state_.finish_all_fences();
    for (std::size_t i = 0; i < deferred_.size(); ++i) {
      state_.hold_fence(deferred_[i].is_external ? deferred_[i].fence : deferred_[i].awaited);
    }
  }
  state_.apply_registers(loaded.registers, loaded.latches);
  restore_flip(loaded.shown_before_flip);
  state_.tell_restored();
}

}  // namespace aerogpu
