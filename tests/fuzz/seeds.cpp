// SPDX-License-Identifier: MIT
// Writes first inputs for every fuzz target, made by the library and the tests' own builders:
// seeds FOLDER STAMP
#include "aerogpu/abi/umd_private.h"
#include "aerogpu/abi/wddm_alloc.h"
#include "aerogpu/abi/win7_dma.h"
#include "aerogpu/ring/ring_layout.hpp"
#include "aerogpu/ring/submit_desc.hpp"
#include "aerogpu/trace.hpp"
#include "d3d9_to_spirv/assembly/assemble.hpp"
#include "tests/conformance/processor/packet_samples.hpp"
#include "tests/fuzz/device_machine.hpp"
#include "tests/support/alloc_table_bytes.hpp"
#include "tests/support/byte_code/d3d9_samples.hpp"
#include "tests/support/byte_code/dxbc_samples.hpp"
#include "tests/support/byte_code/shaders.hpp"
#include "tests/support/stream_builder.hpp"

#include <array>
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

/// `sample_objects` without a host.
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
  stream_builder everything = conformance::sample_objects(host);
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
  std::vector<aerogpu_alloc_entry> entries;
  for (std::uint32_t i = 0; i < count; ++i) {
    entries.push_back({i + 1, i % 2, 0x1000ull * i, 0x800, 0});
  }
  return make_table(entries);
}

void put_tables(seed_writer& out) {
  for (const std::uint32_t count : {0u, 1u, 3u, 40u}) {
    out.put("alloc_table", std::to_string(count) + "-entries", table_of(count));
  }
}

constexpr std::uint32_t ring_base = 0x1000;
constexpr std::uint32_t ring_mapping = 8192;

/// RAM at `ring_base`: a ring of eight slots, two of them filled with a stream and a table.
auto ring_memory(const byte_vector& stream) -> byte_vector {
  constexpr std::uint32_t stream_at = 1024;
  constexpr std::uint32_t table_at = 768;
  byte_vector ram(16384);
  const auto layout = ring_layout::create(8, 64, 64 + 8 * 64, ring_mapping);
  aerogpu_ring_header header = make_ring_header(*layout, 6);
  header.tail = 8;
  store(ram.data(), header);
  const byte_vector table = table_of(2);
  ring_submission work;
  work.commands = {gpa{ring_base + stream_at}, static_cast<std::uint32_t>(stream.size())};
  work.alloc_table = {gpa{ring_base + table_at}, static_cast<std::uint32_t>(table.size())};
  for (const std::uint32_t slot : {6u, 7u}) {
    work.signal_fence = fence_value{slot};
    store(ram.data() + 64 + 64 * slot, make_descriptor(work));
  }
  overwrite(ram, table_at, table);
  overwrite(ram, stream_at, stream);
  return ram;
}

void put_rings(seed_writer& out) {
  const byte_vector ram = part_of(ring_memory(stream_builder{}.nop().bytes()), 0, 2048);
  for (const std::uint8_t stir : {std::uint8_t{0}, std::uint8_t{1}}) {
    byte_vector input;
    add(input, bytes_of(std::uint8_t{1}));     // At the fixed address.
    add(input, bytes_of(std::uint8_t{stir}));  // So many bytes stir the memory.
    input.resize(input.size() + stir, std::byte{0x80});
    add(input, ram);
    out.put("ring_consumer", stir == 0 ? "calm" : "changing", input);
  }
}

/// One step of the device target: a dword to a register, by its block and place in it.
void add_register(byte_vector& script, unsigned block, unsigned index, std::uint16_t value) {
  add(script, bytes_from({0, block + 8 * index, 2, 0}));
  add(script, bytes_of(value));
}

/// Programs ring, fence page and scanout, rings the doorbell, and lets a frame pass.
auto device_script() -> byte_vector {
  byte_vector script;
  add_register(script, 1, 0, ring_base);
  add_register(script, 1, 2, ring_mapping);
  add_register(script, 2, 0, 0x4000);
  add_register(script, 4, 1, 3);  // IRQ_ENABLE
  add_register(script, 5, 1, 16);
  add_register(script, 5, 2, 16);
  add_register(script, 5, 3, AEROGPU_FORMAT_B8G8R8X8_UNORM);
  add_register(script, 5, 4, 64);
  add_register(script, 5, 5, 0x2000);
  add_register(script, 5, 6, 0);
  add_register(script, 5, 0, 1);
  add_register(script, 1, 3, 1);              // RING_CONTROL
  add(script, bytes_from({5, 10}));           // Doorbell; read the display.
  add(script, bytes_from({6, 255, 17, 10}));  // 33 ms later.
  return script;
}

void put_devices(seed_writer& out) {
  no_host host;
  const byte_vector objects = conformance::sample_objects(host).present(0, 1).bytes();
  for (const std::uint8_t stir : {std::uint8_t{0}, std::uint8_t{1}}) {
    const byte_vector script = device_script();
    byte_vector input;
    add(input, bytes_of(stir));
    add(input, bytes_of(static_cast<std::uint16_t>(script.size())));
    add(input, script);
    add(input, ring_memory(objects));
    out.put("device_mmio", stir == 0 ? "calm" : "changing", input);
  }
}

/// A fresh device, and one whose guest made objects and waits for a vblank.
void put_snapshots(seed_writer& out) {
  no_host host;
  const byte_vector objects = conformance::sample_objects(host).present(0, 1).bytes();
  for (const bool is_busy : {false, true}) {
    fuzz::device_machine machine;
    if (is_busy) {
      (void)machine.host.write(fuzz::device_ram_start, ring_memory(objects));
      machine.device->bar0_write(AEROGPU_MMIO_REG_RING_GPA_LO, ring_base, 4);
      machine.device->bar0_write(AEROGPU_MMIO_REG_RING_SIZE_BYTES, ring_mapping, 4);
      machine.device->bar0_write(AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 1, 4);
      machine.device->bar0_write(AEROGPU_MMIO_REG_RING_CONTROL, 1, 4);
      machine.device->bar0_write(AEROGPU_MMIO_REG_DOORBELL, 1, 4);
    }
    snapshot_writer snapshot;
    if (!machine.device->save(snapshot)) continue;
    byte_vector input{std::byte{1}};
    add(input, snapshot.bytes());
    out.put("snapshot_loader", is_busy ? "busy" : "fresh", input);
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
    if (!good) continue;
    const std::string name = "version-" + std::to_string(version);
    out.put("trace_reader", name, sink.bytes());
    out.put("trace_unpack", name, sink.bytes());  // Not compressed: the corpus has those that are.
    out.put("trace_reader", name + "-cut", sink.bytes().first(sink.bytes().size() * 2 / 3));
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

/// Shaders with something of everything: the parser's own syntax reaches all of it.
void put_assembly(seed_writer& out) {
  struct {
    const char* name;
    const char* text;
  } const shaders[]{
      {"vs_1_1", "vs_1_1\ndcl_position v0\nmov a0.x, v0.x\nm4x4 oPos, v0, c[a0.x + 4]\n"},
      {"vs_2_0",
       "vs_2_0\ndefi i0, 4, 0, 1, 0\ndefb b1, true\nloop aL, i0\n  mul oT1.xy, v3, "
       "c[aL + 2]\nendloop\ncallnz l3, !b1\nret\nlabel l3\nlit oD0, -v2\nret\n"},
      {"vs_3_0",
       "vs_3_0\ndcl_position o0\ndcl_volume s1\nsetp_ge p0, v0, c0\n(!p0.x) mov "
       "o[aL + 1].xw, v[a0.y]\nrep i1\nif_ne r0.x, r1.y\nbreak p0.w\nelse\nbreak\n"
       "endif\nendrep\ntexldl r1, v0, s1.wzyx\n"},
      {"ps_1_1",
       "ps_1_1\ndef c0, 1, 0.5, -2, 0x7fc00000\ntex t0\nmul_x2_sat r0.xyz, t0_bx2, "
       "1-v0\n+ mad_d2 r0.w, -c0, v1_bias, t0\n"},
      {"ps_1_4", "ps_1_4\ntexld r0, t0_dw.xyw\nphase\ntexcrd r1.xyz, t1\ncnd r0, r0, v0, r1\n"},
      {"ps_2_x",
       "ps_2_x\ndcl_pp_centroid t0.xy\ndcl_2d s0\ntexldp r0, t0, s0\ntexldb r1, t0, "
       "s0\n(p0) dsx_pp r2, r0\ntexkill r2\nsincos r0.xy, r1.x, c0, c1\nmov oDepth, r0.x\n"},
      {"ps_3_0",
       "ps_3_0\ndcl_color1 v3\ndcl vPos.xy\ndcl vFace\ncmp oC3, vFace.x, v3_abs, "
       "-c7_abs\ntexldd r0, vPos, s4, r1, r2\n"},
  };
  for (const auto& shader : shaders) {
    const auto tokens = d3d9::assemble(shader.text);
    if (tokens) out.put("sm_parse", shader.name, std::as_bytes(std::span{*tokens}));
  }
  out.put("sm_parse", "guest",
          token_bytes({0xFFFF0200, 0x04000042, 0x000F0000, 0x30E40000, 0x20E40800, 0x06000051,
                       0x200F0003, 1, 2, 3, 4, 0xFFFF}));
}

/// Every instruction in some version that has it, each with other options.
void put_translations(seed_writer& out) {
  const std::vector<std::string> shaders = make_d3d9_shaders();
  for (std::size_t i = 0; i < shaders.size(); i += 5) {
    const auto tokens = d3d9::assemble(shaders[i]);
    if (!tokens) continue;
    byte_vector input;
    add(input, bytes_of(static_cast<std::uint32_t>(i * 0x9E3779B1u)));  // Options.
    add(input, bytes_of(std::uint8_t{3}));                              // Extra varyings.
    add(input, std::as_bytes(std::span{*tokens}));
    out.put("sm_to_spirv", std::to_string(i), input);
  }
}

/// Real containers, each with options of its own.
void put_containers(seed_writer& out) {
  for (const auto& [name, bytes] : sm4::samples()) {
    for (const std::uint32_t options : {0u, 0x0F1107u}) {
      byte_vector input;
      add(input, bytes_of(options));
      add(input, bytes);
      out.put("dxbc_compile", std::string{name} + (options == 0 ? "" : "-extra"), input);
    }
  }
}

void put_private_data(seed_writer& out) {
  aerogpu_wddm_alloc_priv_v3 alloc{};
  alloc.magic = AEROGPU_WDDM_ALLOC_PRIV_MAGIC;
  alloc.alloc_id = 5;
  alloc.size_bytes = 4096;
  for (const std::uint32_t version : {1u, 2u, 3u}) {
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
    for (const char* const target :
         {"kmd_escape", "kmd_render", "kmd_schedule", "umd_ddi", "d3d9_api"}) {
      out.put(target, std::to_string(step), bytes);
    }
    for (const unsigned first : {0u, 1u, 2u, 3u}) {
      out.put("execute_words", std::to_string(step) + "-" + std::to_string(first),
              counting(900, first, step));
      out.put("execute_d3d9", std::to_string(step) + "-" + std::to_string(first),
              counting(5, first, step));
    }
    out.put("processor_vulkan", std::to_string(step), bytes);
  }
}

/// A module of nothing but its header; compiled ones lie in corpus/.
void put_spirv(seed_writer& out) {
  constexpr std::array<std::uint32_t, 5> header{0x07230203, 0x00010300, 0, 1, 0};
  out.put("spirv_bounds", "header", bytes_of(header));
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
  put_devices(out);
  put_snapshots(out);
  put_traces(out);
  put_shaders(out);
  put_assembly(out);
  put_translations(out);
  put_containers(out);
  put_private_data(out);
  put_choices(out);
  put_spirv(out);
  if (!(std::ofstream{argv[2]} << "made\n")) return 1;
  return out.failed() ? 1 : 0;
}
