// SPDX-License-Identifier: MIT
#include "aerogpu/processor/device_loss.hpp"

#include "aerogpu/hosted/snapshot_io.hpp"
#include "tests/catch.hpp"
#include "tests/support/byte_code/shaders.hpp"
#include "tests/unit/processor/processor_fixture.hpp"

#include <cstdint>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

constexpr gpa loss_memory{0x40'0000};
constexpr texture_spec loss_texture{.pitch = 16, .memory = {1, 0}};  // 4x4, 4 bytes a texel.

/// Buffer 10 and texture 11 lie on allocation 1, buffer 12 in the host; all of them hold 1.
struct loss_fixture : processor_fixture {
  loss_fixture() {
    give(1, loss_memory, 64);
    memory.poke(loss_memory, filled(64, 1));
    REQUIRE(run(stream_builder{}
                    .create_buffer(10, 64, {1, 0})
                    .create_texture(11, loss_texture)
                    .create_buffer(12, 64)
                    .upload(12, 0, filled(64, 1))) == error_code::none);
    CHECK(buffer(10, 64) == filled(64, 1));
    CHECK(texture() == filled(64, 1));
  }
  /// Bytes of texture 11.
  auto texture() -> byte_vector {
    constexpr gpa copied{0x50'0000};
    give(2, copied, 64);
    REQUIRE(run(stream_builder{}
                    .create_texture(13, {.pitch = 16, .memory = {2, 0}})
                    .copy_texture({13}, {11}, 4, 4, AEROGPU_COPY_FLAG_WRITEBACK_DST)
                    .destroy(13)) == error_code::none);
    return memory.peek(copied, 64);
  }
  void lose_at(std::uint64_t call) { backend.plan({call, error_code::device_lost}); }
  /// The guest's memory changes, and it does not say so.
  void change_memory() { memory.poke(loss_memory, filled(64, 2)); }
  /// Whether backed content was read again, and only that.
  void check_restored() {
    CHECK(buffer(10, 64) == filled(64, 2));
    CHECK(texture() == filled(64, 2));
    CHECK(buffer(12, 64) == filled(64, 1));  // This backend lost nothing.
  }
};

}  // namespace

TEST_CASE("a device that is lost at any call has backed content read again", "[loss]") {
  // begin_submission, upload_buffer, flush, end_submission.
  for (const std::uint64_t call : {1u, 2u, 3u, 4u}) {
    CAPTURE(call);
    loss_fixture f;
    f.lose_at(call);
    f.change_memory();
    CHECK(f.run(stream_builder{}.upload(12, 0, filled(64, 1)).flush()) == error_code::device_lost);
    CHECK(f.backend.calls() >= call);
    f.check_restored();
  }
}

TEST_CASE("another failure of the backend has nothing read again", "[loss]") {
  loss_fixture f;
  f.backend.plan({2, error_code::out_of_memory});
  f.change_memory();
  CHECK(f.run(stream_builder{}.upload(12, 0, filled(64, 1))) == error_code::out_of_memory);
  CHECK(f.buffer(10, 64) == filled(64, 1));
  CHECK(f.texture() == filled(64, 1));
}

TEST_CASE("a submission that fails by itself can still lose the device at its end", "[loss]") {
  loss_fixture f;
  f.lose_at(2);
  f.change_memory();
  CHECK(f.run(stream_builder{}.dirty(77, 0, 4)) == error_code::unknown_handle);
  f.check_restored();
}

TEST_CASE("loading and showing lose devices too", "[loss]") {
  loss_fixture f;
  REQUIRE(f.run(stream_builder{}
                    .create_texture(20, {.usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET})
                    .targets({20})
                    .present()) == error_code::none);
  REQUIRE(f.processor.presented() != nullptr);
  snapshot_writer good;
  REQUIRE(f.processor.save(good));
  const bool is_load = GENERATE(true, false);
  f.lose_at(1);
  f.change_memory();
  if (is_load) {
    snapshot_reader in{good.bytes()};
    CHECK(f.processor.load(in).why().code == error_code::device_lost);
  } else {
    byte_vector texels(64);
    CHECK(f.processor.read_presented(texels).why().code == error_code::device_lost);
  }
  f.check_restored();
}

TEST_CASE("a save that loses its device succeeds, with the content that the loss left", "[loss]") {
  const std::uint64_t call = GENERATE(1u, 2u, 3u);
  const bool is_for_ever = GENERATE(false, true);
  CAPTURE(call, is_for_ever);
  loss_fixture f;
  snapshot_writer out;
  out.put(std::uint32_t{7});
  f.backend.plan({call, error_code::device_lost, is_for_ever});
  REQUIRE(f.processor.save(out));
  CHECK(f.backend.calls() == call);
  f.backend.plan({});
  f.change_memory();
  f.check_restored();
  snapshot_reader in{out.bytes()};
  CHECK(in.take<std::uint32_t>() == 7);
  loss_fixture to;
  to.change_memory();
  REQUIRE(to.processor.load(in));
  CHECK(to.buffer(10, 64) == filled(64, 2));
  CHECK(to.texture() == filled(64, 2));
  CHECK(to.buffer(12, 64) == filled(64, 0));
}

TEST_CASE("a save into a writer that failed before fails, and asks nobody", "[loss]") {
  loss_fixture f;
  snapshot_writer out;
  out.fail(make_error(error_code::device_lost, "before"));
  f.lose_at(1);
  CHECK(f.processor.save(out).why().code == error_code::device_lost);
  CHECK(f.backend.calls() == 0);
  f.backend.plan({});
}

TEST_CASE("a range in the middle that was dirty before a loss is one of the whole", "[loss]") {
  loss_fixture f;
  REQUIRE(f.run(stream_builder{}.dirty(10, 4, 4).dirty(10, 16, 4).dirty(10, 60, 4)) ==
          error_code::none);
  f.lose_at(1);
  CHECK(f.run(stream_builder{}) == error_code::device_lost);
  f.change_memory();
  CHECK(f.buffer(10, 64) == filled(64, 2));
}

TEST_CASE("D24S8 has no bytes to read again", "[loss]") {
  loss_fixture f;
  f.give(3, gpa{0x60'0000}, 64);
  const texture_spec depth{
      .format = AEROGPU_FORMAT_D24_UNORM_S8_UINT, .pitch = 16, .memory = {3, 0}};
  REQUIRE(f.run(stream_builder{}.create_texture(21, depth).create_texture(
              22, {.format = AEROGPU_FORMAT_D24_UNORM_S8_UINT})) == error_code::none);
  f.lose_at(1);
  CHECK(f.run(stream_builder{}) == error_code::device_lost);
  f.take(3);
  CHECK(f.run(stream_builder{}.copy_texture({22}, {21}, 4, 4)) == error_code::none);
}

TEST_CASE("after a loss the next draw of each context tells everything anew", "[loss]") {
  loss_fixture f;
  constexpr std::uint32_t contexts[] = {0, 5};
  REQUIRE(f.run(stream_builder{}
                    .create_texture(20, {.usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET})
                    .create_shader(1, wire_vs, vs_4_0_origin())
                    .create_shader(2, wire_ps, ps_4_0_white())) == error_code::none);
  std::vector<bool> tells_all;
  f.backend.observe_draws([&](const auto& call) { tells_all.push_back(call.changes == all_bits); });
  const auto draw_in_all = [&](const stream_builder& stream) {
    tells_all.clear();
    for (const std::uint32_t context : contexts) {
      REQUIRE(f.run(stream, context) == error_code::none);
    }
  };
  draw_in_all(stream_builder{}.bind_shaders(1, 2).targets({20}).draw(3));
  draw_in_all(stream_builder{}.draw(3).draw(3));
  CHECK(tells_all == std::vector<bool>{false, false, false, false});
  f.lose_at(1);
  CHECK(f.run(stream_builder{}) == error_code::device_lost);
  draw_in_all(stream_builder{}.draw(3).draw(3));
  CHECK(tells_all == std::vector<bool>{true, false, true, false});
}

TEST_CASE("after a loss no flip shows a texture until it is presented anew", "[loss]") {
  const bool is_flipped = GENERATE(false, true);
  loss_fixture f;
  const texture_spec target{
      .pitch = 16, .memory = {1, 0}, .usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET};
  REQUIRE(f.run(stream_builder{}.create_texture(20, target).targets({20}).present()) ==
          error_code::none);
  auto& source = f.processor.scanout();
  REQUIRE(source.targets().size() == 1);
  if (is_flipped) {
    REQUIRE(source.begin_flip(loss_memory));
    source.end_flip();
  }
  f.lose_at(1);
  CHECK(f.run(stream_builder{}) == error_code::device_lost);
  CHECK(source.targets().empty());
  CHECK((f.processor.presented() == nullptr) == is_flipped);
  CHECK_FALSE(source.begin_flip(loss_memory));
  CHECK(f.processor.presented() == nullptr);
  CHECK(f.run(stream_builder{}.present()) == error_code::none);
  CHECK(f.processor.presented() != nullptr);
  CHECK(source.begin_flip(loss_memory));
}

TEST_CASE("a flip that waits while the device is lost shows guest memory", "[loss]") {
  loss_fixture f;
  const texture_spec target{
      .pitch = 16, .memory = {1, 0}, .usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET};
  REQUIRE(f.run(stream_builder{}.create_texture(20, target).targets({20}).present()) ==
          error_code::none);
  auto& source = f.processor.scanout();
  REQUIRE(source.begin_flip(loss_memory));
  f.lose_at(1);
  CHECK(f.run(stream_builder{}) == error_code::device_lost);
  CHECK(source.is_flip_waiting());
  source.end_flip();
  CHECK(f.processor.presented() == nullptr);
  CHECK_FALSE(source.is_flip_waiting());
}
