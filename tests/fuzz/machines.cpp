// SPDX-License-Identifier: MIT
// What the machines of several targets take long to compile, once.
#include "tests/fuzz/device_machine.hpp"
#include "tests/fuzz/processor_machine.hpp"

template class aerogpu::device<aerogpu::fuzz::device_ram, aerogpu::null_backend>;
template class aerogpu::command_processor<aerogpu::fuzz::watched_backend>;
