// SPDX-License-Identifier: MIT
// aerogpu extract: shaders, streams and memory of a recording as files of their own.
#include "aerogpu/shader/shader_program.hpp"
#include "aerogpu/stream/describe.hpp"
#include "aerogpu/stream/packet_cursor.hpp"
#include "tools/aerogpu/commands/commands.hpp"
#include "tools/aerogpu/files/files.hpp"
#include "tools/aerogpu/files/recording.hpp"
#include "tools/aerogpu/show/shader_listing.hpp"
#include "tools/aerogpu/terminal/console.hpp"
#include "tools/aerogpu/terminal/exit_code.hpp"

#include <array>
#include <span>

namespace aerogpu::tool {

namespace {

/// Writes files into one folder and lists them.
class extraction {
 public:
  explicit extraction(std::string folder) : folder_(std::move(folder)) {}

  void put(const std::string& name, const_bytes bytes, const std::string& what) {
    if (!why_.empty()) return;
    if (write_file(join(folder_, name), bytes, why_)) {
      rows_.add({name, decimal(bytes.size()), what});
      ++count_;
    }
  }
  [[nodiscard]] auto why() const -> const std::string& { return why_; }
  [[nodiscard]] auto count() const -> std::uint64_t { return count_; }
  [[nodiscard]] auto list() const -> std::string { return rows_.str(); }

 private:
  std::string folder_;
  std::string why_;
  std::uint64_t count_ = 0;
  table rows_{{"file", "bytes", "what"}};
};

auto prefix_of(const recorded_work& work) -> std::string {
  std::string number = decimal(work.index);
  if (number.size() < 4) number.insert(0, 4 - number.size(), '0');
  return "submission-" + number;
}

/// The byte code, and beside it the assembly of what Direct3D 9 shaders can be read.
void put_shader(extraction& out, const std::string& file, const_bytes code,
                const std::string& what) {
  if (!is_d3d9_shader(code)) return out.put(file, code, what);
  std::string why;
  const auto listing = list_shader(code, why);
  out.put(file, code, listing ? what : what + "; " + why);
  if (listing) out.put(file + ".asm", std::as_bytes(std::span{*listing}), what + ", assembly");
}

auto shader_suffix(const_bytes code) -> const char* {
  return dxbc_container::is_container(code) ? ".dxbc" : ".d3d9";
}

void extract_shaders(extraction& out, const recorded_work& work) {
  const auto stream = parse_stream_header(work.what.stream);
  if (!stream) return;
  for (packet_cursor at{*stream}; at.next();) {
    if (!at.packet().is<aerogpu_cmd_create_shader_dxbc>()) continue;
    const auto packet = at.packet().as<aerogpu_cmd_create_shader_dxbc>();
    const auto stage = stage_of(packet, stream->abi_minor());
    const std::string name{stage ? stage_name(*stage) : "unknown"};
    const std::string file = prefix_of(work) + "-at-" + hex(packet.offset()) + "-" + name +
                             shader_suffix(packet.payload());
    const std::uint32_t handle = packet.fields().shader_handle;
    put_shader(out, file, packet.payload(), name + " shader " + decimal(handle));
  }
}

auto blob_suffix(trace_blob_kind kind) -> const char* {
  switch (kind) {
    case trace_blob_kind::dxbc: return ".dxbc";
    case trace_blob_kind::wgsl: return ".wgsl";
    case trace_blob_kind::glsl_es: return ".glsl";
    default: return ".bin";
  }
}

constexpr std::array<option_row, 3> extract_options{{
    {"to", "DIR", "where the files go (default: the current folder)"},
    {"streams", "", "also write each command stream, for aerogpu dump"},
    {"memory", "", "also write the content of each recorded allocation"},
}};

void extract_work(extraction& out, const recorded_work& work, const arguments& given) {
  extract_shaders(out, work);
  if (given.has("streams") && !work.what.stream.empty()) {
    out.put(prefix_of(work) + ".acmd", work.what.stream, "command stream");
  }
  if (!given.has("memory")) return;
  for (const recorded_memory& range : work.memory) {
    out.put(prefix_of(work) + "-allocation-" + decimal(raw(range.id)) + ".bin", range.bytes,
            "allocation " + decimal(raw(range.id)) + " at " + hex(raw(range.at)));
  }
}

auto run_extract(const arguments& given) -> int {
  std::string why;
  const auto file = recording::open(given.operands()[0], why);
  const std::string folder = given.value("to").value_or(".");
  if (!file || !make_folder(folder, why)) {
    complain(why);
    return exit_cannot;
  }
  extraction out{folder};
  progress so_far{"extracting " + file->path(), file->works().size()};
  for (const recorded_work& work : file->works()) {
    extract_work(out, work, given);
    so_far.at(work.index);
  }
  for (const trace_blob& blob : file->blobs()) {
    if (static_cast<std::uint32_t>(blob.kind) >= 0x100) continue;  // Belongs to a submission.
    out.put("blob-" + decimal(raw(blob.id)) + blob_suffix(blob.kind), blob.bytes,
            blob_kind_name(blob.kind));
  }
  if (!out.why().empty()) {
    complain(out.why());
    return exit_cannot;
  }
  print(out.count() == 0 ? "nothing to extract\n" : out.list());
  return exit_fine;
}

}  // namespace

const command extract_command{
    {"extract", "FILE",
     "Writes each shader to a file, and on request streams and memory.\n\n"
     "Beside a Direct3D 9 shader goes its assembly, in a file whose name ends in .asm.",
     extract_options, 1, 1},
    &run_extract};

}  // namespace aerogpu::tool
