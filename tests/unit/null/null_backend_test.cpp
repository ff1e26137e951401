// SPDX-License-Identifier: MIT
// Tests of null/null_backend.hpp.
#include "null/null_backend.hpp"

#include "aerogpu/abi/cmd_present.h"
#include "tests/catch.hpp"
#include "tests/support/byte_patterns.hpp"

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

using namespace aerogpu;
using test::byte_vector;

namespace {

struct listener {
  std::vector<std::pair<guest_rows, byte_vector>> write_backs;
  int completions = 0;

  void on_write_back(submission_id, const guest_rows& to, const_bytes rows) noexcept {
    write_backs.emplace_back(to, byte_vector(rows.begin(), rows.end()));
  }
  void on_complete(submission_id, const error&) noexcept { ++completions; }
};

auto make_buffer(null_backend& backend, std::uint64_t size) -> null_buffer {
  auto made = backend.create_buffer({{}, 0, size});
  REQUIRE(made);
  return *std::move(made);
}

auto content(null_backend& backend, null_buffer& buffer) -> byte_vector {
  byte_vector bytes(buffer.content.size());
  REQUIRE(backend.read_buffer(buffer, 0, bytes));
  return bytes;
}

constexpr submission_info first_submission{submission_id{1}, {}, {}};

}  // namespace

TEST_CASE("the null backend counts the objects that live", "[null]") {
  null_backend backend;
  auto texture = backend.create_texture({{}, 0, AEROGPU_FORMAT_R8G8B8A8_UNORM, 1, 1, 1, 1});
  REQUIRE(texture);
  auto buffer = make_buffer(backend, 4);
  auto view = backend.create_texture_view(*texture, {});
  auto shader = backend.create_shader({{}, shader_stage::pixel, {}, {}});
  auto layout = backend.create_input_layout({});
  auto sampler = backend.create_sampler({});
  REQUIRE((view && shader && layout && sampler));
  CHECK(shader->stage == shader_stage::pixel);
  CHECK(backend.live_objects() == 6);
  backend.destroy(*std::move(texture));
  backend.destroy(std::move(buffer));
  backend.destroy(*std::move(view));
  backend.destroy(*std::move(shader));
  backend.destroy(*std::move(layout));
  backend.destroy(*std::move(sampler));
  CHECK(backend.live_objects() == 0);
}

TEST_CASE("staged bytes serve the next upload and may grow", "[null]") {
  null_backend backend;
  auto buffer = make_buffer(backend, 64);
  for (const std::size_t size : {8u, 64u, 4u}) {
    auto staged = backend.stage(size);
    REQUIRE(staged);
    REQUIRE(staged->size() == size);
    copy_bytes(*staged, test::counting(size));
    REQUIRE(backend.upload_buffer(buffer, 0, *staged));
    CHECK(test::part_of(content(backend, buffer), 0, size) == test::counting(size));
  }
  CHECK(backend.stage(SIZE_MAX).why().code == error_code::out_of_memory);
  CHECK(backend.counters().uploaded_bytes == 76);
}

TEST_CASE("buffer copies and ranges are exact, and ranges outside are refused", "[null]") {
  null_backend backend;
  auto from = make_buffer(backend, 16);
  auto to = make_buffer(backend, 8);
  REQUIRE(backend.write_buffer(from, 0, test::counting(16)));
  REQUIRE(backend.copy_buffer(to, 4, from, 8, 4));
  CHECK(content(backend, to) == test::bytes_from({0, 0, 0, 0, 9, 10, 11, 12}));
  CHECK(backend.copy_buffer(to, 8, from, 0, 4).why().code == error_code::internal);
  CHECK(backend.copy_buffer(to, 0, from, UINT64_MAX, 4).why().code == error_code::internal);
  CHECK(backend.upload_buffer(to, 6, test::counting(4)).why().code == error_code::internal);
  byte_vector out(9);
  CHECK(backend.read_buffer(to, 0, out).why().code == error_code::internal);
  CHECK(backend.read_back_buffer(to, 0, {gpa{0}, 0, UINT64_MAX, 2}).why().code ==
        error_code::size_overflow);
}

TEST_CASE("a read-back holds the bytes of its moment in the stream", "[null]") {
  null_backend backend;
  auto buffer = make_buffer(backend, 4);
  const guest_rows to{gpa{0x2000}, 4, 4, 1};
  REQUIRE(backend.begin_submission(first_submission));
  REQUIRE(backend.upload_buffer(buffer, 0, test::filled(4, 1)));
  REQUIRE(backend.read_back_buffer(buffer, 0, to));
  REQUIRE(backend.upload_buffer(buffer, 0, test::filled(4, 2)));
  REQUIRE(backend.end_submission(submission_end::commit));
  listener sink;
  backend.poll(sink);
  REQUIRE(sink.write_backs.size() == 1);
  CHECK(sink.write_backs[0].first.first_row == gpa{0x2000});
  CHECK(sink.write_backs[0].second == test::filled(4, 1));
  CHECK(sink.completions == 1);
  CHECK(backend.counters().read_back_bytes == 4);
}

TEST_CASE("wait_idle releases held submissions, so that nobody waits for ever", "[null]") {
  null_backend backend{null_completion::held};
  REQUIRE(backend.begin_submission(first_submission));
  REQUIRE(backend.end_submission(submission_end::commit));
  listener sink;
  backend.poll(sink);
  CHECK(sink.completions == 0);
  CHECK(backend.pending_submissions() == 1);
  backend.wait_idle();
  backend.poll(sink);
  CHECK(sink.completions == 1);
}

TEST_CASE("a present is kept with a copy of its image", "[null]") {
  null_backend backend;
  auto texture = backend.create_texture({{}, 0, AEROGPU_FORMAT_B8G8R8X8_UNORM, 1, 1, 1, 1});
  REQUIRE(texture);
  REQUIRE(backend.write_texture(*texture, {0, 0}, test::counting(4)));
  REQUIRE(backend.present({3, AEROGPU_PRESENT_FLAG_VSYNC, &*texture, &texture->desc()}));
  REQUIRE(backend.write_texture(*texture, {0, 0}, test::filled(4, 0)));
  const null_present& shown = backend.last_present();
  CHECK(shown.number == 1);
  CHECK(shown.scanout_id == 3);
  CHECK(shown.flags == AEROGPU_PRESENT_FLAG_VSYNC);
  CHECK(shown.desc.format == AEROGPU_FORMAT_B8G8R8X8_UNORM);
  const const_bytes image = shown.image.view();
  CHECK(byte_vector(image.begin(), image.end()) == test::bytes_from({1, 2, 3, 0xFF}));

  REQUIRE(backend.present({0, 0, nullptr, nullptr}));
  CHECK(shown.number == 2);
  CHECK(shown.image.size() == 0);
  backend.reset();
  CHECK(backend.last_present().number == 0);
  CHECK(backend.counters().presents == 2);
}

TEST_CASE("a present has the image of its moment, whatever wrote that", "[null]") {
  null_backend backend;
  const texture_desc desc{{}, 0, AEROGPU_FORMAT_R8G8B8A8_UNORM, 1, 1, 1, 1};
  auto texture = backend.create_texture(desc);
  auto other = backend.create_texture(desc);
  REQUIRE(texture);
  REQUIRE(other);
  const auto shown = [&](null_texture& from) {
    REQUIRE(backend.present({0, 0, &from, &from.desc()}));
    const const_bytes image = backend.last_present().image.view();
    return byte_vector(image.begin(), image.end());
  };
  REQUIRE(backend.write_texture(*texture, {0, 0}, test::filled(4, 1)));
  CHECK(shown(*texture) == test::filled(4, 1));
  CHECK(shown(*texture) == test::filled(4, 1));
  CHECK(shown(*other) == test::filled(4, 0));
  REQUIRE(backend.copy_texture(*other, *texture, {{0, 0}, {0, 0}, 0, 0, 0, 0, 1, 1}));
  CHECK(shown(*other) == test::filled(4, 1));
  const texture_rows row{.where = {0, 0},
                         .first_row = 0,
                         .row_count = 1,
                         .first_byte = 0,
                         .row_size_bytes = 4,
                         .source_pitch_bytes = 4};
  REQUIRE(backend.upload_texture(*other, row, test::filled(4, 2)));
  CHECK(shown(*other) == test::filled(4, 2));
  target_set<null_backend> targets;
  targets.color_count = 1;
  targets.colors[0] = {&*other, nullptr, desc.format, {0, 0}, 1, 1};
  clear_call<null_backend> clear{targets,      false, {}, AEROGPU_CLEAR_COLOR,
                                 {1, 1, 1, 1}, false, 1,  0};
  REQUIRE(backend.clear(clear));
  CHECK(shown(*other) == test::filled(4, 0xFF));
}

TEST_CASE("draws and dispatches are counted when they keep the processor's promises", "[null]") {
  null_backend backend;
  const fixed_function_state fixed;
  const d3d9_state d3d9;
  null_shader shader{shader_stage::vertex};
  draw_state<null_backend> state;
  state.fixed = &fixed;
  state.d3d9 = &d3d9;
  state.stages[0].shader = &shader;
  state.stages[2].shader = &shader;
  REQUIRE(backend.draw({state, 0, false, 3, 2, 0, 0, 0}));
  REQUIRE(backend.dispatch({state, 0, shader_stage::compute, 1, 2, 3}));
  CHECK(backend.counters().draws == 1);
  CHECK(backend.counters().vertices == 6);
  CHECK(backend.counters().dispatches == 1);
}

TEST_CASE("a broken promise of the processor is an internal error", "[null]") {
  null_backend backend;
  const fixed_function_state fixed;
  const d3d9_state d3d9;
  null_shader shader{shader_stage::vertex};
  auto buffer = make_buffer(backend, 16);
  auto texture = null_texture::create({{}, 0, AEROGPU_FORMAT_R8G8B8A8_UNORM, 4, 4, 2, 1});
  REQUIRE(texture);
  draw_state<null_backend> state;
  state.fixed = &fixed;
  state.d3d9 = &d3d9;
  state.stages[0].shader = &shader;
  const auto draws = [&](bool is_indexed = false) {
    return backend.draw({state, 0xFFFFFFFF, is_indexed, 3, 1, 0, 0, 0}).why().code;
  };
  REQUIRE(draws() == error_code::none);

  SECTION("an empty draw") {
    CHECK(backend.draw({state, 0, false, 0, 1, 0, 0, 0}).why().code == error_code::internal);
  }
  SECTION("no vertex shader") {
    state.stages[0].shader = nullptr;
    CHECK(draws() == error_code::internal);
  }
  SECTION("no index buffer") {
    CHECK(draws(true) == error_code::internal);
  }
  SECTION("no state") {
    state.fixed = nullptr;
    CHECK(draws() == error_code::internal);
  }
  SECTION("a range past its buffer") {
    state.stages[0].constant_buffers[0] = {&buffer, 8, 16};
    state.stages[0].constant_buffer_limit = 1;
    CHECK(draws() == error_code::internal);
  }
  SECTION("a target of the wrong size, class or subresource") {
    target_ref<null_backend> target{&*texture, nullptr, AEROGPU_FORMAT_R8G8B8A8_UNORM,
                                    {1, 0},    2,       2};
    state.targets.color_count = 1;
    state.targets.colors[0] = target;
    CHECK(draws() == error_code::none);
    state.targets.colors[0].width = 4;
    CHECK(draws() == error_code::internal);
    state.targets.colors[0] = target;
    state.targets.colors[0].where.mip_level = 2;
    CHECK(draws() == error_code::internal);
    state.targets.colors[0] = target;
    state.targets.colors[0].format = AEROGPU_FORMAT_D32_FLOAT;
    CHECK(draws() == error_code::internal);
    state.targets.colors[0] = {};
    state.targets.depth_stencil = target;
    CHECK(draws() == error_code::internal);
  }
  SECTION("an empty dispatch, and one without a shader") {
    CHECK(backend.dispatch({state, 0, shader_stage::vertex, 1, 0, 1}).why().code ==
          error_code::internal);
    CHECK(backend.dispatch({state, 0, shader_stage::compute, 1, 1, 1}).why().code ==
          error_code::internal);
  }
}
