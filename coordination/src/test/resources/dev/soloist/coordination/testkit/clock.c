/* Preloaded into a process: its wall clock is off by the nanoseconds in the file that FAKE_CLOCK names, read anew at each
 * look, so that the clock can be stepped while the process runs. Its monotonic clock stays true, as a machine's does. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

typedef int clock_gettime_t(clockid_t, struct timespec *);

static const int64_t SECOND = 1000000000;
static clock_gettime_t *real;
static volatile const int64_t *offset;

__attribute__((constructor)) static void begin(void) {
  const char *name = getenv("FAKE_CLOCK");
  int file = name ? open(name, O_RDONLY) : -1;
  real = (clock_gettime_t *)dlsym(RTLD_NEXT, "clock_gettime");
  if (file >= 0) {
    void *mapped = mmap(NULL, sizeof *offset, PROT_READ, MAP_SHARED, file, 0);
    if (mapped != MAP_FAILED) offset = mapped;
    close(file);
  }
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  if (!real) real = (clock_gettime_t *)dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(clock, now);
  if (result == 0 && offset && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    int64_t total = (int64_t)now->tv_sec * SECOND + now->tv_nsec + *offset;
    now->tv_sec = total / SECOND;
    now->tv_nsec = total % SECOND;
  }
  return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec precise;
  (void)zone;
  if (clock_gettime(CLOCK_REALTIME, &precise)) return -1;
  now->tv_sec = precise.tv_sec;
  now->tv_usec = precise.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *result) {
  struct timespec precise;
  clock_gettime(CLOCK_REALTIME, &precise);
  if (result) *result = precise.tv_sec;
  return precise.tv_sec;
}
