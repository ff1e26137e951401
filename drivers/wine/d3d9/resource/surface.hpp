// SPDX-License-Identifier: MIT
/// \file IDirect3DSurface9: a surface by itself, a level of a texture, a buffer of a swap chain.
#pragma once

#include "drivers/wine/d3d9/api/names.hpp"
#include "drivers/wine/d3d9/resource/device_resources.hpp"
#include "drivers/wine/d3d9/resource/resource_object.hpp"
#include "drivers/wine/d3d9/resource/texel_store.hpp"
#include "drivers/wine/d3d9/window/bitmap_contexts.hpp"

#include <memory>
#include <optional>

namespace aerogpu::d3d9 {

/// What a surface is part of. The texture outlives its levels; a chain outlives its buffers'
/// membership.
struct surface_container {
  enum class kind : std::uint8_t { device, texture, swap_chain };
  kind of = kind::device;
  IUnknown* object = nullptr;       ///< The texture or the swap chain.
  d3d9::object* texture = nullptr;  ///< The texture's counts: its levels have none of their own.
};

class surface final : public resource_object<surface, IDirect3DSurface9>, public listed_resource {
 public:
  /// By itself.
  surface(device& owner, const sim::resource_description& shape);
  /// A level of a texture.
  surface(device& owner, texel_store& store, UINT index, const surface_container& container);
  /// A buffer of a chain, or the automatic depth surface.
  surface(device& owner, const sim::d3d9_surface& place, const D3DSURFACE_DESC& from,
          const surface_container& container);
  ~surface() override;

  /// Of a pointer that the program gave; nullptr for nullptr.
  [[nodiscard]] static auto of(IDirect3DSurface9* given) noexcept -> surface* {
    return static_cast<surface*>(given);
  }
  [[nodiscard]] auto create(void* user_memory) -> HRESULT;
  [[nodiscard]] auto open(HANDLE share) -> HRESULT;

  /// Where the driver has it; {nullptr, 0} when the device cannot use it.
  [[nodiscard]] auto place() const noexcept -> sim::d3d9_surface { return store_->place(index_); }
  /// Of a chain's buffer, which rotates; without a resource, it has left its chain.
  void set_place(const sim::d3d9_surface& at) noexcept {
    store_->lend(at);
    if (at.resource == nullptr) container_ = {};
  }
  /// A Reset may change what a chain's buffer is.
  [[nodiscard]] auto description() const noexcept -> const D3DSURFACE_DESC& { return description_; }
  [[nodiscard]] auto container() const noexcept -> const surface_container& { return container_; }
  [[nodiscard]] auto store() noexcept -> texel_store& { return *store_; }
  [[nodiscard]] auto is_locked() const -> bool { return store_->is_locked(index_); }
  [[nodiscard]] auto is_in_use() const -> bool { return is_locked() || context_.has_value(); }
  /// The driver has changed it, or will: the target of a copy or of draws.
  void note_written() { store_->note_written(index_); }

  [[nodiscard]] auto answers(const iid& wanted) const noexcept -> bool {
    return is_same(wanted, iid_surface) || is_same(wanted, iid_resource);
  }
  void bind() noexcept { counts().bind(); }
  void unbind() noexcept { counts().unbind(); }

  ULONG APIENTRY AddRef() override;
  ULONG APIENTRY Release() override;
  D3DRESOURCETYPE APIENTRY GetType() override { return D3DRTYPE_SURFACE; }
  HRESULT APIENTRY GetContainer(const iid& wanted, void** found) override;
  HRESULT APIENTRY GetDesc(D3DSURFACE_DESC* description) override;
  HRESULT APIENTRY LockRect(D3DLOCKED_RECT* locked, const RECT* area, DWORD flags) override;
  HRESULT APIENTRY UnlockRect() override;
  HRESULT APIENTRY GetDC(HDC* context) override;
  HRESULT APIENTRY ReleaseDC(HDC context) override;

  auto listed_pool() const noexcept -> D3DPOOL override { return description_.Pool; }
  auto evict() -> bool override { return false; }
  auto listed_object() const noexcept -> const object& override { return *this; }

 private:
  [[nodiscard]] auto is_level() const noexcept -> bool { return container_.texture != nullptr; }
  [[nodiscard]] auto counts() noexcept -> object& {
    return is_level() ? *container_.texture : static_cast<object&>(*this);
  }
  [[nodiscard]] auto lock(D3DLOCKED_RECT* locked, const RECT* area, DWORD flags) -> HRESULT;
  [[nodiscard]] auto get_dc(HDC* context) -> HRESULT;
  void describe();

  std::unique_ptr<texel_store> own_;  ///< Of what is no level.
  texel_store* store_;
  UINT index_ = 0;
  surface_container container_;
  D3DSURFACE_DESC description_{};
  std::optional<bitmap_context> context_;
};

/// What GetDesc and GetLevelDesc say.
[[nodiscard]] auto describe_part(const texel_store& store, UINT index) -> D3DSURFACE_DESC;

}  // namespace aerogpu::d3d9
