// SPDX-License-Identifier: MIT
/// \file A loaded DLL whose system lacks something.
#pragma once

namespace aerogpu::test {

/// From now on the DLL's calls of ConvertStringSecurityDescriptorToSecurityDescriptorA fail. False
/// when it is not loaded, or imports no such function.
[[nodiscard]] auto withhold_security_strings(const char* dll) -> bool;

}  // namespace aerogpu::test
