#ifndef FLEET_HELPER_ENCRYPTION_H
#define FLEET_HELPER_ENCRYPTION_H

// OwnTracks' end-to-end encryption (owntracks.org/booklet/features/encrypt): libsodium's secretbox, XSalsa20-Poly1305. The key is the
// secret, cut or padded with NUL to 32 bytes; the data is base64 of the nonce and the box:
// {"_type":"encrypted","data":"..."}. libsodium is loaded at its first use.

#include <stddef.h>
#include <stdint.h>

enum { ENCRYPTION_KEY = 32 };

int encryption_is_there(void);
void encryption_key(uint8_t key[ENCRYPTION_KEY], const uint8_t *secret, size_t size);
/// The encrypted payload, allocated; NULL: there is no memory.
uint8_t *encryption_seal(const uint8_t key[ENCRYPTION_KEY], const uint8_t *bytes, size_t size, size_t *sealed_size);
/// The content of an encrypted payload, allocated; NULL: it is not encrypted, or not with this key.
uint8_t *encryption_open(const uint8_t key[ENCRYPTION_KEY], const uint8_t *bytes, size_t size, size_t *opened_size);

#endif
