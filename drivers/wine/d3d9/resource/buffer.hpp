// SPDX-License-Identifier: MIT
/// \file IDirect3DVertexBuffer9 and IDirect3DIndexBuffer9.
#pragma once

#include "drivers/wine/d3d9/api/names.hpp"
#include "drivers/wine/d3d9/resource/byte_store.hpp"
#include "drivers/wine/d3d9/resource/device_resources.hpp"
#include "drivers/wine/d3d9/resource/resource_object.hpp"

#include <utility>

namespace aerogpu::d3d9 {

template <class Self, class Interface>
class buffer_object : public resource_object<Self, Interface>, public listed_resource {
 public:
  buffer_object(device& of, const sim::resource_description& shape)
      : resource_object<Self, Interface>(of), store_(of, shape) {
    of.resources->add(*this);
  }
  ~buffer_object() override { this->owner().resources->remove(*this); }

  /// Of a pointer that the program gave; nullptr for nullptr.
  [[nodiscard]] static auto of(Interface* given) noexcept -> Self* {
    return static_cast<Self*>(given);
  }
  [[nodiscard]] auto create() -> HRESULT { return store_.create(); }
  [[nodiscard]] auto answers(const iid& wanted) const noexcept -> bool {
    return is_same(wanted, Self::name) || is_same(wanted, iid_resource);
  }

  /// nullptr before `prepare` of one that is managed or in system memory.
  [[nodiscard]] auto driver() const noexcept -> sim::d3d9_resource* { return store_.video(); }
  /// Before a draw reads it. `driver()` may change.
  [[nodiscard]] auto prepare() -> HRESULT { return store_.prepare(); }
  [[nodiscard]] auto is_locked() const noexcept -> bool { return store_.is_locked(); }
  [[nodiscard]] auto size_bytes() const noexcept -> UINT { return store_.shape().width; }
  [[nodiscard]] auto shape() const noexcept -> const sim::resource_description& {
    return store_.shape();
  }

  DWORD APIENTRY SetPriority(DWORD priority) override {
    return is_managed() ? std::exchange(priority_, priority) : 0;
  }
  DWORD APIENTRY GetPriority() override { return priority_; }
  void APIENTRY PreLoad() override {
    static_cast<void>(this->owner().run([&] { return is_managed() ? prepare() : S_OK; }));
  }
  D3DRESOURCETYPE APIENTRY GetType() override { return Self::type; }
  HRESULT APIENTRY Lock(UINT offset, UINT bytes, void** data, DWORD flags) override {
    return this->owner().run([&]() -> HRESULT {
      return data != nullptr ? store_.lock(offset, bytes, *data, flags) : D3DERR_INVALIDCALL;
    });
  }
  HRESULT APIENTRY Unlock() override {
    return this->owner().run([&] { return store_.unlock(); });
  }

  auto listed_pool() const noexcept -> D3DPOOL override { return store_.shape().pool; }
  auto evict() -> bool override { return store_.evict(); }
  auto listed_object() const noexcept -> const object& override { return *this; }

 private:
  [[nodiscard]] auto is_managed() const noexcept -> bool {
    return listed_pool() == D3DPOOL_MANAGED;
  }

  byte_store store_;
  DWORD priority_ = 0;
};

class vertex_buffer final : public buffer_object<vertex_buffer, IDirect3DVertexBuffer9> {
 public:
  static constexpr const iid& name = iid_vertex_buffer;
  static constexpr auto type = D3DRTYPE_VERTEXBUFFER;
  using buffer_object::buffer_object;

  HRESULT APIENTRY GetDesc(D3DVERTEXBUFFER_DESC* description) override {
    if (description == nullptr) return D3DERR_INVALIDCALL;
    const auto& from = shape();
    *description = {D3DFMT_VERTEXDATA, type, from.usage, from.pool, from.width, from.vertex_format};
    return S_OK;
  }
};

class index_buffer final : public buffer_object<index_buffer, IDirect3DIndexBuffer9> {
 public:
  static constexpr const iid& name = iid_index_buffer;
  static constexpr auto type = D3DRTYPE_INDEXBUFFER;
  using buffer_object::buffer_object;

  HRESULT APIENTRY GetDesc(D3DINDEXBUFFER_DESC* description) override {
    if (description == nullptr) return D3DERR_INVALIDCALL;
    const auto& from = shape();
    *description = {from.format, type, from.usage, from.pool, from.width};
    return S_OK;
  }
};

}  // namespace aerogpu::d3d9
