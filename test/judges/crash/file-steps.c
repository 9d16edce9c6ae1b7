/*
 * Loaded into a process by LD_PRELOAD: records, in order, the calls that change files below one
 * folder, and ends the process at a chosen one, as a crash would.
 *
 * CRASH_FOLDER  the folder, absolute and without symbolic links
 * CRASH_TRACE   the file to append the record to, outside that folder
 * CRASH_STEP    which step ends the process; 0 or unset: none
 * CRASH_HOW     "before" that step (default), or "half": after half of its bytes, if it writes any
 * CRASH_PORT    what is sent to this TCP port counts as steps too
 *
 * A line of the record is OP INODE MODE OFFSET LENGTH PATH OTHER-PATH, parted by tabs, and LENGTH bytes
 * follow it. SQLite's -shm files are left out: they are rebuilt after a crash.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define FICLONE_REQUEST 0x40049409
#define SAID_BYTES_MAX 4096

static long (*kernel)(long, ...);
static const char *folder;
static size_t folder_length;
static int record_fd = -1;
static int port;
static long steps, last_step;
static int is_half;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static const char *setting(const char *name) {
  const char *value = getenv(name);
  return value == NULL ? "" : value;
}

__attribute__((constructor)) static void start(void) {
  kernel = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  if (*setting("CRASH_FOLDER") == '\0') return;
  last_step = atol(setting("CRASH_STEP"));
  port = atoi(setting("CRASH_PORT"));
  is_half = strcmp(setting("CRASH_HOW"), "half") == 0;
  int fd = kernel(SYS_openat, AT_FDCWD, setting("CRASH_TRACE"),
                  O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  record_fd = fcntl(fd, F_DUPFD_CLOEXEC, 900);
  kernel(SYS_close, fd);
  if (record_fd < 0) abort();
  folder = setting("CRASH_FOLDER");
  folder_length = strlen(folder);
}

static long call(long number, long a, long b, long c, long d, long e, long f) {
  if (kernel == NULL) kernel = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  return kernel(number, a, b, c, d, e, f);
}
#define CALL(number, a, b, c, d) call(number, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)

/* What is watched, and by which path */

static int is_watched(const char *path) {
  if (folder == NULL || strncmp(path, folder, folder_length) != 0) return 0;
  if (path[folder_length] != '/' && path[folder_length] != '\0') return 0;
  size_t length = strlen(path);
  return length < 4 || strcmp(path + length - 4, "-shm") != 0;
}

static int path_of_fd(int fd, char *path) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = CALL(SYS_readlinkat, AT_FDCWD, link, path, PATH_MAX - 1);
  path[length < 0 ? 0 : length] = '\0';
  return length > 0;
}

/** Whether the path leads to what is watched; `path` becomes absolute. */
static int is_watched_at(int at, const char *given, char *path) {
  if (folder == NULL || given == NULL) return 0;
  if (*given == '/') {
    snprintf(path, PATH_MAX, "%s", given);
  } else {
    char base[PATH_MAX];
    if (at == AT_FDCWD ? getcwd(base, sizeof base) == NULL : !path_of_fd(at, base)) return 0;
    if (snprintf(path, PATH_MAX, "%s/%s", base, given) >= PATH_MAX) return 0;
  }
  for (size_t end = strlen(path); end > 1 && path[end - 1] == '/'; end -= 1) path[end - 1] = '\0';
  return is_watched(path);
}

static int is_watched_fd(int fd, char *path) {
  return folder != NULL && path_of_fd(fd, path) && is_watched(path);
}

static unsigned long inode_of(int fd, int *is_folder) {
  struct stat found;
  if (fstat(fd, &found) != 0) return 0;
  if (is_folder != NULL) *is_folder = S_ISDIR(found.st_mode);
  return found.st_ino;
}

static unsigned long inode_at(const char *path) {
  struct stat found;
  return lstat(path, &found) == 0 ? found.st_ino : 0;
}

/* Steps, one at a time over all threads */

struct step {
  const char *op;
  unsigned long inode;
  long mode, offset;
  const char *path, *other;
  const struct iovec *bytes;
  int parts;
};

static void record(struct step step, long length) {
  char line[2 * PATH_MAX + 128];
  int written = snprintf(line, sizeof line, "%s\t%lu\t%ld\t%ld\t%ld\t%s\t%s\n", step.op, step.inode,
                         step.mode, step.offset, length, step.path ? step.path : "",
                         step.other ? step.other : "");
  CALL(SYS_write, record_fd, line, written, 0);
  for (int at = 0; at < step.parts && length > 0; at += 1) {
    long part = (long)step.bytes[at].iov_len < length ? (long)step.bytes[at].iov_len : length;
    CALL(SYS_write, record_fd, step.bytes[at].iov_base, part, 0);
    length -= part;
  }
}

static void end_here(struct step step) {
  step.other = step.op;
  step.op = "end";
  record(step, 0);
  CALL(SYS_kill, getpid(), SIGKILL, 0, 0);
  for (;;) pause();
}

/** Takes the turn. The process ends here if this is its last step. */
static void begin(struct step step) {
  pthread_mutex_lock(&turn);
  steps += 1;
  if (steps == last_step && !(is_half && step.parts > 0)) end_here(step);
}

static long finish(struct step step, long result, long length) {
  int fault = errno;
  if (result < 0) step.op = "none";
  record(step, result < 0 ? 0 : length);
  pthread_mutex_unlock(&turn);
  errno = fault;
  return result;
}

/* Bytes */

static void said(const char *where, const struct iovec *bytes, int parts, long length) {
  pthread_mutex_lock(&turn);
  struct step step = {.op = "said", .path = where, .bytes = bytes, .parts = parts};
  record(step, length < SAID_BYTES_MAX ? length : SAID_BYTES_MAX);
  pthread_mutex_unlock(&turn);
}

static int is_at_port(int fd) {
  struct sockaddr_in peer;
  socklen_t length = sizeof peer;
  return port != 0 && getpeername(fd, (struct sockaddr *)&peer, &length) == 0 &&
         peer.sin_family == AF_INET && ntohs(peer.sin_port) == port;
}

/** offset -1: where the file stands. */
static long write_all(int fd, const struct iovec *bytes, int parts, long offset) {
  long number = offset < 0 ? SYS_writev : SYS_pwritev;
  char path[PATH_MAX] = "";
  if (folder == NULL || !path_of_fd(fd, path)) return CALL(number, fd, bytes, parts, offset);
  int is_send = strncmp(path, "socket:", 7) == 0 && is_at_port(fd);
  if (!is_send && !is_watched(path)) {
    long result = CALL(number, fd, bytes, parts, offset);
    int fault = errno;
    int speaks = fd == 1 || strncmp(path, "socket:", 7) == 0;
    if (speaks && result > 0) said(fd == 1 ? "stdout" : "socket", bytes, parts, result);
    errno = fault;
    return result;
  }
  struct step step = {.op = is_send ? "send" : "write", .path = path, .bytes = bytes, .parts = parts};
  begin(step);
  step.inode = inode_of(fd, NULL);
  step.offset = offset >= 0 ? offset : is_send ? 0 : lseek(fd, 0, SEEK_CUR);
  if (!is_send && (fcntl(fd, F_GETFL) & O_APPEND)) step.offset = lseek(fd, 0, SEEK_END);
  if (steps == last_step) {
    CALL(offset < 0 ? SYS_write : SYS_pwrite64, fd, bytes->iov_base, bytes->iov_len / 2, offset);
    end_here(step);
  }
  long result = CALL(number, fd, bytes, parts, offset);
  if (is_send) step.parts = 0;
  return finish(step, result, is_send ? 0 : result);
}

ssize_t write(int fd, const void *bytes, size_t length) {
  struct iovec part = {(void *)bytes, length};
  return write_all(fd, &part, 1, -1);
}
ssize_t writev(int fd, const struct iovec *bytes, int parts) {
  return write_all(fd, bytes, parts, -1);
}
ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) {
  struct iovec part = {(void *)bytes, length};
  return write_all(fd, &part, 1, offset);
}
ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) {
  return pwrite64(fd, bytes, length, offset);
}
ssize_t pwritev(int fd, const struct iovec *bytes, int parts, off_t offset) {
  return write_all(fd, bytes, parts, offset);
}
ssize_t pwritev64(int fd, const struct iovec *bytes, int parts, off64_t offset) {
  return write_all(fd, bytes, parts, offset);
}

/** By reading and writing, so that the record has the bytes. */
static long copy_all(int from, off64_t *at, int to, size_t length) {
  char bytes[65536];
  size_t part = length < sizeof bytes ? length : sizeof bytes;
  ssize_t got = at == NULL ? read(from, bytes, part) : pread64(from, bytes, part, *at);
  if (got <= 0) return got;
  ssize_t put = write(to, bytes, got);
  if (at != NULL && put > 0) *at += put;
  return put;
}
ssize_t sendfile64(int to, int from, off64_t *at, size_t length) {
  char path[PATH_MAX];
  if (is_watched_fd(to, path)) return copy_all(from, at, to, length);
  return CALL(SYS_sendfile, to, from, at, length);
}
ssize_t sendfile(int to, int from, off_t *at, size_t length) {
  return sendfile64(to, from, at, length);
}

static int set_size(int fd, off64_t size) {
  char path[PATH_MAX];
  if (!is_watched_fd(fd, path)) return CALL(SYS_ftruncate, fd, size, 0, 0);
  struct step step = {.op = "truncate", .offset = size, .path = path};
  begin(step);
  step.inode = inode_of(fd, NULL);
  return finish(step, CALL(SYS_ftruncate, fd, size, 0, 0), 0);
}
int ftruncate64(int fd, off64_t size) { return set_size(fd, size); }
int ftruncate(int fd, off_t size) { return set_size(fd, size); }

static int sync_fd(long number, int fd) {
  char path[PATH_MAX];
  if (!is_watched_fd(fd, path)) return CALL(number, fd, 0, 0, 0);
  int is_folder = 0;
  unsigned long inode = inode_of(fd, &is_folder);
  struct step step = {.op = is_folder ? "syncfolder" : "sync", .inode = inode, .path = path};
  begin(step);
  return finish(step, CALL(number, fd, 0, 0, 0), 0);
}
int fsync(int fd) { return sync_fd(SYS_fsync, fd); }
int fdatasync(int fd) { return sync_fd(SYS_fdatasync, fd); }

/* Names */

static int open_file(int at, const char *given, int flags, mode_t mode) {
  char path[PATH_MAX];
  int changes = (flags & (O_CREAT | O_TRUNC)) != 0 && (flags & O_TMPFILE) != O_TMPFILE;
  if (!changes || !is_watched_at(at, given, path)) return CALL(SYS_openat, at, given, flags, mode);
  struct stat found;
  int is_there = stat(path, &found) == 0;
  int cuts = is_there && (flags & O_TRUNC) && found.st_size > 0;
  if (is_there && !cuts) return CALL(SYS_openat, at, given, flags, mode);
  struct step step = {.op = is_there ? "truncate" : "create", .mode = mode, .path = path};
  begin(step);
  int fd = CALL(SYS_openat, at, given, flags, mode);
  if (fd >= 0) step.inode = inode_of(fd, NULL);
  if (fd >= 0 && fstat(fd, &found) == 0) step.mode = found.st_mode & 07777;
  return finish(step, fd, 0);
}
static mode_t mode_in(int flags, va_list more) {
  return flags & (O_CREAT | __O_TMPFILE) ? va_arg(more, mode_t) : 0;
}
#define OPEN(NAME, ARGUMENTS, AT)                  \
  int NAME ARGUMENTS {                             \
    va_list more;                                  \
    va_start(more, flags);                         \
    mode_t mode = mode_in(flags, more);            \
    va_end(more);                                  \
    return open_file(AT, path, flags, mode);       \
  }
OPEN(open, (const char *path, int flags, ...), AT_FDCWD)
OPEN(open64, (const char *path, int flags, ...), AT_FDCWD)
OPEN(openat, (int at, const char *path, int flags, ...), at)
OPEN(openat64, (int at, const char *path, int flags, ...), at)

int renameat2(int at, const char *given, int to_at, const char *to, unsigned flags) {
  char path[PATH_MAX], other[PATH_MAX];
  int from_watched = is_watched_at(at, given, path), to_watched = is_watched_at(to_at, to, other);
  if (!from_watched && !to_watched) return call(SYS_renameat2, at, (long)given, to_at, (long)to, flags, 0);
  struct step step = {.op = "rename", .path = path, .other = other};
  begin(step);
  step.inode = inode_at(path);
  return finish(step, call(SYS_renameat2, at, (long)given, to_at, (long)to, flags, 0), 0);
}
int renameat(int at, const char *path, int to_at, const char *to) {
  return renameat2(at, path, to_at, to, 0);
}
int rename(const char *path, const char *to) { return renameat2(AT_FDCWD, path, AT_FDCWD, to, 0); }

int linkat(int at, const char *given, int to_at, const char *to, int flags) {
  char path[PATH_MAX], other[PATH_MAX];
  is_watched_at(at, given, path);
  if (!is_watched_at(to_at, to, other)) return call(SYS_linkat, at, (long)given, to_at, (long)to, flags, 0);
  struct step step = {.op = "link", .path = path, .other = other};
  begin(step);
  step.inode = inode_at(path);
  return finish(step, call(SYS_linkat, at, (long)given, to_at, (long)to, flags, 0), 0);
}
int link(const char *path, const char *to) { return linkat(AT_FDCWD, path, AT_FDCWD, to, 0); }

static int change_name(long number, const char *op, int at, const char *given, long argument) {
  char path[PATH_MAX];
  if (!is_watched_at(at, given, path)) return CALL(number, at, given, argument, 0);
  struct step step = {.op = op, .mode = argument, .path = path};
  begin(step);
  step.inode = inode_at(path);
  int result = CALL(number, at, given, argument, 0);
  struct stat found;
  if (result == 0 && strcmp(op, "mkdir") == 0 && stat(path, &found) == 0) {
    step.mode = found.st_mode & 07777;
  }
  return finish(step, result, 0);
}
int unlinkat(int at, const char *path, int flags) {
  return change_name(SYS_unlinkat, flags & AT_REMOVEDIR ? "rmdir" : "unlink", at, path, flags);
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }
int remove(const char *path) {
  int result = unlink(path);
  return result != 0 && errno == EISDIR ? rmdir(path) : result;
}
int mkdirat(int at, const char *path, mode_t mode) {
  return change_name(SYS_mkdirat, "mkdir", at, path, mode);
}
int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }
int fchmodat(int at, const char *path, mode_t mode, int flags) {
  (void)flags;
  return change_name(SYS_fchmodat, "chmod", at, path, mode);
}
int chmod(const char *path, mode_t mode) { return fchmodat(AT_FDCWD, path, mode, 0); }
int fchmod(int fd, mode_t mode) {
  char path[PATH_MAX];
  if (!is_watched_fd(fd, path)) return CALL(SYS_fchmod, fd, mode, 0, 0);
  struct step step = {.op = "chmod", .inode = inode_of(fd, NULL), .mode = mode, .path = path};
  begin(step);
  return finish(step, CALL(SYS_fchmod, fd, mode, 0, 0), 0);
}

/* Calls that reach the kernel in other ways */

int ioctl(int fd, unsigned long request, ...) {
  va_list more;
  va_start(more, request);
  long argument = va_arg(more, long);
  va_end(more);
  char path[PATH_MAX];
  if (request == FICLONE_REQUEST && is_watched_fd(fd, path)) {
    errno = EOPNOTSUPP;
    return -1;
  }
  return CALL(SYS_ioctl, fd, request, argument, 0);
}

long syscall(long number, ...) {
  va_list more;
  va_start(more, number);
  long a = va_arg(more, long), b = va_arg(more, long), c = va_arg(more, long);
  long d = va_arg(more, long), e = va_arg(more, long), f = va_arg(more, long);
  va_end(more);
  char path[PATH_MAX];
  if (number == SYS_copy_file_range && is_watched_fd(c, path)) {
    return copy_all(a, (off64_t *)b, c, e);
  }
  return call(number, a, b, c, d, e, f);
}
