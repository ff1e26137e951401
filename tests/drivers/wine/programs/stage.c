// SPDX-License-Identifier: MIT
// A DLL that gives a program of others a clock that follows its frames, and stops it at one of
// them.
//
// What the program imports is replaced in its import table, what it asks of Direct3D 9 is left as
// it is. The clock stands still within a frame, so that frame N shows the same on every machine.
// After AEROGPU_STAGE_FRAME presents the program waits for its picture to be taken, for as long as
// the file AEROGPU_STAGE_HOLD exists; then its window is told to close.
#define COBJMACROS
#include <d3d9.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <windows.h>

enum {
  frames_per_second = 60,
  patience_ms = 20,
  settle_ms = 400,          // Wine moves what GDI drew to the display some time later.
  reads_of_one_ms = 10000,  // A program that waits for the clock must not wait for ever.
  first_second = 1000,
};

typedef HRESULT(WINAPI* create_device_function)(IDirect3D9*, UINT, D3DDEVTYPE, HWND, DWORD,
                                                D3DPRESENT_PARAMETERS*, IDirect3DDevice9**);
typedef HRESULT(WINAPI* device_present_function)(IDirect3DDevice9*, const RECT*, const RECT*, HWND,
                                                 const RGNDATA*);
typedef HRESULT(WINAPI* chain_present_function)(IDirect3DSwapChain9*, const RECT*, const RECT*,
                                                HWND, const RGNDATA*, DWORD);

static create_device_function create_device;
static device_present_function device_present;
static chain_present_function chain_present;
static IDirect3D9*(WINAPI* create_direct3d)(UINT);

static volatile LONG64 slept_ms, reads;
static LONG64 began;
static unsigned presents, failures, depth, last_present;
static HWND window;

static LONG64 frequency(void) {
  LARGE_INTEGER found;
  QueryPerformanceFrequency(&found);
  return found.QuadPart;
}

static LONG64 real_clock(void) {
  LARGE_INTEGER now;
  QueryPerformanceCounter(&now);
  return now.QuadPart;
}

/// Microseconds since the program's clock began.
static LONG64 clock_us(void) {
  const LONG64 waited_ms = InterlockedIncrement64(&reads) / reads_of_one_ms;
  return first_second * 1000000LL + presents * 1000000LL / frames_per_second +
         (slept_ms + waited_ms) * 1000;
}

static BOOL WINAPI stage_performance_counter(LARGE_INTEGER* counter) {
  counter->QuadPart = (LONG64)((double)clock_us() * (double)frequency() / 1e6);
  return TRUE;
}

static DWORD WINAPI stage_milliseconds(void) {
  return (DWORD)(clock_us() / 1000);
}

static void WINAPI stage_sleep(DWORD milliseconds) {
  if (milliseconds != INFINITE) InterlockedAdd64(&slept_ms, milliseconds);
  SwitchToThread();
}

static time_t stage_time(time_t* out) {
  const time_t now = (time_t)(clock_us() / 1000000);
  if (out) *out = now;
  return now;
}

/// Answers sent messages and lets Wine draw; what is posted stays for the program.
static void idle(void) {
  MSG message;
  PeekMessageW(&message, NULL, 0, 0, PM_NOREMOVE);
  GdiFlush();
  Sleep(patience_ms);
}

static void begin(void) {
  window = GetAncestor(window, GA_ROOT);
  SetWindowPos(window, HWND_TOP, 0, 0, 0, 0, SWP_NOSIZE);
  SetCursorPos(GetSystemMetrics(SM_CXSCREEN) - 1, GetSystemMetrics(SM_CYSCREEN) - 1);
  began = real_clock();
}

static void stop(HWND drawn) {
  const char* hold = getenv("AEROGPU_STAGE_HOLD");
  const double ms = (double)(real_clock() - began) * 1000 / (double)frequency();
  RECT client;
  POINT corner = {0, 0};
  unsigned waited;
  for (waited = 0; waited < settle_ms; waited += patience_ms) idle();
  GetClientRect(drawn, &client);
  ClientToScreen(drawn, &corner);
  printf("\nstage: at %ld %ld size %ld %ld failures %u ms %.3f\n", corner.x, corner.y, client.right,
         client.bottom, failures, presents > 1 ? ms / (presents - 1) : ms);
  fflush(stdout);
  while (hold && GetFileAttributesA(hold) != INVALID_FILE_ATTRIBUTES) idle();
  PostMessageW(window, WM_CLOSE, 0, 0);
}

static void presented(HRESULT result, HWND drawn) {
  if (FAILED(result)) ++failures;
  ++presents;
  if (presents == 1) begin();
  if (presents == last_present) stop(drawn);
}

static HRESULT WINAPI stage_chain_present(IDirect3DSwapChain9* chain, const RECT* source,
                                          const RECT* target, HWND over, const RGNDATA* dirty,
                                          DWORD flags) {
  D3DPRESENT_PARAMETERS parameters;
  HRESULT result;
  ++depth;
  result = chain_present(chain, source, target, over, dirty, flags);
  if (--depth > 0 || FAILED(IDirect3DSwapChain9_GetPresentParameters(chain, &parameters)))
    return result;
  presented(result, over ? over : parameters.hDeviceWindow);
  return result;
}

static HRESULT WINAPI stage_device_present(IDirect3DDevice9* device, const RECT* source,
                                           const RECT* target, HWND over, const RGNDATA* dirty) {
  D3DDEVICE_CREATION_PARAMETERS parameters;
  HRESULT result;
  ++depth;
  result = device_present(device, source, target, over, dirty);
  if (--depth > 0 || FAILED(IDirect3DDevice9_GetCreationParameters(device, &parameters)))
    return result;
  presented(result, over ? over : window ? window : parameters.hFocusWindow);
  return result;
}

/// Writes to memory that may be read-only, once; gives what was there.
static void* replace(void** place, void* by) {
  DWORD protection;
  void* before = *place;
  if (before == by || !VirtualProtect(place, sizeof *place, PAGE_READWRITE, &protection))
    return NULL;
  *place = by;
  VirtualProtect(place, sizeof *place, protection, &protection);
  return before;
}

#define REPLACE_METHOD(original, object, method, by)                        \
  do {                                                                      \
    void* before = replace((void**)&(object)->lpVtbl->method, (void*)(by)); \
    if (before) *(void**)&(original) = before;                              \
  } while (0)

static HRESULT WINAPI stage_create_device(IDirect3D9* direct3d, UINT adapter, D3DDEVTYPE type,
                                          HWND focus, DWORD flags,
                                          D3DPRESENT_PARAMETERS* parameters,
                                          IDirect3DDevice9** device) {
  IDirect3DSwapChain9* chain;
  const HRESULT result = create_device(direct3d, adapter, type, focus, flags, parameters, device);
  if (FAILED(result)) return result;
  window = parameters->hDeviceWindow ? parameters->hDeviceWindow : focus;
  REPLACE_METHOD(device_present, *device, Present, stage_device_present);
  if (SUCCEEDED(IDirect3DDevice9_GetSwapChain(*device, 0, &chain))) {
    REPLACE_METHOD(chain_present, chain, Present, stage_chain_present);
    IDirect3DSwapChain9_Release(chain);
  }
  return result;
}

static IDirect3D9* WINAPI stage_create_direct3d(UINT version) {
  IDirect3D9* direct3d = create_direct3d(version);
  if (direct3d) REPLACE_METHOD(create_device, direct3d, CreateDevice, stage_create_device);
  return direct3d;
}

static FARPROC WINAPI stage_get_address(HMODULE module, LPCSTR name) {
  const FARPROC found = GetProcAddress(module, name);
  if (!found || IS_INTRESOURCE(name) || strcmp(name, "Direct3DCreate9") != 0) return found;
  *(FARPROC*)&create_direct3d = found;
  return (FARPROC)(void*)stage_create_direct3d;
}

static const struct {
  const char* name;
  void* by;
} stand_ins[] = {
    {"Direct3DCreate9", (void*)stage_create_direct3d},
    {"GetProcAddress", (void*)stage_get_address},
    {"GetTickCount", (void*)stage_milliseconds},
    {"QueryPerformanceCounter", (void*)stage_performance_counter},
    {"Sleep", (void*)stage_sleep},
    {sizeof(time_t) == 8 ? "_time64" : "_time32", (void*)stage_time},
    {"time", (void*)stage_time},
    {"timeGetTime", (void*)stage_milliseconds},
};

static void replace_import(const char* name, void** place) {
  size_t i;
  for (i = 0; i < sizeof stand_ins / sizeof *stand_ins; ++i) {
    if (strcmp(name, stand_ins[i].name) != 0) continue;
    if (stand_ins[i].by == (void*)stage_create_direct3d) *(void**)&create_direct3d = *place;
    replace(place, stand_ins[i].by);
  }
}

/// Each import by name of the program itself.
static void replace_imports(BYTE* image) {
  const IMAGE_NT_HEADERS* headers =
      (const IMAGE_NT_HEADERS*)(image + ((const IMAGE_DOS_HEADER*)image)->e_lfanew);
  const IMAGE_IMPORT_DESCRIPTOR* library =
      (const IMAGE_IMPORT_DESCRIPTOR*)(image + headers->OptionalHeader
                                                   .DataDirectory[IMAGE_DIRECTORY_ENTRY_IMPORT]
                                                   .VirtualAddress);
  for (; library->FirstThunk; ++library) {
    const IMAGE_THUNK_DATA* names = (const IMAGE_THUNK_DATA*)(image + library->OriginalFirstThunk);
    void** places = (void**)(image + library->FirstThunk);
    for (; names->u1.AddressOfData; ++names, ++places)
      if (!IMAGE_SNAP_BY_ORDINAL(names->u1.Ordinal))
        replace_import(
            (const char*)((IMAGE_IMPORT_BY_NAME*)(image + names->u1.AddressOfData))->Name, places);
  }
}

/// What a program's link refers to, so that it loads this library.
__declspec(dllexport) void stage(void) {}

BOOL WINAPI DllMain(HINSTANCE self, DWORD reason, void* reserved) {
  const char* frame = getenv("AEROGPU_STAGE_FRAME");
  (void)self;
  (void)reserved;
  if (reason != DLL_PROCESS_ATTACH || !frame) return TRUE;
  last_present = (unsigned)atoi(frame);
  replace_imports((BYTE*)GetModuleHandleW(NULL));
  return TRUE;
}
