#if !__has_include(<zlib.h>)
#error "zlib.h is missing: apt install zlib1g-dev"
#endif

#include "CZlib.h"

#include <limits.h>
#include <zlib.h>

long czlib_inflate(const uint8_t *input, size_t size, uint8_t *output, size_t room) {
  if (size > INT_MAX || room > INT_MAX) return -1;
  z_stream stream = { .next_in = (Bytef *)input, .avail_in = (uInt)size, .next_out = output, .avail_out = (uInt)room };
  // 32 more bits of window: the header says whether it is gzip or zlib.
  if (inflateInit2(&stream, 15 + 32) != Z_OK) return -1;
  int status;
  while ((status = inflate(&stream, Z_FINISH)) == Z_STREAM_END && stream.avail_in > 0) {
    if (inflateReset(&stream) != Z_OK) break;
  }
  inflateEnd(&stream);
  return status == Z_STREAM_END ? (long)(room - stream.avail_out) : -1;
}
