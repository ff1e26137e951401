// SPDX-License-Identifier: MIT
#include "d3d9_to_spirv/assembly/assemble.hpp"
#include "d3d9_to_spirv/program.hpp"
#include "examples/aero_desktop/guest/shader_text.hpp"
#ifdef AERO_DESKTOP_TRANSLATES
#include "d3d9_to_spirv/translate.hpp"
#endif

namespace desktop {

namespace {

using namespace aerogpu;

auto describe(const shader_source& source, const char* step, const error& why) -> std::string {
  return "shader " + std::string{source.name} + " " + step + ": " + why.what + " (" +
         std::to_string(why.detail) + ")";
}

/// What a host makes of the byte code; where the translator is not built, parsing is all.
auto check(const shader_source& source, const std::vector<std::uint32_t>& code, std::string& why)
    -> bool {
  const auto program = d3d9::parse(std::as_bytes(std::span{code}));
  if (!program) {
    why = describe(source, "does not parse", program.why());
    return false;
  }
#ifdef AERO_DESKTOP_TRANSLATES
  if (const auto made = d3d9::translate(*program); !made) {
    why = describe(source, "does not translate", made.why());
    return false;
  }
#endif
  return true;
}

}  // namespace

auto source_of(shader which) -> const shader_source& {
  auto index = static_cast<std::size_t>(which);
  for (const auto list : {drawing_shaders(), desktop_shaders()}) {
    if (index < list.size()) return list[index];
    index -= list.size();
  }
  return program_shaders()[index];
}

auto assemble_shaders(std::string& why) -> std::optional<shader_library> {
  shader_library library;
  for (std::size_t i = 0; i < shader_count; ++i) {
    const shader_source& source = source_of(static_cast<shader>(i));
    std::string text;
    for (const std::string_view part : source.parts) text += part;
    auto code = d3d9::assemble(text);
    if (!code) {
      why = describe(source, "does not assemble, line", code.why());
      return std::nullopt;
    }
    library[i] = *std::move(code);
    if (!check(source, library[i], why)) return std::nullopt;
  }
  return library;
}

}  // namespace desktop
