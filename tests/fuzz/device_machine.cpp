// SPDX-License-Identifier: MIT
// What several targets take long to compile, once.
#include "tests/fuzz/device_machine.hpp"

template class aerogpu::device<aerogpu::fuzz::device_ram, aerogpu::null_backend>;
