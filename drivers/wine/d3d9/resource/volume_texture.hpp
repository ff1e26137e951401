// SPDX-License-Identifier: MIT
/// \file IDirect3DVolumeTexture9 and IDirect3DVolume9, of memory alone.
#pragma once

#include "drivers/wine/d3d9/api/names.hpp"
#include "drivers/wine/d3d9/resource/device_resources.hpp"
#include "drivers/wine/d3d9/resource/resource.hpp"
#include "drivers/wine/d3d9/resource/resource_object.hpp"
#include "drivers/wine/d3d9/resource/texel_store.hpp"

#include <memory>
#include <vector>

namespace aerogpu::d3d9 {

class volume_texture;

/// A level. Its references are the texture's.
class volume final : public child_object<volume, IDirect3DVolume9> {
 public:
  volume(device& owner, volume_texture& container, UINT level)
      : child_object(owner), container_(container), level_(level) {}

  [[nodiscard]] auto answers(const iid& wanted) const noexcept -> bool {
    return is_same(wanted, iid_volume);
  }
  ULONG APIENTRY AddRef() override;
  ULONG APIENTRY Release() override;
  HRESULT APIENTRY GetContainer(const iid& wanted, void** found) override;
  HRESULT APIENTRY GetDesc(D3DVOLUME_DESC* description) override;
  HRESULT APIENTRY LockBox(D3DLOCKED_BOX* locked, const D3DBOX* box, DWORD flags) override;
  HRESULT APIENTRY UnlockBox() override;

 private:
  volume_texture& container_;
  const UINT level_;
};

class volume_texture final : public resource_object<volume_texture, IDirect3DVolumeTexture9>,
                             public any_texture {
 public:
  volume_texture(device& of, const sim::resource_description& shape)
      : resource_object(of), store_(of, shape) {
    behind = this;
  }

  [[nodiscard]] auto create() -> HRESULT;
  [[nodiscard]] auto answers(const iid& wanted) const noexcept -> bool {
    return is_same(wanted, iid_volume_texture) || is_same(wanted, iid_base_texture) ||
           is_same(wanted, iid_resource);
  }
  using object::bind;
  using object::unbind;

  ULONG APIENTRY AddRef() override { return add_reference(); }
  D3DRESOURCETYPE APIENTRY GetType() override { return D3DRTYPE_VOLUMETEXTURE; }
  DWORD APIENTRY SetLOD(DWORD) override { return 0; }
  DWORD APIENTRY GetLOD() override { return 0; }
  DWORD APIENTRY GetLevelCount() override { return store_.shape().levels; }
  HRESULT APIENTRY SetAutoGenFilterType(D3DTEXTUREFILTERTYPE) override {
    return D3DERR_INVALIDCALL;
  }
  D3DTEXTUREFILTERTYPE APIENTRY GetAutoGenFilterType() override { return D3DTEXF_NONE; }
  void APIENTRY GenerateMipSubLevels() override {}
  HRESULT APIENTRY GetLevelDesc(UINT level, D3DVOLUME_DESC* description) override;
  HRESULT APIENTRY GetVolumeLevel(UINT level, IDirect3DVolume9** to) override;
  HRESULT APIENTRY LockBox(UINT level, D3DLOCKED_BOX* locked, const D3DBOX* box,
                           DWORD flags) override;
  HRESULT APIENTRY UnlockBox(UINT level) override;
  HRESULT APIENTRY AddDirtyBox(const D3DBOX* box) override;

  auto api() noexcept -> IDirect3DBaseTexture9* override { return this; }
  auto counts() noexcept -> object& override { return *this; }
  auto driver() noexcept -> sim::d3d9_resource* override { return nullptr; }
  auto pool() const noexcept -> D3DPOOL override { return store_.shape().pool; }
  auto prepare() -> HRESULT override { return S_OK; }
  auto owner_device() const noexcept -> device& override { return owner(); }

 private:
  texel_store store_;
  std::vector<std::unique_ptr<volume>> levels_;
};

}  // namespace aerogpu::d3d9
