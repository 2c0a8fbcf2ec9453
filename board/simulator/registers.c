/* registers.so, for LD_PRELOAD under the virtual board's kernel (simulator/boot). Processors with AMX have more extended
   registers than user-mode Linux 6.12 has room for, and Linux takes a process's back only all together: those that
   are missing are handed over as they are in a process that never used them. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

long ptrace(enum __ptrace_request request, ...) {
    static long (*real)(int, ...);
    if (!real) real = dlsym(RTLD_NEXT, "ptrace");
    va_list rest;
    va_start(rest, request);
    int process = va_arg(rest, int);
    void *address = va_arg(rest, void *), *data = va_arg(rest, void *);
    va_end(rest);
    if (request != PTRACE_SETREGSET || address != (void *)NT_X86_XSTATE) return real(request, process, address, data);
    static char whole[1 << 16];
    struct iovec *given = data, all = {whole, sizeof whole};
    if (real(PTRACE_GETREGSET, process, address, &all) || all.iov_len <= given->iov_len)
        return real(request, process, address, data);
    memset(whole, 0, all.iov_len);
    memcpy(whole, given->iov_base, given->iov_len);
    return real(request, process, address, &all);
}
