// SPDX-License-Identifier: MIT
// Fuzzes what user mode hands to the kernel driver: private data, command buffers, allocation lists
// and presents, from creation to the host, with memory that changes or vanishes while it is read.
#include "aerogpu/abi/cmd_stream.h"
#include "aerogpu/abi/version.h"
#include "aerogpu/abi/wddm_alloc.h"
#include "tests/drivers/support/kernel_client.hpp"
#include "tests/fuzz/kernel_machine.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

using namespace aerogpu;
using fuzz::claim;

namespace {

constexpr int most_steps = 48;
constexpr std::size_t most_openings = 64;
constexpr std::size_t most_contexts = 8;

/// What another thread of the process does to memory while the driver reads it.
struct interference {
  std::uint32_t copies_left = 0;  ///< Until it happens; 0: never.
  std::uint32_t at = 0;
  std::uint8_t value = 0;
  bool releases = false;
};

class render_run {
 public:
  explicit render_run(fuzz::input& in) : in_(in), upper_(kernel_.windows, choose(in)) {
    kernel_.pc.user.before_copy = [this](std::byte* from, std::size_t size) {
      interfere(from, size);
    };
    for (auto& client : clients_) {
      claim(client.create_device() == STATUS_SUCCESS, "a device is made");
      add_context(client, {});
    }
  }
  ~render_run() {
    kernel_.pc.faults.disarm();
    upper_.scheduler.wait_idle();
    claim(upper_.scheduler.resets() == 0, "hostile work ends without a timeout");
    claim(kernel_.windows.dxgk.fences.pending() == 0, "every fence is reported");
    for (auto& client : clients_) client.close();
  }
  render_run(const render_run&) = delete;
  auto operator=(const render_run&) -> render_run& = delete;

  void step() {
    switch (in_.u8() % 16) {
      case 0:
      case 1: return create_allocations();
      case 2: return create_standard();
      case 3: return open_shared();
      case 4: return destroy_allocation();
      case 5: return present();
      case 6: return lock();
      case 7: return page();
      case 8: return contexts();
      case 9: return submit_foreign();
      case 10: return plan_fault();
      case 11: return shrink_buffers();
      default: return render();
    }
  }

 private:
  [[nodiscard]] static auto choose(fuzz::input& in) -> sim::windows_options {
    const auto bits = in.u8();
    sim::windows_options options;
    if ((bits & 1) != 0) options.hints = sim::address_hints::none;
    if ((bits & 2) != 0) options.edits = sim::create_edits::discarded;
    if ((bits & 4) != 0) options.order = sim::destroy_order::destroy_first;
    options.scheduler.patch = static_cast<sim::patch_policy>(bits >> 3 & 3);
    return options;
  }

  void interfere(std::byte* from, std::size_t size) {
    if (interference_.copies_left == 0 || --interference_.copies_left != 0) return;
    if (interference_.releases) return kernel_.pc.user.release(user_);
    const bool is_inside = from >= user_ && size <= user_bytes_ &&
                           static_cast<std::size_t>(from - user_) <= user_bytes_ - size;
    if (is_inside && size != 0) from[interference_.at % size] = std::byte{interference_.value};
  }

  /// nullptr now and then.
  template <class T>
  [[nodiscard]] auto any(const std::vector<std::shared_ptr<T>>& from) -> std::shared_ptr<T> {
    const auto number = in_.u8();
    return from.empty() || number == 0xFF ? nullptr : from[number % from.size()];
  }
  void keep(const test::opening& made) {
    if (openings_.size() < most_openings) openings_.push_back(made);
  }
  [[nodiscard]] auto client_of(const sim::user_device& device) -> test::kernel_client& {
    return clients_[0].device.get() == &device ? clients_[0] : clients_[1];
  }

  /// Mostly sound, so that what follows gets somewhere; else any bytes.
  [[nodiscard]] auto private_data() -> std::vector<std::byte> {
    const auto shape = in_.u8();
    if ((shape & 0x0F) == 0x0F) {
      const auto bytes = in_.bytes(in_.u8());
      return {bytes.begin(), bytes.end()};
    }
    alloc_private_data data{};
    data.magic = AEROGPU_WDDM_ALLOC_PRIV_MAGIC;
    data.version = 1 + shape % 3;
    data.alloc_id = 1 + in_.u8() % 32u;
    data.flags = in_.u8() % 8u;
    data.size_bytes = (shape & 0x10) != 0 ? in_.u64() : 1 + in_.u16();
    if ((shape & 0x20) != 0) {
      data.kind = AEROGPU_WDDM_ALLOC_KIND_TEXTURE2D;
      data.width = 1 + in_.u8();
      data.height = 1 + in_.u8();
      data.format = in_.u8();
      data.row_pitch_bytes = in_.u16();
    } else {
      data.kind = AEROGPU_WDDM_ALLOC_KIND_BUFFER;
    }
    if ((shape & 0x40) != 0) data.resource_handle = in_.u8();
    std::vector<std::byte> blob(alloc_private_data_bytes(data.version));
    std::memcpy(blob.data(), &data, blob.size());
    if ((shape & 0x80) != 0) {
      blob[in_.u8() % blob.size()] = std::byte{in_.u8()};
      blob.resize(blob.size() + in_.u8() % 4);
    }
    return blob;
  }

  void create_allocations() {
    const auto shape = in_.u8();
    sim::resource_request request;
    request.allocations.resize((shape & 0x70) != 0 ? 1 : 1 + shape % 4);
    for (auto& one : request.allocations) {
      one.private_data = private_data();
      one.is_primary = (shape & 0x08) != 0;
    }
    request.is_shared = (shape & 0x80) != 0;
    request.is_resource = request.is_shared || (shape & 0x04) != 0;
    if (NT_SUCCESS(clients_[shape & 1].create(request))) keep_all(request);
  }
  void keep_all(const sim::resource_request& made) {
    for (const auto& one : made.allocations) keep(one.opening);
    if (made.is_shared) shared_.push_back(made.allocations.front().opening->resource);
  }

  void create_standard() {
    D3DKMDT_SHAREDPRIMARYSURFACEDATA primary{};
    D3DKMDT_SHADOWSURFACEDATA shadow{};
    D3DKMDT_STAGINGSURFACEDATA staging{};
    const auto shape = in_.u8();
    const bool is_huge = (shape & 0x80) != 0;
    const std::uint32_t width = is_huge ? in_.u32() : in_.u16() % 2048u;
    const std::uint32_t height = is_huge ? in_.u32() : in_.u8();
    primary.Width = shadow.Width = staging.Width = width;
    primary.Height = shadow.Height = staging.Height = height;
    primary.Format = shadow.Format = static_cast<D3DDDIFORMAT>(20 + in_.u8() % 20);
    DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA asked{};
    asked.StandardAllocationType = static_cast<D3DKMDT_STANDARDALLOCATION_TYPE>(shape % 5);
    switch (shape % 5) {
      case 1: asked.pCreateSharedPrimarySurfaceData = &primary; break;
      case 2: asked.pCreateShadowSurfaceData = &shadow; break;
      default: asked.pCreateStagingSurfaceData = &staging; break;
    }
    sim::resource_request request;
    request.is_shared = request.is_resource = (shape & 0x40) != 0;
    if (NT_SUCCESS(clients_[in_.u8() & 1].create_standard(asked, request))) keep_all(request);
  }

  void open_shared() {
    const auto resource = any(shared_);
    std::shared_ptr<sim::user_resource> opened;
    auto& client = clients_[in_.u8() & 1];
    if (resource == nullptr || !NT_SUCCESS(client.open_resource(resource, opened))) return;
    for (const auto& one : opened->openings) keep(one);
  }

  void destroy_allocation() {
    const auto one = any(openings_);
    if (one == nullptr) return;
    client_of(*one->device).destroy(one);
    std::erase(openings_, one);
  }

  void lock() {
    const auto one = any(openings_);
    const auto value = in_.u8();
    if (one == nullptr) return;
    const auto size = std::min<std::uint64_t>(one->memory->size_bytes, 4096);
    static_cast<void>(client_of(*one->device).fill(one, size, value));
  }

  void page() {
    const auto choice = in_.u8();
    const auto one = any(openings_);
    if (choice % 4 == 0)
      static_cast<void>(upper_.memory.evict_all());
    else if (one != nullptr)
      static_cast<void>(upper_.memory.evict(*one->memory));
  }

  void add_context(test::kernel_client& client, const_bytes private_data) {
    std::shared_ptr<sim::user_context> made;
    if (NT_SUCCESS(client.create_context(made, private_data))) contexts_.push_back(made);
  }
  void contexts() {
    const auto shape = in_.u8();
    if ((shape & 2) != 0 && contexts_.size() < most_contexts)
      return add_context(clients_[shape & 1], in_.bytes(shape >> 2));
    const auto context = any(contexts_);
    if (context == nullptr) return;
    client_of(*context->device).destroy_context(context);
    std::erase(contexts_, context);
  }

  /// A buffer that no call of the driver filled: it is to complete as an empty one.
  void submit_foreign() {
    const auto context = any(contexts_);
    if (context == nullptr) return;
    sim::gpu_work work;
    work.buffer = upper_.scheduler.buffers().take(context->dma_buffer_bytes,
                                                  context->info.DmaBufferPrivateDataSize);
    if (work.buffer == nullptr) return;
    std::fill_n(work.buffer->private_data.get(), work.buffer->private_bytes, std::byte{0});
    work.context = context->driver;
    work.end = in_.u16() % work.buffer->size_bytes;
    work.private_end = in_.u16() % (work.buffer->private_bytes + 1);
    work.is_present = (in_.u8() & 1) != 0;
    static_cast<void>(upper_.scheduler.submit(std::move(work)));
  }

  void plan_fault() {
    // Reads of ones are a device that left, which ends in a timeout: the schedule target's.
    constexpr std::array points{sim::fault_point::pool, sim::fault_point::map_mdl,
                                sim::fault_point::user_copy, sim::fault_point::contiguous};
    kernel_.pc.faults.fail(points[in_.u8() % points.size()], in_.u8() % 8);
  }

  /// dxgkrnl may give less than asked for when memory is short.
  void shrink_buffers() {
    const auto context = any(contexts_);
    if (context != nullptr) context->dma_buffer_bytes = 64 + in_.u16();
  }

  /// Packets that are framed right, or words, or nothing of the kind.
  [[nodiscard]] auto commands() -> std::vector<std::byte> {
    const auto shape = in_.u8();
    std::vector<std::byte> bytes;
    const auto add = [&](const_bytes more) { bytes.insert(bytes.end(), more.begin(), more.end()); };
    const auto put = [&](std::uint32_t word) { add(bytes_of(word)); };
    if (shape % 16 == 15) {
      add(in_.bytes(in_.u16() % 512));
      return bytes;
    }
    add(bytes_of(
        aerogpu_cmd_stream_header{AEROGPU_CMD_STREAM_MAGIC, AEROGPU_ABI_VERSION_U32, 0, 0, 0, 0}));
    const unsigned packets = shape >> 4;
    for (unsigned i = 0; i < packets; ++i) {
      const std::uint32_t opcode = in_.u16();
      const std::uint32_t words = in_.u8() % 48;
      put(opcode);
      put((2 + words) * 4);
      const auto body = in_.bytes(words * 4);
      add(body);
      bytes.resize(bytes.size() + words * 4 - body.size());
    }
    if (shape % 16 == 14) repeat(bytes);
    if (shape % 16 == 13) bytes.resize(bytes.size() + in_.u8());
    store(bytes.data() + offsetof(aerogpu_cmd_stream_header, size_bytes),
          static_cast<std::uint32_t>(bytes.size()));
    if (shape % 16 >= 11) bytes[in_.u16() % bytes.size()] = std::byte{in_.u8()};
    return bytes;
  }
  /// More than one buffer holds.
  static void repeat(std::vector<std::byte>& bytes) {
    constexpr std::size_t enough = 400u << 10;
    const std::vector<std::byte> packets{bytes.begin() + sizeof(aerogpu_cmd_stream_header),
                                         bytes.end()};
    while (!packets.empty() && bytes.size() < enough)
      bytes.insert(bytes.end(), packets.begin(), packets.end());
  }

  void render() {
    const auto shape = in_.u8();
    const auto stream = commands();
    user_ = kernel_.pc.user.place(stream);
    user_bytes_ = stream.size();
    interference_ = {};
    if ((shape & 1) != 0) {
      interference_ = {1u + in_.u8() % 8u, in_.u32(), in_.u8(), (shape & 2) != 0};
    }
    sim::render_request request;
    request.commands = (shape & 0xC0) == 0xC0 ? static_cast<const void*>(stream.data()) : user_;
    request.size_bytes = static_cast<std::uint32_t>(stream.size());
    if ((shape & 0x30) == 0x30) request.size_bytes = in_.u32();
    const unsigned lines = in_.u8() % 16;
    for (unsigned i = 0; i < lines; ++i) {
      auto one = any(openings_);
      const bool is_written = one != nullptr && (one->handle & 0x40) != 0;
      request.lines.push_back({std::move(one), is_written});
    }
    const auto context = any(contexts_);
    const bool is_one_pass = context != nullptr && stream.size() + 4096 < context->dma_buffer_bytes;
    kernel_.pc.user.watch();
    if (context != nullptr) {
      context->is_null_rendering = (shape & 4) != 0;
      static_cast<void>(client_of(*context->device).render(*context, request));
    }
    claim(!is_one_pass || kernel_.pc.user.bytes_read_twice() == 0,
          "user memory is read once, so that it cannot change behind a check");
    interference_ = {};
    kernel_.pc.user.release(user_);
  }

  [[nodiscard]] auto rectangle() -> RECT {
    if ((in_.u8() & 0x80) != 0) {
      return {static_cast<LONG>(in_.u32()), static_cast<LONG>(in_.u32()),
              static_cast<LONG>(in_.u32()), static_cast<LONG>(in_.u32())};
    }
    const LONG left = in_.u8();
    const LONG top = in_.u8();
    return {left, top, left + 1 + in_.u8(), top + 1 + in_.u8()};
  }

  void present() {
    const auto shape = in_.u8();
    sim::blt_request request;
    request.source = any(openings_);
    request.destination = any(openings_);
    request.flags.Value = (shape & 0x40) != 0 ? in_.u32() : 1u << shape % 3;
    request.source_area = rectangle();
    request.destination_area = rectangle();
    const unsigned rectangles = shape % 8 == 7 ? in_.u8() : shape >> 3 & 3;
    for (unsigned i = 0; i < rectangles; ++i) request.sub_rectangles.push_back(rectangle());
    if (request.sub_rectangles.empty()) request.sub_rectangles = {request.destination_area};
    request.color = in_.u32();
    const auto context = any(contexts_);
    if (context == nullptr) return;
    static_cast<void>(client_of(*context->device).blt(*context, request));
  }

  fuzz::input& in_;
  fuzz::kernel_machine kernel_;
  sim::desktop_session upper_;
  std::array<test::kernel_client, 2> clients_{test::kernel_client{upper_, 1},
                                              test::kernel_client{upper_, 2}};
  std::vector<std::shared_ptr<sim::user_context>> contexts_;
  std::vector<test::opening> openings_;
  std::vector<std::shared_ptr<sim::kernel_resource>> shared_;
  interference interference_;
  std::byte* user_ = nullptr;
  std::size_t user_bytes_ = 0;
};

}  // namespace

auto LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) -> int {
  fuzz::input in{data, size};
  render_run run{in};
  for (int i = 0; i < most_steps && !in.empty(); ++i) run.step();
  return 0;
}
