// SPDX-License-Identifier: MIT
#include "tools/aerogpu/replay/replay_notes.hpp"

#include "aerogpu/shader/shader_program.hpp"
#include "aerogpu/stream/packet_cursor.hpp"
#include "aerogpu/stream/text/describe.hpp"
#include "tools/aerogpu/terminal/console.hpp"

#include <set>

namespace aerogpu::tool {

namespace {

constexpr std::size_t most_notes = 100;

/// "submission 0: vertex shader 10 at 0x208 cannot be run: <reason>"
void note_shaders(std::vector<std::string>& notes, const recorded_work& work) {
  const auto stream = parse_stream_header(work.what.stream);
  if (!stream) return;
  for (packet_cursor at{*stream}; at.next();) {
    if (!at.packet().is<aerogpu_cmd_create_shader_dxbc>()) continue;
    const auto packet = at.packet().as<aerogpu_cmd_create_shader_dxbc>();
    const auto stage = stage_of(packet, stream->abi_minor());
    if (!stage) continue;
    const auto program = classify_shader(packet.payload(), *stage, limits{});
    if (!program || program->unsupported == nullptr) continue;
    notes.push_back("submission " + decimal(work.index) + ": " + std::string{stage_name(*stage)} +
                    " shader " + decimal(packet.fields().shader_handle) + " at " +
                    hex(packet.offset()) + " cannot be run: " + program->unsupported);
  }
}

void note_memory(std::vector<std::string>& notes, const recorded_work& work) {
  std::set<std::uint32_t> recorded;
  for (const recorded_memory& range : work.memory) recorded.insert(raw(range.id));
  std::uint64_t missing = 0;
  for_each_allocation(work.what.alloc_table, [&](const aerogpu_alloc_entry& entry) {
    if (!recorded.contains(entry.alloc_id)) ++missing;
  });
  if (missing == 0) return;
  notes.push_back("submission " + decimal(work.index) + ": " + counted(missing, "allocation") +
                  " without recorded content; unless recorded earlier they are zero");
}

}  // namespace

auto notes_about(const recording& file) -> std::vector<std::string> {
  std::vector<std::string> notes;
  if (file.flaw() != nullptr) notes.push_back(describe(*file.flaw()));
  if (file.cut() != nullptr) notes.push_back(describe(*file.cut()));
  if (!file.foreign_packets().empty()) {
    notes.push_back(counted(file.foreign_packets().size(), "packet record") +
                    " of another ABI cannot be run; aerogpu dump lists them");
  }
  if (file.unknown_records() != 0) {
    notes.push_back(counted(file.unknown_records(), "record") + " of unknown kinds skipped");
  }
  for (const recorded_work& work : file.works()) {
    note_shaders(notes, work);
    note_memory(notes, work);
    if (notes.size() > most_notes) {
      notes.resize(most_notes);
      notes.push_back("and more");
      break;
    }
  }
  return notes;
}

}  // namespace aerogpu::tool
