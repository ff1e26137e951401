// SPDX-License-Identifier: MIT
#include "aerogpu/processor/command_processor.hpp"

#include "tests/catch.hpp"
#include "tests/support/guest_memory_fakes.hpp"
#include "tests/support/stream_builder.hpp"
#include "tests/unit/processor/bare_backend.hpp"
#include "tests/unit/processor/processor_fixture.hpp"

#include <cstdint>

using namespace aerogpu;
using namespace aerogpu::test;

TEST_CASE("an empty submission executes nothing and is not pending", "[command_processor]") {
  processor_fixture f;
  const auto report = f.processor.execute({}, f.memory);
  CHECK(report.why.code == error_code::none);
  CHECK_FALSE(report.is_pending);
  CHECK(f.backend.calls() == 0);
}

TEST_CASE("the presents of a submission are not those of the one behind it, however it ends",
          "[command_processor]") {
  processor_fixture f{{.packets_per_submission = 2}};
  REQUIRE(f.run(stream_builder{}.present()) == error_code::none);
  REQUIRE(f.processor.presents().size() == 1);
  SECTION("an empty one") {
    static_cast<void>(f.processor.execute({}, f.memory));
  }
  SECTION("a framing error") {
    REQUIRE(f.run(stream_builder{}.append_words({0})) == error_code::framing);
  }
  SECTION("too many packets") {
    REQUIRE(f.run(stream_builder{}.nop().nop().nop()) == error_code::out_of_memory);
  }
  CHECK(f.processor.presents().size() == 0);
  CHECK(f.processor.presents().count() == 1);
}

TEST_CASE("a submission is pending until the backend reports it, once", "[command_processor]") {
  processor_fixture f;
  REQUIRE(f.run(stream_builder{}.nop()) == error_code::none);
  const submission_id first = f.report.id;
  REQUIRE(f.run(stream_builder{}.nop()) == error_code::none);
  CHECK(f.report.is_pending);
  CHECK(f.completed == std::vector{first, f.report.id});
  CHECK(first < f.report.id);
}

TEST_CASE("a framing error reaches no backend and has no effect", "[command_processor]") {
  processor_fixture f;
  stream_builder stream;
  stream.create_buffer(10, 16).present(0, AEROGPU_PRESENT_FLAG_VSYNC).nop();
  stream.patch(stream.last_packet() + 4, 4);
  f.backend.plan({});
  CHECK(f.run(stream) == error_code::framing);
  CHECK(f.backend.calls() == 0);
  CHECK_FALSE(f.report.is_pending);
  CHECK(f.report.has_vsync_present);
  CHECK(f.report.packet_count == 2);
  CHECK(f.report.why.offset == stream.last_packet());
  CHECK(f.processor.counts() == object_counts{});
}

TEST_CASE("a failing packet ends the stream, and earlier effects stay", "[command_processor]") {
  processor_fixture f;
  stream_builder stream;
  stream.create_buffer(10, 16).create_buffer(11, 6);
  const auto failing = stream.last_packet();
  stream.create_buffer(12, 16);
  CHECK(f.run(stream) == error_code::invalid_parameter);
  CHECK(f.report.why.opcode == AEROGPU_CMD_CREATE_BUFFER);
  CHECK(f.report.why.offset == failing);
  CHECK(f.report.why.detail == 6);
  CHECK(f.report.is_pending);
  CHECK(f.processor.counts().buffers == 1);
}

TEST_CASE("unknown packets are counted and skipped", "[command_processor]") {
  processor_fixture f;
  CHECK(f.run(stream_builder{}.raw(0x7FF).raw(0x12345678).create_buffer(10, 16)) ==
        error_code::none);
  CHECK(f.report.packet_count == 3);
  CHECK(f.report.unknown_count == 2);
  CHECK(f.processor.counts().buffers == 1);
}

TEST_CASE("a backend that cannot begin fails the submission without effects",
          "[command_processor]") {
  processor_fixture f;
  f.backend.plan({.at_call = 1, .code = error_code::device_lost});
  CHECK(f.run(stream_builder{}.create_buffer(10, 16)) == error_code::device_lost);
  CHECK_FALSE(f.report.is_pending);
  CHECK(f.processor.counts().buffers == 0);
}

TEST_CASE("a backend that cannot end fails the submission, which is never reported",
          "[command_processor]") {
  processor_fixture f;
  f.backend.plan({.at_call = 2, .code = error_code::device_lost});
  CHECK(f.run(stream_builder{}.nop()) == error_code::device_lost);
  CHECK_FALSE(f.report.is_pending);
  CHECK(f.completed.empty());
}

TEST_CASE("the first failure of a submission is the one reported", "[command_processor]") {
  processor_fixture f;
  f.backend.plan({.at_call = 2, .code = error_code::device_lost});
  CHECK(f.run(stream_builder{}.create_buffer(10, 6)) == error_code::invalid_parameter);
  CHECK_FALSE(f.report.is_pending);
}

TEST_CASE("one context too many is out of memory before anything runs", "[command_processor]") {
  processor_fixture f{{.contexts = 2}};
  CHECK(f.run(stream_builder{}.nop(), 0) == error_code::none);
  CHECK(f.run(stream_builder{}.nop(), 5) == error_code::none);
  CHECK(f.run(stream_builder{}.create_buffer(10, 16), 6) == error_code::out_of_memory);
  CHECK(f.run(stream_builder{}.nop(), 5) == error_code::none);
  CHECK(f.processor.counts().buffers == 0);
}

TEST_CASE("reset forgets objects, tokens and contexts, and what was pending",
          "[command_processor]") {
  processor_fixture f;
  REQUIRE(f.run(stream_builder{}
                    .create_buffer(10, 16)
                    .create_texture(11, {})
                    .export_surface(11, 7)
                    .create_view(12, 11, {})
                    .create_sampler(5)
                    .release_surface(7)) == error_code::none);
  f.inner.set_completion(null_completion::held);
  REQUIRE(f.run(stream_builder{}.nop()) == error_code::none);
  f.completed.clear();
  f.processor.reset();
  f.inner.set_completion(null_completion::immediate);
  f.poll();
  CHECK(f.completed.empty());
  CHECK(f.processor.counts() == object_counts{});
  CHECK(f.backend.live_objects() == 0);
  CHECK(f.run(stream_builder{}.create_texture(11, {}).export_surface(11, 7)) == error_code::none);
}

TEST_CASE("the presented texture is read back, and dropped with its last handle",
          "[command_processor]") {
  processor_fixture f;
  byte_vector image(64);
  CHECK(f.processor.presented() == nullptr);
  CHECK(f.processor.read_presented(image).why().code == error_code::unknown_handle);
  REQUIRE(f.run(stream_builder{}
                    .create_texture(10, {})
                    .upload(10, 0, counting(64))
                    .export_surface(10, 7)
                    .import_surface(11, 7)
                    .targets({10})
                    .present()
                    .destroy(10)) == error_code::none);
  REQUIRE(f.processor.presented() != nullptr);
  CHECK(f.processor.presented()->width == 4);
  REQUIRE(f.processor.read_presented(image));
  CHECK(image == counting(64));
  CHECK(f.processor.read_presented(mutable_bytes{image}.first(60)).why().code ==
        error_code::invalid_parameter);
  REQUIRE(f.run(stream_builder{}.destroy(11)) == error_code::none);
  CHECK(f.processor.presented() == nullptr);
}

TEST_CASE("a processor that goes away hands every object back", "[command_processor]") {
  null_backend backend;
  fake_memory memory;
  {
    command_processor<null_backend> processor{backend};
    const auto stream =
        stream_builder{}.create_buffer(1, 16).create_texture(2, {}).create_view(3, 2, {});
    REQUIRE(processor.execute({.stream = stream.bytes()}, memory).why.code == error_code::none);
    CHECK(backend.live_objects() == 3);
  }
  CHECK(backend.live_objects() == 0);
}
