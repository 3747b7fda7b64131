#if !__has_include(<ini.h>)
#error "ini.h is missing: apt install libinih-dev"
#endif
#include <ini.h>
