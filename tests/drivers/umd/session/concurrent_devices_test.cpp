// SPDX-License-Identifier: MIT
/// Devices of the driver in threads of their own, which all draw, lock, ask and present at once.
#include "tests/drivers/support/d3d9_application.hpp"
#include "tests/drivers/support/running_clock.hpp"
#include "tests/drivers/umd/rigs/driver_profiles.hpp"
#include "tests/drivers/umd/rigs/quiet_system.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <thread>
#include <vector>

using namespace aerogpu;

namespace {

constexpr UINT threads_in_all = 4;
constexpr int frames = 12;

struct colored_vertex {
  float x, y, z, rhw;
  D3DCOLOR color;
};
constexpr DWORD vertex_format = D3DFVF_XYZRHW | D3DFVF_DIFFUSE;
constexpr std::array<colored_vertex, 4> quad{{{0, 0, 0, 1, 0xFFFF0000},
                                              {32, 0, 0, 1, 0xFF00FF00},
                                              {0, 32, 0, 1, 0xFF0000FF},
                                              {32, 32, 0, 1, 0xFFFFFFFF}}};

/// One device and its loop, without the test framework, whose checks belong to one thread.
class drawing_loop {
 public:
  explicit drawing_loop(sim::d3d9_adapter& adapter) : device_(adapter) {}

  void run() {
    count(device_.create(test::d3d9_application::windowed(64, 48)));
    count(device_.set_maximum_frame_latency(2));
    count(device_.set_render_state(D3DRS_LIGHTING, 0));
    count(device_.create_vertex_buffer(sizeof quad, D3DUSAGE_DYNAMIC | D3DUSAGE_WRITEONLY,
                                       vertex_format, D3DPOOL_DEFAULT, vertices_));
    count(device_.create_texture(16, 16, 1, D3DUSAGE_DYNAMIC, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT,
                                 texture_));
    count(device_.create_offscreen_plain_surface(64, 48, D3DFMT_X8R8G8B8, D3DPOOL_SYSTEMMEM,
                                                 memory_));
    count(device_.create_query(D3DQUERYTYPE_EVENT, query_));
    for (int frame = 0; frame < frames && failures_ == 0; ++frame) show(frame);
    if (failures_ == 0) count(device_.release(query_));
    count(device_.destroy());
  }
  [[nodiscard]] auto failures() const noexcept -> int { return failures_; }

 private:
  void count(HRESULT result) { failures_ += SUCCEEDED(result) ? 0 : 1; }

  void write_vertices() {
    void* bytes = nullptr;
    count(device_.lock(*vertices_, 0, sizeof quad, bytes, D3DLOCK_DISCARD));
    if (bytes != nullptr) std::memcpy(bytes, quad.data(), sizeof quad);
    count(device_.unlock(*vertices_));
  }
  void write_texture(int frame) {
    D3DLOCKED_RECT locked{};
    count(device_.lock_rect({texture_, 0}, locked, nullptr, D3DLOCK_DISCARD));
    if (locked.pBits != nullptr) std::memset(locked.pBits, frame, 64);
    count(device_.unlock_rect({texture_, 0}));
  }
  void show(int frame) {
    count(device_.clear({}, D3DCLEAR_TARGET, 0xFF000000u + static_cast<D3DCOLOR>(frame), 1, 0));
    write_vertices();
    write_texture(frame);
    count(device_.set_fvf(vertex_format));
    count(device_.set_texture(0, texture_));
    count(device_.set_stream_source(0, vertices_, 0, sizeof(colored_vertex)));
    count(device_.draw_primitive(D3DPT_TRIANGLESTRIP, 0, 2));
    count(device_.issue(query_, D3DISSUE_END));
    HRESULT answer = S_FALSE;
    while (answer == S_FALSE) answer = device_.get_data(query_, {}, D3DGETDATA_FLUSH);
    count(answer);
    count(device_.get_render_target_data(device_.get_back_buffer(0), {memory_, 0}));
    count(device_.present_ex());
  }

  sim::d3d9_device device_;
  sim::d3d9_resource *vertices_ = nullptr, *texture_ = nullptr, *memory_ = nullptr;
  sim::d3d9_query query_;
  int failures_ = 0;
};

struct process_with_adapter {
  process_with_adapter(sim::d3d9_runtime& runtime, std::uint32_t id)
      : process(runtime, id), adapter(process) {}
  sim::d3d9_process process;
  sim::d3d9_adapter adapter;
};

}  // namespace

TEST_CASE("devices of several processes draw, lock, ask and present at once",
          "[umd][session][concurrent]") {
  const auto processes = GENERATE(UINT{threads_in_all}, UINT{1});
  const auto options = GENERATE(from_range(test::with_profile_m({sim::portable_variance{}})));
  CAPTURE(test::name_of(options));
  const test::quiet_system quiet;
  test::running_runtime<> w{test::real_driver(), options, test::running_windows<>::small_desktop(),
                            test::concurrent()};
  std::vector<std::unique_ptr<process_with_adapter>> owners;
  for (UINT i = 0; i < processes; ++i) {
    owners.push_back(std::make_unique<process_with_adapter>(w.runtime, 7 + i));
    REQUIRE(owners.back()->adapter.open() == S_OK);
  }
  std::atomic<int> failures = 0;
  {
    const test::running_clock time{w.pc};
    std::vector<std::thread> threads;
    for (UINT i = 0; i < threads_in_all; ++i) {
      threads.emplace_back([&, i] {
        const UINT owner = i % processes;
        const sim::thread_scope here{w.pc, 7 + owner};
        drawing_loop loop{owners[owner]->adapter};
        loop.run();
        failures += loop.failures();
      });
    }
    for (auto& one : threads) one.join();
  }
  CHECK(failures.load() == 0);
  CHECK(w.reg(AEROGPU_MMIO_REG_ERROR_COUNT) == 0);
  CHECK(w.session.session().scheduler.resets() == 0);
}
