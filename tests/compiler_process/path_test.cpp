// SPDX-License-Identifier: MIT
#include "dxbc_to_spirv/compiler/program_path.hpp"
#include "tests/compiler_process/support.hpp"

#include <array>
#include <cstdio>

using namespace aerogpu;
namespace fs = std::filesystem;
namespace dxbc = aerogpu::dxbc;

namespace {

/// What a program prints, with words in front of its command line.
auto output_of(const fs::path& program, const std::string& before = "") -> std::string {
  FILE* const pipe = popen((before + " " + program.string()).c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string text;
  std::array<char, 512> part;
  for (std::size_t got = 1; got != 0;) {
    got = fread(part.data(), 1, part.size(), pipe);
    text.append(part.data(), got);
  }
  pclose(pipe);
  return text;
}

/// An installation with a program that looks for its compiler.
struct installation {
  test::temporary_folder folder;
  fs::path root = fs::canonical(folder.path());
  fs::path program = root / "bin" / "probe";

  installation() {
    fs::create_directories(root / "bin");
    fs::create_directories(root / "libexec" / "aerogpu");
    fs::copy_file(PATH_PROBE, program);
  }

  auto add(const fs::path& place) const -> fs::path {
    const fs::path path = root / place / dxbc::compiler_program_name;
    std::ofstream{path} << "#!/bin/sh\n";
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }
};

}  // namespace

TEST_CASE("a program of the build finds the compiler of the build") {
  CHECK(fs::equivalent(output_of(PATH_PROBE), BUILT_COMPILER));
}

TEST_CASE("a program outside of the build folder does not run what lies there") {
  const installation made;
  CHECK_FALSE(output_of(made.program) == fs::canonical(BUILT_COMPILER));
}

TEST_CASE("a program finds the compiler of its installation, and one beside it first") {
  const installation made;
  const std::string inner = made.add("libexec/aerogpu");
  CHECK(fs::canonical(output_of(made.program)) == inner);
  const std::string beside = made.add("bin");
  CHECK(output_of(made.program) == beside);
}

TEST_CASE("the environment names another compiler, which has to be there") {
  const installation made;
  static_cast<void>(made.add("bin"));
  const std::string variable = std::string{dxbc::compiler_variable_name} + "=";
  CHECK(output_of(made.program, variable + FAKE_COMPILER) == FAKE_COMPILER);
  CHECK(
      output_of(made.program, variable + "/nowhere/compiler").find(dxbc::compiler_variable_name) !=
      std::string::npos);
}

TEST_CASE("the path that an embedder chose comes before all others") {
  dxbc::path_buffer found{};
  REQUIRE(dxbc::find_compiler_program(FAKE_COMPILER, found));
  CHECK(std::string_view{found.data()} == FAKE_COMPILER);
}

TEST_CASE("a path that is too long is not found") {
  dxbc::path_buffer found{};
  const std::string path(dxbc::longest_path, 'a');
  CHECK(dxbc::find_compiler_program(path.c_str(), found).why().code == error_code::unsupported);
}

TEST_CASE("the program says what it is, and that nobody starts it by hand") {
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  CHECK(has(output_of(BUILT_COMPILER " --version"), "protocol 1"));
  CHECK(has(output_of(BUILT_COMPILER " --help"), "usage:"));
  CHECK(output_of(BUILT_COMPILER " 2>/dev/null").empty());
}
