// load: so many uploads over so many connections, to any of the servers that board/bench ring compares.
//
//   load keys FOLDER COUNT            makes COUNT devices (P-256 key and certificate); prints their pins
//   load send PEER ADDRESS:PORT ...   sends, and prints its figures as one JSON object
//   load wait ADDRESS:PORT ...        opens --devices streams of events over mutual TLS 1.3, and says so; from a line
//                                     of its input on it waits until each was told one
//
// PEER is lapel (tus over mutual TLS 1.3, the receipt's digest compared), tus (plain HTTP, an offset is all there
// is) or dav (PUT, plain HTTP). One thread and one blocking connection for each device: what is measured is the
// server. An upload that finds no server, is cut or told to wait is tried again, as a device does; it counts from its
// first try to its receipt.
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum peer { LAPEL, TUS, DAV };
// The ring takes this much inside the request that creates an upload; more is sent behind it.
enum { INLINE = 256000, HEAD = 8192, UNIQUE = 64, PATIENCE = 120, STALL = 30 };

static struct {
    enum peer peer;
    struct sockaddr_in address;
    int devices, uploads, first, rings, spread, identities;
    size_t bytes;
    const char *keys, *pin, *files, *base;
} asked;

static unsigned char *body;      // the bytes that all uploads have in common, then room for what tells one from another
static EVP_MD_CTX *common;       // the SHA-256 of all but the last UNIQUE bytes of it
static pthread_barrier_t ready;
static double *took;             // seconds of each upload
static long lost, retries, refused, opened;
static char complaint[256];      // what the first refusal said
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void die(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    exit(1);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static void hex(const unsigned char *from, size_t count, char *to) {
    for (size_t i = 0; i < count; i++) sprintf(to + 2 * i, "%02x", from[i]);
}

static void pin_of(X509 *certificate, char *to) {
    unsigned char *der = NULL, hash[32];
    int length = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &der);
    EVP_Digest(der, length, hash, NULL, EVP_sha256(), NULL);
    OPENSSL_free(der);
    hex(hash, 32, to);
}

static void make_keys(const char *folder, int count) {
    for (int i = 0; i < count; i++) {
        EVP_PKEY *key = EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256");
        X509 *certificate = X509_new();
        X509_set_version(certificate, 2);
        ASN1_INTEGER_set(X509_get_serialNumber(certificate), i + 1);
        X509_gmtime_adj(X509_getm_notBefore(certificate), -86400);
        X509_gmtime_adj(X509_getm_notAfter(certificate), 86400L * 3650);
        X509_set_pubkey(certificate, key);
        X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_ASC, (const unsigned char *)"load", -1, -1, 0);
        X509_set_issuer_name(certificate, X509_get_subject_name(certificate));
        X509_sign(certificate, key, EVP_sha256());
        char path[4096], pin[65];
        snprintf(path, sizeof path, "%s/%d.pem", folder, i);
        FILE *file = fopen(path, "w");
        if (!file) die("%s: %s", path, strerror(errno));
        PEM_write_PrivateKey(file, key, NULL, NULL, 0, NULL, NULL);
        PEM_write_X509(file, certificate);
        fclose(file);
        pin_of(certificate, pin);
        puts(pin);
        X509_free(certificate);
        EVP_PKEY_free(key);
    }
}

// A connection of one device, opened when it is needed.
struct line {
    int socket, device;
    SSL_CTX *context;
    SSL *tls;
};

struct answer {
    int status;
    long offset, wait;
    char location[512], digest[128];
};

static void hang_up(struct line *line) {
    if (line->tls) SSL_free(line->tls);
    if (line->socket >= 0) close(line->socket);
    line->tls = NULL;
    line->socket = -1;
}

static int dial(struct line *line) {
    line->socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int on = 1;
    setsockopt(line->socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    struct timeval stall = {STALL, 0};
    setsockopt(line->socket, SOL_SOCKET, SO_RCVTIMEO, &stall, sizeof stall);
    setsockopt(line->socket, SOL_SOCKET, SO_SNDTIMEO, &stall, sizeof stall);
    if (asked.spread) {
        // Each device from an address of its own, as they would come.
        struct sockaddr_in from = {.sin_family = AF_INET};
        from.sin_addr.s_addr = htonl(0x7f010001u + line->device);
        if (bind(line->socket, (struct sockaddr *)&from, sizeof from)) die("bind: %s", strerror(errno));
    }
    if (connect(line->socket, (struct sockaddr *)&asked.address, sizeof asked.address)) return hang_up(line), -1;
    __atomic_add_fetch(&opened, 1, __ATOMIC_RELAXED);
    if (!line->context) return 0;
    line->tls = SSL_new(line->context);
    SSL_set_fd(line->tls, line->socket);
    if (SSL_connect(line->tls) != 1) return ERR_clear_error(), hang_up(line), -1;
    X509 *shown = SSL_get1_peer_certificate(line->tls);
    char pin[65] = "";
    if (shown) pin_of(shown, pin);
    X509_free(shown);
    if (asked.pin && strcmp(pin, asked.pin)) die("the host's key is %s and not the one that was paired", pin);
    return 0;
}

static int put(struct line *line, const unsigned char *bytes, size_t count) {
    while (count > 0) {
        ssize_t n = line->tls ? SSL_write(line->tls, bytes, count > 1 << 20 ? 1 << 20 : (int)count) : send(line->socket, bytes, count, MSG_NOSIGNAL);
        if (n <= 0) return ERR_clear_error(), -1;
        bytes += n;
        count -= n;
    }
    return 0;
}

static ssize_t get(struct line *line, char *bytes, size_t count) {
    ssize_t n = line->tls ? SSL_read(line->tls, bytes, (int)count) : recv(line->socket, bytes, count, 0);
    if (n <= 0) ERR_clear_error();
    return n;
}

static const char *header(const char *head, const char *name, char *to, size_t room) {
    size_t length = strlen(name);
    for (const char *at = strstr(head, "\r\n"); at && at[2] != '\r'; at = strstr(at + 2, "\r\n")) {
        if (strncasecmp(at + 2, name, length) || at[2 + length] != ':') continue;
        const char *from = at + 3 + length, *end = strstr(from, "\r\n");
        while (*from == ' ') from++;
        snprintf(to, room, "%.*s", (int)(end - from), from);
        return to;
    }
    return NULL;
}

static int take(struct line *line, struct answer *answer) {
    char head[HEAD], text[512], *end;
    size_t have = 0;
    for (head[0] = 0; !(end = strstr(head, "\r\n\r\n")); head[have] = 0) {
        ssize_t n = have < sizeof head - 1 ? get(line, head + have, sizeof head - 1 - have) : -1;
        if (n <= 0) return -1;
        have += n;
    }
    *answer = (struct answer){.offset = -1};
    answer->status = atoi(head + 9);
    long left = header(head, "Content-Length", text, sizeof text) ? atol(text) : 0;
    if (header(head, "Upload-Offset", text, sizeof text)) answer->offset = atol(text);
    if (header(head, "Retry-After", text, sizeof text)) answer->wait = atol(text);
    header(head, "Location", answer->location, sizeof answer->location);
    header(head, "Repr-Digest", answer->digest, sizeof answer->digest);
    int closes = header(head, "Connection", text, sizeof text) && !strcasecmp(text, "close");
    if (answer->status >= 400) {
        pthread_mutex_lock(&lock);
        if (!complaint[0]) snprintf(complaint, sizeof complaint, "%d %.200s", answer->status, end + 4);
        pthread_mutex_unlock(&lock);
    }
    left -= head + have - (end + 4);
    while (left > 0) {
        ssize_t n = get(line, text, left < (long)sizeof text ? (size_t)left : sizeof text);
        if (n <= 0) return -1;
        left -= n;
    }
    if (closes) hang_up(line);
    return 0;
}

// One thing to deliver; its bytes are those of `bytes`, or `body` with `unique` at its end.
struct load {
    const unsigned char *bytes;
    unsigned char unique[UNIQUE];
    size_t length;
    char utterance[33], sha256[65], digest[128];
    const char *kind, *name;
    unsigned long seq;
};

static int put_load(struct line *line, const struct load *load, size_t from) {
    if (load->bytes) return put(line, load->bytes + from, load->length - from);
    size_t shared = load->length - UNIQUE;
    if (from < shared && put(line, body + from, shared - from)) return -1;
    from = from < shared ? 0 : from - shared;
    return put(line, load->unique + from, UNIQUE - from);
}

static void encode(char *to, const char *key, const char *value) {
    strcat(to, key);
    EVP_EncodeBlock((unsigned char *)to + strlen(to), (const unsigned char *)value, (int)strlen(value));
}

static void sum(struct load *load) {
    unsigned char hash[32];
    if (load->bytes) {
        EVP_Digest(load->bytes, load->length, hash, NULL, EVP_sha256(), NULL);
    } else {
        EVP_MD_CTX *context = EVP_MD_CTX_new();
        EVP_MD_CTX_copy_ex(context, common);
        EVP_DigestUpdate(context, load->unique, UNIQUE);
        EVP_DigestFinal_ex(context, hash, NULL);
        EVP_MD_CTX_free(context);
    }
    hex(hash, 32, load->sha256);
    char text[64] = "";
    EVP_EncodeBlock((unsigned char *)text, hash, 32);
    snprintf(load->digest, sizeof load->digest, "sha-256=:%s:", text);
}

// One try; 1: received, 0: to be tried again after `wait` seconds, -1: refused for good.
static int attempt(struct line *line, const struct load *load, double *wait) {
    struct answer answer;
    char head[HEAD], metadata[2048] = "", seq[24];
    *wait = 0.05 + 0.2 * drand48();
    if (line->socket < 0 && dial(line)) return 0;
    if (asked.peer == DAV) {
        snprintf(head, sizeof head, "PUT %s/%s HTTP/1.1\r\nHost: x\r\nContent-Length: %zu\r\n\r\n", asked.base, load->utterance, load->length);
        if (put(line, (unsigned char *)head, strlen(head)) || put_load(line, load, 0) || take(line, &answer)) return hang_up(line), 0;
        return answer.status == 201 || answer.status == 204 ? 1 : -1;
    }
    int inline_ = load->length <= INLINE;
    if (asked.peer == LAPEL) {
        snprintf(seq, sizeof seq, "%lu", load->seq);
        encode(metadata, "filename ", load->name);
        encode(metadata, ",utt ", load->utterance);
        encode(metadata, ",kind ", load->kind);
        encode(metadata, ",seq ", seq);
        encode(metadata, ",sha256 ", load->sha256);
    } else {
        encode(metadata, "filename ", load->name);
    }
    snprintf(head, sizeof head,
             "POST %s HTTP/1.1\r\nHost: x\r\nTus-Resumable: 1.0.0\r\nUpload-Length: %zu\r\nUpload-Metadata: %s\r\n%sContent-Length: %zu\r\n\r\n",
             asked.base, load->length, metadata, inline_ ? "Content-Type: application/offset+octet-stream\r\n" : "", inline_ ? load->length : 0);
    if (put(line, (unsigned char *)head, strlen(head)) || (inline_ && put_load(line, load, 0)) || take(line, &answer)) return hang_up(line), 0;
    while (answer.status >= 200 && answer.status < 300) {
        if (answer.offset < 0) answer.offset = 0;
        if ((size_t)answer.offset == load->length) {
            if (asked.peer == LAPEL && strcmp(answer.digest, load->digest)) return -1;
            return 1;
        }
        const char *path = answer.location, *host = strstr(path, "://");
        if (host) path = strchr(host + 3, '/');
        if (!path || !*path) return -1;
        char target[512];
        snprintf(target, sizeof target, "%s", path);
        snprintf(head, sizeof head,
                 "PATCH %s HTTP/1.1\r\nHost: x\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: %ld\r\n"
                 "Content-Type: application/offset+octet-stream\r\nContent-Length: %zu\r\n\r\n",
                 target, answer.offset, load->length - answer.offset);
        if (line->socket < 0 && dial(line)) return 0;
        if (put(line, (unsigned char *)head, strlen(head)) || put_load(line, load, answer.offset) || take(line, &answer)) return hang_up(line), 0;
        snprintf(answer.location, sizeof answer.location, "%s", target);
    }
    if (answer.wait > 0) *wait = answer.wait * (0.5 + drand48());
    return answer.status >= 500 || answer.status == 409 || answer.status == 423 || answer.status == 429 ? 0 : -1;
}

// Whether it arrived.
static int deliver(struct line *line, const struct load *load) {
    for (double began = now(); now() - began < PATIENCE;) {
        double wait;
        int state = attempt(line, load, &wait);
        if (state) {
            if (state < 0) __atomic_add_fetch(&refused, 1, __ATOMIC_RELAXED);
            return state > 0;
        }
        __atomic_add_fetch(&retries, 1, __ATOMIC_RELAXED);
        struct timespec pause = {(time_t)wait, (long)((wait - (time_t)wait) * 1e9)};
        nanosleep(&pause, NULL);
    }
    return 0;
}

static unsigned char *contents(const char *path, size_t *length) {
    int file = open(path, O_RDONLY);
    struct stat status;
    if (file < 0 || fstat(file, &status)) die("%s: %s", path, strerror(errno));
    unsigned char *bytes = malloc(status.st_size + 1);
    for (off_t at = 0; at < status.st_size;) {
        ssize_t n = pread(file, bytes + at, status.st_size - at, at);
        if (n <= 0) die("%s: %s", path, strerror(errno));
        at += n;
    }
    close(file);
    *length = status.st_size;
    return bytes;
}

static SSL_CTX *identity(int number) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%d.pem", asked.keys, number);
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION);
    if (SSL_CTX_use_certificate_file(context, path, SSL_FILETYPE_PEM) != 1 || SSL_CTX_use_PrivateKey_file(context, path, SSL_FILETYPE_PEM) != 1)
        die("%s is no key", path);
    return context;
}

static void *device(void *argument) {
    int number = (int)(long)argument, sent = 0;
    struct line line = {.socket = -1, .device = number};
    if (asked.peer == LAPEL) line.context = identity(number);
    int parts = asked.rings ? 2 : 1, count = asked.uploads * parts;
    struct load *loads = calloc(count, sizeof *loads);
    for (int i = 0; i < asked.uploads; i++) {
        struct load *audio = loads + i * parts + parts - 1;
        unsigned char id[16];
        RAND_bytes(id, sizeof id);
        hex(id, sizeof id, audio->utterance);
        audio->kind = "audio";
        audio->name = asked.files ? "load.wav.age" : "load.wav";
        audio->seq = asked.first + i;
        audio->length = asked.bytes;
        if (asked.files) {
            char path[4096];
            snprintf(path, sizeof path, "%s/%d", asked.files, number * asked.uploads + i);
            audio->bytes = contents(path, &audio->length);
        } else {
            RAND_bytes(audio->unique, UNIQUE);
        }
        sum(audio);
        if (!asked.rings) continue;
        struct load *manifest = loads + i * parts;
        char *text = NULL;
        manifest->length = asprintf(&text,
                 "{\"version\":1,\"kind\":\"utterance\",\"utterance\":\"%s\",\"seq\":%lu,\"start\":{\"monotonic_ns\":1,\"boot_ns\":1,\"wall_ns\":1},"
                 "\"sha256\":\"%s\",\"bytes\":%zu,\"format\":\"wav\",\"rate_hz\":16000,\"channels\":1}",
                 audio->utterance, audio->seq, audio->sha256, audio->length);
        manifest->bytes = (unsigned char *)text;
        memcpy(manifest->utterance, audio->utterance, sizeof audio->utterance);
        manifest->kind = "manifest";
        manifest->name = "load.json";
        manifest->seq = audio->seq;
        sum(manifest);
    }
    // What a device keeps for hours is no part of the figure.
    if (!asked.spread && dial(&line)) hang_up(&line);
    pthread_barrier_wait(&ready);
    pthread_barrier_wait(&ready);
    for (int i = 0; i < asked.uploads; i++) {
        double began = now();
        for (int part = 0; part < parts; part++)
            if (!deliver(&line, loads + i * parts + part)) {
                __atomic_add_fetch(&lost, 1, __ATOMIC_RELAXED);
                break;
            }
        took[number * asked.uploads + sent++] = now() - began;
    }
    hang_up(&line);
    pthread_barrier_wait(&ready);
    return NULL;
}

static struct line *lines;

// Opens every WAYS-th stream, to the end of the answer's head.
enum { WAYS = 4 };
static void *open_streams(void *argument) {
    char head[512];
    snprintf(head, sizeof head, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", asked.base);
    for (int i = (int)(long)argument; i < asked.devices; i += WAYS) {
        struct line *line = lines + i;
        char text[1024];
        size_t have = 0;
        if (dial(line) || put(line, (unsigned char *)head, strlen(head))) die("stream %d: %s", i, strerror(errno));
        for (text[0] = 0; !strstr(text, "\r\n\r\n"); text[have] = 0) {
            ssize_t n = have < sizeof text - 1 ? get(line, text + have, sizeof text - 1 - have) : -1;
            if (n <= 0) die("stream %d ended", i);
            have += n;
        }
        if (strncmp(text, "HTTP/1.1 200", 12)) die("stream %d: %.40s", i, text);
    }
    return NULL;
}

static void wait_for_events(void) {
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    SSL_CTX **contexts = calloc(asked.identities, sizeof *contexts);
    for (int i = 0; i < asked.identities; i++) SSL_CTX_set_mode(contexts[i] = identity(i), SSL_MODE_RELEASE_BUFFERS);
    lines = calloc(asked.devices, sizeof *lines);
    for (int i = 0; i < asked.devices; i++) lines[i] = (struct line){.socket = -1, .device = i, .context = contexts[i % asked.identities]};
    double began = now();
    pthread_t threads[WAYS];
    for (long i = 0; i < WAYS; i++)
        if (pthread_create(&threads[i], NULL, open_streams, (void *)i)) die("a thread: %s", strerror(errno));
    for (int i = 0; i < WAYS; i++) pthread_join(threads[i], NULL);
    printf("{\"waiting\":%d,\"seconds\":%.3f}\n", asked.devices, now() - began);
    fflush(stdout);
    if (getchar() == EOF) return;
    began = now();
    int told = 0;
    for (int i = 0; i < asked.devices; i++) {
        char text[8192];
        size_t have = 0;
        for (text[0] = 0; !strstr(text, "event:") && have < sizeof text - 1; text[have] = 0) {
            ssize_t n = get(lines + i, text + have, sizeof text - 1 - have);
            if (n <= 0) break;
            have += n;
        }
        told += strstr(text, "event:") != NULL;
    }
    printf("{\"told\":%d,\"seconds\":%.3f}\n", told, now() - began);
    fflush(stdout);
    getchar();
}

static int by_size(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static void address(const char *text) {
    char host[64];
    const char *colon = strrchr(text, ':');
    if (!colon || colon - text >= (long)sizeof host) die("%s is no ADDRESS:PORT", text);
    snprintf(host, sizeof host, "%.*s", (int)(colon - text), text);
    asked.address.sin_family = AF_INET;
    asked.address.sin_port = htons(atoi(colon + 1));
    if (inet_pton(AF_INET, host, &asked.address.sin_addr) != 1) die("%s is no IPv4 address", host);
}

int main(int count, char **words) {
    signal(SIGPIPE, SIG_IGN);
    if (count == 4 && !strcmp(words[1], "keys")) return make_keys(words[2], atoi(words[3])), 0;
    int waits = count > 2 && !strcmp(words[1], "wait");
    if (!waits && (count < 4 || strcmp(words[1], "send")))
        die("load keys FOLDER COUNT | load send lapel|tus|dav ADDRESS:PORT [--option value]... | load wait ADDRESS:PORT [--option value]...");
    asked.peer = waits || !strcmp(words[2], "lapel") ? LAPEL : !strcmp(words[2], "tus") ? TUS : DAV;
    address(words[waits ? 2 : 3]);
    asked.devices = asked.uploads = asked.identities = 1;
    asked.base = "";
    for (int i = waits ? 3 : 4; i < count; i++) {
        const char *word = words[i];
        // Words without a value: a manifest goes ahead of each upload; each device from an address of its own.
        if (!strcmp(word, "--rings")) { asked.rings = 1; continue; }
        if (!strcmp(word, "--spread")) { asked.spread = 1; continue; }
        const char *value = i + 1 < count ? words[++i] : "";
        if (!strcmp(word, "--devices")) asked.devices = atoi(value);
        else if (!strcmp(word, "--uploads")) asked.uploads = atoi(value);
        else if (!strcmp(word, "--bytes")) asked.bytes = strtoul(value, NULL, 10);
        else if (!strcmp(word, "--first")) asked.first = atoi(value);
        else if (!strcmp(word, "--keys")) asked.keys = value;
        else if (!strcmp(word, "--pin")) asked.pin = value;
        else if (!strcmp(word, "--identities")) asked.identities = atoi(value);
        else if (!strcmp(word, "--files")) asked.files = value;
        else if (!strcmp(word, "--base")) asked.base = value;
        else die("%s is not known", word);
    }
    if (waits) return wait_for_events(), 0;
    if (asked.bytes < UNIQUE) asked.bytes = UNIQUE;
    srand48(1);
    body = malloc(asked.bytes);
    for (size_t at = 0; at < asked.bytes; at += 1 << 20) RAND_bytes(body + at, asked.bytes - at < 1 << 20 ? (int)(asked.bytes - at) : 1 << 20);
    common = EVP_MD_CTX_new();
    EVP_DigestInit_ex(common, EVP_sha256(), NULL);
    EVP_DigestUpdate(common, body, asked.bytes - UNIQUE);
    int all = asked.devices * asked.uploads;
    took = calloc(all, sizeof *took);
    pthread_barrier_init(&ready, NULL, asked.devices + 1);
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 1 << 20);
    for (long i = 0; i < asked.devices; i++) {
        pthread_t thread;
        if (pthread_create(&thread, &small, device, (void *)i)) die("a thread: %s", strerror(errno));
    }
    pthread_barrier_wait(&ready);
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    double began = now();
    pthread_barrier_wait(&ready);
    pthread_barrier_wait(&ready);
    double seconds = now() - began;
    getrusage(RUSAGE_SELF, &after);
    qsort(took, all, sizeof *took, by_size);
    for (char *at = complaint; *at; at++)
        if (*at == '"' || *at == '\\' || (unsigned char)*at < 32) *at = ' ';
    double cpu = after.ru_utime.tv_sec - before.ru_utime.tv_sec + after.ru_stime.tv_sec - before.ru_stime.tv_sec +
                 (after.ru_utime.tv_usec - before.ru_utime.tv_usec + after.ru_stime.tv_usec - before.ru_stime.tv_usec) / 1e6;
    printf("{\"uploads\":%d,\"seconds\":%.3f,\"rate\":%.1f,\"p50_ms\":%.2f,\"p95_ms\":%.2f,\"lost\":%ld,\"retries\":%ld,"
           "\"refused\":%ld,\"connections\":%ld,\"client_cpu_s\":%.2f,\"complaint\":\"%s\"}\n",
           all, seconds, all / seconds, took[all / 2] * 1e3, took[(int)(all * 0.95)] * 1e3, lost, retries, refused, opened, cpu, complaint);
    // The threads are still giving back what OpenSSL lent them: its own tidying up must not run beside them.
    fflush(stdout);
    _exit(lost > 0);
}
