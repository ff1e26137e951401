// SPDX-License-Identifier: MIT
#include "tools/aerogpu/files/files.hpp"

#include "tools/aerogpu/files/pending_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <new>
#include <system_error>

namespace aerogpu::tool {

namespace {

struct close_file {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};
using open_file = std::unique_ptr<std::FILE, close_file>;

auto reason() -> std::string {
  return std::strerror(errno);
}

/// What is left of an open file.
auto read_all(std::FILE* file, const std::string& name, std::size_t most, std::string& why)
    -> std::optional<std::vector<std::byte>> {
  std::vector<std::byte> bytes;
  constexpr std::size_t chunk = 1 << 20;
  for (std::size_t got = chunk; got == chunk;) {
    const std::size_t size = bytes.size();
    bytes.resize(size + chunk);
    got = std::fread(bytes.data() + size, 1, chunk, file);
    bytes.resize(size + got);
    if (bytes.size() > most) {
      why = name + ": it has more than " + std::to_string(most) + " bytes";
      return std::nullopt;
    }
  }
  if (std::ferror(file) != 0) {
    why = name + ": " + reason();
    return std::nullopt;
  }
  return bytes;
}

}  // namespace

auto read_file(const std::string& path, std::size_t most, std::string& why)
    -> std::optional<std::vector<std::byte>> {
  std::error_code failed;
  if (std::filesystem::is_directory(path, failed)) {
    why = path + ": it is a folder";
    return std::nullopt;
  }
  const open_file file{std::fopen(path.c_str(), "rb")};
  if (file == nullptr) {
    why = path + ": " + reason();
    return std::nullopt;
  }
  return read_all(file.get(), path, most, why);
}

auto read_standard_input(std::size_t most, std::string& why)
    -> std::optional<std::vector<std::byte>> {
  return read_all(stdin, "stdin", most, why);
}

auto write_file(const std::string& path, const_bytes bytes, std::string& why) -> bool {
  return replace_file(path, bytes, why);
}

auto make_folder(const std::string& path, std::string& why) -> bool {
  std::error_code failed;
  std::filesystem::create_directories(path, failed);
  if (!std::filesystem::is_directory(path, failed)) {
    why = path + ": the folder cannot be made";
    return false;
  }
  return true;
}

auto stem_of(const std::string& path) -> std::string {
  std::filesystem::path name = std::filesystem::path{path}.filename();
  const std::filesystem::path whole = name;
  if (name.extension() == ".zst") name = name.stem();
  if (name.extension() == ".aerogputrace") name = name.stem();
  return (name == "." || name == ".." ? whole : name).string();
}

auto join(const std::string& folder, const std::string& name) -> std::string {
  return (std::filesystem::path{folder} / name).string();
}

}  // namespace aerogpu::tool
