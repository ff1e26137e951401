// SPDX-License-Identifier: MIT
#include "tests/support/words/program_session.hpp"

#include "tests/support/alloc_table_bytes.hpp"
#include "tests/support/byte_code/dxbc_samples.hpp"
#include "tests/support/layout_blobs.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace aerogpu::test {

namespace {

constexpr gpa read_back_at{0x100000};
constexpr std::uint32_t read_back_alloc = 1, read_back_bytes = 0x10000;
constexpr std::uint32_t canary_words = 64, canary = 0xC0DEC0DE;

// Handles.
constexpr std::uint32_t before_handle = 1, constants_handle = 2, source_handle = 3,
                        result_handle = 4, after_handle = 5, copy_handle = 6, target_handle = 7,
                        vertices_handle = 8, layout_handle = 9, vertex_shader_handle = 10,
                        pixel_shader_handle = 11, other_shader_handle = 12;

template <class Range>
auto bytes_of_words(const Range& words) -> byte_vector {
  const const_bytes bytes = std::as_bytes(std::span{words});
  return {bytes.begin(), bytes.end()};
}

/// Buffers that a shader may read, between such as it may not reach.
void add_inputs(stream_builder& stream, const word_inputs& inputs, std::uint32_t result_bytes) {
  const byte_vector guard = bytes_of_words(std::vector(canary_words, canary));
  const auto add = [&](std::uint32_t handle, const byte_vector& bytes) {
    stream.create_buffer(handle, bytes.size()).upload(handle, 0, bytes);
  };
  add(before_handle, guard);
  add(constants_handle, bytes_of_words(inputs.constants));
  add(source_handle, bytes_of_words(inputs.source));
  if (result_bytes != 0) add(result_handle, byte_vector(result_bytes));
  add(after_handle, guard);
}

/// Copies all of the buffers into guest memory, one behind another.
void add_read_back(stream_builder& stream, std::uint32_t result_bytes) {
  constexpr std::uint32_t guard_bytes = canary_words * 4;
  struct part {
    std::uint32_t handle;
    std::uint32_t size_bytes;
  };
  const std::array parts{part{result_handle, result_bytes}, part{before_handle, guard_bytes},
                         part{after_handle, guard_bytes},
                         part{constants_handle, sizeof(word_inputs::constants)},
                         part{source_handle, sizeof(word_inputs::source)}};
  stream.create_buffer(copy_handle, read_back_bytes, {read_back_alloc, 0});
  std::uint32_t offset = 0;
  for (const part& each : parts) {
    if (each.size_bytes == 0) continue;
    stream.copy_buffer(copy_handle, offset, each.handle, 0, each.size_bytes,
                       AEROGPU_COPY_FLAG_WRITEBACK_DST);
    offset += each.size_bytes;
  }
}

/// What `add_read_back` put behind the result.
auto are_whole(std::span<const std::uint32_t> rest, const word_inputs& inputs) -> bool {
  const auto is_canary = [](std::uint32_t word) { return word == canary; };
  if (!std::ranges::all_of(rest.first(2 * canary_words), is_canary)) return false;
  const byte_vector tail = bytes_of_words(rest.subspan(2 * canary_words));
  byte_vector expected = bytes_of_words(inputs.constants);
  const byte_vector more = bytes_of_words(inputs.source);
  expected.insert(expected.end(), more.begin(), more.end());
  return std::equal(expected.begin(), expected.end(), tail.begin());
}

constexpr std::uint32_t rest_words =
    2 * canary_words + (sizeof(word_inputs::constants) + sizeof(word_inputs::source)) / 4;

/// Each pixel's centre, or the corners of everything.
auto positions(word_stage stage) -> std::vector<std::array<float, 4>> {
  if (stage == word_stage::pixel)
    return {{-1, 1, 0, 1}, {1, 1, 0, 1}, {-1, -1, 0, 1}, {1, -1, 0, 1}};
  std::vector<std::array<float, 4>> made;
  for (std::uint32_t i = 0; i < session_invocations; ++i) {
    constexpr float step = 2.0f / session_width;
    made.push_back({(static_cast<float>(i % session_width) + 0.5f) * step - 1,
                    1 - (static_cast<float>(i / session_width) + 0.5f) * step, 0, 1});
  }
  return made;
}

}  // namespace

program_session::program_session(vulkan::vulkan_backend& on) : processor_(on, limits{}) {
  memory_.map(read_back_at, read_back_bytes);
}

auto program_session::submit(const stream_builder& stream) -> error {
  std::array<alloc_table::slot, 8> slots{};
  alloc_table table{slots};
  const auto parsed =
      table.parse(make_table({{read_back_alloc, 0, raw(read_back_at), read_back_bytes, 0}}));
  if (!parsed) return parsed.why();
  const auto report =
      processor_.execute({context_id{0}, fence_value{++fence_}, stream.bytes(), &table}, memory_);
  processor_.wait_idle();
  struct listener {
    fake_memory& memory;
    error why;
    void on_write_back(submission_id, const guest_rows& to, const_bytes rows) noexcept {
      for (std::uint32_t row = 0; row < to.row_count; ++row) {
        static_cast<void>(memory.write(advance(to.first_row, row * to.pitch_bytes),
                                       rows.subspan(row * to.row_size_bytes, to.row_size_bytes)));
      }
    }
    void on_complete(submission_id, const error& failure) noexcept { why = failure; }
  } heard{memory_, {}};
  processor_.poll(heard);
  return report.why.code != error_code::none ? report.why : heard.why;
}

auto program_session::read_words(std::size_t first, std::size_t count)
    -> std::vector<std::uint32_t> {
  const byte_vector bytes = memory_.peek(advance(read_back_at, first * 4), count * 4);
  std::vector<std::uint32_t> words(count);
  copy_bytes(std::as_writable_bytes(std::span{words}), bytes);
  return words;
}

auto program_session::compute(const byte_vector& container, const word_inputs& inputs)
    -> program_outcome {
  constexpr std::uint32_t result_words = session_groups * word_state_words;
  stream_builder stream;
  add_inputs(stream, inputs, result_words * 4);
  stream.create_shader(other_shader_handle, wire_cs, container)
      .bind_shaders(0, 0, other_shader_handle)
      .constant_buffers(wire_cs, 0, {{constants_handle}})
      .resource_buffers(wire_cs, 0, {{source_handle}})
      .unordered_access(wire_cs, 0, {{result_handle}})
      .dispatch(session_groups, 1, 1);
  add_read_back(stream, result_words * 4);
  program_outcome made;
  made.why = submit(stream);
  if (made.why.code != error_code::none) return made;
  made.words = read_words(0, result_words);
  made.are_canaries_whole = are_whole(read_words(result_words, rest_words), inputs);
  return made;
}

auto program_session::draw(word_stage stage, const byte_vector& container,
                           const word_inputs& inputs) -> program_outcome {
  const bool is_vertex = stage == word_stage::vertex, is_pixel = stage == word_stage::pixel;
  const auto points = positions(stage);
  const byte_vector vertex_bytes = bytes_of_words(points);
  const wire_stage shown = is_pixel ? wire_ps : is_vertex ? wire_vs : wire_gs;
  stream_builder stream;
  add_inputs(stream, inputs, 0);
  stream
      .create_texture(target_handle, {.format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
                                      .width = session_width,
                                      .height = session_width,
                                      .usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET})
      .create_buffer(vertices_handle, vertex_bytes.size())
      .upload(vertices_handle, 0, vertex_bytes)
      .create_layout(layout_handle, ilay_blob({{.name = "POSITION"}}))
      .create_shader(vertex_shader_handle, wire_vs, is_vertex ? container : sm4::vs_position_only())
      .create_shader(pixel_shader_handle, wire_ps, is_pixel ? container : sm4::ps_color());
  if (stage == word_stage::geometry) stream.create_shader(other_shader_handle, wire_gs, container);
  constexpr auto size = static_cast<float>(session_width);
  stream.targets({target_handle})
      .viewport({0, 0, size, size, 0, 1})
      .clear(AEROGPU_CLEAR_COLOR)
      .bind_shaders(vertex_shader_handle, pixel_shader_handle, 0,
                    stage == word_stage::geometry ? other_shader_handle : 0)
      .constant_buffers(shown, 0, {{constants_handle}})
      .set_layout(layout_handle)
      .vertex_buffer(0, vertices_handle)
      .topology(is_pixel ? AEROGPU_TOPOLOGY_TRIANGLESTRIP : AEROGPU_TOPOLOGY_POINTLIST)
      .draw(static_cast<std::uint32_t>(points.size()));
  add_read_back(stream, 0);
  constexpr std::uint32_t picture_at = rest_words * 4, picture = copy_handle + 100;
  stream
      .create_texture(picture, {.format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
                                .width = session_width,
                                .height = session_width,
                                .pitch = session_width * 4,
                                .memory = {read_back_alloc, picture_at}})
      .copy_texture({picture}, {target_handle}, session_width, session_width,
                    AEROGPU_COPY_FLAG_WRITEBACK_DST);
  program_outcome made;
  made.why = submit(stream);
  if (made.why.code != error_code::none) return made;
  made.are_canaries_whole = are_whole(read_words(0, rest_words), inputs);
  for (const std::uint32_t texel : read_words(rest_words, session_invocations)) {
    made.colors.push_back(std::bit_cast<std::array<std::uint8_t, 4>>(texel));
  }
  return made;
}

auto program_session::run(word_stage stage, const byte_vector& container, const word_inputs& inputs)
    -> program_outcome {
  program_outcome made =
      stage == word_stage::compute ? compute(container, inputs) : draw(stage, container, inputs);
  processor_.reset();
  return made;
}

auto difference(const word_program& program, const word_inputs& inputs,
                const program_outcome& outcome) -> std::string {
  if (outcome.why.code != error_code::none) return std::string{"it fails: "} + outcome.why.what;
  if (!outcome.are_canaries_whole) return "it changes memory that it may only read, or not at all";
  const bool is_compute = program.stage == word_stage::compute;
  word_inputs each = inputs;
  std::array<char, 120> text{};
  for (std::uint32_t i = 0; i < (is_compute ? session_groups : session_invocations); ++i) {
    each.id_x = program.stage == word_stage::pixel ? i % session_width : i;
    each.id_y = program.stage == word_stage::pixel ? i / session_width : 0;
    const word_state expected = run(program, each);
    if (!is_compute) {
      if (word_color(expected) == outcome.colors[i]) continue;
      std::snprintf(text.data(), text.size(), "invocation %u has another colour", i);
      return text.data();
    }
    const auto words = std::bit_cast<std::array<std::uint32_t, word_state_words>>(expected);
    for (std::uint32_t k = 0; k < word_state_words; ++k) {
      const std::uint32_t actual = outcome.words[i * word_state_words + k];
      if (words[k] == actual) continue;
      std::snprintf(text.data(), text.size(), "group %u, word %u: %08x instead of %08x", i, k,
                    actual, words[k]);
      return text.data();
    }
  }
  return {};
}

}  // namespace aerogpu::test
