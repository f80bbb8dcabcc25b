// A stand-in for AMD SMI with the interface of the version in ABI. Written for these tests.
#include <stdint.h>
#include <string.h>

#ifndef ABI
#define ABI 26
#endif

#if ABI == 24
struct power_info { uint32_t current, average, gfx, soc, mem, limit, rest[11]; };
struct version { uint32_t year, major, minor, release; const char *build; };
#elif ABI == 25
struct power_info { uint64_t socket; uint32_t current, average, gfx, soc, mem, limit, rest[2]; };
struct version { uint32_t major, minor, release; const char *build; };
#else
struct power_info { uint64_t socket; uint32_t current, average; uint64_t gfx, soc, mem; uint32_t limit; uint64_t rest[18]; };
struct version { uint32_t major, minor, release; const char *build; };
#endif

static int inits = 0;
static int init_status = 0;
static int energy_status = 0;
static uint64_t energy = 1000000;
static uint32_t current = 0xffff, average = 0xffff;
static int sockets[2], gpus[2];

void fake_set_init(int status) { init_status = status; }
void fake_set_energy(uint64_t value, int status) { energy = value; energy_status = status; }
void fake_set_power(uint32_t now, uint32_t mean) { current = now; average = mean; }
int fake_inits(void) { return inits; }
int fake_power_bytes(void) { return (int)sizeof(struct power_info); }

int amdsmi_init(uint64_t flags) {
  if (flags != 2) return 1;
  if (init_status == 0) inits++;
  return init_status;
}
int amdsmi_shut_down(void) { inits--; return 0; }

int amdsmi_get_lib_version(struct version *version) {
#if ABI == 24
  version->year = 24;
  version->major = 6;
#else
  version->major = ABI;
#endif
  return 0;
}

int amdsmi_get_socket_handles(uint32_t *count, void **handles) {
  if (handles != 0) { handles[0] = &sockets[0]; handles[1] = &sockets[1]; }
  *count = 2;
  return 0;
}

int amdsmi_get_processor_handles(void *socket, uint32_t *count, void **handles) {
  if (handles != 0) handles[0] = socket == &sockets[0] ? &gpus[0] : &gpus[1];
  *count = 1;
  return 0;
}

// 0000:03:00.0 and 0000:83:00.0
int amdsmi_get_gpu_device_bdf(void *gpu, uint64_t *bdf) {
  *bdf = (gpu == &gpus[0] ? 0x03ull : 0x83ull) << 8;
  return 0;
}

int amdsmi_get_gpu_device_uuid(void *gpu, uint32_t *length, char *uuid) {
  const char *text = gpu == &gpus[0] ? "48ff744c-0000-1000-8000-000000000003" : "99ff744c-0000-1000-8000-000000000083";
  if (*length < 38) return 41;
  strcpy(uuid, text);
  return 0;
}

#ifndef WITHOUT_ENERGY
int amdsmi_get_energy_count(void *gpu, uint64_t *count, float *step, uint64_t *time) {
  if (energy_status != 0) return energy_status;
  *count = gpu == &gpus[0] ? energy : 7;
  *step = 15.3f;
  *time = 5;
  return 0;
}
#endif

int amdsmi_get_power_info(void *gpu, struct power_info *info) {
  (void)gpu;
  memset(info, 0xff, sizeof *info);
  info->current = current;
  info->average = average;
  return 0;
}
