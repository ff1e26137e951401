// SPDX-License-Identifier: MIT
#include "tests/support/shaders/shader_differential.hpp"

#include "d3d9_to_spirv/assembly/assemble.hpp"
#include "tests/support/shaders/random_shader.hpp"
#include "tests/support/shaders/shader_arithmetic.hpp"
#include "tests/support/shaders/shader_interpreter.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

namespace aerogpu::test {
namespace {

/// What random shaders are made of is valid: anything else is a defect of the test.
template <class T>
auto must_work(result<T>&& made, const std::string& text) -> T {
  if (made) return *std::move(made);
  std::fprintf(stderr, "%s\n%s\n", made.why().what, text.c_str());
  std::abort();
}

auto program_from(const std::string& text) -> d3d9::program {
  const auto tokens = must_work(d3d9::assemble(text), text);
  return must_work(d3d9::parse(std::as_bytes(std::span{tokens})), text);
}
auto translated_from(const std::string& text) -> d3d9::translation {
  return must_work(d3d9::translate(program_from(text), {}), text);
}

constexpr std::size_t runs_of_one = 32;      ///< Vertices or pixels of each shader.
constexpr std::uint32_t first_texcoord = 2;  ///< Location.
constexpr std::uint32_t fog_at = 10;
constexpr std::uint32_t all_locations = (1u << 11) - 1;
constexpr std::uint32_t inexact_location = 9;  ///< TEXCOORD7.
constexpr std::size_t inexact_color = 3;
constexpr float inexact = 1e-4f;

/// Numbers that rules turn on, among ordinary ones.
class numbers {
 public:
  explicit numbers(std::uint32_t seed) : random_(seed) {}

  auto operator()() -> float {
    constexpr std::array plain{0.0f, 1.0f, -1.0f, 0.5f, -0.5f, 2.0f, 1e-3f, 1e3f};
    const auto which = static_cast<std::uint32_t>(random_() % 24);
    if (which < plain.size()) return plain[which];
    return static_cast<float>(static_cast<std::int32_t>(random_() % 4096) - 2048) / 128.0f;
  }
  auto four() -> float4 { return {(*this)(), (*this)(), (*this)(), (*this)()}; }

 private:
  std::mt19937 random_;
};

auto random_constants(numbers& next) -> d3d9::constant_block {
  d3d9::constant_block block{};
  for (std::size_t i = 0; i < 32; ++i) block.floats[i] = next.four();
  block.floats[9] = {inf, nan, -inf, -0.0f};
  block.ints = {{{2, 0, 1, 0}, {9, 9, 9, 9}, {-1, 5, 5, 5}, {3, 2, -1, 0}}};
  block.bools = 0b1010;
  return block;
}

auto beside(const std::string& on_device, const std::string& on_host) -> std::string {
  return "device " + on_device + "\nhost   " + on_host;
}

/// Whether device and host agree. Where the sign of a zero is free, so is that of what its
/// reciprocal is held to; what is below every normal float may have become zero.
auto agrees(float on_device, float on_host, float tolerance) -> bool {
  constexpr float smallest = std::numeric_limits<float>::min();
  if (tolerance > 0 && std::fabs(on_device) >= largest && std::fabs(on_host) >= largest)
    return true;
  // What a driver's own pow and log make of NaN is its business: llvmpipe has 0 now and then.
  if (tolerance > 0 && std::isnan(on_host)) return true;
  if (std::fabs(on_device) < smallest && std::fabs(on_host) < smallest) return true;
  return is_close(on_device, on_host, tolerance);
}

auto agrees(const float4& on_device, const float4& on_host, float tolerance) -> bool {
  for (std::size_t i = 0; i < 4; ++i) {
    if (!agrees(on_device[i], on_host[i], tolerance)) return false;
  }
  return true;
}

auto varyings_of(const d3d9::program& shader, const interpreter_outputs& from) -> varyings {
  varyings all{};
  const bool is_sm3 = shader.version.major >= 3;
  for (std::uint32_t i = 0; i < 8; ++i) {
    all[first_texcoord + i] = from.o[i + (is_sm3 ? 1 : 0)];
  }
  all[0] = is_sm3 ? from.o[9] : from.attributes[0];
  all[1] = is_sm3 ? from.o[10] : from.attributes[1];
  all[fog_at] = is_sm3 ? from.o[11] : float4{from.rast[1][0], 0, 0, 0};
  return all;
}

auto compare_vertex_shader(shader_device& on, const std::string& text, std::uint32_t seed)
    -> std::string {
  numbers next{seed};
  const auto shader = program_from(text);
  interpreter_inputs host;
  host.constants = random_constants(next);
  std::vector<attributes> inputs(runs_of_one);
  for (attributes& a : inputs) {
    for (std::size_t i = 1; i < 4; ++i) a[i] = next.four();
  }
  const auto got =
      on.run_vertex(code_of(translated_from(text), host.constants), inputs, all_locations);
  for (std::size_t run = 0; run < inputs.size(); ++run) {
    std::ranges::copy(inputs[run], host.v.begin());
    host.v[0] = place_in_row(run, inputs.size());
    const varyings wanted = varyings_of(shader, interpret(shader, host));
    for (std::uint32_t at = 0; at <= fog_at; ++at) {
      const float tolerance = at == inexact_location ? inexact : 0;
      if (agrees(got[run][at], wanted[at], tolerance)) continue;
      return "vertex " + std::to_string(run) + ", location " + std::to_string(at) + ":\n" + text +
             beside(text_of(got[run][at]), text_of(wanted[at]));
    }
  }
  return {};
}

constexpr std::uint32_t texture_size = 4;

/// Texels lie away from where the next lookup would change texel.
auto random_texture(numbers& next, std::uint32_t binding) -> shader_texture {
  shader_texture made;
  made.binding = binding;
  made.size = {texture_size, texture_size, 1};
  made.levels.emplace_back(texture_size * texture_size);
  for (float4& texel : made.levels[0]) {
    for (float& part : texel) part = (std::floor(next()) + 0.5f) / 16;
  }
  return made;
}

auto nearest_texel(const shader_texture& texture, const float4& at) -> float4 {
  const auto index = [](float v) {
    return static_cast<std::size_t>(
        std::clamp(std::floor(v * texture_size), 0.0f, float{texture_size - 1}));
  };
  return texture.levels[0][index(at[1]) * texture_size + index(at[0])];
}

auto compare_pixel_shader(shader_device& on, const std::string& text, std::uint32_t seed)
    -> std::string {
  numbers next{seed};
  const auto shader = program_from(text);
  const auto made = translated_from(text);
  interpreter_inputs host;
  host.constants = random_constants(next);
  std::vector<shader_texture> textures;
  for (std::uint32_t i = 0; i < 4; ++i) textures.push_back(random_texture(next, i));
  host.read_texel = [&](std::uint32_t number, const float4& at) {
    return nearest_texel(textures[number], at);
  };
  std::vector<varyings> inputs(runs_of_one);
  for (varyings& v : inputs) {
    v[0] = next.four();
    for (std::size_t i = 0; i < 4; ++i) {
      v[first_texcoord + i] = {next() / 16 + .01f, next() / 16 + .01f, next(), 2};
    }
  }
  std::vector<shader_texture> used;
  for (const shader_texture& t : textures) {
    if ((made.samplers >> t.binding & 1u) != 0) used.push_back(t);
  }
  const auto got = on.run_pixel(code_of(made, host.constants), inputs, made.color_outputs, used);
  for (std::size_t run = 0; run < inputs.size(); ++run) {
    const bool is_sm3 = shader.version.major >= 3;
    for (std::size_t i = 0; i < 4; ++i) (is_sm3 ? host.v[i] : host.t[i]) = inputs[run][2 + i];
    float4& color = host.v[is_sm3 ? 4 : 0];
    color = inputs[run][0];
    if (!is_sm3) std::ranges::transform(color, color.begin(), saturated);
    const auto wanted = interpret(shader, host);
    const std::string place = "pixel " + std::to_string(run) + ":\n" + text;
    if ((got.is_kept[run] == 0) != wanted.is_killed) return place + "texkill differs";
    if (wanted.is_killed) continue;
    for (std::size_t i = 0; i < target_count; ++i) {
      if ((made.color_outputs >> i & 1u) == 0) continue;
      const float tolerance = i == inexact_color ? inexact : 0;
      if (agrees(got.colors[i][run], wanted.colors[i], tolerance)) continue;
      return place + "oC" + std::to_string(i) + "\n" +
             beside(text_of(got.colors[i][run]), text_of(wanted.colors[i]));
    }
    if (made.writes_depth && !agrees(got.depth[run], wanted.depth, 0)) {
      return place + "oDepth\n" +
             beside(std::to_string(got.depth[run]), std::to_string(wanted.depth));
    }
  }
  return {};
}

}  // namespace

auto compare_random_shader(shader_device& on, std::string_view version, std::uint32_t seed)
    -> std::string {
  const std::string text = random_shader(version, seed);
  return version[0] == 'v' ? compare_vertex_shader(on, text, seed)
                           : compare_pixel_shader(on, text, seed);
}

}  // namespace aerogpu::test
