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
int nvmlDeviceGetEccMode(Device device, unsigned *current, unsigned *pending) {
  (void)device;
  *current = ECC;
  *pending = ECC;
  return ECC_RESULT;
}
int nvmlDeviceGetArchitecture(Device device, unsigned *number) { (void)device; *number = ARCHITECTURE; return 0; }
int nvmlDeviceGetCudaComputeCapability(Device device, int *major, int *minor) { (void)device; *major = CAPABILITY / 10; *minor = CAPABILITY % 10; return 0; }
int nvmlDeviceGetVirtualizationMode(Device device, int *mode) { (void)device; *mode = VIRTUALIZATION; return 0; }
