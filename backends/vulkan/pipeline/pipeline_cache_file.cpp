// SPDX-License-Identifier: MIT
#include "vulkan/pipeline/pipeline_cache_file.hpp"

#include "aerogpu/core/hash.hpp"
#include "aerogpu/core/text.hpp"
#include "common/system_random.hpp"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>

namespace aerogpu::vulkan {

namespace {

/// Precedes the driver's bytes in the file.
struct file_header {
  std::array<char, 8> magic;  ///< The last character is the version of this layout.
  std::uint64_t size_bytes;   ///< Of what follows the header.
  std::uint32_t checksum;     ///< CRC-32 of what follows the header.
  std::uint32_t reserved;
};
static_assert(sizeof(file_header) == 24);

constexpr std::array<char, 8> file_magic{'A', 'G', 'P', 'U', 'P', 'S', 'O', '1'};

struct close_file {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};
using open_file = std::unique_ptr<std::FILE, close_file>;

auto read_bytes(std::FILE* file, mutable_bytes into) noexcept -> bool {
  return std::fread(into.data(), 1, into.size(), file) == into.size();
}

auto write_bytes(std::FILE* file, const_bytes from) noexcept -> bool {
  return std::fwrite(from.data(), 1, from.size(), file) == from.size();
}

/// Why the driver of `device` did not make these bytes, or empty (Vulkan, pipeline cache header).
auto why_foreign(const_bytes bytes, const VkPhysicalDeviceProperties& device) noexcept -> const
    char* {
  if (bytes.size() < sizeof(VkPipelineCacheHeaderVersionOne))
    return "the pipeline cache is shorter than its header";
  const auto header = load<VkPipelineCacheHeaderVersionOne>(bytes.data());
  if (header.headerSize != sizeof header ||
      header.headerVersion != VK_PIPELINE_CACHE_HEADER_VERSION_ONE)
    return "the pipeline cache has a header of an unknown version";
  if (header.vendorID != device.vendorID || header.deviceID != device.deviceID)
    return "the pipeline cache is of another device";
  if (std::memcmp(header.pipelineCacheUUID, device.pipelineCacheUUID, VK_UUID_SIZE) != 0)
    return "the pipeline cache is of another driver";
  return "";
}

auto unused(const char* warning) -> cached_pipelines {
  return {.bytes = {}, .warning = warning};
}

/// A name beside `path` that nobody else writes to, with its zero; empty when the heap is
/// exhausted.
auto partial_path(std::string_view path) noexcept -> heap_array<char> {
  std::array<char, 32> storage;
  text_buffer ending{storage};
  ending.append(".");
  append_decimal(ending, random_seed());
  ending.append(".partial");
  ending.append(std::string_view{"", 1});
  heap_array<char> name;
  const std::string_view last = ending.view();
  if (!name.append(path) || !name.append(last)) name.clear();
  return name;
}

/// Bytes of an open file, or 0.
auto size_of(std::FILE* file) noexcept -> std::uint64_t {
  if (std::fseek(file, 0, SEEK_END) != 0) return 0;
  const long size = std::ftell(file);
  return size > 0 ? static_cast<std::uint64_t>(size) : 0;
}

auto write_file(const char* path, const_bytes bytes) noexcept -> bool {
  open_file file{std::fopen(path, "wbx")};
  if (file == nullptr) return false;
  const file_header header{
      .magic = file_magic, .size_bytes = bytes.size(), .checksum = crc32(bytes), .reserved = 0};
  const bool is_written =
      write_bytes(file.get(), bytes_of(header)) && write_bytes(file.get(), bytes);
  return std::fclose(file.release()) == 0 && is_written;
}

}  // namespace

auto load_pipeline_cache(const std::string& path, const VkPhysicalDeviceProperties& device) noexcept
    -> cached_pipelines {
  const open_file file{std::fopen(path.c_str(), "rb")};
  if (file == nullptr) return {};
  file_header header{};
  if (!read_bytes(file.get(), mutable_bytes_of(header)) || header.magic != file_magic)
    return unused("the file is not a pipeline cache");
  if (header.size_bytes > largest_pipeline_cache_bytes)
    return unused("the pipeline cache states more bytes than any cache has");
  if (size_of(file.get()) != sizeof header + header.size_bytes)
    return unused("the pipeline cache is not as long as it states");
  heap_array<std::byte> bytes;
  if (!bytes.resize(static_cast<std::size_t>(header.size_bytes)))
    return unused("the host has no memory for the pipeline cache");
  const bool is_at_start = std::fseek(file.get(), sizeof header, SEEK_SET) == 0;
  if (!is_at_start || !read_bytes(file.get(), bytes.view()))
    return unused("the pipeline cache cannot be read");
  if (crc32(bytes.view()) != header.checksum) return unused("the pipeline cache is damaged");
  if (const char* const why = why_foreign(bytes.view(), device); *why != '\0') return unused(why);
  return {.bytes = std::move(bytes), .warning = ""};
}

auto save_pipeline_cache(const std::string& path, const_bytes bytes) noexcept -> result<void> {
  if (bytes.size() > largest_pipeline_cache_bytes)
    return make_error(error_code::size_overflow, "the pipeline cache is too large for a file",
                      bytes.size(), largest_pipeline_cache_bytes);
  const heap_array<char> partial = partial_path(path);
  if (partial.empty())
    return make_error(error_code::out_of_memory, "the host has no memory for a file's name");
  if (!write_file(partial.data(), bytes)) {
    std::remove(partial.data());
    return make_error(error_code::no_space, "the pipeline cache cannot be written");
  }
  if (std::rename(partial.data(), path.c_str()) == 0) return {};
  const auto why = static_cast<std::uint64_t>(errno);
  std::remove(partial.data());
  return make_error(error_code::no_space, "the pipeline cache cannot replace its file", why);
}

}  // namespace aerogpu::vulkan
