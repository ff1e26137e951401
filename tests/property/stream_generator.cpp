// SPDX-License-Identifier: MIT
#include "tests/property/stream_generator.hpp"

#include <array>

namespace aerogpu::property {

using test::byte_vector;
using test::stream_builder;

void stream_generator::add(object_kind kind, const object& what) {
  changes_.push_back({stream_.last_packet(), kind, false, what});
  live_.apply(changes_.back());
}

void stream_generator::remove(object_kind kind, std::uint32_t handle) {
  changes_.push_back({stream_.last_packet(), kind, true, {.handle = handle}});
  live_.apply(changes_.back());
}

void stream_generator::settle(std::uint32_t end_offset) {
  for (const object_change& change : changes_) {
    if (change.offset < end_offset) settled_.apply(change);
  }
  changes_.clear();
  live_ = settled_;
}

auto stream_generator::new_handle() -> std::uint32_t {
  return by_.rarely(64) && next_handle_ > 1 ? 1 + by_.below(next_handle_ - 1) : next_handle_++;
}

auto stream_generator::handle_of(object_kind kind) -> std::uint32_t {
  if (by_.rarely(48)) return 0;
  if (by_.rarely(256)) return by_.below(next_handle_ + 1);
  const object* const found = live_.pick(by_, kind);
  return found != nullptr ? found->handle : 0;
}

auto stream_generator::texture_handle() -> std::uint32_t {
  return handle_of(by_.one_in(4) ? object_kind::view : object_kind::texture);
}

auto stream_generator::any_stage() -> test::wire_stage {
  constexpr std::array<test::wire_stage, 8> stages{
      test::wire_vs,
      test::wire_ps,
      test::wire_ps,
      test::wire_ps,
      test::wire_cs,
      test::wire_gs,
      {AEROGPU_SHADER_STAGE_COMPUTE, AEROGPU_SHADER_STAGE_EX_HULL},
      {AEROGPU_SHADER_STAGE_COMPUTE, AEROGPU_SHADER_STAGE_EX_DOMAIN}};
  return by_.pick(stages);
}

auto stream_generator::random_bytes(std::size_t size) -> byte_vector {
  byte_vector bytes(size);
  std::uint64_t word = by_.next();
  for (std::size_t i = 0; i < size; ++i) {
    word = word * 0x5851F42D4C957F2Dull + 0x14057B7EF767814Full;
    bytes[i] = static_cast<std::byte>(word >> 56);
  }
  return bytes;
}

auto stream_generator::first_stream() -> byte_vector {
  stream_ = stream_builder{};
  by_.is_careful = true;
  for (int i = 0; i < 6; ++i) create_buffer();
  for (int i = 0; i < 8; ++i) create_texture(true);
  for (int i = 0; i < 4; ++i) create_texture(false);
  for (int i = 0; i < 3; ++i) create_view();
  for (int i = 0; i < 3; ++i) create_layout(true), create_layout(false);
  for (int i = 0; i < 2; ++i) create_sampler();
  for (const bool is_d3d9 : {true, false, true, false}) {
    create_shader(object_kind::vertex_shader, is_d3d9);
    create_shader(object_kind::pixel_shader, is_d3d9);
    create_shader(object_kind::pixel_shader, is_d3d9);
  }
  for (const object_kind kind :
       {object_kind::geometry_shader, object_kind::hull_shader, object_kind::domain_shader,
        object_kind::compute_shader, object_kind::compute_shader}) {
    create_shader(kind, false);
  }
  return stream_.bytes();
}

auto stream_generator::next_stream(std::uint32_t packets) -> byte_vector {
  using step = void (stream_generator::*)();
  using self = stream_generator;
  constexpr std::array<step, 23> steps{&self::draw,
                                       &self::draw,
                                       &self::draw,
                                       &self::draw,
                                       &self::draw,
                                       &self::draw,
                                       &self::draw,
                                       &self::draw,
                                       &self::set_some_state,
                                       &self::set_some_state,
                                       &self::set_some_state,
                                       &self::set_some_state,
                                       &self::bind_resources,
                                       &self::bind_resources,
                                       &self::dispatch,
                                       &self::clear,
                                       &self::clear,
                                       &self::copy,
                                       &self::copy,
                                       &self::draw_with_copy,
                                       &self::create_something,
                                       &self::create_something,
                                       &self::present};
  stream_ = stream_builder{};
  by_.is_careful = !by_.one_in(4);
  is_new_stream_ = by_.is_careful || !by_.one_in(8);
  for (std::uint32_t i = 0; i < packets; ++i) (this->*by_.pick(steps))();
  if (by_.one_in(8)) destroy_something();
  if (by_.one_in(16)) share();
  return stream_.bytes();
}

}  // namespace aerogpu::property
