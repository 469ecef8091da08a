// SPDX-License-Identifier: LGPL-2.1-only
// Entries of MPI functions (call_entries.h), for x86-64. An entry puts its number into %r11, which the calling convention leaves
// free, and jumps to strata_call, which keeps all registers with arguments.

#include "native/rank/call_entries.inc"

    .text
    .hidden strata_enter_call
    .hidden strata_leave_call

    .type strata_call, @function
strata_call:
    .cfi_startproc
    // The six registers of arguments, as an array: strata_enter_call's second argument.
    pushq %rax
    pushq %r9
    pushq %r8
    pushq %rcx
    pushq %rdx
    pushq %rsi
    pushq %rdi
    subq $128, %rsp
    movdqu %xmm0, (%rsp)
    movdqu %xmm1, 16(%rsp)
    movdqu %xmm2, 32(%rsp)
    movdqu %xmm3, 48(%rsp)
    movdqu %xmm4, 64(%rsp)
    movdqu %xmm5, 80(%rsp)
    movdqu %xmm6, 96(%rsp)
    movdqu %xmm7, 112(%rsp)
    movq %r11, %rdi
    leaq 128(%rsp), %rsi
    leaq 184(%rsp), %rdx
    call strata_enter_call
    movq %rax, %r11
    movdqu (%rsp), %xmm0
    movdqu 16(%rsp), %xmm1
    movdqu 32(%rsp), %xmm2
    movdqu 48(%rsp), %xmm3
    movdqu 64(%rsp), %xmm4
    movdqu 80(%rsp), %xmm5
    movdqu 96(%rsp), %xmm6
    movdqu 112(%rsp), %xmm7
    addq $128, %rsp
    popq %rdi
    popq %rsi
    popq %rdx
    popq %rcx
    popq %r8
    popq %r9
    popq %rax
    jmp *%r11
    .cfi_endproc
    .size strata_call, .-strata_call

    // The library's function returns here, with the stack as after its call.
    .type strata_return, @function
strata_return:
    subq $8, %rsp              // for the program's address
    pushq %rax
    pushq %rdx
    subq $24, %rsp
    movdqu %xmm0, (%rsp)
    call strata_leave_call
    movq %rax, 40(%rsp)
    movdqu (%rsp), %xmm0
    addq $24, %rsp
    popq %rdx
    popq %rax
    ret
    .size strata_return, .-strata_return

    .section .data.rel.ro, "aw"
    .hidden strata_return_of_call
    .globl strata_return_of_call
    .align 8
strata_return_of_call:
    .quad strata_return

    .section .note.GNU-stack, "", @progbits
