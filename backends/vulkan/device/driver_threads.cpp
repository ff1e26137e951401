// SPDX-License-Identifier: MIT
#include "vulkan/device/driver_threads.hpp"

#include <algorithm>
#include <mutex>

#if defined(__linux__)
#include <array>
#include <charconv>
#include <cstdio>
#include <dirent.h>
#include <memory>
#include <string_view>
#include <sys/resource.h>
#endif

namespace aerogpu::vulkan {

namespace {

constinit std::mutex opening;

#if defined(__linux__)

/// Mesa names the workers so; a thread of the embedder's that begins meanwhile has another name.
constexpr std::string_view worker_name = "llvmpipe-";
constexpr std::size_t most_threads = 4096;

struct closer {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
  void operator()(DIR* folder) const noexcept { closedir(folder); }
};

auto is_worker(int id) noexcept -> bool {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "/proc/self/task/%d/comm", id);
  const std::unique_ptr<std::FILE, closer> file{std::fopen(text.data(), "re")};
  if (file == nullptr) return false;
  const std::size_t size = std::fread(text.data(), 1, text.size(), file.get());
  return std::string_view{text.data(), size}.starts_with(worker_name);
}

/// Of the process. Those that find no room, or no memory, keep their priority.
auto list_threads() noexcept -> heap_array<int> {
  heap_array<int> found;
  const std::unique_ptr<DIR, closer> tasks{opendir("/proc/self/task")};
  if (tasks == nullptr) return found;
  while (const dirent* const entry = readdir(tasks.get())) {
    const std::string_view name = entry->d_name;
    int id = 0;
    const auto parsed = std::from_chars(name.data(), name.data() + name.size(), id);
    if (parsed.ec != std::errc{}) continue;
    if (found.size() == most_threads || !found.push_back(id)) break;
  }
  return found;
}

auto give_lowest_priority(int id) noexcept -> bool {
  constexpr int lowest = 19;
  return is_worker(id) && setpriority(PRIO_PROCESS, static_cast<id_t>(id), lowest) == 0;
}

#else

auto is_worker(int) noexcept -> bool {
  return false;
}
auto list_threads() noexcept -> heap_array<int> {
  return {};
}
auto give_lowest_priority(int) noexcept -> bool {
  return false;
}

#endif

}  // namespace

driver_threads::watch_scope::watch_scope(driver_threads& into) noexcept : into_(into) {
  opening.lock();
  before_ = list_threads();
}

driver_threads::watch_scope::~watch_scope() {
  const heap_array<int> after = list_threads();
  const auto known = before_.view();
  for (const int id : after.view()) {
    const bool is_new = std::find(known.begin(), known.end(), id) == known.end();
    if (is_new && !into_.ids_.push_back(id)) break;
  }
  opening.unlock();
}

auto driver_threads::count() const noexcept -> std::size_t {
  const auto ids = ids_.view();
  return static_cast<std::size_t>(std::count_if(ids.begin(), ids.end(), is_worker));
}

auto driver_threads::lower_priority() const noexcept -> std::size_t {
  std::size_t lowered = 0;
  for (const int id : ids_.view()) {
    if (give_lowest_priority(id)) ++lowered;
  }
  return lowered;
}

}  // namespace aerogpu::vulkan
