// SPDX-License-Identifier: MIT
#include "drivers/sim/runtime/portable/device.hpp"

#include <string>

namespace aerogpu::sim {
namespace {

thread_local portable_device* this_threads_creation = nullptr;

template <class... Arguments>
auto APIENTRY not_portable(HANDLE, Arguments...) -> HRESULT {
  return D3DERR_NOTAVAILABLE;
}
template <class... Arguments>
void refuse(HRESULT(APIENTRY*& entry)(HANDLE, Arguments...)) {
  entry = &not_portable<Arguments...>;
}

}  // namespace

portable_device::portable_device(ddi_device& of, std::uint32_t flags) : runtime(of), flags_(flags) {
  of.portable = this;
}

portable_device::~portable_device() {
  runtime.portable = nullptr;
}

auto portable_device::in_creation() noexcept -> portable_device* {
  return this_threads_creation;
}

auto portable_device::get_extended_entries(const u::D3D9DDI_ADAPTERFUNCS& adapter,
                                           u::D3D9DDI_HADAPTER of) -> HRESULT {
  extended_.get()->Size = sizeof(u::D3D9DDI_EXTENDEDFUNCS);
  const u::D3D9DDIARG_QUERYADAPTERINFO asked{u::info_extended_functions, extended_.get(),
                                             sizeof(u::D3D9DDI_EXTENDEDFUNCS)};
  lent<u::D3D9DDIARG_QUERYADAPTERINFO> passed{rules(), asked, "QueryAdapterInfo"};
  HRESULT result = E_FAIL;
  {
    const auto inside = enter("QueryAdapterInfo");
    result = adapter.pfnQueryAdapterInfo(of, passed.get());
  }
  static_cast<void>(passed.take());
  return result;
}

auto portable_device::create(const u::D3D9DDI_ADAPTERFUNCS& adapter, u::D3D9DDI_HADAPTER of)
    -> HRESULT {
  if (const auto got = get_extended_entries(adapter, of); FAILED(got)) return got;
  callbacks_ = portable_callbacks(how());
  const auto bit = how().routes.has_present_bit ? u::device_flag_render_presents : 0;
  const u::D3D9DDIARG_CREATEDEVICE argument{of, {}, flags_ | bit, &callbacks_};
  lent<u::D3D9DDIARG_CREATEDEVICE> passed{rules(), argument, "CreateDevice"};
  HRESULT result = E_FAIL;
  this_threads_creation = this;
  {
    const auto inside = enter("CreateDevice");
    result = adapter.pfnCreateDevice(passed.get(), functions_.get());
  }
  this_threads_creation = nullptr;
  driver_ = passed.take(&u::D3D9DDIARG_CREATEDEVICE::hDevice).hDevice;
  spoil(callbacks_);
  if (FAILED(result)) return result;
  if (driver_.pDrvPrivate == nullptr)
    runtime.breach(contract_rule::missing_handle, "CreateDevice", "succeeded without a handle");
  check_tables();
  return result;
}

void portable_device::check_tables() {
  if (functions_.is_overrun() || extended_.is_overrun())
    runtime.breach(contract_rule::table_overrun, "CreateDevice", "wrote behind a portable table");
  const auto check = [&](std::size_t missing, std::size_t entries, const char* which) {
    if (missing == entries) return;
    runtime.breach(contract_rule::missing_entry, "CreateDevice",
                   "left entry " + std::to_string(missing) + which);
  };
  check(functions_.first_missing(), functions_.entries, " of the portable table NULL");
  check(extended_.first_missing(1), extended_.entries, " of the extended table NULL");
}

auto portable_device::destroy() -> HRESULT {
  const auto result = call<&u::D3D9DDI_DEVICEFUNCS::pfnDestroyDevice>();
  if (has_kernel_device_)
    runtime.breach(contract_rule::leaked_object, "DestroyDevice", "left its kernel device behind");
  return result;
}

void portable_device::fill(D3DDDI_DEVICEFUNCS& table) {
#define AEROGPU_REFUSE(index, name, stack_bytes, plan) refuse(table.pfn##name);
  AEROGPU_D3DDDI_DEVICE_ENTRIES(AEROGPU_REFUSE)
#undef AEROGPU_REFUSE
  add_portable_states(table);
  add_portable_shaders(table);
  add_portable_draws(table);
  add_portable_resources(table);
  add_portable_copies(table);
  add_portable_presents(table);
}

}  // namespace aerogpu::sim
