// SPDX-License-Identifier: MIT
/// \file A trace writer's bytes into a file.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/check.hpp"
#include "aerogpu/core/error.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/trace/sink.hpp"

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <memory>

namespace aerogpu {

/// A file that is written from front to back. What was flushed is with the operating system: it
/// survives the process, though not a machine that loses its power.
///
/// A failure is an error whose `detail` is errno, with the code `no_space` for a full disk too: ask
/// `why` after `append` or `flush`, and take what `close` returns, which hears of the last bytes.
class file_sink {
 public:
  /// Makes the file, or empties it. Error: `no_space`, with errno as its detail.
  [[nodiscard]] static auto open(const char* path) noexcept -> result<file_sink> {
    errno = 0;
    std::FILE* const file = std::fopen(path, "wb");
    if (file == nullptr) return failure("the file cannot be made");
    return file_sink{file};
  }
  /// Takes a file that is open for binary writing. Precondition: not null.
  explicit file_sink(std::FILE* file) noexcept : file_(file) { AEROGPU_CHECK(file != nullptr); }

  /// Precondition of these: the file was not closed.
  [[nodiscard]] auto append(const_bytes bytes) noexcept -> bool {
    errno = 0;
    return bytes.empty() ||
           note(std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) == bytes.size());
  }
  [[nodiscard]] auto flush() noexcept -> bool {
    errno = 0;
    return note(std::fflush(file_.get()) == 0);
  }
  /// Whether every byte reached the file. Without it the file is closed all the same, unasked.
  [[nodiscard]] auto close() noexcept -> result<void> {
    errno = 0;
    (void)note(std::fclose(file_.release()) == 0);
    return why_;
  }

  /// The first failure; code `none` = there was none.
  [[nodiscard]] auto why() const noexcept -> error { return why_; }

 private:
  struct close_file {
    void operator()(std::FILE* file) const noexcept { (void)std::fclose(file); }
  };

  [[nodiscard]] static auto failure(const char* what) noexcept -> error {
    return make_error(error_code::no_space, errno == ENOSPC ? "the disk is full" : what,
                      static_cast<std::uint64_t>(errno));
  }
  [[nodiscard]] auto note(bool succeeded) noexcept -> bool {
    if (!succeeded && why_.code == error_code::none) why_ = failure("the file cannot be written");
    return succeeded;
  }

  std::unique_ptr<std::FILE, close_file> file_;
  error why_{};
};

static_assert(flushing_sink<file_sink> && explaining_sink<file_sink>);

}  // namespace aerogpu
