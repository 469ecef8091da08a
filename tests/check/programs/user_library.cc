// The library of user_program.cc.

extern "C" int doubled(int number) { return 2 * number; }
