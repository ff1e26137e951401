// SPDX-License-Identifier: MIT
/// \file A recording in progress: a recorder with the file that it writes.
#pragma once

#include "aerogpu/trace/recorder.hpp"
#include "common/system_random.hpp"
#include "tools/aerogpu/files/trace_output.hpp"
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
    return open_as(path, path, program, why);
  }
  /// The same of a file that is called `name` when it is whole.
  [[nodiscard]] auto open_as(const std::string& path, const std::string& name,
                             const std::string& program, std::string& why) -> bool {
    name_ = name;
    sink_ = trace_output::open_as(path, name, why);
    if (!sink_) return false;
    auto writer = trace_writer<trace_output>::create(*sink_, {.emulator_version = program});
    if (!writer) {
      why = sink_->describe(writer.why());
      return false;
    }
    recorder_ = std::make_unique<recorder>(*std::move(writer), random_seed());
    return true;
  }

  /// For the device; valid until `finish`.
  [[nodiscard]] auto tap() -> submission_tap { return recorder_->tap(); }

  /// Completes the file. False, and a sentence in `why`, when the recording is not whole.
  [[nodiscard]] auto finish(std::string& why) -> bool {
    const error finished = recorder_->finish().why();
    if (!sink_->close(why)) return false;
    const error& early = recorder_->why();
    if (early.code == error_code::none && finished.code == error_code::none) return true;
    why = name_ +
          ": the recording ends early: " + (early.code == error_code::none ? finished : early).what;
    return false;
  }

 private:
  using recorder = trace_recorder<trace_output>;
  std::string name_;
  std::optional<trace_output> sink_;
  std::unique_ptr<recorder> recorder_;
};

}  // namespace aerogpu::tool
