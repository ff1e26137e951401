// SPDX-License-Identifier: MIT
/// \file A device in a machine for tests: memory, a clock, an interrupt line, and a guest that
/// knows the ring.
#pragma once

#include "aerogpu/device/device.hpp"
#include "tests/catch.hpp"
#include "tests/support/alloc_table_bytes.hpp"
#include "tests/support/byte_patterns.hpp"
#include "tests/support/guest_memory_fakes.hpp"
#include "tests/support/owned_backend.hpp"
#include "tests/support/stream_builder.hpp"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace aerogpu::test {

/// Models `device_host`, keeps what the device told it, and lets a test look on.
struct fake_machine {
  explicit fake_machine(memory_mood mood) : ram(mood) {}

  auto read(gpa at, mutable_bytes out) noexcept -> bool { return ram.read(at, out); }
  auto write(gpa at, const_bytes in) noexcept -> bool {
    const bool is_there = ram.write(at, in);
    if (is_there && at == watched.at && in.size() == sizeof watched.value) {
      watched.value = load<std::uint32_t>(in.data());
      ++watched.writes;
    }
    if (on_write) on_write(at, in);
    return is_there;
  }
  auto now_ns() noexcept -> std::uint64_t {
    ++clock_reads;
    return time_ns += ns_per_read;
  }
  void set_irq_line(bool level) noexcept {
    line = level;
    ++line_changes;
    if (on_line) on_line(level);
  }
  void on_scanout(const scanout_descriptor& scanout) noexcept { scanouts.push_back(scanout); }
  void on_present(const present_notice& present) noexcept { presents.push_back(present); }
  void on_error(const error_record& record) noexcept { errors.push_back(record); }

  /// A word whose last value the host wrote, whatever memory does to it afterwards.
  struct watched_word {
    gpa at{};
    std::uint32_t value = 0;
    std::uint32_t writes = 0;
  };

  fake_memory ram;
  watched_word watched;
  std::uint64_t time_ns = 0;
  std::uint64_t ns_per_read = 0;  ///< How far the clock goes on each time that it is read.
  std::uint32_t clock_reads = 0;
  bool line = false;
  std::uint32_t line_changes = 0;
  std::vector<scanout_descriptor> scanouts;
  std::vector<present_notice> presents;
  std::vector<error_record> errors;
  std::function<void(gpa, const_bytes)> on_write;
  std::function<void(bool)> on_line;
};

/// What a guest submits. Absent members are left out of the descriptor.
struct guest_submission {
  std::uint64_t fence = 0;
  std::optional<byte_vector> stream{};
  std::optional<std::vector<aerogpu_alloc_entry>> table{};
  std::uint32_t flags = 0;
  std::uint32_t context = 0;
};

/// Register values of a scanout or cursor.
struct guest_image {
  std::uint32_t width = 4;
  std::uint32_t height = 4;
  std::uint32_t format = AEROGPU_FORMAT_B8G8R8X8_UNORM;
  std::uint32_t pitch = 16;
  std::uint64_t address = 0x400000;
};

inline constexpr std::uint64_t ring_gpa = 0x100000;
inline constexpr std::uint64_t fence_page_gpa = 0x200000;
inline constexpr std::uint64_t surface_gpa = 0x400000;
inline constexpr std::uint64_t work_gpa = 0x1000000;
inline constexpr std::uint32_t bar0_base = 0xE0000000;
inline constexpr std::uint32_t bar1_base = 0xD0000000;
inline constexpr std::uint32_t all_irqs =
    AEROGPU_IRQ_FENCE | AEROGPU_IRQ_SCANOUT_VBLANK | AEROGPU_IRQ_ERROR;
inline constexpr std::uint64_t period_ns = 16'666'667;

/// A stream that is valid and does nothing.
[[nodiscard]] inline auto idle_stream() -> byte_vector {
  return stream_builder{}.bytes();
}
[[nodiscard]] inline auto present_stream(std::uint32_t flags = AEROGPU_PRESENT_FLAG_VSYNC)
    -> byte_vector {
  return stream_builder{}.present(0, flags).bytes();
}

/// The guest's side of one device. Powered on with both BARs decoded and bus mastering; `start`
/// sets up the ring.
template <device_backend B>
class device_harness {
 public:
  using device_type = device<fake_machine, B>;

  explicit device_harness(owned_backend<B> on, const device_config& config = small_config(),
                          memory_mood mood = memory_mood::calm)
      : machine(mood), backend(std::move(on)) {
    auto made = device_type::create(machine, *backend, config);
    REQUIRE(made);
    dev = *std::move(made);
    dev->config_write(0x10, bar0_base, 4);
    dev->config_write(0x14, bar1_base, 4);
    set_command(pci_command_io | pci_command_memory | pci_command_bus_master);
    machine.ram.map(gpa{ring_gpa}, 0x1000);
    machine.ram.map(gpa{fence_page_gpa}, 0x1000);
  }

  /// BAR1 of 1 MiB and short tables, so that a thousand devices in a test cost nothing.
  [[nodiscard]] static auto small_config() -> device_config {
    device_config config;
    config.bar1_bytes = 1u << 20;
    config.bounds.pending_fences = 4096;
    config.bounds.early_completions = 4096;
    return config;
  }

  // Registers

  auto read(std::uint64_t offset) -> std::uint32_t {
    return static_cast<std::uint32_t>(dev->bar0_read(offset, 4));
  }
  auto read64(std::uint64_t offset) -> std::uint64_t { return dev->bar0_read(offset, 8); }
  void write(std::uint64_t offset, std::uint32_t value) { dev->bar0_write(offset, value, 4); }
  void write64(std::uint64_t offset, std::uint64_t value) { dev->bar0_write(offset, value, 8); }
  void set_command(std::uint32_t command) { dev->config_write(0x04, command, 2); }
  void set_bus_master(bool is_on) {
    const auto command = dev->config_read(0x04, 2) & ~std::uint32_t{pci_command_bus_master};
    set_command(command | (is_on ? pci_command_bus_master : 0u));
  }
  auto irq_status() -> std::uint32_t { return read(AEROGPU_MMIO_REG_IRQ_STATUS); }
  void acknowledge(std::uint32_t bits) { write(AEROGPU_MMIO_REG_IRQ_ACK, bits); }
  auto completed() -> std::uint64_t { return read64(AEROGPU_MMIO_REG_COMPLETED_FENCE_LO); }
  auto error_code_register() -> std::uint32_t { return read(AEROGPU_MMIO_REG_ERROR_CODE); }
  auto error_fence() -> std::uint64_t { return read64(AEROGPU_MMIO_REG_ERROR_FENCE_LO); }
  auto error_count() -> std::uint32_t { return read(AEROGPU_MMIO_REG_ERROR_COUNT); }
  auto page_fence() -> std::uint64_t {
    return machine.ram.template peek_object<std::uint64_t>(gpa{fence_page_gpa + 8});
  }

  // Ring

  /// Makes the ring and the fence page, enables both and all causes.
  void start(std::uint32_t entries = 8, std::uint32_t stride = 64, std::uint32_t first = 0) {
    header = {AEROGPU_RING_MAGIC,
              AEROGPU_ABI_VERSION_U32,
              64 + entries * stride,
              entries,
              stride,
              0,
              first,
              first,
              0,
              0,
              {}};
    machine.ram.poke_object(gpa{ring_gpa}, header);
    machine.ram.map(gpa{ring_gpa}, header.size_bytes);
    machine.watched = {gpa{ring_gpa + offsetof(aerogpu_ring_header, head)}, 0, 0};
    write64(AEROGPU_MMIO_REG_RING_GPA_LO, ring_gpa);
    write(AEROGPU_MMIO_REG_RING_SIZE_BYTES, header.size_bytes);
    write64(AEROGPU_MMIO_REG_FENCE_GPA_LO, fence_page_gpa);
    write(AEROGPU_MMIO_REG_IRQ_ENABLE, all_irqs);
    write(AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_ENABLE);
  }

  /// Copies bytes to fresh guest memory.
  auto place(const byte_vector& bytes) -> gpa {
    const gpa at{next_work_};
    machine.ram.poke(at, bytes);
    next_work_ += (bytes.size() + 0xFFF) & ~std::uint64_t{0xFFF};
    return at;
  }

  auto describe(const guest_submission& work) -> aerogpu_submit_desc {
    aerogpu_submit_desc desc{};
    desc.desc_size_bytes = sizeof desc;
    desc.flags = work.flags;
    desc.context_id = work.context;
    desc.signal_fence = work.fence;
    if (work.stream) {
      desc.cmd_gpa = raw(place(*work.stream));
      desc.cmd_size_bytes = static_cast<std::uint32_t>(work.stream->size());
    }
    if (work.table) {
      const auto bytes = make_table(*work.table);
      desc.alloc_table_gpa = raw(place(bytes));
      desc.alloc_table_size_bytes = static_cast<std::uint32_t>(bytes.size());
    }
    return desc;
  }

  /// Publishes an entry without ringing.
  void push(const aerogpu_submit_desc& desc) {
    const auto slot = header.tail & (header.entry_count - 1);
    machine.ram.poke_object(gpa{ring_gpa + 64 + std::uint64_t{slot} * header.entry_stride_bytes},
                            desc);
    ++header.tail;
  }
  void push(const guest_submission& work) { push(describe(work)); }

  /// Writes the header anew: in memory that changes once it was read, nothing else would do.
  void refresh_ring() {
    header.head = head();
    machine.ram.poke_object(gpa{ring_gpa}, header);
  }
  /// Rings without waiting for the backend.
  void ring(std::uint32_t value = 1) {
    refresh_ring();
    write(AEROGPU_MMIO_REG_DOORBELL, value);
  }
  void reset_ring() {
    refresh_ring();
    write(AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_ENABLE | AEROGPU_RING_CONTROL_RESET);
  }
  /// Rings, and lets the backend finish.
  void doorbell() {
    ring();
    dev->wait_idle();
  }
  void submit(const guest_submission& work) {
    push(work);
    doorbell();
  }
  void submit(const aerogpu_submit_desc& desc) {
    push(desc);
    doorbell();
  }
  /// Head as the device stored it last, or as the guest did before.
  auto head() -> std::uint32_t { return head_writes() != 0 ? machine.watched.value : header.head; }
  /// Stores of head by the device since `start`.
  auto head_writes() -> std::uint32_t { return machine.watched.writes; }
  /// Entries that the device did not take.
  auto pending() -> std::uint32_t { return header.tail - head(); }

  // Time and display

  void tick_at(std::uint64_t time_ns) {
    machine.time_ns = time_ns;
    dev->tick();
  }
  void set_scanout(const guest_image& image, bool is_enabled = true) {
    write(AEROGPU_MMIO_REG_SCANOUT0_WIDTH, image.width);
    write(AEROGPU_MMIO_REG_SCANOUT0_HEIGHT, image.height);
    write(AEROGPU_MMIO_REG_SCANOUT0_FORMAT, image.format);
    write(AEROGPU_MMIO_REG_SCANOUT0_PITCH_BYTES, image.pitch);
    write64(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO, image.address);
    write(AEROGPU_MMIO_REG_SCANOUT0_ENABLE, is_enabled ? 1 : 0);
  }
  void set_cursor(const guest_image& image, std::uint32_t x = 0, std::uint32_t y = 0) {
    write(AEROGPU_MMIO_REG_CURSOR_WIDTH, image.width);
    write(AEROGPU_MMIO_REG_CURSOR_HEIGHT, image.height);
    write(AEROGPU_MMIO_REG_CURSOR_FORMAT, image.format);
    write(AEROGPU_MMIO_REG_CURSOR_PITCH_BYTES, image.pitch);
    write64(AEROGPU_MMIO_REG_CURSOR_FB_GPA_LO, image.address);
    write(AEROGPU_MMIO_REG_CURSOR_X, x);
    write(AEROGPU_MMIO_REG_CURSOR_Y, y);
    write(AEROGPU_MMIO_REG_CURSOR_ENABLE, 1);
  }

  fake_machine machine;
  owned_backend<B> backend;
  std::unique_ptr<device_type> dev;
  aerogpu_ring_header header{};  ///< As the guest believes it to be.

 private:
  std::uint64_t next_work_ = work_gpa;
};

static_assert(device_host<fake_machine>);

}  // namespace aerogpu::test
