// SPDX-License-Identifier: MIT
/// \file The display: scanout, modes, the cursor.
#include "drivers/win7/tests/guest/tests.hpp"

#include <algorithm>
#include <array>

namespace aerogpu::guest {
namespace {

/// Windows sets modes and pointers in its own time.
constexpr std::uint32_t settle_ms = 2'000;

using scanout = aerogpu_escape_query_scanout_out_v2;

auto query_scanout(session& with, report& to, scanout& out) -> bool {
  out = {};
  return with.ask(to, "QUERY_SCANOUT answers", AEROGPU_ESCAPE_OP_QUERY_SCANOUT, out);
}

auto cached_size(const scanout& of) noexcept -> screen_size {
  return {of.base.cached_width, of.base.cached_height};
}
auto register_size(const scanout& of) noexcept -> screen_size {
  return {of.base.mmio_width, of.base.mmio_height};
}
auto text(screen_size of) noexcept -> message {
  return message{of.width, " x ", of.height};
}

void run_scanout_state(session& with, report& to) {
  scanout now{};
  if (!query_scanout(with, to, now)) return;
  const screen_size wanted = with.around().size();
  const auto& base = now.base;
  const std::uint32_t flags = base.reserved0;
  const std::uint32_t pitch = base.mmio_pitch_bytes;
  const std::uint64_t address = base.mmio_fb_gpa;
  const std::uint64_t cached_address = now.cached_fb_gpa;
  to.check(cached_size(now) == wanted, "the driver has the desktop's mode", text(cached_size(now)));
  to.check(register_size(now) == wanted, "the registers have the desktop's mode",
           text(register_size(now)));
  to.check(base.cached_format == base.mmio_format, "both have one format",
           message{std::uint32_t{base.cached_format}, " and ", std::uint32_t{base.mmio_format}});
  to.check(base.cached_enable != 0 && base.mmio_enable != 0, "the scanout is on");
  to.check(address != 0, "there is a frame buffer", message{hex{address}});
  to.check(pitch >= wanted.width * 4 && pitch == base.cached_pitch_bytes,
           "both have one pitch, and a row fits",
           message{std::uint32_t{base.cached_pitch_bytes}, " and ", pitch, " bytes"});
  to.check((flags & AEROGPU_DBGCTL_QUERY_SCANOUT_FLAGS_VALID) != 0 &&
               (flags & AEROGPU_DBGCTL_QUERY_SCANOUT_FLAG_CACHED_FB_GPA_VALID) != 0 &&
               cached_address != 0,
           "the driver knows the frame buffer", message{hex{cached_address}});
  to.check(with.around().is_mode_possible(wanted), "the desktop's mode is possible", text(wanted));
  constexpr screen_size absurd{60'000, 60'000};
  to.check(!with.around().is_mode_possible(absurd), "an absurd mode is not", text(absurd));
}

/// The largest mode list that is looked at; the driver offers 32 at most.
constexpr UINT most_modes = 256;

/// A mode of 32 bits per pixel and another size; none: {}.
auto find_other_mode(session& with, report& to, screen_size current) -> screen_size {
  std::array<D3DKMT_DISPLAYMODE, most_modes> modes{};
  D3DKMT_GETDISPLAYMODELIST list{with.adapter(), 0, nullptr, 0};
  NTSTATUS status = with.calls().D3DKMTGetDisplayModeList(&list);
  if (NT_SUCCESS(status)) {
    list.ModeCount = std::min(list.ModeCount, most_modes);
    list.pModeList = modes.data();
    status = with.calls().D3DKMTGetDisplayModeList(&list);
  }
  if (!to.check(NT_SUCCESS(status), "there is a list of modes",
                message{list.ModeCount, " modes, ", status_of(status)}))
    return {};
  for (UINT i = 0; i < std::min(list.ModeCount, most_modes); ++i) {
    const bool has_32_bits =
        modes[i].Format == D3DDDIFMT_A8R8G8B8 || modes[i].Format == D3DDDIFMT_X8R8G8B8;
    const screen_size size{modes[i].Width, modes[i].Height};
    if (has_32_bits && size != current && with.around().is_mode_possible(size)) return size;
  }
  return {};
}

/// Whether driver and registers come to have that mode, switched on.
void check_mode(session& with, report& to, screen_size wanted, rule_text rule) {
  scanout now{};
  const bool is_there = wait_until(with.around(), settle_ms, [&] {
    now = {};
    return NT_SUCCESS(with.escape(AEROGPU_ESCAPE_OP_QUERY_SCANOUT, now)) &&
           cached_size(now) == wanted && register_size(now) == wanted &&
           now.base.mmio_enable != 0 && now.base.mmio_fb_gpa != 0;
  });
  to.check(
      is_there, rule,
      message{now.base.cached_width + 0u, " x ", now.base.cached_height + 0u, " in the driver, ",
              now.base.mmio_width + 0u, " x ", now.base.mmio_height + 0u, " in registers"});
}

void run_modeset_roundtrip(session& with, report& to) {
  desktop& around = with.around();
  const screen_size first = around.size();
  const screen_size other = find_other_mode(with, to, first);
  if (other == screen_size{}) return to.skip(message{"there is one mode of 32 bits per pixel"});
  const bool has_changed = to.check(around.change_mode(other), "another mode is set", text(other));
  if (has_changed) check_mode(with, to, other, "driver and registers have it");
  to.check(around.change_mode(first), "the first mode is set again", text(first));
  check_mode(with, to, first, "driver and registers have it again");
}

using cursor = aerogpu_escape_query_cursor_out;

/// Waits until the cursor's registers are as `is_met` wants them; `now` has the last answer.
template <class Condition>
auto wait_cursor(session& with, cursor& now, Condition&& is_met) -> bool {
  return wait_until(with.around(), settle_ms, [&] {
    now = {};
    return NT_SUCCESS(with.escape(AEROGPU_ESCAPE_OP_QUERY_CURSOR, now)) && is_met(now);
  });
}

void check_position(session& with, report& to, std::int32_t x, std::int32_t y) {
  cursor now{};
  with.around().move_cursor(x, y);
  // The register has the top left corner, or the hot spot.
  const auto is_at = [](std::uint32_t seen, std::uint32_t hot, std::int32_t wanted) {
    const auto at = static_cast<std::int32_t>(seen);
    return at == wanted || at + static_cast<std::int32_t>(hot) == wanted;
  };
  const bool follows = wait_cursor(
      with, now, [&](const cursor& c) { return is_at(c.x, c.hot_x, x) && is_at(c.y, c.hot_y, y); });
  to.check(follows, "the cursor follows its position",
           message{static_cast<std::int32_t>(now.x), ", ", static_cast<std::int32_t>(now.y),
                   " for ", x, ", ", y});
}

void check_shape(session& with, report& to) {
  constexpr cursor_shape shape{32, 32, 4, 6};
  cursor now{};
  const bool is_set = with.around().set_cursor_shape(shape);
  const bool is_right = is_set && wait_cursor(with, now, [&](const cursor& c) {
                          return c.enable != 0 && c.width == shape.width &&
                                 c.height == shape.height && c.hot_x == shape.hot_x &&
                                 c.hot_y == shape.hot_y;
                        });
  to.check(
      is_right, "a shape of its own sets size and hot spot",
      message{now.width + 0u, " x ", now.height + 0u, ", ", now.hot_x + 0u, ", ", now.hot_y + 0u});
  to.check(
      now.fb_gpa != 0 && now.format != 0 && now.pitch_bytes >= now.width * 4,
      "it has a picture, a format and a pitch",
      message{hex{now.fb_gpa}, ", format ", now.format + 0u, ", ", now.pitch_bytes + 0u, " bytes"});
}

void run_cursor_state(session& with, report& to) {
  cursor now{};
  if (!with.ask(to, "QUERY_CURSOR answers", AEROGPU_ESCAPE_OP_QUERY_CURSOR, now)) return;
  const std::uint32_t flags = now.flags;
  to.check((flags & AEROGPU_DBGCTL_QUERY_CURSOR_FLAGS_VALID) != 0, "the flags are valid",
           message{hex{flags}});
  if ((flags & AEROGPU_DBGCTL_QUERY_CURSOR_FLAG_CURSOR_SUPPORTED) == 0)
    return to.skip(message{"the device has no cursor"});
  desktop& around = with.around();
  around.show_cursor(true);
  check_shape(with, to);
  check_position(with, to, 100, 80);
  check_position(with, to, 133, 57);
  around.show_cursor(false);
  to.check(wait_cursor(with, now, [](const cursor& c) { return c.enable == 0; }),
           "hiding it switches it off");
  around.show_cursor(true);
  to.check(wait_cursor(with, now, [](const cursor& c) { return c.enable != 0; }),
           "showing it switches it on");
  around.restore_cursor();
}

}  // namespace

const guest_test scanout_state_sanity{"scanout_state_sanity",
                                      "driver, registers and desktop agree on the mode", 10'000,
                                      &run_scanout_state};
const guest_test modeset_roundtrip_sanity{"modeset_roundtrip_sanity",
                                          "driver and registers follow to another mode and back",
                                          30'000, &run_modeset_roundtrip};
const guest_test cursor_state_sanity{"cursor_state_sanity",
                                     "the cursor's registers follow position, shape and visibility",
                                     30'000, &run_cursor_state};

}  // namespace aerogpu::guest
