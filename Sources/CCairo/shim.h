#if !__has_include(<cairo/cairo-svg.h>)
#error "cairo-svg.h is missing: apt install libcairo2-dev"
#endif
#include <cairo/cairo-svg.h>
#include <cairo/cairo.h>
