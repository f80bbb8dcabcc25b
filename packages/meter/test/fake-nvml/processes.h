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
