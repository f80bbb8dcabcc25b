/* A library with the ABI of NVML that plays one scenario, chosen when it is compiled:
 * cc -shared -fPIC -DTICK_MS=100 -DREAD_MS=3 ... All reads follow the monotonic clock, so the truth is known. */
#include <stdint.h>
#include <string.h>
#include <time.h>

#ifndef TICK_MS
#define TICK_MS 100
#endif
#ifndef READ_MS
#define READ_MS 0
#endif
#ifndef POWER_MW
#define POWER_MW 400000
#endif
#ifndef GPUS
#define GPUS 1
#endif
#ifndef INIT_RESULT
#define INIT_RESULT 0
#endif
#ifndef ENERGY_RESULT
#define ENERGY_RESULT 0
#endif
#ifndef LOST_AFTER_MS
#define LOST_AFTER_MS 0
#endif
#ifndef RESET_AFTER_MS
#define RESET_AFTER_MS 0
#endif
#ifndef ABSURD
#define ABSURD 0
#endif
#ifndef SWAP_ORDER
#define SWAP_ORDER 0
#endif
#ifndef PHASE_MS
#define PHASE_MS 37
#endif

typedef void *Device;
static uint64_t startedMs;
static unsigned opens;

static uint64_t nowMs(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}
static void pause_ms(long ms) {
  struct timespec t = {ms / 1000, (ms % 1000) * 1000000};
  if (ms > 0) nanosleep(&t, 0);
}
static int lost(void) { return LOST_AFTER_MS > 0 && nowMs() - startedMs > LOST_AFTER_MS; }

int nvmlInit_v2(void) {
  if (startedMs == 0) startedMs = nowMs();
  opens += 1;
  return INIT_RESULT;
}
int nvmlShutdown(void) { return 0; }
const char *nvmlErrorString(int code) { return code == 3 ? "Not Supported" : "Some error"; }
int nvmlSystemGetDriverVersion(char *text, unsigned length) { strncpy(text, "580.0.fake", length); return 0; }
int nvmlDeviceGetCount_v2(unsigned *count) { *count = GPUS; return 0; }

/* Handles are 0x1000 + the number in the UUID; with SWAP_ORDER each second open turns the order round. */
int nvmlDeviceGetHandleByIndex_v2(unsigned index, Device *device) {
  unsigned number = index;
  if (index >= GPUS) return 2;
  if (SWAP_ORDER && opens % 2 == 0) number = GPUS - 1 - index;
  *device = (Device)(uintptr_t)(0x1000 + number);
  return 0;
}
int nvmlDeviceGetHandleByUUID(const char *uuid, Device *device) {
  unsigned number = (unsigned)(uuid[strlen(uuid) - 1] - '0');
  if (strncmp(uuid, "GPU-fake", 8) != 0 || number >= GPUS) return 6;
  *device = (Device)(uintptr_t)(0x1000 + number);
  return 0;
}
static unsigned numberOf(Device device) { return (unsigned)((uintptr_t)device - 0x1000); }

int nvmlDeviceGetUUID(Device device, char *text, unsigned length) {
  if (length < 16) return 7;
  strcpy(text, "GPU-fake-000X");
  text[12] = (char)('0' + numberOf(device));
  return 0;
}
int nvmlDeviceGetName(Device device, char *text, unsigned length) { (void)device; strncpy(text, "Fake H200", length); return 0; }
int nvmlDeviceGetPciInfo_v3(Device device, void *info) {
  memset(info, 0, 68);
  strcpy((char *)info + 36, "00000000:00:06.0");
  ((char *)info)[49] = (char)('0' + numberOf(device));
  return 0;
}
int nvmlDeviceGetTotalEnergyConsumption(Device device, unsigned long long *energy) {
  uint64_t ms, powerMw = POWER_MW + 100000ull * numberOf(device), sinceMs;
  if (ENERGY_RESULT) return ENERGY_RESULT;
  pause_ms(READ_MS);
  if (lost()) return 15;
  ms = (nowMs() + PHASE_MS) / TICK_MS * TICK_MS;
  *energy = ms * powerMw / 1000;
  sinceMs = nowMs() - startedMs;
  if (RESET_AFTER_MS > 0 && sinceMs > RESET_AFTER_MS) *energy = (ms - startedMs) * powerMw / 1000;
  if (ABSURD) *energy = ms * 3700000ull;
  return 0;
}
int nvmlDeviceGetPowerUsage(Device device, unsigned *power) {
  if (lost()) return 15;
  *power = ABSURD ? 3700000000u : POWER_MW + 100000u * numberOf(device);
  return 0;
}
int nvmlDeviceGetPowerManagementLimit(Device device, unsigned *limit) { (void)device; *limit = 700000; return 0; }
int nvmlDeviceGetEnforcedPowerLimit(Device device, unsigned *limit) { (void)device; *limit = 700000; return 0; }
int nvmlDeviceGetPowerManagementDefaultLimit(Device device, unsigned *limit) { (void)device; *limit = 700000; return 0; }
int nvmlDeviceGetTemperature(Device device, int sensor, unsigned *celsius) { (void)device; (void)sensor; *celsius = 41; return 0; }
int nvmlDeviceGetClockInfo(Device device, int type, unsigned *mhz) { (void)device; *mhz = type == 1 ? 1980 : 3201; return 0; }
/* Only the older name of this one is there, as on older drivers. */
int nvmlDeviceGetCurrentClocksThrottleReasons(Device device, unsigned long long *mask) { (void)device; *mask = 0x4 | 0x20; return 0; }
int nvmlDeviceGetMemoryInfo(Device device, unsigned long long *memory) {
  (void)device;
  memory[0] = 150754820096ull; memory[1] = 150109880320ull; memory[2] = 644939776ull;
  return 0;
}
/* Ten processes: more than the first buffer of a careful caller holds. GPU n runs 4200 + 100 n and up. */
int nvmlDeviceGetComputeRunningProcesses_v3(Device device, unsigned *count, unsigned char *list) {
  unsigned room = *count, i;
  *count = 10;
  if (room < 10) return 7;
  memset(list, 0, 240);
  for (i = 0; i < 10; i += 1) { uint32_t pid = 4200 + 100 * numberOf(device) + i; memcpy(list + 24 * i, &pid, 4); }
  return 0;
}
int nvmlDeviceGetMigMode(Device device, unsigned *current, unsigned *pending) { (void)device; *current = 0; *pending = 0; return 0; }
