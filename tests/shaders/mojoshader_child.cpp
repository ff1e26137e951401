// SPDX-License-Identifier: MIT
// Translates byte code from standard input with MojoShader, which aborts on some shaders: a program
// of its own, so that only it ends. To standard output, in words: how many words the module has;
// the module; the table of 281 words that links stages; how many uniforms there are; for each its
// type and register. Ends with 1 where MojoShader finds errors.
#include <cstdint>
#include <cstdio>
#include <mojoshader/mojoshader.h>
#include <vector>

namespace {

constexpr std::uint32_t table_words = 281;

void put(std::uint32_t word) {
  std::fwrite(&word, sizeof word, 1, stdout);
}

auto read_all() -> std::vector<unsigned char> {
  std::vector<unsigned char> bytes;
  for (int c = std::getchar(); c != EOF; c = std::getchar()) {
    bytes.push_back(static_cast<unsigned char>(c));
  }
  return bytes;
}

}  // namespace

auto main() -> int {
  const std::vector<unsigned char> bytes = read_all();
  const MOJOSHADER_parseData* made = MOJOSHADER_parse(
      MOJOSHADER_PROFILE_SPIRV, "main", bytes.data(), static_cast<unsigned>(bytes.size()), nullptr,
      0, nullptr, 0, nullptr, nullptr, nullptr);
  const auto words = static_cast<std::uint32_t>(made->output_len) / 4;
  if (made->error_count != 0 || words < table_words) return 1;
  put(words - table_words);
  std::fwrite(made->output, 4, words, stdout);
  put(static_cast<std::uint32_t>(made->uniform_count));
  for (int i = 0; i < made->uniform_count; ++i) {
    put(static_cast<std::uint32_t>(made->uniforms[i].type));
    put(static_cast<std::uint32_t>(made->uniforms[i].index));
  }
  MOJOSHADER_freeParseData(made);
  return 0;
}
