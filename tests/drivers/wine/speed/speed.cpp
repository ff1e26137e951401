// SPDX-License-Identifier: MIT
// A Direct3D 9 program whose frames are counted in processor time: SCENE FRAMES.
//
// Its output is for wine_speed.py: "ready" when the scene has run some frames, "done" after FRAMES
// more; it reads a line from its standard input after each.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <d3d9.h>
#include <memory>
#include <string_view>
#include <vector>
#include <windows.h>

namespace {

constexpr UINT width = 1024, height = 768;
constexpr int warm_up_frames = 30;

struct release {
  void operator()(IUnknown* object) const { object->Release(); }
};
template <class T>
using com = std::unique_ptr<T, release>;

void check(HRESULT result, const char* what) {
  if (SUCCEEDED(result)) return;
  std::fprintf(stderr, "speed: %s: 0x%08lx\n", what, static_cast<unsigned long>(result));
  std::exit(1);
}

/// An object that a method returns through its last argument.
template <class T, class Call>
auto made(const char* what, Call call) -> com<T> {
  T* object = nullptr;
  check(call(&object), what);
  return com<T>{object};
}

struct vertex {
  float x, y, z, u, v;
};
constexpr DWORD vertex_format = D3DFVF_XYZ | D3DFVF_TEX1;

// vs_2_0: dcl_position v0; dcl_texcoord v1; add oPos, v0, c0; mov r0, c1; mul oD0, r0, c2;
// add oT0, v1, c3.
constexpr DWORD vertex_shader[] = {
    0xfffe0200, 0x0200001f, 0x80000000, 0x900f0000, 0x0200001f, 0x80000005, 0x900f0001, 0x03000002,
    0xc00f0000, 0x90e40000, 0xa0e40000, 0x02000001, 0x800f0000, 0xa0e40001, 0x03000005, 0xd00f0000,
    0x80e40000, 0xa0e40002, 0x03000002, 0xe00f0000, 0x90e40001, 0xa0e40003, 0x0000ffff};
// ps_2_0: dcl v0; dcl t0.xy; dcl_2d s0; texld r0, t0, s0; mul r0, r0, v0; mov oC0, r0.
constexpr DWORD pixel_shader[] = {
    0xffff0200, 0x0200001f, 0x80000000, 0x900f0000, 0x0200001f, 0x80000000, 0xb0030000, 0x0200001f,
    0x90000000, 0xa00f0800, 0x03000042, 0x800f0000, 0xb0e40000, 0xa0e40800, 0x03000005, 0x800f0000,
    0x80e40000, 0x90e40000, 0x02000001, 0x800f0800, 0x80e40000, 0x0000ffff};

/// A device with a window, and what every scene needs.
class stage {
 public:
  stage() {
    const HWND window = CreateWindowA("static", "aerogpu speed", WS_POPUP | WS_VISIBLE, 0, 0, width,
                                      height, nullptr, nullptr, nullptr, nullptr);
    direct3d_.reset(Direct3DCreate9(D3D_SDK_VERSION));
    if (!direct3d_) check(E_FAIL, "Direct3DCreate9");
    D3DPRESENT_PARAMETERS wanted{};
    wanted.BackBufferWidth = width;
    wanted.BackBufferHeight = height;
    wanted.BackBufferFormat = D3DFMT_X8R8G8B8;
    wanted.SwapEffect = D3DSWAPEFFECT_DISCARD;
    wanted.hDeviceWindow = window;
    wanted.Windowed = TRUE;
    wanted.PresentationInterval = D3DPRESENT_INTERVAL_IMMEDIATE;
    device_ = made<IDirect3DDevice9>("CreateDevice", [&](IDirect3DDevice9** out) {
      return direct3d_->CreateDevice(D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, window,
                                     D3DCREATE_HARDWARE_VERTEXPROCESSING, &wanted, out);
    });
    check(device_->SetRenderState(D3DRS_LIGHTING, FALSE), "SetRenderState");
    check(device_->SetRenderState(D3DRS_CULLMODE, D3DCULL_NONE), "SetRenderState");
    check(device_->SetRenderState(D3DRS_ZENABLE, FALSE), "SetRenderState");
  }

  auto operator->() const -> IDirect3DDevice9* { return device_.get(); }

  auto texture(UINT wide, UINT high, bool is_dynamic) const -> com<IDirect3DTexture9> {
    return made<IDirect3DTexture9>("CreateTexture", [&](IDirect3DTexture9** out) {
      return device_->CreateTexture(wide, high, 1, is_dynamic ? D3DUSAGE_DYNAMIC : 0,
                                    D3DFMT_A8R8G8B8, is_dynamic ? D3DPOOL_DEFAULT : D3DPOOL_MANAGED,
                                    out, nullptr);
    });
  }
  auto buffer(UINT bytes, bool is_dynamic) const -> com<IDirect3DVertexBuffer9> {
    return made<IDirect3DVertexBuffer9>("CreateVertexBuffer", [&](IDirect3DVertexBuffer9** out) {
      return device_->CreateVertexBuffer(
          bytes, D3DUSAGE_WRITEONLY | (is_dynamic ? D3DUSAGE_DYNAMIC : 0), vertex_format,
          is_dynamic ? D3DPOOL_DEFAULT : D3DPOOL_MANAGED, out, nullptr);
    });
  }

  void present() const { check(device_->Present(nullptr, nullptr, nullptr, nullptr), "Present"); }

  /// Until all that was drawn is done.
  void finish() const {
    const auto query = made<IDirect3DQuery9>("CreateQuery", [&](IDirect3DQuery9** out) {
      return device_->CreateQuery(D3DQUERYTYPE_EVENT, out);
    });
    check(query->Issue(D3DISSUE_END), "Issue");
    while (query->GetData(nullptr, 0, D3DGETDATA_FLUSH) == S_FALSE) Sleep(1);
  }

 private:
  com<IDirect3D9> direct3d_;
  com<IDirect3DDevice9> device_;
};

/// All texels of one colour that changes with `seed`.
void fill(IDirect3DTexture9* texture, UINT wide, UINT high, DWORD flags, unsigned seed) {
  D3DLOCKED_RECT locked{};
  check(texture->LockRect(0, &locked, nullptr, flags), "LockRect");
  const std::vector<DWORD> row(wide, 0xc0000000u | (seed * 0x00123457u & 0x00ffffffu));
  for (UINT y = 0; y < high; ++y)
    std::memcpy(static_cast<char*>(locked.pBits) + y * static_cast<UINT>(locked.Pitch), row.data(),
                wide * sizeof(DWORD));
  check(texture->UnlockRect(0), "UnlockRect");
}

void write(IDirect3DVertexBuffer9* buffer, const std::vector<vertex>& from, DWORD flags) {
  void* bytes = nullptr;
  const UINT size = static_cast<UINT>(from.size() * sizeof(vertex));
  check(buffer->Lock(0, size, &bytes, flags), "Lock");
  std::memcpy(bytes, from.data(), size);
  check(buffer->Unlock(), "Unlock");
}

/// Two triangles; clip space, y up.
void append_quad(std::vector<vertex>& out, float left, float top, float wide, float high) {
  const vertex corners[] = {{left, top, 0, 0, 0},
                            {left + wide, top, 0, 1, 0},
                            {left, top - high, 0, 0, 1},
                            {left + wide, top - high, 0, 1, 1}};
  for (const int corner : {0, 1, 2, 2, 1, 3}) out.push_back(corners[corner]);
}

class scene {
 public:
  virtual ~scene() = default;
  virtual void draw(unsigned frame) = 0;
};

/// 1,000 draws of one small triangle: four constants, a texture and a vertex buffer change for
/// each.
class draws : public scene {
 public:
  explicit draws(stage& on) : on_{on} {
    for (unsigned i = 0; i < textures_.size(); ++i) {
      textures_[i] = on.texture(32, 32, false);
      fill(textures_[i].get(), 32, 32, 0, i + 1);
      buffers_[i] = on.buffer(3 * sizeof(vertex), false);
      write(buffers_[i].get(), {{-1, 1, 0, 0, 0}, {-0.95f, 1, 0, 1, 0}, {-1, 0.95f, 0, 0, 1}}, 0);
    }
    vertex_ = made<IDirect3DVertexShader9>("CreateVertexShader", [&](IDirect3DVertexShader9** out) {
      return on->CreateVertexShader(vertex_shader, out);
    });
    pixel_ = made<IDirect3DPixelShader9>("CreatePixelShader", [&](IDirect3DPixelShader9** out) {
      return on->CreatePixelShader(pixel_shader, out);
    });
  }

  void draw(unsigned frame) override {
    check(on_->SetFVF(vertex_format), "SetFVF");
    check(on_->SetVertexShader(vertex_.get()), "SetVertexShader");
    check(on_->SetPixelShader(pixel_.get()), "SetPixelShader");
    for (unsigned i = 0; i < count; ++i) {
      const float x = static_cast<float>(i % 40) * 0.05f;
      const float y = static_cast<float>(i / 40) * -0.05f;
      const float green = static_cast<float>((i + frame) % 256) / 255;
      const float constants[16] = {x, y, 0, 0, 1, green, 1, 1, 1, 1, 1, 1};
      check(on_->SetVertexShaderConstantF(0, constants, 4), "SetVertexShaderConstantF");
      check(on_->SetTexture(0, textures_[i % textures_.size()].get()), "SetTexture");
      check(on_->SetStreamSource(0, buffers_[i % buffers_.size()].get(), 0, sizeof(vertex)),
            "SetStreamSource");
      check(on_->DrawPrimitive(D3DPT_TRIANGLELIST, 0, 1), "DrawPrimitive");
    }
  }

 private:
  static constexpr unsigned count = 1000;

  stage& on_;
  std::array<com<IDirect3DTexture9>, 8> textures_;
  std::array<com<IDirect3DVertexBuffer9>, 8> buffers_;
  com<IDirect3DVertexShader9> vertex_;
  com<IDirect3DPixelShader9> pixel_;
};

/// A texture of 4 MiB and a vertex buffer, both written anew with DISCARD in each frame.
class streaming : public scene {
 public:
  explicit streaming(stage& on)
      : on_{on},
        texture_{on.texture(size, size, true)},
        buffer_{on.buffer(quads * 6 * sizeof(vertex), true)} {
    for (unsigned i = 0; i < quads; ++i)
      append_quad(vertices_, -1 + static_cast<float>(i % 16) * 0.125f,
                  1 - static_cast<float>(i / 16 % 16) * 0.125f, 0.1f, 0.1f);
  }

  void draw(unsigned frame) override {
    fill(texture_.get(), size, size, D3DLOCK_DISCARD, frame);
    write(buffer_.get(), vertices_, D3DLOCK_DISCARD);
    check(on_->SetFVF(vertex_format), "SetFVF");
    check(on_->SetTexture(0, texture_.get()), "SetTexture");
    check(on_->SetStreamSource(0, buffer_.get(), 0, sizeof(vertex)), "SetStreamSource");
    check(on_->DrawPrimitive(D3DPT_TRIANGLELIST, 0, 2 * quads), "DrawPrimitive");
  }

 private:
  static constexpr UINT size = 1024;
  static constexpr unsigned quads = 512;

  stage& on_;
  com<IDirect3DTexture9> texture_;
  com<IDirect3DVertexBuffer9> buffer_;
  std::vector<vertex> vertices_;
};

/// 20 blended windows of 400x300, two of which have new contents in each frame.
class desktop : public scene {
 public:
  explicit desktop(stage& on) : on_{on}, quads_{on.buffer(windows * 6 * sizeof(vertex), false)} {
    std::vector<vertex> vertices;
    for (unsigned i = 0; i < windows; ++i) {
      textures_[i] = on.texture(wide, high, true);
      fill(textures_[i].get(), wide, high, D3DLOCK_DISCARD, i + 1);
      append_quad(vertices, -1 + static_cast<float>(i % 5) * 0.3f,
                  1 - static_cast<float>(i / 5) * 0.3f, 2.0f * wide / width, 2.0f * high / height);
    }
    write(quads_.get(), vertices, 0);
  }

  void draw(unsigned frame) override {
    for (const unsigned i : {frame % windows, (frame + 7) % windows})
      fill(textures_[i].get(), wide, high, D3DLOCK_DISCARD, frame);
    check(on_->SetRenderState(D3DRS_ALPHABLENDENABLE, TRUE), "SetRenderState");
    check(on_->SetRenderState(D3DRS_SRCBLEND, D3DBLEND_SRCALPHA), "SetRenderState");
    check(on_->SetRenderState(D3DRS_DESTBLEND, D3DBLEND_INVSRCALPHA), "SetRenderState");
    check(on_->SetFVF(vertex_format), "SetFVF");
    check(on_->SetStreamSource(0, quads_.get(), 0, sizeof(vertex)), "SetStreamSource");
    for (unsigned i = 0; i < windows; ++i) {
      check(on_->SetTexture(0, textures_[i].get()), "SetTexture");
      check(on_->DrawPrimitive(D3DPT_TRIANGLELIST, i * 6, 2), "DrawPrimitive");
    }
  }

 private:
  static constexpr unsigned windows = 20;
  static constexpr UINT wide = 400, high = 300;

  stage& on_;
  com<IDirect3DVertexBuffer9> quads_;
  std::array<com<IDirect3DTexture9>, windows> textures_;
};

/// Nothing beside the clear and the present that every frame has.
class empty : public scene {
 public:
  void draw(unsigned) override {}
};

auto scene_of(std::string_view name, stage& on) -> std::unique_ptr<scene> {
  if (name == "draws") return std::make_unique<draws>(on);
  if (name == "streaming") return std::make_unique<streaming>(on);
  if (name == "desktop") return std::make_unique<desktop>(on);
  if (name == "empty") return std::make_unique<empty>();
  return nullptr;
}

void play(const stage& on, scene& shown, int frames) {
  for (int i = 0; i < frames; ++i) {
    for (MSG message; PeekMessageA(&message, nullptr, 0, 0, PM_REMOVE);) DispatchMessageA(&message);
    check(on->Clear(0, nullptr, D3DCLEAR_TARGET, 0xff203040, 1, 0), "Clear");
    check(on->BeginScene(), "BeginScene");
    shown.draw(static_cast<unsigned>(i));
    check(on->EndScene(), "EndScene");
    on.present();
  }
  on.finish();
}

void say_and_wait(const char* word) {
  std::puts(word);
  std::fflush(stdout);
  (void)std::getchar();
}

}  // namespace

auto main(int count, char** words) -> int {
  const int frames = count == 3 ? std::atoi(words[2]) : 0;
  if (frames < 1) {
    std::fputs("usage: speed draws|streaming|desktop|empty FRAMES\n", stderr);
    return 2;
  }
  stage on;
  const auto shown = scene_of(words[1], on);
  if (!shown) {
    std::fprintf(stderr, "speed: there is no scene '%s'\n", words[1]);
    return 2;
  }
  play(on, *shown, warm_up_frames);
  say_and_wait("ready");
  play(on, *shown, frames);
  say_and_wait("done");
  return 0;
}
