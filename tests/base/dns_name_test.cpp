#include "base/dns_name.h"

#include <gtest/gtest.h>

#include <string>

namespace slaq {
namespace {

TEST(DnsName, OfALabelHasLettersDigitsAndDashesWithin) {
  for (const auto& text : {std::string("a"), std::string("team-a"), std::string("0"), std::string(63, 'a')}) {
    EXPECT_TRUE(isDnsLabel(text)) << text;
  }
  for (const auto& text : {std::string(), std::string("-a"), std::string("a-"), std::string("Team"),
                           std::string("a_b"), std::string("a.b"), std::string(64, 'a')}) {
    EXPECT_FALSE(isDnsLabel(text)) << text;
  }
}

TEST(DnsName, OfASubdomainHasLabelsBetweenDots) {
  const std::string label(63, 'a');
  const std::string longest = label + "." + label + "." + label + "." + std::string(61, 'a');
  for (const auto& text : {std::string("a"), std::string("slaq.v2"), std::string("a.b-c.0"), longest}) {
    EXPECT_TRUE(isDnsSubdomain(text)) << text;
  }
  for (const auto& text : {std::string(), std::string("."), std::string("a."), std::string(".a"),
                           std::string("a..b"), std::string("a.-b"), std::string("A.b"), longest + "a"}) {
    EXPECT_FALSE(isDnsSubdomain(text)) << text;
  }
}

}  // namespace
}  // namespace slaq
