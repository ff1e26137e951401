#include "vulkan/dxbc/vkd3d.hpp"

#include <array>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <vkd3d_shader.h>

namespace aerogpu::vulkan::dxbc {
namespace {

constexpr std::size_t spirv_header_words = 5;
constexpr std::size_t module_word_limit = 4u << 20;
constexpr std::uint32_t spirv_magic = 0x07230203;

/// One call at a time: the library promises nothing about threads. It reads its environment once,
/// and would print to the standard error unless told not to.
auto library_lock() -> std::mutex& {
  static std::mutex lock;
  static const int silenced = ::setenv("VKD3D_SHADER_DEBUG", "none", 0);
  (void)silenced;
  return lock;
}

/// Output of one call, freed at the end.
struct outcome {
  vkd3d_shader_code code{};
  char* messages = nullptr;

  outcome() = default;
  outcome(const outcome&) = delete;
  auto operator=(const outcome&) -> outcome& = delete;
  ~outcome() {
    if (code.code != nullptr) vkd3d_shader_free_shader_code(&code);
    vkd3d_shader_free_messages(messages);
  }
};

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

auto bindings_of(const compiled& facts) -> std::vector<vkd3d_shader_resource_binding> {
  std::vector<vkd3d_shader_resource_binding> made;
  for (const binding& from : facts.bindings) {
    const descriptor_form& form = descriptor_forms[static_cast<std::size_t>(from.kind)];
    made.push_back({.type = form.type,
                    .register_space = 0,
                    .register_index = from.register_index,
                    .shader_visibility = VKD3D_SHADER_VISIBILITY_ALL,
                    .flags = form.flags,
                    .binding = {from.set, from.slot, 1}});
  }
  if (!made.empty()) return made;
  // With no binding at all the library would invent some, so a shader without any gets one that
  // no register asks for.
  made.push_back({.type = VKD3D_SHADER_DESCRIPTOR_TYPE_CBV,
                  .register_space = 1,
                  .register_index = 0,
                  .shader_visibility = VKD3D_SHADER_VISIBILITY_ALL,
                  .flags = VKD3D_SHADER_BINDING_FLAG_BUFFER,
                  .binding = {descriptor_set_of(facts.stage), 0, 1}});
  return made;
}

auto domain_info(const tessellation_facts& hull) noexcept
    -> vkd3d_shader_spirv_domain_shader_target_info {
  return {.type = VKD3D_SHADER_STRUCTURE_TYPE_SPIRV_DOMAIN_SHADER_TARGET_INFO,
          .next = nullptr,
          .output_primitive =
              static_cast<vkd3d_shader_tessellator_output_primitive>(hull.output_primitive),
          .partitioning = static_cast<vkd3d_shader_tessellator_partitioning>(hull.partitioning)};
}

void run(const_bytes container, const compiled& facts, const compile_options& options,
         outcome& made, int& code) {
  constexpr std::array extensions{VKD3D_SHADER_SPIRV_EXTENSION_EXT_DEMOTE_TO_HELPER_INVOCATION};
  const auto bindings = bindings_of(facts);
  const auto domain = domain_info(options.hull);
  const bool knows_hull = facts.stage == shader_stage::domain && options.hull.partitioning != 0;
  const vkd3d_shader_spirv_target_info target{
      .type = VKD3D_SHADER_STRUCTURE_TYPE_SPIRV_TARGET_INFO,
      .next = knows_hull ? &domain : nullptr,
      .entry_point = nullptr,
      .environment = VKD3D_SHADER_SPIRV_ENVIRONMENT_VULKAN_1_0,
      .extensions = extensions.data(),
      .extension_count = options.demotes ? 1u : 0u,
      .parameters = nullptr,
      .parameter_count = 0,
      .dual_source_blending = false,
      .output_swizzles = nullptr,
      .output_swizzle_count = 0};
  const vkd3d_shader_interface_info interface {
    .type = VKD3D_SHADER_STRUCTURE_TYPE_INTERFACE_INFO, .next = &target,
    .bindings = bindings.data(), .binding_count = static_cast<unsigned>(bindings.size()),
    .push_constant_buffers = nullptr, .push_constant_buffer_count = 0, .combined_samplers = nullptr,
    .combined_sampler_count = 0, .uav_counters = nullptr, .uav_counter_count = 0
  };
  const std::array choices{
      vkd3d_shader_compile_option{VKD3D_SHADER_COMPILE_OPTION_BUFFER_UAV,
                                  VKD3D_SHADER_COMPILE_OPTION_BUFFER_UAV_STORAGE_TEXEL_BUFFER},
      vkd3d_shader_compile_option{VKD3D_SHADER_COMPILE_OPTION_STRIP_DEBUG,
                                  options.wants_names ? 0u : 1u}};
  const vkd3d_shader_compile_info info{.type = VKD3D_SHADER_STRUCTURE_TYPE_COMPILE_INFO,
                                       .next = &interface,
                                       .source = {container.data(), container.size()},
                                       .source_type = VKD3D_SHADER_SOURCE_DXBC_TPF,
                                       .target_type = VKD3D_SHADER_TARGET_SPIRV_BINARY,
                                       .options = choices.data(),
                                       .option_count = static_cast<unsigned>(choices.size()),
                                       .log_level = VKD3D_SHADER_LOG_WARNING,
                                       .source_name = "shader"};
  const std::lock_guard guard{library_lock()};
  code = vkd3d_shader_compile(&info, &made.code, &made.messages);
}

}  // namespace

auto call_vkd3d(const_bytes container, const compiled& facts, const compile_options& options)
    -> result<std::vector<std::uint32_t>> {
  outcome made;
  int code = 0;
  run(container, facts, options, made, code);
  if (options.log != nullptr && made.messages != nullptr) *options.log += made.messages;
  if (code == VKD3D_ERROR_OUT_OF_MEMORY) {
    return make_error(error_code::out_of_memory, "the shader compiler is out of memory");
  }
  if (code < 0) {
    return make_error(error_code::unsupported, "the shader compiler refuses the program",
                      static_cast<std::uint32_t>(-code));
  }
  const std::size_t count = made.code.size / sizeof(std::uint32_t);
  if (count <= spirv_header_words || count > module_word_limit) {
    return make_error(error_code::unsupported, "the compiled shader is of no sensible size", count,
                      module_word_limit);
  }
  std::vector<std::uint32_t> words(count);
  std::memcpy(words.data(), made.code.code, count * sizeof(std::uint32_t));
  if (words[0] != spirv_magic) {
    return make_error(error_code::unsupported, "the compiled shader is no SPIR-V", words[0]);
  }
  return words;
}

}  // namespace aerogpu::vulkan::dxbc
