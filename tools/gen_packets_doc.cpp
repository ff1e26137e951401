// Prints docs/packets.md from the packet table, or checks that a file is what would be printed.
#include "aerogpu/stream/packets_markdown.hpp"

#include <cstdio>
#include <string>
#include <string_view>

namespace {

struct string_sink {
  std::string text;
  void append(std::string_view more) noexcept { text += more; }
};

auto read_file(const char* path, std::string& text) -> bool {
  std::FILE* file = std::fopen(path, "rb");
  if (file == nullptr) return false;
  char buffer[4096];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, file)) != 0;)
    text.append(buffer, n);
  const bool is_read = std::ferror(file) == 0;
  return std::fclose(file) == 0 && is_read;
}

constexpr std::string_view usage =
    "usage: gen_packets_doc             print the packet reference\n"
    "       gen_packets_doc --check F   exit 1 when F differs from it\n";

}  // namespace

auto main(int count, char** arguments) -> int {
  string_sink wanted;
  aerogpu::append_packets_markdown(wanted);
  if (count == 1) {
    const bool is_written =
        std::fwrite(wanted.text.data(), 1, wanted.text.size(), stdout) == wanted.text.size();
    return is_written && std::fflush(stdout) == 0 ? 0 : 2;
  }
  const std::string_view option = arguments[1];
  if (count == 2 && option == "--help") {
    std::fputs(usage.data(), stdout);
    return 0;
  }
  if (count != 3 || option != "--check") {
    std::fputs(usage.data(), stderr);
    return 2;
  }
  std::string found;
  if (!read_file(arguments[2], found)) {
    std::fprintf(stderr, "%s cannot be read\n", arguments[2]);
    return 2;
  }
  if (found == wanted.text) return 0;
  std::fprintf(stderr, "%s is out of date; run gen_packets_doc > %s\n", arguments[2], arguments[2]);
  return 1;
}
