#include "Encryption.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

// The same declarations as in sodium/crypto_secretbox.h, sodium/randombytes.h and sodium/utils.h, whose names libsodium 1.0 keeps.
static struct {
  int (*init)(void);
  void (*random)(void *, size_t);
  int (*seal)(uint8_t *, const uint8_t *, unsigned long long, const uint8_t *, const uint8_t *);
  int (*open)(uint8_t *, const uint8_t *, unsigned long long, const uint8_t *, const uint8_t *);
  char *(*encode)(char *, size_t, const uint8_t *, size_t, int);
  int (*decode)(uint8_t *, size_t, const char *, size_t, const char *, size_t *, const char **, int);
  int is_there;
} sodium;

enum { NONCE = 24, MAC = 16, BASE64 = 1 };

static const char before[] = "{\"_type\":\"encrypted\",\"data\":\"";
static const char after[] = "\"}";

int encryption_is_there(void) {
  static int was_tried;
  if (was_tried) return sodium.is_there;
  was_tried = 1;
  void *library = dlopen("libsodium.so.23", RTLD_LAZY | RTLD_LOCAL);
  if (!library) library = dlopen("libsodium.so.26", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return 0;
#define LOAD(field, name) sodium.field = (__typeof__(sodium.field))dlsym(library, name)
  LOAD(init, "sodium_init");
  LOAD(random, "randombytes_buf");
  LOAD(seal, "crypto_secretbox_easy");
  LOAD(open, "crypto_secretbox_open_easy");
  LOAD(encode, "sodium_bin2base64");
  LOAD(decode, "sodium_base642bin");
#undef LOAD
  sodium.is_there = sodium.init && sodium.random && sodium.seal && sodium.open && sodium.encode && sodium.decode &&
                    sodium.init() >= 0;
  return sodium.is_there;
}

void encryption_key(uint8_t key[ENCRYPTION_KEY], const uint8_t *secret, size_t size) {
  memset(key, 0, ENCRYPTION_KEY);
  memcpy(key, secret, size < ENCRYPTION_KEY ? size : ENCRYPTION_KEY);
}

uint8_t *encryption_seal(const uint8_t key[ENCRYPTION_KEY], const uint8_t *bytes, size_t size, size_t *sealed_size) {
  size_t raw = NONCE + MAC + size, text = (raw + 2) / 3 * 4;
  uint8_t *box = malloc(raw);
  // With the NUL at the end of base64.
  char *sealed = malloc(sizeof before + text + sizeof after);
  if (!box || !sealed) {
    free(box);
    free(sealed);
    return NULL;
  }
  sodium.random(box, NONCE);
  sodium.seal(box + NONCE, bytes, size, box, key);
  memcpy(sealed, before, sizeof before - 1);
  sodium.encode(sealed + sizeof before - 1, text + 1, box, raw, BASE64);
  memcpy(sealed + sizeof before - 1 + text, after, sizeof after - 1);
  *sealed_size = sizeof before - 1 + text + sizeof after - 1;
  free(box);
  return (uint8_t *)sealed;
}

// The text of the member `data`, which has no escapes in base64.
static const char *data_of(const char *text, size_t size, size_t *data_size) {
  const char *key = memmem(text, size, "\"data\"", 6);
  if (!key || !memmem(text, size, "\"encrypted\"", 11)) return NULL;
  const char *end = text + size, *next = key + 6;
  while (next < end && (*next == ' ' || *next == ':')) next++;
  if (next == end || *next != '"') return NULL;
  const char *close = memchr(next + 1, '"', (size_t)(end - next - 1));
  if (!close) return NULL;
  *data_size = (size_t)(close - next - 1);
  return next + 1;
}

uint8_t *encryption_open(const uint8_t key[ENCRYPTION_KEY], const uint8_t *bytes, size_t size, size_t *opened_size) {
  size_t text = 0, raw = 0;
  // An empty message has no bytes at all.
  const char *data = size > 0 ? data_of((const char *)bytes, size, &text) : NULL;
  if (!data) return NULL;
  uint8_t *box = malloc(text + 1), *opened = NULL;
  const char *end = NULL;
  if (box && sodium.decode(box, text + 1, data, text, NULL, &raw, &end, BASE64) == 0 && end == data + text &&
      raw >= NONCE + MAC) {
    opened = malloc(raw - NONCE - MAC + 1);
    if (opened && sodium.open(opened, box + NONCE, raw - NONCE, box, key) == 0) {
      *opened_size = raw - NONCE - MAC;
    } else {
      free(opened);
      opened = NULL;
    }
  }
  free(box);
  return opened;
}
