// SPDX-License-Identifier: MIT
/// Surfaces that several processes share, under every runtime and with both kinds of handles (T100
/// to T114 of the chapter's section 7).
#include "tests/drivers/support/d3d9_application.hpp"
#include "tests/drivers/umd/rigs/driver_profiles.hpp"
#include "tests/drivers/umd/rigs/quiet_system.hpp"

#include <array>
#include <memory>
#include <vector>

namespace aerogpu::test {

namespace {

using kind = sim::share_handle_kind;

/// A machine of either kind of handles, with a consumer.
struct sharing_machine {
  sharing_machine(const sim::runtime_options& options, kind shares)
      : w(real_driver(), options, desktop_with(shares)), consumer(w.runtime, 8) {
    consumer.start(d3d9_application::windowed(64, 32));
  }
  ~sharing_machine() { CHECK(w.reg(AEROGPU_MMIO_REG_ERROR_COUNT) == 0); }
  [[nodiscard]] static auto desktop_with(kind shares) -> sim::windows_options {
    auto options = running_windows<>::small_desktop();
    options.shares = shares;
    return options;
  }

  quiet_system quiet{driver_clock::steps};
  running_runtime<> w;
  d3d9_application consumer;
};

/// A process with a shared target that the consumer can open.
struct sharing_producer {
  sharing_producer(sharing_machine& on, std::uint32_t process) : app(on.w.runtime, process) {
    app.start(d3d9_application::windowed(64, 32));
    REQUIRE(app.device.create_shared_texture(16, 16, D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8,
                                             made) == S_OK);
    handle = app.process.duplicate_share(made->share, on.consumer.process);
  }

  d3d9_application app;
  sim::d3d9_resource* made = nullptr;
  D3DKMT_HANDLE handle = 0;  ///< The consumer's.
};

[[nodiscard]] auto fill(d3d9_application& app, sim::d3d9_resource& target) -> HRESULT {
  const auto filled = app.device.color_fill({&target, 0}, nullptr, 0xFF00FF00);
  return FAILED(filled) ? filled : app.device.flush();
}

}  // namespace

TEST_CASE("a surface of another process is opened, drawn to, and let go in either order",
          "[umd][portable][sharing][T100][T102][T109]") {
  const auto options = GENERATE(from_range(each_profile()));
  const auto shares = GENERATE(kind::global, kind::process_local);
  CAPTURE(name_of(options), shares);
  sharing_machine on{options, shares};
  sharing_producer producer{on, 9};
  REQUIRE(fill(producer.app, *producer.made) == S_OK);
  for (const bool is_alias_first : {true, false}) {
    sim::d3d9_resource* opened = nullptr;
    REQUIRE(on.consumer.device.open_shared(producer.handle, opened) == S_OK);
    CHECK(opened->description == producer.made->description);
    CHECK(fill(on.consumer, *opened) == S_OK);
    if (!is_alias_first) CHECK(producer.app.device.release(producer.made) == S_OK);
    CHECK(fill(on.consumer, *opened) == S_OK);
    CHECK(on.consumer.device.release(opened) == S_OK);
  }
  on.consumer.process.close_share(producer.handle);
}

TEST_CASE("one number names two surfaces in two processes, and each gets its own",
          "[umd][portable][sharing][T100][T102]") {
  const auto options = GENERATE(from_range(each_profile()));
  CAPTURE(name_of(options));
  sharing_machine on{options, kind::process_local};
  sharing_producer first{on, 9}, second{on, 10};
  REQUIRE(first.made->share == second.made->share);
  REQUIRE(first.handle != second.handle);
  for (sharing_producer* const each : {&first, &second}) {
    sim::d3d9_resource *own = nullptr, *others = nullptr;
    REQUIRE(each->app.device.open_shared(each->made->share, own) == S_OK);
    REQUIRE(on.consumer.device.open_shared(each->handle, others) == S_OK);
    CHECK(fill(each->app, *own) == S_OK);
    CHECK(fill(on.consumer, *others) == S_OK);
    CHECK(each->app.device.release(own) == S_OK);
    CHECK(on.consumer.device.release(others) == S_OK);
    on.consumer.process.close_share(each->handle);
  }
}

TEST_CASE("eight surfaces of eight processes, each opened twice, are filled in one submission",
          "[umd][portable][sharing][T112][T113]") {
  const auto options = GENERATE(from_range(some_profiles()));
  const auto shares = GENERATE(kind::global, kind::process_local);
  CAPTURE(name_of(options), shares);
  sharing_machine on{options, shares};
  std::vector<std::unique_ptr<sharing_producer>> producers;
  std::vector<sim::d3d9_resource*> opened;
  constexpr std::uint32_t surfaces = 8;
  for (std::uint32_t i = 0; i < surfaces; ++i) {
    producers.push_back(std::make_unique<sharing_producer>(on, 9 + i));
    for (int times = 0; times < 2; ++times) {
      opened.emplace_back();
      REQUIRE(on.consumer.device.open_shared(producers.back()->handle, opened.back()) == S_OK);
    }
  }
  REQUIRE(on.consumer.device.flush() == S_OK);
  const auto before = on.consumer.device.ddi.submissions();
  for (sim::d3d9_resource* const each : opened)
    REQUIRE(on.consumer.device.color_fill({each, 0}, nullptr, 0xFF0000FF) == S_OK);
  CHECK(on.consumer.device.flush() == S_OK);
  CHECK(on.consumer.device.ddi.submissions() == before + 1);
  for (sim::d3d9_resource*& each : opened) CHECK(on.consumer.device.release(each) == S_OK);
  for (const auto& each : producers) on.consumer.process.close_share(each->handle);
}

}  // namespace aerogpu::test
