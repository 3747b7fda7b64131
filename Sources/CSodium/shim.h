#if !__has_include(<sodium.h>)
#error "sodium.h is missing: apt install libsodium-dev"
#endif
#include <sodium.h>
