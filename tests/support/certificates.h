// Certificates made on the spot, so that tests of TLS need no files and nothing in the tree expires.
#pragma once

#include <memory>
#include <string>

namespace slaq::test {

struct Identity {
  std::string certificatePem;
  std::string keyPem;
};

struct CertificateWish {
  std::string commonName = "test";
  std::string subjectAltName;     // OpenSSL's notation: "DNS:localhost,IP:127.0.0.1"; empty for none
  long validFromSeconds = -3600;  // from now
  long validToSeconds = 3600;
};

// An authority that signs. All have one name, as those of Kubernetes clusters have; without key
// identifiers it takes the signature to tell them apart.
class Authority {
 public:
  explicit Authority(bool keyIdentifiers = true);
  ~Authority();
  Authority(const Authority&) = delete;
  Authority& operator=(const Authority&) = delete;

  std::string pem() const;
  Identity sign(const CertificateWish& wish) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace slaq::test
