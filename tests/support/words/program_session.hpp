// SPDX-License-Identifier: MIT
/// \file A guest that runs one shader over many invocations and reads everything around it back.
#pragma once

#include "tests/support/guest_memory_fakes.hpp"
#include "tests/support/stream_builder.hpp"
#include "tests/support/vulkan/vulkan_processor.hpp"
#include "tests/support/words/word_program.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace aerogpu::test {

/// What came of a shader.
struct program_outcome {
  error why;                         ///< Of the submission; then nothing else is here.
  std::vector<std::uint32_t> words;  ///< Of compute: u0, `word_state_words` for each group.
  std::vector<std::array<std::uint8_t, 4>> colors;  ///< Of the others: one for each invocation.
  bool are_canaries_whole = false;  ///< Buffers beside u0, and those that are only read.
};

/// Invocations of each run: pixels, vertices or points; groups are a quarter.
inline constexpr std::uint32_t session_width = 8, session_invocations = 64, session_groups = 16;

/// Runs shaders on a backend; what one left is gone before the next.
class program_session {
 public:
  explicit program_session(vulkan::vulkan_backend& on);

  /// `container` is of `stage` and reads `inputs`, whose id is not looked at.
  [[nodiscard]] auto run(word_stage stage, const byte_vector& container, const word_inputs& inputs)
      -> program_outcome;

 private:
  [[nodiscard]] auto compute(const byte_vector& container, const word_inputs& inputs)
      -> program_outcome;
  [[nodiscard]] auto draw(word_stage stage, const byte_vector& container, const word_inputs& inputs)
      -> program_outcome;
  [[nodiscard]] auto submit(const stream_builder& stream) -> error;
  [[nodiscard]] auto read_words(std::size_t first, std::size_t count) -> std::vector<std::uint32_t>;

  fake_memory memory_;
  command_processor<vulkan::vulkan_backend> processor_;
  std::uint64_t fence_ = 0;
};

/// Empty, or how the outcome differs from what `run` computes on the host.
[[nodiscard]] auto difference(const word_program& program, const word_inputs& inputs,
                              const program_outcome& outcome) -> std::string;

}  // namespace aerogpu::test
