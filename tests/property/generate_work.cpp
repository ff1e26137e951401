// SPDX-License-Identifier: MIT
// Packets that bind, and those that do something with what is bound.
#include "tests/property/stream_generator.hpp"

#include <algorithm>
#include <array>

namespace aerogpu::property {

namespace {

/// Vertices, indices or threads that a machine without a GPU runs in no time.
constexpr std::uint32_t most_vertices = 64;

}  // namespace

void stream_generator::bind_targets() {
  aerogpu_cmd_set_render_targets packet{};
  const auto find = [&](bool wants_depth) -> std::uint32_t {
    const auto kind = by_.one_in(5) ? object_kind::view : object_kind::texture;
    const object* const found = live_.pick_if(by_, kind, [&](const object& o) {
      const bool is_depth = o.texture.format == 32 || o.texture.format == 33;
      const bool is_single =
          kind == object_kind::texture || (o.texture.mips == 1 && o.texture.layers == 1);
      return is_depth == wants_depth && o.texture.format < 64 && (is_single || by_.rarely(8));
    });
    return found != nullptr ? found->handle : 0;
  };
  packet.color_count = by_.one_in(3) ? by_.below(9) : 1;
  for (std::uint32_t i = 0; i < packet.color_count; ++i) {
    packet.colors[i] = by_.one_in(8) ? 0 : find(false);
  }
  if (by_.one_in(2)) packet.depth_stencil = find(true);
  if (by_.rarely(128)) packet.depth_stencil = handle_of(object_kind::texture);
  if (by_.rarely(128)) packet.colors[0] = handle_of(object_kind::texture);
  stream_.add(packet);
}

void stream_generator::bind_shaders() {
  const bool is_d3d9 = is_d3d9_ = by_.one_in(2);
  const auto is_alike = [&](const object& o) { return o.is_d3d9 == is_d3d9; };
  const auto find = [&](object_kind kind) -> std::uint32_t {
    const object* const found = live_.pick_if(by_, kind, is_alike);
    return found != nullptr ? found->handle : 0;
  };
  auto& [vs, ps, cs, reserved, gs, hs, ds] = bound_;
  vs = by_.rarely(40) ? handle_of(object_kind::vertex_shader) : find(object_kind::vertex_shader);
  ps = by_.one_in(8) && !is_d3d9 ? 0 : find(object_kind::pixel_shader);
  cs = handle_of(object_kind::compute_shader);
  gs = !is_d3d9 && by_.one_in(3) ? find(object_kind::geometry_shader) : 0;
  const bool is_patched = !is_d3d9 && by_.one_in(4);
  hs = is_patched ? find(object_kind::hull_shader) : 0;
  ds = is_patched ? find(object_kind::domain_shader) : 0;
  reserved = by_.rarely(16) ? gs : 0;
  stream_.bind_all_shaders({vs, ps, cs, reserved}, {gs, hs, ds});
  constexpr std::array<std::uint32_t, 12> topologies{1, 2, 3, 4, 4, 5, 6, 10, 11, 12, 13, 4};
  std::uint32_t topology = hs != 0 ? 35 : gs != 0 ? 1 : by_.pick(topologies);
  if (by_.rarely(24)) topology = 1 + by_.below(64);
  stream_.topology(topology);
  const object* const layout = by_.rarely(8) ? live_.pick(by_, object_kind::layout)
                                             : live_.pick_if(by_, object_kind::layout, is_alike);
  if (layout != nullptr) stream_.set_layout(layout->handle);
}

void stream_generator::bind_vertices() {
  constexpr std::array<std::uint32_t, 24> strides{
      64, 64, 64, 64, 64, 32, 48, 128, 16, 20, 12, 8, 4, 65, 33, 66, 17, 1, 2, 3, 0, 2048, 255, 68};
  constexpr std::array<std::uint32_t, 12> offsets{0, 0, 0, 0, 4, 16, 64, 256, 1, 2, 3, 37};
  for (const std::uint32_t slot : {0u, 1u, 2u, 15u}) {
    if (by_.one_in(6) && !is_d3d9_) continue;
    std::uint32_t stride = by_.rarely(24) ? odd_word(by_) : by_.pick(strides);
    std::uint32_t offset = by_.rarely(24) ? odd_word(by_) : by_.pick(offsets);
    const object* const buffer = live_.pick(by_, object_kind::buffer);
    if (by_.is_careful && stride < 64 && stride != 0 && !is_d3d9_) stride += 64;
    if (by_.is_careful && stride == 0 && is_d3d9_) stride = 16;
    if (by_.is_careful && buffer != nullptr) offset %= buffer->size_bytes;
    const bool is_known = by_.is_careful && buffer != nullptr;
    stream_.vertex_buffer(slot, is_known ? buffer->handle : handle_of(object_kind::buffer), stride,
                          offset);
  }
}

void stream_generator::bind_indices() {
  const std::uint32_t format = mostly_below(by_, 2);
  std::uint32_t offset = 4 * by_.below(16);
  if (by_.rarely(8)) offset = odd_word(by_);
  stream_.index_buffer(handle_of(object_kind::buffer), format, offset);
}

void stream_generator::bind_resources() {
  const test::wire_stage stage = any_stage();
  const auto range = [this]() -> test::range_binding {
    const std::uint32_t offset = by_.one_in(3) ? mostly_below(by_, 256) : 4 * by_.below(64);
    std::uint32_t size = by_.one_in(3) ? mostly_below(by_, 256) : 4 * by_.below(1024);
    if (by_.one_in(12)) size = by_.below(5);
    return {handle_of(object_kind::buffer), offset, size};
  };
  const std::uint32_t slot = by_.one_in(12) ? mostly_below(by_, 16) : by_.below(2);
  switch (by_.below(8)) {
    case 0: stream_.samplers(stage, slot, {handle_of(object_kind::sampler)}); break;
    case 1: stream_.constant_buffers(stage, slot, {range(), range()}); break;
    case 2: stream_.resource_buffers(stage, slot, {range()}); break;
    case 3:
      stream_.unordered_access(by_.rarely(2) ? stage : test::wire_cs, slot % 8, {range()});
      break;
    default: stream_.set_texture(stage, slot, texture_handle()); break;
  }
}

void stream_generator::bind_for_draw() {
  if (is_new_stream_ || !by_.one_in(3)) bind_targets();
  is_new_stream_ = false;
  bind_shaders();
  bind_vertices();
  if (by_.one_in(2)) bind_indices();
  for (std::uint32_t i = by_.below(4); i != 0; --i) bind_resources();
  for (std::uint32_t i = by_.below(5); i != 0; --i) set_some_state();
}

void stream_generator::draw() {
  if (is_new_stream_ || by_.one_in(2)) bind_for_draw();
  const std::uint32_t count = by_.one_in(64) ? 4096 : by_.below(most_vertices);
  const std::uint32_t instances = by_.one_in(8) ? by_.below(9) : 1;
  const std::uint32_t first_instance = by_.one_in(4) ? mostly_below(by_, 4) : 0;
  const std::uint32_t first = by_.one_in(4) ? mostly_below(by_, 16) : 0;
  if (by_.one_in(2)) {
    stream_.add(aerogpu_cmd_draw{{}, count, instances, first, first_instance});
    return;
  }
  if (by_.is_careful || by_.one_in(4)) bind_indices();
  const auto base = static_cast<std::int32_t>(by_.one_in(2) ? mostly_below(by_, 8) - 4 : 0);
  stream_.add(aerogpu_cmd_draw_indexed{{}, count, instances, first, base, first_instance});
}

void stream_generator::dispatch() {
  if (by_.is_careful || by_.one_in(2)) {
    auto& [vs, ps, cs, reserved, gs, hs, ds] = bound_;
    cs = handle_of(object_kind::compute_shader);
    stream_.bind_all_shaders({vs, ps, cs, reserved}, {gs, hs, ds});
  }
  const auto groups = [this] { return by_.one_in(16) ? by_.below(64) : by_.below(4); };
  const std::uint32_t x = by_.rarely(24) ? odd_word(by_) : groups();
  const bool is_long = x > 64;
  constexpr std::array<std::uint32_t, 4> stages{0, 0, AEROGPU_SHADER_STAGE_EX_HULL, 7};
  stream_.dispatch(x > 65'536 || !is_long ? x : x % 4096, is_long ? 1 : groups(),
                   is_long ? 1 : groups(), by_.rarely(24) ? by_.pick(stages) : 0);
}

void stream_generator::clear() {
  if (by_.one_in(3)) bind_targets();
  std::array<float, 4> color{};
  for (float& c : color) c = odd_float(by_);
  stream_.clear(by_.one_in(8) ? odd_word(by_) : by_.below(8), color,
                by_.one_in(3) ? odd_float(by_) : 0.5f, odd_word(by_));
}

void stream_generator::copy_buffers(std::uint32_t flags) {
  const object* const to = live_.pick(by_, object_kind::buffer);
  const object* const from = live_.pick(by_, object_kind::buffer);
  if (to == nullptr || from == nullptr) return;
  const std::uint32_t words = std::min(to->size_bytes, from->size_bytes) / 4;
  const std::uint32_t count = by_.below(words + 1);
  const auto offset = [&] { return 4 * by_.below(by_.rarely(4) ? words + 8 : words - count + 1); };
  const std::uint32_t to_offset = offset(), from_offset = offset();
  if (to == from && by_.is_careful) return;
  stream_.copy_buffer(to->handle, to_offset, from->handle, from_offset, 4 * count, flags);
}

void stream_generator::copy() {
  const object* const chosen = live_.pick(by_, object_kind::texture);
  const bool can_write_back = chosen != nullptr && chosen->is_backed;
  const std::uint32_t flags =
      by_.one_in(6) && (can_write_back || !by_.is_careful) ? AEROGPU_COPY_FLAG_WRITEBACK_DST : 0;
  if (by_.one_in(3)) return copy_buffers(by_.is_careful ? 0 : flags);
  if (chosen == nullptr) return;
  const test::texture_spec& t = chosen->texture;
  const object* const from = live_.pick_if(
      by_, object_kind::texture, [&](const object& o) { return o.texture.format == t.format; });
  const auto level = [this](const object& o) { return by_.below(std::max(o.texture.mips, 1u)); };
  const std::uint32_t to_mip = level(*chosen), from_mip = level(*from);
  const auto least = [&](std::uint32_t a, std::uint32_t b) {
    return std::max(std::min(a >> to_mip, b >> from_mip), 1u);
  };
  const auto layer = [this](const object& o) { return by_.below(std::max(o.texture.layers, 1u)); };
  std::uint32_t width = least(t.width, from->texture.width);
  std::uint32_t height = least(t.height, from->texture.height);
  const std::uint32_t layer_to = layer(*chosen), layer_from = layer(*from);
  if (by_.is_careful && from == chosen && to_mip == from_mip && layer_to == layer_from) return;
  if (t.format < 32 && by_.one_in(2)) width = 1 + by_.below(width);
  if (by_.rarely(4)) height = 1 + by_.below(33);
  const auto place = [this] { return by_.rarely(3) ? by_.below(16) : 0; };
  stream_.copy_texture({chosen->handle, to_mip, layer_to, place(), place()},
                       {from->handle, from_mip, layer_from, place(), place()}, width, height,
                       flags);
}

/// A copy with write-back is put off until something reads it: here a draw, whose buffers are
/// overwritten behind it.
void stream_generator::draw_with_copy() {
  const object* const to = live_.pick_if(by_, object_kind::texture, [](const object& o) {
    return o.is_backed && o.texture.mips == 1 && o.texture.layers == 1;
  });
  if (to == nullptr) return;
  const test::texture_spec& t = to->texture;
  const object* const from = live_.pick_if(by_, object_kind::texture, [&](const object& o) {
    return o.handle != to->handle && o.texture.format == t.format && o.texture.width >= t.width &&
           o.texture.height >= t.height;
  });
  if (from == nullptr) return;
  bind_for_draw();
  stream_.copy_texture({to->handle}, {from->handle}, t.width, t.height,
                       AEROGPU_COPY_FLAG_WRITEBACK_DST);
  for (const test::wire_stage stage : {test::wire_vs, test::wire_ps}) {
    stream_.set_texture(stage, by_.below(2), to->handle);
  }
  stream_.draw(by_.below(most_vertices));
  for (int i = 0; i < 3; ++i) {
    const object* const buffer = live_.pick(by_, object_kind::buffer);
    if (buffer != nullptr) fill(*buffer);
  }
  stream_.draw(by_.below(most_vertices));
}

void stream_generator::present() {
  switch (by_.below(4)) {
    case 0: stream_.present_ex(by_.below(2), by_.below(2), odd_word(by_)); break;
    case 1: stream_.flush(); break;
    default: stream_.present(by_.below(2), by_.below(2)); break;
  }
}

}  // namespace aerogpu::property
