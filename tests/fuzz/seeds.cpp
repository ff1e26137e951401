// Writes first inputs for every fuzz target, made by the library and the tests' own builders:
// seeds FOLDER STAMP
#include "aerogpu/abi/umd_private.h"
#include "aerogpu/abi/wddm_alloc.h"
#include "aerogpu/abi/win7_dma.h"
#include "aerogpu/ring/ring_layout.hpp"
#include "aerogpu/ring/submit_desc.hpp"
#include "aerogpu/trace.hpp"
#include "tests/conformance/packet_samples.hpp"
#include "tests/support/shaders.hpp"
#include "tests/support/stream_builder.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

class seed_writer {
 public:
  explicit seed_writer(std::filesystem::path root) : root_(std::move(root)) {}

  void put(const char* target, const std::string& name, const_bytes bytes) {
    std::filesystem::create_directories(root_ / target);
    std::ofstream out{root_ / target / name, std::ios::binary};
    out.write(reinterpret_cast<const char*>(bytes.data()),
              static_cast<std::streamsize>(bytes.size()));
    if (!out.flush()) failed_ = true;
  }
  [[nodiscard]] auto failed() const -> bool { return failed_; }

 private:
  std::filesystem::path root_;
  bool failed_ = false;
};

/// `sample_world` without a host.
struct no_host {
  void give(std::uint32_t, gpa, std::uint64_t) const {}
};

/// The stream without its header, as the processor target takes it.
auto packets_of(const stream_builder& stream) -> const_bytes {
  return const_bytes{stream.bytes()}.subspan(sizeof(aerogpu_cmd_stream_header));
}

void add(byte_vector& to, const_bytes bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

/// One step of the processor target: no planned failure, current minor.
void add_step(byte_vector& to, const_bytes packets) {
  add(to, bytes_of(std::uint8_t{0x42}));
  add(to, bytes_of(std::uint8_t{0}));
  add(to, bytes_of(static_cast<std::uint16_t>(packets.size())));
  add(to, packets);
}

void put_streams(seed_writer& out) {
  no_host host;
  stream_builder everything = conformance::sample_world(host);
  for (const auto& sample : conformance::packet_samples()) {
    stream_builder one;
    sample.add(one);
    sample.add(everything);
    const std::string name{sample.name};
    out.put("stream_reader", name, one.bytes());
    byte_vector step;
    add_step(step, packets_of(one));
    out.put("processor_null", name, step);
  }
  out.put("stream_reader", "everything", everything.bytes());
  for (std::uint32_t minor = 0; minor <= 5; ++minor) {
    out.put("stream_reader", "minor-" + std::to_string(minor), stream_builder{minor}.nop().bytes());
  }
}

/// A table of `count` entries.
auto table_of(std::uint32_t count) -> byte_vector {
  byte_vector bytes;
  add(bytes, bytes_of(aerogpu_alloc_table_header{AEROGPU_ALLOC_TABLE_MAGIC, AEROGPU_ABI_VERSION_U32,
                                                 static_cast<std::uint32_t>(24 + 32 * count), count,
                                                 32, 0}));
  for (std::uint32_t i = 0; i < count; ++i) {
    add(bytes, bytes_of(aerogpu_alloc_entry{i + 1, i % 2, 0x1000ull * i, 0x800, 0}));
  }
  return bytes;
}

void put_tables(seed_writer& out) {
  for (const std::uint32_t count : {0u, 1u, 3u, 40u}) {
    out.put("alloc_table", std::to_string(count) + "-entries", table_of(count));
  }
}

/// A ring of eight slots at 0x1000 with two descriptors, a stream and a table behind it.
void put_rings(seed_writer& out) {
  constexpr std::uint32_t base = 0x1000;
  constexpr std::uint32_t stream_at = 1024;
  constexpr std::uint32_t table_at = 2048;
  byte_vector ram(4096);
  const auto layout = ring_layout::create(8, 64, 64 + 8 * 64, 8192);
  aerogpu_ring_header header = make_ring_header(*layout, 6);
  header.tail = 8;
  store(ram.data(), header);
  ring_submission work;
  work.commands = {gpa{base + stream_at}, 512};
  work.alloc_table = {gpa{base + table_at}, 512};
  work.signal_fence = fence_value{7};
  for (const std::uint32_t slot : {6u, 7u})
    store(ram.data() + 64 + 64 * slot, make_descriptor(work));
  copy_bytes(mutable_bytes{ram}.subspan(stream_at, stream_builder{}.nop().size()),
             stream_builder{}.nop().bytes());
  const byte_vector table = table_of(2);
  copy_bytes(mutable_bytes{ram}.subspan(table_at, table.size()), table);
  for (const std::uint8_t stir : {std::uint8_t{0}, std::uint8_t{1}}) {
    byte_vector input;
    add(input, bytes_of(std::uint8_t{1}));     // At the fixed address.
    add(input, bytes_of(std::uint8_t{stir}));  // So many bytes stir the memory.
    input.resize(input.size() + stir, std::byte{0x80});
    add(input, ram);
    out.put("ring_consumer", stir == 0 ? "calm" : "changing", input);
  }
}

void put_traces(seed_writer& out) {
  for (const std::uint32_t version : {1u, 2u}) {
    memory_sink sink;
    auto writer = trace_writer<memory_sink>::create(sink, {.container_version = version});
    const byte_vector stream = stream_builder{}.clear(1).present().bytes();
    bool good = writer && writer->begin_frame(0) && writer->packet(stream);
    if (version == 2) {
      const auto blob = writer->blob(trace_blob_kind::command_stream, stream);
      const auto table = writer->blob(trace_blob_kind::alloc_table, table_of(1));
      const auto memory = writer->blob(trace_blob_kind::memory, counting(64));
      const trace_memory_range range{1, 0, 0, 64, *memory};
      good = good && writer->submission({1, 0, 0, 5, *blob, *table}, std::span{&range, 1});
    }
    good = good && writer->present() && writer->finish();
    if (good) out.put("trace_reader", "version-" + std::to_string(version), sink.bytes());
  }
}

void put_shaders(seed_writer& out) {
  struct {
    shader_stage stage;
    const char* name;
    byte_vector code;
  } const shaders[]{
      {shader_stage::vertex, "vs_2_0", vs_2_0_position()},
      {shader_stage::pixel, "ps_2_0", ps_2_0_white()},
      {shader_stage::pixel, "ps_2_0-textured", ps_2_0_textured()},
      {shader_stage::vertex, "vs_4_0", vs_4_0_position()},
      {shader_stage::pixel, "ps_4_0", ps_4_0_white()},
      {shader_stage::compute, "cs_5_0", cs_5_0_nothing()},
      {shader_stage::vertex, "declaration", conformance::empty_declaration()},
  };
  for (const auto& shader : shaders) {
    byte_vector input;
    add(input, bytes_of(static_cast<std::uint32_t>(shader.stage)));
    add(input, shader.code);
    out.put("shader_program", shader.name, input);
  }
}

void put_private_data(seed_writer& out) {
  aerogpu_wddm_alloc_priv_v2 alloc{};
  alloc.magic = AEROGPU_WDDM_ALLOC_PRIV_MAGIC;
  alloc.alloc_id = 5;
  alloc.size_bytes = 4096;
  for (const std::uint32_t version : {1u, 2u}) {
    alloc.version = version;
    out.put("private_data", "alloc-" + std::to_string(version), bytes_of(alloc));
  }
  aerogpu_umd_private_v1 umd{};
  umd.size_bytes = sizeof umd;
  umd.struct_version = AEROGPU_UMDPRIV_STRUCT_VERSION_V1;
  out.put("private_data", "umd", bytes_of(umd));
  AEROGPU_DMA_PRIV dma{};
  dma.Type = AEROGPU_SUBMIT_RENDER;
  out.put("private_data", "dma", bytes_of(dma));
}

/// Targets whose inputs are choices: counting bytes reach something of everything.
void put_choices(seed_writer& out) {
  for (const unsigned step : {1u, 3u, 7u, 31u}) {
    const byte_vector bytes = counting(600, step, step);
    out.put("texture_layout", std::to_string(step), bytes);
    out.put("writer_reader", std::to_string(step), bytes);
    out.put("processor_generated", std::to_string(step), bytes);
  }
}

}  // namespace

auto main(int argc, char** argv) -> int {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s FOLDER STAMP\n", argv[0]);
    return 2;
  }
  seed_writer out{argv[1]};
  put_streams(out);
  put_tables(out);
  put_rings(out);
  put_traces(out);
  put_shaders(out);
  put_private_data(out);
  put_choices(out);
  if (!(std::ofstream{argv[2]} << "made\n")) return 1;
  return out.failed() ? 1 : 0;
}
