#pragma once
/* GPIO lines through libgpiod, whose two APIs share no symbols: the first (1.x, Debian 12) defines GPIOD_API in its
   header, the second (2.x, Debian 13) defines nothing to be known by. Both offer what is declared here.
   Calls return -1 or NULL and set errno when they fail. */
#include <errno.h>
#include <gpiod.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum lapel_gpio_bias { LAPEL_GPIO_PULL_UP, LAPEL_GPIO_PULL_DOWN, LAPEL_GPIO_NO_BIAS };

/* The kernel's queue for one line; what comes while it is full is lost. */
enum { LAPEL_GPIO_QUEUE = 16 };

/* What the kernel says of a line. Empty texts where it says nothing. */
struct lapel_gpio_info {
    char name[32];
    char consumer[32];
    int used;
};

/* One change of a line. `sequence` counts the line's edges from 1; 0 where the API does not tell. */
struct lapel_gpio_edge {
    int64_t nanoseconds;
    uint64_t sequence;
    int active;
};

static inline void lapel_gpio_copy(char *to, const char *from) {
    memset(to, 0, 32);
    if (from) strncpy(to, from, 31);
}

#ifdef GPIOD_API
#include "first.h"
#else
#include "second.h"
#endif
