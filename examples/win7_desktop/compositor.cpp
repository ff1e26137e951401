// SPDX-License-Identifier: MIT
#include "compositor.hpp"

#include "decorations.hpp"
#include "tools/aerogpu/terminal/console.hpp"

#include <array>
#include <cstring>
#include <span>

namespace win7_desktop {

using namespace aerogpu;

namespace {

/// XYZRHW and one texture coordinate.
struct texel_vertex {
  float x, y, z, rhw, u, v;
};
constexpr DWORD texel_format = D3DFVF_XYZRHW | (1u << D3DFVF_TEXCOUNT_SHIFT);

[[nodiscard]] auto quad_at(int left, int top, UINT width, UINT height)
    -> std::array<texel_vertex, 4> {
  const float x = static_cast<float>(left) - 0.5F, y = static_cast<float>(top) - 0.5F;
  const float right = x + static_cast<float>(width), bottom = y + static_cast<float>(height);
  return {{{x, y, 0, 1, 0, 0},
           {right, y, 0, 1, 1, 0},
           {x, bottom, 0, 1, 0, 1},
           {right, bottom, 0, 1, 1, 1}}};
}

[[nodiscard]] auto full_screen(int width, int height) -> D3DPRESENT_PARAMETERS {
  D3DPRESENT_PARAMETERS wanted{};
  wanted.BackBufferWidth = static_cast<UINT>(width);
  wanted.BackBufferHeight = static_cast<UINT>(height);
  wanted.BackBufferFormat = D3DFMT_X8R8G8B8;
  wanted.BackBufferCount = 2;
  wanted.SwapEffect = D3DSWAPEFFECT_FLIP;
  wanted.Windowed = 0;
  return wanted;
}

constexpr std::string_view name = "compositor";

}  // namespace

compositor::compositor(stack& on, journal& log, std::uint32_t process,
                       const desktop::glyph_atlas& font)
    : stack_(on), log_(log), font_(font), process_(on.runtime, process), adapter_(process_) {}

auto compositor::start(int width, int height) -> bool {
  if (!log_.check(adapter_.open(), "OpenAdapter")) return false;
  device_.emplace(adapter_);
  return log_.check(device_->create(full_screen(width, height)), "CreateDeviceEx") &&
         create_pictures(width, height);
}

auto compositor::stop() -> bool {
  windows_.clear();
  const bool is_over = log_.check(device_->destroy(), "the device's Release");
  wallpaper_ = taskbar_ = nullptr;
  device_.reset();
  return is_over && log_.check(adapter_.close(), "CloseAdapter");
}

auto compositor::change_mode(int width, int height) -> bool {
  return log_.check(device_->reset_ex(full_screen(width, height)), "ResetEx") &&
         create_pictures(width, height);
}

auto compositor::create_pictures(int width, int height) -> bool {
  wallpaper_picture_ = make_wallpaper(width, height);
  return replace(wallpaper_picture_, wallpaper_);
}

auto compositor::set_status(const std::string& text) -> bool {
  std::vector<std::string> titles;
  for (const window& one : windows_) titles.push_back(one.owner->content().title());
  taskbar_picture_ = make_taskbar(font_, wallpaper_picture_.width(), titles, text);
  return replace(taskbar_picture_, taskbar_);
}

auto compositor::replace(const canvas& picture, sim::d3d9_resource*& texture) -> bool {
  if (texture != nullptr && !log_.check(device_->release(texture), "a texture's Release"))
    return false;
  return upload(picture, texture);
}

/// By way of system memory and UpdateTexture.
auto compositor::upload(const canvas& picture, sim::d3d9_resource*& made) -> bool {
  const auto width = static_cast<UINT>(picture.width());
  const auto height = static_cast<UINT>(picture.height());
  sim::d3d9_resource* staging = nullptr;
  D3DLOCKED_RECT locked{};
  const bool is_locked =
      log_.check(
          device_->create_texture(width, height, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, staging),
          "CreateTexture") &&
      log_.check(
          device_->create_texture(width, height, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, made),
          "CreateTexture") &&
      log_.check(device_->lock_rect({staging, 0}, locked, nullptr, 0), "LockRect");
  if (!is_locked) return false;
  for (int y = 0; y < picture.height(); ++y) {
    std::memcpy(static_cast<std::byte*>(locked.pBits) + std::ptrdiff_t{y} * locked.Pitch,
                picture.row(y), sizeof(color) * width);
  }
  return log_.check(device_->unlock_rect({staging, 0}), "UnlockRect") &&
         log_.check(device_->update_texture(*staging, *made), "UpdateTexture") &&
         log_.check(device_->release(staging), "a texture's Release");
}

auto compositor::add_window(application& owner, int left, int top) -> bool {
  window added{&owner, left, top, nullptr, nullptr, {}};
  added.frame_picture = make_frame(font_, content_width, content_height, owner.content().title(),
                                   owner.content().tint());
  const bool is_made = upload(added.frame_picture, added.frame) &&
                       log_.check(device_->create_shared_texture(content_width, content_height,
                                                                 D3DUSAGE_RENDERTARGET,
                                                                 D3DFMT_X8R8G8B8, added.surface),
                                  "CreateTexture with a share handle");
  if (!is_made) return false;
  const auto share = process_.duplicate_share(added.surface->share, owner.process());
  const bool is_open = owner.open_redirection(share);
  owner.process().close_share(share);
  windows_.push_back(std::move(added));
  log_.line(name, stack_.session().scheduler.last_fence(), 0,
            "shares a " + tool::decimal(content_width) + "x" + tool::decimal(content_height) +
                " surface with '" + owner.content().title() + "'");
  return is_open;
}

void compositor::move_window(std::size_t index, int left, int top) {
  windows_[index].left = left;
  windows_[index].top = top;
}

auto compositor::draw(sim::d3d9_resource* texture, int left, int top, bool is_blended) -> bool {
  const auto quad = quad_at(left, top, texture->description.width, texture->description.height);
  return log_.check(device_->set_render_state(D3DRS_ALPHABLENDENABLE, is_blended ? 1 : 0),
                    "SetRenderState") &&
         log_.check(device_->set_texture(0, texture), "SetTexture") &&
         log_.check(
             device_->draw_primitive_up(D3DPT_TRIANGLESTRIP, 2, std::as_bytes(std::span{quad}),
                                        sizeof(texel_vertex)),
             "DrawPrimitiveUP");
}

auto compositor::compose() -> bool {
  const std::array<std::pair<D3DRENDERSTATETYPE, DWORD>, 4> states{
      {{D3DRS_LIGHTING, 0},
       {D3DRS_CULLMODE, D3DCULL_NONE},
       {D3DRS_SRCBLEND, D3DBLEND_SRCALPHA},
       {D3DRS_DESTBLEND, D3DBLEND_INVSRCALPHA}}};
  for (const auto& [state, value] : states) {
    if (!log_.check(device_->set_render_state(state, value), "SetRenderState")) return false;
  }
  const bool is_ready =
      log_.check(device_->clear({}, D3DCLEAR_TARGET, 0xFF000000, 1, 0), "Clear") &&
      log_.check(device_->set_fvf(texel_format), "SetFVF") &&
      log_.check(device_->set_texture_stage_state(0, D3DTSS_COLOROP, D3DTOP_SELECTARG1),
                 "SetTextureStageState") &&
      log_.check(device_->set_texture_stage_state(0, D3DTSS_ALPHAOP, D3DTOP_SELECTARG1),
                 "SetTextureStageState") &&
      draw(wallpaper_, 0, 0, false);
  if (!is_ready) return false;
  for (const window& one : windows_) {
    if (!draw(one.frame, one.left - content_left, one.top - content_top, true) ||
        !draw(one.surface, one.left, one.top, false)) {
      return false;
    }
  }
  return draw(taskbar_, 0, wallpaper_picture_.height() - taskbar_height, true);
}

auto compositor::expected() const -> canvas {
  canvas made = wallpaper_picture_;
  for (const window& one : windows_) {
    made.blend(one.frame_picture, one.left - content_left, one.top - content_top);
    made.blend(one.owner->content().expected(one.owner->turn), one.left, one.top);
  }
  made.blend(taskbar_picture_, 0, made.height() - taskbar_height);
  return made;
}

auto compositor::present() -> bool {
  const auto before = log_.now_ns();
  const HRESULT presented = device_->present_ex();
  D3DPRESENTSTATS seen{};
  if (!log_.check(presented, "PresentEx") ||
      !log_.check(device_->get_present_stats(seen), "GetPresentStats")) {
    return false;
  }
  const UINT queued = device_->get_last_present_count() - seen.PresentCount;
  log_.line(name, stack_.session().scheduler.last_fence(), log_.now_ns() - before,
            "PresentEx " + tool::decimal(device_->get_last_present_count()) + ", " +
                tool::decimal(queued) + " on the way, vblank " +
                tool::decimal(seen.SyncRefreshCount));
  return true;
}

auto compositor::wait_for_vblank() -> bool {
  return log_.check(device_->wait_for_vblank(), "WaitForVBlank");
}

auto compositor::wait_until_shown() -> bool {
  constexpr int most_vblanks = 60;
  for (int i = 0; i < most_vblanks; ++i) {
    D3DPRESENTSTATS seen{};
    if (!log_.check(device_->get_present_stats(seen), "GetPresentStats")) return false;
    if (seen.PresentCount == device_->get_last_present_count()) return true;
    if (!wait_for_vblank()) return false;
  }
  return log_.fail("a frame is not on the screen after 60 vertical blanks");
}

auto compositor::check_state(HRESULT wanted) -> bool {
  const HRESULT seen = device_->check_device_state();
  log_.line(name, stack_.session().scheduler.last_fence(), 0, "CheckDeviceState: " + name_of(seen));
  return log_.check(seen, "the compositor's CheckDeviceState", wanted);
}

}  // namespace win7_desktop
