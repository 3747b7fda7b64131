#if !__has_include(<sqlite3.h>)
#error "sqlite3.h is missing: apt install libsqlite3-dev"
#endif
#include <sqlite3.h>
