// SPDX-License-Identifier: MIT
/// \file Jobs, folders and questions for the tests of the shader compiler's process.
#pragma once

#include "dxbc_to_spirv/compiler/compiler_process.hpp"
#include "dxbc_to_spirv/compiler/job.hpp"
#include "tests/catch.hpp"

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace aerogpu::test {

/// A folder of its own that goes with the object.
class temporary_folder {
 public:
  temporary_folder() {
    std::string name = std::filesystem::temp_directory_path() / "aerogpu-XXXXXX";
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  temporary_folder(const temporary_folder&) = delete;
  auto operator=(const temporary_folder&) -> temporary_folder& = delete;
  ~temporary_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] auto path() const -> const std::filesystem::path& { return path_; }

 private:
  std::filesystem::path path_;
};

/// A script that is run instead of the compiler; `line` is a line of sh.
[[nodiscard]] inline auto write_script(const temporary_folder& folder, std::string_view line)
    -> std::string {
  const auto path = folder.path() / "script";
  std::ofstream{path} << "#!/bin/sh\n" << line << "\n";
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

/// What `fake_compiler` is told to do; the number makes jobs differ.
[[nodiscard]] inline auto job_that(char what, int number = 0) -> std::vector<std::byte> {
  return {static_cast<std::byte>(what), static_cast<std::byte>(number & 0xFF),
          static_cast<std::byte>(number >> 8)};
}

[[nodiscard]] inline auto open_descriptors() -> std::ptrdiff_t {
  const std::filesystem::directory_iterator all{"/proc/self/fd"};
  return std::distance(begin(all), end(all));
}

/// Processes that this one started and nobody waited for, dead or alive.
[[nodiscard]] inline auto has_children() -> bool {
  siginfo_t ended{};
  return waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) == 0;
}

[[nodiscard]] inline auto says(const error& why, std::string_view part) -> bool {
  return std::string_view{why.what}.find(part) != std::string_view::npos;
}

}  // namespace aerogpu::test
