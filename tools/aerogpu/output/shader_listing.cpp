// SPDX-License-Identifier: MIT
#include "tools/aerogpu/output/shader_listing.hpp"

#include "d3d9_to_spirv/assembly/disassemble.hpp"
#include "d3d9_to_spirv/program.hpp"
#include "tools/aerogpu/terminal/console.hpp"

namespace aerogpu::tool {

auto is_d3d9_shader(const_bytes code) -> bool {
  return code.size() >= 4 && d3d9::is_version_token(load<std::uint32_t>(code.data()));
}

auto list_shader(const_bytes code, std::string& why) -> std::optional<std::string> {
  const auto shader = d3d9::parse(code);
  if (shader) return d3d9::disassemble_listing(*shader);
  const error& wrong = shader.why();
  why = "token " + decimal(wrong.offset / 4) + ": " + wrong.what;
  if (wrong.detail != 0) why += " (" + hex(wrong.detail) + ")";
  return std::nullopt;
}

}  // namespace aerogpu::tool
