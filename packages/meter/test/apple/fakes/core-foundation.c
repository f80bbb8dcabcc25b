// A subset of CoreFoundation for tests: reference counts, and counters of living objects and of misuse.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { STRING = 1, DATA, ARRAY, DICTIONARY, OTHER };
#define MAGIC 0x43464f424a454354ull

typedef struct Object {
  uint64_t magic;
  int type;
  int64_t references;
  int64_t count;
  char *bytes;            // STRING, DATA
  struct Object **items;  // ARRAY: items; DICTIONARY: keys and values in turn
} Object;

static int64_t live, misuses;
static int fail_strings;

int64_t fake_cf_live(void) { return live; }
int64_t fake_cf_misuses(void) { return misuses; }
void fake_cf_fail_strings(int fail) { fail_strings = fail; }

static int is_bad(Object *object, int type) {
  if (object && object->magic == MAGIC && (!type || object->type == type)) return 0;
  misuses++;
  return 1;
}

static Object *make(int type, int64_t count) {
  Object *object = calloc(1, sizeof *object);
  object->magic = MAGIC;
  object->type = type;
  object->references = 1;
  object->count = count;
  live++;
  return object;
}

void *CFRetain(Object *object) {
  if (object && !is_bad(object, 0)) object->references++;
  return object;
}

static int64_t slots(Object *object) { return object->count * (object->type == DICTIONARY ? 2 : 1); }

void CFRelease(Object *object) {
  if (is_bad(object, 0) || --object->references > 0) return;
  for (int64_t i = 0; object->items && i < slots(object); i++)
    if (object->items[i]) CFRelease(object->items[i]);
  free(object->items);
  free(object->bytes);
  object->magic = 0;  // not freed, so that a later use is seen and counted
  live--;
}

void *fake_cf_other(void) { return make(OTHER, 0); }

void *CFStringCreateWithCString(void *allocator, const char *text, uint32_t encoding) {
  if (fail_strings || encoding != 0x08000100) return NULL;
  Object *object = make(STRING, (int64_t)strlen(text));
  object->bytes = strdup(text);
  return object;
}

uint8_t CFStringGetCString(Object *string, char *into, int64_t size, uint32_t encoding) {
  if (is_bad(string, STRING) || string->count >= size || encoding != 0x08000100) return 0;
  strcpy(into, string->bytes);
  return 1;
}

void *CFDataCreate(void *allocator, const uint8_t *bytes, int64_t length) {
  Object *object = make(DATA, length);
  object->bytes = malloc(length ? length : 1);
  memcpy(object->bytes, bytes, length);
  return object;
}

int64_t CFDataGetLength(Object *data) { return is_bad(data, DATA) ? 0 : data->count; }
void *CFDataGetBytePtr(Object *data) { return is_bad(data, DATA) ? NULL : data->bytes; }

// NULL items are kept: a real array may hand them out too.
void *fake_cf_array(Object **items, int64_t count) {
  Object *object = make(ARRAY, count);
  object->items = calloc(count + 1, sizeof(Object *));
  for (int64_t i = 0; i < count; i++) object->items[i] = CFRetain(items[i]);
  return object;
}

int64_t CFArrayGetCount(Object *array) { return is_bad(array, ARRAY) ? 0 : array->count; }

void *CFArrayGetValueAtIndex(Object *array, int64_t index) {
  if (is_bad(array, ARRAY)) return NULL;
  if (index >= 0 && index < array->count) return array->items[index];
  misuses++;
  return NULL;
}

void *fake_cf_dictionary(void) {
  Object *object = make(DICTIONARY, 0);
  object->items = calloc(16, sizeof(Object *));
  return object;
}

// At most eight keys; a NULL value is left out.
void fake_cf_set(Object *dictionary, const char *key, Object *value) {
  if (!value) return;
  Object **slot = dictionary->items + 2 * dictionary->count++;
  slot[0] = make(STRING, (int64_t)strlen(key));
  slot[0]->bytes = strdup(key);
  slot[1] = CFRetain(value);
}

void *fake_cf_get(Object *dictionary, const char *key) {
  if (is_bad(dictionary, DICTIONARY)) return NULL;
  for (int64_t i = 0; i < dictionary->count; i++)
    if (!strcmp(dictionary->items[2 * i]->bytes, key)) return dictionary->items[2 * i + 1];
  return NULL;
}

void *CFDictionaryGetValue(Object *dictionary, Object *key) {
  return is_bad(key, STRING) ? NULL : fake_cf_get(dictionary, key->bytes);
}

void *CFDictionaryCreateMutableCopy(void *allocator, int64_t capacity, Object *from) {
  if (is_bad(from, DICTIONARY)) return NULL;
  Object *copy = fake_cf_dictionary();
  for (int64_t i = 0; i < from->count; i++)
    fake_cf_set(copy, from->items[2 * i]->bytes, from->items[2 * i + 1]);
  return copy;
}
