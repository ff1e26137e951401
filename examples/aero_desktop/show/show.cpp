// SPDX-License-Identifier: MIT
#include "examples/aero_desktop/show/show.hpp"

#include "examples/aero_desktop/desktop/desktop.hpp"
#include "examples/aero_desktop/show/contact_sheet.hpp"
#include "tools/aerogpu/files/files.hpp"
#include "tools/aerogpu/files/outputs.hpp"
#include "tools/aerogpu/files/pending_file.hpp"
#include "tools/aerogpu/files/png_file.hpp"
#include "tools/aerogpu/files/trace_file.hpp"
#include "tools/aerogpu/terminal/console.hpp"
#include "tools/aerogpu/terminal/exit_code.hpp"

#include <string>

namespace desktop {

using namespace aerogpu;

namespace {

class show {
 public:
  show(hardware& pc, const show_choice& how)
      : pc_(pc), how_(how), sheet_(how.frames, screen_width, screen_height) {}

  [[nodiscard]] auto run(const shader_library& shaders, std::string& why) -> int {
    if (how_.trace_file.empty()) return run_windows(shaders, why);
    auto pending = tool::pending_file::create(how_.trace_file, why);
    tool::trace_file trace;
    if (!pending || !trace.open_as(pending->path(), how_.trace_file, "aero_desktop", why)) {
      return tool::exit_cannot;
    }
    pc_.set_tap(trace.tap());
    const int code = run_windows(shaders, why);
    // A recording of what went wrong is worth having, unlike one of a run that could not go on.
    if (code == tool::exit_cannot) return code;
    if (std::string reason; !trace.finish(reason) || !pending->commit(reason)) {
      why = reason;
      return tool::exit_cannot;
    }
    return code;
  }

 private:
  [[nodiscard]] auto run_windows(const shader_library& shaders, std::string& why) -> int {
    guest windows{pc_, shaders};
    if (!windows.start(why) || !run_frames(windows, why) || !windows.stop(why)) {
      return can_write_ ? tool::exit_stream_has_errors : tool::exit_cannot;
    }
    if (!has_let_go(why)) return tool::exit_stream_has_errors;
    if (!how_.sheet_file.empty() && !sheet_.write(how_.sheet_file, why)) return tool::exit_cannot;
    report(windows);
    return is_valid(why) ? tool::exit_fine : tool::exit_stream_has_errors;
  }

  [[nodiscard]] auto run_frames(guest& windows, std::string& why) -> bool {
    for (std::uint32_t i = 0; i < how_.frames; ++i) {
      if (!windows.show(i, how_.frames, why) || !keep_picture(i, why)) {
        why = "frame " + tool::decimal(i) + ": " + why;
        return false;
      }
    }
    return true;
  }

  [[nodiscard]] auto keep_picture(std::uint32_t index, std::string& why) -> bool {
    if (how_.png_folder.empty() && how_.sheet_file.empty()) return true;
    if (const auto read = pc_.display(image_); !read) {
      why = read.why().what;
      return false;
    }
    sheet_.add(index, image_);
    if (how_.png_folder.empty()) return true;
    std::string number = tool::decimal(index);
    number.insert(0, number.size() < 4 ? 4 - number.size() : 0, '0');
    const std::string path = tool::join(how_.png_folder, "frame-" + number + ".png");
    can_write_ = tool::claim_output(path, why) &&
                 tool::write_png(path, image_.pixels(), image_.width(), image_.height(), why);
    return can_write_;
  }

  [[nodiscard]] auto has_let_go(std::string& why) -> bool {
    const object_counts left = pc_.counts();
    live_ = left.buffers + left.textures + left.views + left.resource_names + left.shaders +
            left.input_layouts + left.samplers + left.share_tokens;
    if (live_ != 0) why = tool::counted(live_, "object") + " left behind";
    return live_ == 0;
  }

  [[nodiscard]] auto is_valid(std::string& why) -> bool {
    const std::uint32_t errors = pc_.validation_errors();
    if (errors != 0) why = tool::counted(errors, "validation error");
    return errors == 0;
  }

  void report(const guest& windows) {
    const device_statistics done = pc_.statistics();
    const guest_kernel& kernel = windows.kernel();
    tool::facts lines;
    lines.add("backend", how_.backend);
    lines.add("virtual time", tool::decimal(kernel.time_ns() / 1'000'000) + " ms");
    lines.add("submissions", tool::decimal(done.submissions));
    lines.add("packets", tool::decimal(done.packets));
    lines.add("presents", tool::decimal(done.presents));
    lines.add("vblank interrupts", tool::decimal(kernel.vblanks()));
    lines.add("last fence", tool::decimal(raw(kernel.last_fence())));
    tool::print(lines.str());
    tool::print(tool::counted(how_.frames, "frame") + ", " +
                tool::counted(kernel.errors(), "error") + ", " + tool::counted(live_, "object") +
                " left\n");
  }

  hardware& pc_;
  const show_choice& how_;
  contact_sheet sheet_;
  rgba8_image image_;
  std::uint64_t live_ = 0;
  bool can_write_ = true;
};

}  // namespace

auto run_show(hardware& pc, const show_choice& how, std::string& why) -> int {
  const auto shaders = assemble_shaders(why);
  return shaders ? show{pc, how}.run(*shaders, why) : tool::exit_stream_has_errors;
}

}  // namespace desktop
