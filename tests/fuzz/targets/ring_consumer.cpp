// SPDX-License-Identifier: MIT
// Fuzzes the host's half of the ring over memory that changes whenever the host looks.
#include "aerogpu/ring/ring_consumer.hpp"

#include "aerogpu/hosted/heap_array.hpp"
#include "aerogpu/ring/submission_fetch.hpp"
#include "tests/fuzz/fuzz.hpp"

#include <array>

using namespace aerogpu;

namespace {

constexpr std::size_t memory_size = 8192;
constexpr std::uint32_t most_fetched = 4096;

/// RAM at a guest-chosen address; bytes that were read are stirred with the input's.
class changing_memory {
 public:
  changing_memory(gpa first, const_bytes content, const_bytes stir) : first_(first), stir_(stir) {
    copy_bytes(mutable_bytes{ram_}.first(std::min(content.size(), ram_.size())),
               content.first(std::min(content.size(), ram_.size())));
  }
  auto read(gpa at, mutable_bytes out) noexcept -> bool {
    if (!holds(at, out.size())) return false;
    const auto from = mutable_bytes{ram_}.subspan(raw(at) - raw(first_), out.size());
    copy_bytes(out, from);
    for (std::byte& b : from) b ^= next_stir();
    bytes_read += out.size();
    return true;
  }
  auto write(gpa at, const_bytes in) noexcept -> bool {
    if (!holds(at, in.size())) return false;
    fuzz::claim(in.size() == sizeof(std::uint32_t), "the host writes nothing but head");
    copy_bytes(mutable_bytes{ram_}.subspan(raw(at) - raw(first_), in.size()), in);
    return true;
  }
  std::uint64_t bytes_read = 0;

 private:
  [[nodiscard]] auto holds(gpa at, std::uint64_t size) const -> bool {
    return raw(at) >= raw(first_) && range_fits(raw(at) - raw(first_), size, ram_.size());
  }
  auto next_stir() -> std::byte {
    return stir_.empty() ? std::byte{0} : stir_[stir_at_++ % stir_.size()];
  }

  gpa first_;
  const_bytes stir_;
  std::size_t stir_at_ = 0;
  std::array<std::byte, memory_size> ram_{};
};

/// Storage for copies; nothing larger than the limit may be asked for.
class copy_storage {
 public:
  auto reserve(std::size_t size) noexcept -> mutable_bytes {
    fuzz::claim(size <= most_fetched, "no copy exceeds its limit");
    return bytes_.resize(size) ? bytes_.view() : mutable_bytes{};
  }

 private:
  heap_array<std::byte> bytes_;
};

void fetch(changing_memory& memory, const aerogpu_submit_desc& desc) {
  copy_storage storage;
  if (const auto table = fetch_alloc_table(memory, desc, most_fetched, storage); table) {
    fuzz::claim(table->size() <= most_fetched, "a table keeps its limit");
  }
  if (const auto stream = fetch_commands(memory, desc, most_fetched, storage); stream) {
    fuzz::claim(stream->size() <= most_fetched, "a stream keeps its limit");
    const bool is_sound = stream->empty() || parse_stream_header(*stream);
    fuzz::claim(is_sound, "a fetched stream has a sound header");
  }
}

}  // namespace

auto LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) -> int {
  fuzz::input in{data, size};
  const bool is_low = in.u8() % 4 != 0;
  const gpa ring{is_low ? 0x1000 : in.u64()};
  const auto mapped = is_low ? static_cast<std::uint32_t>(memory_size) : in.u32();
  const const_bytes stir = in.bytes(in.u8());
  changing_memory memory{ring, in.rest(), stir};
  auto view = open_ring(memory, ring, mapped);
  if (!view) {
    (void)drop_pending(memory, ring);
    return 0;
  }
  fuzz::claim(memory.bytes_read == sizeof(aerogpu_ring_header), "the header is read once");
  fuzz::claim(view->remaining() <= view->layout().entry_count(), "no more entries than slots");
  for (std::uint32_t left = view->remaining(), steps = 0; left != 0 && steps < 64; ++steps) {
    const std::uint64_t before = memory.bytes_read;
    const auto entry = view->fetch();
    fuzz::claim(memory.bytes_read - before <= sizeof(aerogpu_submit_desc),
                "a descriptor is read once");
    if (!entry) {
      fuzz::claim(view->remaining() == 0, "an unreachable slot drops all entries");
      break;
    }
    if (entry->is_valid()) fetch(memory, entry->desc);
    view->consume();
    fuzz::claim(view->remaining() == left - 1, "an entry is consumed once");
    left = view->remaining();
  }
  return 0;
}
