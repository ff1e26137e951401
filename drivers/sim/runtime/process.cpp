#include "drivers/sim/runtime/process.hpp"

#include "drivers/sim/kernel/handle_table.hpp"
#include "drivers/sim/kernel/thunks.hpp"
#include "drivers/sim/kernel/windows.hpp"

#include <utility>

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
  auto* const here = windows::current();
  if (here == nullptr || !here->is_running()) return 0;
  return here->session().objects.duplicate_share(id, share, to.id);
}

void d3d9_process::close_share(D3DKMT_HANDLE share) {
  auto* const here = windows::current();
  if (here == nullptr || !here->is_running()) return;
  auto& objects = here->session().objects;
  auto& self = objects.process_of(id);
  const process_scope inside{id};
  const std::lock_guard hold{self.mutex};
  objects.close_share(self, share);
}

void d3d9_process::terminate() {
  auto* const here = windows::current();
  if (here == nullptr || !here->is_running()) return;
  is_terminated_.store(true);
  here->session().objects.terminate(id);
  adapter_ = 0;
}

}  // namespace aerogpu::sim
