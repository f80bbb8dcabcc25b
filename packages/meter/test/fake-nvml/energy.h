/* Energy and power. */
int nvmlDeviceGetTotalEnergyConsumption(Device device, u64 *energy) {
  uint64_t ms, sinceMs = nowMs() - startedMs;
  if (ENERGY_RESULT) return ENERGY_RESULT;
  if (MUTE_GPU == (int)numberOf(device)) return 3;
  pauseMs(READ_MS);
  if (lost(device)) return LOST_CODE;
  ms = nowMs();
  if (FROZEN_AFTER_MS > 0 && sinceMs > FROZEN_AFTER_MS) ms = startedMs + FROZEN_AFTER_MS;
  ms = (ms + PHASE_MS) / TICK_MS * TICK_MS - PHASE_MS;
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
