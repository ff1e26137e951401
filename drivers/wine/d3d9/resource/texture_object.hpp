// SPDX-License-Identifier: MIT
/// \file IDirect3DBaseTexture9 of textures that consist of surfaces.
#pragma once

#include "drivers/wine/d3d9/resource/rectangles.hpp"
#include "drivers/wine/d3d9/resource/resource.hpp"
#include "drivers/wine/d3d9/resource/surface.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace aerogpu::d3d9 {

template <class Self, class Interface>
class texture_object : public resource_object<Self, Interface>,
                       public any_texture,
                       public listed_resource {
 public:
  texture_object(device& of, const sim::resource_description& shape)
      : resource_object<Self, Interface>(of), store_(of, shape) {
    this->behind = this;
    of.resources->add(*this);
  }
  ~texture_object() override { this->owner().resources->remove(*this); }

  [[nodiscard]] auto create(void* user_memory) -> HRESULT {
    const auto made = store_.create(user_memory);
    if (SUCCEEDED(made)) make_levels();
    return made;
  }
  [[nodiscard]] auto open(HANDLE share) -> HRESULT {
    const auto opened = store_.open(share);
    if (SUCCEEDED(opened)) make_levels();
    return opened;
  }

  [[nodiscard]] auto answers(const iid& wanted) const noexcept -> bool {
    return is_same(wanted, Self::name) || is_same(wanted, iid_base_texture) ||
           is_same(wanted, iid_resource);
  }
  using object::bind;
  using object::unbind;

  ULONG APIENTRY AddRef() override { return this->add_reference(); }
  D3DRESOURCETYPE APIENTRY GetType() override { return Self::type; }
  DWORD APIENTRY SetPriority(DWORD priority) override {
    return is_managed() ? std::exchange(priority_, priority) : 0;
  }
  DWORD APIENTRY GetPriority() override { return priority_; }
  void APIENTRY PreLoad() override {
    static_cast<void>(this->owner().run([&] { return is_managed() ? prepare() : S_OK; }));
  }
  DWORD APIENTRY SetLOD(DWORD level) override {
    if (!is_managed()) return 0;
    const auto before = store_.least_level();
    const auto wanted = std::min<UINT>(level, store_.shape().levels - 1);
    static_cast<void>(this->owner().run([&] {
      store_.set_least_level(wanted);
      return S_OK;
    }));
    return before;
  }
  DWORD APIENTRY GetLOD() override { return store_.least_level(); }
  DWORD APIENTRY GetLevelCount() override { return store_.shape().levels; }
  HRESULT APIENTRY SetAutoGenFilterType(D3DTEXTUREFILTERTYPE filter) override {
    if (filter <= D3DTEXF_NONE || filter > D3DTEXF_CONVOLUTIONMONO) return D3DERR_INVALIDCALL;
    return this->owner().run([&] {
      if (has_own_levels()) store_.set_generation_filter(filter);
      return S_OK;
    });
  }
  D3DTEXTUREFILTERTYPE APIENTRY GetAutoGenFilterType() override {
    return has_own_levels() ? store_.generation_filter() : D3DTEXF_NONE;
  }
  void APIENTRY GenerateMipSubLevels() override {
    static_cast<void>(this->owner().run([&] { return store_.generate_levels(); }));
  }
  HRESULT APIENTRY GetLevelDesc(UINT level, D3DSURFACE_DESC* description) override {
    if (description == nullptr || level >= store_.shape().levels) return D3DERR_INVALIDCALL;
    *description = levels_[level]->description();
    return S_OK;
  }

  auto api() noexcept -> IDirect3DBaseTexture9* override { return this; }
  auto counts() noexcept -> object& override { return *this; }
  auto driver() noexcept -> sim::d3d9_resource* override { return store_.video(); }
  auto pool() const noexcept -> D3DPOOL override { return store_.shape().pool; }
  auto prepare() -> HRESULT override { return store_.prepare(); }
  auto owner_device() const noexcept -> device& override { return this->owner(); }
  auto listed_pool() const noexcept -> D3DPOOL override { return pool(); }
  auto evict() -> bool override { return store_.evict(); }
  auto listed_object() const noexcept -> const object& override { return *this; }
  [[nodiscard]] auto store() noexcept -> texel_store& { return store_; }
  /// Face by face, each with its levels.
  [[nodiscard]] auto level(UINT index) noexcept -> surface* { return levels_[index].get(); }

 protected:
  [[nodiscard]] auto give_level(UINT face, UINT level, IDirect3DSurface9** to) -> HRESULT {
    if (to == nullptr) return D3DERR_INVALIDCALL;
    *to = nullptr;
    auto* const found = find_level(face, level);
    if (found == nullptr) return D3DERR_INVALIDCALL;
    hand_out(to, found);
    return S_OK;
  }
  [[nodiscard]] auto lock_level(UINT face, UINT level, D3DLOCKED_RECT* locked, const RECT* area,
                                DWORD flags) -> HRESULT {
    auto* const found = find_level(face, level);
    return found != nullptr ? found->LockRect(locked, area, flags) : D3DERR_INVALIDCALL;
  }
  /// One Unlock too many succeeds.
  [[nodiscard]] auto unlock_level(UINT face, UINT level) -> HRESULT {
    auto* const found = find_level(face, level);
    if (found == nullptr || !store_.is_lockable()) return D3DERR_INVALIDCALL;
    if (!found->is_in_use()) return S_OK;
    return found->UnlockRect();
  }
  [[nodiscard]] auto add_dirty(UINT face, const RECT* area) -> HRESULT {
    const auto& shape = store_.shape();
    if (area != nullptr && !is_inside(*area, shape.width, shape.height)) return D3DERR_INVALIDCALL;
    return this->owner().run([&] {
      store_.add_dirty_rect(face, area);
      return S_OK;
    });
  }

 private:
  [[nodiscard]] auto is_managed() const noexcept -> bool { return pool() == D3DPOOL_MANAGED; }
  [[nodiscard]] auto has_own_levels() const noexcept -> bool {
    return (store_.shape().usage & D3DUSAGE_AUTOGENMIPMAP) != 0;
  }
  [[nodiscard]] auto find_level(UINT face, UINT level) noexcept -> surface* {
    const auto levels = store_.shape().levels;
    if (level >= levels || face >= levels_.size() / levels) return nullptr;
    return levels_[face * levels + level].get();
  }
  void make_levels() {
    const surface_container container{surface_container::kind::texture, this, this};
    for (UINT i = 0; i < store_.part_count(); ++i)
      levels_.push_back(std::make_unique<surface>(this->owner(), store_, i, container));
  }

  texel_store store_;
  std::vector<std::unique_ptr<surface>> levels_;
  DWORD priority_ = 0;
};

}  // namespace aerogpu::d3d9
