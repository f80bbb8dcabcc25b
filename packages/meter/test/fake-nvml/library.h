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
