c     SPDX-License-Identifier: LGPL-2.1-only
c     Fixed form, mpif.h, two ranks that use the same unit.
      program fixed
      implicit none
      include 'mpif.h'
      integer ierr, rank, total, got, value
      real second
      external second_half
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
      value = rank + 1
      call MPI_ALLREDUCE(value, total, 1, MPI_INTEGER, MPI_SUM,
     &                   MPI_COMM_WORLD, ierr)
      open(unit=10, file='unit10.'//char(ichar('0') + rank))
      write(10,*) 100 + rank
      call MPI_BARRIER(MPI_COMM_WORLD, ierr)
      rewind(10)
      read(10,*) got
      close(10)
      write(*,'(a,i2,a,i3,a,i4)') 'rank', rank, ' total', total,
     &  ' read', got
      call second_half(rank)
      call MPI_FINALIZE(ierr)
      end
