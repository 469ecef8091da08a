// SPDX-License-Identifier: LGPL-2.1-only
// headers.h and GoogleTest, for the folder tests/.
#ifdef __cplusplus
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "third_party/precompiled/headers.h"
#endif
