// SPDX-License-Identifier: MIT
/// \file A full-screen device that ends while its window's thread tells it something.
#include "drivers/wine/d3d9/window/activation_listener.hpp"

#include "tests/catch.hpp"

#include <atomic>
#include <chrono>
#include <thread>

namespace aerogpu::test {
namespace {

/// Stays in a call until its end is over, or so long that its end waits for it.
struct slow_listener {
  std::atomic<bool> is_told = false;
  std::atomic<bool> is_over = false;
  bool has_outlived_call = true;

  static void hear(void* context, bool) {
    auto& self = *static_cast<slow_listener*>(context);
    self.is_told = true;
    const auto last = std::chrono::steady_clock::now() + std::chrono::milliseconds{200};
    while (!self.is_over && std::chrono::steady_clock::now() < last) std::this_thread::yield();
    self.has_outlived_call = !self.is_over;
  }
};

}  // namespace

TEST_CASE("the end of a listener waits for the call that is in progress", "[wine][d3d9]") {
  slow_listener app;
  d3d9::user::activation_listener listener;
  listener.set(&slow_listener::hear, &app);
  bool is_heard = false;
  std::thread window{[&] { is_heard = listener.tell(true); }};
  while (!app.is_told) std::this_thread::yield();
  listener.clear();
  app.is_over = true;
  window.join();
  CHECK(is_heard);
  CHECK(app.has_outlived_call);
}

TEST_CASE("a listener that has ended is not told", "[wine][d3d9]") {
  static int calls = 0;
  calls = 0;
  d3d9::user::activation_listener listener;
  CHECK(!listener.tell(true));
  listener.set([](void*, bool) { ++calls; }, nullptr);
  CHECK(listener.tell(false));
  listener.clear();
  CHECK(!listener.tell(true));
  CHECK(calls == 1);
}

TEST_CASE("a listener that another one followed ends without it", "[wine][d3d9]") {
  int first = 0;
  int second = 0;
  const auto count = [](void* context, bool) { ++*static_cast<int*>(context); };
  d3d9::user::activation_listener listener;
  listener.set(count, &first);
  listener.set(count, &second);
  CHECK(!listener.clear_of(&first));
  CHECK(listener.tell(true));
  CHECK(listener.clear_of(&second));
  CHECK(!listener.tell(true));
  CHECK(first == 0);
  CHECK(second == 1);
}

}  // namespace aerogpu::test
