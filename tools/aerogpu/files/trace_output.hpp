// SPDX-License-Identifier: MIT
/// \file The file that a trace is written into.
#pragma once

#include "aerogpu/trace/file_sink.hpp"
#include "tools/aerogpu/files/trace_packing.hpp"

#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace aerogpu::tool {

/// Compressed where its name ends in ".zst".
class trace_output {
 public:
  /// Nothing, and a sentence in `why`, when the file cannot be made.
  [[nodiscard]] static auto open(const std::string& path, std::string& why)
      -> std::optional<trace_output> {
    return open_as(path, path, why);
  }
  /// The same of a file that is called `name` when it is whole: compression and errors go by that.
  [[nodiscard]] static auto open_as(const std::string& path, const std::string& name,
                                    std::string& why) -> std::optional<trace_output> {
    auto file = file_sink::open(path.c_str());
    if (!file) {
      why = describe_file(name, file.why());
      return std::nullopt;
    }
    trace_output made{name, std::make_unique<file_sink>(*std::move(file))};
    if (!names_packed_trace(name)) return made;
    made.packer_ = make_trace_packer(*made.file_, why);
    if (made.packer_ != nullptr) return made;
    why = name + ": " + why;
    return std::nullopt;
  }

  auto append(const_bytes bytes) noexcept -> bool {
    return packer_ ? packer_->append(bytes) : file_->append(bytes);
  }
  auto flush() noexcept -> bool { return packer_ ? packer_->flush() : file_->flush(); }
  [[nodiscard]] auto why() const noexcept -> error {
    return packer_ ? packer_->why() : file_->why();
  }

  /// Whether everything reached the file; else a sentence in `why`.
  [[nodiscard]] auto close(std::string& why) -> bool {
    const error unfinished = packer_ && !packer_->finish() ? packer_->why() : error{};
    const error closed = file_->close().why();
    if (unfinished.code == error_code::none && closed.code == error_code::none) return true;
    why = describe(closed.code == error_code::none ? unfinished : closed);
    return false;
  }
  /// Why a trace cannot be written here.
  [[nodiscard]] auto describe(const error& why) const -> std::string {
    return file_->why().code == error_code::none ? name_ + ": " + why.what
                                                 : describe_file(name_, file_->why());
  }

 private:
  trace_output(std::string name, std::unique_ptr<file_sink> file)
      : name_(std::move(name)), file_(std::move(file)) {}

  /// "FILE: No space left on device".
  [[nodiscard]] static auto describe_file(const std::string& name, const error& why)
      -> std::string {
    return name + ": " + (why.detail == 0 ? why.what : std::strerror(static_cast<int>(why.detail)));
  }

  std::string name_;
  std::unique_ptr<file_sink> file_;
  std::unique_ptr<trace_packer> packer_;  ///< Behind `file_`, to which it leads.
};

static_assert(flushing_sink<trace_output> && explaining_sink<trace_output>);

}  // namespace aerogpu::tool
