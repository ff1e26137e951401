// SPDX-License-Identifier: MIT
#include "tests/fuzz/api_run.hpp"

#include "drivers/wine/d3d9/api/flags.hpp"
#include "drivers/wine/d3d9/root/direct3d.hpp"

namespace aerogpu::fuzz {
namespace {

constexpr unsigned most_steps = 200;

class input_choices final : public test::choices {
 public:
  explicit input_choices(input& in) : in_(in) {}
  /// A byte for what is small, as most is; four for what is anything.
  auto u32() -> std::uint32_t override {
    const auto first = in_.u8();
    return first < 0xF0 ? first : in_.u32();
  }
  auto is_over() -> bool override { return in_.empty(); }

 private:
  input& in_;
};

}  // namespace

void api_run::run() {
  run_program();
  faults_ += machine_.rejections();
  machine_.runtime.faults.stop();
  faults_ += machine_.end();
}

void api_run::run_program() {
  const HWND window = test::window_number(0x10);
  constexpr LONG wide = test::random_program::width, high = test::random_program::height;
  desktop_.open(window, {0, 0, wide, high});
  desktop_.has_share_objects = in_.u8() % 2 == 0;
  auto* const direct3d = d3d9::direct3d::make({*machine_.process, desktop_}, true);
  claim(direct3d != nullptr, "there is a Direct3D");
  auto wanted = test::random_program::parameters(window);
  wanted.EnableAutoDepthStencil = in_.u8() % 2;
  wanted.AutoDepthStencilFormat = D3DFMT_D24S8;
  test::d3d9_device* device = nullptr;
  const auto made =
      direct3d->CreateDeviceEx(0, D3DDEVTYPE_HAL, window, d3d9::create_hardware_vertex_processing,
                               &wanted, nullptr, &device);
  claim(made >= 0, "there is a device");
  {
    input_choices choose{in_};
    test::random_program program{*device, window, choose, test::program_kind::wild};
    program.run(most_steps);
    successes_ = program.successes();
    static_cast<void>(device->SetRenderTarget(0, nullptr));
  }
  if (device->Release() != 0) faults_ += "the device has references left\n";
  if (direct3d->Release() != 0) faults_ += "Direct3D has references left\n";
}

}  // namespace aerogpu::fuzz
