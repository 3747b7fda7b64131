#include "CCoreLocation.h"

// The headers contain only declarations, but a C target needs a file to compile.
