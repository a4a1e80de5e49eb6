// A process that this is loaded into has another clock: its monotonic clock goes SLAQ_CLOCK_RATE times as fast, and its
// time of day is SLAQ_CLOCK_OFFSET seconds off. Waits that end at a moment of that clock end at it; libfaketime's do not.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static const double kNanos = 1e9;
static double rate = 1, offset, begun;
static int (*real_gettime)(clockid_t, struct timespec *);
static int (*real_clockwait)(pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *);
static int (*real_timedwait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);

static double seconds(struct timespec time) { return time.tv_sec + time.tv_nsec / kNanos; }

static struct timespec shifted(struct timespec time, double by) {
  const long long nanos = time.tv_nsec + (long long)(by * kNanos);
  const long long whole = nanos >= 0 ? nanos / 1000000000 : -((-nanos + 999999999) / 1000000000);
  return (struct timespec){time.tv_sec + whole, nanos - whole * 1000000000};
}

static double number(const char *name, double otherwise) {
  const char *text = getenv(name);
  return text ? atof(text) : otherwise;
}

static void prepare(void) {
  if (real_gettime) return;
  real_clockwait = dlsym(RTLD_NEXT, "pthread_cond_clockwait");
  real_timedwait = dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
  if (!real_timedwait) real_timedwait = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
  rate = number("SLAQ_CLOCK_RATE", 1);
  offset = number("SLAQ_CLOCK_OFFSET", 0);
  int (*gettime)(clockid_t, struct timespec *) = dlsym(RTLD_NEXT, "clock_gettime");
  struct timespec now;
  gettime(CLOCK_MONOTONIC, &now);
  begun = seconds(now);
  real_gettime = gettime;
}

__attribute__((constructor)) static void load(void) { prepare(); }

int clock_gettime(clockid_t clock, struct timespec *now) {
  prepare();
  const int failed = real_gettime(clock, now);
  if (failed) return failed;
  if (clock == CLOCK_MONOTONIC) *now = shifted(*now, (seconds(*now) - begun) * (rate - 1));
  if (clock == CLOCK_REALTIME) *now = shifted(*now, offset);
  return 0;
}

int gettimeofday(struct timeval *now, void *zone) {
  (void)zone;
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  *now = (struct timeval){time.tv_sec, time.tv_nsec / 1000};
  return 0;
}

time_t time(time_t *place) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (place) *place = now.tv_sec;
  return now.tv_sec;
}

// The moment of the real clock at which this one shows that.
static struct timespec real_moment(clockid_t clock, struct timespec moment) {
  if (clock == CLOCK_REALTIME) return shifted(moment, -offset);
  return shifted(moment, (seconds(moment) - begun) * (1 / rate - 1));
}

int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                           const struct timespec *until) {
  prepare();
  const struct timespec moment = real_moment(clock, *until);
  return real_clockwait(condition, mutex, clock, &moment);
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until) {
  prepare();
  const struct timespec moment = real_moment(CLOCK_REALTIME, *until);
  return real_timedwait(condition, mutex, &moment);
}
