// SPDX-License-Identifier: MIT
#include "tools/aerogpu/replay/demo_guest.hpp"

#include "aerogpu/stream/d3d9_state_ids.hpp"
#include "tools/aerogpu/replay/replay.hpp"
#include "tools/aerogpu/terminal/console.hpp"

#include <algorithm>

namespace aerogpu::tool {

namespace {

constexpr std::uint32_t desktop_context = 0;
constexpr std::uint32_t card_context = 1;
constexpr std::uint32_t terminal_context = 2;

constexpr resource_handle desktop{1}, wallpaper{2}, terminal{3}, copy_back{4}, imported_card{5};
constexpr resource_handle card{10}, card_title{11}, card_badge{12}, late_import{13};
constexpr share_token card_token{0x5EED'0000'0001};

constexpr std::uint32_t desktop_bytes = desktop_width * desktop_height * 4;
constexpr std::uint32_t terminal_bytes = terminal_place.width * terminal_place.height * 4;
constexpr std::uint32_t cursor_bytes = 4096;

/// Guest memory that the demo's programs own, as the allocation table names it.
struct guest_allocation {
  alloc_id id;
  gpa at;
  std::uint32_t size_bytes;
  bool is_read_only;
};
constexpr guest_allocation wallpaper_memory{alloc_id{1}, gpa{0x2000'0000}, desktop_bytes, true};
constexpr guest_allocation terminal_memory{alloc_id{2}, gpa{0x2100'0000}, terminal_bytes, true};
constexpr guest_allocation read_back_memory{alloc_id{3}, gpa{0x2200'0000}, desktop_bytes, false};
constexpr guest_allocation cursor_memory{alloc_id{4}, gpa{0x2300'0000}, cursor_bytes, true};
constexpr std::array<const guest_allocation*, 4> allocations{&wallpaper_memory, &terminal_memory,
                                                             &read_back_memory, &cursor_memory};

constexpr rectangle cursor_place{372, 336, 24, 38};

auto unsigned_of(int value) -> std::uint32_t {
  return static_cast<std::uint32_t>(value);
}

auto texture_of(resource_handle handle, const canvas& like, std::uint32_t usage,
                const guest_allocation* memory = nullptr) -> create_texture2d_args {
  create_texture2d_args args;
  args.texture = handle;
  args.usage_flags = usage;
  args.format = AEROGPU_FORMAT_B8G8R8A8_UNORM;
  args.width = unsigned_of(like.width());
  args.height = unsigned_of(like.height());
  if (memory != nullptr) {
    args.row_pitch_bytes = like.pitch_bytes();
    args.backing = {memory->id, 0};
  }
  return args;
}

auto copy_all(resource_handle from, const canvas& size, resource_handle to, int x, int y,
              std::uint32_t flags = AEROGPU_COPY_FLAG_NONE) -> copy_texture2d_args {
  return {.destination = {.texture = to, .x = unsigned_of(x), .y = unsigned_of(y)},
          .source = {.texture = from},
          .width = unsigned_of(size.width()),
          .height = unsigned_of(size.height()),
          .flags = flags};
}

constexpr std::uint32_t target_usage =
    AEROGPU_RESOURCE_USAGE_TEXTURE | AEROGPU_RESOURCE_USAGE_RENDER_TARGET;

}  // namespace

demo_guest::demo_guest()
    : machine_(backend_),
      wallpaper_(paint_wallpaper()),
      terminal_(terminal_place.width, terminal_place.height),
      expected_(desktop_width, desktop_height) {
  for (const guest_allocation* memory : allocations) {
    machine_.memory().map(memory->at, memory->size_bytes);
  }
}

void demo_guest::run() {
  std::string why;
  constexpr std::uint64_t largest_stream = 1 << 20;
  if (!machine_.start(largest_stream, why)) {
    verdicts_.push_back({"start", "the device powers on", why});
    return;
  }
  machine_.device().set_tap(tap_);
  struct step {
    const char* name;
    const char* what;
    std::string (demo_guest::*run)();
  };
  constexpr std::array<step, 11> steps{{
      {"registers", "BAR0 answers with magic, version and features", &demo_guest::answer_registers},
      {"guest memory", "a picture in guest RAM becomes a texture", &demo_guest::show_wallpaper},
      {"clears", "24 scissored clears draw a test card", &demo_guest::draw_card},
      {"uploads", "inline pictures are copied onto the card", &demo_guest::upload_parts},
      {"sharing", "another context imports the card by its token", &demo_guest::share_card},
      {"dirty ranges", "text written to guest RAM reaches the desktop",
       &demo_guest::write_terminal},
      {"present", "a vsynced present completes at the next vblank", &demo_guest::present_at_vblank},
      {"write-back", "the desktop comes back to guest RAM byte for byte", &demo_guest::read_back},
      {"cursor", "the cursor is blended over the scanout alone", &demo_guest::show_cursor},
      {"bad packet", "a draw without shaders fails alone; its fence completes",
       &demo_guest::survive_bad_packet},
      {"old token", "a released share token is never accepted again",
       &demo_guest::refuse_old_token},
  }};
  for (const step& s : steps) verdicts_.push_back({s.name, s.what, (this->*s.run)()});
}

auto demo_guest::make_stream(const fill_stream& fill, stream_bytes& bytes) -> bool {
  growing_sink<stream_bytes> sink{bytes};
  writer to{sink};
  if (!to.begin() || !fill(to)) return false;
  return to.finish() == bytes.size();
}

auto demo_guest::make_table() -> const_bytes {
  table_.restart(table_bytes_);
  for (const guest_allocation* memory : allocations) {
    const alloc_reference reference{
        memory->id, alloc_object{raw(memory->id)}, memory->size_bytes, memory->at,
        true,       memory->is_read_only};
    if (!table_.add(reference)) return {};
  }
  return table_.finish();
}

auto demo_guest::submit(std::uint32_t context, const fill_stream& fill) -> std::string {
  stream_bytes stream;
  if (!make_stream(fill, stream)) return "the writer refuses a packet";
  const fence_value fence = next_fence();
  if (!machine_.submit({0, context_id{context}, fence, stream, make_table()})) {
    return "the ring is full";
  }
  if (!machine_.host().errors.empty()) return failure_text(machine_.host().errors.front().why);
  if (machine_.completed_fence() != fence) return "the fence does not complete";
  return {};
}

auto demo_guest::submit_bad(std::uint32_t context, error_code expected, const fill_stream& fill)
    -> std::string {
  stream_bytes stream;
  if (!make_stream(fill, stream)) return "the writer refuses a packet";
  const std::uint32_t count = machine_.read(AEROGPU_MMIO_REG_ERROR_COUNT);
  const fence_value fence = next_fence();
  machine_.device().set_tap({});
  const bool is_taken = machine_.submit({0, context_id{context}, fence, stream, make_table()});
  machine_.device().set_tap(tap_);
  if (!is_taken) return "the ring is full";
  const auto& errors = machine_.host().errors;
  if (errors.size() != 1 || errors[0].why.code != expected) return "another error is reported";
  if (machine_.read(AEROGPU_MMIO_REG_ERROR_COUNT) != count + 1) return "ERROR_COUNT is wrong";
  if (machine_.completed_fence() != fence) return "the fence does not complete";
  return {};
}

auto demo_guest::answer_registers() -> std::string {
  if (machine_.read(AEROGPU_MMIO_REG_MAGIC) != AEROGPU_MMIO_MAGIC) return "MAGIC is wrong";
  if (machine_.read(AEROGPU_MMIO_REG_ABI_VERSION) != AEROGPU_ABI_VERSION_U32) {
    return "ABI_VERSION is wrong";
  }
  const std::uint32_t features = machine_.read(AEROGPU_MMIO_REG_FEATURES_LO);
  return (features & AEROGPU_FEATURE_VBLANK) != 0 ? "" : "there is no vblank";
}

auto demo_guest::show_wallpaper() -> std::string {
  if (!machine_.memory().write(wallpaper_memory.at, wallpaper_.bytes())) return "no memory";
  place(expected_, wallpaper_, 0, 0);
  return submit(desktop_context, [&](writer& to) {
    return to.create_texture2d(texture_of(desktop, expected_, target_usage)) &&
           to.create_texture2d(texture_of(wallpaper, wallpaper_, AEROGPU_RESOURCE_USAGE_TEXTURE,
                                          &wallpaper_memory)) &&
           to.copy_texture2d(copy_all(wallpaper, wallpaper_, desktop, 0, 0));
  });
}

auto demo_guest::draw_card() -> std::string {
  canvas painted{card_place.width, card_place.height};
  for (const card_bar& bar : card_bars()) painted.fill(bar.area, bar.fill);
  place(expected_, painted, card_place.x, card_place.y);
  return submit(card_context, [&](writer& to) {
    const std::array<resource_handle, 1> targets{card};
    if (!to.create_texture2d(texture_of(card, painted, target_usage)) ||
        !to.set_render_targets(targets, resource_handle{}) ||
        !to.set_render_state(d3drs_scissortestenable, 1)) {
      return false;
    }
    for (const card_bar& bar : card_bars()) {
      const rectangle& a = bar.area;
      if (!to.set_scissor(a.x, a.y, a.width, a.height) ||
          !to.clear({.color = {bar.fill.r, bar.fill.g, bar.fill.b, bar.fill.a}})) {
        return false;
      }
    }
    return true;
  });
}

auto demo_guest::upload_parts() -> std::string {
  const canvas title = paint_card_title();
  const canvas badge = paint_card_badge();
  place(expected_, title, card_place.x, card_place.y);
  place(expected_, badge, card_place.x + card_badge_place.x, card_place.y + card_badge_place.y);
  constexpr auto usage = AEROGPU_RESOURCE_USAGE_TEXTURE;
  return submit(card_context, [&](writer& to) {
    return to.create_texture2d(texture_of(card_title, title, usage)) &&
           to.create_texture2d(texture_of(card_badge, badge, usage)) &&
           to.upload_resource(card_title, 0, title.bytes()) &&
           to.upload_resource(card_badge, 0, badge.bytes()) &&
           to.copy_texture2d(copy_all(card_title, title, card, 0, 0)) &&
           to.copy_texture2d(
               copy_all(card_badge, badge, card, card_badge_place.x, card_badge_place.y)) &&
           to.destroy_resource(card_title) && to.destroy_resource(card_badge);
  });
}

auto demo_guest::share_card() -> std::string {
  std::string trouble = submit(card_context, [&](writer& to) {
    return static_cast<bool>(to.export_shared_surface(card, card_token));
  });
  if (!trouble.empty()) return trouble;
  const canvas size{card_place.width, card_place.height};
  return submit(desktop_context, [&](writer& to) {
    return to.import_shared_surface(imported_card, card_token) &&
           to.copy_texture2d(copy_all(imported_card, size, desktop, card_place.x, card_place.y));
  });
}

auto demo_guest::write_terminal() -> std::string {
  std::string trouble = submit(terminal_context, [&](writer& to) {
    return static_cast<bool>(to.create_texture2d(
        texture_of(terminal, terminal_, AEROGPU_RESOURCE_USAGE_TEXTURE, &terminal_memory)));
  });
  if (!trouble.empty()) return trouble;
  std::vector<std::string> lines{"> aerogpu demo"};
  for (const demo_verdict& v : verdicts_) {
    lines.push_back(v.step + "\t" + (v.trouble.empty() ? "ok" : "failed"));
  }
  lines.emplace_back("ring, 32 slots, head " + decimal(machine_.device().statistics().submissions));
  lines.emplace_back("fence " + decimal(raw(machine_.completed_fence())));
  terminal_ = paint_terminal(lines);
  place(expected_, terminal_, terminal_place.x, terminal_place.y);
  if (!machine_.memory().write(terminal_memory.at, terminal_.bytes())) return "no memory";
  return submit(terminal_context, [&](writer& to) {
    return to.resource_dirty_range(terminal, 0, terminal_bytes) &&
           to.copy_texture2d(
               copy_all(terminal, terminal_, desktop, terminal_place.x, terminal_place.y));
  });
}

void demo_guest::program_scanout() {
  machine_.write(AEROGPU_MMIO_REG_SCANOUT0_WIDTH, desktop_width);
  machine_.write(AEROGPU_MMIO_REG_SCANOUT0_HEIGHT, desktop_height);
  machine_.write(AEROGPU_MMIO_REG_SCANOUT0_FORMAT, AEROGPU_FORMAT_B8G8R8X8_UNORM);
  machine_.write(AEROGPU_MMIO_REG_SCANOUT0_PITCH_BYTES, desktop_width * 4);
  machine_.write(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO,
                 static_cast<std::uint32_t>(raw(read_back_memory.at)));
  machine_.write(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_HI, 0);
  machine_.write(AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 1);
}

auto demo_guest::present_at_vblank() -> std::string {
  program_scanout();
  stream_bytes stream;
  const std::array<resource_handle, 1> targets{desktop};
  const bool is_written = make_stream(
      [&](writer& to) {
        return to.set_render_targets(targets, resource_handle{}) &&
               to.present(0, AEROGPU_PRESENT_FLAG_VSYNC);
      },
      stream);
  if (!is_written) return "the writer refuses a packet";
  const fence_value fence = next_fence();
  const guest_submission work{
      AEROGPU_SUBMIT_FLAG_PRESENT, context_id{desktop_context}, fence, stream, {}};
  if (!machine_.begin(work)) return "the ring is full";
  if (!machine_.host().errors.empty()) return failure_text(machine_.host().errors.front().why);
  if (raw(machine_.completed_fence()) >= raw(fence)) return "the fence does not wait for a vblank";
  machine_.advance_time(machine_.read(AEROGPU_MMIO_REG_SCANOUT0_VBLANK_PERIOD_NS));
  if (machine_.completed_fence() != fence) return "the fence does not complete at the vblank";
  if (!machine_.host().irq_line) return "there is no interrupt";
  machine_.write(AEROGPU_MMIO_REG_IRQ_ACK, AEROGPU_IRQ_FENCE);
  return machine_.host().irq_line ? "the interrupt stays" : "";
}

auto demo_guest::read_back() -> std::string {
  std::string trouble = submit(desktop_context, [&](writer& to) {
    return to.create_texture2d(texture_of(copy_back, expected_, AEROGPU_RESOURCE_USAGE_TEXTURE,
                                          &read_back_memory)) &&
           to.copy_texture2d(
               copy_all(desktop, expected_, copy_back, 0, 0, AEROGPU_COPY_FLAG_WRITEBACK_DST));
  });
  if (!trouble.empty()) return trouble;
  std::vector<std::byte> found(desktop_bytes);
  if (!machine_.memory().read(read_back_memory.at, found)) return "no memory";
  return std::ranges::equal(found, expected_.bytes()) ? "" : "the bytes differ";
}

auto demo_guest::show_cursor() -> std::string {
  const canvas arrow = paint_cursor();
  if (!machine_.memory().write(cursor_memory.at, arrow.bytes())) return "no memory";
  machine_.write(AEROGPU_MMIO_REG_CURSOR_X, cursor_place.x);
  machine_.write(AEROGPU_MMIO_REG_CURSOR_Y, cursor_place.y);
  machine_.write(AEROGPU_MMIO_REG_CURSOR_WIDTH, unsigned_of(arrow.width()));
  machine_.write(AEROGPU_MMIO_REG_CURSOR_HEIGHT, unsigned_of(arrow.height()));
  machine_.write(AEROGPU_MMIO_REG_CURSOR_FORMAT, AEROGPU_FORMAT_B8G8R8A8_UNORM);
  machine_.write(AEROGPU_MMIO_REG_CURSOR_PITCH_BYTES, arrow.pitch_bytes());
  machine_.write(AEROGPU_MMIO_REG_CURSOR_FB_GPA_LO,
                 static_cast<std::uint32_t>(raw(cursor_memory.at)));
  machine_.write(AEROGPU_MMIO_REG_CURSOR_FB_GPA_HI, 0);
  machine_.write(AEROGPU_MMIO_REG_CURSOR_ENABLE, 1);
  rgba8_image plain;
  if (!machine_.device().read_scanout(plain)) return "the scanout cannot be read";
  if (!machine_.device().read_display(picture_)) return "the display cannot be read";
  int changed = 0;
  for (std::uint32_t y = 0; y < plain.height(); ++y) {
    for (std::uint32_t x = 0; x < plain.width(); ++x) {
      const bool is_same =
          std::ranges::equal(plain.row(y).subspan(x * 4, 4), picture_.row(y).subspan(x * 4, 4));
      const bool is_inside = static_cast<int>(x) >= cursor_place.x &&
                             static_cast<int>(x) < cursor_place.x + cursor_place.width &&
                             static_cast<int>(y) >= cursor_place.y &&
                             static_cast<int>(y) < cursor_place.y + cursor_place.height;
      if (!is_same && !is_inside) return "texels outside of the cursor changed";
      changed += is_same ? 0 : 1;
    }
  }
  return changed > 0 ? "" : "the cursor does not show";
}

auto demo_guest::survive_bad_packet() -> std::string {
  const std::string trouble = submit_bad(card_context, error_code::missing_binding,
                                         [&](writer& to) { return static_cast<bool>(to.draw(3)); });
  if (!trouble.empty()) return trouble;
  return submit(card_context, [&](writer& to) { return static_cast<bool>(to.flush()); });
}

auto demo_guest::refuse_old_token() -> std::string {
  const std::string trouble = submit(card_context, [&](writer& to) {
    return static_cast<bool>(to.release_shared_surface(card_token));
  });
  if (!trouble.empty()) return trouble;
  return submit_bad(desktop_context, error_code::unknown_share_token, [&](writer& to) {
    return static_cast<bool>(to.import_shared_surface(late_import, card_token));
  });
}

}  // namespace aerogpu::tool
