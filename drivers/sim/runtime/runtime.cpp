// SPDX-License-Identifier: MIT
#include "drivers/sim/runtime/runtime.hpp"

#include "drivers/sim/runtime/tokens.hpp"

#include <utility>

namespace aerogpu::sim {

d3d9_runtime::d3d9_runtime(user_driver loaded, runtime_options chosen)
    : rules(chosen.watches_memory), driver(loaded), options(std::move(chosen)) {}

d3d9_runtime::~d3d9_runtime() {
  forget_tokens(rules);
}

}  // namespace aerogpu::sim
