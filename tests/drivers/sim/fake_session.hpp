// SPDX-License-Identifier: MIT
/// \file A driver without a device, started, and a process with a device and a context of it.
#pragma once

#include "drivers/sim/kernel/desktop_session.hpp"
#include "tests/drivers/sim/fake_driver.hpp"
#include "tests/drivers/support/kernel_client.hpp"
#include "tests/drivers/support/simulated_pc.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace aerogpu::test {

struct fake_session : simulated_pc<> {
  explicit fake_session(const sim::windows_options& options = {},
                        const std::function<void(fake_driver&)>& choose = {})
      : driver(use_fake_driver(windows)) {
    if (choose) choose(driver);
    REQUIRE(windows.start() == STATUS_SUCCESS);
    upper.emplace(windows, options);
    app.emplace(*upper);
    REQUIRE(app->open() == STATUS_SUCCESS);
  }
  ~fake_session() {
    driver.does = misdeed::none;
    driver.completes_at_once = true;
    driver.complete_all();
    app->close();
    CHECK(driver.open_allocations == 0);
    CHECK(driver.live_allocations == 0);
    upper.reset();
    windows.stop_device();
    windows.remove_device();
    windows.unload();
  }

  [[nodiscard]] auto create() -> opening {
    auto made = app->create(sim::byte_list(8));
    REQUIRE(made != nullptr);
    return made;
  }
  /// A command of that many bytes, which writes to all of them.
  [[nodiscard]] auto render(const std::vector<opening>& written = {}, std::size_t size_bytes = 64)
      -> NTSTATUS {
    std::vector<sim::list_line> lines;
    for (const auto& one : written) lines.push_back({one, true});
    return app->render(sim::byte_list(size_bytes), std::move(lines));
  }
  void fill(const opening& one, int value) {
    REQUIRE(app->fill(one, driver.allocation_bytes, value));
  }
  [[nodiscard]] auto holds(const opening& one, int value) -> bool {
    return app->holds(one, driver.allocation_bytes, value);
  }

  fake_driver& driver;
  std::optional<sim::desktop_session> upper;
  std::optional<kernel_client> app;
};

}  // namespace aerogpu::test
