// SPDX-License-Identifier: MIT
/// The whole stack under each runtime that speaks profile U: submissions, buffers, fences (T010 to
/// T028 of the chapter's section 7).
#include "drivers/sim/runtime/portable/device.hpp"
#include "tests/drivers/support/d3d9_application.hpp"
#include "tests/drivers/umd/rigs/driver_profiles.hpp"
#include "tests/drivers/umd/rigs/quiet_system.hpp"
#include "tests/drivers/umd/session/session_script.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <thread>
#include <vector>

namespace aerogpu::test {

namespace {

/// An application with a window under one runtime of profile U.
struct portable_session {
  explicit portable_session(const sim::portable_variance& how,
                            const sim::runtime_options& options = {})
      : w(real_driver(), portable_runtime(how, options)), app(w.runtime, 7) {
    app.start(d3d9_application::windowed(64, 32));
    REQUIRE(app.device.flush() == S_OK);
  }
  ~portable_session() { CHECK(w.reg(AEROGPU_MMIO_REG_ERROR_COUNT) == 0); }
  [[nodiscard]] auto counts() -> const sim::portable_counts& {
    return app.device.ddi.portable->counts();
  }
  [[nodiscard]] auto draw() -> HRESULT {
    return app.device.clear({}, D3DCLEAR_TARGET, 0xFF204060, 1, 0);
  }

  quiet_system quiet{driver_clock::steps};
  running_runtime<> w;
  d3d9_application app;
};

[[nodiscard]] auto any_variance() -> sim::portable_variance {
  return GENERATE(from_range(tested_variances()));
}

/// The callback that umd-d3d9.md 4.5 chooses for a present.
[[nodiscard]] auto present_callback(const sim::portable_routes& routes) -> sim::callback {
  if (routes.has_present) return sim::callback::present;
  if (routes.has_render && routes.has_present_bit) return sim::callback::render;
  return routes.has_submit_command ? sim::callback::submit_command : sim::callback::render;
}

/// Buffers of these sizes, whatever the driver asks for.
[[nodiscard]] auto small_buffers(std::vector<sim::space_size> sizes) -> sim::runtime_options {
  sim::runtime_options options;
  options.spaces.sizes = std::move(sizes);
  options.spaces.honours_resize = false;
  return options;
}

}  // namespace

TEST_CASE("the environment chooses profile U, and without it a runtime speaks M",
          "[umd][portable]") {
  constexpr const char* name = "AEROGPU_D3D9_OPENADAPTER_PROFILE";
  const auto [value, profile] = GENERATE(table<const char*, sim::ddi_profile>(
      {{"U", sim::ddi_profile::u}, {"M", sim::ddi_profile::m}, {"x", sim::ddi_profile::m}}));
  const char* const before = std::getenv(name);
  const std::string kept = before != nullptr ? before : "";
  REQUIRE(setenv(name, value, 1) == 0);
  CHECK(sim::profile_of_environment() == profile);
  CHECK(sim::runtime_options{}.profile == profile);
  REQUIRE(unsetenv(name) == 0);
  CHECK(sim::profile_of_environment() == sim::ddi_profile::m);
  if (before != nullptr) REQUIRE(setenv(name, kept.c_str(), 1) == 0);
}

TEST_CASE("the runtimes of profile U are all combinations, and a few have each choice",
          "[umd][portable]") {
  // Eight routes; two owners of buffers that have no DMA buffer and two that have; two switches.
  CHECK(sim::each_portable_variance().size() == 8 * (2 * 4 + 2 * 8));
  const auto few = sim::some_portable_variances();
  CHECK(few.size() == 8 * 4);
  for (const bool is_on : {false, true}) {
    const auto has = [&](bool sim::portable_variance::*choice) {
      return std::any_of(few.begin(), few.end(),
                         [&](const auto& how) { return how.*choice == is_on; });
    };
    CHECK(has(&sim::portable_variance::lies_in_dma_buffer));
    CHECK(has(&sim::portable_variance::has_patches));
    CHECK(has(&sim::portable_variance::has_sync_object));
    CHECK(has(&sim::portable_variance::has_create_context2));
  }
}

TEST_CASE("a driver without the export that a runtime of profile U opens is no driver of it",
          "[umd][portable]") {
  const quiet_system quiet{driver_clock::steps};
  running_runtime<> w{{&umd::front_m::open_adapter}, portable_runtime({})};
  sim::d3d9_process process{w.runtime, 7};
  sim::d3d9_adapter adapter{process};
  CHECK(adapter.open() == E_NOINTERFACE);
}

TEST_CASE("each submission of profile U comes as its runtime takes it, typed and else zero",
          "[umd][portable][T010][T011][T012][T013][T015][T016][T020]") {
  const auto how = any_variance();
  CAPTURE(describe(how));
  portable_session s{how};
  const auto before = s.counts();
  constexpr std::uint32_t frames = 3;
  for (std::uint32_t frame = 0; frame < frames; ++frame) {
    REQUIRE(s.draw() == S_OK);
    REQUIRE(s.app.device.present_ex() == S_OK);
  }
  // Contract and types are what the runtime itself sees to; here is who brought how many.
  const auto after = s.counts();
  CHECK(after.render_typed - before.render_typed == frames);
  CHECK(after.present_typed - before.present_typed == frames);
  const auto through = present_callback(how.routes);
  const std::uint32_t by_render = after.render - before.render;
  const std::uint32_t renders = how.routes.has_render ? frames : 0;
  CHECK(by_render == renders + (through == sim::callback::render ? frames : 0));
  CHECK(after.present - before.present == (through == sim::callback::present ? frames : 0));
  CHECK(after.submit_command - before.submit_command ==
        frames - renders + (through == sim::callback::submit_command ? frames : 0));
  CHECK(after.present_bits - before.present_bits == (how.routes.has_present_bit ? frames : 0));
  CHECK((after.borrowed != 0) == (how.lending == sim::portable_lending::borrowed));
  CHECK((after.allocated != 0) == (how.lending == sim::portable_lending::allocated));
}

TEST_CASE(
    "buffers of AllocateCb go back once each, the one that is never submitted with its device",
    "[umd][portable][T016]") {
  auto how = any_variance();
  if (how.lending != sim::portable_lending::allocated) return;
  CAPTURE(describe(how));
  portable_session s{how};
  REQUIRE(s.app.device.flush() == S_OK);
  CHECK(s.counts().given_back == s.counts().allocated);
  REQUIRE(s.draw() == S_OK);
  CHECK(s.counts().given_back + 1 == s.counts().allocated);
  CHECK(s.app.device.destroy() == S_OK);
}

TEST_CASE("a present that fails is tried through no other callback", "[umd][portable][T014]") {
  const auto how = any_variance();
  CAPTURE(describe(how));
  portable_session s{how};
  s.w.runtime.faults.fail_one_of(present_callback(how.routes), 1, E_OUTOFMEMORY);
  const auto before = s.counts();
  CHECK(s.app.device.present_ex() == D3DERR_DEVICELOST);
  const auto after = s.counts();
  CHECK(after.render + after.present + after.submit_command ==
        before.render + before.present + before.submit_command);
  s.w.runtime.faults.stop();
  CHECK(s.app.device.flush() == D3DERR_DEVICELOST);
}

TEST_CASE("an upload larger than any buffer goes in several submissions", "[umd][portable][T017]") {
  const auto how = any_variance();
  CAPTURE(describe(how));
  portable_session s{how, small_buffers({{4096, 8}})};
  constexpr UINT edge = 96;
  sim::d3d9_resource *memory = nullptr, *texture = nullptr;
  REQUIRE(s.app.device.create_texture(edge, edge, 0, 0, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM,
                                      memory) == S_OK);
  REQUIRE(s.app.device.create_texture(edge, edge, 0, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT,
                                      texture) == S_OK);
  const auto before = s.counts().render_typed;
  REQUIRE(s.app.device.update_texture(*memory, *texture) == S_OK);
  REQUIRE(s.app.device.flush() == S_OK);
  CHECK(s.counts().render_typed - before >= edge * edge * 4 / 4096);
}

TEST_CASE("a packet that no buffer holds is refused, and the device goes on",
          "[umd][portable][T018]") {
  const auto how = any_variance();
  CAPTURE(describe(how));
  portable_session s{how, small_buffers({{1024, 8}})};
  std::vector<UINT> code{0xFFFF0200};
  constexpr int moves = 500;
  for (int i = 0; i < moves; ++i) code.insert(code.end(), {0x02000001, 0x800F0000, 0xA0E40000});
  code.insert(code.end(), {0x02000001, 0x800F0800, 0xA0E40000, 0x0000FFFF});
  sim::driver_object shader{};
  CHECK(s.app.device.create_pixel_shader(code, shader) == E_OUTOFMEMORY);
  CHECK(s.draw() == S_OK);
  CHECK(s.app.device.present_ex() == S_OK);
}

TEST_CASE("a session in the smallest buffers is torn nowhere, and lists no locked allocation",
          "[umd][portable][T019][T028]") {
  const auto options = GENERATE(from_range(some_profiles()));
  CAPTURE(name_of(options));
  auto chosen = small_buffers({{4800, 6}, {5120, 7}});
  chosen.profile = options.profile;
  chosen.portable = options.portable;
  const quiet_system quiet{driver_clock::steps};
  running_runtime<> w{real_driver(), chosen};
  d3d9_application app{w.runtime, 7};
  app.start(d3d9_application::windowed(64, 32));
  session_script script{app.device};
  script.run();
  CHECK(script.failures() == "");
  CHECK(w.reg(AEROGPU_MMIO_REG_ERROR_COUNT) == 0);
}

TEST_CASE("a session that uses every part of the driver works under every runtime",
          "[umd][portable][T028]") {
  const auto options = GENERATE(from_range(each_profile()));
  CAPTURE(name_of(options));
  const bool is_windowed = GENERATE(true, false);
  const quiet_system quiet{driver_clock::steps};
  running_runtime<> w{real_driver(), options};
  d3d9_application app{w.runtime, 7};
  app.start(is_windowed ? d3d9_application::windowed(64, 32)
                        : d3d9_application::full_screen(640, 480, 2));
  session_script script{app.device};
  script.run();
  CHECK(script.failures() == "");
  CHECK(w.reg(AEROGPU_MMIO_REG_ERROR_COUNT) == 0);
}

TEST_CASE("Flush of an empty stream calls no runtime back", "[umd][portable][T021]") {
  const auto how = any_variance();
  CAPTURE(describe(how));
  portable_session s{how};
  s.w.runtime.faults.stop();
  CHECK(s.app.device.flush() == S_OK);
  CHECK(s.w.runtime.faults.count() == 0);
}

TEST_CASE("the fence that a runtime gives is complete when the query behind it is",
          "[umd][portable][T022][T024]") {
  const auto how = any_variance();
  CAPTURE(describe(how));
  portable_session s{how};
  sim::d3d9_query query;
  REQUIRE(s.app.device.create_query(D3DQUERYTYPE_EVENT, query) == S_OK);
  const auto before = s.counts().last_fence;
  REQUIRE(s.draw() == S_OK);
  REQUIRE(s.app.device.issue(query, D3DISSUE_END) == S_OK);
  REQUIRE(s.app.device.flush() == S_OK);
  CHECK(s.counts().last_fence > before);
  const auto escapes = s.quiet.escapes();
  constexpr std::uint32_t polls = 1000;
  HRESULT result = S_FALSE;
  for (std::uint32_t i = 0; i < polls; ++i) result = s.app.device.get_data(query, {}, 0);
  CHECK(result == S_OK);
  // A look at the clock takes 100 us: one poll in forty is due.
  CHECK(s.quiet.escapes() - escapes <= 2 * (polls / 40 + 1));
  CHECK(s.app.device.release(query) == S_OK);
}

TEST_CASE("a driver waits for the synchronisation object that its context has, or polls",
          "[umd][portable][T025]") {
  const auto how = any_variance();
  CAPTURE(describe(how));
  portable_session s{how};
  sim::d3d9_resource* memory = nullptr;
  REQUIRE(s.app.device.create_offscreen_plain_surface(64, 32, D3DFMT_X8R8G8B8, D3DPOOL_SYSTEMMEM,
                                                      memory) == S_OK);
  const auto waits = s.quiet.waits();
  REQUIRE(s.draw() == S_OK);
  REQUIRE(s.app.device.get_render_target_data(s.app.device.get_back_buffer(0), {memory, 0}) ==
          S_OK);
  CHECK((s.quiet.waits() != waits) == how.has_sync_object);
}

TEST_CASE("two devices that submit at once have fences of their own",
          "[umd][portable][concurrent][T023]") {
  const auto how = GENERATE(from_range(sim::some_portable_variances()));
  CAPTURE(describe(how));
  constexpr std::uint32_t devices = 2;
  constexpr std::size_t rounds = 20;
  const quiet_system quiet;
  sim::pc_config config;
  config.is_concurrent = true;
  running_runtime<> w{real_driver(), portable_runtime(how), running_windows<>::small_desktop(),
                      config};
  std::array<std::vector<std::uint64_t>, devices> fences;
  std::vector<std::thread> threads;
  for (std::uint32_t id = 0; id < devices; ++id) {
    threads.emplace_back([&, id] {
      const sim::thread_scope here{w.pc};
      sim::d3d9_process process{w.runtime, 7 + id};
      sim::d3d9_adapter adapter{process};
      if (FAILED(adapter.open())) return;
      sim::d3d9_device device{adapter};
      if (FAILED(device.create(d3d9_application::windowed(64, 32)))) return;
      for (std::size_t i = 0; i < rounds; ++i) {
        static_cast<void>(device.clear({}, D3DCLEAR_TARGET, 0xFF204060, 1, 0));
        if (FAILED(device.flush())) return;
        fences[id].push_back(device.ddi.portable->counts().last_fence);
      }
    });
  }
  for (auto& one : threads) one.join();
  std::set<std::uint64_t> distinct;
  for (const auto& of_device : fences) {
    REQUIRE(of_device.size() == rounds);
    CHECK(std::is_sorted(of_device.begin(), of_device.end()));
    distinct.insert(of_device.begin(), of_device.end());
  }
  CHECK(distinct.size() == devices * rounds);
}

}  // namespace aerogpu::test
