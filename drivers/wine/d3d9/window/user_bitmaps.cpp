// SPDX-License-Identifier: MIT
/// \file Device contexts over memory of others: gdi32 makes them for Direct3D's runtime.
#include "drivers/wine/d3d9/window/user.hpp"

#include <windows.h>

namespace aerogpu::d3d9::user {
namespace {

/// D3DKMT_CREATEDCFROMMEMORY, which no header of mingw-w64 has.
struct creation {
  void* memory;
  std::uint32_t format;  ///< D3DDDIFORMAT
  std::uint32_t width;
  std::uint32_t height;
  std::uint32_t pitch_bytes;
  HDC like;
  PALETTEENTRY* colors;
  HDC context;   ///< Out.
  void* bitmap;  ///< Out.
};

/// D3DKMT_DESTROYDCFROMMEMORY.
struct destruction {
  HDC context;
  void* bitmap;
};

template <class Argument>
[[nodiscard]] auto call(const char* name, Argument& argument) -> bool {
  using entry = LONG(APIENTRY*)(Argument*);
  const HMODULE gdi = GetModuleHandleA("gdi32.dll");
  const auto found = gdi != nullptr ? GetProcAddress(gdi, name) : nullptr;
  if (found == nullptr) return false;
  return reinterpret_cast<entry>(reinterpret_cast<void*>(found))(&argument) >= 0;
}

}  // namespace

auto open_memory_context(void* texels, std::uint32_t format, std::uint32_t width,
                         std::uint32_t height, std::uint32_t pitch_bytes) -> memory_context {
  const HDC like = CreateCompatibleDC(nullptr);
  creation wanted{texels, format, width, height, pitch_bytes, like, nullptr, nullptr, nullptr};
  const bool is_made = call("D3DKMTCreateDCFromMemory", wanted);
  DeleteDC(like);
  if (!is_made) return {};
  return {wanted.context, wanted.bitmap};
}

void close_memory_context(const memory_context& gone) {
  destruction wanted{static_cast<HDC>(gone.context), gone.bitmap};
  static_cast<void>(call("D3DKMTDestroyDCFromMemory", wanted));
}

}  // namespace aerogpu::d3d9::user
