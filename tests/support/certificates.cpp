#include "support/certificates.h"

#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include "support/require.h"

namespace slaq::test {

namespace {

template <auto Free>
struct Deleter {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};
using Certificate = std::unique_ptr<X509, Deleter<X509_free>>;
using Key = std::unique_ptr<EVP_PKEY, Deleter<EVP_PKEY_free>>;
using Bio = std::unique_ptr<BIO, Deleter<BIO_free_all>>;

std::string textOf(BIO* bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  return {data, static_cast<std::size_t>(size)};
}

std::string pemOf(X509* certificate) {
  const Bio bio(BIO_new(BIO_s_mem()));
  require(PEM_write_bio_X509(bio.get(), certificate) == 1);
  return textOf(bio.get());
}

std::string pemOf(EVP_PKEY* key) {
  const Bio bio(BIO_new(BIO_s_mem()));
  require(PEM_write_bio_PrivateKey(bio.get(), key, nullptr, nullptr, 0, nullptr, nullptr) == 1);
  return textOf(bio.get());
}

Certificate blank(const CertificateWish& wish, EVP_PKEY* key) {
  Certificate certificate(X509_new());
  X509_set_version(certificate.get(), 2);
  unsigned char serial[8];
  require(RAND_bytes(serial, sizeof serial) == 1);
  serial[0] = static_cast<unsigned char>((serial[0] & 0x3f) | 0x40);
  ASN1_INTEGER* number = X509_get_serialNumber(certificate.get());
  require(ASN1_STRING_set(number, serial, sizeof serial) == 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), wish.validFromSeconds);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), wish.validToSeconds);
  const auto* name = reinterpret_cast<const unsigned char*>(wish.commonName.c_str());
  X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate.get()), "CN", MBSTRING_UTF8, name, -1, -1, 0);
  X509_set_pubkey(certificate.get(), key);
  return certificate;
}

void extend(X509* certificate, X509* issuer, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str());
  require(extension != nullptr);
  X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
}

}  // namespace

struct Authority::Parts {
  Key key;
  Certificate certificate;
  bool keyIdentifiers = true;
};

Authority::Authority(bool keyIdentifiers) : parts_(std::make_unique<Parts>()) {
  parts_->keyIdentifiers = keyIdentifiers;
  parts_->key.reset(EVP_EC_gen("P-256"));
  parts_->certificate = blank({"test authority", "", -86400, 86400}, parts_->key.get());
  X509* self = parts_->certificate.get();
  X509_set_issuer_name(self, X509_get_subject_name(self));
  extend(self, self, NID_basic_constraints, "critical,CA:TRUE");
  extend(self, self, NID_key_usage, "critical,keyCertSign,cRLSign");
  if (keyIdentifiers) extend(self, self, NID_subject_key_identifier, "hash");
  require(X509_sign(self, parts_->key.get(), EVP_sha256()) != 0);
}

Authority::~Authority() = default;

std::string Authority::pem() const { return pemOf(parts_->certificate.get()); }

Identity Authority::sign(const CertificateWish& wish) const {
  const Key key(EVP_EC_gen("P-256"));
  const Certificate certificate = blank(wish, key.get());
  X509_set_issuer_name(certificate.get(), X509_get_subject_name(parts_->certificate.get()));
  if (!wish.subjectAltName.empty()) {
    extend(certificate.get(), parts_->certificate.get(), NID_subject_alt_name, wish.subjectAltName);
  }
  if (parts_->keyIdentifiers) {
    extend(certificate.get(), parts_->certificate.get(), NID_authority_key_identifier, "keyid:always");
  }
  require(X509_sign(certificate.get(), parts_->key.get(), EVP_sha256()) != 0);
  return {pemOf(certificate.get()), pemOf(key.get())};
}

}  // namespace slaq::test
