// SPDX-License-Identifier: MIT
#include "drivers/wine/guestd/server.hpp"

#include <cerrno>
#include <climits>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace aerogpu::wine {
namespace {

/// Who greeted and then never asked for anything is gone.
constexpr int longest_begin_ms = 10'000;
/// How often processes that ended are looked for.
constexpr int reap_ms = 50;

[[nodiscard]] auto digits_of(const std::array<std::uint8_t, 16>& name) -> std::string {
  constexpr const char* digits = "0123456789abcdef";
  std::string text;
  for (const auto one : name) {
    text += digits[one >> 4];
    text += digits[one & 15];
  }
  return text;
}

}  // namespace

descriptor::~descriptor() {
  if (value_ >= 0) close(value_);
}

connection::connection(sim::windows& windows, std::uint32_t id, std::uint32_t first_shared_page,
                       std::string name)
    : windows_(windows),
      process_(windows, id, first_shared_page),
      name_(std::move(name)),
      stop_(eventfd(0, EFD_CLOEXEC)) {}

connection::~connection() {
  stop();
  for (auto& one : lanes_) {
    if (one.thread.joinable()) one.thread.join();
  }
  remove_names();
}

/// The server itself keeps an end of the answers' FIFO for reading: writing into it never fails for
/// want of a reader, and never waits.
auto connection::make_lane(std::uint32_t index) -> bool {
  auto& one = lanes_[index];
  const auto base = name_ + "." + std::to_string(index);
  const auto requests = base + ".requests";
  const auto answers = base + ".answers";
  constexpr mode_t owner_only = 0600;
  if (mkfifo(requests.c_str(), owner_only) != 0 || mkfifo(answers.c_str(), owner_only) != 0)
    return false;
  one.requests = descriptor{open(requests.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)};
  one.answers = descriptor{open(answers.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC)};
  return one.requests.is_open() && one.answers.is_open();
}

void connection::remove_names() {
  for (std::uint32_t i = 0; i < bounds.lanes; ++i) {
    const auto base = name_ + "." + std::to_string(i);
    unlink((base + ".requests").c_str());
    unlink((base + ".answers").c_str());
  }
  unlink((name_ + ".process").c_str());
}

auto connection::start(std::uint32_t memory_mib, std::uint64_t life) -> bool {
  auto& file = process_.file;
  if (!stop_.is_open() || !file.create(process_file_bytes) || !file.map()) return false;
  for (std::uint32_t i = 0; i < bounds.lanes; ++i) {
    if (!make_lane(i)) return false;
  }
  process_page page;
  page.process_id = process_.id;
  page.memory_mib = memory_mib;
  page.lanes = bounds.lanes;
  page.contexts = bounds.contexts;
  page.message_bytes = bounds.message_bytes;
  page.context_bytes = bounds.context_bytes;
  page.life = life;
  std::memcpy(file.bytes().data(), &page, sizeof page);
  lanes_left_.store(bounds.lanes);
  for (std::uint32_t i = 0; i < bounds.lanes; ++i)
    lanes_[i].thread = std::thread{[this, i] { run(i); }};
  return file.publish(name_ + ".process");
}

void connection::stop() {
  const std::uint64_t one = 1;
  static_cast<void>(write(stop_.get(), &one, sizeof one));
}

/// The last thread of the process gives the kernel back what it had.
void connection::run(std::uint32_t index) {
  pthread_setname_np(pthread_self(), "guestd lane");
  const sim::thread_scope here{windows_.machine_kernel.machine, process_.id};
  auto& page = *reinterpret_cast<lane_page*>(process_.file.bytes().data() + lane_offset(index));
  std::vector<std::byte> copy;
  std::uint32_t last = 0;
  while (wait_request(index, page, last)) {
    last = shared(page.request).load();
    serve(page, copy);
    shared(page.answer).store(last);
    constexpr char byte = 1;
    if (must_wake(page.client_waits))
      static_cast<void>(write(lanes_[index].answers.get(), &byte, 1));
  }
  if (index == 0) stop();
  if (lanes_left_.fetch_sub(1) != 1) return;
  process_.end();
  is_over_.store(true);
}

auto connection::wait_request(std::uint32_t index, lane_page& page, std::uint32_t last) -> bool {
  const auto has_request = [&] { return shared(page.request).load() != last; };
  if (last != 0 && spin_until(has_request)) return true;
  for (;;) {
    begin_wait(page.server_waits);
    if (has_request() && withdraw_wait(page.server_waits)) return true;
    if (!sleep(lanes_[index].requests.get(), index == 0 && !has_begun_.load())) return false;
    if (has_request()) return true;
  }
}

/// Until a byte comes. False: the client closed its end, or the server stops.
auto connection::sleep(int requests, bool is_first) -> bool {
  pollfd events[] = {{requests, POLLIN, 0}, {stop_.get(), POLLIN, 0}};
  const int ready = poll(events, 2, is_first ? longest_begin_ms : -1);
  if (ready < 0) return errno == EINTR;
  if (ready == 0 || events[1].revents != 0) return false;
  char byte = 0;
  const auto taken = read(requests, &byte, 1);
  return taken == 1 || (taken < 0 && (errno == EAGAIN || errno == EINTR));
}

/// The message is fetched once; its size and its words are the client's at any moment.
void connection::serve(lane_page& page, std::vector<std::byte>& copy) {
  auto* const message = reinterpret_cast<std::byte*>(&page) + page_bytes;
  const auto code = static_cast<request_code>(shared(page.code).load());
  const auto size = shared(page.request_bytes).load();
  NTSTATUS status = STATUS_INVALID_PARAMETER;
  message_writer answer{{message, bounds.message_bytes}};
  if (size <= bounds.message_bytes) {
    copy.assign(message, message + size);
    message_reader request{copy};
    if (code == request_code::begin && !has_begun_.exchange(true)) remove_names();
    status = process_.serve(code, request, answer);
  }
  if (answer.is_full()) status = STATUS_INVALID_PARAMETER;
  page.answer_bytes = answer.used();
  page.status = status;
}

auto server::open() -> bool {
  constexpr mode_t owner_only = 0600;
  const auto greetings = folder_ + "/connect";
  if (mkfifo(greetings.c_str(), owner_only) != 0) return false;
  greetings_ = descriptor{::open(greetings.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC)};
  return greetings_.is_open() && memory_.publish(folder_ + "/memory");
}

void server::run(int stop) {
  for (;;) {
    pollfd events[] = {{greetings_.get(), POLLIN, 0}, {stop, POLLIN, 0}};
    static_cast<void>(poll(events, 2, reap_ms));
    reap();
    if (events[1].revents != 0) break;
    if (events[0].revents != 0) accept();
  }
  for (auto& one : connections_) one = nullptr;
  for (const auto& name : refused_) unlink(name.c_str());
  unlink((folder_ + "/connect").c_str());
  unlink((folder_ + "/memory").c_str());
}

void server::reap() {
  for (auto& one : connections_) {
    if (one != nullptr && one->is_over()) one = nullptr;
  }
}

/// Greetings come whole, or they are none: what is left of a bad one is thrown away.
void server::accept() {
  greeting hello;
  const auto taken = read(greetings_.get(), &hello, sizeof hello);
  if (taken != static_cast<ssize_t>(sizeof hello) || hello.magic != protocol_magic) {
    char rest[PIPE_BUF];
    while (read(greetings_.get(), rest, sizeof rest) > 0) {
    }
    return;
  }
  if (hello.version != protocol_version) return refuse(folder_ + "/" + digits_of(hello.name));
  greet(hello);
}

/// Without a place the client finds no file, and gives up.
void server::greet(const greeting& hello) {
  for (std::uint32_t i = 0; i < connections_.size(); ++i) {
    if (connections_[i] != nullptr) continue;
    auto made = std::make_unique<connection>(windows_, i + 1, first_shared_page_,
                                             folder_ + "/" + digits_of(hello.name));
    if (made->start(memory_mib_, life_)) connections_[i] = std::move(made);
    return;
  }
}

void server::refuse(const std::string& name) {
  auto& slot = refusals_[next_refusal_];
  auto& path = refused_[next_refusal_];
  next_refusal_ = (next_refusal_ + 1) % bounds.refusals;
  if (!path.empty()) unlink(path.c_str());
  path = name + ".process";
  slot = std::make_unique<shared_file>();
  if (!slot->create(process_file_bytes) || !slot->map()) return;
  process_page page;
  page.answer = verdict::wrong_version;
  std::memcpy(slot->bytes().data(), &page, sizeof page);
  static_cast<void>(slot->publish(path));
}

}  // namespace aerogpu::wine
