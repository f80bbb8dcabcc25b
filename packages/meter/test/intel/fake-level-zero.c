// A stand-in for Level Zero Sysman. Written for these tests.
#include <stdint.h>
#include <string.h>

struct pci { int stype; void *next; uint32_t domain, bus, device, function; int32_t gen, width; int64_t bandwidth; uint8_t has[3]; };
struct limit { int stype; const void *next; int level, source, unit; uint8_t locked, enabled, interval_locked; int32_t interval; uint8_t limit_locked; int32_t limit; };
struct ext { int stype; void *next; int domain; struct limit *limit; };
struct power { int stype; void *next; uint8_t on_subdevice; uint32_t subdevice; uint8_t can_control, has_threshold; int32_t limit, lowest, highest; };
struct counter { uint64_t energy, time; };

_Static_assert(sizeof(struct power) == 40, "power properties");
_Static_assert(sizeof(struct ext) == 32, "extended properties");
_Static_assert(sizeof(struct limit) == 48, "limit");

static int inits = 0;
static uint32_t init_result = 0, energy_result = 0;
static int failing_domain = -1;
static int count_of_domains = 3;
static int has_ext = 1;
static uint64_t energy = 5000000;
static int driver, device, domains[4];
// card, package, memory and a tile of the package
static const int scopes[4] = {1, 2, 4, 2};

void fake_set_init(uint32_t result) { init_result = result; }
void fake_set_domains(int count, int with_ext) { count_of_domains = count; has_ext = with_ext; }
void fake_set_energy(uint64_t value) { energy = value; }
void fake_fail_energy(uint32_t result, int domain) { energy_result = result; failing_domain = domain; }
int fake_inits(void) { return inits; }

uint32_t zesInit(uint32_t flags) {
  if (flags != 0) return 0x78000004;
  if (init_result == 0) inits++;
  return init_result;
}

uint32_t zesDriverGet(uint32_t *count, void **handles) {
  if (handles != 0) handles[0] = &driver;
  *count = 1;
  return 0;
}

uint32_t zesDeviceGet(void *from, uint32_t *count, void **handles) {
  if (from != &driver) return 0x78000005;
  if (handles != 0) handles[0] = &device;
  *count = 1;
  return 0;
}

uint32_t zesDevicePciGetProperties(void *of, struct pci *pci) {
  if (of != &device) return 0x78000005;
  if (pci->stype != 2) return 0x78000004;
  pci->domain = 0;
  pci->bus = 3;
  pci->device = 0;
  pci->function = 0;
  return 0;
}

uint32_t zesDeviceEnumPowerDomains(void *of, uint32_t *count, void **handles) {
  if (of != &device) return 0x78000005;
  for (int i = 0; handles != 0 && i < count_of_domains; i++) handles[i] = &domains[i];
  *count = (uint32_t)count_of_domains;
  return 0;
}

uint32_t zesPowerGetProperties(void *domain, struct power *power) {
  int index = (int)((int *)domain - domains);
  if (power->stype != 0xd) return 0x78000004;
  power->on_subdevice = index == 3;
  struct ext *ext = power->next;
  if (!has_ext || ext == 0) return 0;
  if (ext->stype != 0x28) return 0x78000004;
  ext->domain = scopes[index];
  memset(ext->limit, 0x11, sizeof *ext->limit);
  return 0;
}

uint32_t zesPowerGetEnergyCounter(void *domain, struct counter *counter) {
  int index = (int)((int *)domain - domains);
  if (energy_result != 0 && (failing_domain < 0 || failing_domain == index)) return energy_result;
  counter->energy = energy + (uint64_t)index;
  counter->time = 77;
  return 0;
}
