// SPDX-License-Identifier: MIT
// Tests of aerogpu/trace/file_sink.hpp, and of recordings whose process dies.
#include "aerogpu/trace/file_sink.hpp"

#include "aerogpu/trace/recorder.hpp"
#include "aerogpu/trace/recover.hpp"
#include "aerogpu/trace/submission.hpp"
#include "tests/catch.hpp"
#include "tests/support/alloc_table_bytes.hpp"
#include "tests/unit/trace/trace_samples.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

/// A name in a folder of its own, which goes with it.
class scratch_file {
 public:
  scratch_file() {
    std::string folder = (std::filesystem::temp_directory_path() / "aerogpu-XXXXXX").string();
    REQUIRE(mkdtemp(folder.data()) != nullptr);
    folder_ = folder;
  }
  scratch_file(const scratch_file&) = delete;
  auto operator=(const scratch_file&) -> scratch_file& = delete;
  ~scratch_file() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  [[nodiscard]] auto path() const -> std::string { return (folder_ / "trace").string(); }
  [[nodiscard]] auto bytes() const -> byte_vector {
    std::ifstream in{path(), std::ios::binary};
    const std::string text{std::istreambuf_iterator<char>{in}, {}};
    const const_bytes read = std::as_bytes(std::span{text});
    return {read.begin(), read.end()};
  }

 private:
  std::filesystem::path folder_;
};

/// Guest memory whose content is another at each read, and which kills its reader at the last one.
class deadly_memory {
 public:
  explicit deadly_memory(unsigned reads) : left_(reads) {}
  auto read(gpa, mutable_bytes out) noexcept -> bool {
    if (left_-- == 0) std::raise(SIGKILL);
    std::fill(out.begin(), out.end(), static_cast<std::byte>(left_));
    return true;
  }
  auto write(gpa, const_bytes) noexcept -> bool { return false; }

 private:
  unsigned left_;
};

/// What a submission to the recorders of these tests holds.
struct sample_submission {
  byte_vector table = make_table({{1, 0, 0x1000, 3000, 0}, {2, 0, 0x2000, 3000, 0}});
  byte_vector stream = counting(100);
};

/// Records until `reads` pieces of memory were read, two for each submission, and dies then.
void record_and_die(const std::string& path, unsigned reads) {
  auto sink = file_sink::open(path.c_str());
  if (!sink) return;
  auto writer = trace_writer<file_sink>::create(*sink);
  if (!writer) return;
  trace_recorder<file_sink> recorder{*std::move(writer), 42};
  deadly_memory memory{reads};
  const sample_submission what;
  std::array<alloc_table::slot, 16> slots{};
  alloc_table allocations{slots};
  if (!allocations.parse(what.table)) return;
  for (std::uint64_t fence = 1; fence < 1000; ++fence) {
    aerogpu_submit_desc desc{};
    desc.signal_fence = fence;
    recorder.record({desc, what.stream, what.table, allocations, memory});
  }
}

/// A device as far as a recording knows it.
struct tapped_device {
  void set_tap(submission_tap wanted) { tap = wanted; }
  submission_tap tap;
};

/// What docs/embedding.md shows.
template <class Run>
auto record_into(const char* path, tapped_device& device, std::uint64_t seed, Run&& run)
    -> result<void> {
  // [record]
  auto file = file_sink::open(path);
  if (!file) return file.why();
  auto writer = trace_writer<file_sink>::create(*file, {.emulator_version = "mine 1.0"});
  if (!writer) return writer.why();
  trace_recorder<file_sink> recorder{*std::move(writer), seed};  // Any number that no guest knows.
  device.set_tap(recorder.tap());
  run(device);
  device.set_tap({});
  if (auto finished = recorder.finish(); !finished) return finished.why();
  return file->close();
  // [/record]
}

/// Runs `work` in a child process and requires that it was killed.
template <class Work>
void run_and_bury(Work&& work) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    work();
    _exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFSIGNALED(status));
  REQUIRE(WTERMSIG(status) == SIGKILL);
}

/// The fences of the submissions that a cut recording holds, each with all that it names.
auto fences_of(const_bytes file) -> std::vector<std::uint64_t> {
  const auto found = recover_trace(file);
  REQUIRE(found);
  CHECK_FALSE(found->is_whole());
  const auto blobs = trace_blob_index::create(found->trace);
  REQUIRE(blobs);
  std::vector<std::uint64_t> fences;
  for (const trace_record& record : all_records(found->trace)) {
    if (record.kind != trace_record_kind::submission) continue;
    const auto submission = parse_submission(record);
    REQUIRE(submission);
    CHECK(submission->range_count() == 2);
    CHECK(resolve_range(*blobs, *submission, 0));
    CHECK(resolve_range(*blobs, *submission, 1));
    const auto what = resolve(*blobs, *submission);
    REQUIRE(what);
    CHECK(what->stream.size() == 100);
    fences.push_back(raw(what->fence));
  }
  return fences;
}

}  // namespace

TEST_CASE("a file sink writes what a sink in memory holds", "[trace]") {
  const scratch_file file;
  const byte_vector whole = version_2_trace();
  auto sink = file_sink::open(file.path().c_str());
  REQUIRE(sink);
  const const_bytes bytes{whole};
  for (std::size_t at = 0; at < whole.size(); at += 7) {
    REQUIRE(sink->append(bytes.subspan(at, std::min<std::size_t>(7, whole.size() - at))));
  }
  CHECK(sink->append({}));
  REQUIRE(sink->close());
  CHECK(file.bytes() == whole);
}

TEST_CASE("what a file sink flushed is in the file while it is open", "[trace]") {
  const scratch_file file;
  auto sink = file_sink::open(file.path().c_str());
  REQUIRE(sink);
  REQUIRE(sink->append(counting(10)));
  CHECK(file.bytes().empty());
  REQUIRE(sink->flush());
  CHECK(file.bytes() == counting(10));
}

TEST_CASE("a file sink takes over an open file", "[trace]") {
  const scratch_file file;
  file_sink sink{std::fopen(file.path().c_str(), "wb")};
  REQUIRE(sink.append(counting(10)));
  REQUIRE(sink.close());
  CHECK(file.bytes() == counting(10));
}

TEST_CASE("a file that cannot be made is an error with its errno", "[trace]") {
  const auto sink = file_sink::open("/nowhere/at/all");
  REQUIRE_FALSE(sink);
  CHECK(sink.why().detail == ENOENT);
  CHECK(std::string{sink.why().what} == "the file cannot be made");
}

TEST_CASE("a full disk is an error of the sink, the writer and the recorder", "[trace]") {
  auto sink = file_sink::open("/dev/full");
  REQUIRE(sink);
  SECTION("that flushing finds") {
    REQUIRE(sink->append(counting(10)));
    CHECK_FALSE(sink->flush());
    CHECK(std::string{sink->why().what} == "the disk is full");
    CHECK(sink->why().detail == ENOSPC);
  }
  SECTION("that closing finds") {
    REQUIRE(sink->append(counting(10)));
    CHECK(sink->close().why().code == error_code::no_space);
  }
  SECTION("that creating a trace finds") {
    const auto writer = trace_writer<file_sink>::create(*sink);
    REQUIRE_FALSE(writer);
    CHECK(writer.why().code == error_code::no_space);
    CHECK(std::string{writer.why().what} == "the disk is full");
  }
}

TEST_CASE("a failure without a reason of its own does not take over an older one", "[trace]") {
  const auto take_none = [](void*, const char*, std::size_t) -> ssize_t { return 0; };
  std::FILE* const full = ::fopencookie(nullptr, "wb", {nullptr, take_none, nullptr, nullptr});
  REQUIRE(full != nullptr);
  file_sink sink{full};
  const byte_vector bytes = counting(16);
  CHECK(sink.append(bytes));
  errno = ENOSPC;
  CHECK_FALSE(sink.flush());
  CHECK(sink.why().what == std::string_view{"the file cannot be written"});
  CHECK(sink.why().detail == 0);
}

TEST_CASE("a crash loses the submission that is being recorded and no other", "[trace]") {
  const scratch_file file;
  const unsigned reads = GENERATE(0u, 1u, 2u, 7u, 40u);
  CAPTURE(reads);
  run_and_bury([&] { record_and_die(file.path(), reads); });
  const std::vector<std::uint64_t> fences = fences_of(file.bytes());
  REQUIRE(fences.size() == reads / 2);
  for (std::size_t i = 0; i < fences.size(); ++i) CHECK(fences[i] == i + 1);
}

TEST_CASE("a recording as the documents show it is whole", "[trace]") {
  const scratch_file file;
  tapped_device device;
  const auto recorded = record_into(file.path().c_str(), device, 42, [](tapped_device& on) {
    std::array<alloc_table::slot, 16> slots{};
    const alloc_table allocations{slots};
    deadly_memory memory{0};  // Which nobody reads.
    const aerogpu_submit_desc desc{};
    const byte_vector stream = counting(100);
    on.tap.on_submission(on.tap.context, {desc, stream, {}, allocations, memory});
  });
  REQUIRE(recorded);
  CHECK(device.tap.on_submission == nullptr);
  const byte_vector bytes = file.bytes();
  const auto trace = trace_reader::open(bytes);
  REQUIRE(trace);
  CHECK(all_records(*trace).size() == 3);
}

TEST_CASE("a recording onto a full disk is an error", "[trace]") {
  tapped_device device;
  const auto recorded = record_into("/dev/full", device, 42, [](tapped_device&) {});
  CHECK(recorded.why().detail == ENOSPC);
}
