// SPDX-License-Identifier: MIT
/// \file One session of an application that uses every part of the driver, whatever fails on its
/// way.
#pragma once

#include "drivers/sim/runtime/d3d9/d3d9_device.hpp"
#include "tests/drivers/support/d3d9_application.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace aerogpu::test {

/// What one call answered.
struct script_step {
  const char* name;
  HRESULT result;
};

/// Runs on a device with its swap chain, any number of times; nothing of it is left afterwards.
/// After a failure it goes on with what it has, as an application does that looks at no result.
class session_script {
 public:
  explicit session_script(sim::d3d9_device& device) : device_(device) {}

  void run() {
    steps_.clear();
    create();
    write();
    draw();
    record_states();
    copy();
    share();
    ask();
    present();
    release();
  }
  [[nodiscard]] auto steps() const -> const std::vector<script_step>& { return steps_; }
  /// "draw: 0x8007000e" of each step that failed.
  [[nodiscard]] auto failures() const -> std::string {
    std::string text;
    for (const auto& step : steps_) {
      if (FAILED(step.result))
        text +=
            std::string{step.name} + ": " + sim::hexadecimal(static_cast<UINT>(step.result)) + "\n";
    }
    return text;
  }

 private:
  using entry = D3DDDI_DEVICEFUNCS;
  struct vertex {
    float x, y, z, rhw;
    D3DCOLOR color;
  };
  static constexpr DWORD screen_format = D3DFVF_XYZRHW | D3DFVF_DIFFUSE;
  static constexpr DWORD space_format = D3DFVF_XYZ | D3DFVF_DIFFUSE;
  static constexpr std::array<vertex, 4> quad{{{2, 2, 0, 1, 0xFFFF0000},
                                               {30, 2, 0, 1, 0xFF00FF00},
                                               {2, 28, 0, 1, 0xFF0000FF},
                                               {30, 28, 0, 1, 0xFFFFFFFF}}};
  static constexpr std::array<std::uint16_t, 6> order{0, 1, 2, 2, 1, 3};
  static constexpr std::array<UINT, 8> pass_position{
      0xFFFE0200, 0x0200001F, 0x80000000, 0x900F0000,  // vs_2_0, dcl_position v0
      0x02000001, 0xC00F0000, 0x90E40000, 0x0000FFFF};
  static constexpr std::array<UINT, 5> draw_constant{0xFFFF0200, 0x02000001, 0x800F0800, 0xA0E40000,
                                                     0x0000FFFF};
  static constexpr UINT edge = 16;

  auto note(const char* name, HRESULT result) -> bool {
    steps_.push_back({name, result});
    return SUCCEEDED(result);
  }

  void create() {
    note("vertices", device_.create_vertex_buffer(1024, D3DUSAGE_WRITEONLY, screen_format,
                                                  D3DPOOL_DEFAULT, vertices_));
    note("dynamic", device_.create_vertex_buffer(1024, D3DUSAGE_DYNAMIC | D3DUSAGE_WRITEONLY,
                                                 screen_format, D3DPOOL_DEFAULT, dynamic_));
    note("indices", device_.create_index_buffer(64, D3DUSAGE_WRITEONLY, D3DFMT_INDEX16,
                                                D3DPOOL_DEFAULT, indices_));
    note("target", device_.create_render_target(edge, edge, D3DFMT_X8R8G8B8, true, target_));
    note("texture",
         device_.create_texture(edge, edge, 0, D3DUSAGE_RENDERTARGET | D3DUSAGE_AUTOGENMIPMAP,
                                D3DFMT_X8R8G8B8, D3DPOOL_DEFAULT, texture_));
    note("staging",
         device_.create_texture(edge, edge, 1, 0, D3DFMT_X8R8G8B8, D3DPOOL_SYSTEMMEM, staging_));
    note("upload",
         device_.create_texture(edge, edge, 1, 0, D3DFMT_X8R8G8B8, D3DPOOL_DEFAULT, sampled_));
    note("cube", device_.create_cube_texture(8, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, cube_));
    note("depth", device_.create_depth_stencil_surface(64, 32, D3DFMT_D24S8, depth_));
    note("memory", device_.create_offscreen_plain_surface(edge, edge, D3DFMT_X8R8G8B8,
                                                          D3DPOOL_SYSTEMMEM, memory_));
    note("vertex shader", device_.create_vertex_shader(pass_position, vertex_shader_));
    note("pixel shader", device_.create_pixel_shader(draw_constant, pixel_shader_));
    note("declaration",
         device_.create_vertex_declaration(
             {{0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0}, {0xFF, 0, 17, 0, 0, 0}},
             declaration_));
    note("query", device_.create_query(D3DQUERYTYPE_EVENT, query_));
  }

  void write_buffer(sim::d3d9_resource* buffer, const_bytes bytes, UINT offset, DWORD flags) {
    void* memory = nullptr;
    if (buffer == nullptr ||
        !note("lock",
              device_.lock(*buffer, offset, static_cast<UINT>(bytes.size()), memory, flags)))
      return;
    std::memcpy(memory, bytes.data(), bytes.size());
    note("unlock", device_.unlock(*buffer));
  }
  void write_surface(sim::d3d9_resource* resource, int value) {
    D3DLOCKED_RECT locked{};
    if (resource == nullptr ||
        !note("lock_rect", device_.lock_rect({resource, 0}, locked, nullptr, 0)))
      return;
    for (UINT row = 0; row < edge; ++row) {
      std::memset(
          static_cast<std::byte*>(locked.pBits) + static_cast<std::ptrdiff_t>(row) * locked.Pitch,
          value + static_cast<int>(row), edge * 4);
    }
    note("unlock_rect", device_.unlock_rect({resource, 0}));
  }
  void write() {
    const const_bytes bytes = std::as_bytes(std::span{quad});
    write_buffer(vertices_, bytes, 0, 0);
    write_buffer(indices_, std::as_bytes(std::span{order}), 0, 0);
    write_surface(target_, 0x10);
    write_surface(staging_, 0x40);
    write_surface(sampled_ == nullptr ? nullptr : memory_, 0x70);
  }

  void draw() {
    note("light", device_.set_render_state(D3DRS_LIGHTING, 0));
    if (depth_ != nullptr) note("set depth", device_.set_depth_stencil_surface({depth_, 0}));
    note("clear", device_.clear({}, D3DCLEAR_TARGET, 0xFF204060, 1, 0));
    constexpr std::array<D3DRECT, 2> parts{{{0, 0, 8, 8}, {16, 8, 40, 20}}};
    note("clear parts", device_.clear(parts, D3DCLEAR_TARGET, 0xFF806040, 1, 0));
    note("format", device_.set_fvf(screen_format));
    note("texture 0", device_.set_texture(0, sampled_));
    note("draw up", device_.draw_primitive_up(D3DPT_TRIANGLESTRIP, 2,
                                              std::as_bytes(std::span{quad}), sizeof quad[0]));
    note("draw fan", device_.draw_primitive_up(D3DPT_TRIANGLEFAN, 2, std::as_bytes(std::span{quad}),
                                               sizeof quad[0]));
    note("draw indexed up", device_.draw_indexed_primitive_up(
                                D3DPT_TRIANGLELIST, 0, 4, 2, std::as_bytes(std::span{order}),
                                D3DFMT_INDEX16, std::as_bytes(std::span{quad}), sizeof quad[0]));
    if (vertices_ != nullptr && indices_ != nullptr) {
      note("stream", device_.set_stream_source(0, vertices_, 0, sizeof quad[0]));
      note("set indices", device_.set_indices(indices_));
      note("draw", device_.draw_primitive(D3DPT_TRIANGLESTRIP, 0, 2));
      note("draw indexed", device_.draw_indexed_primitive(D3DPT_TRIANGLELIST, 0, 0, 4, 0, 2));
    }
    draw_dynamic();
    draw_with_shaders();
    note("no texture", device_.set_texture(0, nullptr));
    note("no stream", device_.set_stream_source(0, nullptr, 0, 0));
    note("no indices", device_.set_indices(nullptr));
  }
  void draw_dynamic() {
    if (dynamic_ == nullptr) return;
    note("dynamic stream", device_.set_stream_source(0, dynamic_, 0, sizeof quad[0]));
    for (UINT frame = 0; frame < 4; ++frame) {
      const bool appends = frame % 2 == 1;
      write_buffer(dynamic_, std::as_bytes(std::span{quad}), appends ? sizeof quad : 0,
                   appends ? D3DLOCK_NOOVERWRITE : D3DLOCK_DISCARD);
      note("draw dynamic", device_.draw_primitive(D3DPT_TRIANGLESTRIP, appends ? 4 : 0, 2));
    }
  }
  void draw_with_shaders() {
    constexpr std::array<float, 4> color{0, 1, 0, 1};
    // Sixteen points, as many as a patch has.
    std::array<std::array<float, 4>, 16> points{};
    for (std::size_t i = 0; i < points.size(); ++i) {
      points[i] = {static_cast<float>(i % 4) / 4, static_cast<float>(i / 4) / 4, 0, 0};
    }
    write_buffer(vertices_, std::as_bytes(std::span{points}), 0, 0);
    if (vertices_ != nullptr)
      note("points", device_.set_stream_source(0, vertices_, 0, sizeof points[0]));
    note("space format", device_.set_fvf(space_format));
    constexpr std::array<float, 4> segments{3, 3, 3, 3};
    const D3DRECTPATCH_INFO patch{0, 0, 4, 4, 4, D3DBASIS_BEZIER, D3DDEGREE_CUBIC};
    if (vertices_ != nullptr) {
      note("patch", device_.draw_rect_patch(5, segments.data(), &patch));
      note("delete patch", device_.delete_patch(5));
    }
    if (vertex_shader_ == sim::driver_object{} || pixel_shader_ == sim::driver_object{}) return;
    if (declaration_ == sim::driver_object{}) return;
    note("set vertex shader", device_.set_vertex_shader(vertex_shader_));
    note("set pixel shader", device_.set_pixel_shader(pixel_shader_));
    note("set declaration", device_.set_vertex_declaration(declaration_));
    note("constants", device_.set_pixel_shader_constants(0, std::span{color}));
    note("draw shaded", device_.draw_primitive_up(D3DPT_TRIANGLELIST, 1,
                                                  std::as_bytes(std::span{points}).first(48), 16));
    note("no vertex shader", device_.set_vertex_shader({}));
    note("no pixel shader", device_.set_pixel_shader({}));
  }

  auto state_set(UINT operation, HANDLE& of) -> HRESULT {
    D3DDDIARG_STATESET wanted{operation, D3DSBT_ALL, of};
    const HRESULT result =
        device_.ddi.ask<&entry::pfnStateSet>(wanted, &D3DDDIARG_STATESET::hStateSet);
    of = wanted.hStateSet;
    return result;
  }
  void record_states() {
    HANDLE all = nullptr;
    const bool is_created = note("state block", state_set(D3DHAL_STATESETCREATE, all));
    HANDLE recorded = nullptr;
    const bool has_begun = note("begin block", state_set(D3DHAL_STATESETBEGIN, recorded));
    note("state", device_.set_render_state(D3DRS_ALPHAREF, 9));
    note("block texture", device_.set_texture(1, sampled_));
    constexpr std::array<float, 8> values{1, 2, 3, 4, 5, 6, 7, 8};
    note("block constants", device_.set_vertex_shader_constants(3, std::span{values}));
    const bool has_ended = has_begun && note("end block", state_set(D3DHAL_STATESETEND, recorded));
    if (has_ended) {
      note("capture", state_set(D3DHAL_STATESETCAPTURE, recorded));
      note("apply", state_set(D3DHAL_STATESETEXECUTE, recorded));
      note("delete block", state_set(D3DHAL_STATESETDELETE, recorded));
    }
    if (is_created) {
      note("apply all", state_set(D3DHAL_STATESETEXECUTE, all));
      note("delete all", state_set(D3DHAL_STATESETDELETE, all));
    }
    note("no block texture", device_.set_texture(1, nullptr));
  }

  void copy() {
    const auto back = device_.get_back_buffer(0);
    constexpr RECT part{2, 2, 10, 9};
    if (staging_ != nullptr && sampled_ != nullptr)
      note("update texture", device_.update_texture(*staging_, *sampled_));
    if (memory_ != nullptr && sampled_ != nullptr)
      note("update surface", device_.update_surface({memory_, 0}, &part, {sampled_, 0}, nullptr));
    if (target_ != nullptr) {
      note("fill", device_.color_fill({target_, 0}, &part, 0xFF112233));
      note("stretch", device_.stretch_rect({target_, 0}, nullptr, back, &part, D3DTEXF_LINEAR));
    }
    if (texture_ != nullptr) {
      note("stretch down",
           device_.stretch_rect(back, nullptr, {texture_, 0}, nullptr, D3DTEXF_POINT));
      note("mips", device_.generate_mip_sub_levels(*texture_, D3DTEXF_LINEAR));
    }
    if (target_ != nullptr && memory_ != nullptr)
      note("read", device_.get_render_target_data({target_, 0}, {memory_, 0}));
    write_surface(target_, 0x20);  // What the host drew comes back first.
  }
  void share() {
    sim::d3d9_resource *made = nullptr, *opened = nullptr;
    note("shared",
         device_.create_shared_texture(edge, edge, D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8, made));
    if (made != nullptr && note("open", device_.open_shared(made->share, opened)))
      note("fill opened", device_.color_fill({opened, 0}, nullptr, 0xFF445566));
    if (opened != nullptr) note("release opened", device_.release(opened));
    if (made != nullptr) note("release shared", device_.release(made));
  }
  void ask() {
    UINT passes = 0;
    note("validate", device_.validate_device(passes));
    if (query_.driver == nullptr) return;
    note("issue", device_.issue(query_, D3DISSUE_END));
    BOOL is_done = 0;
    note("get data", device_.get_data(query_, std::as_writable_bytes(std::span{&is_done, 1}),
                                      D3DGETDATA_FLUSH));
  }
  void present() {
    for (int frame = 0; frame < 2; ++frame) {
      note("frame", device_.clear({}, D3DCLEAR_TARGET, 0xFF00FF00, 1, 0));
      note("present", device_.present_ex());
    }
  }
  void release() {
    note("no depth", device_.set_depth_stencil_surface({}));
    for (sim::d3d9_resource** one : {&vertices_, &dynamic_, &indices_, &target_, &texture_,
                                     &staging_, &sampled_, &cube_, &depth_, &memory_}) {
      if (*one != nullptr) note("release", device_.release(*one));
    }
    if (vertex_shader_ != sim::driver_object{})
      note("delete vertex shader", device_.delete_vertex_shader(vertex_shader_));
    if (pixel_shader_ != sim::driver_object{})
      note("delete pixel shader", device_.delete_pixel_shader(pixel_shader_));
    note("format", device_.set_fvf(screen_format));
    if (declaration_ != sim::driver_object{})
      note("delete declaration", device_.delete_vertex_declaration(declaration_));
    vertex_shader_ = pixel_shader_ = declaration_ = {};
    if (query_.driver != nullptr) note("release query", device_.release(query_));
  }

  sim::d3d9_device& device_;
  std::vector<script_step> steps_;
  sim::d3d9_resource *vertices_ = nullptr, *dynamic_ = nullptr, *indices_ = nullptr;
  sim::d3d9_resource *target_ = nullptr, *texture_ = nullptr, *staging_ = nullptr;
  sim::d3d9_resource *sampled_ = nullptr, *cube_ = nullptr, *depth_ = nullptr, *memory_ = nullptr;
  sim::driver_object vertex_shader_{}, pixel_shader_{}, declaration_{};
  sim::d3d9_query query_;
};

}  // namespace aerogpu::test
