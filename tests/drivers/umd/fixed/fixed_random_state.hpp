// SPDX-License-Identifier: MIT
/// \file Random states of the fixed-function pipeline, from a seed.
#pragma once

#include "tests/drivers/umd/fixed/fixed_harness.hpp"

#include <random>

namespace aerogpu::test {

class random_state {
 public:
  explicit random_state(std::uint32_t seed) : random_(seed) {}

  auto below(std::uint32_t count) -> std::uint32_t {
    return static_cast<std::uint32_t>(random_() % count);
  }
  auto flag() -> std::uint32_t { return below(2); }
  auto is_one_in(std::uint32_t count) -> bool { return below(count) == 0; }
  auto number(double low, double high) -> double {
    return low + (high - low) * static_cast<double>(random_()) / 4294967295.0;
  }
  auto real(double low, double high) -> float { return static_cast<float>(number(low, high)); }

  void fill(fixed_harness& h) {
    formats(h.format);
    transforms(h);
    lighting(h);
    fog(h);
    blending(h);
    for (unsigned i = 0; i < 8; ++i) stage(h, i);
  }

  auto vertex() -> reference_vertex {
    reference_vertex v;
    for (double& x : v.position) x = number(-2, 2);
    for (double& x : v.position1) x = number(-2, 2);
    v.clip = {number(-1, 1), number(-1, 1), number(0, 1), number(0.5, 4)};
    for (double& x : v.weights) x = number(0, 0.4);
    for (std::uint8_t& x : v.indices) x = static_cast<std::uint8_t>(below(32));
    for (double& x : v.normal) x = number(-1, 1);
    for (double& x : v.normal1) x = number(-1, 1);
    v.point_size = number(0.5, 40);
    for (double4& c : v.colors) {
      for (double& x : c) x = number(0, 1);
    }
    for (double4& c : v.texcoords) {
      for (double& x : c) x = number(-1, 1);
    }
    return v;
  }

  auto varyings() -> reference_varyings {
    reference_varyings in;
    for (double& x : in.color0) x = number(0, 1);
    for (double& x : in.color1) x = number(0, 1);
    for (double4& c : in.texcoords)
      c = {number(-1, 1), number(0.5, 2), number(0.5, 2), number(1, 3)};
    in.fog = number(0, 1);
    return in;
  }

 private:
  auto color() -> D3DCOLORVALUE { return {real(0, 0.6), real(0, 0.6), real(0, 0.6), real(0, 1)}; }
  auto direction() -> D3DVECTOR { return {real(-1, 1), real(-1, 1), real(0.2, 1)}; }

  void formats(reference_format& f) {
    f = {};
    f.is_pretransformed = is_one_in(6);
    f.has_position1 = f.has_weights = f.has_indices = !f.is_pretransformed && flag() != 0;
    f.indices_are_colors = flag() != 0;
    f.has_normal = !is_one_in(3);
    f.has_normal1 = flag() != 0;
    f.has_point_size = is_one_in(3);
    f.has_color0 = flag() != 0;
    f.has_color1 = flag() != 0;
    for (int& components : f.texcoords) components = static_cast<int>(below(5));
  }

  void transforms(fixed_harness& h) {
    h.set_transform(D3DTS_VIEW, turned(real(-1, 1), 1, real(-1, 1), real(-1, 1), real(3, 5)));
    h.set_transform(D3DTS_PROJECTION,
                    is_one_in(3) ? turned(0.2f, 0.5f, 0.1f, 0.2f, 0.4f) : perspective());
    for (unsigned i = 0; i < 32; ++i) {
      h.set_transform(256 + i, turned(real(-2, 2), real(0.5, 1.5), real(-0.5, 0.5), real(-0.5, 0.5),
                                      real(-0.5, 0.5)));
    }
    for (unsigned i = 0; i < 8; ++i) {
      h.set_transform(16 + i, turned(real(-2, 2), real(0.5, 1.5), real(-1, 1), real(-1, 1), 0.5f));
    }
  }

  void lighting(fixed_harness& h) {
    h.set(D3DRS_LIGHTING, is_one_in(4) ? 0 : 1);
    for (const D3DRENDERSTATETYPE which :
         {D3DRS_SPECULARENABLE, D3DRS_LOCALVIEWER, D3DRS_NORMALIZENORMALS, D3DRS_COLORVERTEX}) {
      h.set(which, flag());
    }
    for (const D3DRENDERSTATETYPE which :
         {D3DRS_DIFFUSEMATERIALSOURCE, D3DRS_SPECULARMATERIALSOURCE, D3DRS_AMBIENTMATERIALSOURCE,
          D3DRS_EMISSIVEMATERIALSOURCE}) {
      h.set(which, below(3));
    }
    h.set(D3DRS_AMBIENT, below(0xFFFFFFFF));
    D3DMATERIAL9& m = h.state.fixed.material;
    m = {color(), color(), color(), color(), real(1, 20)};
    for (unsigned i = 0, count = below(10); i < count; ++i) {
      D3DLIGHT9 l{};
      l.Type = static_cast<D3DLIGHTTYPE>(1 + below(3));
      l.Diffuse = color();
      l.Specular = color();
      l.Ambient = color();
      l.Position = {real(-4, 4), real(-4, 4), real(-8, -3)};
      l.Direction = direction();
      l.Range = real(2, 30);
      l.Falloff = real(0.5, 3);
      l.Attenuation0 = real(0.5, 1);
      l.Attenuation1 = real(0, 0.3);
      l.Attenuation2 = real(0, 0.1);
      l.Theta = real(0.1, 1);
      l.Phi = l.Theta + real(0.3, 2);
      h.set_light(i * 3, l, !is_one_in(5));
    }
  }

  void fog(fixed_harness& h) {
    h.set(D3DRS_FOGENABLE, flag());
    h.set(D3DRS_FOGTABLEMODE, flag() * below(4));
    h.set(D3DRS_FOGVERTEXMODE, below(4));
    h.set(D3DRS_RANGEFOGENABLE, flag());
    h.set(D3DRS_FOGCOLOR, below(0xFFFFFFFF));
    h.set(D3DRS_FOGSTART, bits(real(0, 1)));
    h.set(D3DRS_FOGEND, bits(real(1.5, 8)));
    h.set(D3DRS_FOGDENSITY, bits(real(0, 0.5)));
  }

  void blending(fixed_harness& h) {
    constexpr std::array<std::uint32_t, 6> modes{0, 1, 2, 3, D3DVBF_TWEENING, D3DVBF_0WEIGHTS};
    h.set(D3DRS_VERTEXBLEND, flag() * modes[below(6)]);
    h.set(D3DRS_INDEXEDVERTEXBLENDENABLE, flag());
    h.set(D3DRS_TWEENFACTOR, bits(real(0, 1)));
    h.set(D3DRS_POINTSCALEENABLE, flag());
    h.set(D3DRS_POINTSIZE, bits(real(1, 10)));
    h.set(D3DRS_POINTSCALE_B, bits(real(0, 1)));
    h.set(D3DRS_POINTSCALE_C, bits(real(0, 1)));
    h.set(D3DRS_TEXTUREFACTOR, below(0xFFFFFFFF));
  }

  auto argument() -> std::uint32_t {
    return below(7) | (is_one_in(4) ? D3DTA_COMPLEMENT : 0u) |
           (is_one_in(4) ? D3DTA_ALPHAREPLICATE : 0u);
  }

  auto operation(bool is_alpha) -> std::uint32_t {
    for (;;) {
      const std::uint32_t op = 2 + below(25);
      const bool is_bump = op == D3DTOP_BUMPENVMAP || op == D3DTOP_BUMPENVMAPLUMINANCE;
      const bool is_of_color = op >= 18 && op <= 21;
      // The alpha of a dot product is that of its colour operation alone.
      const bool is_dot = op == D3DTOP_DOTPRODUCT3;
      if (!is_bump && !(is_alpha && (is_of_color || is_dot))) return op;
    }
  }

  void stage(fixed_harness& h, unsigned i) {
    h.set(i, D3DTSS_COLOROP, is_one_in(6) ? std::uint32_t{D3DTOP_DISABLE} : operation(false));
    h.set(i, D3DTSS_ALPHAOP, is_one_in(6) ? std::uint32_t{D3DTOP_DISABLE} : operation(true));
    for (const D3DTEXTURESTAGESTATETYPE which :
         {D3DTSS_COLORARG0, D3DTSS_COLORARG1, D3DTSS_COLORARG2, D3DTSS_ALPHAARG0, D3DTSS_ALPHAARG1,
          D3DTSS_ALPHAARG2}) {
      h.set(i, which, argument());
    }
    h.set(i, D3DTSS_RESULTARG, is_one_in(5) ? D3DTA_TEMP : D3DTA_CURRENT);
    h.set(i, D3DTSS_CONSTANT, below(0xFFFFFFFF));
    h.set(i, D3DTSS_TEXCOORDINDEX, flag() * below(5) << 16 | below(8));
    h.set(i, D3DTSS_TEXTURETRANSFORMFLAGS,
          below(5) | (is_one_in(3) ? std::uint32_t{D3DTTFF_PROJECTED} : 0u));
    if (!is_one_in(8)) h.bind(i);
  }

  std::mt19937 random_;
};

}  // namespace aerogpu::test
