/* A capture card made of a WAV file, paced by the clock: an ioplug plugin of libasound.

       pcm.mic { type card  wav "/path.wav"  ctl "/path/control"  origin 123456789  lead 600 }

   wav     The file that is heard. Only its own rate, channels and sample format are offered, as a card offers
           only its own. After its end, and before its beginning, there is silence.
   ctl     Optional: a file that holds a word. Empty or missing: the card works. "unplug": calls answer -ENODEV and
           the state is DISCONNECTED, for good, as the kernel does. "stall": no frame comes until the word is gone.
   origin  Optional: nanoseconds of CLOCK_MONOTONIC at which the file began to play. It plays on from then,
           whether or not anybody listens. Without it every opening hears the file from its first start on.
   lead    Optional, without origin: milliseconds of silence before the file begins, as of a wearer who presses
           first and speaks then.

   Opening answers -ENOENT or -EACCES for a file that cannot be opened and -EINVAL for one that is no PCM WAV.

   Invariants
   1. Frame f of the file is heard `f / rate` seconds after `zero`, and never at another time: what was not read
      while it was in the buffer is lost, and a restart after an overrun goes on with what plays by then.
   2. Between `start` and `stop` the card's counter is a function of the clock alone, except that it stands still
      during a stall.
   3. The timer is readable exactly when a reader has to be woken: `avail_min` frames are there, the card
      is gone, or a stall must be looked at again. Like the kernel's, the wake-up is a level: it stays until read. */
#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "wav.h"

#define SECOND INT64_C(1000000000)
#define STALL_LOOK (SECOND / 100)

typedef struct {
    snd_pcm_ioplug_t io;
    wav_t wav;
    int file;
    int timer;
    char *control;
    int64_t zero;        /* when the file's frame 0 plays; -1: at the first start */
    int64_t lead;        /* how long after the first start, then */
    int64_t started;     /* when the counter was 0; moved by stalls */
    int64_t base;        /* the file's frame at that moment */
    int64_t taken;       /* frames read since the start */
    int64_t avail_min;   /* frames a sleeping reader waits for */
    int64_t stalled;     /* since when; 0: not */
    int running;
    int gone;
} card_t;

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * SECOND + time.tv_nsec;
}

/* Whole frames in a time, rounded down, also for times before zero. */
static int64_t frames_in(const card_t *card, int64_t time) {
    __int128 scaled = (__int128)time * card->wav.rate;
    return (int64_t)(scaled >= 0 ? scaled / SECOND : -((-scaled + SECOND - 1) / SECOND));
}

/* The shortest time in which `frames` have come. */
static int64_t time_of(const card_t *card, int64_t frames) {
    return (int64_t)(((__int128)frames * SECOND + card->wav.rate - 1) / card->wav.rate);
}

static int64_t counter(const card_t *card) {
    if (!card->running) return 0;
    return frames_in(card, (card->stalled ? card->stalled : now()) - card->started);
}

/* The control file's word is read afresh each time: it may be rewritten in place or replaced. */
static void look_at_control(card_t *card) {
    char word[8] = {0};
    if (!card->control || card->gone) return;
    int file = open(card->control, O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        if (read(file, word, sizeof word - 1) < 0) word[0] = 0;
        close(file);
    }
    card->gone = strncmp(word, "unplug", 6) == 0;
    int stall = strncmp(word, "stall", 5) == 0;
    if (stall && !card->stalled) {
        card->stalled = now();
    } else if (!stall && card->stalled) {
        int64_t lost = now() - card->stalled;
        card->started += lost;
        card->base += frames_in(card, lost);
        card->stalled = 0;
    }
}

static int wake_at(card_t *card, int64_t time) {
    struct itimerspec spec = {.it_value = {.tv_sec = time / SECOND, .tv_nsec = time % SECOND}};
    return timerfd_settime(card->timer, TFD_TIMER_ABSTIME, &spec, NULL) < 0 ? -errno : 0;
}

/* Sets the timer for what the reader waits for next (invariant 3). Setting it also clears an earlier expiry. */
static int set_wake(card_t *card) {
    if (card->gone) return wake_at(card, 1);
    if (!card->running) return wake_at(card, 0);
    if (card->stalled) return wake_at(card, now() + STALL_LOOK);
    return wake_at(card, card->started + time_of(card, card->taken + card->avail_min));
}

static int card_start(snd_pcm_ioplug_t *io) {
    card_t *card = io->private_data;
    look_at_control(card);
    if (card->gone) return -ENODEV;
    card->started = now();
    if (card->zero < 0) card->zero = card->started + card->lead;
    card->base = frames_in(card, card->started - card->zero);
    card->taken = 0;
    card->running = 1;
    if (card->stalled) card->stalled = card->started;
    return set_wake(card);
}

static int card_stop(snd_pcm_ioplug_t *io) {
    card_t *card = io->private_data;
    card->running = 0;
    card->taken = 0;
    return set_wake(card);
}

static int card_prepare(snd_pcm_ioplug_t *io) {
    card_t *card = io->private_data;
    look_at_control(card);
    if (card->gone) {
        snd_pcm_ioplug_set_state(io, SND_PCM_STATE_DISCONNECTED);
        return -ENODEV;
    }
    return card_stop(io);
}

static int card_sw_params(snd_pcm_ioplug_t *io, snd_pcm_sw_params_t *params) {
    card_t *card = io->private_data;
    snd_pcm_uframes_t frames;
    int result = snd_pcm_sw_params_get_avail_min(params, &frames);
    if (result < 0) return result;
    card->avail_min = (int64_t)frames;
    return set_wake(card);
}

/* The position counts on up to the boundary (BOUNDARY_WA), not modulo the buffer. A negative answer makes the state
   XRUN, so a card that is gone sets its state and answers a position. */
static snd_pcm_sframes_t card_pointer(snd_pcm_ioplug_t *io) {
    card_t *card = io->private_data;
    if (card->gone) {
        snd_pcm_ioplug_set_state(io, SND_PCM_STATE_DISCONNECTED);
        return card->taken;
    }
    int64_t position = counter(card);
    return position - card->taken > (int64_t)io->buffer_size ? -EPIPE : position;
}

static snd_pcm_sframes_t card_transfer(
    snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset, snd_pcm_uframes_t size) {
    card_t *card = io->private_data;
    if (card->gone) return -ENODEV;
    size_t frame_bytes = card->wav.frame_bytes;
    char *to = (char *)areas->addr + (areas->first + areas->step * offset) / 8;
    memset(to, 0, size * frame_bytes);

    int64_t from = card->base + card->taken, end = from + (int64_t)size;
    int64_t first = from > 0 ? from : 0, last = end < card->wav.frames ? end : card->wav.frames;
    if (first < last) {
        size_t want = (size_t)(last - first) * frame_bytes;
        char *place = to + (size_t)(first - from) * frame_bytes;
        if (pread(card->file, place, want, card->wav.data + first * (off_t)frame_bytes) < 0) return -EIO;
    }
    card->taken += (int64_t)size;
    int result = set_wake(card);
    return result < 0 ? result : (snd_pcm_sframes_t)size;
}

static int card_revents(snd_pcm_ioplug_t *io, struct pollfd *fds, unsigned count, unsigned short *revents) {
    card_t *card = io->private_data;
    (void)fds;
    (void)count;
    look_at_control(card);
    if (card->gone) {
        *revents = POLLIN | POLLERR;
        return set_wake(card);
    }
    *revents = counter(card) - card->taken >= card->avail_min ? POLLIN : 0;
    return *revents ? 0 : set_wake(card);
}

static void card_free(card_t *card) {
    if (card->file >= 0) close(card->file);
    if (card->timer >= 0) close(card->timer);
    free(card->control);
    free(card);
}

static int card_close(snd_pcm_ioplug_t *io) {
    card_free(io->private_data);
    return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
    .start = card_start,
    .stop = card_stop,
    .pointer = card_pointer,
    .transfer = card_transfer,
    .close = card_close,
    .sw_params = card_sw_params,
    .prepare = card_prepare,
    .poll_revents = card_revents,
};

/* Exactly what the file is; any period from 1 ms up, any buffer up to some seconds. */
static int offer(card_t *card) {
    static const unsigned access[] = {SND_PCM_ACCESS_RW_INTERLEAVED};
    const unsigned format[] = {card->wav.format};
    unsigned frame = card->wav.frame_bytes, millisecond = (card->wav.rate + 999) / 1000 * frame;
    int result = snd_pcm_ioplug_set_param_list(&card->io, SND_PCM_IOPLUG_HW_ACCESS, 1, access);
    if (result >= 0) result = snd_pcm_ioplug_set_param_list(&card->io, SND_PCM_IOPLUG_HW_FORMAT, 1, format);
    const struct { int type; unsigned min, max; } ranges[] = {
        {SND_PCM_IOPLUG_HW_CHANNELS, card->wav.channels, card->wav.channels},
        {SND_PCM_IOPLUG_HW_RATE, card->wav.rate, card->wav.rate},
        {SND_PCM_IOPLUG_HW_PERIOD_BYTES, millisecond, 1000 * millisecond},
        {SND_PCM_IOPLUG_HW_BUFFER_BYTES, 2 * millisecond, 4000 * millisecond},
        {SND_PCM_IOPLUG_HW_PERIODS, 2, 1024},
    };
    for (size_t i = 0; result >= 0 && i < sizeof ranges / sizeof *ranges; i++)
        result = snd_pcm_ioplug_set_param_minmax(&card->io, ranges[i].type, ranges[i].min, ranges[i].max);
    return result;
}

/* A number 32 or 64 bits wide: its text is both. */
static int read_number(snd_config_t *entry, int64_t *number) {
    char *text;
    int result = snd_config_get_ascii(entry, &text);
    if (result < 0) return result;
    *number = strtoll(text, NULL, 10);
    free(text);
    return 0;
}

/* What a definition says of a card. */
typedef struct {
    const char *wav, *control;
    int64_t origin, lead_ms;
} definition_t;

/* Takes the plugin's own keys; the others in a definition are libasound's. */
static int read_definition(snd_config_t *definition, definition_t *found) {
    snd_config_iterator_t i, next;
    snd_config_for_each(i, next, definition) {
        snd_config_t *entry = snd_config_iterator_entry(i);
        const char *key;
        int result = 0;
        if (snd_config_get_id(entry, &key) < 0) continue;
        if (strcmp(key, "wav") == 0) {
            result = snd_config_get_string(entry, &found->wav);
        } else if (strcmp(key, "ctl") == 0) {
            result = snd_config_get_string(entry, &found->control);
        } else if (strcmp(key, "origin") == 0) {
            result = read_number(entry, &found->origin);
        } else if (strcmp(key, "lead") == 0) {
            result = read_number(entry, &found->lead_ms);
        }
        if (result < 0) return result;
    }
    return found->wav && found->lead_ms >= 0 ? 0 : -EINVAL;
}

SND_PCM_PLUGIN_DEFINE_FUNC(card) {
    definition_t found = {.origin = -1};
    (void)root;
    int result = read_definition(conf, &found);
    if (result < 0) return result;
    if (stream != SND_PCM_STREAM_CAPTURE) return -EINVAL;

    card_t *card = calloc(1, sizeof *card);
    if (!card) return -ENOMEM;
    card->timer = -1;
    card->zero = found.origin;
    card->lead = found.lead_ms * (SECOND / 1000);
    /* Without O_NONBLOCK a named pipe would hang the opening. */
    card->file = open(found.wav, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (card->file < 0) result = -errno;
    if (result >= 0) result = wav_read(card->file, &card->wav);
    if (result >= 0) {
        card->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
        if (card->timer < 0) result = -errno;
    }
    if (result >= 0 && found.control && !(card->control = strdup(found.control))) result = -ENOMEM;
    if (result >= 0) {
        look_at_control(card);
        if (card->gone) result = -ENODEV;
    }
    if (result < 0) {
        card_free(card);
        return result;
    }

    card->avail_min = 1;
    card->io.version = SND_PCM_IOPLUG_VERSION;
    card->io.name = "a microphone made of a file";
    card->io.flags = SND_PCM_IOPLUG_FLAG_MONOTONIC | SND_PCM_IOPLUG_FLAG_BOUNDARY_WA;
    card->io.poll_fd = card->timer;
    card->io.poll_events = POLLIN;
    card->io.callback = &callbacks;
    card->io.private_data = card;
    result = snd_pcm_ioplug_create(&card->io, name, stream, mode);
    if (result < 0) {
        card_free(card);
        return result;
    }
    result = offer(card);
    if (result < 0) {
        snd_pcm_ioplug_delete(&card->io);  /* frees the card through card_close */
        return result;
    }
    *pcmp = card->io.pcm;
    return 0;
}
SND_PCM_PLUGIN_SYMBOL(card);
