// SPDX-License-Identifier: MIT
#include "tests/drivers/support/d3d9_application.hpp"
#include "tests/drivers/umd/rigs/driver_profiles.hpp"
#include "tests/drivers/umd/rigs/quiet_system.hpp"

#include <algorithm>
#include <atomic>
#include <span>
#include <thread>
#include <vector>

using namespace aerogpu;

namespace {

using entry = D3DDDI_DEVICEFUNCS;

/// Profile M's runtime and one of profile U.
[[nodiscard]] auto either_runtime() -> sim::runtime_options {
  return GENERATE(from_range(test::with_profile_m({sim::portable_variance{}})));
}

/// One process with an adapter of it, on the whole stack below.
struct driver_session {
  explicit driver_session(const sim::runtime_options& options = {})
      : w(test::real_driver(), options), process(w.runtime, 7), adapter(process) {}

  test::quiet_system quiet{test::driver_clock::steps};
  test::running_runtime<> w;
  sim::d3d9_process process;
  sim::d3d9_adapter adapter;
};

}  // namespace

TEST_CASE("the driver opens for each generation of Direct3D and keeps its contract",
          "[umd][session]") {
  const auto generation = GENERATE(7u, 8u, 9u);
  driver_session s{either_runtime()};
  REQUIRE(s.adapter.open(generation) == S_OK);
  CHECK(s.adapter.close() == S_OK);
}

TEST_CASE("the driver answers what the runtime asks before it makes a device", "[umd][session]") {
  driver_session s;
  REQUIRE(s.adapter.open() == S_OK);
  D3DCAPS9 caps{};
  CHECK(s.adapter.get_device_caps(caps) == S_OK);
  CHECK(caps.MaxTextureWidth != 0);
  const auto formats = s.adapter.formats();
  REQUIRE(!formats.empty());
  CHECK(s.adapter.check_device_format(D3DFMT_X8R8G8B8, FORMATOP_DISPLAYMODE) == S_OK);
  CHECK(s.adapter.multisample_levels(D3DFMT_X8R8G8B8, D3DDDIMULTISAMPLE_NONE) == 1);
  CHECK(s.adapter.multisample_levels(D3DFMT_X8R8G8B8, D3DDDIMULTISAMPLE_4_SAMPLES) == 0);
  const auto queries = s.adapter.query_types();
  CHECK(std::find(queries.begin(), queries.end(), D3DDDIQUERYTYPE_EVENT) != queries.end());
}

TEST_CASE("GetCaps of every type and of every odd size stays in its buffer", "[umd][session]") {
  constexpr int types = 44;
  driver_session s{either_runtime()};
  REQUIRE(s.adapter.open() == S_OK);
  const auto size = GENERATE(1u, 3u, 4u, 20u, 303u, 304u, 2000u);
  for (int type = 0; type <= types + 1; ++type) {
    CAPTURE(type);
    std::vector<std::byte> data(size);
    static_cast<void>(s.adapter.ddi.get_caps(static_cast<D3DDDICAPS_TYPE>(type), {}, data));
  }
}

TEST_CASE("a device of the driver comes and goes, and leaves nothing", "[umd][session]") {
  driver_session s{either_runtime()};
  REQUIRE(s.adapter.open() == S_OK);
  for (int i = 0; i < 3; ++i) {
    sim::ddi_device device{s.adapter.ddi};
    REQUIRE(device.create() == S_OK);
    CHECK(device.call<&entry::pfnFlush>() == S_OK);
    CHECK(device.call<&entry::pfnFlush>() == S_OK);
    CHECK(device.destroy() == S_OK);
  }
}

TEST_CASE("several devices of several processes live side by side", "[umd][session]") {
  driver_session s{either_runtime()};
  REQUIRE(s.adapter.open() == S_OK);
  sim::d3d9_process other{s.w.runtime, 8};
  sim::d3d9_adapter its_adapter{other};
  REQUIRE(its_adapter.open() == S_OK);
  sim::ddi_device first{s.adapter.ddi};
  sim::ddi_device second{s.adapter.ddi};
  sim::ddi_device third{its_adapter.ddi};
  CHECK(first.create() == S_OK);
  CHECK(third.create() == S_OK);
  CHECK(second.create() == S_OK);
  CHECK(third.call<&entry::pfnFlush>() == S_OK);
  CHECK(first.destroy() == S_OK);
  CHECK(third.destroy() == S_OK);
  CHECK(second.destroy() == S_OK);
}

TEST_CASE("each callback of a device's life fails at its turn, and nothing is left",
          "[umd][session][faults]") {
  const auto options = either_runtime();
  const auto run = [&](std::uint32_t nth) {
    driver_session s{options};
    s.w.runtime.faults.fail(nth);
    if (SUCCEEDED(s.adapter.open())) {
      sim::ddi_device device{s.adapter.ddi};
      if (SUCCEEDED(device.create())) static_cast<void>(device.call<&entry::pfnFlush>());
    }
    return s.w.runtime.faults.count();
  };
  const auto calls = run(0);
  CHECK(calls >= 2);
  for (std::uint32_t nth = 1; nth <= calls; ++nth) {
    CAPTURE(nth);
    run(nth);
  }
}

TEST_CASE("processes make and end devices on threads of their own", "[umd][session][concurrent]") {
  constexpr std::uint32_t processes = 3;
  constexpr int rounds = 8;
  sim::pc_config config;
  config.is_concurrent = true;
  test::running_runtime<> w{
      test::real_driver(), {}, test::running_windows<>::small_desktop(), config};
  std::atomic<std::uint32_t> failures = 0;
  std::vector<std::thread> threads;
  for (std::uint32_t id = 0; id < processes; ++id) {
    threads.emplace_back([&, id] {
      const sim::thread_scope here{w.pc};
      sim::d3d9_process process{w.runtime, 7 + id};
      sim::d3d9_adapter adapter{process};
      if (FAILED(adapter.open())) ++failures;
      for (int i = 0; i < rounds; ++i) {
        sim::ddi_device device{adapter.ddi};
        if (FAILED(device.create()) || FAILED(device.call<&entry::pfnFlush>()) ||
            FAILED(device.destroy())) {
          ++failures;
        }
      }
    });
  }
  for (auto& one : threads) one.join();
  CHECK(failures.load() == 0);
}

TEST_CASE("the driver works in the smallest buffers that hold a submission", "[umd][session]") {
  sim::runtime_options options;
  options.spaces.sizes = {{256, 2}, {512, 3}};
  driver_session s{options};
  REQUIRE(s.adapter.open() == S_OK);
  sim::ddi_device device{s.adapter.ddi};
  REQUIRE(device.create() == S_OK);
  CHECK(device.call<&entry::pfnFlush>() == S_OK);
}

TEST_CASE("a texture larger than a buffer is uploaded, though each buffer has another size",
          "[umd][session]") {
  sim::runtime_options options;
  options.spaces.honours_resize = GENERATE(true, false);
  test::running_runtime<> w{test::real_driver(), options};
  test::d3d9_application app{w.runtime, 7};
  app.start(test::d3d9_application::windowed(64, 32));
  sim::d3d9_resource *memory = nullptr, *texture = nullptr;
  REQUIRE(app.device.create_texture(800, 600, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, memory) ==
          S_OK);
  REQUIRE(app.device.create_texture(800, 600, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, texture) ==
          S_OK);
  CHECK(app.device.update_texture(*memory, *texture) == S_OK);
  CHECK(app.device.flush() == S_OK);
  CHECK(w.reg(AEROGPU_MMIO_REG_ERROR_COUNT) == 0);
}

TEST_CASE("an event query is answered after the work before it", "[umd][session]") {
  test::running_runtime<> w{test::real_driver()};
  test::d3d9_application app{w.runtime, 7};
  app.start(test::d3d9_application::windowed(64, 32));
  sim::d3d9_query query;
  REQUIRE(app.device.create_query(D3DQUERYTYPE_EVENT, query) == S_OK);
  CHECK(app.device.set_render_state(D3DRS_ALPHAREF, 7) == S_OK);
  REQUIRE(app.device.issue(query, D3DISSUE_END) == S_OK);
  BOOL is_done = 0;
  const auto data = std::as_writable_bytes(std::span{&is_done, 1});
  HRESULT result = S_FALSE;
  constexpr int most_polls = 10'000'000;
  for (int i = 0; i < most_polls && result == S_FALSE; ++i)
    result = app.device.get_data(query, data, D3DGETDATA_FLUSH);
  CHECK(result == S_OK);
  CHECK(is_done == 1);
  CHECK(app.device.release(query) == S_OK);
}

TEST_CASE("an event query is answered though nothing but questions follows it",
          "[umd][session][T201]") {
  const test::quiet_system quiet{test::driver_clock::steps};
  test::running_runtime<> w{test::real_driver()};
  test::d3d9_application app{w.runtime, 7};
  app.start(test::d3d9_application::windowed(64, 32));
  sim::d3d9_query query;
  REQUIRE(app.device.create_query(D3DQUERYTYPE_EVENT, query) == S_OK);
  REQUIRE(app.device.clear({}, D3DCLEAR_TARGET, 0xFF00FF00, 1, 0) == S_OK);
  REQUIRE(app.device.issue(query, D3DISSUE_END) == S_OK);
  BOOL is_done = 0;
  const auto data = std::as_writable_bytes(std::span{&is_done, 1});
  HRESULT result = S_FALSE;
  constexpr int most_polls = 100'000;
  for (int i = 0; i < most_polls && result == S_FALSE; ++i)
    result = app.device.get_data(query, data, 0);
  CHECK(result == S_OK);
  CHECK(is_done == 1);
  CHECK(app.device.release(query) == S_OK);
}

TEST_CASE("two processes of the driver share a surface by either kind of handle",
          "[umd][session][sharing]") {
  auto options = test::running_windows<>::small_desktop();
  options.shares = GENERATE(sim::share_handle_kind::global, sim::share_handle_kind::process_local);
  test::running_runtime<> w{test::real_driver(), {}, options};
  test::d3d9_application producer{w.runtime, 7};
  test::d3d9_application consumer{w.runtime, 8};
  producer.start(test::d3d9_application::windowed(64, 32));
  consumer.start(test::d3d9_application::windowed(64, 32));
  sim::d3d9_resource* made = nullptr;
  REQUIRE(producer.device.create_shared_texture(16, 16, D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8,
                                                made) == S_OK);
  const auto handle = producer.process.duplicate_share(made->share, consumer.process);
  sim::d3d9_resource* opened = nullptr;
  REQUIRE(consumer.device.open_shared(handle, opened) == S_OK);
  CHECK(opened->description == made->description);
  CHECK(consumer.device.set_render_target(0, {opened, 0}) == S_OK);
  CHECK(producer.device.release(made) == S_OK);
  CHECK(consumer.device.set_render_target(0, consumer.device.get_back_buffer(0)) == S_OK);
  CHECK(consumer.device.release(opened) == S_OK);
  consumer.process.close_share(handle);
}

TEST_CASE("the desktop's primary is opened and presented to, whatever of its private data survives",
          "[umd][session][sharing][T114][case-175]") {
  auto options = test::running_windows<>::small_desktop();
  options.edits = GENERATE(sim::create_edits::kept, sim::create_edits::discarded,
                           sim::create_edits::discarded_for_standard);
  test::running_runtime<> w{test::real_driver(), {}, options};
  test::d3d9_application app{w.runtime, 7};
  app.start(test::d3d9_application::windowed(640, 480));
  auto& session = w.session.session();
  const D3DKMT_HANDLE handle =
      session.objects.share(session.objects.process_of(7), session.display.primary().resource);
  sim::d3d9_resource* primary = nullptr;
  REQUIRE(app.device.open_shared(handle, primary) == S_OK);
  CHECK(app.device.clear({}, D3DCLEAR_TARGET, 0xFF336699, 1, 0) == S_OK);
  CHECK(app.device.flush() == S_OK);
  D3DDDIARG_PRESENT present{};
  present.hSrcResource = app.device.get_back_buffer(0).resource->names.driver;
  present.hDstResource = primary->names.driver;
  present.Flags.Blt = 1;
  CHECK(app.device.ddi.present(present, {}) == S_OK);
  w.pc.settle();
  CHECK(w.pixel_in_memory(100, 100) == 0xFF336699);
  CHECK(w.reg(AEROGPU_MMIO_REG_ERROR_COUNT) == 0);
  CHECK(app.device.release(primary) == S_OK);
}

TEST_CASE(
    "a device with its swap chain and depth surface comes and goes, wherever a callback fails",
    "[umd][session][faults]") {
  const auto options = either_runtime();
  const auto run = [&](std::uint32_t nth) {
    const test::quiet_system quiet{test::driver_clock::steps};
    test::running_runtime<> w{test::real_driver(), options};
    w.runtime.faults.fail(nth);
    test::d3d9_application app{w.runtime, 7};
    auto wanted = test::d3d9_application::windowed(64, 32);
    wanted.EnableAutoDepthStencil = 1;
    wanted.AutoDepthStencilFormat = D3DFMT_D24S8;
    if (SUCCEEDED(app.adapter.open()) && SUCCEEDED(app.device.create(wanted)))
      static_cast<void>(app.device.flush());
    return w.runtime.faults.count();
  };
  const auto calls = run(0);
  CHECK(calls >= 4);
  for (std::uint32_t nth = 1; nth <= calls; ++nth) {
    CAPTURE(nth);
    run(nth);
  }
}

TEST_CASE("presents of a window and of the whole screen, wherever a callback fails",
          "[umd][session][faults]") {
  const auto options = either_runtime();
  const bool is_windowed = GENERATE(true, false);
  const auto run = [&](std::uint32_t nth) {
    const test::quiet_system quiet{test::driver_clock::steps};
    test::running_runtime<> w{test::real_driver(), options};
    test::d3d9_application app{w.runtime, 7};
    app.start(is_windowed ? test::d3d9_application::windowed(64, 32)
                          : test::d3d9_application::full_screen(640, 480, 2));
    REQUIRE(app.device.flush() == S_OK);
    w.runtime.faults.fail(nth);
    for (int frame = 0; frame < 3; ++frame) {
      static_cast<void>(app.device.clear({}, D3DCLEAR_TARGET, 0xFF00FF00, 1, 0));
      const HRESULT presented = app.device.present_ex();
      if (nth == 0) CHECK(presented == S_OK);
    }
    return w.runtime.faults.count();
  };
  const auto calls = run(0);
  CHECK(calls >= 6);
  for (std::uint32_t nth = 1; nth <= calls; ++nth) {
    CAPTURE(nth);
    run(nth);
  }
}
