// SPDX-License-Identifier: MIT
// Packets that create, fill and destroy objects.
#include "tests/property/stream_generator.hpp"
#include "tests/support/layout_blobs.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace aerogpu::property {

namespace {

constexpr std::array<std::uint32_t, 20> all_formats{1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                                    32, 33, 64, 65, 66, 67, 68, 69, 70, 71};
constexpr std::array<std::uint32_t, 13> target_formats{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 32, 33, 32};

[[nodiscard]] auto is_block(std::uint32_t format) -> bool {
  return format >= 64;
}

[[nodiscard]] auto mip_count(std::uint32_t width, std::uint32_t height) -> std::uint32_t {
  return static_cast<std::uint32_t>(std::bit_width(std::max(width, height)));
}

/// Bytes of the whole texture, tight.
[[nodiscard]] auto texture_bytes(const test::texture_spec& t) -> std::uint64_t {
  std::uint64_t sum = 0;
  for (std::uint32_t mip = 0; mip < t.mips; ++mip) {
    const std::uint64_t width = std::max(t.width >> mip, 1u),
                        height = std::max(t.height >> mip, 1u);
    const std::uint64_t block = t.format == 64 || t.format == 65 ? 8 : 16;
    sum += is_block(t.format) ? (width + 3) / 4 * ((height + 3) / 4) * block
                              : width * height * (t.format == 5 || t.format == 6 ? 2 : 4);
  }
  return sum * t.layers;
}

}  // namespace

void stream_generator::create_buffer() {
  constexpr std::array<std::uint32_t, 9> sizes{4, 16, 60, 256, 1024, 1028, 4096, 4096, 65536};
  const std::uint32_t size = by_.rarely(40) ? odd_word(by_) : by_.pick(sizes);
  if (size > 1u << 20) return;
  test::backing memory{};
  if (by_.one_in(4) && (!by_.is_careful || size <= allocation_bytes / 2))
    memory = {1 + by_.below(by_.rarely(8) ? 4 : 2), 4 * mostly_below(by_, 64)};
  const std::uint32_t handle = new_handle();
  stream_.create_buffer(handle, size, memory, by_.one_in(4) ? odd_word(by_) : 0x87);
  add(object_kind::buffer,
      {.handle = handle, .size_bytes = size, .is_backed = memory.alloc_id != 0});
  fill(live_.of(object_kind::buffer).back());
}

void stream_generator::create_texture(bool is_target) {
  constexpr std::array<std::uint32_t, 14> sizes{16, 16, 16, 16, 16, 16, 1, 2, 3, 5, 8, 17, 33, 64};
  constexpr std::array<std::uint32_t, 9> layer_counts{1, 1, 1, 1, 2, 6, 6, 12, 7};
  test::texture_spec t;
  t.format = is_target ? by_.pick(target_formats) : by_.pick(all_formats);
  t.width = by_.pick(sizes);
  t.height = by_.one_in(3) ? by_.pick(sizes) : t.width;
  t.layers = by_.pick(layer_counts);
  t.mips = by_.one_in(2) ? 1 : 1 + by_.below(mip_count(t.width, t.height));
  if (by_.rarely(64)) t.width = by_.one_in(2) ? 16'384 : odd_word(by_);
  if (by_.rarely(64)) t.layers = by_.one_in(2) ? 2'048 : odd_word(by_);
  if (by_.rarely(64)) t.mips = odd_word(by_);
  if (by_.rarely(64)) t.format = odd_word(by_);
  t.usage = by_.rarely(16) ? by_.below(256) : 0x38u & ~(is_block(t.format) ? 0x30u : 0u);
  if (t.width > 65'536 || t.layers > 2'048 || t.mips > 16) t.width = t.layers = t.mips = 0;
  if (texture_bytes(t) > 1u << 20) return;
  const std::uint64_t backed_bytes = std::uint64_t{t.width} * 16 * t.height * t.layers * 2;
  if (by_.one_in(6) && (!by_.is_careful || backed_bytes < allocation_bytes / 2)) {
    t.memory = {1 + by_.below(by_.rarely(8) ? 4 : 2), 4 * mostly_below(by_, 64)};
    t.pitch = t.width * 16 + 4 * by_.below(4);
  }
  const std::uint32_t handle = new_handle();
  stream_.create_texture(handle, t);
  add(object_kind::texture, {.handle = handle, .texture = t, .is_backed = t.memory.alloc_id != 0});
  fill(live_.of(object_kind::texture).back());
}

void stream_generator::fill(const object& resource) {
  const std::uint64_t size =
      resource.size_bytes != 0 ? resource.size_bytes : texture_bytes(resource.texture);
  if (resource.is_backed && by_.one_in(2)) {
    const bool is_whole = by_.is_careful || by_.one_in(2);
    stream_.dirty(resource.handle, is_whole ? 0 : 4 * by_.below(16), is_whole ? size : 64);
    return;
  }
  if (resource.is_backed || size > 32'768 || by_.one_in(6)) return;
  std::uint64_t offset = by_.one_in(4) ? std::uint64_t{4} * mostly_below(by_, 16) : 0;
  if (by_.is_careful) offset = offset % std::max<std::uint64_t>(size, 1) & ~std::uint64_t{15};
  const std::uint64_t bytes = offset < size ? (size - offset) & ~std::uint64_t{3} : 4;
  stream_.upload(resource.handle, offset, random_bytes(static_cast<std::size_t>(bytes)));
}

void stream_generator::create_view() {
  const object* const of = live_.pick(by_, object_kind::texture);
  if (of == nullptr) return;
  const test::texture_spec& t = of->texture;
  test::view_spec v;
  // A format and its sRGB or X8 twin share a class of compatible ones.
  v.format = by_.rarely(4) ? by_.pick(all_formats) : t.format;
  v.base_mip = by_.below(std::max(t.mips, 1u));
  v.mips = 1 + by_.below(std::max(t.mips - v.base_mip, 1u));
  v.base_layer = by_.below(std::max(t.layers, 1u));
  v.layers = 1 + by_.below(std::max(t.layers - v.base_layer, 1u));
  if (by_.rarely(32)) v.base_layer = odd_word(by_);
  if (by_.rarely(32)) v.mips = odd_word(by_);
  const std::uint32_t handle = new_handle();
  stream_.create_view(handle, of->handle, v);
  test::texture_spec shown = t;
  shown.format = v.format;
  shown.mips = v.mips;
  shown.layers = v.layers;
  shown.width = std::max(t.width >> v.base_mip, 1u);
  shown.height = std::max(t.height >> v.base_mip, 1u);
  add(object_kind::view, {.handle = handle, .texture = shown});
}

void stream_generator::create_shader(std::size_t index) {
  const library_shader& from = shader_library()[index];
  const std::uint32_t handle = new_handle();
  stream_.create_shader(handle, from.stage, from.code);
  add(from.kind, {.handle = handle, .is_d3d9 = from.is_d3d9});
}

void stream_generator::create_shader(object_kind kind, bool is_d3d9) {
  const auto& library = shader_library();
  std::vector<std::size_t> fitting;
  for (std::size_t i = 0; i < library.size(); ++i) {
    if (library[i].kind == kind && library[i].is_d3d9 == is_d3d9) fitting.push_back(i);
  }
  if (!fitting.empty()) create_shader(by_.pick(fitting));
}

void stream_generator::create_layout(bool is_d3d9) {
  constexpr std::array<std::uint16_t, 12> offsets{0, 0, 4, 8, 12, 16, 16, 20, 32, 1, 6, 2048};
  constexpr std::array<std::uint8_t, 4> usages{0, 5, 5, 10};
  constexpr std::array<std::string_view, 4> names{"POSITION", "TEXCOORD", "COLOR", "BLENDINDICES"};
  constexpr std::array<std::uint32_t, 16> formats{2,  2,  2,  6,  10, 11, 16, 24,
                                                  28, 30, 34, 41, 49, 54, 87, 3};
  const std::uint32_t handle = new_handle();
  if (is_d3d9) {
    std::vector<test::declaration_element> elements;
    for (const std::uint8_t usage : usages) {
      if (by_.one_in(6)) continue;
      const auto stream = static_cast<std::uint16_t>(by_.one_in(12) ? 15 : by_.below(3));
      const auto type = static_cast<std::uint8_t>(by_.one_in(3) ? by_.below(18) : 3);
      elements.push_back({stream, by_.pick(offsets), type, 0, usage, 0});
    }
    elements.push_back(test::declaration_end);
    stream_.create_layout(handle, test::declaration_blob(elements));
  } else {
    std::vector<test::ilay_element> elements;
    const std::array<std::uint32_t, 4> classes{0, by_.below(2), by_.below(2), by_.below(2)};
    for (const std::string_view name : names) {
      if (by_.one_in(8)) continue;
      const std::uint32_t slot = by_.below(3);
      elements.push_back({.name = name,
                          .format = by_.rarely(40) ? odd_word(by_) : by_.pick(formats),
                          .slot = by_.rarely(40) ? odd_word(by_) : slot,
                          .offset = by_.one_in(3) ? by_.pick(offsets) & ~3u : test::append_offset,
                          .input_class = by_.rarely(40) ? by_.below(3) : classes[slot],
                          .step_rate = classes[slot] == 0 ? 0 : mostly_below(by_, 4)});
    }
    stream_.create_layout(handle, test::ilay_blob(elements));
  }
  add(object_kind::layout, {.handle = handle, .is_d3d9 = is_d3d9});
}

void stream_generator::create_sampler() {
  const std::uint32_t handle = new_handle();
  const auto mode = [this] { return by_.below(by_.rarely(32) ? 5 : 3); };
  stream_.create_sampler(handle, by_.below(2), mode(), mode(), mode());
  add(object_kind::sampler, {.handle = handle});
}

void stream_generator::create_something() {
  switch (by_.below(6)) {
    case 0: create_buffer(); break;
    case 1: create_texture(by_.one_in(2)); break;
    case 2: create_view(); break;
    case 3: create_layout(by_.one_in(2)); break;
    case 4: create_sampler(); break;
    default: create_shader(by_.below(shader_library().size())); break;
  }
}

void stream_generator::destroy_something() {
  const auto kind = static_cast<object_kind>(by_.below(object_kind_count));
  const object* const chosen = live_.pick(by_, kind);
  if (chosen == nullptr || (live_.of(kind).size() < 8 && !by_.one_in(8))) return;
  const std::uint32_t handle = chosen->handle;
  switch (kind) {
    case object_kind::buffer:
    case object_kind::texture: stream_.destroy(handle); break;
    case object_kind::view: stream_.destroy_view(handle); break;
    case object_kind::layout: stream_.destroy_layout(handle); break;
    case object_kind::sampler: stream_.destroy_sampler(handle); break;
    case object_kind::token: stream_.release_surface(handle); break;
    default: stream_.destroy_shader(handle); break;
  }
  remove(kind, handle);
}

void stream_generator::share() {
  const object* const token = live_.pick(by_, object_kind::token);
  if (token == nullptr || by_.one_in(2)) {
    const std::uint32_t fresh = next_handle_++;
    stream_.export_surface(handle_of(object_kind::texture), fresh);
    add(object_kind::token, {.handle = fresh});
    return;
  }
  const std::uint32_t handle = new_handle();
  stream_.import_surface(handle, token->handle);
  add(object_kind::texture, {.handle = handle, .texture = {.width = 16, .height = 16}});
}

}  // namespace aerogpu::property
