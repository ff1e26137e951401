// SPDX-License-Identifier: MIT
// Tests of aerogpu/memory/dma_private_data.hpp.
#include "aerogpu/memory/dma_private_data.hpp"

#include "tests/catch.hpp"
#include "tests/data/golden_vectors.hpp"

#include <vector>

using namespace aerogpu;

TEST_CASE("the golden DMA private data parses, and what follows it is ignored",
          "[memory][private_data]") {
  std::vector<std::byte> bytes = test::bytes_from_hex(test::golden("dma_priv_present").hex);
  bytes.resize(64, std::byte{0xFF});
  const auto data = parse_dma_private_data(bytes);
  REQUIRE(data);
  CHECK(dma_work{data->Type} == dma_work::present);
  CHECK(+data->Reserved0 == 0);
  CHECK(+data->MetaHandle == 0x77);
}

TEST_CASE("DMA private data of fewer than 16 bytes is out of bounds", "[memory][private_data]") {
  const std::size_t size = GENERATE(0u, 15u);
  CHECK(parse_dma_private_data(std::vector<std::byte>(size, std::byte{1})).why().code ==
        error_code::out_of_bounds);
}

TEST_CASE("render, present and paging are the only kinds of work", "[memory][private_data]") {
  const std::uint32_t type = GENERATE(0u, 1u, 2u, 3u, 4u, 0xFFFFFFFFu);
  const AEROGPU_DMA_PRIV data{type, 9, 0};
  const auto parsed = parse_dma_private_data(bytes_of(data));
  const bool is_good = type >= 1 && type <= 3;
  CHECK(parsed.why().code == (is_good ? error_code::none : error_code::invalid_parameter));
}
