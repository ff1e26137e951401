// SPDX-License-Identifier: MIT
/// \file A started driver for the tests of submission: a context, allocations, DMA buffers, and
/// what dxgkrnl heard of them.
#pragma once

#include "aerogpu/abi/ring.h"
#include "aerogpu/core/bytes.hpp"
#include "drivers/win7/kmd/adapter/adapter.hpp"
#include "drivers/win7/kmd/submission/dma_record.hpp"
#include "tests/drivers/support/simulated_pc.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace aerogpu::test {

using byte_list = std::vector<std::byte>;

/// An allocation of the test's process, created and opened.
struct test_allocation {
  HANDLE handle = nullptr;  ///< hAllocation.
  HANDLE opened = nullptr;  ///< hDeviceSpecificAllocation.
  std::uint32_t id = 0;
  std::uint64_t size_bytes = 0;
  std::uint64_t address = 0;  ///< Where VidMm has it, in the video segment.
};

/// A line of an allocation list, resident unless told otherwise.
struct list_line {
  const test_allocation* allocation = nullptr;  ///< nullptr: a NULL line.
  bool is_written = false;
  std::uint32_t segment = 1;
  std::uint64_t address = 0;  ///< 0: the allocation's own.
};

/// A DMA buffer and all that travels with it.
struct dma_buffer {
  std::uint64_t physical = 0;
  std::span<std::byte> bytes;
  std::vector<std::uint64_t> private_data;
  std::vector<D3DDDI_PATCHLOCATIONLIST> patches;
  std::vector<DXGK_ALLOCATIONLIST> list;
  std::uint32_t used_bytes = 0;
  std::uint32_t patch_count = 0;
  std::uint32_t multipass = 0;

  [[nodiscard]] auto private_bytes() noexcept -> std::span<std::byte> {
    return std::as_writable_bytes(std::span{private_data});
  }
};

/// What the driver reported, and at which level.
struct interrupt_report {
  DXGK_INTERRUPT_TYPE type{};
  std::uint32_t fence = 0;           ///< Of the completion, or of the preemption.
  std::uint32_t last_completed = 0;  ///< Of a preemption.
  sim::irql level = 0;
};

/// A stream of packets, made word by word.
class stream_words {
 public:
  stream_words();
  /// Adds a packet of that size; words behind its header.
  auto add(std::uint32_t opcode, std::uint32_t size_bytes, std::vector<std::uint32_t> words = {})
      -> stream_words&;
  [[nodiscard]] auto bytes() const -> byte_list;
  [[nodiscard]] auto size() const -> std::uint32_t;

 private:
  std::vector<std::uint32_t> words_;
};

/// NOPs of 8 bytes.
[[nodiscard]] auto nop_stream(std::uint32_t count = 1) -> byte_list;

struct driver_options {
  device_config device{};
  std::uint64_t hidden_features = 0;
  std::uint32_t dma_buffer_bytes = 320u << 10;
};

/// The driver on a simulated PC, started, with one device and one context. At the end it is stopped
/// and unloaded, and a leak or a bug check fails the case.
class started_driver {
 public:
  explicit started_driver(const driver_options& options = {});
  ~started_driver();
  started_driver(const started_driver&) = delete;
  auto operator=(const started_driver&) -> started_driver& = delete;

  [[nodiscard]] auto adapter() noexcept -> kmd::adapter& {
    return *static_cast<kmd::adapter*>(pc.windows.context());
  }
  [[nodiscard]] auto counters() noexcept -> kmd::counters& { return adapter().counters; }

  [[nodiscard]] auto create_context() -> HANDLE;
  void destroy_context(HANDLE context);
  auto create_allocation(std::uint32_t id, std::uint64_t size_bytes = 4096, bool is_shared = false)
      -> test_allocation&;
  void destroy_allocation(const test_allocation& allocation);
  /// The list as dxgkrnl would pass it.
  [[nodiscard]] static auto make_list(std::span<const list_line> lines)
      -> std::vector<DXGK_ALLOCATIONLIST>;

  [[nodiscard]] auto make_buffer(std::uint32_t size_bytes = 0) -> dma_buffer&;
  /// Render into a fresh buffer; the stream lies in user memory.
  [[nodiscard]] auto render(dma_buffer& to, const_bytes stream,
                            std::span<const list_line> lines = {}, std::uint32_t multipass = 0)
      -> NTSTATUS;
  /// As above, with everything of the caller's choice.
  [[nodiscard]] auto render_user(dma_buffer& to, const void* command, std::uint32_t length,
                                 std::span<const list_line> lines = {}, std::uint32_t multipass = 0)
      -> NTSTATUS;
  /// Patch with all of the buffer's patch locations, and this list.
  void patch(dma_buffer& buffer, std::span<const list_line> lines, std::uint32_t fence = 0);
  void patch_range(dma_buffer& buffer, std::span<const list_line> lines, std::uint32_t first,
                   std::uint32_t count);
  void submit(dma_buffer& buffer, std::uint32_t fence, std::uint32_t flags = 0);
  void submit(const DXGKARG_SUBMITCOMMAND& args);
  [[nodiscard]] auto submit_arguments(dma_buffer& buffer, std::uint32_t fence,
                                      std::uint32_t flags = 0) -> DXGKARG_SUBMITCOMMAND;
  /// A buffer of one NOP that many submissions may share.
  [[nodiscard]] auto shared_nop() -> dma_buffer&;
  /// A stream of one NOP, rendered and submitted.
  void submit_nop(std::uint32_t fence);
  /// A paging operation that fills `size_bytes` of the video segment, submitted.
  auto submit_fill(std::uint32_t fence, std::uint64_t address, std::uint32_t size_bytes,
                   std::uint32_t pattern) -> dma_buffer&;
  void preempt(std::uint32_t fence);
  [[nodiscard]] auto query_fence() -> std::uint32_t;
  void set_power(DEVICE_POWER_STATE state);
  /// The two halves of a timeout's recovery; dxgkrnl forgets what it had submitted.
  void reset();
  void restart();

  /// The newest descriptor of the ring.
  [[nodiscard]] auto newest_descriptor() -> aerogpu_submit_desc;
  [[nodiscard]] auto descriptors(std::uint32_t count) -> std::vector<aerogpu_submit_desc>;
  [[nodiscard]] auto ring_header() -> aerogpu_ring_header;
  /// The entries of a table in guest memory, as the host would read them.
  [[nodiscard]] auto table_entries(const aerogpu_submit_desc& from)
      -> std::vector<aerogpu_alloc_entry>;

  /// Fences of DMA_COMPLETED reports, in order.
  [[nodiscard]] auto completions() const -> std::vector<std::uint32_t>;
  [[nodiscard]] auto preemptions() const -> std::vector<interrupt_report>;
  void hold_host() { pc.pc.bus.host.doorbells = sim::doorbell_mode::held; }
  void release_host(std::uint32_t entries = UINT32_MAX) { pc.pc.bus.release_doorbell(entries); }

  simulated_pc<> pc;
  std::vector<interrupt_report> reports;
  HANDLE device = nullptr;
  HANDLE context = nullptr;
  /// Whether buffers are overwritten once their fence is reported.
  bool scribbles = true;

 private:
  static void APIENTRY on_notify(HANDLE handle, const DXGKARGCB_NOTIFY_INTERRUPT_DATA* data);
  void on_retired(std::uint32_t fence);

  DXGKCB_NOTIFY_INTERRUPT notify_ = nullptr;
  std::vector<std::unique_ptr<test_allocation>> allocations_;
  std::vector<std::unique_ptr<dma_buffer>> buffers_;
  std::map<std::uint32_t, dma_buffer*> in_flight_;
  std::uint64_t next_address_ = 0;
};

}  // namespace aerogpu::test
