// SPDX-License-Identifier: MIT
/// \file Whose rights a caller has.
#pragma once

namespace aerogpu::kmd::nt {

/// SECURITY_IMPERSONATION_LEVEL: from here on a server may act as its client.
inline constexpr int security_impersonation = 2;

/// The token of a captured subject whose rights the caller has. A client that is only to be
/// identified lends none, as SePrivilegeCheck has it: nullptr.
[[nodiscard]] constexpr auto acting_token(void* client, int impersonation_level,
                                          void* primary) noexcept -> void* {
  if (client == nullptr) return primary;
  return impersonation_level >= security_impersonation ? client : nullptr;
}

}  // namespace aerogpu::kmd::nt
