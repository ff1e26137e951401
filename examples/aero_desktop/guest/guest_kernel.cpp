// SPDX-License-Identifier: MIT
#include "examples/aero_desktop/guest/guest_kernel.hpp"

#include "aerogpu/abi/mmio.h"
#include "aerogpu/abi/ring.h"
#include "aerogpu/share/release_stream.hpp"
#include "aerogpu/stream/error_text.hpp"
#include "tools/aerogpu/terminal/console.hpp"

namespace desktop {

using namespace aerogpu;

namespace {

constexpr std::uint64_t heap_at = 0x4000'0000, heap_bytes = 64u << 20;
constexpr gpa frame_buffer_at{0x8000'0000};
constexpr std::uint32_t pitch_bytes = screen_width * 4;
constexpr std::uint64_t largest_stream = 4u << 20;

struct register_value {
  std::uint32_t offset;
  std::uint32_t value;
};
constexpr register_value mode[]{
    {AEROGPU_MMIO_REG_IRQ_ENABLE,
     AEROGPU_IRQ_FENCE | AEROGPU_IRQ_SCANOUT_VBLANK | AEROGPU_IRQ_ERROR},
    {AEROGPU_MMIO_REG_SCANOUT0_WIDTH, screen_width},
    {AEROGPU_MMIO_REG_SCANOUT0_HEIGHT, screen_height},
    {AEROGPU_MMIO_REG_SCANOUT0_FORMAT, AEROGPU_FORMAT_B8G8R8X8_UNORM},
    {AEROGPU_MMIO_REG_SCANOUT0_PITCH_BYTES, pitch_bytes},
    {AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO, static_cast<std::uint32_t>(raw(frame_buffer_at))},
    {AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_HI, 0},
    {AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 1}};

}  // namespace

guest_kernel::guest_kernel(hardware& pc) : pc_(pc), next_free_(heap_at) {
  pc_.host().memory.map(gpa{heap_at}, heap_bytes);
  pc_.host().memory.map(frame_buffer_at, std::uint64_t{pitch_bytes} * screen_height);
}

auto guest_kernel::start(std::string& why) -> bool {
  if (!pc_.start(largest_stream, why)) return false;
  for (const auto& [offset, value] : mode) pc_.write(offset, value);
  log("aerogpu: ABI " + tool::hex(pc_.read(AEROGPU_MMIO_REG_ABI_VERSION)) + ", features " +
      tool::hex(pc_.read(AEROGPU_MMIO_REG_FEATURES_LO)));
  log("scanout 0: " + tool::decimal(screen_width) + " x " + tool::decimal(screen_height) +
      ", vblank " + tool::decimal(pc_.read(AEROGPU_MMIO_REG_SCANOUT0_VBLANK_PERIOD_NS) / 1000) +
      " us");
  return true;
}

auto guest_kernel::allocate(std::uint32_t size_bytes) -> memory_block {
  constexpr std::uint32_t page_bytes = 4096;
  const memory_block block{alloc_id{++last_alloc_}, gpa{next_free_}, size_bytes};
  next_free_ += (size_bytes + page_bytes - 1) / page_bytes * page_bytes;
  AEROGPU_CHECK(next_free_ <= heap_at + heap_bytes);
  return block;
}

void guest_kernel::write(const memory_block& to, const_bytes bytes) {
  AEROGPU_CHECK(bytes.size() <= to.size_bytes && pc_.host().memory.write(to.at, bytes));
}

auto guest_kernel::submit(context_id process, const_bytes stream,
                          std::span<const memory_block> memory, std::uint32_t flags)
    -> fence_value {
  table_slots_ = {};
  alloc_table_builder table{table_bytes_, table_slots_};
  for (const memory_block& block : memory) {
    const alloc_reference line{block.id,
                               alloc_object{raw(block.id)},
                               block.size_bytes,
                               block.at,
                               /*has_address=*/true,
                               /*is_read_only=*/true};
    if (!table.add(line)) return {};
  }
  const fence_value fence = fences_.extend(++os_fence_id_);
  return push({flags, process, fence, stream, table.finish()}) ? fence : fence_value{};
}

auto guest_kernel::push(const tool::guest_submission& work) -> bool {
  if (!pc_.submit(work)) return false;
  ++submissions_;
  collect_errors();
  handle_interrupt();
  return true;
}

void guest_kernel::collect_errors() {
  for (const error_record& record : pc_.host().errors) {
    if (errors_++ == 0) {
      tool::text words;
      append_error(words, record.why);
      first_error_ = words.str();
    }
  }
  pc_.host().errors.clear();
}

/// Interrupt handler and deferred call in one.
void guest_kernel::handle_interrupt() {
  if (!pc_.host().irq_line) return;
  const std::uint32_t causes = pc_.read(AEROGPU_MMIO_REG_IRQ_STATUS);
  pc_.write(AEROGPU_MMIO_REG_IRQ_ACK, causes);
  if ((causes & AEROGPU_IRQ_SCANOUT_VBLANK) != 0) ++vblanks_;
  const fence_value told = pc_.completed_fence();
  if (told <= fences_.last()) completed_ = told;  // Never past what was submitted.
}

auto guest_kernel::wait_for(fence_value fence) -> bool {
  constexpr int most_sleeps = 1000;
  for (int i = 0; i < most_sleeps && completed_ < fence; ++i) {
    pc_.sleep();
    collect_errors();
    handle_interrupt();
  }
  return completed_ >= fence;
}

void guest_kernel::throttle() {
  const std::uint64_t began_ns = time_ns();
  for (;;) {
    const auto next = frames_ahead_.next_step(completed_, present_mode::wait, time_ns() - began_ns);
    if (next.action == present_action::present) return;
    pc_.sleep();
    collect_errors();
    handle_interrupt();
  }
}

auto guest_kernel::create_shared() -> share_token {
  const share_token token = tokens_.next();
  return lifetime_.add_reference(token) ? token : share_token{};
}

auto guest_kernel::open_shared(share_token token) -> bool {
  return static_cast<bool>(lifetime_.add_reference(token));
}

auto guest_kernel::close_shared(share_token token) -> bool {
  const token_drop dropped = lifetime_.drop_reference(token);
  if (dropped != token_drop::last) return dropped == token_drop::kept;
  const release_stream stream = make_release_stream(lifetime_.next_release());
  if (!push({AEROGPU_SUBMIT_FLAG_NO_IRQ, {}, fences_.last(), bytes_of(stream), {}})) return false;
  lifetime_.release_emitted();
  log("token " + tool::hex(raw(token)) + " released");
  return true;
}

}  // namespace desktop
