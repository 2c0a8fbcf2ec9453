#pragma once
/* libgpiod 1.x. */

enum { LAPEL_GPIOD_API = 1 };

struct lapel_gpio_chip {
    struct gpiod_chip *chip;
};

/* A line belongs to its chip, which stays open with it. */
struct lapel_gpio_line {
    struct gpiod_chip *chip;
    struct gpiod_line *line;
};

static inline struct lapel_gpio_chip *lapel_gpio_open(const char *path) {
    struct lapel_gpio_chip *opened = (struct lapel_gpio_chip *)malloc(sizeof *opened);
    if (!opened) return NULL;
    opened->chip = gpiod_chip_open(path);
    if (opened->chip) return opened;
    int error = errno;
    free(opened);
    errno = error;
    return NULL;
}

static inline void lapel_gpio_close(struct lapel_gpio_chip *opened) {
    if (opened->chip) gpiod_chip_close(opened->chip);
    free(opened);
}

static inline void lapel_gpio_label(struct lapel_gpio_chip *opened, char *label) {
    lapel_gpio_copy(label, gpiod_chip_label(opened->chip));
}

static inline int lapel_gpio_count(struct lapel_gpio_chip *opened) {
    return (int)gpiod_chip_num_lines(opened->chip);
}

static inline int lapel_gpio_look(struct lapel_gpio_chip *opened, int offset, struct lapel_gpio_info *info) {
    struct gpiod_line *line = gpiod_chip_get_line(opened->chip, (unsigned int)offset);
    if (!line) return -1;
    lapel_gpio_copy(info->name, gpiod_line_name(line));
    lapel_gpio_copy(info->consumer, gpiod_line_consumer(line));
    info->used = gpiod_line_is_used(line);
    return 0;
}

static inline struct lapel_gpio_line *lapel_gpio_request(
    struct lapel_gpio_chip *opened, int offset, struct gpiod_line_request_config *config, int value) {
    struct lapel_gpio_line *requested = (struct lapel_gpio_line *)malloc(sizeof *requested);
    if (!requested) return NULL;
    requested->line = gpiod_chip_get_line(opened->chip, (unsigned int)offset);
    if (!requested->line || gpiod_line_request(requested->line, config, value) < 0) {
        int error = errno;
        free(requested);
        errno = error;
        return NULL;
    }
    requested->chip = opened->chip;
    opened->chip = NULL;
    return requested;
}

/* Both edges, no debouncing. On success the chip is the line's and its handle only to be closed. */
static inline struct lapel_gpio_line *lapel_gpio_request_input(
    struct lapel_gpio_chip *opened, int offset, const char *consumer, enum lapel_gpio_bias bias, int active_low) {
    struct gpiod_line_request_config config = {consumer, GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES, 0};
    switch (bias) {
    case LAPEL_GPIO_PULL_UP: config.flags = GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP; break;
    case LAPEL_GPIO_PULL_DOWN: config.flags = GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN; break;
    case LAPEL_GPIO_NO_BIAS: config.flags = GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE; break;
    }
    if (active_low) config.flags |= GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW;
    return lapel_gpio_request(opened, offset, &config, 0);
}

/* Inactive until it is set. On success the chip is the line's and its handle only to be closed. */
static inline struct lapel_gpio_line *lapel_gpio_request_output(
    struct lapel_gpio_chip *opened, int offset, const char *consumer) {
    struct gpiod_line_request_config config = {consumer, GPIOD_LINE_REQUEST_DIRECTION_OUTPUT, 0};
    return lapel_gpio_request(opened, offset, &config, 0);
}

/* Readable when there are edges. */
static inline int lapel_gpio_descriptor(struct lapel_gpio_line *requested) {
    return gpiod_line_event_get_fd(requested->line);
}

/* Up to LAPEL_GPIO_QUEUE edges, oldest first; blocks while there is none. Returns their count. */
static inline int lapel_gpio_read(struct lapel_gpio_line *requested, struct lapel_gpio_edge *edges) {
    struct gpiod_line_event events[LAPEL_GPIO_QUEUE];
    int count = gpiod_line_event_read_multiple(requested->line, events, LAPEL_GPIO_QUEUE);
    for (int i = 0; i < count; i++) {
        edges[i].nanoseconds = (int64_t)events[i].ts.tv_sec * 1000000000 + events[i].ts.tv_nsec;
        edges[i].sequence = 0;
        edges[i].active = events[i].event_type == GPIOD_LINE_EVENT_RISING_EDGE;
    }
    return count;
}

/* 1: active. */
static inline int lapel_gpio_value(struct lapel_gpio_line *requested) {
    return gpiod_line_get_value(requested->line);
}

static inline int lapel_gpio_set(struct lapel_gpio_line *requested, int active) {
    return gpiod_line_set_value(requested->line, active);
}

static inline void lapel_gpio_release(struct lapel_gpio_line *requested) {
    gpiod_line_release(requested->line);
    gpiod_chip_close(requested->chip);
    free(requested);
}
