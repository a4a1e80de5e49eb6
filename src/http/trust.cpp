#include "http/trust.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

namespace slaq::http {

namespace {

using Bio = std::unique_ptr<BIO, OpenSslDeleter<BIO_free_all>>;

Bio bioOver(const std::string& text) {
  return Bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

std::vector<Certificate> certificatesIn(const std::string& pem) {
  std::vector<Certificate> found;
  const Bio bio = bioOver(pem);
  while (X509* next = PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr)) found.emplace_back(next);
  ERR_clear_error();  // OpenSSL reports the end of the text as an error
  return found;
}

Result<CertificateStore> authoritiesOf(const HttpEndpoint& endpoint) {
  CertificateStore store(X509_STORE_new());
  if (endpoint.caPem.empty()) {
    X509_STORE_set_default_paths(store.get());
    return store;
  }
  const auto certificates = certificatesIn(endpoint.caPem);
  if (certificates.empty()) {
    return failure(ErrorKind::Invalid, "the certificate authority for " + endpoint.url +
                                           " has no PEM certificate (-----BEGIN CERTIFICATE-----)");
  }
  for (const auto& certificate : certificates) X509_STORE_add_cert(store.get(), certificate.get());
  return store;
}

// A host name goes into the TLS greeting, so that a server of many names can choose; an address does not.
void sayName(const SSL* connection, int where, int) {
  if ((where & SSL_CB_HANDSHAKE_START) == 0) return;
  auto* writable = const_cast<SSL*>(connection);
  if (const char* host = X509_VERIFY_PARAM_get0_host(SSL_get0_param(writable), 0)) {
    SSL_set_tlsext_host_name(writable, host);
  }
}

}  // namespace

Result<std::shared_ptr<Trust>> Trust::read(const HttpEndpoint& endpoint, const std::string& host) {
  auto trust = std::make_shared<Trust>();
  auto authorities = authoritiesOf(endpoint);
  if (!authorities) return failure(authorities.error());
  trust->authorities_ = std::move(*authorities);
  trust->ownAuthorities_ = !endpoint.caPem.empty();
  trust->name_ = endpoint.serverName.empty() ? host : endpoint.serverName;
  trust->skipVerify_ = endpoint.insecureSkipVerify;
  if (endpoint.clientCertificatePem.empty() && endpoint.clientKeyPem.empty()) return trust;

  trust->chain_ = certificatesIn(endpoint.clientCertificatePem);
  const Bio bio = bioOver(endpoint.clientKeyPem);
  trust->key_.reset(PEM_read_bio_PrivateKey(bio.get(), nullptr, nullptr, nullptr));
  ERR_clear_error();
  if (trust->chain_.empty() || !trust->key_) {
    return failure(ErrorKind::Invalid,
                   "the client certificate for " + endpoint.url + " needs a PEM certificate and its PEM key");
  }
  if (X509_check_private_key(trust->chain_.front().get(), trust->key_.get()) != 1) {
    ERR_clear_error();
    return failure(ErrorKind::Invalid, "the client key for " + endpoint.url + " is not its certificate's");
  }
  return trust;
}

Result<void> Trust::apply(SSL_CTX* context) {
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  // Replaces the whole store, so that the system's authorities are not trusted as well.
  SSL_CTX_set1_cert_store(context, authorities_.get());
  SSL_CTX_set_cert_verify_callback(context, &Trust::verify, this);
  SSL_CTX_set_info_callback(context, &sayName);
  // A given certificate is trusted whoever signed it, as in other clients.
  if (ownAuthorities_) X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(context), X509_V_FLAG_PARTIAL_CHAIN);
  if (auto named = expectName(context); !named) return named;
  return presentCertificate(context);
}

Result<void> Trust::expectName(SSL_CTX* context) const {
  X509_VERIFY_PARAM* expected = SSL_CTX_get0_param(context);
  X509_VERIFY_PARAM_set_hostflags(expected,
                                  X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  if (X509_VERIFY_PARAM_set1_ip_asc(expected, name_.c_str()) == 1) return {};
  ERR_clear_error();
  if (X509_VERIFY_PARAM_set1_host(expected, name_.data(), name_.size()) == 1) return {};
  return failure(ErrorKind::Invalid, "'" + name_ + "' is not a host name");
}

Result<void> Trust::presentCertificate(SSL_CTX* context) const {
  if (!key_) return {};
  bool taken = SSL_CTX_use_certificate(context, chain_.front().get()) == 1 &&
               SSL_CTX_use_PrivateKey(context, key_.get()) == 1;
  for (std::size_t i = 1; taken && i < chain_.size(); ++i) {
    taken = SSL_CTX_add1_chain_cert(context, chain_[i].get()) == 1;
  }
  if (taken) return {};
  return failure(ErrorKind::Invalid, "the client certificate is refused by OpenSSL");
}

// Replaces the HTTP library's own verification, which falls back to the certificate's common name.
int Trust::verify(X509_STORE_CTX* chain, void* self) {
  auto* trust = static_cast<Trust*>(self);
  if (trust->skipVerify_) return 1;
  X509_STORE_CTX_set_verify_cb(chain, [](int preverified, X509_STORE_CTX*) { return preverified; });
  const int verdict = X509_verify_cert(chain);
  if (verdict == 1) return 1;
  trust->lastRefusal_ = X509_STORE_CTX_get_error(chain);
  ERR_clear_error();  // what the search left behind would hide the handshake's own error
  return verdict;
}

std::string Trust::describe(unsigned long openSslError) const {
  if (ERR_GET_LIB(openSslError) == ERR_LIB_SSL &&
      ERR_GET_REASON(openSslError) == SSL_R_CERTIFICATE_VERIFY_FAILED) {
    return "the server's certificate for '" + name_ +
           "' is not trusted: " + X509_verify_cert_error_string(lastRefusal_);
  }
  const char* reason = ERR_reason_error_string(openSslError);
  return std::string("TLS failed: ") + (reason != nullptr ? reason : "unknown error");
}

}  // namespace slaq::http
