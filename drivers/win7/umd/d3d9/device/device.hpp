// SPDX-License-Identifier: MIT
/// \file One Direct3D device: the parts that its calls work on, behind one mutex.
#pragma once

#include "drivers/win7/umd/d3d9/adapter/adapter.hpp"
#include "drivers/win7/umd/d3d9/core/biased_mutex.hpp"
#include "drivers/win7/umd/d3d9/core/object_list.hpp"
#include "drivers/win7/umd/d3d9/device/device_loss.hpp"
#include "drivers/win7/umd/d3d9/draw/draw_memory.hpp"
#include "drivers/win7/umd/d3d9/draw/patches/patch_cache.hpp"
#include "drivers/win7/umd/d3d9/draw/shader_selection.hpp"
#include "drivers/win7/umd/d3d9/fixed/constant_file.hpp"
#include "drivers/win7/umd/d3d9/present/cursor.hpp"
#include "drivers/win7/umd/d3d9/present/presentation.hpp"
#include "drivers/win7/umd/d3d9/present/swap_chain.hpp"
#include "drivers/win7/umd/d3d9/query/query.hpp"
#include "drivers/win7/umd/d3d9/resource/resource_set.hpp"
#include "drivers/win7/umd/d3d9/shader/fvf.hpp"
#include "drivers/win7/umd/d3d9/state/device_state.hpp"
#include "drivers/win7/umd/d3d9/state/kept_values.hpp"
#include "drivers/win7/umd/d3d9/state/state_blocks.hpp"
#include "drivers/win7/umd/d3d9/submit/recorder.hpp"
#include "drivers/win7/umd/d3d9/submit/runtime.hpp"

#include <array>

namespace aerogpu::umd {

/// What an entry point works on. The order of locks is adapter, then device. A room of the driver
/// is functions that take a `device&`; what a room keeps is a class of its own, a member here.
class device {
 public:
  device(umd::adapter& owner, umd::runtime& callbacks) noexcept
      : adapter(owner), runtime(callbacks), commands(callbacks, loss) {
    reset_state(state);
  }
  device(const device&) = delete;
  auto operator=(const device&) -> device& = delete;

  umd::adapter& adapter;
  umd::runtime& runtime;
  biased_mutex mutex;  ///< Guards the callbacks of `runtime`, and everything below but `loss`,
                       ///< `queries`, `presents.count()` and the known fences of
                       ///< `commands.completion()`.
  device_loss loss;
  recorder commands;
  device_state state;
  state_blocks blocks;
  kept_values kept;
  fvf_declarations fvf;
  std::array<fixed::constant_file, 2> host_floats{};  ///< By stage.
  shader_selection shaders{*this};
  draw_scratch scratch;
  patch_cache patches;
  query_epoch queries;  ///< Any thread.
  resource_set resources;
  object_list<shader> application_shaders;
  object_list<vertex_declaration> declarations;
  object_list<event_query> event_queries;
  swap_chain_set swap_chains;
  presentation presents;
  device_cursor cursor;
};

/// Makes the context and begins recording; what was made is unmade on failure (umd-d3d9.md 2.3).
/// Errors of the callbacks; E_FAIL when the context has no room for a packet.
[[nodiscard]] auto start_device(device& starting) noexcept -> HRESULT;
/// Submits what is recorded, waits within the limit of 4.8, and ends the context. Also when lost.
void stop_device(device& stopping) noexcept;

}  // namespace aerogpu::umd
