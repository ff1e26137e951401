// Instantiates the templates of the freestanding tier for kernel_object.py.
#include "aerogpu/stream/reader.hpp"

namespace {

/// Takes every packet type.
struct any_visitor {
  template <class P>
  auto on_packet(const aerogpu::packet<P>& packet) noexcept -> aerogpu::error_code {
    bytes += packet.payload().size();
    return aerogpu::error_code::none;
  }
  auto on_unknown(const aerogpu::raw_packet& packet) noexcept -> aerogpu::error_code {
    bytes += packet.size();
    return aerogpu::error_code::none;
  }
  std::size_t bytes = 0;
};

}  // namespace

template auto aerogpu::visit<any_visitor>(const aerogpu::stream_view&, any_visitor&) noexcept
    -> aerogpu::error;
template auto aerogpu::visit_framed<any_visitor>(const aerogpu::framed_stream&,
                                                 any_visitor&) noexcept -> aerogpu::error;
