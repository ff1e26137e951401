// SPDX-License-Identifier: MIT
/// \file SM4 and SM5 containers as SPIR-V, and what a pipeline must know of them
/// (docs/shaders/shader-containers.md).
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "aerogpu/stream/stage.hpp"
#include "dxbc_to_spirv/binding_map.hpp"
#include "dxbc_to_spirv/compiler/limits.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string>

namespace aerogpu::dxbc {

/// Numeric class of a register or of what a view delivers.
enum class component_class : std::uint8_t { floating, signed_integer, unsigned_integer };

/// What a descriptor holds, and so its Vulkan type: uniform buffer, sampled image, uniform texel
/// buffer, sampler, storage texel buffer.
enum class binding_kind : std::uint8_t {
  constant_buffer,
  texture,
  buffer_resource,
  sampler,
  uav_buffer,
};

/// How a buffer is addressed. Raw and structured ones need an R32_UINT view.
enum class buffer_layout : std::uint8_t { none, typed, raw, structured };

/// D3D10_SB_RESOURCE_DIMENSION.
enum class image_dimension : std::uint8_t {
  none = 0,
  buffer = 1,
  image_1d,
  image_2d,
  image_2d_multisampled,
  image_3d,
  cube,
  image_1d_array,
  image_2d_array,
  image_2d_multisampled_array,
  cube_array,
};

/// One register that the program declares.
struct binding {
  binding_kind kind = binding_kind::constant_buffer;
  std::uint8_t register_index = 0;
  buffer_layout layout = buffer_layout::none;
  image_dimension dimension = image_dimension::none;     ///< Of textures.
  component_class delivers = component_class::floating;  ///< Of textures and typed buffers.
  bool is_comparison = false;  ///< Of samplers; of textures that are compared with a reference.
  std::uint32_t set = 0;
  std::uint32_t slot = 0;          ///< Binding number within the set.
  std::uint32_t size_bytes = 0;    ///< Constant buffers: declared size, up to 64 KiB.
  std::uint32_t stride_bytes = 0;  ///< Of structured buffers.
};

inline constexpr std::uint32_t interface_register_count = 32;

/// One row of the interface between stages, or of the inputs of vertices and the colours.
struct interface_register {
  std::uint8_t mask = 0;  ///< x = 1, y = 2, z = 4, w = 8; 0 = not there.
  component_class components = component_class::floating;

  friend constexpr auto operator==(const interface_register&, const interface_register&)
      -> bool = default;
};
/// By register number, which is the Location in SPIR-V. System values are left out, but for
/// SV_Target, whose row is its index.
using interface_registers = std::array<interface_register, interface_register_count>;

/// D3D11_SB_TESSELLATOR_*, and the counts of a hull shader.
struct tessellation_facts {
  std::uint8_t domain = 0;            ///< 1 isoline, 2 triangle, 3 quad.
  std::uint8_t partitioning = 0;      ///< 1 integer, 2 power of 2, 3 odd, 4 even.
  std::uint8_t output_primitive = 0;  ///< 1 point, 2 line, 3 clockwise, 4 counter-clockwise.
  std::uint8_t input_control_points = 0;
  std::uint8_t output_control_points = 0;
  std::uint8_t output_elements = 0;  ///< Of the signature of a hull shader's points.
  std::uint8_t output_rows = 0;      ///< One more than the last register in it.
};

/// Of a geometry shader.
struct geometry_facts {
  std::uint8_t input_primitive = 0;  ///< D3D10_SB_PRIMITIVE: 1 point, 2 line, 3 triangle, 6, 7 adj.
  std::uint8_t output_topology = 0;  ///< 1 points, 3 line strip, 5 triangle strip.
  std::uint32_t max_vertices = 0;
  std::uint32_t instances = 1;
};

/// A module with entry point `main`, for Vulkan 1.1 and up, and what its pipeline must provide.
struct compiled {
  heap_array<std::uint32_t> words;
  shader_stage stage = shader_stage::vertex;
  heap_array<binding> bindings;
  interface_registers inputs{};
  interface_registers outputs{};
  interface_registers patch_constants{};  ///< Without factors; written by hull shaders.
  tessellation_facts tessellation;  ///< Of hull shaders; of domain shaders the domain and count.
  geometry_facts geometry;
  std::array<std::uint32_t, 3> group_size{};  ///< Of compute shaders.
  std::uint32_t group_shared_bytes = 0;       ///< Of all g#.
  bool writes_depth = false;
  bool is_precise = false;            ///< Some instruction is to be computed as it is written.
  bool orders_views = false;          ///< A barrier of memory reaches beyond the group.
  bool uses_draw_parameters = false;  ///< Needs shaderDrawParameters.
};

/// All that a module depends on besides its container: with it, the key of a cache.
struct compile_options {
  /// What the next stage reads: components that this one does not write become 0 (host.md 3.2).
  /// Of vertex, domain and geometry shaders. See `missing_outputs`.
  interface_registers extra_outputs{};
  /// Of the hull shader in front of a domain shader; all zero when it is not known.
  tessellation_facts hull;
  bool draws_points = false;  ///< Of vertex shaders: writes a point size of 1.
  bool demotes = false;       ///< `discard` keeps helpers; needs shaderDemoteToHelperInvocation.
  bool wants_names = false;   ///< OpName for registers.
  /// Group-shared memory is zero by the device; needs shaderZeroInitializeWorkgroupMemory.
  bool device_zeroes_workgroup = false;
  /// Takes what the compiler said, of success and of failure. For people: it takes memory in ways
  /// that cannot be reported.
  std::string* log = nullptr;
};

/// Where the library runs and what is kept of its work. Texts end in a zero and are copied.
struct compiler_choice {
  bool in_process = false;        ///< In this process, which ends when the library aborts.
  const char* program = "";       ///< Path of the compiler's program; empty: it is searched for.
  const char* cache_folder = "";  ///< Empty: nothing is kept on disk.
  compiler_limits limits{};
};

/// One of them for each backend (compiler/shader_compiler.hpp).
class shader_compiler;
struct close_shader_compiler {
  void operator()(shader_compiler* compiler) const noexcept;
};
using owned_shader_compiler = std::unique_ptr<shader_compiler, close_shader_compiler>;

/// Null when there is no memory, or no library in this build: `compile` says so then. Starts
/// nothing yet.
[[nodiscard]] auto open_shader_compiler(const compiler_choice& choice) noexcept
    -> owned_shader_compiler;

/// Whether this build can compile at all.
[[nodiscard]] auto is_available() noexcept -> bool;

/// Compiles a container whose bytes may be anything. A wrong checksum is no error.
/// Errors: invalid_parameter for a malformed container or signature; unsupported for a program that
/// cannot run here: no library in this build, Direct3D 9 tokens, an unknown encoding, UAV counters
/// and textures, registers beyond `register_ranges`, and whatever the library refuses; those of
/// `compiler`.
[[nodiscard]] auto compile(const_bytes container, const compile_options& options,
                           shader_compiler* compiler) -> result<compiled>;
/// The same in this process, which ends when the library aborts: for tests and tools.
[[nodiscard]] auto compile(const_bytes container, const compile_options& options = {})
    -> result<compiled>;

/// Components that `reader` takes and `writer` does not make.
[[nodiscard]] constexpr auto missing_outputs(const interface_registers& writer,
                                             const interface_registers& reader) noexcept
    -> interface_registers {
  interface_registers missing{};
  for (std::size_t i = 0; i < missing.size(); ++i) {
    const auto mask = static_cast<std::uint8_t>(reader[i].mask & ~writer[i].mask);
    if (mask != 0) missing[i] = {mask, reader[i].components};
  }
  return missing;
}

}  // namespace aerogpu::dxbc
