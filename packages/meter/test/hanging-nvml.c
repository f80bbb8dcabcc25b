/* The fake NVML whose energy counter, HANG_AFTER_MS after its first read, says "hanging" on stderr and blocks for
 * HANG_MS at each read; with HANG_MS 0 it never comes back. With HANG_AT_LOAD the library itself never gets loaded.
 * Where the process ends in the usual way, it says "goodbye". */
#define nvmlDeviceGetTotalEnergyConsumption answeredEnergy
#include FAKE_NVML
#undef nvmlDeviceGetTotalEnergyConsumption
#include <unistd.h>

static long long ownMs(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (long long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}
static void say(const char *text) {
  if (write(2, text, 8) != 8) _exit(99);
}
static void hang(void) {
  static int hangs;
  struct timespec t = {HANG_MS / 1000, HANG_MS % 1000 * 1000000L};
  if (hangs == 0) say("hanging\n");
  hangs += 1;
  while (HANG_MS == 0) pause();
  nanosleep(&t, 0);
}
__attribute__((destructor)) static void goodbye(void) { say("goodbye\n"); }
#ifdef HANG_AT_LOAD
__attribute__((constructor)) static void hangAtLoad(void) { hang(); }
#endif
int nvmlDeviceGetTotalEnergyConsumption(Device device, unsigned long long *energy) {
  static long long firstMs;
  if (firstMs == 0) firstMs = ownMs();
  if (ownMs() - firstMs > HANG_AFTER_MS) hang();
  return answeredEnergy(device, energy);
}
