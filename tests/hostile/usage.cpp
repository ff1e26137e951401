// SPDX-License-Identifier: MIT
#include "tests/hostile/usage.hpp"

#include <ctime>
#include <fstream>
#include <string>

namespace aerogpu::hostile {

auto usage_now() -> process_usage {
  process_usage now;
  struct row {
    const char* name;
    std::uint64_t* value;
  };
  const row rows[]{{"VmRSS:", &now.resident_kib},
                   {"VmHWM:", &now.peak_resident_kib},
                   {"VmSize:", &now.address_kib},
                   {"VmPeak:", &now.peak_address_kib},
                   {"Threads:", &now.threads}};
  std::ifstream status{"/proc/self/status"};
  for (std::string name; status >> name;) {
    for (const row& each : rows) {
      if (name == each.name) status >> *each.value;
    }
    status.ignore(4096, '\n');
  }
  return now;
}

void forget_peaks() {
  std::ofstream{"/proc/self/clear_refs"} << "5";
}

auto thread_time_ns() -> std::uint64_t {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(time.tv_nsec);
}

}  // namespace aerogpu::hostile
