#ifndef CZLIB_H
#define CZLIB_H

#include <stddef.h>
#include <stdint.h>

/// Decompresses one or several members of gzip, or a stream of zlib. Returns the number of bytes, or -1: the input is damaged or cut off, or
/// it has more bytes than there is room for.
long czlib_inflate(const uint8_t *input, size_t size, uint8_t *output, size_t room);

#endif
