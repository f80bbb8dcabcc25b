/* A library with the ABI of NVML that plays one scenario, chosen when it is compiled:
 * cc -shared -fPIC -DTICK_MS=100 -DREAD_MS=3 ... All reads follow the monotonic clock, so the truth is known.
 * GPU n draws POWER_MW + n x 100 W; its UUID is GPU-fake-000n, its bus address 0000:0n:00.0, its handle 0x1000 + n. */
#include <stdint.h>
#include <string.h>
#include <time.h>

#ifndef GPUS
#define GPUS 1 /* how many */
#endif
#ifndef NAME
#define NAME "Fake H200"
#endif
#ifndef MIXED
#define MIXED 0 /* 1: GPUs with an odd number are of another model */
#endif
#ifndef SWAP_ORDER
#define SWAP_ORDER 0 /* 1: each second open turns the order round */
#endif
#ifndef INIT_RESULT
#define INIT_RESULT 0
#endif

/* Energy and power. */
#ifndef POWER_MW
#define POWER_MW 400000
#endif
#ifndef BURST_ON_MS
#define BURST_ON_MS 0 /* with BURST_OFF_MS: full power for so long, then a quarter of it */
#endif
#ifndef BURST_OFF_MS
#define BURST_OFF_MS 150
#endif
#ifndef TICK_MS
#define TICK_MS 100
#endif
#ifndef PHASE_MS
#define PHASE_MS 37
#endif
#ifndef READ_MS
#define READ_MS 0 /* how long a read of the counter takes */
#endif
#ifndef ENERGY_RESULT
#define ENERGY_RESULT 0 /* 3: before Volta, or a virtual GPU */
#endif
#ifndef USAGE_RESULT
#define USAGE_RESULT 0
#endif
#ifndef MUTE_GPU
#define MUTE_GPU -1 /* this one tells neither energy nor power, as cards for a screen only do */
#endif
#ifndef RESET_AFTER_MS
#define RESET_AFTER_MS 0
#endif
#ifndef ABSURD
#define ABSURD 0 /* 1: success and garbage, as the 32-bit library */
#endif
#ifndef SAMPLES
#define SAMPLES 119 /* of the buffer, each the mean of its 20 ms; 0: not supported */
#endif
#ifndef SAMPLES_FROM_MS
#define SAMPLES_FROM_MS 0 /* the buffer is empty until then */
#endif
#ifndef SAMPLES_UNTIDY
#define SAMPLES_UNTIDY 0 /* 1: places not filled, out of order, twice */
#endif
#ifndef SAMPLES_LATE_S
#define SAMPLES_LATE_S 0 /* how far behind the wall clock the buffer is stamped */
#endif
#ifndef FIELD_RESULT
#define FIELD_RESULT 0 /* of the power of the GPU (186, scope 0) */
#endif
#ifndef MODULE_MW
#define MODULE_MW 0 /* 0: no power of the module (186, scope 1) */
#endif

/* Loss. */
#ifndef LOST_AFTER_MS
#define LOST_AFTER_MS 0
#endif
#ifndef LOST_GPU
#define LOST_GPU -1 /* -1: all */
#endif
#ifndef LOST_CODE
#define LOST_CODE 15
#endif
#ifndef LOST_UNTIL_MS
#define LOST_UNTIL_MS 1000000000
#endif

/* Facts. */
#ifndef ARCHITECTURE
#define ARCHITECTURE 9
#endif
#ifndef CAPABILITY
#define CAPABILITY 90
#endif
#ifndef MIG
#define MIG 0 /* 1: the last GPU is split into slices MIG-fake-n-k, k from 0 to 6 */
#endif
#ifndef PERSISTENCE
#define PERSISTENCE 1
#endif
#ifndef VIRTUALIZATION
#define VIRTUALIZATION 0
#endif
#ifndef MEMORY_V2_RESULT
#define MEMORY_V2_RESULT 0
#endif
#ifndef MEMORY_RESULT
#define MEMORY_RESULT 0 /* 3 with MEMORY_V2_RESULT 3: memory shared with the machine */
#endif
#ifndef LIMIT_RESULT
#define LIMIT_RESULT 0 /* 3: laptops */
#endif
#ifndef THROTTLE_FIELDS
#define THROTTLE_FIELDS 269 /* 251 before NVML 13.1; 0: no such fields */
#endif
#ifndef VIOLATIONS
#define VIOLATIONS 0 /* 1: the older call works */
#endif

/* Processes, and which symbols there are. */
#ifndef PROCESS_BYTES
#define PROCESS_BYTES 24 /* 32: early drivers of the 535 branch */
#endif
#ifndef PROCESS_GARBAGE
#define PROCESS_GARBAGE 0
#endif
#ifndef OLD_SYMBOLS
#define OLD_SYMBOLS 0 /* 1: only the first version of each function */
#endif
#ifndef BARE
#define BARE 0 /* 1: nothing but identity, energy and power */
#endif

typedef void *Device;
typedef unsigned long long u64;
static uint64_t startedMs;
static unsigned opens;
static unsigned touches[16];

static uint64_t clockMs(clockid_t id) {
  struct timespec t;
  clock_gettime(id, &t);
  return (uint64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}
static uint64_t nowMs(void) { return clockMs(CLOCK_MONOTONIC); }
static void pauseMs(long ms) {
  struct timespec t = {ms / 1000, (ms % 1000) * 1000000};
  if (ms > 0) nanosleep(&t, 0);
}
static unsigned numberOf(Device device) { return (unsigned)((uintptr_t)device - 0x1000); }
static int lost(Device device) {
  uint64_t sinceMs = nowMs() - startedMs;
  if (LOST_GPU >= 0 && LOST_GPU != (int)numberOf(device)) return 0;
  return LOST_AFTER_MS > 0 && sinceMs > LOST_AFTER_MS && sinceMs < LOST_UNTIL_MS;
}

/* Power at a moment, and its integral since the clock began, in microjoules. */
static uint64_t fullMw(Device device) { return POWER_MW + 100000ull * numberOf(device); }
static uint64_t powerAt(Device device, uint64_t ms) {
  if (BURST_ON_MS == 0) return fullMw(device);
  return ms % (BURST_ON_MS + BURST_OFF_MS) < BURST_ON_MS ? fullMw(device) : fullMw(device) / 4;
}
static uint64_t integralUj(Device device, uint64_t ms) {
  uint64_t period = BURST_ON_MS + BURST_OFF_MS, rest, on;
  if (BURST_ON_MS == 0) return ms * fullMw(device);
  rest = ms % period;
  on = ms / period * BURST_ON_MS + (rest < BURST_ON_MS ? rest : BURST_ON_MS);
  return on * fullMw(device) + (ms - on) * (fullMw(device) / 4);
}

/* The library. */
static int open_(void) {
  if (startedMs == 0) startedMs = nowMs();
  opens += 1;
  return INIT_RESULT;
}
#if OLD_SYMBOLS
#define VERSIONED(name, version) name
#else
#define VERSIONED(name, version) name##_v##version
#endif
int VERSIONED(nvmlInit, 2)(void) { return open_(); }
int nvmlShutdown(void) { return 0; }
int nvmlSystemGetDriverVersion(char *text, unsigned length) { strncpy(text, "580.0.fake", length); return 0; }
int VERSIONED(nvmlDeviceGetCount, 2)(unsigned *count) { *count = GPUS; return 0; }

/* Handles. What the test asks about: which GPUs were touched at all. */
unsigned fakeTouches(unsigned number) { return touches[number]; }
static int give(unsigned number, Device *device) {
  touches[number] += 1;
  *device = (Device)(uintptr_t)(0x1000 + number);
  return 0;
}
int VERSIONED(nvmlDeviceGetHandleByIndex, 2)(unsigned index, Device *device) {
  if (index >= GPUS) return 2;
  return give(SWAP_ORDER && opens % 2 == 0 ? GPUS - 1 - index : index, device);
}
int nvmlDeviceGetHandleByUUID(const char *uuid, Device *device) {
  unsigned number = (unsigned)(uuid[strlen(uuid) - 1] - '0');
  if (MIG && strncmp(uuid, "MIG-fake-", 9) == 0 && number < 7) {
    *device = (Device)(uintptr_t)(0x2000 + (unsigned)(uuid[9] - '0'));
    return 0;
  }
  if (strncmp(uuid, "GPU-fake", 8) != 0 || number >= GPUS) return 6;
  return give(number, device);
}
int nvmlDeviceGetUUID(Device device, char *text, unsigned length) {
  if (length < 16) return 7;
  strcpy(text, "GPU-fake-000X");
  text[12] = (char)('0' + numberOf(device));
  return 0;
}
int nvmlDeviceGetName(Device device, char *text, unsigned length) {
  strncpy(text, MIXED && numberOf(device) % 2 == 1 ? "Fake 3060" : NAME, length);
  return 0;
}

/* Energy and power. */
int nvmlDeviceGetTotalEnergyConsumption(Device device, u64 *energy) {
  uint64_t ms, sinceMs = nowMs() - startedMs;
  if (ENERGY_RESULT) return ENERGY_RESULT;
  if (MUTE_GPU == (int)numberOf(device)) return 3;
  pauseMs(READ_MS);
  if (lost(device)) return LOST_CODE;
  ms = (nowMs() + PHASE_MS) / TICK_MS * TICK_MS - PHASE_MS;
  *energy = integralUj(device, ms) / 1000;
  if (RESET_AFTER_MS > 0 && sinceMs > RESET_AFTER_MS) *energy -= integralUj(device, startedMs) / 1000;
  if (ABSURD) *energy = ms * 3700000ull;
  return 0;
}
int nvmlDeviceGetPowerUsage(Device device, unsigned *power) {
  if (lost(device)) return LOST_CODE;
  if (MUTE_GPU == (int)numberOf(device)) return 3;
  *power = ABSURD ? 3700000000u : (unsigned)powerAt(device, nowMs());
  return USAGE_RESULT;
}

#if !BARE
int nvmlSystemGetNVMLVersion(char *text, unsigned length) { strncpy(text, "13.580.fake", length); return 0; }
int VERSIONED(nvmlSystemGetCudaDriverVersion, 2)(int *version) { *version = 12080; return 0; }

int VERSIONED(nvmlDeviceGetHandleByPciBusId, 2)(const char *id, Device *device) {
  unsigned number = (unsigned)(id[strlen(id) - 6] - '0');
  return number < GPUS ? give(number, device) : 6;
}
/* The first version of the struct has only the short address, at its beginning. */
int VERSIONED(nvmlDeviceGetPciInfo, 3)(Device device, char *info) {
  memset(info, 0, OLD_SYMBOLS ? 36 : 68);
  strcpy(info, "0000:0X:00.0");
  info[6] = (char)('0' + numberOf(device));
  if (OLD_SYMBOLS) return 0;
  strcpy(info + 36, "00000000:0X:00.0");
  info[46] = (char)('0' + numberOf(device));
  return 0;
}
int nvmlDeviceGetDeviceHandleFromMigDeviceHandle(Device slice, Device *device) {
  return give((unsigned)((uintptr_t)slice - 0x2000), device);
}

struct Sample { uint64_t us; union { uint32_t narrow; uint64_t wide; } value; };
static void swapSamples(struct Sample *a, struct Sample *b) { struct Sample c = *a; *a = *b; *b = c; }
int nvmlDeviceGetSamples(Device device, int type, u64 seenUs, int *valueType, unsigned *count, struct Sample *list) {
  uint64_t behindMs = clockMs(CLOCK_REALTIME) - nowMs(), lastMs = nowMs() / 20 * 20, i;
  unsigned given = 0;
  if (SAMPLES == 0) return 3;
  if (lost(device)) return LOST_CODE;
  if (type != 0) return 2;
  *valueType = 1;
  if (list == 0) { *count = SAMPLES + 1; return 0; }
  if (nowMs() - startedMs < SAMPLES_FROM_MS) return 6;
  for (i = 0; i < SAMPLES && given < *count; i += 1) {
    uint64_t ms = lastMs - 20 * (SAMPLES - 1 - i), us = 1000 * (ms + behindMs - 1000ll * SAMPLES_LATE_S);
    if (us <= seenUs) continue;
    list[given].us = us;
    list[given].value.narrow = ABSURD ? 3700000000u : (uint32_t)((integralUj(device, ms) - integralUj(device, ms - 20)) / 20);
    given += 1;
  }
  if (SAMPLES_UNTIDY && given > 6 && given + 2 <= *count) {
    swapSamples(list + 1, list + 4);
    list[given] = list[given - 1];
    list[given + 1].us = 0;
    list[given + 1].value.narrow = 0;
    given += 2;
  }
  *count = given;
  return given == 0 ? 6 : 0;
}

struct Field { uint32_t id, scope; int64_t us, latencyUs; int32_t type, result; uint64_t value; };
static void setField(struct Field *field, int type, uint64_t value) { field->type = type; field->result = 0; field->value = value; }
static void readField(Device device, struct Field *field) {
  uint64_t id = field->id, fields = THROTTLE_FIELDS;
  field->result = 3;
  if (id == 186 && field->scope == 0) { setField(field, 1, ABSURD ? 3700000000u : powerAt(device, nowMs())); field->result = FIELD_RESULT; }
  if (id == 186 && field->scope == 1 && MODULE_MW) setField(field, 1, MODULE_MW);
  if (fields == 0) return;
  if (id == 74) setField(field, 3, 5000000000ull + 1000000 * (nowMs() - startedMs));
  if (id == 75) setField(field, 3, 2500000000ull);
  if (id == fields + 1) setField(field, 3, 1500000000ull);
  if (id == fields + 2) setField(field, 3, 0);
  /* The other version keeps power smoothing there, 32 bits wide. */
  if (fields == 269 && (id == 252 || id == 253)) setField(field, 1, 7);
  if (fields == 251 && (id == 270 || id == 271)) setField(field, 1, 7);
}
int nvmlDeviceGetFieldValues(Device device, int count, struct Field *fields) {
  int i;
  if (lost(device)) return LOST_CODE;
  for (i = 0; i < count; i += 1) readField(device, fields + i);
  return 0;
}
int nvmlDeviceGetViolationStatus(Device device, int policy, u64 *status) {
  (void)device;
  if (!VIOLATIONS || policy > 1) return 3;
  status[0] = 1000000;
  status[1] = policy == 0 ? 3000000000ull : 1000000000ull;
  return 0;
}

/* Facts. */
int nvmlDeviceGetPowerManagementLimit(Device device, unsigned *limit) { (void)device; *limit = 700000; return LIMIT_RESULT; }
int nvmlDeviceGetEnforcedPowerLimit(Device device, unsigned *limit) { (void)device; *limit = 700000; return LIMIT_RESULT; }
int nvmlDeviceGetPowerManagementDefaultLimit(Device device, unsigned *limit) { (void)device; *limit = 700000; return LIMIT_RESULT; }
int nvmlDeviceGetPowerManagementLimitConstraints(Device device, unsigned *min, unsigned *max) {
  (void)device; *min = 200000; *max = 700000;
  return LIMIT_RESULT;
}
int nvmlDeviceGetTemperature(Device device, int sensor, unsigned *celsius) { (void)device; (void)sensor; *celsius = 41; return 0; }
int nvmlDeviceGetClockInfo(Device device, int type, unsigned *mhz) { (void)device; *mhz = type == 1 ? 1980 : 3201; return 0; }
/* Only the older name of this one is there, as on older drivers. */
int nvmlDeviceGetCurrentClocksThrottleReasons(Device device, u64 *mask) { (void)device; *mask = 0x4 | 0x20; return 0; }
int nvmlDeviceGetMemoryInfo_v2(Device device, u64 *memory) {
  (void)device;
  if (MEMORY_V2_RESULT) return MEMORY_V2_RESULT;
  if ((uint32_t)memory[0] != 0x02000028) return 25;
  memory[1] = 150754820096ull; memory[2] = 644939776ull; memory[3] = 150109880320ull; memory[4] = 0;
  return 0;
}
int nvmlDeviceGetMemoryInfo(Device device, u64 *memory) {
  (void)device;
  memory[0] = 150754820096ull; memory[1] = 150109880320ull; memory[2] = 644939776ull;
  return MEMORY_RESULT;
}
int nvmlDeviceGetMigMode(Device device, unsigned *current, unsigned *pending) {
  *current = MIG && numberOf(device) == GPUS - 1;
  *pending = *current;
  return 0;
}
int nvmlDeviceGetPersistenceMode(Device device, int *mode) { (void)device; *mode = PERSISTENCE; return 0; }
int nvmlDeviceGetArchitecture(Device device, unsigned *number) { (void)device; *number = ARCHITECTURE; return 0; }
int nvmlDeviceGetCudaComputeCapability(Device device, int *major, int *minor) { (void)device; *major = CAPABILITY / 10; *minor = CAPABILITY % 10; return 0; }
int nvmlDeviceGetVirtualizationMode(Device device, int *mode) { (void)device; *mode = VIRTUALIZATION; return 0; }

/* Ten processes: more than the first buffer of a careful caller holds. GPU n runs 4200 + 100 n and up, and draws for one more. */
static int listProcesses(unsigned first, unsigned total, unsigned *count, unsigned char *list) {
  unsigned room = *count, bytes = OLD_SYMBOLS ? 16 : PROCESS_BYTES, i;
  *count = total;
  if (room < total) return 7;
  memset(list, 0, bytes * total);
  for (i = 0; i < total; i += 1) { uint32_t pid = PROCESS_GARBAGE ? 0 : first + i; memcpy(list + bytes * i, &pid, 4); }
  return 0;
}
int VERSIONED(nvmlDeviceGetComputeRunningProcesses, 3)(Device device, unsigned *count, unsigned char *list) {
  return listProcesses(4200 + 100 * numberOf(device), 10, count, list);
}
int VERSIONED(nvmlDeviceGetGraphicsRunningProcesses, 3)(Device device, unsigned *count, unsigned char *list) {
  return listProcesses(4290 + 100 * numberOf(device), 1, count, list);
}
#endif
