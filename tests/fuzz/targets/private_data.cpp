// SPDX-License-Identifier: MIT
// Fuzzes the blobs that travel beside the stream: WDDM private data, adapter blob.
#include "aerogpu/memory/alloc_private_data.hpp"
#include "aerogpu/memory/alloc_private_rules.hpp"
#include "aerogpu/memory/umd_private_data.hpp"
#include "tests/fuzz/fuzz.hpp"

#include <algorithm>
#include <array>
#include <cstring>

using namespace aerogpu;

namespace {

void check_alloc_data(const_bytes bytes) {
  const auto data = parse_alloc_private_data(bytes);
  if (!data) return;
  (void)row_pitch_bytes(*data);
  (void)allocation_bytes(*data);
  (void)is_shared(*data);
  for (const std::uint32_t count : {0u, 1u, 2u}) {
    if (check_alloc_create(*data, count)) {
      fuzz::claim(allocation_bytes(*data) != 0, "an accepted allocation has bytes");
      fuzz::claim(row_pitch_bytes(*data) <= allocation_bytes(*data), "its pitch fits into it");
    }
    const alloc_identity opened{alloc_id{data->alloc_id}, share_token{data->share_token}};
    for (const alloc_opening opening : {alloc_opening::create, alloc_opening::existing}) {
      (void)check_alloc_open(*data, count, opening, opened);
    }
  }
  if (has_description(data->reserved0)) {
    const d3d9_description surface = unpack_description(data->reserved0);
    const auto packed = pack_description(surface);
    fuzz::claim(packed && *packed == data->reserved0, "a description packs as it was");
  }
  std::array<std::byte, sizeof(alloc_private_data)> again{};
  fuzz::claim(static_cast<bool>(write_alloc_private_data(again, *data)), "what parses is written");
  const std::size_t size = alloc_private_data_bytes(data->version);
  fuzz::claim(std::memcmp(again.data(), bytes.data(), size) == 0, "it is written as it was");
}

void check_umd_data(const_bytes bytes) {
  const auto blob = parse_umd_private(bytes);
  if (!blob) return;
  std::array<std::byte, sizeof(aerogpu_umd_private_v1)> again{};
  fuzz::claim(static_cast<bool>(write_umd_private(again, *blob)), "what parses is written");
  fuzz::claim(std::equal(again.begin(), again.end(), bytes.begin()), "it is written as it was");
}

}  // namespace

auto LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) -> int {
  const const_bytes bytes = std::as_bytes(std::span{data, size});
  check_alloc_data(bytes);
  check_umd_data(bytes);
  return 0;
}
