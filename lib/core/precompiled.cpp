// Compiled for its precompiled header alone (CMakeLists.txt).
#include "core/precompiled.h"
