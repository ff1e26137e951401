// SPDX-License-Identifier: MIT
// Runs a fuzz target once for each file: seeds, corpus and regressions as an ordinary test.
#include "tests/fuzz/fuzz.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

namespace {

auto files_below(const std::filesystem::path& root) -> std::vector<std::filesystem::path> {
  std::vector<std::filesystem::path> files;
  std::error_code failed;
  if (std::filesystem::is_regular_file(root, failed)) return {root};
  for (const auto& entry : std::filesystem::recursive_directory_iterator{root, failed}) {
    if (entry.is_regular_file(failed)) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

void run(const std::filesystem::path& path) {
  std::ifstream in{path, std::ios::binary};
  const std::string text{std::istreambuf_iterator<char>{in}, {}};
  const std::vector<std::uint8_t> bytes{text.begin(), text.end()};
  std::fprintf(stderr, "%s\n", path.c_str());  // The last line names the input that failed.
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

}  // namespace

auto main(int argc, char** argv) -> int {
  std::size_t count = 0;
  for (int i = 1; i < argc; ++i) {
    for (const auto& path : files_below(argv[i])) {
      run(path);
      ++count;
    }
  }
  LLVMFuzzerTestOneInput(nullptr, 0);
  std::printf("%zu inputs\n", count);
  if (count == 0) std::fprintf(stderr, "usage: %s FILE-OR-FOLDER...\n", argv[0]);
  return count == 0 ? 1 : 0;
}
