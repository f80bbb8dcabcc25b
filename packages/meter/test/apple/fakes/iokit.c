// The part of IOKit that reads the SMC, for tests. Counts the objects that are still held.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ITERATOR 0x100
#define FIRST_ENTRY 0x201
#define ENDPOINT 0x203
#define CONNECTION 0x300
#define NOT_FOUND 132

static int held, infos, reads, misuses, endpoint_name = 1, open_code, has_service = 1;
static uint32_t next_entry;
static char key_type[5] = "flt ";
static float power_w = 40;
static int has_key = 1, call_code, result_code;

int fake_smc_held(void) { return held; }
int fake_smc_infos(void) { return infos; }
int fake_smc_reads(void) { return reads; }
int fake_smc_misuses(void) { return misuses; }
void fake_smc_power(double watts) { power_w = (float)watts; }
void fake_smc_type(const char *type) { strncpy(key_type, type, 4); }
void fake_smc_key(int exists) { has_key = exists; }
void fake_smc_endpoint(int exists) { endpoint_name = exists; }
void fake_smc_service(int exists) { has_service = exists; }
void fake_smc_open(int code) { open_code = code; }
void fake_smc_codes(int call, int result) {
  call_code = call;
  result_code = result;
}

void *IOServiceMatching(const char *name) {
  if (strcmp(name, "AppleSMC")) return NULL;
  held++;
  return malloc(8);
}

int IOServiceGetMatchingServices(uint32_t port, void *matching, uint32_t *iterator) {
  free(matching);
  held--;
  if (!has_service) return (int)0xe00002c0;
  *iterator = ITERATOR;
  next_entry = FIRST_ENTRY;
  held++;
  return 0;
}

uint32_t IOIteratorNext(uint32_t iterator) {
  if (iterator != ITERATOR) misuses++;
  if (next_entry > ENDPOINT) return 0;
  held++;
  return next_entry++;
}

int IORegistryEntryGetName(uint32_t entry, char name[128]) {
  if (entry == FIRST_ENTRY) return (int)0xe00002bc;
  strcpy(name, entry == ENDPOINT && endpoint_name ? "AppleSMCKeysEndpoint" : "AppleSMCSensorDispatcher");
  return 0;
}

int IOObjectRelease(uint32_t object) {
  held--;
  return 0;
}

int IOServiceOpen(uint32_t entry, uint32_t task, uint32_t type, uint32_t *connection) {
  if (entry != ENDPOINT || task != 0x103 || type != 0) misuses++;
  if (open_code) return open_code;
  held++;
  *connection = CONNECTION;
  return 0;
}

int IOServiceClose(uint32_t connection) {
  held--;
  return 0;
}

static void info(uint8_t *out, const char *type, uint32_t size) {
  uint32_t code = (uint32_t)type[0] << 24 | type[1] << 16 | type[2] << 8 | type[3];
  memcpy(out + 28, &size, 4);
  memcpy(out + 32, &code, 4);
  out[36] = 0x84;
  infos++;
}

static void value(uint8_t *out) {
  reads++;
  if (!strcmp(key_type, "flt ")) memcpy(out + 48, &power_w, 4);
  else out[48] = (int)power_w >> 8, out[49] = (int)power_w & 255;
}

int IOConnectCallStructMethod(uint32_t connection, uint32_t selector, const uint8_t *in, size_t size,
                              uint8_t *out, size_t *out_size) {
  uint32_t key, in_size;
  memcpy(&key, in, 4);
  memcpy(&in_size, in + 28, 4);
  if (connection != CONNECTION || selector != 2 || size != 80 || *out_size != 80) return (int)0xe00002c2;
  if (call_code) return call_code;
  memset(out, 0, 80);
  out[40] = result_code;
  if (result_code) return 0;
  uint32_t length = strcmp(key_type, "ui16") ? 4 : 2;
  if (key != 0x50535452 || !has_key) out[40] = NOT_FOUND;
  else if (in[42] == 9) info(out, key_type, length);
  else if (in[42] == 5 && in_size == length && in[36] == 0x84) value(out);
  else misuses++;
  return 0;
}
