// The certificate that the operations server shows.
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <string>

#include "base/result.h"

namespace slaq::ops {

// PEM files of a certificate chain and its key.
struct CertificateFiles {
  std::string certificate;
  std::string key;
};

// Invalid when a file cannot be read, or the key does not belong to the certificate: a sentence that names
// the file.
Result<void> check(const CertificateFiles& files);

// Each connection of the context reads the files again, so that they can be replaced at any time. A
// connection that finds them unusable fails. REQUIRES: `files` outlives the context.
void showCertificate(boost::asio::ssl::context& context, CertificateFiles& files);

}  // namespace slaq::ops
