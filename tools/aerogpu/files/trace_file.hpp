/// \file A recording in progress: a recorder with the file that it writes.
#pragma once

#include "aerogpu/trace/recorder.hpp"
#include "common/system_random.hpp"
#include "tools/aerogpu/files/file_sink.hpp"
#include "tools/aerogpu/terminal/console.hpp"

#include <memory>
#include <optional>
#include <string>

namespace aerogpu::tool {

class trace_file {
 public:
  /// False, and a sentence in `why`, when the file cannot be made. `program` goes into the file.
  [[nodiscard]] auto open(const std::string& path, const std::string& program, std::string& why)
      -> bool {
    path_ = path;
    sink_ = file_sink::open(path, why);
    if (!sink_) return false;
    auto writer = trace_writer<file_sink>::create(*sink_, {.emulator_version = program});
    if (!writer) {
      why = describe(path, writer.why());
      return false;
    }
    recorder_ = std::make_unique<recorder>(*std::move(writer), random_seed());
    return true;
  }

  /// For the device; valid until `finish`.
  [[nodiscard]] auto tap() -> submission_tap { return recorder_->tap(); }

  /// Completes the file. False, and a sentence in `why`, when the recording is not whole.
  [[nodiscard]] auto finish(std::string& why) -> bool {
    const bool is_finished = static_cast<bool>(recorder_->finish());
    const bool is_whole =
        recorder_->why().code == error_code::none && is_finished && sink_->close();
    if (!is_whole) why = path_ + ": the recording cannot be written";
    return is_whole;
  }

 private:
  using recorder = trace_recorder<file_sink>;
  std::string path_;
  std::optional<file_sink> sink_;
  std::unique_ptr<recorder> recorder_;
};

}  // namespace aerogpu::tool
