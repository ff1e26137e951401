// SPDX-License-Identifier: MIT
/// \file What the host and the shader compiler's process say to each other over a socket: one
/// hello, then for each request one reply. Host and process are builds of the same sources; fields
/// are in the machine's byte order. The host trusts nothing that comes back.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/result.hpp"
#include "dxbc_to_spirv/compiler/limits.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu::dxbc {

/// Descriptor of the process's end.
inline constexpr int compiler_socket = 3;

inline constexpr std::uint32_t protocol_version = 1;
inline constexpr std::uint32_t hello_magic = 0x48434741;    // "AGCH"
inline constexpr std::uint32_t request_magic = 0x51434741;  // "AGCQ"
inline constexpr std::uint32_t reply_magic = 0x52434741;    // "AGCR"

/// Sent once, from inside the sandbox and before the first request is read.
struct hello_frame {
  std::uint32_t magic;
  std::uint32_t version;
};
static_assert(sizeof(hello_frame) == 8);

/// Followed by `job_bytes` of a job (job.hpp).
struct request_frame {
  std::uint32_t magic;
  std::uint32_t id;  ///< Comes back in the reply.
  std::uint32_t job_bytes;
};
static_assert(sizeof(request_frame) == 12);

enum class reply_status : std::uint32_t {
  compiled,
  refused,  ///< By the library; `detail` is its code.
  out_of_memory,
};

/// Followed by `word_count` words and `message_bytes` characters.
struct reply_frame {
  std::uint32_t magic;
  std::uint32_t id;
  reply_status status;
  std::uint32_t detail;
  std::uint32_t word_count;  ///< 0 unless compiled.
  std::uint32_t message_bytes;
};
static_assert(sizeof(reply_frame) == 24);

/// Whether a hello is one of this protocol.
[[nodiscard]] constexpr auto is_hello(const hello_frame& hello) noexcept -> bool {
  return hello.magic == hello_magic && hello.version == protocol_version;
}

/// Whether a reply is one to request `id` and its sizes may be read.
[[nodiscard]] constexpr auto is_reply(const reply_frame& reply, std::uint32_t id) noexcept -> bool {
  if (reply.magic != reply_magic || reply.id != id) return false;
  if (reply.message_bytes > max_message_bytes) return false;
  if (reply.status == reply_status::compiled)
    return reply.word_count != 0 && reply.word_count <= max_module_words;
  return (reply.status == reply_status::refused || reply.status == reply_status::out_of_memory) &&
         reply.word_count == 0;
}

/// What a reply without a module means. Success for one with a module.
[[nodiscard]] constexpr auto outcome_of(reply_status status, std::uint32_t detail) noexcept
    -> result<void> {
  if (status == reply_status::compiled) return {};
  if (status == reply_status::out_of_memory)
    return make_error(error_code::out_of_memory, "the shader compiler is out of memory");
  return make_error(error_code::unsupported, "the shader compiler refuses the program", detail);
}

}  // namespace aerogpu::dxbc
