// SPDX-License-Identifier: LGPL-2.1-only
// Linked into Fortran programs that open files with MPI: the functions with strings, whose lengths gfortran passes
// after the other arguments. SMPI's own take them for C strings. The others are in the library that the simulator
// preloads.
//
// MPI's handles are pointers in C and numbers in Fortran. mpi.h is not included, because this file is compiled without
// an MPI.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

extern int MPI_File_open(void* comm, const char* name, int amode, void* info, void** file);
extern int MPI_File_close(void** file);
extern int MPI_File_delete(const char* name, void* info);
extern int MPI_File_set_view(void* file, long long displacement, void* etype, void* filetype,
                             const char* representation, void* info);
extern int MPI_File_get_view(void* file, long long* displacement, void** etype, void** filetype, char* representation);
extern int MPI_File_get_amode(void* file, int* amode);
extern int MPI_File_c2f(void* file);
extern void* MPI_File_f2c(int file);
extern void* MPI_Comm_f2c(int comm);
extern void* MPI_Info_f2c(int info);
extern void* MPI_Type_f2c(int type);
extern int MPI_Type_c2f(void* type);

enum { kNoMemory = 19 };  // MPI_ERR_NO_MEM

enum { kSequential = 256, kCurrent = -54278278 };  // MPI_MODE_SEQUENTIAL, MPI_DISPLACEMENT_CURRENT

// SMPI's mpif.h declares MPI_DISPLACEMENT_CURRENT as an integer of 4 bytes, so the other half of the argument is not
// set. It is allowed only in files that are accessed sequentially.
static long long whole(void* file, const long long* displacement) {
  int amode = 0;
  if (file == NULL || (int)*displacement != kCurrent) return *displacement;
  MPI_File_get_amode(file, &amode);
  return (amode & kSequential) != 0 ? kCurrent : *displacement;
}

// A C string without the blanks at the end, to be freed.
static char* c_string(const char* text, size_t length) {
  while (length > 0 && text[length - 1] == ' ') --length;
  char* copy = malloc(length + 1);
  if (copy == NULL) return NULL;
  memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

void mpi_file_open_(const int* comm, const char* name, const int* amode, const int* info, int* file, int* ierror,
                    size_t length) {
  char* const text = c_string(name, length);
  void* made = NULL;
  *ierror = text == NULL ? kNoMemory : MPI_File_open(MPI_Comm_f2c(*comm), text, *amode, MPI_Info_f2c(*info), &made);
  *file = made == NULL ? 0 : MPI_File_c2f(made);
  free(text);
}

void mpi_file_close_(int* file, int* ierror) {
  void* handle = MPI_File_f2c(*file);
  *ierror = MPI_File_close(&handle);
  if (handle == NULL) *file = 0;
}

void mpi_file_delete_(const char* name, const int* info, int* ierror, size_t length) {
  char* const text = c_string(name, length);
  *ierror = text == NULL ? kNoMemory : MPI_File_delete(text, MPI_Info_f2c(*info));
  free(text);
}

void mpi_file_set_view_(const int* file, const long long* displacement, const int* etype, const int* filetype,
                        const char* representation, const int* info, int* ierror, size_t length) {
  char* const text = c_string(representation, length);
  *ierror = text == NULL ? kNoMemory
                         : MPI_File_set_view(MPI_File_f2c(*file), whole(MPI_File_f2c(*file), displacement),
                                             MPI_Type_f2c(*etype), MPI_Type_f2c(*filetype), text, MPI_Info_f2c(*info));
  free(text);
}

void mpi_file_get_view_(const int* file, long long* displacement, int* etype, int* filetype, char* representation,
                        int* ierror, size_t length) {
  char text[128] = "";  // MPI_MAX_DATAREP_STRING
  void *of_elements = NULL, *of_file = NULL;
  *ierror = MPI_File_get_view(MPI_File_f2c(*file), displacement, &of_elements, &of_file, text);
  if (*ierror != 0) return;
  *etype = MPI_Type_c2f(of_elements);
  *filetype = MPI_Type_c2f(of_file);
  memset(representation, ' ', length);
  memcpy(representation, text, strlen(text) < length ? strlen(text) : length);
}
