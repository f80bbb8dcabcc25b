// A subset of libSystem for tests: a clock that the test sets, and sysctl.
#include <stdint.h>
#include <string.h>

uint32_t mach_task_self_ = 0x103;

static uint64_t ticks;
static char brand[64] = "Apple M3 Max";

void fake_system_time(double seconds) { ticks = (uint64_t)(seconds * 24e6 + 0.5); }
void fake_system_brand(const char *name) { strncpy(brand, name, sizeof brand - 1); }

uint64_t mach_absolute_time(void) { return ticks; }

int mach_timebase_info(uint32_t *info) {
  info[0] = 125;
  info[1] = 3;
  return 0;
}

static int answer(const void *value, size_t length, void *into, size_t *size) {
  if (*size < length) return -1;
  memcpy(into, value, length);
  *size = length;
  return 0;
}

static int text(const char *value, void *into, size_t *size) {
  return answer(value, strlen(value) + 1, into, size);
}

static int integer(int32_t value, void *into, size_t *size) {
  return answer(&value, sizeof value, into, size);
}

int sysctlbyname(const char *name, void *into, size_t *size, void *from, size_t length) {
  uint64_t memory = 68719476736ull;
  if (from || length) return -1;
  if (!strcmp(name, "machdep.cpu.brand_string") && *brand) return text(brand, into, size);
  if (!strcmp(name, "hw.model")) return text("Mac15,9", into, size);
  if (!strcmp(name, "hw.memsize")) return answer(&memory, sizeof memory, into, size);
  if (!strcmp(name, "hw.nperflevels")) return integer(2, into, size);
  if (!strcmp(name, "hw.perflevel0.physicalcpu")) return integer(12, into, size);
  if (!strcmp(name, "hw.perflevel0.name")) return text("Performance", into, size);
  if (!strcmp(name, "hw.perflevel1.physicalcpu")) return integer(4, into, size);
  if (!strcmp(name, "hw.perflevel1.name")) return text("Efficiency", into, size);
  return -1;
}
