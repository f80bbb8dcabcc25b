/* Other ways to a GPU, and versions. */
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
