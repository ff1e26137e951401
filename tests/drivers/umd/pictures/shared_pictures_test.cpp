// SPDX-License-Identifier: MIT
/// What the guest's programs show with surfaces of several processes and with state blocks, as
/// pictures.
#include "tests/drivers/umd/pictures/picture_rig.hpp"

#include <memory>

using namespace aerogpu;
using namespace aerogpu::test;
using golden::green;
using golden::red;

namespace {

/// A machine with either kind of shared handles, and a consumer with a window.
struct sharing_session {
  explicit sharing_session(sim::share_handle_kind kind)
      : w(real_driver(), {}, desktop_with(kind)), consumer(w, 8) {
    consumer.start_windowed();
  }
  ~sharing_session() { CHECK(w.reg(AEROGPU_MMIO_REG_ERROR_COUNT) == 0); }
  [[nodiscard]] static auto desktop_with(sim::share_handle_kind kind) -> sim::windows_options {
    auto options = stack::small_desktop();
    options.shares = kind;
    return options;
  }

  quiet_system quiet;
  stack w;
  picture_application consumer;
};

/// A process with a shared surface, and the consumer's name of it.
struct producer_of_surface {
  producer_of_surface(sharing_session& s, std::uint32_t process) : app(s.w, process) {
    app.start_windowed();
    REQUIRE(app.device.create_shared_texture(16, 16, D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8,
                                             made) == S_OK);
    handle = app.process.duplicate_share(made->share, s.consumer.process);
  }
  void show(D3DCOLOR color) {
    REQUIRE(app.device.color_fill({made, 0}, nullptr, color) == S_OK);
    REQUIRE(app.device.flush() == S_OK);
  }

  picture_application app;
  sim::d3d9_resource* made = nullptr;
  D3DKMT_HANDLE handle = 0;
};

}  // namespace

TEST_CASE("a consumer shows what eight producers drew, opened once or twice",
          "[umd][vulkan][sharing][G33]") {
  sharing_session s{
      GENERATE(sim::share_handle_kind::global, sim::share_handle_kind::process_local)};
  constexpr std::array<D3DCOLOR, 8> colors{0xFFFF0000, 0xFF00FF00, 0xFF0000FF, 0xFFFFFF00,
                                           0xFFFF00FF, 0xFF00FFFF, 0xFF808080, 0xFFFFFFFF};
  std::vector<std::unique_ptr<producer_of_surface>> producers;
  std::vector<sim::d3d9_resource*> opened;
  for (std::uint32_t i = 0; i < colors.size(); ++i) {
    producers.push_back(std::make_unique<producer_of_surface>(s, 9 + i));
    producers.back()->show(colors[i]);
    for (int times = 0; times < 2; ++times) {
      sim::d3d9_resource* alias = nullptr;
      REQUIRE(s.consumer.device.open_shared(producers.back()->handle, alias) == S_OK);
      opened.push_back(alias);
    }
  }
  s.consumer.clear(0xFF000000);
  const auto back = s.consumer.device.get_back_buffer(0);
  for (std::size_t i = 0; i < opened.size(); ++i) {
    // The second name of each surface shows it in the lower half.
    const RECT at = rect_of({static_cast<int>(i / 2) * 8, i % 2 == 0 ? 0 : 24, 8, 24});
    REQUIRE(s.consumer.device.stretch_rect({opened[i], 0}, nullptr, back, &at, D3DTEXF_POINT) ==
            S_OK);
  }
  check_picture(s.consumer,
                [&](int x, int) { return rgb_of(colors[static_cast<std::size_t>(x / 8)]); });
  for (sim::d3d9_resource*& one : opened) CHECK(s.consumer.device.release(one) == S_OK);
  for (const auto& one : producers) {
    CHECK(one->app.device.release(one->made) == S_OK);
    s.consumer.process.close_share(one->handle);
  }
}

TEST_CASE("a long exchange between two processes shows each frame's colour",
          "[umd][vulkan][sharing][G34]") {
  constexpr int frames = 60;
  sharing_session s{
      GENERATE(sim::share_handle_kind::global, sim::share_handle_kind::process_local)};
  producer_of_surface producer{s, 9};
  const golden::area at{8, 8, 48, 32};
  const RECT place = rect_of(at);
  for (int frame = 0; frame < frames; ++frame) {
    CAPTURE(frame);
    const D3DCOLOR color = 0xFF000000u | static_cast<D3DCOLOR>(frame * 0x030405);
    producer.show(color);
    // Allocations of both processes come and go beside the shared one.
    sim::d3d9_resource *own = nullptr, *alias = nullptr;
    REQUIRE(s.consumer.device.create_render_target(8, 8, D3DFMT_X8R8G8B8, true, own) == S_OK);
    REQUIRE(s.consumer.device.open_shared(producer.handle, alias) == S_OK);
    const auto back = s.consumer.device.get_back_buffer(0);
    s.consumer.clear(0xFFFF0000);
    REQUIRE(s.consumer.device.stretch_rect({alias, 0}, nullptr, back, &place, D3DTEXF_POINT) ==
            S_OK);
    if (frame % 10 == 9) {
      check_picture(s.consumer,
                    [&](int x, int y) { return at.contains(x, y) ? rgb_of(color) : red; });
    }
    REQUIRE(s.consumer.device.release(alias) == S_OK);
    REQUIRE(s.consumer.device.release(own) == S_OK);
  }
  CHECK(producer.app.device.release(producer.made) == S_OK);
  s.consumer.process.close_share(producer.handle);
}

TEST_CASE("a state block applies green, captures red, and applies that", "[umd][vulkan][G12]") {
  using entry = D3DDDI_DEVICEFUNCS;
  picture_session s{GENERATE(from_range(each_buffers()))};
  auto& device = s.app.device;
  // What was recorded colours the pixels; the clip status, palettes and gamma stay in the runtime.
  for (const auto& [operation, argument] :
       {std::pair{D3DTSS_COLOROP, D3DTSS_COLORARG1}, std::pair{D3DTSS_ALPHAOP, D3DTSS_ALPHAARG1}}) {
    REQUIRE(device.set_texture_stage_state(0, operation, D3DTOP_SELECTARG1) == S_OK);
    REQUIRE(device.set_texture_stage_state(0, argument, D3DTA_TFACTOR) == S_OK);
  }
  HANDLE block = nullptr;
  const auto state_set = [&](UINT operation) {
    D3DDDIARG_STATESET wanted{operation, D3DSBT_ALL, block};
    REQUIRE(device.ddi.ask<&entry::pfnStateSet>(wanted, &D3DDDIARG_STATESET::hStateSet) == S_OK);
    block = wanted.hStateSet;
  };
  const auto set_color = [&](D3DCOLOR color) {
    REQUIRE(device.set_render_state(D3DRS_TEXTUREFACTOR, color) == S_OK);
  };
  const auto check_drawn = [&](const rgba& color) {
    s.app.clear(0xFF0000FF);
    s.app.fill({0, 0, picture_width, picture_height}, 0xFF000000);
    check_picture(s.app, [&](int, int) { return color; });
  };
  state_set(D3DHAL_STATESETBEGIN);
  set_color(0xFF00FF00);
  state_set(D3DHAL_STATESETEND);
  set_color(0xFFFF0000);
  check_drawn(red);
  state_set(D3DHAL_STATESETEXECUTE);
  check_drawn(green);
  set_color(0xFFFF0000);
  state_set(D3DHAL_STATESETCAPTURE);
  set_color(0xFF00FF00);
  check_drawn(green);
  state_set(D3DHAL_STATESETEXECUTE);
  check_drawn(red);
  state_set(D3DHAL_STATESETDELETE);
}
