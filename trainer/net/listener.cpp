#include "trainer/net/listener.h"

#include <boost/asio/ip/v6_only.hpp>
#include <string>

namespace slaq::trainer::net {
namespace {

using boost::asio::ip::tcp;
using boost::system::error_code;

error_code open(tcp::acceptor& acceptor, const tcp::endpoint& endpoint, bool bothFamilies) {
  error_code error;
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error && bothFamilies) acceptor.set_option(boost::asio::ip::v6_only(false), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(boost::asio::socket_base::max_listen_connections, error);
  if (error) {
    error_code ignored;
    acceptor.close(ignored);
  }
  return error;
}

error_code openEverywhere(tcp::acceptor& acceptor, std::uint16_t port) {
  const error_code error = open(acceptor, {tcp::v6(), port}, true);
  const bool noSixth = error == boost::asio::error::address_family_not_supported ||
                       error == boost::system::errc::address_not_available;
  return noSixth ? open(acceptor, {tcp::v4(), port}, false) : error;
}

error_code openAt(tcp::acceptor& acceptor, boost::asio::io_context& io, const Address& address) {
  error_code error;
  const auto found =
      tcp::resolver(io).resolve(address.host, std::to_string(address.port), tcp::resolver::passive, error);
  return error ? error : open(acceptor, *found.begin(), false);
}

}  // namespace

Result<tcp::acceptor> listenOn(boost::asio::io_context& io, const Address& address) {
  tcp::acceptor acceptor(io);
  const error_code error =
      address.host.empty() ? openEverywhere(acceptor, address.port) : openAt(acceptor, io, address);
  if (!error) return acceptor;
  return failure(ErrorKind::Invalid, "cannot listen on " + address.host + ":" + std::to_string(address.port) +
                                         ": " + error.message());
}

}  // namespace slaq::trainer::net
