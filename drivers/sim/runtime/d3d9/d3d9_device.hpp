// SPDX-License-Identifier: MIT
/// \file IDirect3DDevice9Ex, as far as tests need it: what the runtime makes of the API's calls.
///
/// Methods are named after the API's where they map one to one. Checks are those without which the
/// DDI would be called in a way that Windows never does; state is kept only where the runtime needs
/// it itself. One thread at a time, except `get_data` without a flush.
#pragma once

#include "drivers/sim/runtime/d3d9/d3d9_adapter.hpp"
#include "drivers/sim/runtime/d3d9/d3d9_chain.hpp"
#include "drivers/sim/runtime/ddi/ddi_device.hpp"
#include "drivers/sim/runtime/resource.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace aerogpu::sim {

/// A shader, a declaration: the driver's handle.
enum class driver_object : std::uintptr_t {};

struct d3d9_query {
  HANDLE driver = nullptr;
  D3DQUERYTYPE type = D3DQUERYTYPE_EVENT;
  bool was_flushed = false;  ///< GetData flushes once for each Issue.
};

class d3d9_device {
 public:
  explicit d3d9_device(d3d9_adapter& of);
  ~d3d9_device();
  d3d9_device(const d3d9_device&) = delete;
  auto operator=(const d3d9_device&) -> d3d9_device& = delete;

  // --- life (d3d9_device.cpp) ---
  /// CreateDeviceEx: the implicit swap chain, the automatic depth surface, all default states.
  [[nodiscard]] auto create(const D3DPRESENT_PARAMETERS& wanted) -> HRESULT;
  /// Of all resources in the default pool, about.
  [[nodiscard]] auto video_memory_bytes() const -> std::uint64_t;
  /// Everything that is left goes, then the driver's device.
  auto destroy() -> HRESULT;
  [[nodiscard]] auto reset_ex(const D3DPRESENT_PARAMETERS& wanted) -> HRESULT;
  /// After a loss: another device of the driver, as `create` makes it. Resources in system memory
  /// stay, with their content; all others, and whatever the driver made beside, are gone. When it
  /// fails there is no device, and everything else answers D3DERR_DEVICELOST.
  [[nodiscard]] auto recreate(const D3DPRESENT_PARAMETERS& wanted) -> HRESULT;
  [[nodiscard]] auto get_back_buffer(UINT index) const -> d3d9_surface {
    return implicit.back_buffer(index);
  }
  [[nodiscard]] auto auto_depth_stencil() -> d3d9_surface { return {depth_, 0}; }
  [[nodiscard]] auto parameters() const noexcept -> const D3DPRESENT_PARAMETERS& {
    return implicit.parameters();
  }

  // --- resources (d3d9_resources.cpp) ---
  /// Whatever a description says, unchecked but for its layout.
  /// `user_memory`: of a resource in system memory, instead of the runtime's.
  [[nodiscard]] auto create_resource(const resource_description& wanted, d3d9_resource*& made,
                                     void* user_memory = nullptr) -> HRESULT;
  /// Of a lost device: the driver has nothing of it, and `recreate` makes what is in system memory.
  [[nodiscard]] auto keep_resource(const resource_description& wanted, d3d9_resource*& made,
                                   void* user_memory) -> HRESULT;
  [[nodiscard]] auto create_texture(UINT width, UINT height, UINT levels, DWORD usage,
                                    D3DFORMAT format, D3DPOOL pool, d3d9_resource*& made)
      -> HRESULT;
  [[nodiscard]] auto create_cube_texture(UINT edge, UINT levels, DWORD usage, D3DFORMAT format,
                                         D3DPOOL pool, d3d9_resource*& made) -> HRESULT;
  [[nodiscard]] auto create_vertex_buffer(UINT bytes, DWORD usage, DWORD format, D3DPOOL pool,
                                          d3d9_resource*& made) -> HRESULT;
  [[nodiscard]] auto create_index_buffer(UINT bytes, DWORD usage, D3DFORMAT format, D3DPOOL pool,
                                         d3d9_resource*& made) -> HRESULT;
  [[nodiscard]] auto create_render_target(UINT width, UINT height, D3DFORMAT format,
                                          bool is_lockable, d3d9_resource*& made) -> HRESULT;
  [[nodiscard]] auto create_depth_stencil_surface(UINT width, UINT height, D3DFORMAT format,
                                                  d3d9_resource*& made) -> HRESULT;
  [[nodiscard]] auto create_offscreen_plain_surface(UINT width, UINT height, D3DFORMAT format,
                                                    D3DPOOL pool, d3d9_resource*& made) -> HRESULT;
  /// pSharedHandle of a new render target texture: `made->share` is its handle in this process.
  [[nodiscard]] auto create_shared_texture(UINT width, UINT height, DWORD usage, D3DFORMAT format,
                                           d3d9_resource*& made) -> HRESULT;
  /// pSharedHandle with a handle in it.
  [[nodiscard]] auto open_shared(D3DKMT_HANDLE share, d3d9_resource*& made) -> HRESULT;
  /// The last Release.
  auto release(d3d9_resource*& gone) -> HRESULT;

  // --- locks (d3d9_locks.cpp) ---
  [[nodiscard]] auto lock_rect(const d3d9_surface& surface, D3DLOCKED_RECT& locked,
                               const RECT* area, DWORD flags) -> HRESULT;
  auto unlock_rect(const d3d9_surface& surface) -> HRESULT;
  [[nodiscard]] auto lock(d3d9_resource& buffer, UINT offset, UINT size, void*& bytes, DWORD flags)
      -> HRESULT;
  auto unlock(d3d9_resource& buffer) -> HRESULT;
  void add_dirty_rect(d3d9_resource& texture, const RECT* area);

  // --- copies (d3d9_copies.cpp) ---
  [[nodiscard]] auto update_surface(const d3d9_surface& source, const RECT* area,
                                    const d3d9_surface& destination, const POINT* point) -> HRESULT;
  [[nodiscard]] auto update_texture(d3d9_resource& source, d3d9_resource& destination) -> HRESULT;
  /// Bytes of a buffer in system memory.
  [[nodiscard]] auto update_buffer(const d3d9_resource& source, UINT offset, UINT size,
                                   const d3d9_resource& destination, UINT to) -> HRESULT;
  [[nodiscard]] auto get_render_target_data(const d3d9_surface& source,
                                            const d3d9_surface& destination) -> HRESULT;
  [[nodiscard]] auto stretch_rect(const d3d9_surface& source, const RECT* source_area,
                                  const d3d9_surface& destination, const RECT* destination_area,
                                  D3DTEXTUREFILTERTYPE filter) -> HRESULT;
  [[nodiscard]] auto color_fill(const d3d9_surface& surface, const RECT* area, D3DCOLOR color)
      -> HRESULT;
  [[nodiscard]] auto generate_mip_sub_levels(d3d9_resource& texture, D3DTEXTUREFILTERTYPE filter)
      -> HRESULT;
  [[nodiscard]] auto set_priority(d3d9_resource& resource, UINT priority) -> HRESULT;
  [[nodiscard]] auto check_resource_residency(std::span<d3d9_resource* const> resources) -> HRESULT;

  // --- state (d3d9_state.cpp) ---
  auto begin_scene() -> HRESULT;
  auto end_scene() -> HRESULT;
  auto set_render_state(D3DRENDERSTATETYPE state, DWORD value) -> HRESULT;
  auto set_sampler_state(DWORD sampler, D3DSAMPLERSTATETYPE state, DWORD value) -> HRESULT;
  auto set_texture_stage_state(DWORD stage, D3DTEXTURESTAGESTATETYPE state, DWORD value) -> HRESULT;
  auto set_texture(DWORD stage, const d3d9_resource* texture) -> HRESULT;
  auto set_transform(D3DTRANSFORMSTATETYPE which, const D3DMATRIX& matrix) -> HRESULT;
  auto multiply_transform(D3DTRANSFORMSTATETYPE which, const D3DMATRIX& matrix) -> HRESULT;
  auto set_viewport(const D3DVIEWPORT9& viewport) -> HRESULT;
  auto set_scissor_rect(const RECT& area) -> HRESULT;
  auto set_material(const D3DMATERIAL9& material) -> HRESULT;
  auto set_light(DWORD index, const D3DLIGHT9& light) -> HRESULT;
  auto light_enable(DWORD index, bool is_enabled) -> HRESULT;
  auto set_clip_plane(DWORD index, const std::array<float, 4>& plane) -> HRESULT;
  auto set_render_target(DWORD index, const d3d9_surface& surface) -> HRESULT;
  /// As `set_render_target`, without the viewport and the scissor rectangle that follow target 0.
  auto bind_render_target(DWORD index, const d3d9_surface& surface) -> HRESULT;
  auto set_depth_stencil_surface(const d3d9_surface& surface) -> HRESULT;
  auto set_software_vertex_processing(bool is_enabled) -> HRESULT;
  auto set_npatch_mode(float segments) -> HRESULT;

  // --- shaders and vertices (d3d9_vertices.cpp) ---
  [[nodiscard]] auto create_vertex_shader(std::span<const UINT> code, driver_object& made)
      -> HRESULT;
  auto set_vertex_shader(driver_object shader) -> HRESULT;
  auto delete_vertex_shader(driver_object shader) -> HRESULT;
  [[nodiscard]] auto create_pixel_shader(std::span<const UINT> code, driver_object& made)
      -> HRESULT;
  auto set_pixel_shader(driver_object shader) -> HRESULT;
  auto delete_pixel_shader(driver_object shader) -> HRESULT;
  /// Four floats, four ints or one BOOL to a register.
  auto set_vertex_shader_constants(UINT first, std::span<const float> values) -> HRESULT;
  auto set_vertex_shader_constants(UINT first, std::span<const INT> values) -> HRESULT;
  auto set_vertex_shader_booleans(UINT first, std::span<const BOOL> values) -> HRESULT;
  auto set_pixel_shader_constants(UINT first, std::span<const float> values) -> HRESULT;
  auto set_pixel_shader_constants(UINT first, std::span<const INT> values) -> HRESULT;
  auto set_pixel_shader_booleans(UINT first, std::span<const BOOL> values) -> HRESULT;
  [[nodiscard]] auto create_vertex_declaration(const std::vector<D3DVERTEXELEMENT9>& elements,
                                               driver_object& made) -> HRESULT;
  auto set_vertex_declaration(driver_object declaration) -> HRESULT;
  auto delete_vertex_declaration(driver_object declaration) -> HRESULT;
  /// The declaration of a format is made once.
  auto set_fvf(DWORD format) -> HRESULT;
  auto set_stream_source(UINT stream, const d3d9_resource* buffer, UINT offset, UINT stride)
      -> HRESULT;
  auto set_stream_source_freq(UINT stream, UINT setting) -> HRESULT;
  auto set_indices(const d3d9_resource* buffer) -> HRESULT;

  // --- drawing (d3d9_draw.cpp) ---
  auto draw_primitive(D3DPRIMITIVETYPE type, UINT first_vertex, UINT count) -> HRESULT;
  auto draw_indexed_primitive(D3DPRIMITIVETYPE type, INT base_vertex, UINT least_index,
                              UINT vertices, UINT first_index, UINT count) -> HRESULT;
  auto draw_primitive_up(D3DPRIMITIVETYPE type, UINT count, std::span<const std::byte> vertices,
                         UINT stride) -> HRESULT;
  auto draw_indexed_primitive_up(D3DPRIMITIVETYPE type, UINT least_index, UINT vertex_count,
                                 UINT count, std::span<const std::byte> indices, D3DFORMAT format,
                                 std::span<const std::byte> vertices, UINT stride) -> HRESULT;
  auto clear(std::span<const D3DRECT> areas, DWORD flags, D3DCOLOR color, float depth,
             DWORD stencil) -> HRESULT;
  /// Four segments of a rectangle, three of a triangle; nullptr: those of the N-patch mode.
  auto draw_rect_patch(UINT handle, const float* segments, const D3DRECTPATCH_INFO* info)
      -> HRESULT;
  auto draw_tri_patch(UINT handle, const float* segments, const D3DTRIPATCH_INFO* info) -> HRESULT;
  auto delete_patch(UINT handle) -> HRESULT;
  [[nodiscard]] auto validate_device(UINT& passes) -> HRESULT;
  /// ID3D9DeviceEx has none: what GetData with a flush, and the end of a composed frame, do.
  auto flush() -> HRESULT;

  // --- queries (d3d9_draw.cpp) ---
  [[nodiscard]] auto create_query(D3DQUERYTYPE type, d3d9_query& made) -> HRESULT;
  auto issue(d3d9_query& query, DWORD flags) -> HRESULT;
  /// S_FALSE while there is no result. `data` may be empty.
  [[nodiscard]] auto get_data(d3d9_query& query, std::span<std::byte> data, DWORD flags) -> HRESULT;
  auto release(d3d9_query& gone) -> HRESULT;

  // --- presenting (d3d9_chain.cpp, d3d9_present.cpp) ---
  /// PresentEx of the implicit swap chain.
  [[nodiscard]] auto present_ex(DWORD flags = 0) -> HRESULT {
    return implicit.present({flags, nullptr, {}});
  }
  [[nodiscard]] auto present_to(const d3d9_surface& redirection) -> HRESULT {
    return implicit.present_to(redirection);
  }
  [[nodiscard]] auto set_maximum_frame_latency(UINT frames) -> HRESULT;
  [[nodiscard]] auto get_maximum_frame_latency(UINT& frames) -> HRESULT;
  [[nodiscard]] auto get_present_stats(D3DPRESENTSTATS& statistics) -> HRESULT;
  [[nodiscard]] auto get_last_present_count() const noexcept -> UINT { return implicit.presents(); }
  [[nodiscard]] auto check_device_state() -> HRESULT;
  [[nodiscard]] auto wait_for_vblank() -> HRESULT;
  [[nodiscard]] auto get_raster_status(D3DRASTER_STATUS& status) -> HRESULT;

  d3d9_adapter& adapter;
  ddi_device ddi;
  d3d9_chain implicit;
  window_place& window;  ///< The implicit chain's.

 private:
  friend class d3d9_chain;

  [[nodiscard]] auto create_chain(const D3DPRESENT_PARAMETERS& wanted) -> HRESULT;
  void destroy_chain();
  auto leave_driver() -> HRESULT;
  [[nodiscard]] auto make_resource(d3d9_resource& resource) -> HRESULT;
  void send_default_states();
  void bind_chain();
  [[nodiscard]] auto register_resource(std::unique_ptr<d3d9_resource> made) -> d3d9_resource*;
  [[nodiscard]] auto start_lock(d3d9_resource& resource, D3DDDIARG_LOCK& wanted, DWORD flags)
      -> HRESULT;
  [[nodiscard]] auto finish_lock(d3d9_resource& resource, UINT index) -> HRESULT;
  [[nodiscard]] auto blt(const d3d9_surface& source, const RECT& source_area,
                         const d3d9_surface& destination, const RECT& destination_area,
                         D3DDDI_BLTFLAGS flags) -> HRESULT;
  [[nodiscard]] auto has_present_room() -> bool;
  [[nodiscard]] auto desktop_changed() -> bool;
  /// The part of a windowed present that the desktop shows; nothing: all of it is beside.
  [[nodiscard]] auto clip_to_desktop(const picture_move& whole) -> std::optional<picture_move>;

  std::vector<std::unique_ptr<d3d9_resource>> resources_;
  d3d9_resource* depth_ = nullptr;
  std::array<d3d9_surface, 4> targets_{};
  std::map<DWORD, driver_object> formats_;  ///< Declarations of flexible vertex formats.
  std::map<DWORD, bool> lights_;            ///< Those that exist, and whether they shine.
  bool is_in_scene_ = false;
  UINT desktop_width_ = 0;
  UINT desktop_height_ = 0;
};

}  // namespace aerogpu::sim
