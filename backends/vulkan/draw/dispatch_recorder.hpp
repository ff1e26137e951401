// SPDX-License-Identifier: MIT
/// \file Dispatches of the guest as commands of the open batch.
#pragma once

#include "aerogpu/backend/draw.hpp"
#include "vulkan/draw/draw_pieces.hpp"
#include "vulkan/programs/dxbc_bindings.hpp"
#include "vulkan/programs/program_sources.hpp"

namespace aerogpu::vulkan {

class dispatch_recorder {
 public:
  explicit dispatch_recorder(const program_sources& from) noexcept : from_(from), bindings_(from) {}

  /// Runs the next groups of what is left of a dispatch. Preconditions: a batch is open; the
  /// processor's checks passed; something is left. Errors: unsupported for stages other than
  /// compute and for what the device lacks; out_of_memory, device_lost.
  [[nodiscard]] auto dispatch(const dispatch_call<vulkan_backend>& call, dispatch_rest& left)
      -> result<void>;

 private:
  program_sources from_;
  dxbc_bindings bindings_;
};

}  // namespace aerogpu::vulkan
