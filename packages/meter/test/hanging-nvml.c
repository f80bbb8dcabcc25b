/* The fake NVML whose energy counter, HANG_AFTER_MS after its first read, blocks for HANG_MS at each read. */
#define nvmlDeviceGetTotalEnergyConsumption answeredEnergy
#include FAKE_NVML
#undef nvmlDeviceGetTotalEnergyConsumption

static long long ownMs(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (long long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}
int nvmlDeviceGetTotalEnergyConsumption(Device device, unsigned long long *energy) {
  static long long firstMs;
  struct timespec hang = {HANG_MS / 1000, HANG_MS % 1000 * 1000000L};
  if (firstMs == 0) firstMs = ownMs();
  if (ownMs() - firstMs > HANG_AFTER_MS) nanosleep(&hang, 0);
  return answeredEnergy(device, energy);
}
