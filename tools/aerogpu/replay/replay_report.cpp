// SPDX-License-Identifier: MIT
#include "aerogpu/memory/format.hpp"
#include "aerogpu/stream/error_text.hpp"
#include "tools/aerogpu/files/files.hpp"
#include "tools/aerogpu/replay/replay.hpp"
#include "tools/aerogpu/show/json.hpp"
#include "tools/aerogpu/terminal/console.hpp"

namespace aerogpu::tool {

namespace {

auto format_text(aerogpu_format format) -> std::string {
  const format_info* info = find_format(format);
  return info == nullptr ? std::string{} : std::string{info->name};
}

auto failure_as_json(const error& why) -> json {
  const packet_row* row = why.opcode == 0 ? nullptr : find_packet(why.opcode);
  json out = json::object();
  out["kind"] = kind_name(why.code);
  out["opcode"] = why.opcode;
  out["opcode_name"] = row == nullptr ? json() : json(std::string{row->wire_name});
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
  out["stopped_early"] = report.stopped_early;
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

auto verdict(const replay_report& report) -> std::string {
  const replayed_submission* failed = report.first_failure();
  if (failed != nullptr) return kind_name(failed->failure->code);
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

auto reports_as_json(const std::vector<replay_report>& reports) -> std::string {
  json out = json::array();
  for (const replay_report& report : reports) out.push_back(report_as_json(report));
  const json& document = reports.size() == 1 ? out[0] : out;
  return document.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

auto reports_as_text(const std::vector<replay_report>& reports) -> std::string {
  table rows{{"trace", "backend", "submissions", "presents", "errors", "fence", "verdict"}};
  std::string details;
  for (const replay_report& report : reports) {
    const std::string name = stem_of(report.trace);
    rows.add({name, report.backend, decimal(report.submissions.size()),
              decimal(report.present_count()), decimal(report.errors),
              decimal(report.completed_fence), verdict(report)});
    for (const replayed_submission& done : report.submissions) {
      const std::string place = name + " " + decimal(done.index) + ": ";
      if (done.failure) {
        details +=
            place + kind_name(done.failure->code) + ": " + failure_text(*done.failure) + "\n";
      }
      for (const replayed_present& present : done.presents) {
        details += place + "present " + present_text(present) + "\n";
      }
    }
    for (const std::string& note : report.notes) details += name + ": note: " + note + "\n";
    if (report.stopped_early) {
      details += name + ": stopped at the first failed submission; --keep-going goes on\n";
    }
  }
  return details.empty() ? rows.str() : rows.str() + "\n" + details;
}

}  // namespace aerogpu::tool
