/* Fields, and the older call for throttle times. */
struct Field { uint32_t id, scope; int64_t us, latencyUs; int32_t type, result; uint64_t value; };
static void setField(struct Field *field, int type, uint64_t value) { field->type = type; field->result = 0; field->value = value; }
static void readField(Device device, struct Field *field) {
  uint64_t id = field->id, fields = THROTTLE_FIELDS;
  field->result = 3;
  if (id == 186 && field->scope == 0) { setField(field, 1, ABSURD ? 3700000000u : powerAt(device, nowMs())); field->result = FIELD_RESULT; }
  if (id == 186 && field->scope == 1 && MODULE_MW) setField(field, 1, MODULE_MW);
  if (id == 82) setField(field, 1, MEMORY_CELSIUS);
  if (fields == 0) return;
  if (id == 74) setField(field, 3, 5000000000ull + 1000000 * (nowMs() - startedMs));
  if (id == 75) setField(field, 3, 2500000000ull);
  if (id == fields + 1) setField(field, 3, 1500000000ull);
  if (id == fields + 2) setField(field, 3, 0);
  /* The other version keeps power smoothing there, 32 bits wide. */
  if (fields == 269 && (id == 252 || id == 253)) setField(field, 1, 7);
  if (fields == 251 && (id == 270 || id == 271)) setField(field, 1, 7);
}
int nvmlDeviceGetFieldValues(Device device, int count, struct Field *fields) {
  int i;
  if (lost(device)) return LOST_CODE;
  for (i = 0; i < count; i += 1) readField(device, fields + i);
  return 0;
}
int nvmlDeviceGetViolationStatus(Device device, int policy, u64 *status) {
  (void)device;
  if (!VIOLATIONS || policy > 1) return 3;
  status[0] = 1000000;
  status[1] = policy == 0 ? 3000000000ull : 1000000000ull;
  return 0;
}
