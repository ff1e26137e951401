// SPDX-License-Identifier: MIT
/// \file Instead of tools/aerogpu/files/png_file.cpp, where libpng is not there.
#include "tools/aerogpu/files/png_file.hpp"

namespace aerogpu::tool {

auto write_png(const std::string& path, const_bytes, std::uint32_t, std::uint32_t, std::string& why)
    -> bool {
  why = path + ": this program is built without libpng";
  return false;
}

}  // namespace aerogpu::tool
