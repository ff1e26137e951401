// SPDX-License-Identifier: MIT
/// \file What the program tells its caller.
#pragma once

namespace aerogpu::tool {

enum exit_code : int {
  exit_fine = 0,
  exit_stream_has_errors = 1,  ///< Or a recording or a shader; also: two inputs differ.
  exit_cannot = 2,             ///< Wrong usage, or a file that cannot be read or written.
};

}  // namespace aerogpu::tool
