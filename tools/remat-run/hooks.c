/* tools/remat-run/hooks.c - the allocator of the programs that are run.
 *
 * Lowered programs call these functions, by name, for each buffer they
 * allocate. Bytes are counted as they were asked for. What the program gets
 * from the caller (arguments, results) does not pass through here.
 *
 * Programs run one at a time, on one thread: the counters are plain. */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Allocations counters;
static int poison_byte;

/* Stands right before each block. */
typedef struct Header {
  void *raw;
  size_t bytes;
} Header;

static void *get(size_t alignment, size_t bytes) {
  if (alignment < 64)
    alignment = 64;
  char *raw = NULL;
  if (bytes <= SIZE_MAX - 3 * alignment)
    raw = aligned_alloc(alignment,
                        (bytes + 2 * alignment - 1) / alignment * alignment +
                            alignment);
  if (!raw) {
    fprintf(stderr,
            "remat-run: the program asked for %zu bytes more than "
            "there are\n",
            bytes);
    exit(2);
  }
  Header header = {raw, bytes};
  memcpy(raw + alignment - sizeof header, &header, sizeof header);
  if (poison_byte)
    memset(raw + alignment, poison_byte, bytes);
  ++counters.calls;
  counters.live += (int64_t)bytes;
  if (counters.live > counters.peak)
    counters.peak = counters.live;
  return raw + alignment;
}

static void *allocate(size_t bytes) { return get(64, bytes); }

static void release(void *block) {
  if (!block)
    return;
  Header header;
  memcpy(&header, (char *)block - sizeof header, sizeof header);
  counters.live -= (int64_t)header.bytes;
  free(header.raw);
}

void hooks_reset(int poison) {
  counters = (Allocations){0};
  poison_byte = poison;
}

Allocations hooks_read(void) { return counters; }

/*===-- memref.copy between layouts, as upstream lowers it ----------------===*/

typedef struct Unranked {
  int64_t rank;
  void *descriptor;
} Unranked;

typedef struct Descriptor {
  char *base, *data;
  int64_t offset, sizes[]; /* and as many strides */
} Descriptor;

/* Copies the dimensions from `i` on. */
static void copy_dimensions(int64_t bytes, int64_t rank, int64_t i,
                            const int64_t *sizes, const char *from,
                            const int64_t *from_strides, char *to,
                            const int64_t *to_strides) {
  if (i == rank) {
    memcpy(to, from, (size_t)bytes);
    return;
  }
  for (int64_t at = 0; at < sizes[i]; ++at)
    copy_dimensions(bytes, rank, i + 1, sizes,
                    from + at * from_strides[i] * bytes, from_strides,
                    to + at * to_strides[i] * bytes, to_strides);
}

static void copy_memref(int64_t bytes, Unranked *source, Unranked *target) {
  Descriptor *from = source->descriptor, *to = target->descriptor;
  copy_dimensions(bytes, source->rank, 0, from->sizes,
                  from->data + from->offset * bytes, from->sizes + source->rank,
                  to->data + to->offset * bytes, to->sizes + source->rank);
}

/*===-- bf16 in registers -------------------------------------------------===*/

/* What compilers call to keep a bf16 in an f32 register: rounds to nearest
 * even. A bf16 is returned as a float is, in the low half of its register. */
static float round_to_bf16(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  if (value != value)
    bits = bits >> 16 | 0x40;
  else
    bits = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  memcpy(&value, &bits, sizeof value);
  return value;
}

const HookSymbol hook_symbols[] = {
    {"_mlir_memref_to_llvm_alloc", (void *)allocate},
    {"_mlir_memref_to_llvm_aligned_alloc", (void *)get},
    {"_mlir_memref_to_llvm_free", (void *)release},
    {"malloc", (void *)allocate},
    {"aligned_alloc", (void *)get},
    {"free", (void *)release},
    {"memrefCopy", (void *)copy_memref},
    {"__truncsfbf2", (void *)round_to_bf16},
};
const int num_hook_symbols = sizeof hook_symbols / sizeof hook_symbols[0];
