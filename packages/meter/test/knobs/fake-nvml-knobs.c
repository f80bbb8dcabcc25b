/* A library with the ABI of NVML for two GPUs whose state lives in the folder FAKE_NVML_KNOBS, so that several
 * processes see the same cards: gpu0 and gpu1 hold "limitMw lockMinMhz lockMaxMhz sets resets".
 * The file "faults" there has lines "name number": the name of a function gives its return code from then on;
 * "readback" is added to the limit that is read after the first set (mW); "extraCap" is one more limit (mW);
 * "lazy" is added to the limit that is enforced (mW);
 * "deaf" makes clock locks do nothing. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void *Device;
typedef struct { unsigned limit, lockMin, lockMax, sets, resets; } Card;

static unsigned numberOf(Device device) { return (unsigned)((uintptr_t)device - 0x1000); }
static void pathOf(char *path, const char *name) {
  const char *folder = getenv("FAKE_NVML_KNOBS");
  snprintf(path, 512, "%s/%s", folder ? folder : "/nonexistent", name);
}
static int fault(const char *wanted) {
  char path[512], name[128];
  int number, found = 0;
  FILE *file;
  pathOf(path, "faults");
  file = fopen(path, "r");
  if (!file) return 0;
  while (fscanf(file, "%127s %d", name, &number) == 2) if (!strcmp(name, wanted)) found = number;
  fclose(file);
  return found;
}
static void cardPath(char *path, Device device) {
  char name[16];
  snprintf(name, sizeof name, "gpu%u", numberOf(device));
  pathOf(path, name);
}
static Card readCard(Device device) {
  Card card = {700000, 0, 0, 0, 0};
  char path[512];
  FILE *file;
  cardPath(path, device);
  file = fopen(path, "r");
  if (!file) return card;
  if (fscanf(file, "%u %u %u %u %u", &card.limit, &card.lockMin, &card.lockMax, &card.sets, &card.resets) != 5) abort();
  fclose(file);
  return card;
}
/* Beside and renamed: a reader never sees half a card. */
static void writeCard(Device device, Card card) {
  char path[512], draft[560];
  FILE *file;
  cardPath(path, device);
  snprintf(draft, sizeof draft, "%s.%d", path, (int)getpid());
  file = fopen(draft, "w");
  if (!file) abort();
  fprintf(file, "%u %u %u %u %u\n", card.limit, card.lockMin, card.lockMax, card.sets, card.resets);
  fclose(file);
  rename(draft, path);
}

int nvmlInit_v2(void) { return fault("nvmlInit_v2"); }
int nvmlShutdown(void) { return 0; }
int nvmlDeviceGetHandleByUUID(const char *uuid, Device *device) {
  unsigned number = (unsigned)(uuid[strlen(uuid) - 1] - '0');
  if (strncmp(uuid, "GPU-fake-000", 12) != 0 || number > 1) return 6;
  *device = (Device)(uintptr_t)(0x1000 + number);
  return 0;
}
int nvmlDeviceGetPowerManagementLimit(Device device, unsigned *limit) {
  Card card = readCard(device);
  *limit = card.limit + (card.sets > 0 ? fault("readback") : 0);
  return fault("nvmlDeviceGetPowerManagementLimit");
}
int nvmlDeviceGetEnforcedPowerLimit(Device device, unsigned *limit) {
  unsigned cap = (unsigned)fault("extraCap"), set = readCard(device).limit + (unsigned)fault("lazy");
  *limit = cap > 0 && cap < set ? cap : set;
  return fault("nvmlDeviceGetEnforcedPowerLimit");
}
int nvmlDeviceGetPowerManagementDefaultLimit(Device device, unsigned *limit) {
  (void)device;
  *limit = 650000;
  return fault("nvmlDeviceGetPowerManagementDefaultLimit");
}
int nvmlDeviceGetPowerManagementLimitConstraints(Device device, unsigned *min, unsigned *max) {
  (void)device;
  *min = 200000;
  *max = 700000;
  return fault("nvmlDeviceGetPowerManagementLimitConstraints");
}
int nvmlDeviceGetMinMaxClockOfPState(Device device, int type, int state, unsigned *min, unsigned *max) {
  (void)device;
  if (type != 0 || state != 0) return 2;
  *min = 345;
  *max = 1980;
  return fault("nvmlDeviceGetMinMaxClockOfPState");
}
int nvmlDeviceGetMaxClockInfo(Device device, int type, unsigned *mhz) {
  (void)device;
  *mhz = type == 0 ? 1980 : 3201;
  return fault("nvmlDeviceGetMaxClockInfo");
}
int nvmlDeviceGetClockInfo(Device device, int type, unsigned *mhz) {
  Card card = readCard(device);
  *mhz = type != 0 ? 3201 : card.lockMax > 0 && !fault("deaf") ? card.lockMax : 1980;
  return fault("nvmlDeviceGetClockInfo");
}
int nvmlDeviceSetPowerManagementLimit(Device device, unsigned limit) {
  Card card = readCard(device);
  int code = fault("nvmlDeviceSetPowerManagementLimit");
  if (code) return code;
  if (limit < 200000 || limit > 700000) return 2;
  card.limit = limit;
  card.sets += 1;
  writeCard(device, card);
  return 0;
}
int nvmlDeviceSetGpuLockedClocks(Device device, unsigned min, unsigned max) {
  Card card = readCard(device);
  int code = fault("nvmlDeviceSetGpuLockedClocks");
  if (code) return code;
  if (min > max) return 2;
  card.lockMin = min;
  card.lockMax = max;
  card.sets += 1;
  writeCard(device, card);
  return 0;
}
int nvmlDeviceResetGpuLockedClocks(Device device) {
  Card card = readCard(device);
  int code = fault("nvmlDeviceResetGpuLockedClocks");
  if (code) return code;
  card.lockMin = 0;
  card.lockMax = 0;
  card.resets += 1;
  writeCard(device, card);
  return 0;
}
