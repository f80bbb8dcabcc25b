/* Clocks, GPUs, and the power that they draw. */
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
