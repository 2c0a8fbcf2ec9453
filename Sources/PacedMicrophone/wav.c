/* Source of the layout: Microsoft, "Multiple Channel Audio Data and WAVE Files" (WAVE_FORMAT_EXTENSIBLE). */
#include "wav.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TAG_PCM = 0x0001, TAG_EXTENSIBLE = 0xFFFE, SUBFORMAT_AT = 24 };

static unsigned le(const unsigned char *bytes, int count) {
    unsigned value = 0;
    while (count-- > 0) value = value << 8 | bytes[count];
    return value;
}

static int describe(const unsigned char *fmt, unsigned size, wav_t *wav) {
    unsigned tag = le(fmt, 2);
    if (tag == TAG_EXTENSIBLE && size >= SUBFORMAT_AT + 2) tag = le(fmt + SUBFORMAT_AT, 2);
    if (tag != TAG_PCM) return -EINVAL;
    switch (le(fmt + 14, 2)) {
    case 16: wav->format = SND_PCM_FORMAT_S16_LE; break;
    case 24: wav->format = SND_PCM_FORMAT_S24_3LE; break;
    case 32: wav->format = SND_PCM_FORMAT_S32_LE; break;
    default: return -EINVAL;
    }
    wav->channels = le(fmt + 2, 2);
    wav->rate = le(fmt + 4, 4);
    wav->frame_bytes = wav->channels * le(fmt + 14, 2) / 8;
    if (wav->channels < 1 || wav->channels > 32 || wav->rate < 1000 || wav->rate > 384000) return -EINVAL;
    return 0;
}

int wav_read(int file, wav_t *wav) {
    unsigned char head[12];
    struct stat status;
    if (fstat(file, &status) < 0 || pread(file, head, 12, 0) != 12) return -EINVAL;
    if (memcmp(head, "RIFF", 4) != 0 || memcmp(head + 8, "WAVE", 4) != 0) return -EINVAL;

    off_t at = 12;
    wav->channels = 0;
    while (pread(file, head, 8, at) == 8) {
        unsigned size = le(head + 4, 4);
        at += 8;
        if (memcmp(head, "fmt ", 4) == 0) {
            unsigned char fmt[40] = {0};
            if (size < 16 || pread(file, fmt, size < 40 ? size : 40, at) < 16) return -EINVAL;
            int result = describe(fmt, size, wav);
            if (result < 0) return result;
        } else if (memcmp(head, "data", 4) == 0) {
            if (wav->channels == 0) return -EINVAL;  /* the format comes before the samples */
            off_t rest = status.st_size - at;
            wav->data = at;
            wav->frames = ((off_t)size < rest ? (off_t)size : rest) / wav->frame_bytes;
            return 0;
        }
        at += (off_t)size + (size & 1);
    }
    return -EINVAL;
}
