// An endpoint's certificate authorities, expected server name and client certificate as OpenSSL objects. They
// are read once and applied to each new connection.
#pragma once

#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "http/message.h"

namespace slaq::http {

template <auto Free>
struct OpenSslDeleter {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};
using CertificateStore = std::unique_ptr<X509_STORE, OpenSslDeleter<X509_STORE_free>>;
using Certificate = std::unique_ptr<X509, OpenSslDeleter<X509_free>>;
using PrivateKey = std::unique_ptr<EVP_PKEY, OpenSslDeleter<EVP_PKEY_free>>;

class Trust {
 public:
  // `host` is what the URL names. Invalid when the endpoint's PEM texts can't be read.
  static Result<std::shared_ptr<Trust>> read(const HttpEndpoint& endpoint, const std::string& host);

  // Prepares a context for one connection. The context and its connections must not outlive this.
  Result<void> apply(SSL_CTX* context);

  // The reason for a TLS failure with this OpenSSL error, as a part of a sentence.
  std::string describe(unsigned long openSslError) const;

 private:
  static int verify(X509_STORE_CTX* chain, void* self);
  Result<void> expectName(SSL_CTX* context) const;
  Result<void> presentCertificate(SSL_CTX* context) const;

  CertificateStore authorities_;
  std::string name_;  // host or IP that the server's certificate must have
  bool skipVerify_ = false;
  bool ownAuthorities_ = false;
  std::vector<Certificate> chain_;  // the client's certificate first
  PrivateKey key_;
  std::atomic<int> lastRefusal_ = X509_V_OK;
};

}  // namespace slaq::http
