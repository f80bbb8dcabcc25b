/* What a scenario may change; each macro is a -D of the compiler. */
#ifndef GPUS
#define GPUS 1 /* how many */
#endif
#ifndef NAME
#define NAME "Fake H200"
#endif
#ifndef MIXED
#define MIXED 0 /* 1: GPUs with an odd number are of another model */
#endif
#ifndef SWAP_ORDER
#define SWAP_ORDER 0 /* 1: each second open turns the order round */
#endif
#ifndef INIT_RESULT
#define INIT_RESULT 0
#endif

/* Energy and power. */
#ifndef POWER_MW
#define POWER_MW 400000
#endif
#ifndef BURST_ON_MS
#define BURST_ON_MS 0 /* with BURST_OFF_MS: full power for so long, then a quarter of it */
#endif
#ifndef BURST_OFF_MS
#define BURST_OFF_MS 150
#endif
#ifndef TICK_MS
#define TICK_MS 100
#endif
#ifndef PHASE_MS
#define PHASE_MS 37
#endif
#ifndef READ_MS
#define READ_MS 0 /* how long a read of the counter takes */
#endif
#ifndef ENERGY_RESULT
#define ENERGY_RESULT 0 /* 3: before Volta, or a virtual GPU */
#endif
#ifndef USAGE_RESULT
#define USAGE_RESULT 0
#endif
#ifndef MUTE_GPU
#define MUTE_GPU -1 /* this one tells neither energy nor power, as cards for a screen only do */
#endif
#ifndef RESET_AFTER_MS
#define RESET_AFTER_MS 0
#endif
#ifndef FROZEN_AFTER_MS
#define FROZEN_AFTER_MS 0 /* from then on the counter stands, and the power does not; 1: from the first read on */
#endif
#ifndef ABSURD
#define ABSURD 0 /* 1: success and garbage, as the 32-bit library */
#endif
#ifndef SAMPLES
#define SAMPLES 119 /* of the buffer, each the mean of its 20 ms; 0: not supported */
#endif
#ifndef SAMPLES_FROM_MS
#define SAMPLES_FROM_MS 0 /* the buffer is empty until then */
#endif
#ifndef SAMPLES_UNTIDY
#define SAMPLES_UNTIDY 0 /* 1: places not filled, out of order, twice */
#endif
#ifndef SAMPLES_LATE_S
#define SAMPLES_LATE_S 0 /* how far behind the wall clock the buffer is stamped */
#endif
#ifndef FIELD_RESULT
#define FIELD_RESULT 0 /* of the power of the GPU (186, scope 0) */
#endif
#ifndef MODULE_MW
#define MODULE_MW 0 /* 0: no power of the module (186, scope 1) */
#endif

/* Loss. */
#ifndef LOST_AFTER_MS
#define LOST_AFTER_MS 0
#endif
#ifndef LOST_GPU
#define LOST_GPU -1 /* -1: all */
#endif
#ifndef LOST_CODE
#define LOST_CODE 15
#endif
#ifndef LOST_UNTIL_MS
#define LOST_UNTIL_MS 1000000000
#endif

/* Facts. */
#ifndef ARCHITECTURE
#define ARCHITECTURE 9
#endif
#ifndef CAPABILITY
#define CAPABILITY 90
#endif
#ifndef MIG
#define MIG 0 /* 1: the last GPU is split into slices MIG-fake-n-k, k from 0 to 6 */
#endif
#ifndef PERSISTENCE
#define PERSISTENCE 1
#endif
#ifndef VIRTUALIZATION
#define VIRTUALIZATION 0
#endif
#ifndef MEMORY_V2_RESULT
#define MEMORY_V2_RESULT 0
#endif
#ifndef MEMORY_RESULT
#define MEMORY_RESULT 0 /* 3 with MEMORY_V2_RESULT 3: memory shared with the machine */
#endif
#ifndef LIMIT_RESULT
#define LIMIT_RESULT 0 /* 3: laptops */
#endif
#ifndef THROTTLE_FIELDS
#define THROTTLE_FIELDS 269 /* 251 before NVML 13.1; 0: no such fields */
#endif
#ifndef MEMORY_CELSIUS
#define MEMORY_CELSIUS 52 /* 0: no sensor */
#endif
#ifndef ECC
#define ECC 1
#endif
#ifndef ECC_RESULT
#define ECC_RESULT 0 /* 3: cards for games */
#endif
#ifndef VIOLATIONS
#define VIOLATIONS 0 /* 1: the older call works */
#endif

/* Processes, and which symbols there are. */
#ifndef PROCESS_BYTES
#define PROCESS_BYTES 24 /* 32: early drivers of the 535 branch */
#endif
#ifndef PROCESS_GARBAGE
#define PROCESS_GARBAGE 0
#endif
#ifndef OLD_SYMBOLS
#define OLD_SYMBOLS 0 /* 1: only the first version of each function */
#endif
#ifndef BARE
#define BARE 0 /* 1: nothing but identity, energy and power */
#endif
