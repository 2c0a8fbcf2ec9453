/* faults.so, for LD_PRELOAD: counts a program's calls on files below a folder and makes one of them fail, once.
 *
 *   FAULTS_ROOT  the folder; calls on other files, on sockets and on pipes go straight through
 *   FAULTS_LOG   gets a line for every call: FUNCTION<tab>FILE<tab>FROM<tab>COUNT, and "struck" behind the failed one
 *   FAULTS_AT    FUNCTION<tab>FILE<tab>FROM<tab>COUNT<tab>FAULT: which call fails, and how: the number of an error, or
 *                "short": half of what was asked for is done, which read(2) and write(2) allow. Without FROM<tab>COUNT:
 *                every one
 *
 * FILE is the path below the folder with numbers and hashes as '#'. FROM is a hash of the places in the program that
 * the call comes from, as offsets in their modules: the same in every run. A library that makes the call stands before it. COUNT is how often that came before, plus 1.
 * A close that fails has closed all the same, as on Linux.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { FILES = 4096, NAME = 96, SITES = 8192, FRAMES = 24 };
enum { PASS = 0, SHORT = -1 };

static const char *root;
static size_t root_length;
static int log_file = -1;
static char wanted[512];
static int fault;
static int every_one;
/* Of each descriptor: its file's name below the root, empty when it is none of ours. */
static char name_of[FILES][NAME];
static struct { uint64_t key; unsigned count; } sites[SITES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The next definition of a function, libc's own. */
#define NEXT(result, name, ...) \
    static result (*next)(__VA_ARGS__); \
    if (!next) next = (result (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

__attribute__((constructor)) static void begin(void) {
    void *frame;
    backtrace(&frame, 1); /* loads what it needs now, not within somebody's call */
    root = getenv("FAULTS_ROOT");
    if (!root) return;
    root_length = strlen(root);
    const char *path = getenv("FAULTS_LOG"), *at = getenv("FAULTS_AT");
    /* A number that no program counts on. */
    if (path) {
        int file = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        if (file >= 0) { log_file = fcntl(file, F_DUPFD_CLOEXEC, 900); syscall(SYS_close, file); }
    }
    if (at) {
        const char *last = strrchr(at, '\t');
        if (last && (size_t)(last - at) < sizeof wanted) {
            memcpy(wanted, at, last - at);
            every_one = strchr(strchr(wanted, '\t') + 1, '\t') == 0;
            fault = strcmp(last + 1, "short") ? atoi(last + 1) : SHORT;
        }
    }
}

static int is_hexadecimal(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

/* A path's name below the root, with every run of digits and every hash as '#'; empty when it is elsewhere. */
static void name(const char *path, char out[NAME]) {
    out[0] = 0;
    if (!root || !path || strncmp(path, root, root_length) || (path[root_length] != '/' && path[root_length])) return;
    const char *p = path + root_length;
    size_t n = 0;
    if (!*p) out[n++] = '/';
    while (*p == '/') p++;
    while (*p && n < NAME - 1) {
        size_t run = 0, digits = 0;
        while (is_hexadecimal(p[run])) digits += p[run] <= '9', run++;
        /* Two hexadecimal digits alone between slashes are a shelf. */
        int shelf = run == 2 && (p[2] == '/' || !p[2]) && n && out[n - 1] == '/';
        if (run && (digits == run || run >= 16 || shelf)) {
            if (!(n >= 2 && out[n - 1] == '-' && out[n - 2] == '#')) out[n++] = '#'; else n--;
            p += run;
        } else if (run) {
            while (run-- && n < NAME - 1) out[n++] = *p++;
        } else {
            out[n++] = *p++;
        }
    }
    out[n] = 0;
}

static uint64_t mixed(uint64_t hash, const void *bytes, size_t count) {
    const unsigned char *p = bytes;
    while (count--) hash = (hash ^ *p++) * 1099511628211ull;
    return hash;
}

/* Where the call comes from: in our own program the whole way up, in a library the nearest places only, because the
   ways through SQLite are many and end in the same few. */
static uint64_t origin(char library[32]) {
    void *frames[FRAMES];
    int count = backtrace(frames, FRAMES);
    uint64_t hash = 14695981039346656037ull;
    const void *own = 0;
    int taken = 0, foreign = 0;
    for (int i = 0; i < count; i++) {
        Dl_info info;
        if (!dladdr(frames[i], &info) || !info.dli_fname) continue;
        if (!own) own = info.dli_fbase; /* this library */
        if (info.dli_fbase == own) continue;
        const char *slash = strrchr(info.dli_fname, '/'), *module = slash ? slash + 1 : info.dli_fname;
        int is_library = strstr(module, ".so") != 0;
        if (!taken && is_library && strncmp(module, "libswift", 8)) {
            foreign = 1;
            snprintf(library, 32, "%.*s:", (int)strcspn(module, "."), module);
        }
        uint64_t offset = (uintptr_t)frames[i] - (uintptr_t)info.dli_fbase;
        hash = mixed(hash, module, strlen(module));
        hash = mixed(hash, &offset, sizeof offset);
        if (++taken == (foreign ? 3 : 7)) break;
    }
    return hash;
}

/* What becomes of this call: PASS, SHORT, or the number of an error. */
static int met(const char *function, const char *file) {
    if (!file[0] || log_file < 0) return PASS;
    int saved = errno;
    char library[32] = "";
    uint64_t from = origin(library), key = mixed(mixed(from, function, strlen(function)), file, strlen(file));
    unsigned count = 0;
    pthread_mutex_lock(&lock);
    for (size_t i = key % SITES, looked = 0; looked < SITES; i = (i + 1) % SITES, looked++) {
        if (sites[i].key && sites[i].key != key) continue;
        sites[i].key = key;
        count = ++sites[i].count;
        break;
    }
    pthread_mutex_unlock(&lock);
    char call[512], line[512];
    snprintf(call, sizeof call, "%s\t%s", function, file);
    int struck = every_one && !strcmp(call, wanted);
    int length = snprintf(line, sizeof line, "%s\t%s\t%s%016llx\t%u", function, file, library, (unsigned long long)from, count);
    struck |= wanted[0] && !strcmp(line, wanted);
    length += snprintf(line + length, sizeof line - length, struck ? "\tstruck\n" : "\n");
    syscall(SYS_write, log_file, line, length);
    errno = saved;
    return struck ? fault : PASS;
}

static const char *file_of(int fd) { return fd >= 0 && fd < FILES ? name_of[fd] : ""; }
static void remember(int fd, const char *file) { if (fd >= 0 && fd < FILES) strcpy(name_of[fd], file); }

/* Fails, or goes on: for calls that cannot be done by half. */
#define MEET(function, file, failed) \
    do { \
        int fate_ = met(function, file); \
        if (fate_ > 0) { errno = fate_; return failed; } \
    } while (0)
/* The same, and half of `count` when it is to be short; one byte is never none. */
#define MEET_COUNT(function, file, count) \
    do { \
        int fate_ = met(function, file); \
        if (fate_ > 0) { errno = fate_; return -1; } \
        if (fate_ == SHORT && (count) > 1) (count) /= 2; \
    } while (0)

static int opened(const char *symbol, int folder, const char *path, int flags, mode_t mode) {
    char file[NAME];
    name(path, file);
    MEET(flags & O_CREAT ? "create" : flags & O_DIRECTORY ? "open folder" : "open", file, -1);
    (void)symbol;
    int fd = syscall(SYS_openat, folder, path, flags, mode);
    remember(fd, file);
    return fd;
}
#define MODE(flags) \
    mode_t mode = 0; \
    if ((flags) & (O_CREAT | O_TMPFILE)) { va_list more; va_start(more, flags); mode = va_arg(more, mode_t); va_end(more); }
int open(const char *path, int flags, ...) { MODE(flags) return opened("open", AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags) return opened("open64", AT_FDCWD, path, flags | O_LARGEFILE, mode); }
int openat(int folder, const char *path, int flags, ...) { MODE(flags) return opened("openat", folder, path, flags, mode); }
int openat64(int folder, const char *path, int flags, ...) { MODE(flags) return opened("openat64", folder, path, flags, mode); }

int close(int fd) {
    char file[NAME];
    strcpy(file, file_of(fd));
    int fate = met("close", file);
    remember(fd, "");
    int result = syscall(SYS_close, fd);
    if (fate > 0) { errno = fate; return -1; }
    return result;
}

ssize_t read(int fd, void *to, size_t count) {
    MEET_COUNT("read", file_of(fd), count);
    NEXT(ssize_t, "read", int, void *, size_t);
    return next(fd, to, count);
}
ssize_t pread(int fd, void *to, size_t count, off_t at) {
    MEET_COUNT("pread", file_of(fd), count);
    NEXT(ssize_t, "pread", int, void *, size_t, off_t);
    return next(fd, to, count, at);
}
ssize_t pread64(int fd, void *to, size_t count, off64_t at) { return pread(fd, to, count, at); }
ssize_t write(int fd, const void *from, size_t count) {
    MEET_COUNT("write", file_of(fd), count);
    NEXT(ssize_t, "write", int, const void *, size_t);
    return next(fd, from, count);
}
ssize_t pwrite(int fd, const void *from, size_t count, off_t at) {
    MEET_COUNT("pwrite", file_of(fd), count);
    NEXT(ssize_t, "pwrite", int, const void *, size_t, off_t);
    return next(fd, from, count, at);
}
ssize_t pwrite64(int fd, const void *from, size_t count, off64_t at) { return pwrite(fd, from, count, at); }
ssize_t writev(int fd, const struct iovec *list, int count) {
    int fate = met("writev", file_of(fd));
    if (fate > 0) { errno = fate; return -1; }
    NEXT(ssize_t, "writev", int, const struct iovec *, int);
    return next(fd, list, fate == SHORT && count > 1 ? count / 2 : count);
}

int fsync(int fd) {
    MEET("fsync", file_of(fd), -1);
    return syscall(SYS_fsync, fd);
}
int fdatasync(int fd) {
    MEET("fdatasync", file_of(fd), -1);
    return syscall(SYS_fdatasync, fd);
}
int ftruncate(int fd, off_t size) {
    MEET("ftruncate", file_of(fd), -1);
    return syscall(SYS_ftruncate, fd, size);
}
int ftruncate64(int fd, off64_t size) { return ftruncate(fd, size); }
int fallocate(int fd, int mode, off_t at, off_t count) {
    MEET("fallocate", file_of(fd), -1);
    return syscall(SYS_fallocate, fd, mode, at, count);
}
int fallocate64(int fd, int mode, off64_t at, off64_t count) { return fallocate(fd, mode, at, count); }
int posix_fallocate(int fd, off_t at, off_t count) {
    int fate = met("fallocate", file_of(fd));
    if (fate > 0) return fate;
    return syscall(SYS_fallocate, fd, 0, at, count) ? errno : 0;
}
int posix_fallocate64(int fd, off64_t at, off64_t count) { return posix_fallocate(fd, at, count); }
int flock(int fd, int how) {
    MEET("flock", file_of(fd), -1);
    return syscall(SYS_flock, fd, how);
}

int rename(const char *from, const char *to) {
    char file[NAME], target[NAME], both[NAME];
    name(from, file);
    name(to, target);
    snprintf(both, sizeof both, "%.40s > %.40s", file, target);
    MEET("rename", file[0] || target[0] ? both : "", -1);
    return syscall(SYS_rename, from, to);
}
int unlink(const char *path) {
    char file[NAME];
    name(path, file);
    MEET("unlink", file, -1);
    return syscall(SYS_unlink, path);
}
int mkdir(const char *path, mode_t mode) {
    char file[NAME];
    name(path, file);
    MEET("mkdir", file, -1);
    return syscall(SYS_mkdir, path, mode);
}

#define LOOKED(function, type) \
    int function(const char *path, struct type *to) { \
        char file[NAME]; \
        name(path, file); \
        MEET(#function, file, -1); \
        NEXT(int, #function, const char *, struct type *); \
        return next(path, to); \
    }
LOOKED(stat, stat)
LOOKED(stat64, stat64)
LOOKED(lstat, stat)
LOOKED(lstat64, stat64)
LOOKED(statvfs, statvfs)
LOOKED(statvfs64, statvfs64)
int fstat(int fd, struct stat *to) {
    MEET("fstat", file_of(fd), -1);
    NEXT(int, "fstat", int, struct stat *);
    return next(fd, to);
}
int fstat64(int fd, struct stat64 *to) {
    MEET("fstat", file_of(fd), -1);
    NEXT(int, "fstat64", int, struct stat64 *);
    return next(fd, to);
}

DIR *opendir(const char *path) {
    char file[NAME];
    name(path, file);
    MEET("opendir", file, 0);
    NEXT(DIR *, "opendir", const char *);
    DIR *folder = next(path);
    if (folder) remember(dirfd(folder), file);
    return folder;
}
struct dirent *readdir(DIR *folder) {
    MEET("readdir", file_of(dirfd(folder)), 0);
    NEXT(struct dirent *, "readdir", DIR *);
    return next(folder);
}
int closedir(DIR *folder) {
    remember(dirfd(folder), "");
    NEXT(int, "closedir", DIR *);
    return next(folder);
}

/* libc does a stream's own calls inside itself: a stream is opened, or it is not. */
FILE *fopen(const char *path, const char *how) {
    char file[NAME];
    name(path, file);
    MEET("fopen", file, 0);
    NEXT(FILE *, "fopen", const char *, const char *);
    return next(path, how);
}
FILE *fopen64(const char *path, const char *how) { return fopen(path, how); }
