#if !__has_include(<gnutls/x509.h>)
#error "gnutls/x509.h is missing: apt install libgnutls28-dev"
#endif
#if !__has_include(<qrencode.h>)
#error "qrencode.h is missing: apt install libqrencode-dev"
#endif

#include "CMapShare.h"

#include <arpa/inet.h>
#include <gnutls/crypto.h>
#include <gnutls/x509.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <qrencode.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char usage[] = GNUTLS_KP_TLS_WWW_SERVER;

static int describe(gnutls_x509_crt_t certificate, gnutls_x509_privkey_t key, const char *name) {
  const time_t now = time(NULL);
  uint8_t serial[16];
  int status = gnutls_rnd(GNUTLS_RND_NONCE, serial, sizeof serial);
  // A serial number is above zero (RFC 5280, section 4.1.2.2).
  serial[0] = (serial[0] & 0x7F) | 1;
  if (status >= 0) status = gnutls_x509_crt_set_version(certificate, 3);
  if (status >= 0) status = gnutls_x509_crt_set_serial(certificate, serial, sizeof serial);
  if (status >= 0) status = gnutls_x509_crt_set_activation_time(certificate, now - 3600);
  if (status >= 0) status = gnutls_x509_crt_set_expiration_time(certificate, now + 730 * 86400L);
  if (status >= 0) status = gnutls_x509_crt_set_dn_by_oid(certificate, GNUTLS_OID_X520_COMMON_NAME, 0, name, (unsigned)strlen(name));
  if (status >= 0) status = gnutls_x509_crt_set_subject_alt_name(certificate, GNUTLS_SAN_DNSNAME, name, (unsigned)strlen(name), GNUTLS_FSAN_SET);
  if (status >= 0) status = gnutls_x509_crt_set_key_purpose_oid(certificate, usage, 0);
  if (status >= 0) status = gnutls_x509_crt_set_basic_constraints(certificate, 0, -1);
  if (status >= 0) status = gnutls_x509_crt_set_key(certificate, key);
  return status >= 0 ? gnutls_x509_crt_sign2(certificate, certificate, key, GNUTLS_DIG_SHA256, 0) : status;
}

int cmapshare_make_certificate(const char *name, char *certificate_text, size_t certificate_room, char *key_text, size_t key_room) {
  gnutls_x509_crt_t certificate = NULL;
  gnutls_x509_privkey_t key = NULL;
  int status = gnutls_x509_crt_init(&certificate);
  if (status >= 0) status = gnutls_x509_privkey_init(&key);
  if (status >= 0) status = gnutls_x509_privkey_generate(key, GNUTLS_PK_ECDSA, GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1), 0);
  if (status >= 0) status = describe(certificate, key, name);
  if (status >= 0) status = gnutls_x509_crt_export(certificate, GNUTLS_X509_FMT_PEM, certificate_text, &certificate_room);
  if (status >= 0) status = gnutls_x509_privkey_export(key, GNUTLS_X509_FMT_PEM, key_text, &key_room);
  if (key) gnutls_x509_privkey_deinit(key);
  if (certificate) gnutls_x509_crt_deinit(certificate);
  return status < 0 ? status : 0;
}

int cmapshare_check_certificate(const char *certificate_text, const char *key_text, uint8_t fingerprint[32], int64_t *expires) {
  const gnutls_datum_t certificate_data = { (unsigned char *)certificate_text, (unsigned)strlen(certificate_text) };
  const gnutls_datum_t key_data = { (unsigned char *)key_text, (unsigned)strlen(key_text) };
  gnutls_x509_crt_t certificate = NULL;
  gnutls_x509_privkey_t key = NULL;
  uint8_t own[20], other[20];
  size_t own_size = sizeof own, other_size = sizeof other, size = 32;
  int status = gnutls_x509_crt_init(&certificate);
  if (status >= 0) status = gnutls_x509_privkey_init(&key);
  if (status >= 0) status = gnutls_x509_crt_import(certificate, &certificate_data, GNUTLS_X509_FMT_PEM);
  if (status >= 0) status = gnutls_x509_privkey_import(key, &key_data, GNUTLS_X509_FMT_PEM);
  if (status >= 0) status = gnutls_x509_crt_get_fingerprint(certificate, GNUTLS_DIG_SHA256, fingerprint, &size);
  if (status >= 0) status = gnutls_x509_crt_get_key_id(certificate, GNUTLS_KEYID_USE_SHA1, own, &own_size);
  if (status >= 0) status = gnutls_x509_privkey_get_key_id(key, GNUTLS_KEYID_USE_SHA1, other, &other_size);
  if (status >= 0) *expires = gnutls_x509_crt_get_expiration_time(certificate);
  if (key) gnutls_x509_privkey_deinit(key);
  if (certificate) gnutls_x509_crt_deinit(certificate);
  return status >= 0 && own_size == other_size && memcmp(own, other, own_size) == 0 ? 0 : -1;
}

int cmapshare_addresses(char *texts, int most) {
  struct ifaddrs *first = NULL;
  int count = 0;
  if (getifaddrs(&first) != 0) return 0;
  for (int family = AF_INET; family; family = family == AF_INET ? AF_INET6 : 0) {
    for (const struct ifaddrs *one = first; one && count < most; one = one->ifa_next) {
      if (!one->ifa_addr || one->ifa_addr->sa_family != family || !(one->ifa_flags & IFF_UP) || one->ifa_flags & IFF_LOOPBACK) continue;
      const void *address = &((const struct sockaddr_in *)one->ifa_addr)->sin_addr;
      if (family == AF_INET6) {
        const struct in6_addr *six = &((const struct sockaddr_in6 *)one->ifa_addr)->sin6_addr;
        if (IN6_IS_ADDR_LINKLOCAL(six)) continue;
        address = six;
      }
      if (inet_ntop(family, address, texts + count * INET6_ADDRSTRLEN, INET6_ADDRSTRLEN)) ++count;
    }
  }
  freeifaddrs(first);
  return count;
}

int cmapshare_host_name(char *name, size_t room) {
  if (room == 0 || gethostname(name, room) != 0) return -1;
  name[room - 1] = 0;
  return 0;
}

int cmapshare_qr_code(const char *text, uint8_t *modules, size_t room) {
  QRcode *code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L);
  if (!code) return 0;
  int rows = code->width;
  const size_t count = (size_t)rows * (size_t)rows;
  if (count > room) rows = 0;
  for (size_t i = 0; rows && i < count; ++i) modules[i] = code->data[i] & 1;
  QRcode_free(code);
  return rows;
}
