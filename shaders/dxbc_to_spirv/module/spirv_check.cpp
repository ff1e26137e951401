// SPDX-License-Identifier: MIT
#include "dxbc_to_spirv/module/spirv_check.hpp"

#if AEROGPU_HAS_SPIRV_TOOLS
#include <memory>
#include <new>
#include <spirv-tools/libspirv.h>
#include <type_traits>
#endif

namespace aerogpu::dxbc {

#if AEROGPU_HAS_SPIRV_TOOLS

namespace {

struct close_context {
  void operator()(spv_context context) const noexcept { spvContextDestroy(context); }
};
using owned_context = std::unique_ptr<std::remove_pointer_t<spv_context>, close_context>;

auto validate(std::span<const std::uint32_t> words, std::string* log) -> result<void> {
  const owned_context context{spvContextCreate(SPV_ENV_VULKAN_1_1)};
  spv_diagnostic diagnostic = nullptr;
  const bool is_valid =
      spvValidateBinary(context.get(), words.data(), words.size(), &diagnostic) == SPV_SUCCESS;
  if (log != nullptr && diagnostic != nullptr) *log += diagnostic->error;
  spvDiagnosticDestroy(diagnostic);
  if (is_valid) return {};
  return make_error(error_code::unsupported, "the shader compiler makes no valid SPIR-V of it");
}

}  // namespace

/// SPIRV-Tools throws when memory runs out, though it is built without exceptions: then nothing of
/// what it holds is given back. That is the price of going on.
auto check_spirv(std::span<const std::uint32_t> words, std::string* log) noexcept -> result<void> {
#if defined(__cpp_exceptions)
  try {
    return validate(words, log);
  } catch (const std::bad_alloc&) {
    return make_error(error_code::out_of_memory, "no memory to validate a shader", words.size());
  }
#else
  return validate(words, log);
#endif
}

#else

auto check_spirv(std::span<const std::uint32_t>, std::string*) noexcept -> result<void> {
  return {};
}

#endif

}  // namespace aerogpu::dxbc
