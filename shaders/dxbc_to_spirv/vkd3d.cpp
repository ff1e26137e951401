#include "dxbc_to_spirv/vkd3d.hpp"

#include "dxbc_to_spirv/binding_map.hpp"

#include <array>
#include <cstdlib>
#include <mutex>
#include <vkd3d_shader.h>

namespace aerogpu::dxbc {
namespace {

/// One call at a time: the library promises nothing about threads.
auto library_lock() -> std::mutex& {
  static std::mutex lock;
  return lock;
}

struct descriptor_form {
  vkd3d_shader_descriptor_type type;
  unsigned flags;
};

/// By `binding_kind`. A sampler matches the image flag only.
constexpr std::array descriptor_forms{
    descriptor_form{VKD3D_SHADER_DESCRIPTOR_TYPE_CBV, VKD3D_SHADER_BINDING_FLAG_BUFFER},
    descriptor_form{VKD3D_SHADER_DESCRIPTOR_TYPE_SRV, VKD3D_SHADER_BINDING_FLAG_IMAGE},
    descriptor_form{VKD3D_SHADER_DESCRIPTOR_TYPE_SRV, VKD3D_SHADER_BINDING_FLAG_BUFFER},
    descriptor_form{VKD3D_SHADER_DESCRIPTOR_TYPE_SAMPLER, VKD3D_SHADER_BINDING_FLAG_IMAGE},
    descriptor_form{VKD3D_SHADER_DESCRIPTOR_TYPE_UAV, VKD3D_SHADER_BINDING_FLAG_BUFFER}};

using binding_array = std::array<vkd3d_shader_resource_binding, max_job_bindings>;

/// Fills `made` and returns how many there are.
auto write_bindings(const compile_job& job, binding_array& made) noexcept -> unsigned {
  for (std::uint32_t i = 0; i < job.binding_count(); ++i) {
    const job_binding from = job.binding(i);
    const descriptor_form& form = descriptor_forms[from.kind];
    made[i] = {.type = form.type,
               .register_space = 0,
               .register_index = from.register_index,
               .shader_visibility = VKD3D_SHADER_VISIBILITY_ALL,
               .flags = form.flags,
               .binding = {from.set, from.slot, 1}};
  }
  if (job.binding_count() != 0) return job.binding_count();
  // With no binding at all the library would invent some, so a shader without any gets one that
  // no register asks for.
  made[0] = {.type = VKD3D_SHADER_DESCRIPTOR_TYPE_CBV,
             .register_space = 1,
             .register_index = 0,
             .shader_visibility = VKD3D_SHADER_VISIBILITY_ALL,
             .flags = VKD3D_SHADER_BINDING_FLAG_BUFFER,
             .binding = {descriptor_set_of(job.stage()), 0, 1}};
  return 1;
}

auto domain_info(const compile_job& job) noexcept -> vkd3d_shader_spirv_domain_shader_target_info {
  return {.type = VKD3D_SHADER_STRUCTURE_TYPE_SPIRV_DOMAIN_SHADER_TARGET_INFO,
          .next = nullptr,
          .output_primitive =
              static_cast<vkd3d_shader_tessellator_output_primitive>(job.output_primitive()),
          .partitioning = static_cast<vkd3d_shader_tessellator_partitioning>(job.partitioning())};
}

/// What `sampleinfo` and `samplepos` of the rasterizer see: no target has more samples
/// (host.md 3.11).
auto sample_count() noexcept -> vkd3d_shader_parameter {
  vkd3d_shader_parameter made{};
  made.name = VKD3D_SHADER_PARAMETER_NAME_RASTERIZER_SAMPLE_COUNT;
  made.type = VKD3D_SHADER_PARAMETER_TYPE_IMMEDIATE_CONSTANT;
  made.data_type = VKD3D_SHADER_PARAMETER_DATA_TYPE_UINT32;
  made.u.immediate_constant.u.u32 = 1;
  return made;
}

}  // namespace

library_answer::library_answer(const compile_job& job) {
  constexpr std::array extensions{VKD3D_SHADER_SPIRV_EXTENSION_EXT_DEMOTE_TO_HELPER_INVOCATION};
  binding_array bindings;
  const unsigned binding_count = write_bindings(job, bindings);
  const auto domain = domain_info(job);
  const auto samples = sample_count();
  const vkd3d_shader_spirv_target_info target{
      .type = VKD3D_SHADER_STRUCTURE_TYPE_SPIRV_TARGET_INFO,
      .next = job.partitioning() != 0 ? &domain : nullptr,
      .entry_point = nullptr,
      .environment = VKD3D_SHADER_SPIRV_ENVIRONMENT_VULKAN_1_0,
      .extensions = extensions.data(),
      .extension_count = job.has(job_demotes) ? 1u : 0u,
      .parameters = &samples,
      .parameter_count = 1,
      .dual_source_blending = false,
      .output_swizzles = nullptr,
      .output_swizzle_count = 0};
  const vkd3d_shader_interface_info interface {
    .type = VKD3D_SHADER_STRUCTURE_TYPE_INTERFACE_INFO, .next = &target,
    .bindings = bindings.data(), .binding_count = binding_count, .push_constant_buffers = nullptr,
    .push_constant_buffer_count = 0, .combined_samplers = nullptr, .combined_sampler_count = 0,
    .uav_counters = nullptr, .uav_counter_count = 0
  };
  const std::array choices{
      vkd3d_shader_compile_option{VKD3D_SHADER_COMPILE_OPTION_BUFFER_UAV,
                                  VKD3D_SHADER_COMPILE_OPTION_BUFFER_UAV_STORAGE_TEXEL_BUFFER},
      vkd3d_shader_compile_option{VKD3D_SHADER_COMPILE_OPTION_STRIP_DEBUG,
                                  job.has(job_wants_names) ? 0u : 1u}};
  const const_bytes container = job.container();
  const vkd3d_shader_compile_info info{.type = VKD3D_SHADER_STRUCTURE_TYPE_COMPILE_INFO,
                                       .next = &interface,
                                       .source = {container.data(), container.size()},
                                       .source_type = VKD3D_SHADER_SOURCE_DXBC_TPF,
                                       .target_type = VKD3D_SHADER_TARGET_SPIRV_BINARY,
                                       .options = choices.data(),
                                       .option_count = static_cast<unsigned>(choices.size()),
                                       .log_level = VKD3D_SHADER_LOG_WARNING,
                                       .source_name = "shader"};
  silence_library();
  vkd3d_shader_code made{};
  const std::lock_guard guard{library_lock()};
  code_ = vkd3d_shader_compile(&info, &made, &messages_);
  module_ = made.code;
  module_bytes_ = made.size;
}

library_answer::~library_answer() {
  vkd3d_shader_code made{module_, module_bytes_};
  if (module_ != nullptr) vkd3d_shader_free_shader_code(&made);
  vkd3d_shader_free_messages(messages_);
}

auto library_answer::status() const noexcept -> reply_status {
  if (code_ == VKD3D_ERROR_OUT_OF_MEMORY) return reply_status::out_of_memory;
  const std::size_t count = module_bytes_ / sizeof(std::uint32_t);
  const bool fits = count != 0 && count <= max_module_words;
  return code_ < 0 || !fits ? reply_status::refused : reply_status::compiled;
}

auto library_answer::detail() const noexcept -> std::uint32_t {
  return code_ < 0 ? static_cast<std::uint32_t>(-code_) : 0u;
}

auto library_answer::words() const noexcept -> const_bytes {
  if (status() != reply_status::compiled) return {};
  return {static_cast<const std::byte*>(module_), module_bytes_ / 4 * 4};
}

auto library_answer::messages() const noexcept -> std::string_view {
  if (messages_ == nullptr) return {};
  return std::string_view{messages_}.substr(0, max_message_bytes);
}

void silence_library() noexcept {
  static const int silenced = ::setenv("VKD3D_SHADER_DEBUG", "none", 0);
  static_cast<void>(silenced);
}

auto library_version() noexcept -> const char* {
  return vkd3d_shader_get_version(nullptr, nullptr);
}

}  // namespace aerogpu::dxbc
