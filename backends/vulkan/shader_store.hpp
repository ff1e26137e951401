/// \file Shaders of the guest as modules of the device: translated once for each meaning, shared by
/// all handles with the same bytes.
#pragma once

#include "aerogpu/core/result.hpp"
#include "aerogpu/processor/objects.hpp"
#include "vulkan/d3d9/translate.hpp"
#include "vulkan/device_parts.hpp"
#include "vulkan/dxbc/compile.hpp"
#include "vulkan/record_list.hpp"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace aerogpu::vulkan {

/// One module: a program with one set of options.
struct shader_variant {
  std::uint32_t id = 0;  ///< Never the same for two variants: part of pipeline keys.
  VkShaderModule module = VK_NULL_HANDLE;
  d3d9::translate_options options;
  d3d9::translation translated;   ///< Of SM1-3; its words are kept for a device that is replaced.
  dxbc::compile_options compile;  ///< Of SM4+.
  dxbc::compiled compiled;        ///< Of SM4+.
};

/// A program, whichever handles name it.
struct shader_code {
  std::uint64_t hash = 0;
  shader_stage stage{};
  shader_language language{};
  std::vector<std::byte> bytes;
  d3d9::program program;                  ///< Of SM1-3.
  std::uint16_t undeclared_samplers = 0;  ///< s# whose shape the program does not say.
  std::uint16_t flat_samplers = 0xFFFF;   ///< s# that are not declared as cube or volume.
  std::uint32_t users = 0;
  std::uint64_t last_use = 0;
  std::vector<std::unique_ptr<shader_variant>> variants;
  error why;  ///< Of a program that cannot run here; then there are no variants.
};

/// What a handle names.
struct shader_record {
  shader_handle name{};
  shader_code* code = nullptr;
  std::size_t place = 0;
};

class shader_store {
 public:
  shader_store(device_parts*& device, bool fast_math) noexcept
      : device_(device), fast_math_(fast_math) {}

  /// Errors: unsupported for programs that cannot run here; out_of_memory, device_lost.
  [[nodiscard]] auto create(const shader_desc& desc) -> result<shader_record*>;
  void destroy(shader_record* shader);

  /// The module of an SM1-3 program with these options. Errors: those of `d3d9::translate`;
  /// out_of_memory, device_lost.
  [[nodiscard]] auto variant(shader_record& shader, const d3d9::translate_options& options)
      -> result<const shader_variant*>;
  /// The same of an SM4+ program, by what the stages around it need.
  [[nodiscard]] auto variant(shader_record& shader, const dxbc::compile_options& options)
      -> result<const shader_variant*>;

  /// Options that hold for every program of this backend.
  [[nodiscard]] auto base_options() const noexcept -> d3d9::translate_options;
  [[nodiscard]] auto base_compile_options() const noexcept -> dxbc::compile_options;

  /// Variants that went since the last call: no pipeline of theirs is needed any more.
  [[nodiscard]] auto take_removed() noexcept -> std::vector<std::uint32_t>;

  [[nodiscard]] auto rebuild() -> result<void>;
  void destroy_objects();
  [[nodiscard]] auto live_objects() const noexcept -> std::size_t { return shaders_.size(); }
  [[nodiscard]] auto modules_made() const noexcept -> std::uint64_t { return modules_made_; }

 private:
  [[nodiscard]] auto find(const shader_desc& desc, std::uint64_t hash) noexcept -> shader_code*;
  [[nodiscard]] auto add_code(const shader_desc& desc, std::uint64_t hash) -> shader_code*;
  [[nodiscard]] auto add_variant(shader_code& code, std::unique_ptr<shader_variant> made)
      -> result<const shader_variant*>;
  [[nodiscard]] auto create_module(shader_variant& variant) -> result<void>;
  void discard_module(shader_variant& variant);
  void drop_idle_codes();

  device_parts*& device_;
  bool fast_math_;
  std::uint32_t next_id_ = 1;
  std::uint64_t uses_ = 0;
  std::uint64_t modules_made_ = 0;
  std::unordered_multimap<std::uint64_t, std::unique_ptr<shader_code>> codes_;
  record_list<shader_record> shaders_;
  std::vector<std::uint32_t> removed_;
};

}  // namespace aerogpu::vulkan
