// IOReport for tests: plays channels that the test describes, on the clock that the test sets.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

extern uint64_t mach_absolute_time(void);
extern void *CFRetain(void *);
extern void CFRelease(void *);
extern void *CFStringCreateWithCString(void *, const char *, uint32_t);
extern uint8_t CFStringGetCString(void *, char *, int64_t, uint32_t);
extern void *CFDataCreate(void *, const uint8_t *, int64_t);
extern void *CFDataGetBytePtr(void *);
extern void *fake_cf_array(void **, int64_t);
extern void *fake_cf_dictionary(void);
extern void *fake_cf_get(void *, const char *);
extern void fake_cf_set(void *, const char *, void *);
extern void *fake_cf_other(void);
extern void *CFDictionaryCreateMutableCopy(void *, int64_t, void *);

#define MAX_CHANNELS 512
#define TICKS_PER_S 24e6

typedef struct {
  char name[64], unit[16];
  int has_name, has_unit, has_raw, has_stamp, has_value, is_hidden;
  uint64_t id;
  double units_per_j, start_units, watts, period_s, phase_s, freeze_s;
} Channel;

// What the group does, by number: the test file names them.
enum { GROUP_WORKS, GROUP_MISSING, GROUP_REFUSES, GROUP_NO_SAMPLE, GROUP_NO_LIST, GROUP_NO_OUT, GROUP_HOLES };

static Channel channels[MAX_CHANNELS];
static int count, group_mode;
static char asked[256];
static double stamp_offset_s;

void fake_report_reset(int mode) {
  memset(channels, 0, sizeof channels);
  count = 0;
  group_mode = mode;
  asked[0] = 0;
  stamp_offset_s = 0;
}

void fake_report_mode(int mode) { group_mode = mode; }
void fake_report_stamp_offset(double seconds) { stamp_offset_s = seconds; }
const char *fake_report_asked(void) { return asked; }

int fake_channel(const char *name, const char *unit, double units_per_j, double watts) {
  Channel *channel = channels + count;
  channel->has_name = name != NULL;
  channel->has_unit = unit != NULL;
  if (name) strncpy(channel->name, name, sizeof channel->name - 1);
  if (unit) strncpy(channel->unit, unit, sizeof channel->unit - 1);
  channel->has_raw = channel->has_stamp = channel->has_value = 1;
  channel->id = 0x1000 + count;
  channel->units_per_j = units_per_j;
  channel->watts = watts;
  channel->freeze_s = INFINITY;
  return count++;
}

void fake_channel_batch(int i, double period_s, double phase_s) {
  channels[i].period_s = period_s;
  channels[i].phase_s = phase_s;
}

void fake_channel_start(int i, double units) { channels[i].start_units = units; }
void fake_channel_freeze(int i, double at_s) { channels[i].freeze_s = at_s; }
void fake_channel_id(int i, double id) { channels[i].id = (uint64_t)id; }
void fake_channel_hide(int i, int hidden) { channels[i].is_hidden = hidden; }
void fake_channel_lacks(int i, int raw, int stamp, int value) {
  channels[i].has_raw = !raw;
  channels[i].has_stamp = !stamp;
  channels[i].has_value = !value;
}

static double published_at(Channel *channel) {
  double now = mach_absolute_time() / TICKS_PER_S;
  if (now > channel->freeze_s) now = channel->freeze_s;
  if (!channel->period_s) return now;
  double periods = floor((now - channel->phase_s) / channel->period_s + 1e-9);
  return periods * channel->period_s + channel->phase_s;
}

static int64_t value_of(Channel *channel) {
  if (!channel->has_value) return INT64_MIN;
  double joules = channel->watts * published_at(channel);
  return (int64_t)channel->start_units + (int64_t)floor(joules * channel->units_per_j + 1e-6);
}

static void put_text(void *dictionary, const char *key, const char *text) {
  void *string = CFStringCreateWithCString(NULL, text, 0x08000100);
  fake_cf_set(dictionary, key, string);
  if (string) CFRelease(string);
}

static void put_raw(void *dictionary, Channel *channel) {
  uint64_t raw[8] = {7, channel->id, 1, 0, 0, 0, 0, 0};
  if (channel->has_stamp) raw[3] = (uint64_t)((published_at(channel) + stamp_offset_s) * TICKS_PER_S + 0.5);
  raw[4] = (uint64_t)value_of(channel);
  void *data = CFDataCreate(NULL, (uint8_t *)raw, channel->has_raw ? sizeof raw : 16);
  fake_cf_set(dictionary, channel->has_raw == 0 ? "Short" : "RawElements", data);
  CFRelease(data);
}

static void put_value(void *dictionary, Channel *channel) {
  int64_t value = value_of(channel);
  void *data = CFDataCreate(NULL, (uint8_t *)&value, sizeof value);
  fake_cf_set(dictionary, "Value", data);
  CFRelease(data);
}

static void *make_list(int with_values) {
  void *items[MAX_CHANNELS + 1];
  int64_t length = 0;
  for (int i = 0; i < count; i++) {
    if (channels[i].is_hidden) continue;
    void *item = items[length++] = fake_cf_dictionary();
    if (channels[i].has_name) put_text(item, "Name", channels[i].name);
    if (channels[i].has_unit) put_text(item, "Unit", channels[i].unit);
    if (!with_values) continue;
    put_raw(item, channels + i);
    put_value(item, channels + i);
  }
  int64_t made = length;
  if (group_mode == GROUP_HOLES) items[length++] = NULL;
  void *array = fake_cf_array(items, length);
  for (int64_t i = 0; i < made; i++) CFRelease(items[i]);
  void *aggregate = fake_cf_dictionary();
  if (!with_values || group_mode != GROUP_NO_LIST) fake_cf_set(aggregate, "IOReportChannels", array);
  CFRelease(array);
  return aggregate;
}

void *IOReportCopyChannelsInGroup(void *group, void *subgroup, uint64_t a, uint64_t b, uint64_t c) {
  char name[64] = "";
  CFStringGetCString(group, name, sizeof name, 0x08000100);
  strncat(asked, name, sizeof asked - strlen(asked) - 2);
  strcat(asked, ";");
  if (group_mode == GROUP_MISSING || strcmp(name, "Energy Model")) return NULL;
  return make_list(0);
}

void *IOReportCreateSubscription(void *a, void *wanted, void **out, uint64_t id, void *b) {
  if (group_mode == GROUP_REFUSES) return NULL;
  if (group_mode != GROUP_NO_OUT) *out = CFDictionaryCreateMutableCopy(NULL, 0, wanted);
  return fake_cf_other();
}

void *IOReportCreateSamples(void *subscription, void *wanted, void *a) {
  if (!fake_cf_get(wanted, "IOReportChannels") || group_mode == GROUP_NO_SAMPLE) return NULL;
  return make_list(1);
}

void *IOReportChannelGetChannelName(void *channel) { return fake_cf_get(channel, "Name"); }
void *IOReportChannelGetUnitLabel(void *channel) { return fake_cf_get(channel, "Unit"); }

int64_t IOReportSimpleGetIntegerValue(void *channel, void *error) {
  void *data = fake_cf_get(channel, "Value");
  return data ? *(int64_t *)CFDataGetBytePtr(data) : INT64_MIN;
}
