#pragma once
#include <alsa/asoundlib.h>
#include <stdint.h>
#include <sys/types.h>

/* Where the samples of a PCM WAV file are, and what they are. */
typedef struct {
    snd_pcm_format_t format;  /* S16_LE, S24_3LE or S32_LE */
    unsigned rate;            /* frames per second */
    unsigned channels;
    unsigned frame_bytes;
    off_t data;               /* offset of frame 0 in the file */
    int64_t frames;
} wav_t;

/* Reads the chunks of `file`. 0, or -EINVAL when it is no PCM WAV of these formats. A `data` size of
   0xFFFFFFFF (a recording that was not finished) or beyond the end means: up to the end of the file. */
__attribute__((visibility("hidden"))) int wav_read(int file, wav_t *wav);
