// SPDX-License-Identifier: MIT
/// \file The procedure of full-screen windows among others.
#include "drivers/wine/d3d9/window/procedure_hook.hpp"

#include "tests/catch.hpp"

namespace aerogpu::test::hook_cases {
namespace {

enum class procedure { none, own, ours, of_program };

struct numbered_window {
  hook_cases::procedure& now;
  [[nodiscard]] auto procedure() const { return now; }
  void replace(hook_cases::procedure with) const { now = with; }
};

struct hook_rig {
  procedure now = procedure::own;
  d3d9::user::procedure_hook<procedure> hook{procedure::ours};

  void enter() { hook.enter(numbered_window{now}); }
  auto leave() -> bool { return hook.leave(numbered_window{now}); }
};

}  // namespace

TEST_CASE("a window gets its procedure back after full screen", "[wine][d3d9]") {
  hook_rig app;
  app.enter();
  CHECK(app.now == procedure::ours);
  CHECK(app.hook.before() == procedure::own);
  CHECK(app.leave());
  CHECK(app.now == procedure::own);
}

TEST_CASE("a procedure that a program put in front of full screen's stays there once",
          "[wine][d3d9]") {
  hook_rig app;
  app.enter();
  app.now = procedure::of_program;
  CHECK(!app.leave());
  CHECK(app.now == procedure::of_program);
  CHECK(app.hook.before() == procedure::own);
  app.enter();
  CHECK(app.now == procedure::of_program);
  CHECK(app.hook.before() == procedure::own);
  SECTION("and may still be there when it ends again") {
    CHECK(!app.leave());
    CHECK(app.hook.before() == procedure::own);
  }
  SECTION("and the window's own comes back once it is taken away") {
    app.now = procedure::ours;
    CHECK(app.leave());
    CHECK(app.now == procedure::own);
  }
}

TEST_CASE("a program that takes full screen's procedure away gets it again with the next",
          "[wine][d3d9]") {
  hook_rig app;
  app.enter();
  app.now = procedure::of_program;
  const bool is_taken_before_end = GENERATE(false, true);
  if (is_taken_before_end) app.now = procedure::own;
  CHECK(app.leave() == is_taken_before_end);
  app.now = procedure::own;
  app.enter();
  CHECK(app.now == procedure::ours);
  CHECK(app.hook.before() == procedure::own);
}

}  // namespace aerogpu::test::hook_cases
