// SPDX-License-Identifier: MIT
// aerogpu extract: shaders, streams and memory of a recording as files of their own.
#include "aerogpu/shader/shader_program.hpp"
#include "aerogpu/stream/packet_cursor.hpp"
#include "aerogpu/stream/text/describe.hpp"
#include "tools/aerogpu/commands/commands.hpp"
#include "tools/aerogpu/files/files.hpp"
#include "tools/aerogpu/files/outputs.hpp"
#include "tools/aerogpu/files/recording.hpp"
#include "tools/aerogpu/output/shader_listing.hpp"
#include "tools/aerogpu/replay/backends.hpp"
#include "tools/aerogpu/terminal/console.hpp"
#include "tools/aerogpu/terminal/exit_code.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <span>

namespace aerogpu::tool {

namespace {

/// Writes files into one folder and lists them.
class extraction {
 public:
  extraction(std::string folder, std::vector<std::string> inputs)
      : folder_(std::move(folder)), inputs_(std::move(inputs)) {}

  /// Whether no shader with these bytes was there before.
  [[nodiscard]] auto is_new(const_bytes code) -> bool {
    return seen_.emplace(reinterpret_cast<const char*>(code.data()), code.size()).second;
  }
  /// Whether nothing has gone wrong, and `files` more may be written.
  [[nodiscard]] auto has_room(std::size_t files) -> bool {
    if (why_.empty() && (count_ > most_files || files > most_files - count_)) {
      why_ = "what the recording holds is more than " + decimal(most_files) + " files";
    }
    return why_.empty();
  }
  /// Lists a file that somebody else wrote.
  void list(const std::string& name, const std::string& what) {
    std::error_code ignored;
    const auto size = std::filesystem::file_size(join(folder_, name), ignored);
    rows_.add({name, decimal(size), what});
    ++count_;
  }
  void put(const std::string& name, const_bytes bytes, const std::string& what) {
    if (!has_room(1)) return;
    if (bytes.size() > most_written_bytes - written_bytes_) {
      why_ = "what the recording holds is more than " + decimal(most_written_bytes) + " bytes";
      return;
    }
    written_bytes_ += bytes.size();
    const std::string path = join(folder_, name);
    if (is_no_input(path, inputs_, why_) && claim_output(path, why_) &&
        write_file(path, bytes, why_)) {
      rows_.add({name, decimal(bytes.size()), what});
      ++count_;
    }
  }
  [[nodiscard]] auto why() const -> const std::string& { return why_; }
  [[nodiscard]] auto count() const -> std::uint64_t { return count_; }
  [[nodiscard]] auto list() const -> std::string { return rows_.str(); }

 private:
  /// Many ranges of a small file may name one content.
  static constexpr std::uint64_t most_written_bytes = 8ull << 30;
  /// And records of some twenty bytes may be a file each.
  static constexpr std::uint64_t most_files = 1u << 16;

  std::string folder_;
  std::vector<std::string> inputs_;
  std::set<std::string> seen_;
  std::uint64_t written_bytes_ = 0;
  std::string why_;
  std::uint64_t count_ = 0;
  table rows_{{"file", "bytes", "what"}};
};

auto prefix_of(const recorded_work& work) -> std::string {
  return "submission-" + four_digits(work.index);
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
    if (!out.is_new(packet.payload())) continue;
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

constexpr std::array<option_row, 6> extract_options{{
    {"to", "DIR", "where the files go (default: the current folder)"},
    {"streams", "", "also write each command stream, for aerogpu dump"},
    {"memory", "", "also write the content of each recorded allocation"},
    {"textures", "", "also replay it and write each texture that lives at the end as PNG"},
    {"until", "PLACE", "with --textures: the end is after submission N, or after packet N:OFFSET"},
    quiet_row,
}};

/// An allocation may have several ranges: the later ones are told apart by their addresses, and
/// those of one address by numbers.
auto memory_name(const std::string& prefix, const recorded_memory& range,
                 std::set<std::string>& taken) -> std::string {
  const std::string plain = prefix + "-allocation-" + decimal(raw(range.id));
  const std::string with_address = plain + "-at-" + hex(raw(range.at));
  std::string name = taken.insert(plain).second ? plain : with_address;
  for (int number = 2; name != plain && !taken.insert(name).second; ++number) {
    name = with_address + "-" + std::to_string(number);
  }
  return name + ".bin";
}

/// An id may occur again: the later blobs are told apart by their place in the file.
auto blob_name(const trace_blob& blob, std::set<std::string>& taken) -> std::string {
  const std::string stem = "blob-" + decimal(raw(blob.id));
  const std::string plain = stem + blob_suffix(blob.kind);
  if (taken.insert(plain).second) return plain;
  return stem + "-at-" + hex(blob.offset) + blob_suffix(blob.kind);
}

/// Blobs that belong to no submission; none of them when they are too many.
void extract_blobs(extraction& out, std::span<const trace_blob> blobs) {
  const auto is_own = [](const trace_blob& blob) {
    return static_cast<std::uint32_t>(blob.kind) < 0x100;
  };
  if (!out.has_room(static_cast<std::size_t>(std::ranges::count_if(blobs, is_own)))) return;
  std::set<std::string> names;
  for (const trace_blob& blob : blobs) {
    if (!is_own(blob)) continue;
    out.put(blob_name(blob, names), blob.bytes, blob_kind_name(blob.kind));
  }
}

void extract_work(extraction& out, const recorded_work& work, const arguments& given) {
  extract_shaders(out, work);
  if (given.has("streams") && !work.what.stream.empty()) {
    out.put(prefix_of(work) + ".acmd", work.what.stream, "command stream");
  }
  if (!given.has("memory")) return;
  std::set<std::string> names;
  for (const recorded_memory& range : work.memory) {
    out.put(memory_name(prefix_of(work), range, names), range.bytes,
            "allocation " + decimal(raw(range.id)) + " at " + hex(raw(range.at)));
  }
}

/// Replays on the best backend, for the textures at its end. An exit_code; with exit_cannot, a
/// sentence in `why`.
auto extract_textures(extraction& out, const recording& file, const replay_choice& how,
                      std::string& why) -> int {
  const auto report = best_backend().replay(file, how, why);
  if (!report) return exit_cannot;
  for (const replayed_texture& texture : report->textures) out.list(texture.file, texture.what);
  for (const replayed_submission& done : report->submissions) {
    if (!done.failure) continue;
    complain("submission " + decimal(done.index) + ": " + failure_text(*done.failure));
  }
  if (how.talk == verbosity::normal) {
    for (const std::string& note : report->notes) complain("note: " + note);
  }
  return report->first_failure() == nullptr ? exit_fine : exit_stream_has_errors;
}

/// Nothing, and a sentence in `why`, when an option is wrong.
auto choose_replay(const arguments& given, const std::string& folder, std::string& why)
    -> std::optional<replay_choice> {
  replay_choice how;
  how.inputs = given.operands();
  how.backend = best_backend().name;
  how.keep_going = true;
  how.texture_folder = folder;
  how.talk = given.has("quiet") ? verbosity::quiet : verbosity::normal;
  const auto until = given.value("until");
  if (!until) return how;
  how.until = parse_stop(*until);
  if (!given.has("textures")) {
    why = "--until is for --textures";
  } else if (!how.until) {
    why = "--until needs a submission and a packet's offset, such as 3 or 3:0x1c0";
  } else {
    return how;
  }
  return std::nullopt;
}

auto run_extract(const arguments& given) -> int {
  std::string why;
  const std::string folder = given.value("to").value_or(".");
  const auto how = choose_replay(given, folder, why);
  const auto file =
      how && can_write_into(folder, why) ? recording::open(given.operands()[0], why) : std::nullopt;
  if (!file) {
    complain(why);
    return exit_cannot;
  }
  extraction out{folder, given.operands()};
  const auto talk = given.has("quiet") ? verbosity::quiet : verbosity::normal;
  progress so_far{"extracting " + file->path(), file->works().size(), talk};
  for (const recorded_work& work : file->works()) {
    extract_work(out, work, given);
    so_far.at(work.index);
  }
  extract_blobs(out, file->blobs());
  why = out.why();
  int code = why.empty() ? exit_fine : exit_cannot;
  if (code == exit_fine && given.has("textures")) code = extract_textures(out, *file, *how, why);
  if (code == exit_cannot) {
    complain(why);
    return code;
  }
  if (talk == verbosity::normal) print(out.count() == 0 ? "nothing to extract\n" : out.list());
  return file->is_damaged() ? exit_stream_has_errors : code;
}

}  // namespace

const command extract_command{
    {"extract", "FILE",
     "Writes each shader to a file, and on request streams, memory and textures.\n\n"
     "A shader that is made again is written once. Beside a Direct3D 9 shader goes its assembly, "
     "in "
     "a\nfile whose name ends in .asm.",
     extract_options, 1, 1},
    &run_extract};

}  // namespace aerogpu::tool
