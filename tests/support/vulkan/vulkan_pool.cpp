// SPDX-License-Identifier: MIT
#include "tests/support/vulkan/vulkan_pool.hpp"

#include "tests/catch.hpp"
#include "tests/support/vulkan/vulkan_limits.hpp"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace aerogpu::test {

namespace {

struct pool {
  std::vector<std::unique_ptr<vulkan::vulkan_backend>> all;
  std::vector<vulkan::vulkan_backend*> idle;
};

auto the_pool() -> pool& {
  static auto* const only = new pool;
  return *only;
}

/// Asked for after the layers were loaded, so that they still live when the backends go.
void close_at_exit() {
  std::atexit([] { the_pool().all.clear(); });
}

/// The layers are unloaded before objects of static storage go: backends must be closed earlier.
void close_all() {
  the_pool().idle.clear();
  the_pool().all.clear();
}

auto open_backend() -> std::unique_ptr<vulkan::vulkan_backend> {
  vulkan::backend_options options;
  options.validate = true;
  choose_limits(options);
  auto made = vulkan::vulkan_backend::create(options);
  if (!made) {
    std::fprintf(stderr, "these tests need a Vulkan device: %s\n", made.why().what);
    std::exit(1);
  }
  // Behind the layers' own handlers, so that it runs before them.
  static const bool is_registered = std::atexit(close_all) == 0;
  static_cast<void>(is_registered);
  return *std::move(made);
}

void give_back(vulkan::vulkan_backend* backend) {
  backend->reset();
  CHECK(backend->live_objects() == 0);
  CHECK(backend->validation_errors() == 0);
  the_pool().idle.push_back(backend);
}

}  // namespace

auto borrow_vulkan_backend() -> owned_backend<vulkan::vulkan_backend> {
  pool& from = the_pool();
  if (from.idle.empty()) {
    from.all.push_back(open_backend());
    if (from.all.size() == 1) close_at_exit();
    from.idle.push_back(from.all.back().get());
  }
  vulkan::vulkan_backend* const lent = from.idle.back();
  from.idle.pop_back();
  return {lent, give_back};
}

auto validation_errors_of_all() -> std::uint32_t {
  std::uint32_t errors = 0;
  for (const auto& backend : the_pool().all) errors += backend->validation_errors();
  return errors;
}

}  // namespace aerogpu::test
