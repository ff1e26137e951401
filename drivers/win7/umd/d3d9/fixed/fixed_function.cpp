// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/fixed/fixed_function.hpp"

namespace aerogpu::umd::fixed {

namespace {

[[nodiscard]] auto is_same_draw(const draw_inputs& a, const draw_inputs& b) noexcept -> bool {
  return a.state == b.state && a.format == b.format && a.textures == b.textures &&
         a.has_vertex_shader == b.has_vertex_shader && a.has_pixel_shader == b.has_pixel_shader &&
         a.has_unclamped_colors == b.has_unclamped_colors && a.draws_sprites == b.draws_sprites &&
         a.has_fog_behind == b.has_fog_behind && a.viewport.height == b.viewport.height;
}

/// The values of every block that the shaders read, and which of them the host lacks.
template <std::size_t Count>
void collect(const std::array<constant_row, Count>& rows, const constant_inputs& in,
             const constant_file& file, std::span<float4> values,
             upload_list<Count>& out) noexcept {
  out.count = 0;
  for (const constant_row& row : rows) {
    const unsigned used = row.used(in.keys);
    if (used == 0) continue;
    const std::span<float4> block = values.subspan(row.block.first, used);
    for (float4& value : block) value = {};
    row.compute(in, block);
    const register_block missing = file.missing(row.block, block);
    if (missing.count == 0) continue;
    out.items[out.count++] = {missing.first, values.subspan(missing.first, missing.count)};
  }
}

}  // namespace

auto pipeline::reserve() noexcept -> bool {
  return tokens_.resize(max_shader_tokens) && vertex_values_.resize(constant_register_count) &&
         pixel_values_.resize(constant_register_count);
}

auto pipeline::is_as_before(const draw_inputs& draw, const constant_file& vertex_constants,
                            const constant_file& pixel_constants) const noexcept -> bool {
  return is_valid_ && vertex_generation_ == vertex_constants.generation() &&
         pixel_generation_ == pixel_constants.generation() && is_same_draw(draw, draw_);
}

template <class Key, class Make>
auto pipeline::find_shader(shader_cache<Key>& cache, const Key& key, Make make,
                           shader_handle& out) noexcept -> HRESULT {
  if (const shader_handle* there = cache.find(key); there != nullptr) {
    out = *there;
    return S_OK;
  }
  const std::span<const std::uint32_t> tokens = make(key, tokens_.view());
  if (tokens.empty()) return E_FAIL;
  return cache.add(key, tokens, *factory_, out);
}

auto pipeline::find_shaders(const draw_inputs& draw) noexcept -> HRESULT {
  HRESULT result = S_OK;
  if (!draw.has_vertex_shader) {
    result = find_shader(vertex_shaders_, keys_.vertex, make_vertex_shader, plan_.vertex_shader);
  }
  if (result != S_OK || draw.has_pixel_shader) return result;
  return find_shader(pixel_shaders_, keys_.pixel, make_pixel_shader, plan_.pixel_shader);
}

auto pipeline::prepare(const draw_inputs& draw, const constant_file& vertex_constants,
                       const constant_file& pixel_constants, draw_plan& out) noexcept -> HRESULT {
  if (is_as_before(draw, vertex_constants, pixel_constants)) {
    out = plan_;
    return S_OK;
  }
  is_valid_ = false;
  plan_ = {};
  if (!reserve()) return E_OUTOFMEMORY;
  HRESULT result = make_keys(draw, keys_);
  if (result == S_OK) result = find_shaders(draw);
  if (result != S_OK) return result;
  const constant_inputs in = make_constant_inputs(draw, keys_);
  if (!draw.has_vertex_shader) {
    plan_.is_pretransformed = draw.format.is_pretransformed;
    collect(vertex_constant_rows(), in, vertex_constants, vertex_values_.view(),
            plan_.vertex_uploads);
  }
  if (!draw.has_pixel_shader) {
    collect(pixel_constant_rows(), in, pixel_constants, pixel_values_.view(), plan_.pixel_uploads);
  }
  out = plan_;
  draw_ = draw;
  vertex_generation_ = vertex_constants.generation();
  pixel_generation_ = pixel_constants.generation();
  is_valid_ = true;
  return S_OK;
}

auto pipeline::prepare_transform(const draw_inputs& draw,
                                 const constant_file& vertex_constants) noexcept
    -> constant_upload {
  constexpr register_block block = vertex_registers::transform;
  const bool has_transform = vertex_values_.size() != 0 && draw.is_full() && draw.format.is_valid &&
                             !draw.format.is_pretransformed;
  if (!has_transform) return {};
  const std::span<float4> values = vertex_values_.view().subspan(block.first, block.count);
  const auto columns = transform_columns(draw);
  for (std::size_t i = 0; i < columns.size(); ++i) values[i] = columns[i];
  const register_block missing = vertex_constants.missing(block, values);
  if (missing.count == 0) return {};
  return {missing.first, vertex_values_.view().subspan(missing.first, missing.count)};
}

void pipeline::clear() noexcept {
  vertex_shaders_.clear(*factory_);
  pixel_shaders_.clear(*factory_);
  is_valid_ = false;
}

void pipeline::forget() noexcept {
  vertex_shaders_.forget();
  pixel_shaders_.forget();
  is_valid_ = false;
}

}  // namespace aerogpu::umd::fixed
