// SPDX-License-Identifier: MIT
#include "aerogpu/abi/mmio.h"
#include "tests/drivers/support/d3d9_application.hpp"
#include "tests/drivers/umd/rigs/fake_umd.hpp"

#include <array>
#include <vector>

using namespace aerogpu;
using test::d3d9_application;

namespace {

/// A Windows with processes of the fake driver.
struct present_session {
  explicit present_session(
      const sim::windows_options& windows = test::running_windows<>::small_desktop())
      : w(test::use_fake_umd(), {}, windows) {}

  test::running_runtime<> w;
  test::fake_umd& driver = test::the_fake_umd();
};

[[nodiscard]] auto with_shares(sim::share_handle_kind kind) -> sim::windows_options {
  auto options = test::running_windows<>::small_desktop();
  options.shares = kind;
  return options;
}

}  // namespace

TEST_CASE("a windowed present is a flush, and a copy to the window's place",
          "[sim][d3d9][present]") {
  present_session s;
  d3d9_application app{s.w.runtime, 7};
  app.start(d3d9_application::windowed(64, 32));
  app.device.window.client = {10, 20, 74, 52};
  CHECK(app.device.present_ex() == S_OK);
  REQUIRE(s.driver.presents.size() == 1);
  CHECK(s.driver.presents[0].Flags.Blt == 1);
  CHECK(s.driver.presents[0].hDstResource == nullptr);
  CHECK(app.device.get_last_present_count() == 1);
  CHECK(s.driver.calls_of(sim::index_of(&D3DDDI_DEVICEFUNCS::pfnFlush)) == 1);
}

TEST_CASE("an occluded window is not presented to, but counts", "[sim][d3d9][present]") {
  present_session s;
  d3d9_application app{s.w.runtime, 7};
  app.start(d3d9_application::windowed(64, 32));
  app.device.window.is_occluded = true;
  CHECK(app.device.check_device_state() == S_PRESENT_OCCLUDED);
  CHECK(app.device.present_ex() == S_PRESENT_OCCLUDED);
  CHECK(s.driver.presents.empty());
  CHECK(app.device.get_last_present_count() == 1);
}

TEST_CASE("full-screen sets the mode, flips, and gives the desktop back", "[sim][d3d9][present]") {
  present_session s;
  const auto width = [&] { return s.w.reg(AEROGPU_MMIO_REG_SCANOUT0_WIDTH); };
  {
    d3d9_application app{s.w.runtime, 7};
    app.start(d3d9_application::full_screen(1024, 768, 2));
    CHECK(width() == 1024);
    REQUIRE(s.driver.resources.size() == 1);
    CHECK(s.driver.resources[0].SurfCount == 3);
    CHECK(s.driver.resources[0].Flags.Primary == 1);
    CHECK(s.driver.resources[0].VidPnSourceId == 0);
    const auto first = app.device.get_back_buffer(0);
    const auto second = app.device.get_back_buffer(1);
    CHECK(second.resource == first.resource);
    CHECK(second.index == first.index + 1);
    CHECK(app.device.get_back_buffer(2).resource == nullptr);
    REQUIRE(app.device.present_ex() == S_OK);
    CHECK(s.driver.presents[0].Flags.Flip == 1);
    CHECK(s.driver.calls_of(sim::index_of(&D3DDDI_DEVICEFUNCS::pfnFlush)) == 0);
    CHECK(s.driver.presents[0].hSrcResource == first.resource->names.driver);
    CHECK(s.driver.presents[0].SrcSubResourceIndex == first.index);
    CHECK(app.device.get_back_buffer(0) == second);
    CHECK(s.driver.targets.back().hRenderTarget == second.resource->names.driver);
    CHECK(s.driver.targets.back().SubResourceIndex == second.index);
    REQUIRE(app.device.wait_for_vblank() == S_OK);
    REQUIRE(app.device.wait_for_vblank() == S_OK);
    D3DPRESENTSTATS statistics{};
    CHECK(app.device.get_present_stats(statistics) == S_OK);
    CHECK(statistics.PresentCount == 1);
    CHECK(app.device.check_device_state() == S_OK);
  }
  CHECK(width() == 640);
}

TEST_CASE("a window's chain is one resource too, whose surfaces are presented by their index",
          "[sim][d3d9][present]") {
  present_session s;
  d3d9_application app{s.w.runtime, 7};
  auto wanted = d3d9_application::windowed(64, 32);
  wanted.BackBufferCount = GENERATE(1u, 3u);
  app.start(wanted);
  REQUIRE(s.driver.resources.size() == 1);
  CHECK(s.driver.resources[0].SurfCount == wanted.BackBufferCount);
  CHECK(s.driver.resources[0].Flags.Primary == 0);
  app.device.window.client = {0, 0, 64, 32};
  for (UINT frame = 0; frame < 4; ++frame) {
    CHECK(app.device.present_ex() == S_OK);
    CHECK(s.driver.presents.back().SrcSubResourceIndex == frame % wanted.BackBufferCount);
  }
}

TEST_CASE("ResetEx goes from a window to full-screen and back", "[sim][d3d9][present]") {
  present_session s;
  d3d9_application app{s.w.runtime, 7};
  app.start(d3d9_application::windowed(64, 32));
  sim::d3d9_resource* kept = nullptr;
  REQUIRE(app.device.create_render_target(16, 16, D3DFMT_A8R8G8B8, false, kept) == S_OK);
  REQUIRE(app.device.reset_ex(d3d9_application::full_screen(800, 600, 1)) == S_OK);
  CHECK(s.w.reg(AEROGPU_MMIO_REG_SCANOUT0_WIDTH) == 800);
  CHECK(app.device.present_ex() == S_OK);
  REQUIRE(app.device.reset_ex(d3d9_application::windowed(32, 32)) == S_OK);
  CHECK(s.w.reg(AEROGPU_MMIO_REG_SCANOUT0_WIDTH) == 640);
  CHECK(app.device.get_back_buffer(0).part().width == 32);
  CHECK(app.device.release(kept) == S_OK);
  auto bad = d3d9_application::windowed(32, 32);
  bad.FullScreen_RefreshRateInHz = 60;
  CHECK(app.device.reset_ex(bad) == D3DERR_INVALIDCALL);
  CHECK(app.device.present_ex() == S_OK);
}

TEST_CASE("the frame latency bounds the presents that are queued", "[sim][d3d9][present]") {
  constexpr DWORD donotwait = 1;
  present_session s;
  d3d9_application app{s.w.runtime, 7};
  app.start(d3d9_application::full_screen(640, 480, 3));
  const auto limit = GENERATE(1u, 2u, 5u);
  REQUIRE(app.device.set_maximum_frame_latency(limit) == S_OK);
  UINT seen = 0;
  CHECK(app.device.get_maximum_frame_latency(seen) == S_OK);
  CHECK(seen == limit);
  for (UINT i = 0; i < limit; ++i) CHECK(app.device.present_ex(donotwait) == S_OK);
  const auto calls = s.driver.presents.size();
  CHECK(app.device.present_ex(donotwait) == D3DERR_WASSTILLDRAWING);
  CHECK(s.driver.presents.size() == calls);
  const auto before = s.w.pc.clock.now_ns();
  CHECK(app.device.present_ex() == S_OK);
  CHECK(s.w.pc.clock.now_ns() > before);
}

TEST_CASE("the frame latency is 1 to 20, and 0 is the default", "[sim][d3d9][present]") {
  present_session s;
  d3d9_application app{s.w.runtime, 7};
  app.start(d3d9_application::windowed(64, 32));
  const auto [wanted, result, seen] =
      GENERATE(Catch::Generators::table<UINT, HRESULT, UINT>({{0u, S_OK, 3u},
                                                              {1u, S_OK, 1u},
                                                              {16u, S_OK, 16u},
                                                              {20u, S_OK, 16u},
                                                              {21u, D3DERR_INVALIDCALL, 3u}}));
  CHECK(app.device.set_maximum_frame_latency(wanted) == result);
  UINT frames = 0;
  CHECK(app.device.get_maximum_frame_latency(frames) == S_OK);
  CHECK(frames == seen);
}

TEST_CASE("processes share a surface by either kind of handle", "[sim][d3d9][sharing]") {
  const auto kind = GENERATE(sim::share_handle_kind::global, sim::share_handle_kind::process_local);
  present_session s{with_shares(kind)};
  d3d9_application producer{s.w.runtime, 7};
  d3d9_application consumer{s.w.runtime, 8};
  producer.start(d3d9_application::windowed(64, 32));
  consumer.start(d3d9_application::windowed(64, 32));
  sim::d3d9_resource* made = nullptr;
  REQUIRE(producer.device.create_shared_texture(48, 24, D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8,
                                                made) == S_OK);
  REQUIRE(made->share != 0);
  const auto handle = producer.process.duplicate_share(made->share, consumer.process);
  REQUIRE(handle != 0);
  if (kind == sim::share_handle_kind::global) CHECK(handle == made->share);
  sim::d3d9_resource* opened = nullptr;
  REQUIRE(consumer.device.open_shared(handle, opened) == S_OK);
  CHECK(opened->description == made->description);
  CHECK(consumer.device.open_shared(0x1234, opened) == E_INVALIDARG);
  // The opener outlives the creator.
  CHECK(producer.device.release(made) == S_OK);
  consumer.process.close_share(handle);
  CHECK(opened == nullptr);
}

TEST_CASE("one number names two surfaces in two processes", "[sim][d3d9][sharing]") {
  present_session s{with_shares(sim::share_handle_kind::process_local)};
  d3d9_application a{s.w.runtime, 7};
  d3d9_application b{s.w.runtime, 8};
  a.start(d3d9_application::windowed(64, 32));
  b.start(d3d9_application::windowed(64, 32));
  sim::d3d9_resource* of_a = nullptr;
  sim::d3d9_resource* of_b = nullptr;
  REQUIRE(a.device.create_shared_texture(48, 24, 0, D3DFMT_A8R8G8B8, of_a) == S_OK);
  REQUIRE(b.device.create_shared_texture(16, 16, 0, D3DFMT_A8R8G8B8, of_b) == S_OK);
  CHECK(of_a->share == of_b->share);
  sim::d3d9_resource* again = nullptr;
  REQUIRE(b.device.open_shared(of_b->share, again) == S_OK);
  CHECK(again->description.width == 16);
  a.process.close_share(of_a->share);
  b.process.close_share(of_b->share);
}

TEST_CASE("the compositor's frame is a copy between marks, and a flush", "[sim][d3d9][sharing]") {
  present_session s;
  d3d9_application app{s.w.runtime, 7};
  d3d9_application compositor{s.w.runtime, 8};
  app.start(d3d9_application::windowed(64, 32));
  compositor.start(d3d9_application::windowed(64, 32));
  sim::d3d9_resource* window = nullptr;
  REQUIRE(compositor.device.create_shared_texture(64, 32, D3DUSAGE_RENDERTARGET, D3DFMT_X8R8G8B8,
                                                  window) == S_OK);
  sim::d3d9_resource* redirected = nullptr;
  REQUIRE(app.device.open_shared(window->share, redirected) == S_OK);
  CHECK(app.device.present_to({redirected, 0}) == S_OK);
  CHECK(s.driver.blts.back().Flags.BeginPresentToDwm == 1);
  CHECK(s.driver.blts.back().Flags.EndPresentToDwm == 1);
  CHECK(app.device.ddi.submissions() == 1);
}

TEST_CASE("GetData flushes once for each Issue, and never waits", "[sim][d3d9]") {
  present_session s;
  d3d9_application app{s.w.runtime, 7};
  app.start(d3d9_application::windowed(64, 32));
  sim::d3d9_query query;
  REQUIRE(app.device.create_query(D3DQUERYTYPE_EVENT, query) == S_OK);
  CHECK(app.device.issue(query, D3DISSUE_BEGIN) == D3DERR_INVALIDCALL);
  CHECK(app.device.issue(query, D3DISSUE_END) == S_OK);
  CHECK(s.driver.issue.Flags.End == 1);
  s.driver.polls_until_done = 5;
  BOOL is_done = 0;
  const auto data = std::as_writable_bytes(std::span{&is_done, 1});
  CHECK(app.device.get_data(query, data, 0) == S_FALSE);
  CHECK(app.device.ddi.submissions() == 0);
  CHECK(app.device.get_data(query, data, D3DGETDATA_FLUSH) == S_FALSE);
  CHECK(app.device.get_data(query, data, D3DGETDATA_FLUSH) == S_FALSE);
  CHECK(app.device.ddi.submissions() == 1);
  CHECK(app.device.get_data(query, {}, 0) == S_FALSE);
  CHECK(app.device.get_data(query, data, 0) == S_OK);
  CHECK(is_done == 1);
  CHECK(app.device.release(query) == S_OK);
  CHECK(app.device.create_query(D3DQUERYTYPE_OCCLUSION, query) == D3DERR_NOTAVAILABLE);
}

TEST_CASE("each callback fails at its turn, and nothing is left behind", "[sim][d3d9][faults]") {
  const auto run = [](std::uint32_t nth) {
    present_session s;
    s.w.runtime.faults.fail(nth);
    {
      d3d9_application app{s.w.runtime, 7};
      REQUIRE(app.adapter.open() == S_OK);
      if (SUCCEEDED(app.device.create(d3d9_application::windowed(64, 32)))) {
        static_cast<void>(app.device.present_ex());
        static_cast<void>(app.device.flush());
      }
    }
    CHECK(s.w.runtime.rules.count() == 0);
    return s.w.runtime.faults.count();
  };
  const auto calls = run(0);
  // Context, marker, back buffer, a submission, a present, another one, and the releases.
  CHECK(calls >= 9);
  for (std::uint32_t nth = 1; nth <= calls; ++nth) {
    CAPTURE(nth);
    run(nth);
  }
}

TEST_CASE("submissions in the smallest buffers, and wishes that are granted or not",
          "[sim][d3d9]") {
  sim::runtime_options options;
  options.spaces.sizes = {{1024, 8}};
  options.spaces.honours_resize = GENERATE(true, false);
  test::running_runtime<> w{test::use_fake_umd(), options};
  auto& driver = test::the_fake_umd();
  driver.wishes_larger = true;
  d3d9_application app{w.runtime, 7};
  app.start(d3d9_application::windowed(64, 32));
  CHECK(app.device.flush() == S_OK);
  CHECK(app.device.flush() == S_OK);
  const bool grows = options.spaces.honours_resize;
  CHECK(driver.command_sizes == (grows ? std::vector<std::uint32_t>{1024, 2048, 4096}
                                       : std::vector<std::uint32_t>{1024, 1024, 1024}));
}

TEST_CASE("a timeout takes the device, and a new one works", "[sim][d3d9][loss]") {
  present_session s;
  d3d9_application app{s.w.runtime, 7};
  app.start(d3d9_application::windowed(64, 32));
  CHECK(app.device.check_device_state() == S_OK);
  s.w.session.session().scheduler.reset_from_timeout();
  CHECK(app.device.check_device_state() == D3DERR_DEVICELOST);
  CHECK(app.device.present_ex() == D3DERR_DEVICEREMOVED);
  CHECK(app.device.flush() == D3DERR_DEVICEREMOVED);
  CHECK(app.device.destroy() == S_OK);
  CHECK(app.device.create(d3d9_application::windowed(64, 32)) == S_OK);
  CHECK(app.device.present_ex() == S_OK);
}

TEST_CASE("a process that is ended leaves nothing, and its driver no breach", "[sim][d3d9][loss]") {
  present_session s;
  d3d9_application other{s.w.runtime, 8};
  other.start(d3d9_application::windowed(64, 32));
  {
    d3d9_application app{s.w.runtime, 7};
    app.start(d3d9_application::full_screen(800, 600, 1));
    CHECK(app.device.present_ex() == S_OK);
    app.process.terminate();
    CHECK(app.device.present_ex() != S_OK);
  }
  CHECK(s.w.session.session().objects.process_of(7).handles.size() == 0);
  CHECK(s.w.reg(AEROGPU_MMIO_REG_SCANOUT0_WIDTH) == 640);
  CHECK(other.device.present_ex() == S_OK);
}

TEST_CASE("sleep and resume keep a device that was idle", "[sim][d3d9][loss]") {
  present_session s;
  d3d9_application app{s.w.runtime, 7};
  app.start(d3d9_application::windowed(64, 32));
  CHECK(app.device.present_ex() == S_OK);
  REQUIRE(s.w.session.sleep() == STATUS_SUCCESS);
  REQUIRE(s.w.session.wake() == STATUS_SUCCESS);
  CHECK(app.device.check_device_state() == S_OK);
  CHECK(app.device.present_ex() == S_OK);
}

TEST_CASE("a mode change of another process is seen by CheckDeviceState", "[sim][d3d9]") {
  present_session s;
  d3d9_application window{s.w.runtime, 7};
  window.start(d3d9_application::windowed(64, 32));
  d3d9_application game{s.w.runtime, 8};
  game.start(d3d9_application::full_screen(800, 600, 1));
  CHECK(window.device.check_device_state() == S_PRESENT_MODE_CHANGED);
  CHECK(game.device.check_device_state() == S_OK);
  CHECK(window.adapter.display_mode()->Width == 800);
}
