// SPDX-License-Identifier: MIT
// Property test of the whole of host.md 2.8: the registry with a table of handles as a host has
// one, against four std::maps that say what the chapter says.
#include "aerogpu/share/share_registry.hpp"
#include "tests/catch.hpp"

#include <map>
#include <memory>
#include <random>
#include <set>
#include <vector>

using namespace aerogpu;

namespace {

/// The chapter's tables, word by word. Underlying resources are serial numbers.
struct model {
  std::map<std::uint64_t, int> tokens;
  std::set<std::uint64_t> retired;
  std::map<std::uint32_t, int> handles;
  std::map<int, std::set<std::uint32_t>> references;
  std::map<int, std::uint32_t> originals;
  int next = 0;

  [[nodiscard]] auto is_reserved(std::uint32_t h) const -> bool {
    for (const auto& [underlying, original] : originals) {
      if (original == h) return handles.count(h) == 0;
    }
    return false;
  }
  auto create(std::uint32_t h) -> bool {
    if (handles.count(h) != 0 || is_reserved(h)) return false;
    originals[next] = h;
    handles[h] = next;
    references[next++].insert(h);
    return true;
  }
  auto export_token(std::uint32_t h, std::uint64_t t) -> error_code {
    if (h == 0) return error_code::invalid_handle;
    if (t == 0) return error_code::invalid_share_token;
    if (retired.count(t) != 0) return error_code::share_token_retired;
    if (handles.count(h) == 0) return error_code::unknown_handle;
    if (tokens.count(t) != 0 && tokens[t] != handles[h]) return error_code::share_token_in_use;
    tokens[t] = handles[h];
    return error_code::none;
  }
  auto import_token(std::uint32_t out, std::uint64_t t) -> error_code {
    if (out == 0) return error_code::invalid_handle;
    if (t == 0) return error_code::invalid_share_token;
    if (tokens.count(t) == 0) return error_code::unknown_share_token;
    if (handles.count(out) != 0) {
      return handles[out] == tokens[t] ? error_code::none : error_code::alias_already_bound;
    }
    if (is_reserved(out)) return error_code::handle_in_use;
    handles[out] = tokens[t];
    references[tokens[t]].insert(out);
    return error_code::none;
  }
  void release(std::uint64_t t) {
    if (tokens.erase(t) != 0) retired.insert(t);
  }
  void destroy(std::uint32_t h) {
    if (handles.count(h) == 0) return;
    const int underlying = handles[h];
    handles.erase(h);
    references[underlying].erase(h);
    if (!references[underlying].empty()) return;
    references.erase(underlying);
    originals.erase(underlying);
    std::vector<std::uint64_t> dead;
    for (const auto& [t, u] : tokens) {
      if (u == underlying) dead.push_back(t);
    }
    for (const std::uint64_t t : dead) release(t);
  }
};

/// A host's textures and handles around the registry.
struct host {
  struct texture {
    share_token first_token{};
    resource_handle original{};
    int handles = 1;
  };
  using registry = share_registry<texture>;

  std::vector<registry::map::slot> slots = std::vector<registry::map::slot>(4096);
  registry shares{{}, registry::map{slots}};
  std::map<std::uint32_t, shared_handle<texture>> names;
  std::set<std::unique_ptr<texture>> textures;

  [[nodiscard]] auto handle(std::uint32_t h) const -> shared_handle<texture> {
    const auto found = names.find(h);
    return found != names.end() ? found->second : shared_handle<texture>{resource_handle{h}};
  }
  auto create(std::uint32_t h) -> bool {
    if (names.count(h) != 0) return false;
    auto* made = textures.insert(std::make_unique<texture>()).first->get();
    made->original = resource_handle{h};
    names[h] = {resource_handle{h}, handle_state::texture, made};
    return true;
  }
  auto import_token(std::uint32_t out, std::uint64_t t) -> error_code {
    const auto found = shares.import_token(handle(out), share_token{t});
    if (found && found->is_new_alias) {
      ++found->texture->handles;
      names[out] = {resource_handle{out}, handle_state::texture, found->texture};
    }
    return found.why().code;
  }
  void destroy(std::uint32_t h) {
    const auto named = handle(h);
    if (named.state != handle_state::texture) return;
    texture* t = named.texture;
    if (--t->handles == 0) {
      shares.retire_all(*t);
      names.erase(raw(t->original));
      names.erase(h);
      for (auto at = textures.begin(); at != textures.end(); ++at) {
        if (at->get() != t) continue;
        textures.erase(at);
        break;
      }
    } else if (named.handle == t->original) {
      names[h].state = handle_state::reserved;
    } else {
      names.erase(h);
    }
  }
};

}  // namespace

TEST_CASE("handles, aliases and tokens behave as the chapter's four tables", "[share]") {
  const auto seed = GENERATE(1u, 2u, 3u, 4u);
  CAPTURE(seed);
  std::mt19937 random{seed};
  model expected;
  host real;
  std::uint64_t fresh = 1;
  for (int step = 0; step < 8'000; ++step) {
    const auto h = static_cast<std::uint32_t>(random() % 12);
    if (random() % 40 == 0) fresh += 4;  // tokens wear out
    const std::uint64_t t = random() % 16 == 0 ? 0 : fresh + random() % 8;
    switch (random() % 6) {
      case 0:
        if (h != 0) REQUIRE(real.create(h) == expected.create(h));
        break;
      case 1:
      case 2:
        REQUIRE(real.shares.export_token(real.handle(h), share_token{t}).why().code ==
                expected.export_token(h, t));
        break;
      case 3: REQUIRE(real.import_token(h, t) == expected.import_token(h, t)); break;
      case 4:
        if (random() % 4 != 0) break;
        real.shares.release(share_token{t});
        expected.release(t);
        break;
      default: real.destroy(h), expected.destroy(h);
    }
    REQUIRE(real.shares.bound_count() == expected.tokens.size());
    REQUIRE(real.shares.retired_count() == expected.retired.size());
    REQUIRE(real.textures.size() == expected.references.size());
    for (std::uint32_t n = 0; n < 12; ++n) {
      REQUIRE((real.handle(n).state == handle_state::texture) == (expected.handles.count(n) != 0));
      REQUIRE((real.handle(n).state == handle_state::reserved) == expected.is_reserved(n));
    }
  }
  CHECK(expected.retired.size() > 100);
}
