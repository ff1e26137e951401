// SPDX-License-Identifier: MIT
// Fuzzes the Vulkan backend under validation, beside the null backend: the input makes the choices
// of a guest that keeps most rules.
#include "tests/fuzz/fuzz.hpp"
#include "tests/property/backend_pair.hpp"
#include "tests/property/stream_generator.hpp"
#include "tests/support/sanitizer_options.hpp"
#include "tests/support/vulkan/vulkan_leaks.hpp"

#include <memory>

using namespace aerogpu;

namespace {

/// Streams of one guest, so that no input takes long.
constexpr int most_streams = 6;
/// Guests begin as one of so few, so that their shaders are known already.
constexpr std::uint64_t known_guests = 4;

/// Two bytes of the input a choice; a large one takes eight more.
class input_choices final : public property::choices {
 public:
  explicit input_choices(fuzz::input& in) : in_(in) {}
  [[nodiscard]] auto next() -> std::uint64_t override {
    const std::uint16_t small = in_.u16();
    return small < 0xFF00 ? small : in_.u64();
  }

 private:
  fuzz::input& in_;
};

/// One device for all inputs.
auto open_backend() -> vulkan::vulkan_backend& {
  static std::unique_ptr<vulkan::vulkan_backend> made;
  if (made == nullptr) {
    test::require_vulkan_device();
    vulkan::backend_options options;
    options.validate = true;
    auto opened = vulkan::vulkan_backend::create(options);
    fuzz::claim(static_cast<bool>(opened), "the machine has a Vulkan device");
    made = *std::move(opened);
    std::atexit([] { made.reset(); });
  }
  return *made;
}

void check(const property::backend_pair& pair) {
  if (pair.complaint().empty()) return;
  std::fprintf(stderr, "fuzz: %s\n", pair.complaint().c_str());
  std::abort();
}

}  // namespace

auto LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) -> int {
  fuzz::input in{data, size};
  property::seeded_choices known{in.u8() % known_guests};
  property::backend_pair pair{open_backend()};
  test::byte_vector first;
  property::object_lists objects;
  {
    property::stream_generator generator{known};
    first = generator.first_stream();
    generator.settle(pair.run(first, context_id{0}));
    objects = generator.objects();
  }
  check(pair);
  input_choices random{in};
  property::stream_generator guest{random, objects};
  for (int i = 0; i < most_streams && !in.empty(); ++i) {
    const std::uint8_t what = in.u8();
    guest.settle(pair.run(guest.next_stream(1 + what % 8u), context_id{what / 128u}));
    check(pair);
  }
  pair.reset();
  check(pair);
  return 0;
}
