#ifndef CMAPSHARE_H
#define CMAPSHARE_H

// What sharing the map in the local network needs of GnuTLS, libqrencode and the C library.

#include <stddef.h>
#include <stdint.h>

/// Makes a self-signed certificate for TLS and its key (ECDSA, P-256), valid from an hour ago for two years. Both are PEM texts that end with a
/// zero byte. Returns 0, or an error of GnuTLS.
int cmapshare_make_certificate(const char *name, char *certificate, size_t certificate_room, char *key, size_t key_room);

/// The SHA-256 of a certificate in PEM, and until when it is valid, seconds since 1970. Returns 0 if both texts are a valid pair.
int cmapshare_check_certificate(const char *certificate, const char *key, uint8_t fingerprint[32], int64_t *expires);

/// The addresses of this machine's interfaces that are up, as texts: those of IPv4 first, without loopback and link-local ones. Returns their
/// number. Each takes 46 bytes of `texts`, which has room for `most`.
int cmapshare_addresses(char *texts, int most);

/// The name of this machine. Returns 0, or -1.
int cmapshare_host_name(char *name, size_t room);

/// Makes a QR code (ISO/IEC 18004) of a text: `modules` gets one byte for each, row by row, 1 for dark. Returns the number of its rows; 0: it
/// does not fit into `room`, or there is no memory.
int cmapshare_qr_code(const char *text, uint8_t *modules, size_t room);

#endif
