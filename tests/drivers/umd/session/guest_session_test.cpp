// SPDX-License-Identifier: MIT
/// What the guest's test programs do with queries, presents and shared surfaces, on the whole
/// stack.
#include "aerogpu/memory/alloc_private_data.hpp"
#include "drivers/win7/umd/d3d9/trace/environment.hpp"
#include "tests/drivers/support/d3d9_application.hpp"
#include "tests/drivers/support/simulated_gdi.hpp"
#include "tests/drivers/umd/rigs/driver_profiles.hpp"
#include "tests/drivers/umd/rigs/quiet_system.hpp"

#include <atomic>
#include <cstdio>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace aerogpu::test {

namespace {

constexpr DWORD present_without_waiting = 0x1;  // D3DPRESENT_DONOTWAIT

/// Keeps the lines of submissions, which the environment asks for.
class heard_submissions final : public simulated_gdi {
 public:
  struct line {
    unsigned bytes = 0;
    unsigned long long fence = 0;
    unsigned is_present = 0;
  };
  explicit heard_submissions(driver_clock clock) : simulated_gdi(clock) { umd::init_from_env(); }
  ~heard_submissions() {
    is_over_ = true;
    umd::init_from_env();
  }

  [[nodiscard]] auto lines() const -> std::vector<line> {
    const std::lock_guard hold{lock_};
    return lines_;
  }
  auto environment(const char* name) noexcept -> const char* override {
    const bool is_asked = !is_over_ && std::string_view{name} == "AEROGPU_D3D9_LOG_SUBMITS";
    return is_asked ? "1" : nullptr;
  }
  void write_log(std::string_view text) noexcept override {
    line heard;
    const std::string whole{text};
    if (std::sscanf(whole.c_str(), "aerogpu-d3d9: submit cmd_bytes=%u fence=%llu present=%u",
                    &heard.bytes, &heard.fence, &heard.is_present) != 3)
      return;
    const std::lock_guard hold{lock_};
    lines_.push_back(heard);
  }

 private:
  bool is_over_ = false;
  mutable std::mutex lock_;
  std::vector<line> lines_;
};

/// As many as the guest's programs draw where a runtime is the usual one, and enough for buffers of
/// each kind to come again under the many others.
[[nodiscard]] auto frames_under(const sim::runtime_options& options, int usual) -> int {
  const bool is_usual = options.profile == sim::ddi_profile::m;
  return is_usual ? usual : usual / 10;
}

/// Polls until the query is done; how often it was not, or a failure.
[[nodiscard]] auto polls_until_done(sim::d3d9_device& device, sim::d3d9_query& query) -> HRESULT {
  constexpr int most_polls = 10'000'000;
  BOOL is_done = 0;
  HRESULT result = S_FALSE;
  for (int i = 0; i < most_polls && result == S_FALSE; ++i) {
    result =
        device.get_data(query, std::as_writable_bytes(std::span{&is_done, 1}), D3DGETDATA_FLUSH);
  }
  return result == S_OK && is_done != 1 ? E_FAIL : result;
}

/// One frame as the guest's stress programs draw it. Returns the first failure.
[[nodiscard]] auto stress_frame(sim::d3d9_device& device, sim::d3d9_query& query) -> HRESULT {
  if (const auto cleared = device.clear({}, D3DCLEAR_TARGET, 0xFF00FF00, 1, 0); FAILED(cleared))
    return cleared;
  if (const auto issued = device.issue(query, D3DISSUE_END); FAILED(issued)) return issued;
  // Without a flush no query is done, however fast the adapter is.
  if (device.get_data(query, {}, 0) != S_FALSE) return E_FAIL;
  const HRESULT presented = device.present_ex(present_without_waiting);
  if (FAILED(presented) && presented != D3DERR_WASSTILLDRAWING) return presented;
  return polls_until_done(device, query);
}

}  // namespace

TEST_CASE("event queries of two processes are done after a flush and not before",
          "[umd][session][G04]") {
  const auto options = GENERATE(from_range(each_profile()));
  CAPTURE(name_of(options));
  const int frames = frames_under(options, 200);
  const heard_submissions heard{driver_clock::steps};
  running_runtime<> w{real_driver(), options};
  d3d9_application first{w.runtime, 7}, second{w.runtime, 8};
  for (auto* const app : {&first, &second}) app->start(d3d9_application::windowed(64, 32));
  std::array<sim::d3d9_query, 2> queries;
  REQUIRE(first.device.create_query(D3DQUERYTYPE_EVENT, queries[0]) == S_OK);
  REQUIRE(second.device.create_query(D3DQUERYTYPE_EVENT, queries[1]) == S_OK);
  for (int frame = 0; frame < frames; ++frame) {
    CAPTURE(frame);
    REQUIRE(stress_frame(first.device, queries[0]) == S_OK);
    REQUIRE(stress_frame(second.device, queries[1]) == S_OK);
  }
  CHECK(first.device.release(queries[0]) == S_OK);
  CHECK(second.device.release(queries[1]) == S_OK);
}

TEST_CASE("event queries of two threads are done after a flush and not before",
          "[umd][session][concurrent][G04]") {
  constexpr std::uint32_t threads = 2;
  const auto options = GENERATE(from_range(some_profiles()));
  CAPTURE(name_of(options));
  const int frames = frames_under(options, 40);
  const heard_submissions heard{driver_clock::system};
  sim::pc_config config;
  config.is_concurrent = true;
  running_runtime<> w{real_driver(), options, running_windows<>::small_desktop(), config};
  std::atomic<std::uint32_t> failures = 0;
  std::vector<std::thread> running;
  for (std::uint32_t id = 0; id < threads; ++id) {
    running.emplace_back([&, id] {
      const sim::thread_scope here{w.pc};
      sim::d3d9_process process{w.runtime, 7 + id};
      sim::d3d9_adapter adapter{process};
      if (FAILED(adapter.open())) ++failures;
      sim::d3d9_device device{adapter};
      if (FAILED(device.create(d3d9_application::windowed(64, 32)))) ++failures;
      sim::d3d9_query query;
      if (FAILED(device.create_query(D3DQUERYTYPE_EVENT, query))) ++failures;
      for (int frame = 0; frame < frames; ++frame) {
        if (stress_frame(device, query) != S_OK) ++failures;
      }
      if (FAILED(device.release(query))) ++failures;
    });
  }
  for (auto& one : running) one.join();
  CHECK(failures.load() == 0);
}

TEST_CASE("with a latency of one frame queries are done in time, and presents refuse or succeed",
          "[umd][session][G05]") {
  constexpr std::uint64_t most_ns = 2'000'000'000;
  const auto options = GENERATE(from_range(each_profile()));
  CAPTURE(name_of(options));
  const heard_submissions heard{driver_clock::steps};
  running_runtime<> w{real_driver(), options};
  d3d9_application app{w.runtime, 7};
  app.start(d3d9_application::full_screen(640, 480, 2));
  UINT latency = 0;
  REQUIRE(app.device.set_maximum_frame_latency(1) == S_OK);
  REQUIRE(app.device.get_maximum_frame_latency(latency) == S_OK);
  CHECK(latency == 1);
  sim::d3d9_query query;
  REQUIRE(app.device.create_query(D3DQUERYTYPE_EVENT, query) == S_OK);
  for (int frame = 0; frame < frames_under(options, 20) + 3; ++frame) {
    CAPTURE(frame);
    REQUIRE(app.device.clear({}, D3DCLEAR_TARGET, 0xFF0000FF, 1, 0) == S_OK);
    REQUIRE(app.device.issue(query, D3DISSUE_END) == S_OK);
    const HRESULT presented = app.device.present_ex(present_without_waiting);
    const bool is_known = presented == S_OK || presented == D3DERR_WASSTILLDRAWING;
    CHECK(is_known);
    const std::uint64_t before = w.pc.clock.now_ns();
    CHECK(polls_until_done(app.device, query) == S_OK);
    CHECK(w.pc.clock.now_ns() - before < most_ns);
  }
  CHECK(app.device.release(query) == S_OK);
}

TEST_CASE("fences of two hundred presents rise, and are reached", "[umd][session][G06]") {
  const auto options = GENERATE(from_range(each_profile()));
  CAPTURE(name_of(options));
  const int frames = frames_under(options, 200);
  const heard_submissions heard{driver_clock::steps};
  running_runtime<> w{real_driver(), options};
  d3d9_application app{w.runtime, 7};
  const bool is_windowed = GENERATE(true, false);
  app.start(is_windowed ? d3d9_application::windowed(64, 32)
                        : d3d9_application::full_screen(640, 480, 2));
  sim::d3d9_query query;
  REQUIRE(app.device.create_query(D3DQUERYTYPE_EVENT, query) == S_OK);
  for (int frame = 0; frame < frames; ++frame) {
    CAPTURE(frame);
    REQUIRE(stress_frame(app.device, query) == S_OK);
  }
  const auto lines = heard.lines();
  CHECK(lines.size() >= static_cast<std::size_t>(frames));
  REQUIRE_FALSE(lines.empty());
  unsigned long long last = 0;
  for (const auto& line : lines) {
    CHECK(line.fence > last);
    CHECK(line.bytes > sizeof(aerogpu_cmd_stream_header));
    last = line.fence;
  }
  // The query after the last frame is done: what was submitted before it is complete.
  CHECK(polls_until_done(app.device, query) == S_OK);
  CHECK(app.device.release(query) == S_OK);
  CHECK(w.reg(AEROGPU_MMIO_REG_ERROR_COUNT) == 0);
}

TEST_CASE("a full-screen primary has the rows that the scanout reads", "[umd][session]") {
  const auto [width, height] =
      GENERATE(Catch::Generators::table<UINT, UINT>({{800u, 600u}, {1366u, 768u}, {1024u, 768u}}));
  const quiet_system quiet{driver_clock::steps};
  running_runtime<> w{real_driver()};
  d3d9_application app{w.runtime, 7};
  app.start(d3d9_application::full_screen(width, height, 1));
  REQUIRE(app.device.clear({}, D3DCLEAR_TARGET, 0xFF00FF00, 1, 0) == S_OK);
  REQUIRE(app.device.present_ex() == S_OK);
  const auto shown = w.session.session().flips.shown();
  REQUIRE(shown != nullptr);
  const auto blob = parse_alloc_private_data(shown->private_data);
  REQUIRE(blob);
  CHECK(w.reg(AEROGPU_MMIO_REG_SCANOUT0_WIDTH) == width);
  CHECK(w.reg(AEROGPU_MMIO_REG_SCANOUT0_PITCH_BYTES) == row_pitch_bytes(*blob));
}

TEST_CASE("a device needs one pass for what it draws", "[umd][session][G11][T156]") {
  const auto options = GENERATE(from_range(each_profile()));
  CAPTURE(name_of(options));
  const heard_submissions heard{driver_clock::steps};
  running_runtime<> w{real_driver(), options};
  d3d9_application app{w.runtime, 7};
  app.start(d3d9_application::windowed(64, 32));
  UINT passes = 0;
  CHECK(app.device.validate_device(passes) == S_OK);
  CHECK(passes == 1);
  REQUIRE(app.device.set_texture_stage_state(0, D3DTSS_COLOROP, D3DTOP_MODULATE2X) == S_OK);
  passes = 0;
  CHECK(app.device.validate_device(passes) == S_OK);
  CHECK(passes == 1);
}

TEST_CASE("a window whose size is not the picture's is presented, whoever scales",
          "[umd][session]") {
  const quiet_system quiet{driver_clock::steps};
  running_runtime<> w{real_driver()};
  d3d9_application app{w.runtime, 7};
  app.start(d3d9_application::windowed(64, 32));
  app.device.window.is_fitted = GENERATE(true, false);
  app.device.window.client = GENERATE(RECT{10, 20, 210, 120}, RECT{-50, 470, 20, 490});
  REQUIRE(app.device.clear({}, D3DCLEAR_TARGET, 0xFF00FF00, 1, 0) == S_OK);
  CHECK(app.device.present_ex() == S_OK);
  CHECK(w.reg(AEROGPU_MMIO_REG_ERROR_COUNT) == 0);
}

TEST_CASE("a shared target works, one with all levels does not, and levels work unshared",
          "[umd][session][G35]") {
  const auto options = GENERATE(from_range(each_profile()));
  CAPTURE(name_of(options));
  const heard_submissions heard{driver_clock::steps};
  running_runtime<> w{real_driver(), options};
  d3d9_application app{w.runtime, 7};
  app.start(d3d9_application::windowed(64, 32));
  sim::d3d9_resource* made = nullptr;
  REQUIRE(app.device.create_shared_texture(32, 32, D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8, made) ==
          S_OK);
  CHECK(made->share != 0);
  CHECK(app.device.color_fill({made, 0}, nullptr, 0xFF00FF00) == S_OK);
  CHECK(app.device.release(made) == S_OK);
  sim::resource_description wanted;
  wanted.type = D3DRTYPE_TEXTURE;
  wanted.format = D3DFMT_A8R8G8B8;
  wanted.usage = D3DUSAGE_RENDERTARGET;
  wanted.width = wanted.height = 32;
  wanted.levels = 0;
  wanted.is_shared = 1;
  CHECK(app.device.create_resource(wanted, made) == D3DERR_INVALIDCALL);
  CHECK(made == nullptr);
  CHECK(app.device.create_texture(32, 32, 4, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, made) == S_OK);
  CHECK(app.device.release(made) == S_OK);
}

}  // namespace aerogpu::test
