// SPDX-License-Identifier: MIT
// The user-mode driver with one device, on callbacks that do no more than a driver needs, and what
// its draws need.
#pragma once

#include "aerogpu/core/check.hpp"
#include "aerogpu/memory/umd_private_data.hpp"
#include "drivers/win7/umd/d3d9/core/os_native.hpp"
#include "drivers/win7/umd/d3d9/front_m/device_handle.hpp"
#include "drivers/win7/umd/d3d9/front_m/open_adapter.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace aerogpu::bench {

/// What a device's mutex is: biased to the thread that uses it, or plain, as of a device that
/// several threads use.
enum class mutex_kind { biased, plain };

/// The driver's log is not measured.
class quiet_system final : public umd::os::native_system {
 public:
  explicit quiet_system(mutex_kind of_devices = mutex_kind::biased) noexcept
      : of_devices_(of_devices), before_(umd::os::install(this)) {}
  ~quiet_system() { umd::os::install(before_); }
  void write_log(std::string_view) noexcept override {}
  auto has_process_barrier() noexcept -> bool override {
    return of_devices_ == mutex_kind::biased && umd::os::linux_has_process_barrier();
  }

 private:
  mutex_kind of_devices_;
  umd::os::native_system* before_;
};

inline void good(HRESULT result) {
  AEROGPU_CHECK(result == S_OK);
}

/// A runtime that lends the same buffers again and finds every allocation idle.
class cheap_callbacks {
 public:
  explicit cheap_callbacks(std::uint32_t command_bytes) : commands_(command_bytes), list_(4096) {
    adapter.pfnQueryAdapterInfoCb = query_adapter_info;
    device.pfnAllocateCb = allocate;
    device.pfnDeallocateCb = [](HANDLE, const D3DDDICB_DEALLOCATE*) -> HRESULT { return S_OK; };
    device.pfnPresentCb = [](HANDLE, D3DDDICB_PRESENT*) -> HRESULT { return S_OK; };
    device.pfnRenderCb = render;
    device.pfnLockCb = lock;
    device.pfnUnlockCb = [](HANDLE, const D3DDDICB_UNLOCK*) -> HRESULT { return S_OK; };
    device.pfnCreateContextCb = create_context;
    device.pfnDestroyContextCb = [](HANDLE, const D3DDDICB_DESTROYCONTEXT*) -> HRESULT {
      return S_OK;
    };
  }
  cheap_callbacks(const cheap_callbacks&) = delete;
  auto operator=(const cheap_callbacks&) -> cheap_callbacks& = delete;

  D3DDDI_ADAPTERCALLBACKS adapter{};
  D3DDDI_DEVICECALLBACKS device{};
  std::uint32_t last_bytes = 0;  ///< Of the last submission.

 private:
  static auto of(HANDLE handle) -> cheap_callbacks& {
    return *static_cast<cheap_callbacks*>(handle);
  }
  static auto APIENTRY query_adapter_info(HANDLE, const D3DDDICB_QUERYADAPTERINFO* query)
      -> HRESULT {
    const auto blob = make_umd_private(
        {AEROGPU_UMDPRIV_MMIO_MAGIC_NEW_AGPU, AEROGPU_ABI_VERSION_U32, 0x3F, true});
    const mutable_bytes out{static_cast<std::byte*>(query->pPrivateDriverData),
                            query->PrivateDriverDataSize};
    return write_umd_private(out, blob) ? S_OK : E_INVALIDARG;
  }
  static auto APIENTRY create_context(HANDLE handle, D3DDDICB_CREATECONTEXT* context) -> HRESULT {
    cheap_callbacks& self = of(handle);
    context->hContext = &self;
    context->pCommandBuffer = self.commands_.data();
    context->CommandBufferSize = static_cast<UINT>(self.commands_.size());
    context->pAllocationList = self.list_.data();
    context->AllocationListSize = static_cast<UINT>(self.list_.size());
    return S_OK;
  }
  static auto APIENTRY render(HANDLE handle, D3DDDICB_RENDER* render) -> HRESULT {
    of(handle).last_bytes = render->CommandLength;
    return S_OK;
  }
  static auto APIENTRY allocate(HANDLE handle, D3DDDICB_ALLOCATE* wanted) -> HRESULT {
    wanted->pAllocationInfo->hAllocation = of(handle).last_allocation_ += 0x40;
    return S_OK;
  }
  static auto APIENTRY lock(HANDLE handle, D3DDDICB_LOCK* lock) -> HRESULT {
    lock->pData = of(handle).memory_.data();
    return S_OK;
  }

  std::vector<std::byte> commands_;
  std::vector<D3DDDI_ALLOCATIONLIST> list_;
  std::vector<std::byte> memory_ = std::vector<std::byte>(1u << 20);  ///< Of each allocation.
  D3DKMT_HANDLE last_allocation_ = 0x40000000;
};

/// vs_2_0 that moves v0 to oPos, ps_2_0 that is white.
inline constexpr std::array<UINT, 8> plain_vertex_shader{
    0xFFFE0200, 0x0200001F, 0x80000000, 0x900F0000, 0x02000001, 0xC00F0000, 0x90E40000, 0x0000FFFF};
inline constexpr std::array<UINT, 11> plain_pixel_shader{
    0xFFFF0200, 0x05000051, 0xA00F0000, 0x3F800000, 0x3F800000, 0x3F800000,
    0x3F800000, 0x02000001, 0x800F0800, 0xA0E40000, 0x0000FFFF};

/// A device of the driver, ready for draws: a render target, and a declaration of a position.
class user_driver_guest {
 public:
  explicit user_driver_guest(std::uint32_t command_bytes, mutex_kind mutex = mutex_kind::biased)
      : callbacks(command_bytes), system_(mutex) {
    D3DDDIARG_OPENADAPTER open{};
    open.hAdapter = &callbacks;
    open.Interface = 9;
    open.Version = 0x0001'0001;
    open.pAdapterCallbacks = &callbacks.adapter;
    open.pAdapterFuncs = &adapter_;
    good(umd::front_m::open_adapter(&open));
    adapter_handle_ = open.hAdapter;
    D3DDDIARG_CREATEDEVICE create{};
    create.hDevice = &callbacks;
    create.Interface = 9;
    create.Version = 0x0001'0001;
    create.pCallbacks = &callbacks.device;
    create.pDeviceFuncs = &call;
    good(adapter_.pfnCreateDevice(adapter_handle_, &create));
    device = create.hDevice;
    bind_target();
    bind_declaration();
    flush();
  }
  ~user_driver_guest() {
    good(call.pfnDestroyDevice(device));
    good(adapter_.pfnCloseAdapter(adapter_handle_));
  }
  user_driver_guest(const user_driver_guest&) = delete;
  auto operator=(const user_driver_guest&) -> user_driver_guest& = delete;

  [[nodiscard]] auto core() -> umd::device& { return *umd::front_m::to_device(device); }
  void flush() { good(call.pfnFlush(device)); }

  [[nodiscard]] auto create_texture() -> HANDLE {
    D3DDDI_RESOURCEFLAGS flags{};
    flags.Texture = 1;
    return create(D3DFMT_A8R8G8B8, 64, 64, flags);
  }
  [[nodiscard]] auto create_vertex_buffer(UINT bytes, bool is_dynamic = false) -> HANDLE {
    D3DDDI_RESOURCEFLAGS flags{};
    flags.VertexBuffer = 1;
    flags.Dynamic = is_dynamic ? 1 : 0;
    flags.WriteOnly = is_dynamic ? 1 : 0;
    return create(D3DFMT_VERTEXDATA, bytes, 1, flags);
  }
  [[nodiscard]] auto create_vertex_shader() -> HANDLE {
    D3DDDIARG_CREATEVERTEXSHADERFUNC wanted{};
    wanted.Size = sizeof plain_vertex_shader;
    good(call.pfnCreateVertexShaderFunc(device, &wanted, plain_vertex_shader.data()));
    return wanted.ShaderHandle;
  }
  [[nodiscard]] auto create_pixel_shader() -> HANDLE {
    D3DDDIARG_CREATEPIXELSHADER wanted{};
    wanted.CodeSize = sizeof plain_pixel_shader;
    good(call.pfnCreatePixelShader(device, &wanted, plain_pixel_shader.data()));
    return wanted.ShaderHandle;
  }
  void bind_shaders() {
    good(call.pfnSetVertexShaderFunc(device, create_vertex_shader()));
    good(call.pfnSetPixelShader(device, create_pixel_shader()));
  }
  void bind_vertices(HANDLE buffer) {
    const D3DDDIARG_SETSTREAMSOURCE source{0, buffer, 0, vertex_bytes};
    good(call.pfnSetStreamSource(device, &source));
  }
  void draw() {
    const D3DDDIARG_DRAWPRIMITIVE triangle{D3DPT_TRIANGLELIST, 0, 1};
    good(call.pfnDrawPrimitive(device, &triangle, nullptr));
  }

  static constexpr UINT vertex_bytes = 12;

  cheap_callbacks callbacks;
  D3DDDI_DEVICEFUNCS call{};
  HANDLE device = nullptr;

 private:
  [[nodiscard]] auto create(D3DFORMAT format, UINT width, UINT height, D3DDDI_RESOURCEFLAGS flags)
      -> HANDLE {
    const D3DDDI_SURFACEINFO surface{width, height, 1, nullptr, 0, 0};
    D3DDDIARG_CREATERESOURCE wanted{};
    wanted.Format = static_cast<D3DDDIFORMAT>(format);
    wanted.Pool = D3DDDIPOOL_VIDEOMEMORY;
    wanted.MipLevels = 1;
    wanted.Rotation = D3DDDI_ROTATION_IDENTITY;
    wanted.Flags = flags;
    wanted.pSurfList = &surface;
    wanted.SurfCount = 1;
    good(call.pfnCreateResource(device, &wanted));
    return wanted.hResource;
  }
  /// Lockable, so that each submission lists it.
  void bind_target() {
    D3DDDI_RESOURCEFLAGS flags{};
    flags.RenderTarget = 1;
    D3DDDIARG_SETRENDERTARGET target{};
    target.hRenderTarget = create(D3DFMT_A8R8G8B8, 64, 64, flags);
    good(call.pfnSetRenderTarget(device, &target));
  }
  void bind_declaration() {
    const std::array<D3DDDIVERTEXELEMENT, 2> elements{
        {{0, 0, D3DDECLTYPE_FLOAT3, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_POSITION, 0},
         {0xFF, 0, D3DDECLTYPE_UNUSED, 0, 0, 0}}};
    D3DDDIARG_CREATEVERTEXSHADERDECL wanted{};
    wanted.NumVertexElements = static_cast<UINT>(elements.size());
    good(call.pfnCreateVertexShaderDecl(device, &wanted, elements.data()));
    good(call.pfnSetVertexShaderDecl(device, wanted.ShaderHandle));
  }

  quiet_system system_;
  D3DDDI_ADAPTERFUNCS adapter_{};
  HANDLE adapter_handle_ = nullptr;
};

}  // namespace aerogpu::bench
