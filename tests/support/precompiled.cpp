// Compiled for its precompiled header alone (tests/CMakeLists.txt).
#include "core/precompiled.h"
