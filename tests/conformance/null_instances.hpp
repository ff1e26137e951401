// SPDX-License-Identifier: MIT
/// \file What every case needs of device and processor over the null backend, made in one unit.
/// Without this the compiler makes all of it again for each header of the suite.
#pragma once

#include "tests/conformance/backends.hpp"
#include "tests/conformance/device/device_rig.hpp"
#include "tests/conformance/processor/processor_host.hpp"
#include "tests/support/processors/failing_processor.hpp"
#include "tests/support/processors/null_processor.hpp"

#define AEROGPU_NULL_INSTANCES(make)                                              \
  make class aerogpu::device<aerogpu::test::fake_machine, aerogpu::null_backend>; \
  make class aerogpu::test::device_harness<aerogpu::null_backend>;                \
  make class aerogpu::conformance::processor_rig<aerogpu::null_backend>;          \
  make class aerogpu::conformance::processor_host<aerogpu::null_backend>

AEROGPU_NULL_INSTANCES(extern template);
