// SPDX-License-Identifier: MIT
/// \file The test that a program is.
#pragma once

namespace aerogpu::guest {

struct guest_test;

/// Of this program alone; everything else is compiled once for all of them.
extern const guest_test& chosen_test;

}  // namespace aerogpu::guest
