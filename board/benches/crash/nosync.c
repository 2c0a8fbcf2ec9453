/* nosync.so, for LD_PRELOAD: nothing is brought to the disk. The control of `board/bench crash`: a method that does not
   see a program without syncs lose something sees nothing. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>

int fsync(int fd) { return fcntl(fd, F_GETFD) == -1 ? -1 : 0; }
int fdatasync(int fd) { return fsync(fd); }
void sync(void) {}
int syncfs(int fd) { return fsync(fd); }
