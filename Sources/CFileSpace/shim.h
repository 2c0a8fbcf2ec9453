#pragma once
#include <linux/falloc.h>
#include <sys/types.h>

/* Swift's Glibc module is built without _GNU_SOURCE and so does not show this call. */
extern int fallocate(int descriptor, int mode, off_t offset, off_t length);

/* Reserves blocks and leaves the file's size alone: a reader never meets zeros that nobody wrote. */
static inline int lapel_reserve(int descriptor, off_t offset, off_t length) {
    return fallocate(descriptor, FALLOC_FL_KEEP_SIZE, offset, length);
}
