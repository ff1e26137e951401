// Random shaders on the device beside the same shaders on the host.
#include "tests/shaders/shader_suite.hpp"
#include "tests/support/random_shader.hpp"
#include "tests/support/shader_interpreter.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>

namespace aerogpu::test {
namespace {

constexpr std::size_t runs_of_one = 32;      ///< Vertices or pixels of each shader.
constexpr std::uint32_t first_texcoord = 2;  ///< Location.
constexpr std::uint32_t fog_at = 10;
constexpr std::uint32_t all_locations = (1u << 11) - 1;
constexpr std::uint32_t inexact_location = 9;  ///< TEXCOORD7.
constexpr std::size_t inexact_color = 3;
constexpr float inexact = 1e-4f;

/// How many shaders of each version are compared; AEROGPU_RANDOM_SHADERS asks for another number.
auto shaders_of_each_version() -> std::uint32_t {
  const char* wish = std::getenv("AEROGPU_RANDOM_SHADERS");
  return wish == nullptr ? 20 : static_cast<std::uint32_t>(std::strtoul(wish, nullptr, 10));
}

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

void compare_vertex_shader(const std::string& text, std::uint32_t seed) {
  numbers next{seed};
  const auto shader = program_of(text);
  interpreter_inputs host;
  host.constants = random_constants(next);
  std::vector<attributes> inputs(runs_of_one);
  for (attributes& a : inputs) {
    for (std::size_t i = 1; i < 4; ++i) a[i] = next.four();
  }
  const auto got =
      device().run_vertex(code_of(translated(text), host.constants), inputs, all_locations);
  for (std::size_t run = 0; run < inputs.size(); ++run) {
    std::ranges::copy(inputs[run], host.v.begin());
    host.v[0] = place_in_row(run, inputs.size());
    const varyings wanted = varyings_of(shader, interpret(shader, host));
    for (std::uint32_t at = 0; at <= fog_at; ++at) {
      const float tolerance = at == inexact_location ? inexact : 0;
      if (agrees(got[run][at], wanted[at], tolerance)) continue;
      FAIL_CHECK("seed " << seed << ", vertex " << run << ", location " << at << ":\n"
                         << text << "device " << text_of(got[run][at]) << "\nhost   "
                         << text_of(wanted[at]));
      return;
    }
  }
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

void compare_pixel_shader(const std::string& text, std::uint32_t seed) {
  numbers next{seed};
  const auto shader = program_of(text);
  const auto made = translated(text);
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
  const auto got =
      device().run_pixel(code_of(made, host.constants), inputs, made.color_outputs, used);
  for (std::size_t run = 0; run < inputs.size(); ++run) {
    const bool is_sm3 = shader.version.major >= 3;
    for (std::size_t i = 0; i < 4; ++i) (is_sm3 ? host.v[i] : host.t[i]) = inputs[run][2 + i];
    float4& color = host.v[is_sm3 ? 4 : 0];
    color = inputs[run][0];
    if (!is_sm3) std::ranges::transform(color, color.begin(), saturated);
    const auto wanted = interpret(shader, host);
    INFO("seed " << seed << ", pixel " << run << ":\n" << text);
    if ((got.is_kept[run] == 0) != wanted.is_killed) {
      FAIL_CHECK("device and host disagree about texkill");
      return;
    }
    if (wanted.is_killed) continue;
    for (std::size_t i = 0; i < target_count; ++i) {
      if ((made.color_outputs >> i & 1u) == 0) continue;
      const float tolerance = i == inexact_color ? inexact : 0;
      if (agrees(got.colors[i][run], wanted.colors[i], tolerance)) continue;
      FAIL_CHECK("oC" << i << "\ndevice " << text_of(got.colors[i][run]) << "\nhost   "
                      << text_of(wanted.colors[i]));
      return;
    }
    if (made.writes_depth && !agrees(got.depth[run], wanted.depth, 0)) {
      FAIL_CHECK("oDepth\ndevice " << got.depth[run] << "\nhost   " << wanted.depth);
      return;
    }
  }
}

}  // namespace

TEST_CASE("random shaders compute the same on the device and on the host",
          "[shaders][differential]") {
  const auto version = GENERATE(from_range(random_shader_versions));
  for (std::uint32_t seed = 1; seed <= shaders_of_each_version(); ++seed) {
    const std::string text = random_shader(version, seed);
    if (version[0] == 'v') {
      compare_vertex_shader(text, seed);
    } else {
      compare_pixel_shader(text, seed);
    }
  }
}

}  // namespace aerogpu::test
