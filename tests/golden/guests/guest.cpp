// SPDX-License-Identifier: MIT
#include "tests/golden/guests/guest.hpp"

#include "aerogpu/memory/texture_layout.hpp"
#include "d3d9_to_spirv/assembly/assemble.hpp"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

namespace aerogpu::golden {

namespace {

constexpr std::string_view pass_through_vs =
    "vs_2_0\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0, v1";
constexpr std::string_view constant_ps = "ps_2_0\nmov oC0, c0";
constexpr std::string_view attribute_ps = "ps_2_0\ndcl t0\nmov oC0, t0";
constexpr std::string_view texture_ps =
    "ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0";

constexpr std::uint64_t page = 0x1000;

[[nodiscard]] auto layout_of(const texture_spec& spec) -> texture_layout {
  const auto made =
      texture_layout::create({spec.format, spec.width, spec.height, spec.mips, spec.layers, 0});
  REQUIRE(made);
  return *made;
}

[[nodiscard]] auto widened(std::uint32_t value, std::uint32_t bits) -> std::uint8_t {
  return to_byte(value / static_cast<double>((1u << bits) - 1));
}

[[nodiscard]] auto texel_of(const std::byte* at, std::uint32_t format) -> rgba {
  const auto byte = [at](std::size_t i) { return std::to_integer<std::uint8_t>(at[i]); };
  switch (format) {
    case AEROGPU_FORMAT_B5G6R5_UNORM: {
      const std::uint32_t bits = load<std::uint16_t>(at);
      return {widened(bits >> 11, 5), widened(bits >> 5 & 63, 6), widened(bits & 31, 5), 255};
    }
    case AEROGPU_FORMAT_B5G5R5A1_UNORM: {
      const std::uint32_t bits = load<std::uint16_t>(at);
      return {widened(bits >> 10 & 31, 5), widened(bits >> 5 & 31, 5), widened(bits & 31, 5),
              widened(bits >> 15, 1)};
    }
    case AEROGPU_FORMAT_B8G8R8A8_UNORM:
    case AEROGPU_FORMAT_B8G8R8X8_UNORM:
    case AEROGPU_FORMAT_B8G8R8A8_UNORM_SRGB:
    case AEROGPU_FORMAT_B8G8R8X8_UNORM_SRGB: return {byte(2), byte(1), byte(0), byte(3)};
    default: return {byte(0), byte(1), byte(2), byte(3)};
  }
}

}  // namespace

guest::guest(host_variant variant) : host_(make_host(variant)) {
  REQUIRE(host_ != nullptr);
  errors_before_ = host_->validation_errors();
}

guest::~guest() {
  host_->reset();
  if (std::uncaught_exceptions() != 0) return;
  CHECK(host_->live_objects() == 0);
  CHECK(host_->validation_errors() == errors_before_);
}

void guest::submit(std::uint32_t context) {
  CHECK(std::string{kind_name(failure(context))} == kind_name(error_code::none));
}

auto guest::failure(std::uint32_t context) -> error_code {
  const stream_builder pending = std::exchange(stream_, stream_builder{});
  const error why = host_->run(pending.bytes(), context, table_);
  if (why.code != error_code::none) UNSCOPED_INFO(why.what);
  return why.code;
}

auto guest::allocate(std::uint64_t size) -> std::uint32_t {
  if (!table_.has_value()) table_.emplace();
  const std::uint32_t id = next_alloc_++;
  table_->push_back({id, AEROGPU_ALLOC_FLAG_NONE, next_address_, size, 0});
  host_->memory().map(gpa{next_address_}, size);
  next_address_ += (size + page) / page * page;
  return id;
}

void guest::poke(std::uint32_t alloc_id, std::uint64_t offset, const byte_vector& bytes) {
  host_->memory().poke(gpa{table_->at(alloc_id - 1).gpa + offset}, bytes);
}

auto guest::peek(std::uint32_t alloc_id, std::uint64_t offset, std::size_t size) -> byte_vector {
  return host_->memory().peek(gpa{table_->at(alloc_id - 1).gpa + offset}, size);
}

auto guest::make_target(int width, int height, std::uint32_t format) -> std::uint32_t {
  const std::uint32_t attachment = find_format(format)->is_depth()
                                       ? AEROGPU_RESOURCE_USAGE_DEPTH_STENCIL
                                       : AEROGPU_RESOURCE_USAGE_RENDER_TARGET;
  return make_texture({.format = format,
                       .width = static_cast<std::uint32_t>(width),
                       .height = static_cast<std::uint32_t>(height),
                       .usage = AEROGPU_RESOURCE_USAGE_TEXTURE | attachment});
}

auto guest::make_texture(const texture_spec& spec) -> std::uint32_t {
  const std::uint32_t handle = new_handle();
  stream_.create_texture(handle, spec);
  know(handle, spec);
  return handle;
}

auto guest::make_texture(const texture_spec& spec, const byte_vector& bytes) -> std::uint32_t {
  const std::uint32_t handle = make_texture(spec);
  stream_.upload(handle, 0, bytes);
  return handle;
}

auto guest::make_texture(const image& content) -> std::uint32_t {
  const const_bytes bytes = content.bytes();
  return make_texture({.format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
                       .width = static_cast<std::uint32_t>(content.width()),
                       .height = static_cast<std::uint32_t>(content.height())},
                      {bytes.begin(), bytes.end()});
}

auto guest::make_buffer(const byte_vector& bytes) -> std::uint32_t {
  const std::uint32_t handle = new_handle();
  byte_vector padded = bytes;
  padded.resize(align4(bytes.size()));
  stream_.create_buffer(handle, padded.size()).upload(handle, 0, padded);
  return handle;
}

auto guest::make_shader(std::string_view assembly) -> std::uint32_t {
  const auto words = d3d9::assemble(assembly);
  INFO(assembly);
  REQUIRE(words);
  const const_bytes bytes = std::as_bytes(std::span{*words});
  const std::uint32_t handle = new_handle();
  stream_.create_shader(handle, assembly.starts_with("vs") ? wire_vs : wire_ps,
                        {bytes.begin(), bytes.end()});
  return handle;
}

auto guest::make_layout(std::vector<declaration_element> elements) -> std::uint32_t {
  const std::uint32_t handle = new_handle();
  elements.push_back(test::declaration_end);
  stream_.create_layout(handle, test::declaration_blob(elements));
  return handle;
}

void guest::bind_targets(std::vector<std::uint32_t> colors, std::uint32_t depth) {
  aerogpu_cmd_set_render_targets packet{};
  packet.color_count = static_cast<std::uint32_t>(colors.size());
  packet.depth_stencil = depth;
  std::ranges::copy(colors, packet.colors);
  stream_.add(packet);
  colors.push_back(depth);
  for (const std::uint32_t handle : colors) {
    if (handle == 0 || !specs_.contains(handle)) continue;
    target_width_ = static_cast<int>(specs_[handle].width);
    target_height_ = static_cast<int>(specs_[handle].height);
    break;
  }
}

auto guest::at_pixel(float x, float y, float z) const -> vertex {
  return {2 * x / static_cast<float>(target_width_) - 1,
          1 - 2 * y / static_cast<float>(target_height_),
          z,
          1,
          {}};
}

auto guest::rectangle(const area& where, float z, const color4& top_left, const color4& top_right,
                      const color4& bottom_left) const -> std::vector<vertex> {
  const auto left = static_cast<float>(where.x), top = static_cast<float>(where.y);
  const auto right = left + static_cast<float>(where.width);
  const auto bottom = top + static_cast<float>(where.height);
  std::array<vertex, 4> corners{at_pixel(left, top, z), at_pixel(right, top, z),
                                at_pixel(left, bottom, z), at_pixel(right, bottom, z)};
  corners[0].attribute = top_left;
  corners[1].attribute = top_right;
  corners[2].attribute = bottom_left;
  for (std::size_t i = 0; i < 4; ++i) {
    corners[3].attribute[i] = top_right[i] + bottom_left[i] - top_left[i];
  }
  return {corners[0], corners[1], corners[2], corners[2], corners[1], corners[3]};
}

void guest::draw_with(std::uint32_t pixel_shader, const std::vector<vertex>& vertices,
                      std::uint32_t topology) {
  const std::uint32_t vs = position_and_attribute_vs(), layout = vertex_layout();
  stream_.bind_shaders(vs, pixel_shader)
      .set_layout(layout)
      .vertex_buffer(0, make_buffer(vertices), sizeof(vertex))
      .topology(topology)
      .draw(static_cast<std::uint32_t>(vertices.size()));
}

void guest::draw(const std::vector<vertex>& vertices, std::uint32_t topology) {
  draw_with(attribute_color_ps(), vertices, topology);
}

void guest::fill(const area& where, const color4& color, float z) {
  const std::uint32_t ps = constant_color_ps();
  stream_.constants_f(wire_ps, 0, {color});
  draw_with(ps, rectangle(where, z, {}, {}, {}));
}
void guest::fill(const area& where, const rgba& color, float z) {
  fill(where, to_color(color), z);
}
void guest::fill_all(const rgba& color, float z) {
  fill_all(to_color(color), z);
}
void guest::fill_all(const color4& color, float z) {
  fill({0, 0, target_width_, target_height_}, color, z);
}

void guest::draw_textured(const area& where, float u, float v) {
  draw_with(textured_ps(), rectangle(where, 0.5f, {0, 0, 0, 1}, {u, 0, 0, 1}, {0, v, 0, 1}));
}

auto guest::read_bytes(std::uint32_t texture, std::uint32_t mip, std::uint32_t layer)
    -> byte_vector {
  const texture_spec& spec = specs_.at(texture);
  const subresource_layout at = layout_of(spec).locate({mip, layer});
  const std::uint32_t memory = allocate(at.size_bytes());
  const std::uint32_t copy = new_handle();
  stream_
      .create_texture(copy, {.format = spec.format,
                             .width = at.width,
                             .height = at.height,
                             .pitch = at.row_size_bytes,
                             .memory = {memory, 0}})
      .copy_texture({copy}, {texture, mip, layer}, at.width, at.height,
                    AEROGPU_COPY_FLAG_WRITEBACK_DST)
      .destroy(copy);
  submit();
  return peek(memory, 0, static_cast<std::size_t>(at.size_bytes()));
}

auto guest::read(std::uint32_t texture, std::uint32_t mip, std::uint32_t layer) -> image {
  const texture_spec& spec = specs_.at(texture);
  const subresource_layout at = layout_of(spec).locate({mip, layer});
  return to_image(read_bytes(texture, mip, layer), spec.format, static_cast<int>(at.width),
                  static_cast<int>(at.height));
}

auto guest::read_presented() -> image {
  submit();
  const texture_desc* shown = host_->presented();
  if (shown == nullptr) return {};
  const format_info& format = *find_format(shown->format);
  byte_vector bytes(
      static_cast<std::size_t>(tight_row_bytes(format, shown->width) * shown->height));
  REQUIRE(host_->read_presented(bytes));
  return to_image(bytes, shown->format, static_cast<int>(shown->width),
                  static_cast<int>(shown->height));
}

void guest::expect(std::uint32_t texture, const image& expected, const tolerance& allowed) {
  const image actual = read(texture);
  if (renders()) check_image(actual, expected, allowed);
}
void guest::expect(std::uint32_t texture, const rgba& color, const tolerance& allowed) {
  const texture_spec& spec = specs_.at(texture);
  expect(texture, image(static_cast<int>(spec.width), static_cast<int>(spec.height), color),
         allowed);
}

auto guest::made_once(std::uint32_t& handle, std::string_view assembly) -> std::uint32_t {
  if (handle == 0) handle = make_shader(assembly);
  return handle;
}
auto guest::position_and_attribute_vs() -> std::uint32_t {
  return made_once(vs_, pass_through_vs);
}
auto guest::constant_color_ps() -> std::uint32_t {
  return made_once(constant_ps_, constant_ps);
}
auto guest::attribute_color_ps() -> std::uint32_t {
  return made_once(attribute_ps_, attribute_ps);
}
auto guest::textured_ps() -> std::uint32_t {
  return made_once(textured_ps_, texture_ps);
}
auto guest::vertex_layout() -> std::uint32_t {
  if (layout_ == 0) {
    layout_ = make_layout(
        {{0, 0, type_float4, 0, usage_position, 0}, {0, 16, type_float4, 0, usage_texcoord, 0}});
  }
  return layout_;
}

auto to_image(const_bytes texels, std::uint32_t format, int width, int height) -> image {
  const std::size_t size = find_format(format)->bytes_per_block;
  return image::made_by(width, height, [&](int x, int y) {
    return texel_of(texels.data() + static_cast<std::size_t>(y * width + x) * size, format);
  });
}

}  // namespace aerogpu::golden
