// SPDX-License-Identifier: MIT
/// \file Device contexts of GDI over memory that holds a surface's texels.
#pragma once

#include "drivers/win7/ddi/user/d3dumddi.hpp"

#include <cstdint>
#include <optional>

namespace aerogpu::d3d9 {

/// Rows of a format that GDI draws to, the top row first.
struct bitmap_memory {
  void* texels = nullptr;
  D3DFORMAT format = D3DFMT_UNKNOWN;
  UINT width = 0;
  UINT height = 0;
  UINT pitch_bytes = 0;
};

struct bitmap_context {
  HDC context = nullptr;
  void* bitmap = nullptr;  ///< HBITMAP.
};

class bitmap_contexts {
 public:
  bitmap_contexts() = default;
  virtual ~bitmap_contexts() = default;
  bitmap_contexts(const bitmap_contexts&) = delete;
  auto operator=(const bitmap_contexts&) -> bitmap_contexts& = delete;

  /// A memory device context with a DIB section over that memory; nothing where GDI refuses.
  [[nodiscard]] virtual auto open(const bitmap_memory& over) -> std::optional<bitmap_context> = 0;
  virtual void close(const bitmap_context& gone) = 0;
};

/// Where there is no GDI: contexts are numbers, and nobody draws.
class numbered_contexts final : public bitmap_contexts {
 public:
  auto open(const bitmap_memory&) -> std::optional<bitmap_context> override {
    return bitmap_context{reinterpret_cast<HDC>(++last_), nullptr};
  }
  void close(const bitmap_context&) override {}

 private:
  std::uintptr_t last_ = 0;
};

}  // namespace aerogpu::d3d9
