/* The driver's own buffer of power samples. */
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
