#if !__has_include(<libudev.h>)
#error "libudev.h is missing: apt install libudev-dev"
#endif
#include <libudev.h>
