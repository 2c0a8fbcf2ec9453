#pragma once
/* libgpiod 2.x. */

enum { LAPEL_GPIOD_API = 2 };

struct lapel_gpio_chip {
    struct gpiod_chip *chip;
};

struct lapel_gpio_line {
    struct gpiod_line_request *request;
    struct gpiod_edge_event_buffer *events;
    unsigned int offset;
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
    gpiod_chip_close(opened->chip);
    free(opened);
}

static inline void lapel_gpio_label(struct lapel_gpio_chip *opened, char *label) {
    struct gpiod_chip_info *info = gpiod_chip_get_info(opened->chip);
    lapel_gpio_copy(label, info ? gpiod_chip_info_get_label(info) : NULL);
    if (info) gpiod_chip_info_free(info);
}

static inline int lapel_gpio_count(struct lapel_gpio_chip *opened) {
    struct gpiod_chip_info *info = gpiod_chip_get_info(opened->chip);
    if (!info) return -1;
    int count = (int)gpiod_chip_info_get_num_lines(info);
    gpiod_chip_info_free(info);
    return count;
}

static inline int lapel_gpio_look(struct lapel_gpio_chip *opened, int offset, struct lapel_gpio_info *info) {
    struct gpiod_line_info *line = gpiod_chip_get_line_info(opened->chip, (unsigned int)offset);
    if (!line) return -1;
    lapel_gpio_copy(info->name, gpiod_line_info_get_name(line));
    lapel_gpio_copy(info->consumer, gpiod_line_info_get_consumer(line));
    info->used = gpiod_line_info_is_used(line);
    gpiod_line_info_free(line);
    return 0;
}

static inline struct lapel_gpio_line *lapel_gpio_request(
    struct lapel_gpio_chip *opened, int offset, const char *consumer, struct gpiod_line_settings *settings) {
    unsigned int line = (unsigned int)offset;
    struct lapel_gpio_line *requested = (struct lapel_gpio_line *)calloc(1, sizeof *requested);
    struct gpiod_line_config *lines = gpiod_line_config_new();
    struct gpiod_request_config *config = gpiod_request_config_new();
    if (requested) requested->events = gpiod_edge_event_buffer_new(LAPEL_GPIO_QUEUE);
    if (requested && requested->events && lines && config
        && gpiod_line_config_add_line_settings(lines, &line, 1, settings) == 0) {
        gpiod_request_config_set_consumer(config, consumer);
        gpiod_request_config_set_event_buffer_size(config, LAPEL_GPIO_QUEUE);
        requested->offset = line;
        requested->request = gpiod_chip_request_lines(opened->chip, config, lines);
    }
    int error = errno;
    if (config) gpiod_request_config_free(config);
    if (lines) gpiod_line_config_free(lines);
    if (requested && !requested->request) {
        if (requested->events) gpiod_edge_event_buffer_free(requested->events);
        free(requested);
        requested = NULL;
    }
    errno = error;
    return requested;
}

/* Both edges, no debouncing. The chip's handle is only to be closed afterwards. */
static inline struct lapel_gpio_line *lapel_gpio_request_input(
    struct lapel_gpio_chip *opened, int offset, const char *consumer, enum lapel_gpio_bias bias, int active_low) {
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    if (!settings) return NULL;
    gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_INPUT);
    gpiod_line_settings_set_edge_detection(settings, GPIOD_LINE_EDGE_BOTH);
    gpiod_line_settings_set_event_clock(settings, GPIOD_LINE_CLOCK_MONOTONIC);
    gpiod_line_settings_set_debounce_period_us(settings, 0);
    gpiod_line_settings_set_active_low(settings, active_low != 0);
    switch (bias) {
    case LAPEL_GPIO_PULL_UP: gpiod_line_settings_set_bias(settings, GPIOD_LINE_BIAS_PULL_UP); break;
    case LAPEL_GPIO_PULL_DOWN: gpiod_line_settings_set_bias(settings, GPIOD_LINE_BIAS_PULL_DOWN); break;
    case LAPEL_GPIO_NO_BIAS: gpiod_line_settings_set_bias(settings, GPIOD_LINE_BIAS_DISABLED); break;
    }
    struct lapel_gpio_line *requested = lapel_gpio_request(opened, offset, consumer, settings);
    int error = errno;
    gpiod_line_settings_free(settings);
    errno = error;
    return requested;
}

/* Inactive until it is set. The chip's handle is only to be closed afterwards. */
static inline struct lapel_gpio_line *lapel_gpio_request_output(
    struct lapel_gpio_chip *opened, int offset, const char *consumer) {
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    if (!settings) return NULL;
    gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_OUTPUT);
    gpiod_line_settings_set_output_value(settings, GPIOD_LINE_VALUE_INACTIVE);
    struct lapel_gpio_line *requested = lapel_gpio_request(opened, offset, consumer, settings);
    int error = errno;
    gpiod_line_settings_free(settings);
    errno = error;
    return requested;
}

/* Readable when there are edges. */
static inline int lapel_gpio_descriptor(struct lapel_gpio_line *requested) {
    return gpiod_line_request_get_fd(requested->request);
}

/* Up to LAPEL_GPIO_QUEUE edges, oldest first; blocks while there is none. Returns their count. */
static inline int lapel_gpio_read(struct lapel_gpio_line *requested, struct lapel_gpio_edge *edges) {
    int count = gpiod_line_request_read_edge_events(requested->request, requested->events, LAPEL_GPIO_QUEUE);
    for (int i = 0; i < count; i++) {
        struct gpiod_edge_event *event = gpiod_edge_event_buffer_get_event(requested->events, (unsigned long)i);
        edges[i].nanoseconds = (int64_t)gpiod_edge_event_get_timestamp_ns(event);
        edges[i].sequence = gpiod_edge_event_get_line_seqno(event);
        edges[i].active = gpiod_edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE;
    }
    return count;
}

/* 1: active. */
static inline int lapel_gpio_value(struct lapel_gpio_line *requested) {
    return (int)gpiod_line_request_get_value(requested->request, requested->offset);
}

static inline int lapel_gpio_set(struct lapel_gpio_line *requested, int active) {
    return gpiod_line_request_set_value(
        requested->request, requested->offset, active ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE);
}

static inline void lapel_gpio_release(struct lapel_gpio_line *requested) {
    gpiod_edge_event_buffer_free(requested->events);
    gpiod_line_request_release(requested->request);
    free(requested);
}
