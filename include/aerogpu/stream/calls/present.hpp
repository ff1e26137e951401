// SPDX-License-Identifier: MIT
/// \file Writer calls that present and share surfaces.
#pragma once

#include "aerogpu/abi/cmd_present.h"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/core/result.hpp"

#include <cstdint>

namespace aerogpu {

/// Mixed into `stream_writer`, which brings `write` and states the errors.
template <class Writer>
class present_calls {
 public:
  /// `flags` are aerogpu_present_flags; `scanout_id` is 0.
  [[nodiscard]] auto present(std::uint32_t scanout_id, std::uint32_t flags) noexcept
      -> result<void> {
    return writer().write(aerogpu_cmd_present{{}, scanout_id, flags});
  }
  /// `d3d9_present_flags` is the dwFlags of PresentEx, as it came.
  [[nodiscard]] auto present_ex(std::uint32_t scanout_id, std::uint32_t flags,
                                std::uint32_t d3d9_present_flags) noexcept -> result<void> {
    return writer().write(aerogpu_cmd_present_ex{{}, scanout_id, flags, d3d9_present_flags, 0});
  }

  [[nodiscard]] auto export_shared_surface(resource_handle resource, share_token token) noexcept
      -> result<void> {
    return writer().write(aerogpu_cmd_export_shared_surface{{}, raw(resource), 0, raw(token)});
  }
  [[nodiscard]] auto import_shared_surface(resource_handle alias, share_token token) noexcept
      -> result<void> {
    return writer().write(aerogpu_cmd_import_shared_surface{{}, raw(alias), 0, raw(token)});
  }
  [[nodiscard]] auto release_shared_surface(share_token token) noexcept -> result<void> {
    return writer().write(aerogpu_cmd_release_shared_surface{{}, raw(token), 0});
  }

 private:
  [[nodiscard]] auto writer() noexcept -> Writer& { return static_cast<Writer&>(*this); }
};

}  // namespace aerogpu
