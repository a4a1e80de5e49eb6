#include "page/page.h"

#include <openssl/evp.h>

#include <array>

#include "page/assets.h"

namespace slaq::page {
namespace {

// The hash of a script or of a style in the form that Content-Security-Policy needs.
std::string hashOf(std::string_view text) {
  std::array<unsigned char, 32> hash;
  EVP_Digest(text.data(), text.size(), hash.data(), nullptr, EVP_sha256(), nullptr);
  std::array<unsigned char, 45> base64;
  const int length = EVP_EncodeBlock(base64.data(), hash.data(), static_cast<int>(hash.size()));
  return "'sha256-" + std::string(base64.begin(), base64.begin() + length) + "'";
}

// The browser runs only the scripts that the program was built with, and loads nothing from elsewhere.
std::string securityPolicy() {
  return "default-src 'none'; script-src " + hashOf(kScript) + "; style-src " + hashOf(kStyle) +
         "; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'";
}

void replace(std::string& text, std::string_view place, std::string_view by) {
  text.replace(text.find(place), place.size(), by);
}

}  // namespace

std::string pageWith(const std::string& document) {
  std::string html(kHtml);
  // In this order each placeholder is the first text of its name, so no text in a document is taken for one.
  replace(html, "{{script}}", kScript);
  replace(html, "{{document}}", document);
  replace(html, "{{style}}", kStyle);
  replace(html, "{{policy}}", securityPolicy());
  return html;
}

}  // namespace slaq::page
