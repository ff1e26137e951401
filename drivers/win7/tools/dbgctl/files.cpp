// SPDX-License-Identifier: MIT
#include "drivers/win7/tools/dbgctl/files.hpp"

#include <cstdio>
#include <memory>

namespace aerogpu::dbgctl {
namespace {

struct closer {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};
using file_pointer = std::unique_ptr<std::FILE, closer>;

auto open(std::string_view path, const char* mode) -> file_pointer {
  return file_pointer{std::fopen(std::string{path}.c_str(), mode)};
}

}  // namespace

auto read_file(std::string_view path, std::size_t limit, std::vector<std::byte>& bytes)
    -> std::string {
  const file_pointer file = open(path, "rb");
  if (file == nullptr) return std::string{path} + " cannot be opened";
  bytes.resize(limit + 1);
  bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file.get()));
  if (std::ferror(file.get()) != 0) return std::string{path} + " cannot be read";
  return {};
}

auto write_file(std::string_view path, std::span<const std::byte> bytes) -> std::string {
  file_pointer file = open(path, "wb");
  if (file == nullptr) return std::string{path} + " cannot be created";
  const bool is_written = std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size();
  if (std::fclose(file.release()) != 0 || !is_written) {
    return std::string{path} + " cannot be written";
  }
  return {};
}

}  // namespace aerogpu::dbgctl
