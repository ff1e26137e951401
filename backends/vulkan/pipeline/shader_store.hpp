// SPDX-License-Identifier: MIT
/// \file Shaders of the guest as modules of the device: translated once for each meaning, shared by
/// all handles with the same bytes.
#pragma once

#include "aerogpu/backend/objects.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/bounded_cache.hpp"
#include "d3d9_to_spirv/translate.hpp"
#include "dxbc_to_spirv/compile.hpp"
#include "vulkan/memory/record_list.hpp"
#include "vulkan/memory/retired_list.hpp"
#include "vulkan/modules/module_outputs.hpp"
#include "vulkan/modules/module_work.hpp"
#include "vulkan/modules/shader_module.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>

namespace aerogpu::vulkan {

/// One module: a program with one set of options.
struct shader_variant {
  std::uint64_t id = 0;  ///< Never the same for two variants: part of pipeline keys.
  shader_module module;  ///< Empty while there is no device.
  module_work work;
  module_outputs outputs;
  d3d9::translation translated;  ///< Of SM1-3; its words are kept for a device that is replaced.
  dxbc::compiled compiled;       ///< Of SM4+.
  error why;  ///< Of options with which the program cannot run; then there is no module.
  std::unique_ptr<shader_variant> next_retired;

  [[nodiscard]] auto spirv() const noexcept -> std::span<const std::uint32_t> {
    return compiled.words.empty() ? std::span<const std::uint32_t>{translated.words}
                                  : std::span<const std::uint32_t>{compiled.words};
  }
};

/// A program with one set of options, wherever those lie.
template <class Options>
struct variant_probe {
  std::uint64_t code = 0;  ///< Id of the program.
  const Options& options;

  void hash_into(keyed_hash& hash) const noexcept;
};
using d3d9_variant_probe = variant_probe<d3d9::translate_options>;
using dxbc_variant_probe = variant_probe<dxbc::compile_options>;
/// The same with its own options; those of the other language are as new.
struct variant_key {
  std::uint64_t code = 0;  ///< Id of the program.
  d3d9::translate_options options;
  dxbc::compile_options compile;

  bool is_d3d9 = false;

  void hash_into(keyed_hash& hash) const noexcept {
    if (is_d3d9) return d3d9_variant_probe{code, options}.hash_into(hash);
    dxbc_variant_probe{code, compile}.hash_into(hash);
  }
  friend auto operator==(const variant_key& a, const d3d9_variant_probe& b) noexcept -> bool;
  friend auto operator==(const variant_key& a, const dxbc_variant_probe& b) noexcept -> bool;
};
using variant_cache = bounded_cache<variant_key, std::unique_ptr<shader_variant>>;

/// A program by its bytes, wherever they lie.
struct shader_code_probe {
  shader_stage stage{};
  shader_language language{};
  const_bytes bytes;

  void hash_into(keyed_hash& hash) const noexcept;
};
/// The same with its own copy of them.
struct shader_code_key {
  shader_stage stage{};
  shader_language language{};
  heap_array<std::byte> bytes;

  void hash_into(keyed_hash& hash) const noexcept {
    shader_code_probe{stage, language, bytes.view()}.hash_into(hash);
  }
  friend auto operator==(const shader_code_key& a, const shader_code_probe& b) noexcept -> bool {
    return a.stage == b.stage && a.language == b.language &&
           std::ranges::equal(a.bytes.view(), b.bytes);
  }
};

/// A program, whichever handles name it.
struct shader_code {
  std::uint64_t id = 0;
  shader_stage stage{};
  shader_language language{};
  const_bytes bytes;  ///< Of its key.
  // Of SM1-3. The decoded program is not kept: it takes 20 times its bytes.
  std::uint16_t undeclared_samplers = 0;  ///< s# whose shape the program does not say.
  std::uint16_t flat_samplers = 0xFFFF;   ///< s# that are not declared as cube or volume.
  d3d9::varying_list extra_varyings;      ///< Of a vertex shader.
  variant_cache::group variants;
  error why;  ///< Of a program that cannot run here; then there are no variants.
};
using code_cache = bounded_cache<shader_code_key, std::unique_ptr<shader_code>>;

/// What a handle names.
struct shader_record {
  shader_handle name{};
  code_cache::entry* entry = nullptr;  ///< Pinned.
  shader_code* code = nullptr;         ///< Its value.
  std::size_t place = 0;
};

/// The guest's shaders and what was made of them. They outlive a lost device: `rebuild` gives them
/// modules on the next one.
class shader_store {
 public:
  explicit shader_store(const backend_options& options) noexcept;

  /// Errors: unsupported for programs that cannot run here; out_of_memory, device_lost.
  [[nodiscard]] auto create(device_parts& device, const shader_desc& desc)
      -> result<shader_record*>;
  void destroy(shader_record* shader);

  /// The module of an SM1-3 program with these options; holds for the open batch. Errors: those of
  /// `d3d9::translate`; out_of_memory, device_lost.
  [[nodiscard]] auto variant(device_parts& device, shader_record& shader,
                             const d3d9::translate_options& options)
      -> result<const shader_variant*>;
  /// The same of an SM4+ program, by what the stages around it need.
  [[nodiscard]] auto variant(device_parts& device, shader_record& shader,
                             const dxbc::compile_options& options) -> result<const shader_variant*>;

  /// Options that hold for every program of this backend.
  [[nodiscard]] auto base_options(const gpu& device) const noexcept -> d3d9::translate_options;
  [[nodiscard]] auto base_compile_options(const gpu& device) const noexcept
      -> dxbc::compile_options;

  /// Makes a module for each variant on the device that replaced a lost one. Errors:
  /// out_of_memory, device_lost.
  [[nodiscard]] auto rebuild(device_parts& device) -> result<void>;
  /// Gives up the modules of a device that goes.
  void drop_modules() noexcept;
  [[nodiscard]] auto live_objects() const noexcept -> std::size_t { return shaders_.size(); }
  [[nodiscard]] auto modules_made() const noexcept -> std::uint64_t { return modules_made_; }
  /// How often a program was handed to a translator or compiler, whatever came of it.
  [[nodiscard]] auto translations() const noexcept -> std::uint64_t { return translations_; }

  /// Modules and refusals of them, and programs with and without a handle, that are kept.
  [[nodiscard]] auto kept_variants() const noexcept -> std::size_t { return variants_.size(); }
  [[nodiscard]] auto kept_codes() const noexcept -> std::size_t { return codes_.size(); }
  /// Byte code of programs without a handle.
  [[nodiscard]] auto idle_bytes() const noexcept -> std::uint64_t { return codes_.idle_bytes(); }

 private:
  [[nodiscard]] auto compiler() noexcept -> dxbc::shader_compiler*;
  [[nodiscard]] auto resolve_code(const shader_desc& desc) -> result<code_cache::entry*>;
  [[nodiscard]] auto add_code(const shader_desc& desc) -> result<code_cache::entry*>;
  [[nodiscard]] auto first_variant(device_parts& device, shader_code& code) -> error;
  [[nodiscard]] auto variant(device_parts& device, shader_code& code,
                             const d3d9::translate_options& options)
      -> result<const shader_variant*>;
  [[nodiscard]] auto variant(device_parts& device, shader_code& code,
                             const dxbc::compile_options& options) -> result<const shader_variant*>;
  [[nodiscard]] auto add_variant(device_parts& device, shader_code& code, const variant_key& key,
                                 std::unique_ptr<shader_variant> made)
      -> result<const shader_variant*>;
  [[nodiscard]] auto refuse_variant(shader_code& code, const variant_key& key, const error& why)
      -> error;
  void retire(std::unique_ptr<shader_variant> old) noexcept;

  const backend_options& options_;
  dxbc::owned_shader_compiler compiler_;  ///< Null until the first SM4+ program.
  std::uint64_t next_id_ = 1;
  std::uint64_t modules_made_ = 0;
  std::uint64_t translations_ = 0;
  retired_list<shader_variant> retired_;
  variant_cache variants_;
  code_cache codes_;  ///< Goes before the variants.
  record_list<shader_record> shaders_;
};

}  // namespace aerogpu::vulkan
