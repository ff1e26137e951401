/// \file A trace writer's bytes into a file.
#pragma once

#include "aerogpu/trace/sink.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <string>

namespace aerogpu::tool {

class file_sink {
 public:
  /// Nothing, and a sentence in `why`, when the file cannot be made.
  [[nodiscard]] static auto open(const std::string& path, std::string& why)
      -> std::optional<file_sink> {
    file_sink sink;
    sink.file_.reset(std::fopen(path.c_str(), "wb"));
    if (sink.file_ == nullptr) {
      why = path + ": " + std::strerror(errno);
      return std::nullopt;
    }
    return sink;
  }
  auto append(const_bytes bytes) noexcept -> bool {
    return bytes.empty() || std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) == bytes.size();
  }
  /// Whether everything reached the file.
  [[nodiscard]] auto close() noexcept -> bool { return std::fclose(file_.release()) == 0; }

 private:
  struct close_file {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, close_file> file_;
};

static_assert(byte_sink<file_sink>);

}  // namespace aerogpu::tool
