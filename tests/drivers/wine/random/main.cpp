// SPDX-License-Identifier: MIT
// Random programs on whatever d3d9.dll there is: FIRST COUNT FOLDER [STEPS].
//
// Writes FOLDER\SEED.ppm for each of COUNT seeds from FIRST on, for random_programs.py to compare.
#include "tests/drivers/d3d9/random/random_program.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

using namespace aerogpu::test;

constexpr UINT width = random_program::width, height = random_program::height;

void check(HRESULT result, const char* what) {
  if (SUCCEEDED(result)) return;
  std::fprintf(stderr, "random: %s: 0x%08lx\n", what, static_cast<unsigned long>(result));
  std::exit(1);
}

/// Rows of RGB, from the back buffer.
[[nodiscard]] auto picture_of(IDirect3DDevice9Ex& device) -> std::vector<unsigned char> {
  IDirect3DSurface9 *target = nullptr, *copy = nullptr;
  check(device.GetBackBuffer(0, 0, D3DBACKBUFFER_TYPE_MONO, &target), "GetBackBuffer");
  check(device.CreateOffscreenPlainSurface(width, height, D3DFMT_X8R8G8B8, D3DPOOL_SYSTEMMEM, &copy,
                                           nullptr),
        "CreateOffscreenPlainSurface");
  check(device.GetRenderTargetData(target, copy), "GetRenderTargetData");
  D3DLOCKED_RECT locked{};
  check(copy->LockRect(&locked, nullptr, D3DLOCK_READONLY), "LockRect");
  std::vector<unsigned char> picture;
  for (UINT y = 0; y < height; ++y) {
    const auto* const row =
        static_cast<const unsigned char*>(locked.pBits) + y * static_cast<UINT>(locked.Pitch);
    for (UINT x = 0; x < width; ++x)
      picture.insert(picture.end(), {row[4 * x + 2], row[4 * x + 1], row[4 * x]});
  }
  copy->UnlockRect();
  copy->Release();
  target->Release();
  return picture;
}

/// The picture that a seed's program leaves.
[[nodiscard]] auto run(IDirect3D9Ex& direct3d, HWND window, unsigned long seed, unsigned steps)
    -> std::vector<unsigned char> {
  auto wanted = random_program::parameters(window);
  wanted.EnableAutoDepthStencil = TRUE;
  wanted.AutoDepthStencilFormat = D3DFMT_D24S8;
  IDirect3DDevice9Ex* device = nullptr;
  check(direct3d.CreateDeviceEx(D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, window,
                                D3DCREATE_HARDWARE_VERTEXPROCESSING, &wanted, nullptr, &device),
        "CreateDeviceEx");
  device->Clear(0, nullptr, D3DCLEAR_ZBUFFER, 0, 1, 0);
  {
    seeded_choices choose{seed};
    random_program program{*device, window, choose, program_kind::comparable};
    program.run(steps);
  }
  auto picture = picture_of(*device);
  device->Release();
  return picture;
}

}  // namespace

int main(int count, char** words) {
  if (count != 4 && count != 5) {
    std::fprintf(stderr, "usage: random FIRST COUNT FOLDER [STEPS]\n");
    return 2;
  }
  const auto first = std::strtoul(words[1], nullptr, 10),
             programs = std::strtoul(words[2], nullptr, 10);
  const auto steps = static_cast<unsigned>(count == 5 ? std::strtoul(words[4], nullptr, 10) : 150);
  const HWND window = CreateWindowA("static", "random", WS_POPUP | WS_VISIBLE, 0, 0, width, height,
                                    nullptr, nullptr, nullptr, nullptr);
  IDirect3D9Ex* direct3d = nullptr;
  check(Direct3DCreate9Ex(D3D_SDK_VERSION, &direct3d), "Direct3DCreate9Ex");
  for (auto seed = first; seed < first + programs; ++seed) {
    const auto picture = run(*direct3d, window, seed, steps);
    const auto path = std::string{words[3]} + "\\" + std::to_string(seed) + ".ppm";
    std::FILE* const file = std::fopen(path.c_str(), "wb");
    if (file == nullptr) return 1;
    std::fprintf(file, "P6 %u %u 255\n", width, height);
    std::fwrite(picture.data(), 1, picture.size(), file);
    std::fclose(file);
    std::printf("%lu\n", seed);
    std::fflush(stdout);
  }
  direct3d->Release();
  return 0;
}
