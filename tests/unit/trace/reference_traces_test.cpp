// SPDX-License-Identifier: MIT
// Reads the recordings that AEROGPU_REFERENCE_TRACES names, where somebody has them.
#include "aerogpu/trace/submission.hpp"
#include "aerogpu/trace/toc.hpp"
#include "tests/catch.hpp"
#include "tests/unit/trace/trace_samples.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

auto contents_of(const std::filesystem::path& path) -> byte_vector {
  std::ifstream in{path, std::ios::binary};
  const std::string text{std::istreambuf_iterator<char>{in}, {}};
  const const_bytes bytes = std::as_bytes(std::span{text});
  return {bytes.begin(), bytes.end()};
}

void check_trace(const byte_vector& file) {
  const auto trace = trace_reader::open(file);
  REQUIRE(trace);
  CHECK(check_toc(*trace));
  const auto blobs = trace_blob_index::create(*trace);
  REQUIRE(blobs);
  for (const trace_record& record : all_records(*trace)) {
    if (record.kind != trace_record_kind::submission) continue;
    const auto submission = parse_submission(record);
    REQUIRE(submission);
    CHECK(resolve(*blobs, *submission));
    for (std::uint32_t i = 0; i < submission->range_count(); ++i) {
      CHECK(resolve_range(*blobs, *submission, i));
    }
  }
}

}  // namespace

TEST_CASE("every reference recording opens, agrees with its table and resolves", "[trace]") {
  const char* const folder = std::getenv("AEROGPU_REFERENCE_TRACES");
  if (folder == nullptr) {
    WARN("not run: AEROGPU_REFERENCE_TRACES names no folder with recordings of others");
    return;
  }
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator{folder}) {
    if (entry.path().extension() != ".aerogputrace") continue;
    CAPTURE(entry.path().string());
    check_trace(contents_of(entry.path()));
    ++count;
  }
  CHECK(count > 0);
}
