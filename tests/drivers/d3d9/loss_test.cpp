// SPDX-License-Identifier: MIT
/// \file Devices that a timeout takes, and memory that is full.
#include "tests/drivers/d3d9/resource_rig.hpp"
#include "tests/drivers/umd/rigs/quiet_system.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>

namespace aerogpu::test::loss_cases {
namespace {

// vs_1_1: dcl_position v0; mov oPos, v0.
constexpr std::array<DWORD, 8> position_shader{0xFFFE0101, 0x0000001F, 0x80000000, 0x900F0000,
                                               0x00000001, 0xC00F0000, 0x90E40000, 0x0000FFFF};
constexpr std::uint32_t green = 0xFF00FF00, blue = 0xFF0000FF;

/// The driver's clock goes on by itself: it looks for finished work at intervals.
struct stepping_driver {
  quiet_system system{driver_clock::steps};
};

struct plain_rig : private stepping_driver, resource_rig {
  explicit plain_rig(api_level level = api_level::plain) : resource_rig(level) {}

  void time_out() { stack.session.session().scheduler.reset_from_timeout(); }
  /// In the middle of a frame: a submission that is full finds the timeout.
  void lose() {
    time_out();
    static_cast<void>(fill_command_buffer());
  }
  /// How many clears of more than one holds succeed.
  [[nodiscard]] auto fill_command_buffer() -> int {
    std::array<D3DRECT, 64> areas{};
    for (auto& area : areas) area = {0, 0, 8, 8};
    int succeeded = 0;
    for (int i = 0; i < clears; ++i) {
      const auto result = device->Clear(static_cast<DWORD>(areas.size()), areas.data(),
                                        D3DCLEAR_TARGET, blue, 1, 0);
      succeeded += result == S_OK ? 1 : 0;
    }
    return succeeded;
  }
  [[nodiscard]] auto present() -> HRESULT {
    return device->Present(nullptr, nullptr, nullptr, nullptr);
  }
  [[nodiscard]] auto reset() -> HRESULT {
    auto wanted = windowed();
    return device->Reset(&wanted);
  }
  static constexpr int clears = 1000;
  /// What the last present showed.
  [[nodiscard]] auto shown() -> std::uint32_t {
    static_cast<void>(windows.show_finished_pictures());
    std::uint32_t pixel = 0;
    const auto& picture = windows.windows[window].picture;
    if (picture.size() >= sizeof pixel) std::memcpy(&pixel, picture.data(), sizeof pixel);
    return pixel | 0xFF000000;
  }
};

/// The host draws until the driver has slept for long enough.
class slow_system final : public simulated_gdi {
 public:
  slow_system() : simulated_gdi(driver_clock::steps) {}
  void write_log(std::string_view) noexcept override {}
  void sleep_ms(std::uint32_t milliseconds) noexcept override {
    constexpr std::uint64_t ns_of_ms = 1'000'000;
    slept_ns += milliseconds * ns_of_ms;
    if (slept_ns >= awake_ns && on_awake) std::exchange(on_awake, {})();
    simulated_gdi::sleep_ms(milliseconds);
  }

  std::uint64_t slept_ns = 0, awake_ns = 0;
  std::function<void()> on_awake;
};

struct slow_driver {
  slow_system system;
};

constexpr std::uint64_t second = 1'000'000'000;

struct slow_rig : private slow_driver, resource_rig {
  slow_rig() : resource_rig(api_level::plain) {}

  /// Of a target that is filled by then.
  [[nodiscard]] auto read_while_drawing(std::uint64_t ns) -> HRESULT {
    REQUIRE(device->ColorFill(target_.get(), nullptr, blue) == S_OK);
    auto& host = stack.backend();
    host.set_completion(null_completion::held);
    system.slept_ns = 0;
    system.awake_ns = ns;
    system.on_awake = [&] { host.set_completion(null_completion::immediate); };
    const auto result = device->GetRenderTargetData(target_.get(), memory_.get());
    if (system.on_awake) std::exchange(system.on_awake, {})();
    return result;
  }
  [[nodiscard]] auto slept_ns() const -> std::uint64_t { return system.slept_ns; }
  [[nodiscard]] auto what_was_read() -> std::vector<std::uint32_t> {
    return resource_rig::texels_of(memory_.get());
  }

 private:
  any_surface target_ = target(4, 4);
  any_surface memory_ = plain(4, 4, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM);
};

}  // namespace

TEST_CASE("a timeout takes a device that is not Ex, and Reset brings it back",
          "[wine][d3d9][loss][T254]") {
  plain_rig app;
  REQUIRE(app.present() == S_OK);
  app.time_out();
  CHECK(app.present() == D3DERR_DEVICELOST);
  CHECK(app.device->TestCooperativeLevel() == D3DERR_DEVICENOTRESET);
  CHECK(app.present() == D3DERR_DEVICELOST);
  REQUIRE(app.reset() == S_OK);
  CHECK(app.device->TestCooperativeLevel() == S_OK);
  REQUIRE(app.device->Clear(0, nullptr, D3DCLEAR_TARGET, blue, 1, 0) == S_OK);
  REQUIRE(app.present() == S_OK);
  REQUIRE(app.present() == S_OK);
  CHECK(app.shown() == blue);
}

TEST_CASE("draws from a buffer that is locked when a timeout takes the device succeed",
          "[wine][d3d9][loss]") {
  plain_rig app;
  constexpr DWORD usage = D3DUSAGE_DYNAMIC;
  owned<d3d9::IDirect3DVertexBuffer9> buffer;
  REQUIRE(app.device->CreateVertexBuffer(64, usage, 0, D3DPOOL_DEFAULT, buffer.out(), nullptr) ==
          S_OK);
  REQUIRE(app.device->SetFVF(D3DFVF_XYZ) == S_OK);
  REQUIRE(app.device->SetStreamSource(0, buffer.get(), 0, 12) == S_OK);
  void* memory = nullptr;
  REQUIRE(buffer->Lock(0, 0, &memory, D3DLOCK_DISCARD) == S_OK);
  app.time_out();
  CHECK(app.present() == D3DERR_DEVICELOST);
  CHECK(app.device->DrawPrimitive(D3DPT_TRIANGLELIST, 0, 1) == S_OK);
  CHECK(app.device->DrawPrimitive(D3DPT_TRIANGLELIST, 0, 1) == S_OK);
  std::memset(memory, 0, 64);
  CHECK(buffer->Unlock() == S_OK);
  buffer.reset();
  REQUIRE(app.device->SetStreamSource(0, nullptr, 0, 0) == S_OK);
  CHECK(app.reset() == S_OK);
}

TEST_CASE("draws and clears of a device that a timeout took do nothing, and succeed",
          "[wine][d3d9][loss]") {
  plain_rig app;
  auto& device = *app.device.get();
  const auto managed = app.texture(4, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED);
  owned<d3d9::IDirect3DQuery9> query;
  REQUIRE(device.CreateQuery(D3DQUERYTYPE_EVENT, query.out()) == S_OK);
  REQUIRE(device.SetFVF(D3DFVF_XYZ) == S_OK);
  app.time_out();
  REQUIRE(query->Issue(D3DISSUE_END) == D3DERR_DEVICELOST);
  constexpr std::array<float, 9> triangle{-1, -1, 0, -1, 1, 0, 1, 1, 0};
  const auto* const vertices = triangle.data();
  constexpr std::array<std::uint16_t, 3> indices{0, 1, 2};
  CHECK(device.Clear(0, nullptr, D3DCLEAR_TARGET, blue, 1, 0) == S_OK);
  CHECK(device.DrawPrimitiveUP(D3DPT_TRIANGLELIST, 1, vertices, 12) == S_OK);
  CHECK(device.DrawIndexedPrimitiveUP(D3DPT_TRIANGLELIST, 0, 3, 1, indices.data(), D3DFMT_INDEX16,
                                      vertices, 12) == S_OK);
  CHECK(device.SetTexture(0, managed.get()) == S_OK);
  CHECK(device.DrawPrimitiveUP(D3DPT_TRIANGLELIST, 1, vertices, 12) == S_OK);
  CHECK(device.DrawPrimitiveUP(D3DPT_TRIANGLELIST, 1, vertices, 0) == D3DERR_INVALIDCALL);
  CHECK(app.present() == D3DERR_DEVICELOST);
  CHECK(device.Clear(0, nullptr, D3DCLEAR_TARGET, blue, 1, 0) == S_OK);
}

TEST_CASE("a clear whose submission finds no video memory succeeds, and the device is lost",
          "[wine][d3d9][loss]") {
  plain_rig app;
  app.stack.runtime.faults.fail_one_of(sim::callback::render, 1, D3DERR_OUTOFVIDEOMEMORY);
  const auto succeeded = app.fill_command_buffer();
  app.stack.runtime.faults.stop();
  CHECK(succeeded == plain_rig::clears);
  CHECK(app.device->TestCooperativeLevel() == D3DERR_DEVICENOTRESET);
  CHECK(app.present() == D3DERR_DEVICELOST);
  CHECK(app.reset() == S_OK);
}

TEST_CASE("a buffer of a lost device is locked, and its writes go nowhere", "[wine][d3d9][loss]") {
  plain_rig app;
  constexpr DWORD usage = D3DUSAGE_DYNAMIC;
  owned<d3d9::IDirect3DVertexBuffer9> buffer;
  REQUIRE(app.device->CreateVertexBuffer(64, usage, 0, D3DPOOL_DEFAULT, buffer.out(), nullptr) ==
          S_OK);
  app.lose();
  void* whole = nullptr;
  void* part = nullptr;
  REQUIRE(buffer->Lock(16, 0, &whole, D3DLOCK_DISCARD) == S_OK);
  REQUIRE(whole != nullptr);
  std::memset(whole, 1, 48);
  REQUIRE(buffer->Lock(32, 4, &part, D3DLOCK_NOOVERWRITE) == S_OK);
  CHECK(part == static_cast<std::byte*>(whole) + 16);
  CHECK(app.device->SetStreamSource(0, buffer.get(), 0, 12) == S_OK);
  CHECK(app.device->SetFVF(D3DFVF_XYZ) == S_OK);
  CHECK(app.device->DrawPrimitive(D3DPT_TRIANGLELIST, 0, 1) == S_OK);
  std::memset(whole, 2, 48);
  CHECK(buffer->Unlock() == S_OK);
  CHECK(buffer->Unlock() == S_OK);
  CHECK(app.present() == D3DERR_DEVICELOST);
  buffer.reset();
  CHECK(app.reset() == S_OK);
}

TEST_CASE("texels of a lost device are locked, and their writes go nowhere", "[wine][d3d9][loss]") {
  const auto which = GENERATE(0, 1, 2);
  const bool is_context = GENERATE(false, true);
  plain_rig app;
  any_surface level;
  if (which == 0) level = app.plain(32, 8, D3DFMT_X8R8G8B8, D3DPOOL_DEFAULT);
  if (which == 1) level = app.target(32, 8, D3DFMT_X8R8G8B8, true);
  if (which == 2) {
    const auto texture = app.texture(64, 16, 0, D3DUSAGE_DYNAMIC, D3DFMT_X8R8G8B8, D3DPOOL_DEFAULT);
    REQUIRE(texture->GetSurfaceLevel(1, level.out()) == S_OK);
  }
  app.lose();
  if (is_context) {
    HDC context = nullptr;
    REQUIRE(level->GetDC(&context) == S_OK);
    CHECK(level->ReleaseDC(context) == S_OK);
  } else {
    D3DLOCKED_RECT locked{};
    const RECT area{4, 2, 32, 8};
    REQUIRE(level->LockRect(&locked, &area, 0) == S_OK);
    CHECK(locked.Pitch == 32 * 4);
    REQUIRE(locked.pBits != nullptr);
    std::memset(locked.pBits, 1, 5 * 32 * 4 + 28 * 4);
    CHECK(level->LockRect(&locked, nullptr, 0) == D3DERR_INVALIDCALL);
    CHECK(level->UnlockRect() == S_OK);
  }
  CHECK(app.present() == D3DERR_DEVICELOST);
  level.reset();
  CHECK(app.reset() == S_OK);
}

TEST_CASE("what is locked when a timeout takes the device is unlocked", "[wine][d3d9][loss]") {
  plain_rig app;
  auto memory = app.plain(8, 8, D3DFMT_X8R8G8B8, D3DPOOL_DEFAULT);
  D3DLOCKED_RECT locked{};
  REQUIRE(memory->LockRect(&locked, nullptr, 0) == S_OK);
  app.lose();
  CHECK(memory->UnlockRect() == S_OK);
  CHECK(memory->UnlockRect() == D3DERR_INVALIDCALL);
  memory.reset();
  CHECK(app.reset() == S_OK);
}

TEST_CASE("a lost device makes resources, and has those in system memory after a Reset",
          "[wine][d3d9][loss]") {
  plain_rig app;
  auto& device = *app.device.get();
  app.lose();
  const auto memory = app.plain(4, 4, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM);
  const auto managed = app.texture(4, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED);
  auto sampled = app.texture(4, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT);
  auto target = app.target(4, 4);
  owned<d3d9::IDirect3DVertexBuffer9> buffer;
  owned<d3d9::IDirect3DIndexBuffer9> indices;
  REQUIRE(device.CreateVertexBuffer(64, 0, 0, D3DPOOL_DEFAULT, buffer.out(), nullptr) == S_OK);
  REQUIRE(device.CreateIndexBuffer(64, 0, D3DFMT_INDEX16, D3DPOOL_MANAGED, indices.out(),
                                   nullptr) == S_OK);
  resource_rig::fill(memory.get(), green);
  CHECK(device.SetFVF(D3DFVF_XYZ) == S_OK);
  CHECK(device.SetTexture(0, managed.get()) == S_OK);
  CHECK(device.SetTexture(1, sampled.get()) == S_OK);
  CHECK(device.SetStreamSource(0, buffer.get(), 0, 12) == S_OK);
  CHECK(device.SetIndices(indices.get()) == S_OK);
  CHECK(device.SetRenderTarget(0, target.get()) == S_OK);
  CHECK(device.Clear(0, nullptr, D3DCLEAR_TARGET, blue, 1, 0) == S_OK);
  CHECK(device.DrawIndexedPrimitive(D3DPT_TRIANGLELIST, 0, 0, 3, 0, 1) == S_OK);
  CHECK(app.present() == D3DERR_DEVICELOST);
  CHECK(app.reset() == D3DERR_INVALIDCALL);
  sampled.reset();
  target.reset();
  buffer.reset();
  REQUIRE(app.reset() == S_OK);

  target = app.target(4, 4);
  CHECK(device.UpdateSurface(memory.get(), nullptr, target.get(), nullptr) == S_OK);
  CHECK(app.read(target.get()) == std::vector<std::uint32_t>(16, green));
  CHECK(device.SetFVF(D3DFVF_XYZ) == S_OK);
  CHECK(device.SetTexture(0, managed.get()) == S_OK);
  constexpr std::array<float, 9> triangle{-1, -1, 0, -1, 1, 0, 1, 1, 0};
  CHECK(device.DrawPrimitiveUP(D3DPT_TRIANGLELIST, 1, triangle.data(), 12) == S_OK);
  CHECK(static_cast<d3d9::texture*>(managed.get())->driver() != nullptr);
}

TEST_CASE("copies of a lost device do nothing and succeed, but those to system memory",
          "[wine][d3d9][loss]") {
  const bool is_made_before = GENERATE(true, false);
  plain_rig app;
  auto& device = *app.device.get();
  if (!is_made_before) app.lose();
  const auto memory = app.plain(4, 4, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM);
  const auto source = app.texture(4, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM);
  const auto texture = app.texture(4, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT);
  const auto from = app.target(4, 4);
  const auto to = app.target(4, 4);
  if (is_made_before) app.lose();
  const POINT outside{4, 4};
  CHECK(device.UpdateSurface(memory.get(), nullptr, to.get(), nullptr) == S_OK);
  CHECK(device.UpdateSurface(memory.get(), nullptr, to.get(), &outside) == D3DERR_INVALIDCALL);
  CHECK(device.UpdateTexture(source.get(), texture.get()) == S_OK);
  CHECK(device.StretchRect(from.get(), nullptr, to.get(), nullptr, D3DTEXF_NONE) == S_OK);
  CHECK(device.ColorFill(to.get(), nullptr, blue) == S_OK);
  CHECK(device.GetRenderTargetData(from.get(), memory.get()) == D3DERR_DEVICELOST);
}

TEST_CASE("a copy that finds the timeout succeeds", "[wine][d3d9][loss]") {
  plain_rig app;
  const auto target = app.target(4, 4);
  app.time_out();
  // More than a submission holds.
  constexpr int fills = 20'000;
  int succeeded = 0;
  for (int i = 0; i < fills; ++i)
    succeeded += app.device->ColorFill(target.get(), nullptr, blue) == S_OK ? 1 : 0;
  CHECK(succeeded == fills);
  CHECK(app.device->TestCooperativeLevel() == D3DERR_DEVICENOTRESET);
}

TEST_CASE("an Ex device that a timeout took locks nothing and makes nothing",
          "[wine][d3d9][loss]") {
  plain_rig app{api_level::ex};
  auto& device = *app.device.get();
  owned<d3d9::IDirect3DVertexBuffer9> buffer;
  REQUIRE(device.CreateVertexBuffer(64, D3DUSAGE_DYNAMIC, 0, D3DPOOL_DEFAULT, buffer.out(),
                                    nullptr) == S_OK);
  app.lose();
  void* memory = nullptr;
  any_surface made;
  CHECK(buffer->Lock(0, 0, &memory, D3DLOCK_DISCARD) == D3DERR_DEVICELOST);
  CHECK(device.CreateOffscreenPlainSurface(4, 4, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, made.out(),
                                           nullptr) == D3DERR_DEVICELOST);
}

TEST_CASE("a timeout is seen without a present, and a Reset without a question helps too",
          "[wine][d3d9][loss]") {
  const bool asks = GENERATE(false, true);
  plain_rig app;
  app.time_out();
  if (asks) CHECK(app.device->TestCooperativeLevel() == D3DERR_DEVICENOTRESET);
  CHECK(app.reset() == S_OK);
  CHECK(app.present() == S_OK);
}

TEST_CASE("a device that a timeout took asks for all of the default pool, too",
          "[wine][d3d9][loss]") {
  plain_rig app;
  auto held = app.target(8, 8);
  app.time_out();
  CHECK(app.reset() == D3DERR_INVALIDCALL);
  CHECK(app.device->TestCooperativeLevel() == D3DERR_DEVICENOTRESET);
  held.reset();
  CHECK(app.reset() == S_OK);
}

TEST_CASE("what is in system memory, shaders and queries work after a timeout",
          "[wine][d3d9][loss]") {
  plain_rig app;
  const auto managed = app.texture(4, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED);
  const auto memory = app.plain(4, 4, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM);
  any_surface top;
  REQUIRE(managed->GetSurfaceLevel(0, top.out()) == S_OK);
  resource_rig::fill(top.get(), blue);
  resource_rig::fill(memory.get(), green);
  owned<d3d9::IDirect3DVertexShader9> shader;
  owned<d3d9::IDirect3DQuery9> query;
  REQUIRE(app.device->CreateVertexShader(position_shader.data(), shader.out()) == S_OK);
  REQUIRE(app.device->CreateQuery(D3DQUERYTYPE_EVENT, query.out()) == S_OK);
  app.device->SetTexture(0, managed.get());
  app.device->SetVertexShader(shader.get());
  app.time_out();
  REQUIRE(app.reset() == S_OK);

  const auto target = app.target(4, 4);
  CHECK(app.device->UpdateSurface(memory.get(), nullptr, target.get(), nullptr) == S_OK);
  CHECK(app.read(target.get()) == std::vector<std::uint32_t>(16, green));
  CHECK(resource_rig::texels_of(top.get()) == std::vector<std::uint32_t>(16, blue));
  CHECK(app.device->SetTexture(0, managed.get()) == S_OK);
  CHECK(app.device->SetVertexShader(shader.get()) == S_OK);
  CHECK(app.device->SetFVF(D3DFVF_XYZ) == S_OK);
  constexpr std::array<float, 9> triangle{-1, -1, 0, -1, 1, 0, 1, 1, 0};
  CHECK(app.device->DrawPrimitiveUP(D3DPT_TRIANGLELIST, 1, triangle.data(), 12) == S_OK);
  CHECK(query->Issue(D3DISSUE_END) == S_OK);
  BOOL is_done = 0;
  auto result = S_FALSE;
  for (int i = 0; i < 1000 && result == S_FALSE; ++i)
    result = query->GetData(&is_done, sizeof is_done, D3DGETDATA_FLUSH);
  CHECK(result == S_OK);
}

TEST_CASE("what a device that a timeout took cannot make says that it is lost",
          "[wine][d3d9][loss]") {
  // ps_2_0: def c0, mov oC0, c0.
  constexpr std::array<DWORD, 11> white_shader{0xFFFF0200, 0x05000051, 0xA00F0000, 0x3F800000,
                                               0x3F800000, 0x3F800000, 0x3F800000, 0x02000001,
                                               0x800F0800, 0xA0E40000, 0x0000FFFF};
  const auto which = GENERATE(0, 1, 2);
  plain_rig app;
  app.time_out();
  owned<d3d9::IDirect3DQuery9> query;
  owned<d3d9::IDirect3DVertexShader9> vertex;
  owned<d3d9::IDirect3DPixelShader9> pixel;
  auto& device = *app.device.get();
  CHECK(app.present() == D3DERR_DEVICELOST);
  HRESULT result = S_OK;
  if (which == 0) result = device.CreateQuery(D3DQUERYTYPE_EVENT, query.out());
  if (which == 1) result = device.CreateVertexShader(position_shader.data(), vertex.out());
  if (which == 2) result = device.CreatePixelShader(white_shader.data(), pixel.out());
  CHECK(result == D3DERR_DEVICELOST);
  CHECK(device.TestCooperativeLevel() == D3DERR_DEVICENOTRESET);
}

TEST_CASE("a query of a device that a timeout took says that it is lost",
          "[wine][d3d9][loss][T269]") {
  plain_rig app;
  owned<d3d9::IDirect3DQuery9> query;
  REQUIRE(app.device->CreateQuery(D3DQUERYTYPE_EVENT, query.out()) == S_OK);
  REQUIRE(query->Issue(D3DISSUE_END) == S_OK);
  app.time_out();
  CHECK(app.device->Clear(0, nullptr, D3DCLEAR_TARGET, blue, 1, 0) == S_OK);
  CHECK(query->Issue(D3DISSUE_END) == D3DERR_DEVICELOST);
  CHECK(query->GetData(nullptr, 0, D3DGETDATA_FLUSH) == D3DERR_DEVICELOST);
  CHECK(app.device->TestCooperativeLevel() == D3DERR_DEVICENOTRESET);
}

TEST_CASE("a query that was issued before a Reset's new device is one that nobody issued",
          "[wine][d3d9][loss][T269]") {
  plain_rig app;
  owned<d3d9::IDirect3DQuery9> query;
  REQUIRE(app.device->CreateQuery(D3DQUERYTYPE_EVENT, query.out()) == S_OK);
  REQUIRE(query->Issue(D3DISSUE_END) == S_OK);
  app.time_out();
  REQUIRE(app.reset() == S_OK);
  CHECK(query->GetData(nullptr, 0, D3DGETDATA_FLUSH) == S_OK);
}

TEST_CASE("a Reset whose new device fails can be tried again", "[wine][d3d9][loss]") {
  plain_rig app;
  const auto memory = app.plain(4, 4, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM);
  owned<d3d9::IDirect3DVertexShader9> shader;
  REQUIRE(app.device->CreateVertexShader(position_shader.data(), shader.out()) == S_OK);
  app.time_out();
  app.stack.runtime.faults.fail_one_of(sim::callback::create_context, 1, E_OUTOFMEMORY);
  CHECK(FAILED(app.reset()));
  app.stack.runtime.faults.stop();
  CHECK(app.device->TestCooperativeLevel() == D3DERR_DEVICENOTRESET);
  CHECK(app.device->SetVertexShader(shader.get()) == S_OK);
  CHECK(app.device->Clear(0, nullptr, D3DCLEAR_TARGET, blue, 1, 0) == S_OK);
  shader.reset();
  CHECK(app.reset() == S_OK);
  CHECK(app.present() == S_OK);
}

TEST_CASE("what is read waits for as long as the device draws", "[wine][d3d9][loss]") {
  slow_rig app;
  CHECK(app.read_while_drawing(5 * second) == S_OK);
  CHECK(app.slept_ns() >= 5 * second);
  CHECK(app.what_was_read() == std::vector<std::uint32_t>(16, blue));
}

TEST_CASE("what is read waits a minute for a device that stands still", "[wine][d3d9][loss]") {
  slow_rig app;
  CHECK(app.read_while_drawing(120 * second) == D3DERR_WASSTILLDRAWING);
  CHECK(app.slept_ns() > 30 * second);
  CHECK(app.slept_ns() <= 60 * second);
}

TEST_CASE("full video memory is said to be that when a device is made", "[wine][d3d9][loss]") {
  direct3d_rig<> app{false};
  const auto which = GENERATE(sim::callback::allocate, sim::callback::lock, sim::callback::render);
  app.stack.runtime.faults.fail_one_of(which, 1, D3DERR_OUTOFVIDEOMEMORY);
  // Buffers that are shown have memory of the guest, which is filled and submitted.
  auto wanted = app.windowed(1024, 768);
  wanted.Windowed = 0;
  any_device made;
  const auto result = app.direct3d->CreateDevice(
      0, D3DDEVTYPE_HAL, app.window, d3d9::create_hardware_vertex_processing, &wanted, made.out());
  app.stack.runtime.faults.stop();
  CAPTURE(static_cast<int>(which));
  CHECK(result == D3DERR_OUTOFVIDEOMEMORY);
}

TEST_CASE("full video memory is said to be that when a texture is made", "[wine][d3d9][loss]") {
  plain_rig app;
  const auto which = GENERATE(sim::callback::allocate, sim::callback::lock);
  app.stack.runtime.faults.fail_one_of(which, 1, D3DERR_OUTOFVIDEOMEMORY);
  any_surface made;
  const auto result = app.device->CreateRenderTarget(256, 256, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_NONE,
                                                     0, 1, made.out(), nullptr);
  app.stack.runtime.faults.stop();
  CHECK(result == D3DERR_OUTOFVIDEOMEMORY);
  CHECK(app.device->TestCooperativeLevel() == S_OK);
}

TEST_CASE("an Ex device that a timeout took works after a reset", "[wine][d3d9][loss][T254]") {
  const stepping_driver driver;
  const bool is_ex_reset = GENERATE(true, false);
  resource_rig app;
  auto wanted = app.windowed();
  const auto present = [&] { return app.device->PresentEx(nullptr, nullptr, nullptr, nullptr, 0); };
  const auto reset = [&] {
    return is_ex_reset ? app.device->ResetEx(&wanted, nullptr) : app.device->Reset(&wanted);
  };
  REQUIRE(present() == S_OK);
  {
    const auto held = app.target(4, 4);
    app.stack.session.session().scheduler.reset_from_timeout();
    CHECK(present() == D3DERR_DEVICELOST);
    CHECK(reset() == D3DERR_INVALIDCALL);
  }
  CHECK(reset() == S_OK);
  CHECK(app.device->CheckDeviceState(app.window) == S_OK);
  REQUIRE(app.device->Clear(0, nullptr, D3DCLEAR_TARGET, blue, 1, 0) == S_OK);
  CHECK(present() == S_OK);
  CHECK(reset() == S_OK);
  CHECK(present() == S_OK);
}

}  // namespace aerogpu::test::loss_cases
