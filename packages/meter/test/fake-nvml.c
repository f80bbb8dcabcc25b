/* A library with the ABI of NVML that plays one scenario, chosen when it is compiled:
 * cc -shared -fPIC -DTICK_MS=100 -DREAD_MS=3 ... All reads follow the monotonic clock, so the truth is known.
 * GPU n draws POWER_MW + n x 100 W; its UUID is GPU-fake-000n, its bus address 0000:0n:00.0, its handle 0x1000 + n. */
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "fake-nvml/scenario.h"
#include "fake-nvml/truth.h"
#include "fake-nvml/library.h"
#include "fake-nvml/energy.h"
#if !BARE
#include "fake-nvml/lookup.h"
#include "fake-nvml/samples.h"
#include "fake-nvml/fields.h"
#include "fake-nvml/facts.h"
#include "fake-nvml/processes.h"
#endif
