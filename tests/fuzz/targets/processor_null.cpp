// Fuzzes the command processor on the null backend, which may fail at any call. The input is a
// list of submissions: context, failure plan, table choice, length, packets.
#include "aerogpu/processor/command_processor.hpp"
#include "null/null_backend.hpp"
#include "tests/conformance/packet_samples.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/support/failing_backend.hpp"

#include <array>
#include <vector>

using namespace aerogpu;

namespace {

using watched_backend = test::failing_backend<null_backend>;

constexpr gpa ram_start{0x40000};
constexpr std::uint64_t allocation_size = 0x1000;

/// 16 KiB of RAM that changes under the host.
class small_memory {
 public:
  /// As `sample_world` asks of a host: its allocation lies here anyway.
  void give(std::uint32_t, gpa, std::uint64_t) const {}

  auto read(gpa at, mutable_bytes out) noexcept -> bool {
    if (!holds(at, out.size())) return false;
    const auto from = mutable_bytes{ram_}.subspan(raw(at) - raw(ram_start), out.size());
    copy_bytes(out, from);
    for (std::byte& b : from) b ^= std::byte{0x5A};
    return true;
  }
  auto write(gpa at, const_bytes in) noexcept -> bool {
    if (!holds(at, in.size())) return false;
    copy_bytes(mutable_bytes{ram_}.subspan(raw(at) - raw(ram_start), in.size()), in);
    return true;
  }

 private:
  [[nodiscard]] static auto holds(gpa at, std::uint64_t size) -> bool {
    return raw(at) >= raw(ram_start) && range_fits(raw(at) - raw(ram_start), size, ram_size);
  }
  static constexpr std::uint64_t ram_size = 16384;
  std::array<std::byte, ram_size> ram_{};
};

/// Completions must name the submission that waits longest, after its write-backs.
struct listener {
  small_memory& memory;
  std::vector<submission_id>& pending;

  void on_write_back(submission_id id, const guest_rows& to, const_bytes rows) noexcept {
    fuzz::claim(!pending.empty() && pending.front() == id, "write-backs come in order");
    fuzz::claim(rows.size() == to.row_size_bytes * to.row_count, "all rows come");
    for (std::uint32_t row = 0; row < to.row_count; ++row) {
      (void)memory.write(advance(to.first_row, row * to.pitch_bytes),
                         rows.subspan(row * to.row_size_bytes, to.row_size_bytes));
    }
  }
  void on_complete(submission_id id, const error&) noexcept {
    fuzz::claim(!pending.empty() && pending.front() == id, "completions come in order");
    pending.erase(pending.begin());
  }
};

/// Small, so that a fuzzer reaches each of them.
constexpr auto small_limits() -> limits {
  limits most;
  most.resources = 24;
  most.resource_names = 32;
  most.texture_views = 8;
  most.shaders = 8;
  most.input_layouts = 8;
  most.samplers = 8;
  most.contexts = 4;
  most.resource_bytes = 4 << 20;
  most.resource_bytes_per_context = 3 << 20;
  most.shader_bytes = 64 << 10;
  most.buffer_bytes = 1 << 20;
  most.share_tokens = 8;
  most.retired_share_tokens = 16;
  most.write_back_bytes = 64 << 10;
  most.write_backs = 16;
  return most;
}

class machine {
 public:
  machine() : backend_(inner_), processor_(backend_, small_limits()) {
    const std::array<aerogpu_alloc_entry, 3> entries{
        {{1, 0, raw(ram_start), allocation_size, 0},
         {2, AEROGPU_ALLOC_FLAG_READONLY, raw(ram_start) + allocation_size, allocation_size, 0},
         {3, 0, raw(ram_start) + 0x3F00, allocation_size, 0}}};  // Its end is not in RAM.
    const aerogpu_alloc_table_header header{AEROGPU_ALLOC_TABLE_MAGIC,
                                            AEROGPU_ABI_VERSION_U32,
                                            sizeof header + sizeof entries,
                                            entries.size(),
                                            sizeof entries[0],
                                            0};
    std::array<std::byte, sizeof header + sizeof entries> bytes;
    store(bytes.data(), header);
    copy_bytes(mutable_bytes{bytes}.subspan(sizeof header), std::as_bytes(std::span{entries}));
    fuzz::claim(static_cast<bool>(table_.parse(bytes)), "the table is good");
    submit(conformance::sample_world(memory_).bytes(), context_id{0}, true);
  }

  void step(fuzz::input& in) {
    const std::uint8_t what = in.u8();
    const context_id context{in.u8() % 6u};
    backend_.plan({what % 4 == 0 ? in.u8() : 0u, error_code::out_of_memory, what % 8 == 0});
    const auto minor = static_cast<std::uint32_t>(what >> 4 & 7);
    const const_bytes packets = in.bytes(in.u16());
    std::vector<std::byte> stream(sizeof(aerogpu_cmd_stream_header));
    stream.insert(stream.end(), packets.begin(), packets.end());
    stream.resize(stream.size() & ~std::size_t{3});
    store(stream.data(),
          aerogpu_cmd_stream_header{AEROGPU_CMD_STREAM_MAGIC, AEROGPU_ABI_MAJOR << 16 | minor,
                                    static_cast<std::uint32_t>(stream.size())});
    submit(stream, context, what % 16 != 1);
    if (what == 0xFF) reset();
  }
  void reset() {
    processor_.reset();
    pending_.clear();
    fuzz::claim(processor_.counts() == object_counts{}, "a reset forgets everything");
    fuzz::claim(backend_.live_objects() == 0, "a reset gives every object back");
    fuzz::claim(backend_.broken_rules() == 0, "the backend is used as its concept says");
  }

 private:
  void submit(const_bytes stream, context_id context, bool has_table) {
    const execution_report report = processor_.execute(
        {context, fence_value{1}, stream, has_table ? &table_ : nullptr}, memory_);
    if (report.is_pending) pending_.push_back(report.id);
    processor_.wait_idle();
    listener heard{memory_, pending_};
    processor_.poll(heard);
    fuzz::claim(pending_.empty(), "every submission completes");
    check_counts();
  }
  void check_counts() {
    constexpr limits most = small_limits();
    const object_counts counts = processor_.counts();
    fuzz::claim(counts.buffers + counts.textures <= most.resources, "resources keep their limit");
    fuzz::claim(counts.resource_names <= most.resource_names, "names keep their limit");
    fuzz::claim(counts.shaders <= most.shaders && counts.samplers <= most.samplers &&
                    counts.input_layouts <= most.input_layouts &&
                    counts.views <= most.texture_views,
                "objects keep their limits");
    fuzz::claim(counts.contexts <= most.contexts, "contexts keep their limit");
    fuzz::claim(counts.resource_bytes <= most.resource_bytes, "bytes keep their limit");
    fuzz::claim(counts.share_tokens <= most.share_tokens &&
                    counts.retired_tokens <= most.retired_share_tokens,
                "tokens keep their limits");
  }

  small_memory memory_;
  null_backend inner_;
  watched_backend backend_;
  command_processor<watched_backend> processor_;
  std::array<alloc_table::slot, 8> slots_{};
  alloc_table table_{slots_};
  std::vector<submission_id> pending_;
};

}  // namespace

auto LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) -> int {
  fuzz::input in{data, size};
  machine guest;
  while (!in.empty()) guest.step(in);
  guest.reset();
  return 0;
}
