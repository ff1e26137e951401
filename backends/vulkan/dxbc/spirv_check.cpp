#include "vulkan/dxbc/spirv_check.hpp"

#if AEROGPU_HAS_SPIRV_TOOLS
#include <spirv-tools/libspirv.h>
#endif

namespace aerogpu::vulkan::dxbc {

#if AEROGPU_HAS_SPIRV_TOOLS

auto check_spirv(std::span<const std::uint32_t> words, std::string* log) -> result<void> {
  const spv_context context = spvContextCreate(SPV_ENV_VULKAN_1_1);
  spv_diagnostic diagnostic = nullptr;
  const bool is_valid =
      spvValidateBinary(context, words.data(), words.size(), &diagnostic) == SPV_SUCCESS;
  if (log != nullptr && diagnostic != nullptr) *log += diagnostic->error;
  spvDiagnosticDestroy(diagnostic);
  spvContextDestroy(context);
  if (is_valid) return {};
  return make_error(error_code::unsupported, "the shader compiler makes no valid SPIR-V of it");
}

#else

auto check_spirv(std::span<const std::uint32_t>, std::string*) -> result<void> {
  return {};
}

#endif

}  // namespace aerogpu::vulkan::dxbc
