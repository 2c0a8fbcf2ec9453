#pragma once
/* Linux calls that Glibc's module does not carry to Swift. Without _GNU_SOURCE, as that module is built: with it,
   fd_set has other member names here than there, and a target that sees both does not compile. */
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <unistd.h>

static inline int lapel_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

/* Names the calling thread; 15 bytes. */
static inline void lapel_name_thread(const char *name) { prctl(PR_SET_NAME, (unsigned long)name, 0, 0, 0); }

/* Waits until the descriptor is readable or the time has passed; negative: for ever. ppoll(2) is a GNU extension, so
   its system call is made by hand: poll(2) knows milliseconds only. */
static inline int lapel_wait_readable(int descriptor, int64_t nanoseconds) {
    struct pollfd one = {.fd = descriptor, .events = POLLIN, .revents = 0};
    if (nanoseconds < 0) return poll(&one, 1, -1);
    struct { int64_t seconds, nanoseconds; } time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    return (int)syscall(SYS_ppoll, &one, 1, &time, (void *)0, 0);
}

/* The same for two descriptors. The sum of 1: the first has something; 2: the second has data; 4: the second has an
   error, or its device has gone. */
static inline int lapel_wait_either(int first, int second, int64_t nanoseconds) {
    struct pollfd two[2] = {{first, POLLIN, 0}, {second, POLLIN, 0}};
    struct { int64_t seconds, nanoseconds; } time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    if (syscall(SYS_ppoll, two, 2, nanoseconds < 0 ? (void *)0 : (void *)&time, (void *)0, 0) <= 0) return 0;
    return (two[0].revents ? 1 : 0) | (two[1].revents & POLLIN ? 2 : 0) | (two[1].revents & ~POLLIN ? 4 : 0);
}

/* 1: the kernel's wall clock is disciplined by a time server; 0: it is not; -1: the kernel does not say. */
static inline int lapel_wall_clock_is_synchronised(void) {
    struct timex state = {0};
    if (adjtimex(&state) < 0) return -1;
    return (state.status & STA_UNSYNC) ? 0 : 1;
}
