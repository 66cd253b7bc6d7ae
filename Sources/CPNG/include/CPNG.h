#ifndef CPNG_H
#define CPNG_H

#include <stddef.h>
#include <stdint.h>

/* libpng reports errors by longjmp, which Swift cannot be jumped through, and it names its
 * functions after the version of its header. So each task is one C function here, and every
 * jump starts and ends inside it. Nothing is printed; warnings are dropped. */

#define CPNG_MESSAGE_SIZE 128

typedef enum {
  CPNG_DONE = 0,
  /* The data ended early or was wrong. Of a picture, `pixels_written` says how much arrived. */
  CPNG_DAMAGED = 1,
  /* No memory. */
  CPNG_NO_MEMORY = 2,
} cpng_status;

typedef struct {
  uint32_t width;
  uint32_t height;
  int bit_depth;
  int color_type;
  int interlaced;
} cpng_header;

/* Reads the signature and IHDR. Allocates nothing that depends on the picture's size. */
cpng_status cpng_read_header(const uint8_t *bytes, size_t count, cpng_header *header,
                             char message[CPNG_MESSAGE_SIZE]);

/* Decodes to 8-bit grey over white into `pixels`, which must hold exactly width * height bytes
 * of the header read before; `capacity` says how many it holds. Rows that were not reached keep
 * what they held. `pixels_written` counts decoded pixels, so that nothing at all can be told
 * from a part. */
cpng_status cpng_read_grey(const uint8_t *bytes, size_t count, uint8_t *pixels, size_t capacity,
                           size_t *pixels_written, char message[CPNG_MESSAGE_SIZE]);

typedef struct {
  uint8_t *bytes;
  size_t count;
  size_t capacity;
} cpng_buffer;

/* Encodes grey of bit depth 1 (a set bit is black) or 8. `pixels_per_metre` 0 writes no pHYs.
 * The buffer is the caller's to give to cpng_free, also after a failure. */
cpng_status cpng_write_grey(uint32_t width, uint32_t height, int bit_depth, const uint8_t *rows,
                            size_t row_bytes, uint32_t pixels_per_metre, cpng_buffer *buffer,
                            char message[CPNG_MESSAGE_SIZE]);

void cpng_free(cpng_buffer *buffer);

#endif
