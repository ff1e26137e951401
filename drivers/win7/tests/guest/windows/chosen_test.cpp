// SPDX-License-Identifier: MIT
// Compiled for each program; AEROGPU_GUEST_TEST names its test.
#include "drivers/win7/tests/guest/windows/chosen_test.hpp"

namespace aerogpu::guest {

extern const guest_test AEROGPU_GUEST_TEST;
const guest_test& chosen_test = AEROGPU_GUEST_TEST;

}  // namespace aerogpu::guest
