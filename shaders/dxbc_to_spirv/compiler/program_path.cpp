// SPDX-License-Identifier: MIT
#include "dxbc_to_spirv/compiler/program_path.hpp"

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <unistd.h>

// Whoever compiles the folder without its build leaves these out.
#if __has_include(<program_place.hpp>)
#include <program_place.hpp>
#else
#define AEROGPU_LIBEXEC_FOLDER ""
#define AEROGPU_INSTALLED_COMPILER ""
#define AEROGPU_BUILD_FOLDER ""
#define AEROGPU_BUILT_COMPILER ""
#endif

namespace aerogpu::dxbc {
namespace {

static_assert(longest_path >= PATH_MAX);

/// Where the program that runs lies, without the name, or nothing.
auto own_folder(path_buffer& into) noexcept -> std::string_view {
  const ssize_t size = readlink("/proc/self/exe", into.data(), into.size());
  if (size <= 0 || static_cast<std::size_t>(size) >= into.size()) return {};
  const std::string_view path{into.data(), static_cast<std::size_t>(size)};
  return path.substr(0, path.rfind('/'));
}

/// Whether `folder`, where the running program lies, is within the build folder.
auto is_in_build_folder(std::string_view folder) noexcept -> bool {
  path_buffer resolved;
  if (*AEROGPU_BUILD_FOLDER == '\0' || realpath(AEROGPU_BUILD_FOLDER, resolved.data()) == nullptr)
    return false;
  const std::string_view root{resolved.data()};
  return folder.starts_with(root) && (folder.size() == root.size() || folder[root.size()] == '/');
}

auto is_program(const path_buffer& path) noexcept -> bool {
  return access(path.data(), X_OK) == 0;
}

/// Writes folder, middle and the program's name. False when that is too long or no program.
auto try_path(std::string_view folder, const char* middle, path_buffer& found) noexcept -> bool {
  const int size =
      std::snprintf(found.data(), found.size(), "%.*s%s/%s", static_cast<int>(folder.size()),
                    folder.data(), middle, compiler_program_name);
  return size > 0 && static_cast<std::size_t>(size) < found.size() && is_program(found);
}

auto take_path(const char* path, path_buffer& found) noexcept -> bool {
  const std::size_t size = std::strlen(path);
  if (size >= found.size()) return false;
  std::memcpy(found.data(), path, size + 1);
  return is_program(found);
}

auto search(path_buffer& found) noexcept -> bool {
  constexpr bool has_folder = *AEROGPU_LIBEXEC_FOLDER != '\0';
  path_buffer own;
  const std::string_view folder = own_folder(own);
  if (!folder.empty()) {
    if (try_path(folder, "", found)) return true;
    if (has_folder && try_path(folder, "/../" AEROGPU_LIBEXEC_FOLDER, found)) return true;
    if (is_in_build_folder(folder) && take_path(AEROGPU_BUILT_COMPILER, found)) return true;
  }
  return take_path(AEROGPU_INSTALLED_COMPILER, found);
}

}  // namespace

auto find_compiler_program(const char* chosen, path_buffer& found) noexcept -> result<void> {
  if (*chosen == '\0') {
    const char* const named = secure_getenv(compiler_variable_name);
    if (named != nullptr) chosen = named;
  }
  const bool is_chosen = *chosen != '\0';
  if (is_chosen ? take_path(chosen, found) : search(found)) return {};
  if (is_chosen)
    return make_error(error_code::unsupported,
                      "there is no program at the path chosen for the shader compiler "
                      "(shader_compiler_program or AEROGPU_SHADER_COMPILER)");
  return make_error(error_code::unsupported,
                    "the program aerogpu-shader-compiler is not found: install it, name it in "
                    "shader_compiler_program or AEROGPU_SHADER_COMPILER, or choose to compile in "
                    "this process");
}

}  // namespace aerogpu::dxbc
