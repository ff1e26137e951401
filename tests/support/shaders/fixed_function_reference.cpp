// SPDX-License-Identifier: MIT
// Vertices: transforms, lighting, texture coordinates, fog, point size.
#include "tests/support/shaders/fixed_function_reference.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

namespace aerogpu::test {

namespace {

using double3 = std::array<double, 3>;
using square = std::array<std::array<double, 4>, 4>;

auto dot(const double3& a, const double3& b) -> double {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
auto scaled(const double3& a, double by) -> double3 {
  return {a[0] * by, a[1] * by, a[2] * by};
}
auto sum(const double3& a, const double3& b) -> double3 {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
auto length(const double3& a) -> double {
  return std::sqrt(dot(a, a));
}
auto unit(const double3& a) -> double3 {
  const double size = length(a);
  return size > 0 ? scaled(a, 1 / size) : double3{};
}
auto clamped(double v) -> double {
  return std::clamp(v, 0.0, 1.0);
}
auto xyz(const double4& v) -> double3 {
  return {v[0], v[1], v[2]};
}

auto load(const D3DMATRIX& from) -> square {
  square m{};
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) m[i][j] = static_cast<double>(from.m[i][j]);
  }
  return m;
}

auto product(const square& a, const square& b) -> square {
  square m{};
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      for (std::size_t k = 0; k < 4; ++k) m[i][j] += a[i][k] * b[k][j];
    }
  }
  return m;
}

auto times(const double4& v, const square& m) -> double4 {
  double4 out{};
  for (std::size_t j = 0; j < 4; ++j) {
    for (std::size_t k = 0; k < 4; ++k) out[j] += v[k] * m[k][j];
  }
  return out;
}

auto point(const double3& p, const square& m) -> double4 {
  return times({p[0], p[1], p[2], 1}, m);
}

auto direction(const double3& d, const square& m) -> double3 {
  return xyz(times({d[0], d[1], d[2], 0}, m));
}

/// n times the inverse transpose of the upper 3 x 3, by cofactors.
auto normal_by(const double3& n, const square& m) -> double3 {
  const auto cofactor = [&m](std::size_t i, std::size_t j) {
    const std::size_t a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
    return m[a][c] * m[b][d] - m[a][d] * m[b][c];
  };
  const double determinant =
      m[0][0] * cofactor(0, 0) + m[0][1] * cofactor(0, 1) + m[0][2] * cofactor(0, 2);
  if (determinant == 0) return direction(n, m);
  double3 out{};
  for (std::size_t j = 0; j < 3; ++j) {
    for (std::size_t i = 0; i < 3; ++i) out[j] += n[i] * cofactor(i, j) / determinant;
  }
  return out;
}

auto color_of(const D3DCOLORVALUE& c) -> double4 {
  return {c.r, c.g, c.b, c.a};
}

auto color_of(std::uint32_t argb) -> double4 {
  const auto channel = [argb](unsigned shift) { return (argb >> shift & 0xFFu) / 255.0; };
  return {channel(16), channel(8), channel(0), channel(24)};
}

class vertex_pipeline {
 public:
  vertex_pipeline(const reference_draw& draw, const reference_vertex& vertex)
      : draw_(draw), format_(draw.format), in_(vertex) {}

  auto run() -> reference_varyings {
    transform();
    colors();
    for (unsigned stage = 0; stage < 8; ++stage) out_.texcoords[stage] = texcoord(stage);
    fog();
    out_.point_size = point_size();
    return out_;
  }

 private:
  [[nodiscard]] auto state(std::size_t which) const -> std::uint32_t {
    return draw_.state->render_states[which];
  }
  [[nodiscard]] auto number(std::size_t which) const -> double {
    return static_cast<double>(std::bit_cast<float>(state(which)));
  }
  [[nodiscard]] auto matrix(std::size_t which) const -> square {
    return load(draw_.state->fixed.transforms[which]);
  }

  void transform();
  void blend(unsigned matrices);
  void colors();
  void light();
  [[nodiscard]] auto source(std::size_t which, const double4& material) const -> double4;
  [[nodiscard]] auto texcoord(unsigned stage) const -> double4;
  [[nodiscard]] auto untransformed(unsigned stage) const -> double4;
  [[nodiscard]] auto generated(unsigned source) const -> double4;
  void fog();
  [[nodiscard]] auto point_size() const -> double;

  const reference_draw& draw_;
  const reference_format& format_;
  const reference_vertex& in_;
  double3 eye_{};     ///< Position in view space.
  double3 normal_{};  ///< In view space.
  reference_varyings out_;
};

void vertex_pipeline::transform() {
  if (format_.is_pretransformed) {
    out_.position = in_.clip;
    return;
  }
  const std::uint32_t mode = state(D3DRS_VERTEXBLEND);
  const bool is_indexed = state(D3DRS_INDEXEDVERTEXBLENDENABLE) != 0 && format_.has_indices;
  if (mode >= 1 && mode <= 3) {
    blend(mode + 1);
  } else if (mode == D3DVBF_0WEIGHTS && is_indexed) {
    blend(1);
  } else {
    double3 position = in_.position, normal = format_.has_normal ? in_.normal : double3{};
    if (mode == D3DVBF_TWEENING && format_.has_position1) {
      const double t = number(D3DRS_TWEENFACTOR);
      position = sum(scaled(in_.position, 1 - t), scaled(in_.position1, t));
      if (format_.has_normal && format_.has_normal1)
        normal = sum(scaled(normal, 1 - t), scaled(in_.normal1, t));
    }
    const square world_view = product(matrix(256), matrix(D3DTS_VIEW));
    eye_ = xyz(point(position, world_view));
    normal_ = normal_by(normal, world_view);
  }
  if (state(D3DRS_NORMALIZENORMALS) != 0) normal_ = unit(normal_);
  out_.position = point(eye_, matrix(D3DTS_PROJECTION));
}

/// The sum over the matrices; the last weight is what is left of 1.
void vertex_pipeline::blend(unsigned matrices) {
  const bool is_indexed = state(D3DRS_INDEXEDVERTEXBLENDENABLE) != 0 && format_.has_indices;
  double left = 1;
  for (unsigned i = 0; i < matrices; ++i) {
    double weight = left;
    if (i + 1 < matrices) weight = format_.has_weights ? in_.weights[i] : 0;
    left -= weight;
    const unsigned world = is_indexed ? in_.indices[i] : i;
    const square m = product(matrix(256 + world), matrix(D3DTS_VIEW));
    eye_ = sum(eye_, scaled(xyz(point(in_.position, m)), weight));
    if (format_.has_normal) normal_ = sum(normal_, scaled(direction(in_.normal, m), weight));
  }
}

auto vertex_pipeline::source(std::size_t which, const double4& material) const -> double4 {
  if (state(D3DRS_COLORVERTEX) == 0) return material;
  if (state(which) == D3DMCS_COLOR1 && format_.has_color0) return in_.colors[0];
  if (state(which) == D3DMCS_COLOR2 && format_.has_color1) return in_.colors[1];
  return material;
}

void vertex_pipeline::colors() {
  if (state(D3DRS_LIGHTING) != 0 && !format_.is_pretransformed) return light();
  out_.color0 = format_.has_color0 ? in_.colors[0] : double4{1, 1, 1, 1};
  out_.color1 = format_.has_color1 ? in_.colors[1] : double4{};
}

void vertex_pipeline::light() {
  const D3DMATERIAL9& material = draw_.state->fixed.material;
  const square view = matrix(D3DTS_VIEW);
  const double3 to_viewer =
      state(D3DRS_LOCALVIEWER) != 0 ? unit(scaled(eye_, -1)) : double3{0, 0, -1};
  double3 ambient = xyz(color_of(state(D3DRS_AMBIENT))), diffuse{}, specular{};
  std::vector<std::pair<std::uint32_t, const D3DLIGHT9*>> lights;
  draw_.state->fixed.lights.for_each([&](auto key, const umd::light& l) {
    if (l.is_enabled) lights.emplace_back(static_cast<std::uint32_t>(key), &l.values);
  });
  std::sort(lights.begin(), lights.end());
  if (lights.size() > 8) lights.resize(8);
  for (const auto& [number, light] : lights) {
    const D3DVECTOR& d = light->Direction;
    const double3 axis = unit(direction(unit(double3{d.x, d.y, d.z}), view));
    double3 toward = scaled(axis, -1);
    double arrives = 1;
    if (light->Type != D3DLIGHT_DIRECTIONAL) {
      const D3DVECTOR& at = light->Position;
      const double3 way = sum(xyz(point({at.x, at.y, at.z}, view)), scaled(eye_, -1));
      const double distance = length(way);
      toward = unit(way);
      arrives = distance <= light->Range
                    ? 1 / (light->Attenuation0 + light->Attenuation1 * distance +
                           light->Attenuation2 * distance * distance)
                    : 0;
    }
    if (light->Type == D3DLIGHT_SPOT) {
      const double rho = dot(scaled(toward, -1), axis);
      const double inner = std::cos(light->Theta / 2.0), outer = std::cos(light->Phi / 2.0);
      if (rho <= outer) {
        arrives = 0;
      } else if (rho <= inner) {
        arrives *= std::pow((rho - outer) / (inner - outer), light->Falloff);
      }
    }
    const double facing = dot(normal_, toward);
    ambient = sum(ambient, scaled(xyz(color_of(light->Ambient)), arrives));
    diffuse = sum(diffuse, scaled(xyz(color_of(light->Diffuse)), std::max(0.0, facing) * arrives));
    if (facing <= 0) continue;
    const double shine =
        std::pow(std::max(0.0, dot(normal_, unit(sum(toward, to_viewer)))), material.Power);
    specular = sum(specular, scaled(xyz(color_of(light->Specular)), shine * arrives));
  }
  const double4 cd = source(D3DRS_DIFFUSEMATERIALSOURCE, color_of(material.Diffuse));
  const double4 ca = source(D3DRS_AMBIENTMATERIALSOURCE, color_of(material.Ambient));
  const double4 ce = source(D3DRS_EMISSIVEMATERIALSOURCE, color_of(material.Emissive));
  const double4 cs = source(D3DRS_SPECULARMATERIALSOURCE, color_of(material.Specular));
  const bool has_specular = state(D3DRS_SPECULARENABLE) != 0 && format_.has_normal;
  for (std::size_t i = 0; i < 3; ++i) {
    out_.color0[i] = clamped(ca[i] * ambient[i] + cd[i] * diffuse[i] + ce[i]);
    out_.color1[i] = has_specular ? clamped(cs[i] * specular[i]) : 0;
  }
  out_.color0[3] = clamped(cd[3]);
}

auto vertex_pipeline::untransformed(unsigned stage) const -> double4 {
  const std::uint32_t index = draw_.state->stage_states[stage][D3DTSS_TEXCOORDINDEX];
  if (index >> 16 != 0 && !format_.is_pretransformed) return generated(index >> 16);
  const unsigned set = index & 0xFFFF;
  const int components = set < 8 ? format_.texcoords[set] : 0;
  double4 out{0, 0, 0, 1};
  for (int i = 0; i < components; ++i) {
    out[static_cast<std::size_t>(i)] = in_.texcoords[set][static_cast<std::size_t>(i)];
  }
  return out;
}

auto vertex_pipeline::generated(unsigned source) const -> double4 {
  if (source == 1) return {normal_[0], normal_[1], normal_[2], 1};
  if (source == 2) return {eye_[0], eye_[1], eye_[2], 1};
  const double3 toward = unit(scaled(eye_, -1));
  const double3 r = sum(scaled(normal_, 2 * dot(normal_, toward)), scaled(toward, -1));
  if (source == 3) return {r[0], r[1], r[2], 1};
  const double m = 2 * std::sqrt(r[0] * r[0] + r[1] * r[1] + (r[2] + 1) * (r[2] + 1));
  return {r[0] / m + 0.5, r[1] / m + 0.5, 0, 1};
}

auto vertex_pipeline::texcoord(unsigned stage) const -> double4 {
  const auto& states = draw_.state->stage_states[stage];
  double4 in = untransformed(stage);
  const std::uint32_t count = states[D3DTSS_TEXTURETRANSFORMFLAGS] & 0xFF;
  if (count == 0 || format_.is_pretransformed) return in;
  const std::uint32_t set = states[D3DTSS_TEXCOORDINDEX];
  if (set >> 16 == 0) {
    const int components = set < 8 ? format_.texcoords[set] : 0;
    for (int i = components; components != 0 && i < 4; ++i) {
      in[static_cast<std::size_t>(i)] = i == components ? 1 : 0;
    }
  }
  const double4 all = times(in, matrix(static_cast<std::size_t>(D3DTS_TEXTURE0) + stage));
  double4 out{0, 0, 0, 1};
  for (std::size_t i = 0; i < count; ++i) out[i] = all[i];
  return out;
}

void vertex_pipeline::fog() {
  if (state(D3DRS_FOGENABLE) == 0) return;
  if (state(D3DRS_FOGTABLEMODE) != 0) {
    const square p = matrix(D3DTS_PROJECTION);
    const bool is_affine = p[0][3] == 0 && p[1][3] == 0 && p[2][3] == 0 && p[3][3] == 1;
    const bool is_w = draw_.state->fixed.has_w_fog.value_or(!is_affine);
    out_.fog = is_w ? out_.position[3] : out_.position[2] / out_.position[3];
    return;
  }
  const std::uint32_t mode = format_.is_pretransformed ? 0 : state(D3DRS_FOGVERTEXMODE);
  const double d = state(D3DRS_RANGEFOGENABLE) != 0 ? length(eye_) : std::abs(eye_[2]);
  const double start = number(D3DRS_FOGSTART), end = number(D3DRS_FOGEND);
  const double density = number(D3DRS_FOGDENSITY);
  switch (mode) {
    case D3DFOG_EXP: out_.fog = clamped(std::exp(-d * density)); break;
    case D3DFOG_EXP2: out_.fog = clamped(std::exp(-d * density * d * density)); break;
    case D3DFOG_LINEAR: out_.fog = end == start ? 0 : clamped((end - d) / (end - start)); break;
    default: out_.fog = format_.has_color1 ? in_.colors[1][3] : 0; break;
  }
}

auto vertex_pipeline::point_size() const -> double {
  double size = format_.has_point_size ? in_.point_size : number(D3DRS_POINTSIZE);
  if (state(D3DRS_POINTSCALEENABLE) != 0 && !format_.is_pretransformed) {
    const double d = length(eye_);
    size *= draw_.viewport_height *
            std::sqrt(1 / (number(D3DRS_POINTSCALE_A) + number(D3DRS_POINTSCALE_B) * d +
                           number(D3DRS_POINTSCALE_C) * d * d));
  }
  return std::clamp(size, number(D3DRS_POINTSIZE_MIN), number(D3DRS_POINTSIZE_MAX));
}

}  // namespace

auto process_vertex(const reference_draw& draw, const reference_vertex& vertex)
    -> reference_varyings {
  return vertex_pipeline{draw, vertex}.run();
}

}  // namespace aerogpu::test
