// SPDX-License-Identifier: MIT
#include "drivers/sim/runtime/process.hpp"

#include "drivers/sim/kernel/objects/handle_table.hpp"
#include "drivers/sim/kernel/objects/user_services.hpp"

namespace aerogpu::sim {

d3d9_process::d3d9_process(d3d9_runtime& of, std::uint32_t process_id)
    : runtime(of), id(process_id) {
  const process_scope here{id};
  D3DKMT_OPENADAPTERFROMGDIDISPLAYNAME opened{};
  if (NT_SUCCESS(D3DKMTOpenAdapterFromGdiDisplayName(&opened))) adapter_ = opened.hAdapter;
}

d3d9_process::~d3d9_process() {
  if (adapter_ == 0) return;
  const process_scope here{id};
  const D3DKMT_CLOSEADAPTER closed{adapter_};
  static_cast<void>(D3DKMTCloseAdapter(&closed));
}

auto d3d9_process::duplicate_share(D3DKMT_HANDLE share, d3d9_process& to) -> D3DKMT_HANDLE {
  return sim::duplicate_share(id, share, to.id);
}

void d3d9_process::close_share(D3DKMT_HANDLE share) {
  sim::close_share(id, share);
}

void d3d9_process::terminate() {
  is_terminated_.store(true);
  const bool is_gone = terminate_process(id);
  is_terminated_.store(is_gone);
  if (is_gone) adapter_ = 0;
}

}  // namespace aerogpu::sim
