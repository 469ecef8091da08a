// SPDX-License-Identifier: LGPL-2.1-only
// The library of user_program.cc.

extern "C" int doubled(int number) { return 2 * number; }
