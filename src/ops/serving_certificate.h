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

// Invalid when one cannot be read, or the key is not the certificate's: a sentence that names the file.
Result<void> check(const CertificateFiles& files);

// Each connection of the context reads the files anew, so that they can be replaced at any time; one that
// finds them unusable fails. REQUIRES: `files` outlives the context.
void showCertificate(boost::asio::ssl::context& context, CertificateFiles& files);

}  // namespace slaq::ops
