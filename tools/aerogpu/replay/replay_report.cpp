// SPDX-License-Identifier: MIT
#include "aerogpu/memory/format.hpp"
#include "aerogpu/stream/error_text.hpp"
#include "tools/aerogpu/output/json.hpp"
#include "tools/aerogpu/replay/replay.hpp"
#include "tools/aerogpu/terminal/console.hpp"

#include <array>
#include <cstdio>

namespace aerogpu::tool {

namespace {

auto format_text(aerogpu_format format) -> std::string {
  const format_info* info = find_format(format);
  return info == nullptr ? std::string{} : std::string{info->name};
}

/// "DRAW"; null outside packets and for unknown opcodes.
auto opcode_text(std::uint32_t opcode) -> json {
  const packet_row* row = opcode == 0 ? nullptr : find_packet(opcode);
  return row == nullptr ? json() : json(std::string{row->wire_name});
}

auto failure_as_json(const error& why) -> json {
  json out = json::object();
  out["kind"] = kind_name(why.code);
  out["opcode"] = why.opcode;
  out["opcode_name"] = opcode_text(why.opcode);
  out["offset"] = why.offset;
  out["detail"] = why.detail;
  out["limit"] = why.limit;
  out["message"] = failure_text(why);
  return out;
}

auto present_as_json(const replayed_present& present) -> json {
  const present_event& event = present.event;
  const std::string format = format_text(event.format);
  json out = json::object();
  out["scanout"] = event.scanout_id;
  out["flags"] = event.flags;
  out["handle"] = raw(event.handle);
  out["width"] = event.width;
  out["height"] = event.height;
  out["format"] = format.empty() ? json() : json(format);
  out["png"] = present.png.empty() ? json() : json(present.png);
  return out;
}

auto submission_as_json(const replayed_submission& done) -> json {
  json out = json::object();
  out["index"] = done.index;
  out["context"] = done.context;
  out["fence"] = done.fence;
  out["status"] = done.failure ? "error" : "ok";
  out["error"] = done.failure ? failure_as_json(*done.failure) : json();
  out["time_ns"] = done.time_ns ? json(*done.time_ns) : json();
  out["draws"] = json::array();
  for (const replayed_draw& draw : done.draws) {
    out["draws"].push_back({{"offset", draw.offset},
                            {"opcode_name", opcode_text(draw.opcode)},
                            {"time_ns", draw.time_ns}});
  }
  out["presents"] = json::array();
  for (const replayed_present& present : done.presents) {
    out["presents"].push_back(present_as_json(present));
  }
  return out;
}

auto report_as_json(const replay_report& report) -> json {
  json out = json::object();
  out["trace"] = report.trace;
  out["backend"] = report.backend;
  out["submissions"] = json::array();
  for (const replayed_submission& done : report.submissions) {
    out["submissions"].push_back(submission_as_json(done));
  }
  out["completed_fence"] = report.completed_fence;
  out["errors"] = report.errors;
  out["validation_errors"] = report.validation_errors;
  out["stopped_early"] = report.stopped_early;
  out["damaged"] = report.is_damaged;
  out["picture"] = report.picture.empty() ? json() : json(report.picture);
  out["notes"] = report.notes;
  return out;
}

auto present_text(const replayed_present& present) -> std::string {
  const present_event& event = present.event;
  std::string text = "scanout " + decimal(event.scanout_id);
  if (raw(event.handle) == 0) return text + ", guest frame buffer";
  text += ", texture " + decimal(raw(event.handle)) + ", " + decimal(event.width) + "x" +
          decimal(event.height) + " " + format_text(event.format);
  return present.png.empty() ? text : text + " -> " + present.png;
}

auto milliseconds(std::uint64_t time_ns) -> std::string {
  std::array<char, 32> digits{};
  std::snprintf(digits.data(), digits.size(), "%.3f", static_cast<double>(time_ns) / 1e6);
  return digits.data();
}

/// A line for each timed submission, and for each of its draws.
void add_times(table& rows, const std::string& name, const replayed_submission& done) {
  if (!done.time_ns) return;
  rows.add({name, decimal(done.index), "", milliseconds(*done.time_ns)});
  for (const replayed_draw& draw : done.draws) {
    const packet_row* row = find_packet(draw.opcode);
    rows.add({name, decimal(done.index),
              hex(draw.offset) + " " + (row == nullptr ? "" : std::string{row->wire_name}),
              milliseconds(draw.time_ns)});
  }
}

/// "clear 3: MissingBinding: Draw at 0x18: ...".
auto failure_line(const replay_report& report, const replayed_submission& failed) -> std::string {
  return report.name + " " + decimal(failed.index) + ": " + kind_name(failed.failure->code) + ": " +
         failure_text(*failed.failure);
}

auto verdict(const replay_report& report) -> std::string {
  const replayed_submission* failed = report.first_failure();
  if (failed != nullptr) return kind_name(failed->failure->code);
  if (report.validation_errors != 0) return "validation errors";
  if (report.is_damaged) return "damaged recording";
  return report.submissions.empty() ? "nothing to replay" : "ok";
}

}  // namespace

auto replay_report::present_count() const -> std::uint64_t {
  std::uint64_t count = 0;
  for (const replayed_submission& done : submissions) count += done.presents.size();
  return count;
}

auto replay_report::first_failure() const -> const replayed_submission* {
  for (const replayed_submission& done : submissions) {
    if (done.failure) return &done;
  }
  return nullptr;
}

auto failure_text(const error& why) -> std::string {
  text out;
  if (why.opcode != 0 || why.code == error_code::framing) {
    append_error(out, why);
    return out.str();
  }
  out.append(why.what);
  out.append(" (" + decimal(why.detail));
  if (why.limit != 0) out.append(", limit " + decimal(why.limit));
  out.append(")");
  return out.str();
}

auto complaints_about(const replay_report& report) -> std::vector<std::string> {
  std::vector<std::string> complaints;
  for (const replayed_submission& done : report.submissions) {
    if (done.failure) complaints.push_back(failure_line(report, done));
  }
  if (report.validation_errors != 0) {
    complaints.push_back(report.name + ": " +
                         counted(report.validation_errors, "validation error"));
  }
  return complaints;
}

auto reports_as_json(const std::vector<replay_report>& reports) -> std::string {
  json out = json::object();
  out["version"] = report_version;
  out["recordings"] = json::array();
  for (const replay_report& report : reports) out["recordings"].push_back(report_as_json(report));
  return out.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

auto reports_as_text(const std::vector<replay_report>& reports) -> std::string {
  table rows{{"trace", "backend", "submissions", "presents", "errors", "fence", "verdict"}};
  table times{{"trace", "submission", "up to", "ms"}};
  bool is_timed = false;
  std::string details;
  for (const replay_report& report : reports) {
    const std::string& name = report.name;
    rows.add({name, report.backend, decimal(report.submissions.size()),
              decimal(report.present_count()), decimal(report.errors),
              decimal(report.completed_fence), verdict(report)});
    for (const replayed_submission& done : report.submissions) {
      const std::string place = name + " " + decimal(done.index) + ": ";
      add_times(times, name, done);
      is_timed = is_timed || done.time_ns;
      if (done.failure) {
        details += failure_line(report, done) + "\n";
      }
      for (const replayed_present& present : done.presents) {
        details += place + "present " + present_text(present) + "\n";
      }
    }
    if (!report.picture.empty()) details += name + ": picture " + report.picture + "\n";
    for (const std::string& note : report.notes) details += name + ": note: " + note + "\n";
    if (report.stopped_early) {
      details += name + ": stopped at the first failed submission; --keep-going goes on\n";
    }
  }
  std::string text = rows.str();
  if (!details.empty()) text += "\n" + details;
  return is_timed ? text + "\n" + times.str() : text;
}

}  // namespace aerogpu::tool
