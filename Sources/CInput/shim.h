#pragma once
/* The kernel's input devices (evdev, <linux/input.h>): requests that are macros there, one function each here.
   Calls return -1 and set errno when they fail. */
#include <errno.h>
#include <fcntl.h>
#include <linux/input.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "keys.h"

enum { LAPEL_INPUT_BATCH = 64 };

/* What an event means for one key. */
enum lapel_input_kind {
    LAPEL_INPUT_OTHER,
    LAPEL_INPUT_KEY,     /* value 0: up, 1: down, 2: repeated */
    LAPEL_INPUT_REPORT,  /* the end of what happened at one time */
    LAPEL_INPUT_DROPPED  /* the queue ran over: what comes before the next report is to be thrown away */
};

struct lapel_input_event {
    int64_t nanoseconds;
    enum lapel_input_kind kind;
    int code;
    int value;
};

/* Open for reading, stamped by CLOCK_MONOTONIC. */
static inline int lapel_input_open(const char *path) {
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) return -1;
    int clock = CLOCK_MONOTONIC;
    if (ioctl(descriptor, EVIOCSCLOCKID, &clock) == 0) return descriptor;
    int error = errno;
    close(descriptor);
    errno = error;
    return -1;
}

/* No other program sees the device's events until it is closed. */
static inline int lapel_input_grab(int descriptor) { return ioctl(descriptor, EVIOCGRAB, (void *)1); }

static inline int lapel_input_bit(const unsigned char *bits, int key) { return bits[key / 8] >> key % 8 & 1; }

/* 1: the device has the key, 0: it has not. */
static inline int lapel_input_has(int descriptor, int key) {
    unsigned char bits[KEY_MAX / 8 + 1] = {0};
    if (ioctl(descriptor, EVIOCGBIT(EV_KEY, sizeof bits), bits) < 0) return -1;
    return lapel_input_bit(bits, key);
}

/* 1: the key is down now, 0: it is up. */
static inline int lapel_input_is_down(int descriptor, int key) {
    unsigned char bits[KEY_MAX / 8 + 1] = {0};
    if (ioctl(descriptor, EVIOCGKEY(sizeof bits), bits) < 0) return -1;
    return lapel_input_bit(bits, key);
}

static inline struct lapel_input_event lapel_input_decode(struct input_event event) {
    struct lapel_input_event decoded = {
        (int64_t)event.input_event_sec * 1000000000 + (int64_t)event.input_event_usec * 1000, LAPEL_INPUT_OTHER,
        event.code, event.value};
    if (event.type == EV_KEY) decoded.kind = LAPEL_INPUT_KEY;
    if (event.type == EV_SYN && event.code == SYN_REPORT) decoded.kind = LAPEL_INPUT_REPORT;
    if (event.type == EV_SYN && event.code == SYN_DROPPED) decoded.kind = LAPEL_INPUT_DROPPED;
    return decoded;
}

/* The events that wait, up to LAPEL_INPUT_BATCH; returns their count, 0 when none waits. */
static inline int lapel_input_read(int descriptor, struct lapel_input_event *events) {
    struct input_event raw[LAPEL_INPUT_BATCH];
    ssize_t count = read(descriptor, raw, sizeof raw);
    if (count < 0) return errno == EAGAIN || errno == EINTR ? 0 : -1;
    int whole = (int)((size_t)count / sizeof *raw);
    for (int i = 0; i < whole; i++) events[i] = lapel_input_decode(raw[i]);
    return whole;
}
