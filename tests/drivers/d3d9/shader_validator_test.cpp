// SPDX-License-Identifier: MIT
#include "drivers/wine/d3d9/state/shaders/shader_validator.hpp"

#include <catch2/catch.hpp>

#include <vector>

using namespace aerogpu;

namespace {

constexpr DWORD version[] = {0xFFFF0300};
constexpr DWORD end[] = {0x0000FFFF};
constexpr DWORD declare_v9[] = {0x0200001F, 0x80000005, 0x900F0009};
constexpr DWORD declare_v10[] = {0x0200001F, 0x80000005, 0x900F000A};
constexpr DWORD read_v9[] = {0x02000001, 0x800F0000, 0x90E40009};
constexpr DWORD read_v10[] = {0x02000001, 0x800F0000, 0x90E4000A};
// def c0, with floats that would be v10 as parameters.
constexpr DWORD define[] = {0x05000051, 0xA00F0000, 0x90E4000A, 0x90E4000A, 0x90E4000A, 0x90E4000A};

struct heard {
  std::vector<std::uintptr_t> numbers;
  std::vector<int> lines;
};
HRESULT APIENTRY hear(const char*, int line, std::uintptr_t, std::uintptr_t number, const char*,
                      void* context) {
  auto& to = *static_cast<heard*>(context);
  to.numbers.push_back(number);
  to.lines.push_back(line);
  return S_OK;
}

class validator {
 public:
  validator() { made_->AddRef(); }
  ~validator() { CHECK(made_->Release() == 0); }
  validator(const validator&) = delete;
  auto operator=(const validator&) -> validator& = delete;

  auto begin() -> HRESULT { return made_->Begin(&hear, &messages, 0); }
  template <std::size_t Count>
  auto see(const DWORD (&tokens)[Count], int line = 1) -> HRESULT {
    return made_->Instruction("shader", line, tokens, Count);
  }
  auto end_shader() -> HRESULT { return made_->End(); }

  heard messages;

 private:
  d3d9::shader_validator* made_ = new d3d9::shader_validator;
};

}  // namespace

TEST_CASE("a whole shader passes in silence, and another one after it", "[d3d9]") {
  validator v;
  for (int i = 0; i < 2; ++i) {
    CHECK(v.begin() == S_OK);
    CHECK(v.see(version) == S_OK);
    CHECK(v.see(declare_v9) == S_OK);
    CHECK(v.see(define) == S_OK);
    CHECK(v.see(read_v9) == S_OK);
    CHECK(v.see(end) == S_OK);
    CHECK(v.end_shader() == S_OK);
  }
  CHECK(v.messages.numbers.empty());
}

TEST_CASE("an input register beyond the last is told with its line, and fails at the end",
          "[d3d9]") {
  validator v;
  REQUIRE(v.begin() == S_OK);
  CHECK(v.see(version) == S_OK);
  CHECK(v.see(declare_v10, 3) == S_OK);
  CHECK(v.see(read_v10, 4) == S_OK);
  CHECK(v.see(end) == S_OK);
  CHECK(v.end_shader() == E_FAIL);
  CHECK(v.messages.numbers == std::vector<std::uintptr_t>{0x12C, 0x167});
  CHECK(v.messages.lines == std::vector<int>{3, 4});
  CHECK(v.begin() == S_OK);
}

TEST_CASE("without a version nothing is validated, until a new validator is made", "[d3d9]") {
  validator v;
  REQUIRE(v.begin() == S_OK);
  CHECK(v.see(declare_v9, 7) == E_FAIL);
  CHECK(v.end_shader() == E_FAIL);
  CHECK(v.begin() == E_FAIL);
  CHECK(v.messages.numbers == std::vector<std::uintptr_t>{0xEF, 0xF0, 0xEB});
  CHECK(v.messages.lines == std::vector<int>{-1, 0, 0});
}
