#include "ops/serving_certificate.h"

#include <openssl/err.h>
#include <openssl/ssl.h>

#include <memory>

namespace slaq::ops {
namespace {

int useFiles(SSL* connection, void* files) {
  const auto& [certificate, key] = *static_cast<CertificateFiles*>(files);
  const bool isUsable = SSL_use_certificate_chain_file(connection, certificate.c_str()) == 1 &&
                        SSL_use_PrivateKey_file(connection, key.c_str(), SSL_FILETYPE_PEM) == 1 &&
                        SSL_check_private_key(connection) == 1;
  ERR_clear_error();
  return isUsable ? 1 : 0;
}

Result<void> refuse(const std::string& what) {
  ERR_clear_error();
  return failure(ErrorKind::Invalid, what);
}

}  // namespace

Result<void> check(const CertificateFiles& files) {
  const std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context(SSL_CTX_new(TLS_server_method()),
                                                                  &SSL_CTX_free);
  if (SSL_CTX_use_certificate_chain_file(context.get(), files.certificate.c_str()) != 1)
    return refuse(files.certificate + " is no PEM certificate that can be read");
  if (SSL_CTX_use_PrivateKey_file(context.get(), files.key.c_str(), SSL_FILETYPE_PEM) != 1)
    return refuse(files.key + " is no PEM key of " + files.certificate + " that can be read");
  return {};
}

void showCertificate(boost::asio::ssl::context& context, CertificateFiles& files) {
  SSL_CTX_set_min_proto_version(context.native_handle(), TLS1_2_VERSION);
  SSL_CTX_set_cert_cb(context.native_handle(), &useFiles, &files);
}

}  // namespace slaq::ops
