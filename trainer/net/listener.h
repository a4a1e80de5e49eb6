// Opens the port on which the driver awaits its workers.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "base/result.h"
#include "trainer/net/address.h"

namespace slaq::trainer::net {

// Without a host on all interfaces, of both families where the machine has them. Port 0 takes a free one.
Result<boost::asio::ip::tcp::acceptor> listenOn(boost::asio::io_context& io, const Address& address);

}  // namespace slaq::trainer::net
