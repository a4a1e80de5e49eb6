// What drivers and workers of the trainer send each other.
#include <string>

#include "fuzz/checks.h"
#include "trainer/net/address.h"
#include "trainer/protocol/message.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slaq;
  const auto text = fuzz::textOf(data, size);
  const auto address = trainer::net::parseAddress(text);
  if (!address) fuzz::checkSentence(address.error().message);

  if (size >= trainer::protocol::kLengthBytes) {
    const auto length = trainer::protocol::decodeLength(text.substr(0, trainer::protocol::kLengthBytes));
    if (length) fuzz::check(*length <= trainer::protocol::kLongestBody, "a length is in bounds");
    if (!length) fuzz::checkSentence(length.error().message);
  }
  const auto message = trainer::protocol::decodeBody(text);
  if (!message) {
    fuzz::checkSentence(message.error().message);
    return 0;
  }
  const std::string once = trainer::protocol::encode(*message);
  const auto again =
      trainer::protocol::decodeBody(std::string_view(once).substr(trainer::protocol::kLengthBytes));
  fuzz::check(again.has_value(), "a message that was read can be sent and read");
  fuzz::check(trainer::protocol::encode(*again) == once, "a message is the same after it is sent and read");
  return 0;
}
