// SPDX-License-Identifier: MIT
/// \file The device over a backend of this process, with the command processor.
#pragma once

#include "aerogpu/device/device_model.hpp"
#include "aerogpu/processor/command_processor.hpp"

namespace aerogpu {

template <backend B>
struct processor_of<B> {
  using type = command_processor<B>;
};

}  // namespace aerogpu
