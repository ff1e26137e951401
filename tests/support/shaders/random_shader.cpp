// SPDX-License-Identifier: MIT
// Writes random shaders, one instruction a line.
#include "tests/support/shaders/random_shader.hpp"

#include <initializer_list>
#include <random>
#include <span>
#include <vector>

namespace aerogpu::test {

namespace {

/// `d` and `s` are what the instruction takes; a scalar one has a source of one component.
struct operation {
  std::string_view name;
  unsigned sources;
  bool is_scalar = false;
};

constexpr std::array common{operation{"mov", 1}, operation{"add", 2}, operation{"sub", 2},
                            operation{"mul", 2}, operation{"mad", 3}, operation{"dp3", 2}};
constexpr std::array vertex_exact{operation{"min", 2}, operation{"max", 2}, operation{"slt", 2},
                                  operation{"sge", 2}, operation{"dst", 2}, operation{"dp4", 2}};
constexpr std::array sm2_exact{operation{"lrp", 3}, operation{"frc", 1}, operation{"abs", 1},
                               operation{"min", 2}, operation{"max", 2}, operation{"dp4", 2}};
constexpr std::array pixel_sm2_exact{operation{"cmp", 3}, operation{"dp2add", 3}};
constexpr std::array inexact_all{operation{"rcp", 1, true}, operation{"rsq", 1, true},
                                 operation{"exp", 1, true}, operation{"log", 1, true}};
constexpr std::array inexact_vertex{operation{"lit", 1}, operation{"logp", 1, true},
                                    operation{"expp", 1, true}};
constexpr std::array inexact_sm2{operation{"pow", 2, true}, operation{"nrm", 1}};
constexpr std::array<std::string_view, 6> comparisons{"gt", "eq", "ge", "lt", "ne", "le"};

class writer {
 public:
  writer(std::string_view version, std::uint32_t seed)
      : version_(version),
        is_pixel_(version[0] == 'p'),
        major_(version[3] - '0'),
        has_predicates_(version[5] == 'x' || major_ == 3),
        random_(seed) {}

  auto run() -> std::string;

 private:
  [[nodiscard]] auto below(unsigned count) -> unsigned {
    return static_cast<unsigned>(random_()) % count;
  }
  [[nodiscard]] auto chance(unsigned percent) -> bool { return below(100) < percent; }
  [[nodiscard]] auto one_of(std::initializer_list<const char*> all) -> std::string {
    return all.begin()[below(static_cast<unsigned>(all.size()))];
  }
  template <std::size_t Count>
  [[nodiscard]] auto one_of(const std::array<operation, Count>& all) -> operation {
    return all[below(Count)];
  }
  [[nodiscard]] auto is_ps_1() const -> bool { return is_pixel_ && major_ == 1; }
  [[nodiscard]] auto is_ps_1_4() const -> bool { return version_ == "ps_1_4"; }
  [[nodiscard]] auto number(std::string_view prefix, unsigned n) const -> std::string {
    return std::string{prefix} + std::to_string(n);
  }
  void line(const std::string& text) { text_ += text + "\n"; }

  void declare();
  void define();
  [[nodiscard]] auto temp() -> std::string { return number("r", below(temps())); }
  [[nodiscard]] auto temps() const -> unsigned { return is_ps_1() ? (is_ps_1_4() ? 6 : 2) : 8; }
  [[nodiscard]] auto readable() -> std::string;
  [[nodiscard]] auto source() -> std::string;
  [[nodiscard]] auto scalar_source() -> std::string;
  [[nodiscard]] auto mask() -> std::string;
  [[nodiscard]] auto exact_destination() -> std::string;
  [[nodiscard]] auto predicate() -> std::string;
  [[nodiscard]] auto suffix() -> std::string;
  [[nodiscard]] auto comparison() -> std::string {
    return std::string{comparisons[below(comparisons.size())]};
  }

  void load_textures();
  void statement(unsigned depth);
  void block(unsigned depth, unsigned count);
  void exact();
  void inexact();
  void special();
  void flow(unsigned depth);
  void loop(unsigned depth);
  void pair();
  void lookup();
  void finish();

  std::string_view version_;
  bool is_pixel_;
  int major_;
  bool has_predicates_;
  std::mt19937 random_;
  std::string text_;
  unsigned loops_ = 0;    ///< Open ones.
  unsigned counted_ = 0;  ///< Open ones that set aL.
  bool is_subroutine_ = false;
};

auto writer::run() -> std::string {
  line(std::string{version_});
  declare();
  define();
  if (!is_pixel_) line(major_ == 3 ? "mov o0, v0" : "mov oPos, v0");
  if (is_ps_1()) load_textures();
  if (is_ps_1_4()) line("phase");
  const bool has_subroutines = major_ >= 2 && version_ != "ps_2_0" && chance(40);
  if (has_subroutines) line("call l0");
  block(0, is_ps_1() ? 3 + below(5) : 5 + below(20));
  if (has_subroutines) line(chance(50) ? "callnz l1, b" + std::to_string(below(4)) : "call l1");
  finish();
  if (!has_subroutines) return text_;
  is_subroutine_ = true;
  line("ret\nlabel l0");
  block(1, 3);
  line("call l1\nret\nlabel l1");
  block(1, 3);
  line("ret");
  return text_;
}

void writer::declare() {
  constexpr std::array<std::string_view, 4> inputs{"position", "normal", "tangent", "binormal"};
  if (!is_pixel_) {
    for (unsigned i = 0; i < inputs.size(); ++i) {
      line("dcl_" + std::string{inputs[i]} + number(" v", i));
    }
    if (major_ < 3) return;
    line("dcl_position o0\ndcl_color o9\ndcl_color1 o10\ndcl_fog o11");
    for (unsigned i = 0; i < 8; ++i) line(number("dcl_texcoord", i) + number(" o", i + 1));
    return;
  }
  if (major_ < 2) return;
  for (unsigned i = 0; i < 4; ++i) {
    line(major_ == 3 ? number("dcl_texcoord", i) + number(" v", i) : number("dcl t", i));
    line(number("dcl_2d s", i));
  }
  line(major_ == 3 ? "dcl_color v4" : "dcl v0");
}

void writer::define() {
  line("def c3, 1, 0.5, -2, 0");
  line(one_of({"def c5, 0x7f800000, 1, 0x7fc00000, -1", "def c5, 3, 0.25, 1000, -0.001"}));
  if (major_ < 2) return;
  line("defi i1, 3, 1, 2, 0");
  line("defb b1, true");
}

/// A register that computing instructions can read, perhaps indexed.
auto writer::readable() -> std::string {
  const unsigned kind = below(10);
  if (kind < 5) return temp();
  if (kind < 8) {
    if (!is_pixel_ && chance(20)) {
      if (counted_ != 0 && chance(60)) return number("c[aL + ", below(8)) + "]";
      if (major_ == 1) return number("c[a0.x + ", below(16)) + "]";
      return "c[a0." + one_of({"x", "y", "z", "w"}) + number(" + ", below(16)) + "]";
    }
    return number("c", below(is_ps_1() ? 8 : 32));
  }
  if (!is_pixel_) return number("v", 1 + below(3));
  if (is_ps_1()) return is_ps_1_4() ? "v0" : chance(50) ? "v0" : number("t", below(4));
  if (major_ == 3) return number("v", below(5));
  return chance(70) ? number("t", below(4)) : "v0";
}

auto writer::source() -> std::string {
  std::string text = readable();
  std::string before, behind;
  if (is_ps_1() && chance(30)) {
    before = one_of({"-", "", "1-"});
    if (before != "1-") behind = one_of({"", "_bias", "_bx2"});
  } else if (chance(25)) {
    before = "-";
    if (major_ == 3 && chance(50)) behind = "_abs";
  }
  text = before + text + behind;
  if (is_ps_1() && !is_ps_1_4()) return text + one_of({"", "", ".a"});
  if (chance(50)) return text;
  if (chance(40)) return text + one_of({".x", ".y", ".z", ".w"});
  std::string swizzle = ".";
  for (int i = 0; i < 4; ++i) swizzle += one_of({"x", "y", "z", "w"});
  return text + swizzle;
}

auto writer::scalar_source() -> std::string {
  return (chance(20) ? "-" : "") + readable() + one_of({".x", ".y", ".z", ".w"});
}

auto writer::mask() -> std::string {
  if (chance(40)) return "";
  if (is_ps_1() && !is_ps_1_4()) return one_of({".rgb", ".a", ""});
  return one_of({".x", ".y", ".z", ".w", ".xy", ".xz", ".yw", ".xyz", ".yzw", ".xyw"});
}

auto writer::exact_destination() -> std::string {
  if (is_ps_1() || chance(75)) return temp();
  if (is_pixel_) return number("oC", below(3));
  const unsigned which = below(10);
  if (which < 7) return number(major_ == 3 ? "o" : "oT", which + (major_ == 3 ? 1 : 0));
  if (major_ == 3) return number("o", which + 2);
  return which == 9 ? "oFog" : number("oD", which - 7);
}

auto writer::predicate() -> std::string {
  if (!has_predicates_ || !chance(20)) return "";
  return one_of({"(p0) ", "(!p0) ", "(p0.x) ", "(!p0.z) ", "(p0.w) "});
}

auto writer::suffix() -> std::string {
  std::string text;
  if (is_ps_1() && chance(30)) text = one_of({"_x2", "_x4", "_d2"});
  if ((is_pixel_ || major_ == 3) && chance(20)) text += "_sat";
  return text;
}

void writer::exact() {
  operation what = one_of(common);
  if (chance(50)) {
    if (is_ps_1()) {
      what = chance(50) ? operation{"lrp", 3} : operation{"cmp", 3};
      if (version_ == "ps_1_1" && what.name == "cmp") what = operation{"lrp", 3};
    } else if (is_pixel_ && chance(30)) {
      what = one_of(pixel_sm2_exact);
    } else {
      what = major_ >= 2 ? one_of(sm2_exact) : one_of(vertex_exact);
      if (!is_pixel_ && chance(40)) what = one_of(vertex_exact);
    }
  }
  std::string text = predicate() + std::string{what.name} + suffix() + " ";
  text += exact_destination();
  if (!text.ends_with("oFog")) text += mask();
  for (unsigned i = 0; i < what.sources; ++i) text += ", " + source();
  line(text);
}

void writer::inexact() {
  operation what = one_of(inexact_all);
  if (!is_pixel_ && chance(30)) what = one_of(inexact_vertex);
  if (major_ >= 2 && chance(30)) what = one_of(inexact_sm2);
  const std::string to = is_pixel_ ? "oC3" : major_ == 3 ? "o8" : "oT7";
  std::string text = predicate() + std::string{what.name} + " " + to + mask();
  for (unsigned i = 0; i < what.sources; ++i) {
    text += ", " + (what.is_scalar ? scalar_source() : source());
  }
  line(text);
}

/// Instructions with a form of their own.
void writer::special() {
  const unsigned kind = below(6);
  if (kind == 0 && !is_pixel_) {
    return line(predicate() + (major_ == 1 ? "mov a0.x, " : "mova a0, ") + source());
  }
  if (kind == 1 && has_predicates_) {
    return line("setp_" + comparison() + " p0" + mask() + ", " + source() + ", " + source());
  }
  if (kind == 2 && major_ >= 2) return line("crs r0.xyz, " + temp() + ", " + temp());
  if (kind == 3) {
    const std::string row = number("c", below(20));
    const std::string matrix = one_of({"m4x4", "m4x3", "m3x4", "m3x3", "m3x2"});
    constexpr std::array<std::string_view, 3> masks{".xy", ".xyz", ""};
    const auto rows = static_cast<std::size_t>(matrix[3] - '2');
    return line(matrix + " " + temp() + std::string{masks[rows]} + ", " + temp() + ", " + row);
  }
  if (kind == 4 && version_ == "vs_3_0") return line("sgn " + temp() + ", " + source());
  if (kind == 5 && is_pixel_ && chance(40)) return line("texkill " + temp());
  if (is_pixel_) return lookup();
  exact();
}

/// At coordinates as they come, whose derivatives are zero.
void writer::lookup() {
  const std::string at = number(major_ == 3 ? "v" : "t", below(4));
  const std::string what = one_of({"texld", "texldp", "texldb"});
  line(predicate() + what + " " + temp() + mask() + ", " + at + ", " + number("s", below(4)));
}

/// An rgb and an alpha instruction that run together.
void writer::pair() {
  const bool color_first = chance(50);
  const auto one = [&](const char* part) {
    return one_of({"mov", "add", "mul"}) + suffix() + " " + temp() + part;
  };
  std::string first = one(color_first ? ".rgb" : ".a");
  std::string second = one(color_first ? ".a" : ".rgb");
  for (std::string* text : {&first, &second}) {
    const bool is_mov = text->starts_with("mov");
    *text += ", " + source() + (is_mov ? "" : ", " + source());
  }
  line(first + "\n+ " + second);
}

void writer::flow(unsigned depth) {
  const unsigned kind = below(has_predicates_ ? 4 : 2);
  if (kind == 0) return loop(depth);
  if (kind == 1) line(std::string{chance(50) ? "if b" : "if !b"} + std::to_string(below(4)));
  if (kind == 2) line("if_" + comparison() + " " + scalar_source() + ", " + scalar_source());
  if (kind == 3) line("if " + one_of({"p0.x", "!p0.y", "p0.w"}));
  block(depth + 1, 1 + below(3));
  if (chance(50)) {
    line("else");
    block(depth + 1, 1 + below(3));
  }
  line("endif");
}

void writer::loop(unsigned depth) {
  const bool counts = !is_pixel_ && chance(50);
  line((counts ? "loop aL, i" : "rep i") + std::to_string(below(4)));
  ++loops_;
  counted_ += counts ? 1u : 0u;
  block(depth + 1, 1 + below(3));
  if (has_predicates_ && chance(50)) {
    line("break_" + comparison() + " " + scalar_source() + ", " + scalar_source());
    block(depth + 1, 1);
  }
  --loops_;
  counted_ -= counts ? 1u : 0u;
  line(counts ? "endloop" : "endrep");
}

void writer::statement(unsigned depth) {
  const bool can_branch = major_ >= 2 && version_ != "ps_2_0";
  if (is_ps_1()) {
    const bool is_conditional = chance(15);
    if (is_conditional) {
      const std::string which = is_ps_1_4() ? source() : "r0.a";
      return line("cnd " + temp() + ", " + which + ", " + source() + ", " + source());
    }
    return chance(20) ? pair() : exact();
  }
  if (can_branch && depth < 3 && chance(15)) return flow(depth);
  if (loops_ != 0 && has_predicates_ && chance(3)) return line("break p0.x");
  if (chance(15)) return inexact();
  if (chance(20)) return special();
  exact();
}

void writer::block(unsigned depth, unsigned count) {
  for (unsigned i = 0; i < count; ++i) statement(depth);
}

/// Texture instructions of ps_1_x stand first.
void writer::load_textures() {
  if (is_ps_1_4()) {
    for (unsigned i = 0; i < 4; ++i) {
      line((chance(50) ? "texcrd" : "texld") + number(" r", i) + ".rgb, " + number("t", below(4)));
    }
    return;
  }
  line(one_of({"tex t0", "texcoord t0"}));
  const bool has_dots = version_ != "ps_1_1";
  switch (below(has_dots ? 6 : 3)) {
    case 0: return line("texreg2ar t1, t0\ntexreg2gb t2, t0\ntexcoord t3");
    case 1: return line("texm3x2pad t1, t0\ntexm3x2tex t2, t0\ntexbem t3, t0");
    case 2: return line("texbeml t1, t0\ntex t2\ntexkill t3");
    case 3: return line("texm3x3pad t1, t0\ntexm3x3pad t2, t0\ntexm3x3 t3, t0");
    case 4: return line("texdp3 t1, t0\ntexdp3tex t2, t0\ntexreg2rgb t3, t0");
    default: return line("tex t1\ntexcoord t2\ntexm3x2pad t3, t0");
  }
}

/// Registers become visible.
void writer::finish() {
  if (is_ps_1()) return;
  if (is_pixel_) {
    line("mov oC0, r0\nmov oC1, " + temp());
    if (chance(30)) line("mov oDepth, " + temp() + ".y");
    return;
  }
  line(std::string{major_ == 3 ? "mov o1, r0\nmov o2, " : "mov oT0, r0\nmov oT1, "} + temp());
}

}  // namespace

auto random_shader(std::string_view version, std::uint32_t seed) -> std::string {
  return writer{version, seed}.run();
}

}  // namespace aerogpu::test
