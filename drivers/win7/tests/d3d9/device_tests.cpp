// SPDX-License-Identifier: MIT
/// \file What a device says of itself, its queries and presents (umd-d3d9.md 7, G01 to G07, G11,
/// G31).
#include "drivers/win7/tests/d3d9/partner.hpp"
#include "drivers/win7/tests/d3d9/tests.hpp"

#include <algorithm>
#include <array>

namespace aerogpu::guest {
namespace {

constexpr double call_limit_ms = 250;

/// The longest of several calls.
class call_clock {
 public:
  template <class Call>
  auto time(Call call) -> HRESULT {
    const double begin = now_ms();
    const HRESULT result = call();
    longest_ms_ = std::max(longest_ms_, now_ms() - begin);
    return result;
  }
  void check(report& to, double limit_ms, rule_text rule) const {
    to.check(longest_ms_ < limit_ms, rule,
             message{static_cast<std::uint64_t>(longest_ms_ * 1000), " us"});
  }

 private:
  double longest_ms_ = 0;
};

[[nodiscard]] auto is_presented(HRESULT result) -> bool {
  return SUCCEEDED(result) || result == D3DERR_WASSTILLDRAWING;
}

void run_dwm_probe(session&, report& to) {
  // Loaded, not linked: the test starts where there is none.
  using is_enabled_function = HRESULT(WINAPI*)(BOOL*);
  using enable_function = HRESULT(WINAPI*)(UINT);
  const HMODULE dwm = LoadLibraryA("dwmapi.dll");
  const auto find = [&](const char* name) {
    return dwm != nullptr ? reinterpret_cast<void (*)()>(GetProcAddress(dwm, name)) : nullptr;
  };
  const auto is_enabled = reinterpret_cast<is_enabled_function>(find("DwmIsCompositionEnabled"));
  const auto enable = reinterpret_cast<enable_function>(find("DwmEnableComposition"));
  if (is_enabled == nullptr || enable == nullptr || FindWindowA("Dwm", nullptr) == nullptr) {
    to.skip(message{"no desktop window manager runs here"});
    return;
  }
  BOOL is_on = FALSE;
  to.check(SUCCEEDED(is_enabled(&is_on)), "DwmIsCompositionEnabled succeeds");
  constexpr UINT composition_on = 1;
  if (is_on == FALSE) {
    to.check(SUCCEEDED(enable(composition_on)), "DwmEnableComposition succeeds");
    to.check(SUCCEEDED(is_enabled(&is_on)), "DwmIsCompositionEnabled succeeds again");
  }
  to.check(is_on != FALSE, "the desktop is composed");
}

void check_adapter(const stage& on, report& to, call_clock& clock) {
  auto& direct3d = on.direct3d();
  LUID luid{};
  on.works(clock.time([&] { return direct3d.GetAdapterLUID(on.adapter(), &luid); }),
           "GetAdapterLUID succeeds");
  to.check(luid.LowPart != 0 || luid.HighPart != 0, "the adapter's LUID is not 0");
  D3DCAPS9 caps{};
  on.works(clock.time([&] { return on->GetDeviceCaps(&caps); }), "GetDeviceCaps succeeds");
  on.works(clock.time([&] {
    return direct3d.CheckDeviceType(on.adapter(), D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, D3DFMT_X8R8G8B8,
                                    TRUE);
  }),
           "CheckDeviceType succeeds");
  on.works(clock.time([&] {
    return direct3d.CheckDeviceFormat(on.adapter(), D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8,
                                      D3DUSAGE_RENDERTARGET, D3DRTYPE_TEXTURE, D3DFMT_A8R8G8B8);
  }),
           "CheckDeviceFormat succeeds");
  on.works(clock.time([&] {
    return direct3d.CheckDepthStencilMatch(on.adapter(), D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8,
                                           D3DFMT_X8R8G8B8, D3DFMT_D24S8);
  }),
           "CheckDepthStencilMatch succeeds");
  D3DDISPLAYMODEEX mode{};
  mode.Size = sizeof mode;
  D3DDISPLAYROTATION rotation{};
  on.works(
      clock.time([&] { return direct3d.GetAdapterDisplayModeEx(on.adapter(), &mode, &rotation); }),
      "GetAdapterDisplayModeEx succeeds");
  on.works(clock.time([&] { return on->GetDisplayModeEx(0, &mode, &rotation); }),
           "GetDisplayModeEx succeeds");
}

void check_presents(const stage& on, report& to, call_clock& clock) {
  on.works(clock.time([&] { return on->SetMaximumFrameLatency(1); }),
           "SetMaximumFrameLatency succeeds");
  UINT latency = 0;
  on.works(clock.time([&] { return on->GetMaximumFrameLatency(&latency); }),
           "GetMaximumFrameLatency succeeds");
  to.check(latency == 1, "and gives what was set", message{static_cast<std::uint32_t>(latency)});
  IDirect3DSwapChain9* plain = nullptr;
  if (!on.needs(on->GetSwapChain(0, &plain), "GetSwapChain succeeds")) return;
  const com<IDirect3DSwapChain9> held{plain};
  const auto chain = on.make<IDirect3DSwapChain9Ex>(
      "the chain is one of Direct3D 9Ex", [&](IDirect3DSwapChain9Ex** made) {
        return plain->QueryInterface(__uuidof(IDirect3DSwapChain9Ex),
                                     reinterpret_cast<void**>(made));
      });
  if (!chain) return;
  UINT last = 0;
  bool rises = true;
  const auto present = [&] {
    on.clear(blue);
    on.needs(clock.time([&] { return on->PresentEx(nullptr, nullptr, nullptr, nullptr, 0); }),
             "PresentEx succeeds");
    UINT count = 0;
    on.needs(chain->GetLastPresentCount(&count), "GetLastPresentCount succeeds");
    rises = rises && count > last;
    last = count;
  };
  const auto count_shown = [&] {
    D3DPRESENTSTATS statistics{};
    statistics.PresentCount = ~0u;
    on.works(chain->GetPresentStats(&statistics), "GetPresentStats succeeds");
    return statistics.PresentCount;
  };
  for (int i = 0; i < 10; ++i) present();
  const UINT before = count_shown();
  present();
  const UINT shown = count_shown();
  to.check(rises, "each present is counted", message{static_cast<std::uint32_t>(last)});
  to.check(
      before <= shown && shown <= last, "as many were shown as before or more, and no others",
      message{static_cast<std::uint32_t>(before), ", then ", static_cast<std::uint32_t>(shown)});
}

void check_priority(const stage& on, report& to, call_clock& clock) {
  bool is_kept = true;
  INT priority = 0;
  for (const INT wanted : {7, -7, 0}) {
    on.needs(clock.time([&] { return on->SetGPUThreadPriority(wanted); }),
             "SetGPUThreadPriority succeeds");
    on.needs(clock.time([&] { return on->GetGPUThreadPriority(&priority); }),
             "GetGPUThreadPriority succeeds");
    is_kept = is_kept && priority == wanted;
  }
  to.check(is_kept, "a priority from -7 to 7 is what was set", message{priority});
}

void run_dwm_ddi(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  call_clock clock;
  check_adapter(on, to, clock);
  on.works(clock.time([&] { return on->CheckDeviceState(on.window()); }),
           "CheckDeviceState succeeds");
  auto wanted = on.parameters();
  on.works(clock.time([&] { return on->ResetEx(&wanted, nullptr); }), "ResetEx succeeds");
  check_presents(on, to, clock);
  on.works(clock.time([&] { return on->WaitForVBlank(0); }), "WaitForVBlank succeeds");
  check_priority(on, to, clock);
  const auto texture = on.plain_texture(red);
  if (texture) {
    IDirect3DResource9* resources[] = {texture.get()};
    on.works(clock.time([&] { return on->CheckResourceResidency(resources, 1); }),
             "CheckResourceResidency succeeds");
  }
  clock.check(to, call_limit_ms, "no call takes 250 ms");
}

void run_event_query(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  constexpr int draws = 400;
  constexpr double unflushed_limit_ms = 5;
  const auto query = on.event_query();
  if (!query) return;
  call_clock unflushed;
  on.clear(red);
  for (int i = 0; i < draws; ++i) on.draw_all(blue);
  on.needs(query->Issue(D3DISSUE_END), "Issue succeeds");
  const HRESULT first = unflushed.time([&] { return query->GetData(nullptr, 0, 0); });
  to.check(first == S_FALSE, "what was not flushed is not done",
           message{hex{static_cast<std::uint32_t>(first)}});
  unflushed.check(to, unflushed_limit_ms, "GetData without a flush takes less than 5 ms");
  HRESULT answer = S_FALSE;
  for (const double begin = now_ms(); answer == S_FALSE && now_ms() - begin < 2000; Sleep(0))
    answer = query->GetData(nullptr, 0, D3DGETDATA_FLUSH);
  to.check(answer == S_OK, "with a flush it is done within two seconds",
           message{hex{static_cast<std::uint32_t>(answer)}});
  on.shows(stage::middle, stage::middle, blue, "and then the picture is drawn");
  std::array<partner, 2> others;
  for (auto& one : others) to.check(one.start("--stress"), "a process starts");
  for (const auto& one : others)
    to.check(one.wait() == 0u, "beside another its 200 queries are done, each within two seconds");
}

void run_query_latency(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  const auto query = on.event_query();
  if (!query) return;
  on.works(on->SetMaximumFrameLatency(1), "SetMaximumFrameLatency succeeds");
  call_clock asking;
  double longest_ms = 0;
  bool are_presented = true, are_done = true;
  for (int i = 0; i < 60; ++i) {
    on.clear(i % 2 == 0 ? red : blue);
    on.needs(query->Issue(D3DISSUE_END), "Issue succeeds");
    are_presented = are_presented && is_presented(on->PresentEx(nullptr, nullptr, nullptr, nullptr,
                                                                D3DPRESENT_DONOTWAIT));
    const double begin = now_ms();
    HRESULT answer = S_FALSE;
    while (answer == S_FALSE && now_ms() - begin < 2000) {
      answer = asking.time([&] { return query->GetData(nullptr, 0, D3DGETDATA_FLUSH); });
      if (answer == S_FALSE) Sleep(0);
    }
    longest_ms = std::max(longest_ms, now_ms() - begin);
    are_done = are_done && answer == S_OK;
  }
  to.check(are_presented, "a present succeeds or says that it would have to wait");
  to.check(are_done, "each query is done within two seconds",
           message{"longest ", static_cast<std::uint64_t>(longest_ms), " ms"});
  asking.check(to, call_limit_ms, "no GetData takes 250 ms");
}

void run_submit_stress(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  constexpr int presents = 200;
  const auto query = on.event_query();
  if (!query) return;
  int failed = 0;
  for (int i = 0; i < presents; ++i) {
    on.clear(i % 2 == 0 ? red : blue);
    failed += SUCCEEDED(query->Issue(D3DISSUE_END)) ? 0 : 1;
    const HRESULT result = on->PresentEx(nullptr, nullptr, nullptr, nullptr, D3DPRESENT_DONOTWAIT);
    failed += is_presented(result) ? 0 : 1;
  }
  to.check(failed == 0, "200 clears, queries and presents succeed", message{failed, " failed"});
  to.check(on.finish(), "and are done within two seconds");
}

void run_loop(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  constexpr int frames = 300;
  int failed = 0;
  for (int frame = 0; frame < frames; ++frame) {
    on.clear(red);
    const float at = static_cast<float>(frame % 40);
    on.draw(D3DPT_TRIANGLESTRIP, 2,
            std::array<screen_vertex, 4>{{{at, 20, 0.5f, 1, blue},
                                          {at + 20, 20, 0.5f, 1, blue},
                                          {at, 40, 0.5f, 1, blue},
                                          {at + 20, 40, 0.5f, 1, blue}}});
    failed += SUCCEEDED(on->PresentEx(nullptr, nullptr, nullptr, nullptr, 0)) ? 0 : 1;
  }
  to.check(failed == 0, "300 frames of a moving square are presented", message{failed, " failed"});
  call_clock clock;
  check_presents(on, to, clock);
}

void run_caps(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  D3DCAPS9 caps{};
  if (!on.works(on->GetDeviceCaps(&caps), "GetDeviceCaps succeeds")) return;
  to.check((caps.Caps2 & D3DCAPS2_CANSHARERESOURCE) != 0, "resources can be shared");
  to.check((caps.DevCaps & D3DDEVCAPS_HWTRANSFORMANDLIGHT) != 0, "vertices are transformed");
  to.check((caps.RasterCaps & D3DPRASTERCAPS_SCISSORTEST) != 0, "there is a scissor test");
  to.check((caps.ZCmpCaps & D3DPCMPCAPS_ALWAYS) != 0, "depth can be compared");
  to.check((caps.AlphaCmpCaps & D3DPCMPCAPS_ALWAYS) != 0, "alpha can be compared");
  to.check((caps.TextureCaps & D3DPTEXTURECAPS_POW2) == 0, "textures have any size");
  to.check(caps.VertexShaderVersion >= D3DVS_VERSION(2, 0), "vertex shaders are of 2.0 or later",
           message{hex{caps.VertexShaderVersion}});
  to.check(caps.PixelShaderVersion >= D3DPS_VERSION(2, 0), "pixel shaders are of 2.0 or later",
           message{hex{caps.PixelShaderVersion}});
  constexpr DWORD filters = D3DPTFILTERCAPS_MINFPOINT | D3DPTFILTERCAPS_MAGFPOINT |
                            D3DPTFILTERCAPS_MINFLINEAR | D3DPTFILTERCAPS_MAGFLINEAR;
  to.check((caps.StretchRectFilterCaps & filters) == filters, "StretchRect filters",
           message{hex{caps.StretchRectFilterCaps}});
  const DWORD coordinates = caps.FVFCaps & D3DFVFCAPS_TEXCOORDCOUNTMASK;
  to.check(coordinates >= 1 && coordinates <= 8, "vertices have one to eight coordinates",
           message{static_cast<std::uint32_t>(coordinates)});
  constexpr DWORD operations = D3DTEXOPCAPS_DISABLE | D3DTEXOPCAPS_SELECTARG1 |
                               D3DTEXOPCAPS_SELECTARG2 | D3DTEXOPCAPS_MODULATE | D3DTEXOPCAPS_ADD;
  to.check((caps.TextureOpCaps & operations) == operations, "stages have the usual operations",
           message{hex{caps.TextureOpCaps}});
}

/// Whatever the desktop's mode is: also one that no driver lists by itself.
void run_full_screen(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  D3DDISPLAYMODEEX mode{};
  mode.Size = sizeof mode;
  if (!on.needs(on.direct3d().GetAdapterDisplayModeEx(on.adapter(), &mode, nullptr),
                "GetAdapterDisplayModeEx succeeds"))
    return;
  to.note("the desktop's mode", message{static_cast<std::uint32_t>(mode.Width), " by ",
                                        static_cast<std::uint32_t>(mode.Height)});
  auto wanted = on.parameters();
  wanted.Windowed = FALSE;
  wanted.BackBufferWidth = mode.Width;
  wanted.BackBufferHeight = mode.Height;
  wanted.FullScreen_RefreshRateInHz = mode.RefreshRate;
  if (!on.works(on->ResetEx(&wanted, &mode), "ResetEx goes full-screen in the desktop's mode"))
    return;
  D3DDISPLAYMODEEX now{};
  now.Size = sizeof now;
  on.needs(on->GetDisplayModeEx(0, &now, nullptr), "GetDisplayModeEx succeeds");
  to.check(now.Width == mode.Width && now.Height == mode.Height, "which is the mode then");
  on.clear(green);
  on.shows(mode.Width - 1, mode.Height - 1, green, "the last pixel is drawn");
  on.works(on->PresentEx(nullptr, nullptr, nullptr, nullptr, 0), "PresentEx succeeds");
  auto windowed = on.parameters();
  on.works(on->ResetEx(&windowed, nullptr), "ResetEx goes back into the window");
  on.clear(blue);
  on.shows(stage::middle, stage::middle, blue, "where pixels are drawn again");
}

void run_validate(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  DWORD passes = 0;
  on.works(on->ValidateDevice(&passes), "ValidateDevice succeeds");
  to.check(passes >= 1, "what is set takes a pass", message{static_cast<std::uint32_t>(passes)});
}

void run_raster_status(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  constexpr double watched_ms = 1000;
  UINT least = ~0u, most = 0;
  int changes = 0;
  BOOL was_blank = FALSE;
  for (const double begin = now_ms(); now_ms() - begin < watched_ms;) {
    D3DRASTER_STATUS status{};
    if (!on.needs(on->GetRasterStatus(0, &status), "GetRasterStatus succeeds")) return;
    changes += status.InVBlank != was_blank ? 1 : 0;
    was_blank = status.InVBlank;
    least = std::min(least, status.ScanLine);
    most = std::max(most, status.ScanLine);
  }
  to.check(most > least, "the scan line moves",
           message{static_cast<std::uint32_t>(least), " to ", static_cast<std::uint32_t>(most)});
  to.check(changes >= 3, "blanks come and go", message{changes, " changes"});
}

void run_raster_pacing(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  D3DDISPLAYMODE mode{};
  if (!on.works(on->GetDisplayMode(0, &mode), "GetDisplayMode succeeds")) return;
  constexpr double watched_ms = 2000;
  std::uint32_t blanks = 0;
  BOOL was_blank = TRUE;
  for (const double begin = now_ms(); now_ms() - begin < watched_ms;) {
    D3DRASTER_STATUS status{};
    if (!on.needs(on->GetRasterStatus(0, &status), "GetRasterStatus succeeds")) return;
    blanks += status.InVBlank != FALSE && was_blank == FALSE ? 1 : 0;
    was_blank = status.InVBlank;
  }
  // A program that does not get the processor misses blanks, and sees none twice.
  const std::uint32_t expected = mode.RefreshRate * 2;
  to.check(
      blanks >= 3 && blanks <= expected + 2, "no more blanks come than the mode has",
      message{blanks, " in two seconds of ", static_cast<std::uint32_t>(mode.RefreshRate), " Hz"});
}

void run_dwm_flush(session&, report& to) {
  using flush_function = HRESULT(WINAPI*)();
  const HMODULE dwm = LoadLibraryA("dwmapi.dll");
  const auto flush = dwm != nullptr ? reinterpret_cast<flush_function>(reinterpret_cast<void (*)()>(
                                          GetProcAddress(dwm, "DwmFlush")))
                                    : nullptr;
  if (flush == nullptr || FindWindowA("Dwm", nullptr) == nullptr) {
    to.skip(message{"no desktop window manager runs here"});
    return;
  }
  constexpr int flushes = 120;
  constexpr double least_ms = 2, most_ms = 50;
  call_clock clock;
  int failed = 0;
  const double begin = now_ms();
  for (int i = 0; i < flushes; ++i) failed += SUCCEEDED(clock.time(flush)) ? 0 : 1;
  const double average_ms = (now_ms() - begin) / flushes;
  to.check(failed == 0, "each DwmFlush succeeds", message{failed, " failed"});
  to.check(average_ms > least_ms && average_ms < most_ms, "they keep the display's pace",
           message{static_cast<std::uint64_t>(average_ms * 1000), " us on average"});
  clock.check(to, call_limit_ms, "no DwmFlush takes 250 ms");
}

constexpr std::uint32_t device_limit_ms = 60'000;

}  // namespace

const guest_test d3d9ex_dwm_probe{"d3d9ex_dwm_probe", "Windows composes the desktop.",
                                  device_limit_ms, &run_dwm_probe, false};
const guest_test dwm_flush_pacing{"dwm_flush_pacing", "DwmFlush keeps the display's pace.",
                                  device_limit_ms, &run_dwm_flush, false};
const guest_test d3d9ex_dwm_ddi_sanity{"d3d9ex_dwm_ddi_sanity",
                                       "What the compositor asks of a device succeeds, and soon.",
                                       device_limit_ms, &run_dwm_ddi, false};
const guest_test d3d9ex_event_query{"d3d9ex_event_query",
                                    "An event is done after a flush, and not before.",
                                    device_limit_ms, &run_event_query, false};
const guest_test d3d9ex_query_latency{"d3d9ex_query_latency",
                                      "Queries are done in time at a latency of one frame.",
                                      device_limit_ms, &run_query_latency, false};
const guest_test d3d9ex_submit_fence_stress{
    "d3d9ex_submit_fence_stress", "200 presents that may not wait are submitted and done.",
    device_limit_ms, &run_submit_stress, false};
const guest_test d3d9ex_test{"d3d9ex_test", "300 frames are presented and counted.",
                             device_limit_ms, &run_loop, false};
const guest_test d3d9ex_full_screen{"d3d9ex_full_screen",
                                    "A device goes full-screen in the desktop's mode, and back.",
                                    device_limit_ms, &run_full_screen, false};
const guest_test d3d9_caps_smoke{"d3d9_caps_smoke",
                                 "The device can what programs take for granted.", device_limit_ms,
                                 &run_caps, false};
const guest_test d3d9_validate_device_sanity{"d3d9_validate_device_sanity",
                                             "ValidateDevice counts passes.", device_limit_ms,
                                             &run_validate, false};
const guest_test d3d9_raster_status_sanity{"d3d9_raster_status_sanity",
                                           "The scan line moves, and blanks come and go.",
                                           device_limit_ms, &run_raster_status, false};
const guest_test d3d9_raster_status_pacing{"d3d9_raster_status_pacing",
                                           "Blanks come at the display's rate.", device_limit_ms,
                                           &run_raster_pacing, false};

}  // namespace aerogpu::guest
