// One hostile guest and one honest desktop in the same process, each with a device and a thread of
// its own. Whatever the one does in a loop, the other's frames are what they are alone.
#include "desktop.hpp"
#include "hardware.hpp"
#include "tests/catch.hpp"
#include "tests/hostile/scene.hpp"
#include "tests/hostile/session.hpp"
#include "tests/support/dxbc_samples.hpp"
#include "vulkan/vulkan_backend.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::hostile;

namespace {

using desktop_backend = vulkan::vulkan_backend;
constexpr std::uint32_t frame_count = 4;

/// Virtual time stands still while the backend works, so that frames do not depend on how fast it
/// is.
class patient_hardware final : public desktop::hardware {
 public:
  explicit patient_hardware(desktop_backend& backend) : machine_(backend) {}

  auto start(std::uint64_t buffer_bytes, std::string& why) -> bool override {
    return machine_.start(buffer_bytes, why);
  }
  auto submit(const tool::guest_submission& work) -> bool override { return machine_.begin(work); }
  auto read(std::uint32_t offset) -> std::uint32_t override { return machine_.read(offset); }
  void write(std::uint32_t offset, std::uint32_t value) override { machine_.write(offset, value); }
  auto completed_fence() -> fence_value override { return machine_.completed_fence(); }
  void sleep() override {
    machine_.device().wait_idle();
    const std::uint64_t due = machine_.device().next_deadline_ns();
    machine_.advance_time(due - std::min(due, machine_.host().now));
  }
  auto host() -> tool::guest_host& override { return machine_.host(); }
  auto display(rgba8_image& image) -> result<void> override {
    return machine_.device().read_display(image);
  }
  auto counts() -> object_counts override { return machine_.device().processor().counts(); }
  auto statistics() -> device_statistics override { return machine_.device().statistics(); }
  void set_tap(const submission_tap& tap) override { machine_.device().set_tap(tap); }

 private:
  tool::guest_machine<desktop_backend> machine_;
};

struct shown_frame {
  std::vector<std::byte> pixels;
  std::uint64_t thread_ns = 0;  ///< Processor time of the desktop's thread.
  std::uint64_t wall_ns = 0;
};

auto wall_now_ns() -> std::uint64_t {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                        std::chrono::steady_clock::now().time_since_epoch())
                                        .count());
}

/// The whole story, in a few frames.
auto show_desktop(desktop_backend& backend, const desktop::shader_library& shaders)
    -> std::vector<shown_frame> {
  patient_hardware pc{backend};
  desktop::guest windows{pc, shaders};
  std::string why;
  INFO(why);
  REQUIRE(windows.start(why));
  std::vector<shown_frame> frames(frame_count);
  rgba8_image image;
  for (std::uint32_t i = 0; i < frame_count; ++i) {
    const std::uint64_t thread_before = thread_time_ns(), wall_before = wall_now_ns();
    const bool is_shown = windows.show(i, frame_count, why);
    frames[i].thread_ns = thread_time_ns() - thread_before;
    frames[i].wall_ns = wall_now_ns() - wall_before;
    REQUIRE(is_shown);
    REQUIRE(pc.display(image));
    frames[i].pixels.assign(image.pixels().begin(), image.pixels().end());
  }
  REQUIRE(windows.stop(why));
  return frames;
}

auto median_ms(const std::vector<shown_frame>& frames, std::uint64_t shown_frame::*what) -> double {
  std::vector<std::uint64_t> values;
  for (const shown_frame& each : frames) values.push_back(each.*what);
  std::ranges::sort(values);
  return static_cast<double>(values[values.size() / 2]) / 1e6;
}

struct honest_desktop {
  honest_desktop() {
    std::string why;
    shaders = desktop::assemble_shaders(why);
    INFO(why);
    REQUIRE(shaders);
    auto made = desktop_backend::create();
    REQUIRE(made);
    backend = *std::move(made);
    static_cast<void>(show());  // Shaders are compiled.
    alone = show();
    REQUIRE(alone.size() == frame_count);
  }
  auto show() -> std::vector<shown_frame> { return show_desktop(*backend, *shaders); }

  std::optional<desktop::shader_library> shaders;
  std::unique_ptr<desktop_backend> backend;
  std::vector<shown_frame> alone;
};

auto the_desktop() -> honest_desktop& {
  static honest_desktop only;
  return only;
}

/// A guest that submits again and again, on a thread of its own.
class hostile_loop {
 public:
  using stream_maker = std::function<stream_builder(std::uint32_t round)>;

  hostile_loop(const computer_options& options, stream_maker make)
      : computer_(computer::create(options)), make_(std::move(make)) {
    thread_ = std::thread{[this] { run(); }};
    while (rounds_ == 0) std::this_thread::yield();  // It has begun.
  }
  ~hostile_loop() {
    is_over_ = true;
    thread_.join();
  }
  [[nodiscard]] auto rounds() const -> std::uint32_t { return rounds_; }

 private:
  void run() {
    guest hostile{*computer_};
    while (!is_over_) {
      hostile.push(hostile.describe(make_(rounds_)));
      hostile.ring_doorbell();
      static_cast<void>(hostile.wait_for(hostile.last_fence()));
      hostile.forget_memory();
      ++rounds_;
    }
  }

  std::unique_ptr<computer> computer_;
  stream_maker make_;
  std::atomic<std::uint32_t> rounds_ = 0;
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

/// The frames are equal, and the desktop's thread has no more to do than twice what it has alone.
/// Time on the wall depends on how many processors there are: it is told, and benchmarks keep it.
void frames_are_the_same(const char* name, const computer_options& options,
                         hostile_loop::stream_maker make) {
  const std::vector<shown_frame>& alone = the_desktop().alone;
  const hostile_loop other{options, std::move(make)};
  const std::vector<shown_frame> beside = the_desktop().show();
  for (std::size_t i = 0; i < frame_count; ++i) {
    INFO(name << ": frame " << i);
    CHECK((beside[i].pixels == alone[i].pixels));
  }
  const double before = median_ms(alone, &shown_frame::thread_ns);
  const double after = median_ms(beside, &shown_frame::thread_ns);
  std::printf(
      "%-10s %3u rounds; a frame takes %5.1f ms (alone %5.1f), of its thread %5.1f (%5.1f)\n", name,
      other.rounds(), median_ms(beside, &shown_frame::wall_ns),
      median_ms(alone, &shown_frame::wall_ns), after, before);
  constexpr double noise_ms = 2;
  CHECK(after <= 2 * before + noise_ms);
}

}  // namespace

TEST_CASE("a desktop alone draws the same frames every time") {
  const std::vector<shown_frame> again = the_desktop().show();
  for (std::size_t i = 0; i < frame_count; ++i) {
    CHECK((again[i].pixels == the_desktop().alone[i].pixels));
  }
  CHECK((the_desktop().alone[0].pixels != the_desktop().alone[frame_count - 1].pixels));
}

TEST_CASE("a desktop beside a guest that draws without an end") {
  frames_are_the_same("draws", {}, [](std::uint32_t) {
    stream_builder stream;
    scene::create(stream);
    for (int i = 0; i < 10'000; ++i) stream.draw(3);
    scene::destroy(stream);
    return stream;
  });
}

TEST_CASE("a desktop beside a guest that moves memory without an end") {
  frames_are_the_same("copies", {}, [](std::uint32_t) {
    constexpr std::uint32_t source = 1, buffer = 2;
    stream_builder stream;
    stream.create_texture(source, {.width = 512, .height = 512, .layers = 2})
        .create_buffer(buffer, 1u << 20);
    for (int i = 0; i < 64; ++i) {
      stream.copy_texture({source, 0, 1}, {source, 0, 0}, 512, 512)
          .copy_buffer(buffer, 1u << 19, buffer, 0, 1u << 19);
    }
    return std::move(stream.destroy(source).destroy(buffer));
  });
}

TEST_CASE("a desktop beside a guest whose every draw is another pipeline") {
  frames_are_the_same("pipelines", {}, [](std::uint32_t round) {
    stream_builder stream;
    scene::create(stream);
    for (std::uint32_t i = 0; i < 8; ++i) {
      aerogpu_blend_state state{};
      const std::uint32_t number = round * 8 + i;
      state.enable = 1;
      state.src_factor = number % 8;
      state.dst_factor = number / 8 % 8;
      state.color_write_mask = static_cast<std::uint8_t>(1 + number / 64 % 15);
      state.sample_mask = 0xFFFFFFFF;
      stream.blend(state).draw(3);
    }
    scene::destroy(stream);
    return stream;
  });
}

TEST_CASE("a desktop beside a guest whose every shader is wrong") {
  frames_are_the_same("shaders", {}, [](std::uint32_t round) {
    const auto samples = test::sm4::samples();
    byte_vector code = samples[round % samples.size()].bytes;
    code[round * 7919u % code.size()] ^= std::byte{0x40};
    return std::move(stream_builder{}.create_shader(1, test::wire_ps, code).destroy_shader(1));
  });
}

TEST_CASE("a desktop beside a guest that shares and takes back") {
  frames_are_the_same("tokens", {}, [](std::uint32_t round) {
    stream_builder stream;
    stream.create_texture(1, {});
    for (std::uint64_t i = 0; i < 500; ++i) {
      const std::uint64_t token = std::uint64_t{round} * 500 + i + 1;
      stream.export_surface(1, token).import_surface(2, token).release_surface(token).destroy(2);
    }
    return std::move(stream.destroy(1));
  });
}

/// The last one: what it abandons may run until this process ends.
TEST_CASE("~ a desktop beside a guest that hangs its device") {
  computer_options options;
  options.vulkan.watchdog_ms = 500;
  frames_are_the_same("hangs", options, [](std::uint32_t) {
    using namespace test::sm4;
    constexpr std::uint32_t cs = 1, buffer_handle = 2;
    program code{program_type::compute, 5};
    code.op(dcl_uav_raw, {plain(uav, {0})})
        .op(dcl_temps, {word(1)})
        .op(dcl_thread_group, {word(64), word(1), word(1)})
        .op(imm_atomic_iadd, {to(temp, {0}, "x"), plain(uav, {0}), bits(0), bits(1)})
        .op(ret);
    return std::move(stream_builder{}
                         .create_shader(cs, test::wire_cs, container({{}, {}}, code))
                         .create_buffer(buffer_handle, 64)
                         .unordered_access(test::wire_cs, 0, {{buffer_handle}})
                         .bind_shaders(0, 0, cs)
                         .dispatch(65535, 65535, 65535)
                         .destroy_shader(cs)
                         .destroy(buffer_handle));
  });
}
