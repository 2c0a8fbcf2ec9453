#pragma once
/* Linux calls that Glibc's module does not carry to Swift. */
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
static inline int lapel_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }
/* Names the calling thread; 15 bytes. */
static inline void lapel_name_thread(const char *name) { prctl(PR_SET_NAME, (unsigned long)name, 0, 0, 0); }
