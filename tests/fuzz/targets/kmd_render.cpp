// Fuzzes what user mode hands to the kernel driver: private data, command buffers, allocation lists
// and presents, from creation to the host, with memory that changes or vanishes while it is read.
#include "aerogpu/abi/cmd_stream.h"
#include "aerogpu/abi/version.h"
#include "aerogpu/abi/wddm_alloc.h"
#include "tests/fuzz/kernel_machine.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <vector>

using namespace aerogpu;
using fuzz::claim;

namespace {

constexpr int most_steps = 48;
constexpr std::size_t most_handles = 64;
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
  explicit render_run(fuzz::input& in) : in_(in), graphics_(kernel_.windows, choose(in)) {
    kernel_.pc.user.before_copy = [this](std::byte* from, std::size_t size) {
      interfere(from, size);
    };
    for (auto& device : devices_) {
      claim(graphics_.create_device(device) == STATUS_SUCCESS, "a device is made");
      add_context(device, {});
    }
  }
  ~render_run() {
    kernel_.pc.faults.disarm();
    graphics_.scheduler.wait_idle();
    claim(graphics_.scheduler.resets() == 0, "hostile work ends without a timeout");
    claim(kernel_.windows.dxgk.fences.pending() == 0, "every fence is reported");
    for (const auto device : devices_) {
      claim(graphics_.destroy_device(device) == STATUS_SUCCESS, "a device is destroyed");
    }
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
  [[nodiscard]] static auto choose(fuzz::input& in) -> sim::graphics_config {
    const auto bits = in.u8();
    sim::graphics_config config;
    config.gives_hints = (bits & 1) == 0;
    config.discards_create_edits = (bits & 2) != 0;
    config.destroys_before_close = (bits & 4) != 0;
    config.scheduler.patch = static_cast<sim::patch_policy>(bits >> 3 & 3);
    return config;
  }

  void interfere(std::byte* from, std::size_t size) {
    if (interference_.copies_left == 0 || --interference_.copies_left != 0) return;
    if (interference_.releases) return kernel_.pc.user.release(user_);
    const bool is_inside = from >= user_ && size <= user_bytes_ &&
                           static_cast<std::size_t>(from - user_) <= user_bytes_ - size;
    if (is_inside && size != 0) from[interference_.at % size] = std::byte{interference_.value};
  }

  [[nodiscard]] auto any(const std::vector<D3DKMT_HANDLE>& from) -> D3DKMT_HANDLE {
    const auto number = in_.u8();
    return from.empty() || number == 0xFF ? 0 : from[number % from.size()];
  }
  void keep(D3DKMT_HANDLE handle) {
    if (handles_.size() < most_handles) handles_.push_back(handle);
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
    std::vector<sim::allocation_request> requests((shape & 0x70) != 0 ? 1 : 1 + shape % 4);
    for (auto& one : requests) one.private_data = private_data();
    D3DKMT_HANDLE global = 0;
    const bool is_shared = (shape & 0x80) != 0;
    const auto device = devices_[shape & 1];
    if (!NT_SUCCESS(graphics_.create_allocation(device, requests, is_shared ? &global : nullptr)))
      return;
    for (const auto& one : requests) keep(one.handle);
    if (is_shared) shared_.push_back(global);
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
    sim::allocation_request made;
    D3DKMT_HANDLE global = 0;
    const bool is_shared = (shape & 0x40) != 0;
    if (!NT_SUCCESS(graphics_.create_standard(devices_[in_.u8() & 1], asked, made,
                                              is_shared ? &global : nullptr))) {
      return;
    }
    keep(made.handle);
    if (is_shared) shared_.push_back(global);
  }

  void open_shared() {
    std::vector<sim::allocation_request> opened;
    const auto global = any(shared_);
    if (!NT_SUCCESS(graphics_.open_resource(devices_[in_.u8() & 1], global, opened))) return;
    for (const auto& one : opened) keep(one.handle);
  }

  void destroy_allocation() {
    const auto handle = any(handles_);
    static_cast<void>(graphics_.destroy_allocation(handle));
    std::erase(handles_, handle);
  }

  void lock() {
    const auto handle = any(handles_);
    const auto one = graphics_.find_allocation(handle);
    if (one == nullptr) return;
    auto* const bytes = graphics_.lock(handle);
    if (bytes == nullptr) return;
    std::memset(bytes, in_.u8(), std::min<std::uint64_t>(one->size_bytes, 4096));
    graphics_.unlock(handle);
  }

  void page() {
    const auto choice = in_.u8();
    const auto one = graphics_.find_allocation(any(handles_));
    if (choice % 4 == 0)
      static_cast<void>(graphics_.memory.evict_all());
    else if (one != nullptr)
      static_cast<void>(graphics_.memory.evict(*one));
  }

  void add_context(D3DKMT_HANDLE device, const_bytes private_data) {
    D3DKMT_HANDLE context = 0;
    if (NT_SUCCESS(graphics_.create_context(device, context, private_data))) {
      contexts_.push_back(context);
    }
  }
  void contexts() {
    const auto shape = in_.u8();
    if ((shape & 2) != 0 && contexts_.size() < most_contexts)
      return add_context(devices_[shape & 1], in_.bytes(shape >> 2));
    const auto context = any(contexts_);
    static_cast<void>(graphics_.destroy_context(context));
    std::erase(contexts_, context);
  }

  /// A buffer that no call of the driver filled: it is to complete as an empty one.
  void submit_foreign() {
    auto* const context = graphics_.objects.find(graphics_.objects.contexts, any(contexts_));
    if (context == nullptr) return;
    sim::gpu_work work;
    work.buffer = graphics_.scheduler.buffers().take(context->info.DmaBufferSize,
                                                     context->info.DmaBufferPrivateDataSize);
    if (work.buffer == nullptr) return;
    std::fill_n(work.buffer->private_data.get(), work.buffer->private_bytes, std::byte{0});
    work.context = context->driver;
    work.end = in_.u16() % work.buffer->size_bytes;
    work.private_end = in_.u16() % (work.buffer->private_bytes + 1);
    work.is_present = (in_.u8() & 1) != 0;
    static_cast<void>(graphics_.scheduler.submit(std::move(work)));
  }

  void plan_fault() {
    // Reads of ones are a device that left, which ends in a timeout: the schedule target's.
    constexpr std::array points{sim::fault_point::pool, sim::fault_point::map_mdl,
                                sim::fault_point::user_copy, sim::fault_point::contiguous};
    kernel_.pc.faults.fail(points[in_.u8() % points.size()], in_.u8() % 8);
  }

  /// dxgkrnl may give less than asked for when memory is short.
  void shrink_buffers() {
    auto* const context = graphics_.objects.find(graphics_.objects.contexts, any(contexts_));
    if (context != nullptr) context->info.DmaBufferSize = 64 + in_.u16();
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
    request.is_null_rendering = (shape & 4) != 0;
    const unsigned lines = in_.u8() % 16;
    for (unsigned i = 0; i < lines; ++i) {
      const auto handle = any(handles_);
      request.allocations.push_back({handle, (handle & 0x40) != 0});
    }
    const auto context = any(contexts_);
    const auto* const known = graphics_.objects.find(graphics_.objects.contexts, context);
    const bool is_one_pass = known != nullptr && stream.size() + 4096 < known->info.DmaBufferSize;
    kernel_.pc.user.watch();
    static_cast<void>(graphics_.render(context, request));
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
    sim::present_request request;
    request.source = any(handles_);
    request.destination = any(handles_);
    request.flags.Value = (shape & 0x40) != 0 ? in_.u32() : 1u << shape % 3;
    request.source_rect = rectangle();
    request.destination_rect = rectangle();
    const unsigned rectangles = shape % 8 == 7 ? in_.u8() : shape >> 3 & 3;
    for (unsigned i = 0; i < rectangles; ++i) request.sub_rects.push_back(rectangle());
    request.color = in_.u32();
    static_cast<void>(graphics_.present(any(contexts_), request));
  }

  fuzz::input& in_;
  fuzz::kernel_machine kernel_;
  sim::graphics graphics_;
  std::array<D3DKMT_HANDLE, 2> devices_{};
  std::vector<D3DKMT_HANDLE> contexts_;
  std::vector<D3DKMT_HANDLE> handles_;
  std::vector<D3DKMT_HANDLE> shared_;
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
