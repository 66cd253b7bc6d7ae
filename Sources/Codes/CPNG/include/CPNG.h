#ifndef CPNG_H
#define CPNG_H

#include <stdbool.h>
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
  /* The function is not made for this kind of picture. */
  CPNG_OTHER_KIND = 3,
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

/* Decodes over white to one plane of 8-bit grey, or to three planes: red, green, blue; or to four
 * planes that keep transparency: red, green, blue and alpha, not multiplied. `plane` is
 * how many bytes each plane has in `pixels`, one plane after the other: width * height of the header
 * read before. Rows that were not reached keep what they held. `pixels_written` counts decoded
 * pixels, so that nothing at all can be told from a part. */
cpng_status cpng_read(const uint8_t *bytes, size_t count, int planes, uint8_t *pixels,
                      size_t plane, size_t *pixels_written, char message[CPNG_MESSAGE_SIZE]);

/* Decodes a picture of one bit a pixel, grey or of two colours, to 8-bit grey with each square of
 * `factor` by `factor` pixels averaged into one; what is left over at the right and at the bottom is
 * dropped. `out` has (width / factor) * (height / factor) bytes. CPNG_OTHER_KIND when the picture is
 * of another kind, or `factor` is not 1 to 56: use cpng_read then. */
cpng_status cpng_read_reduced(const uint8_t *bytes, size_t count, uint32_t factor, uint8_t *out,
                              size_t out_count, char message[CPNG_MESSAGE_SIZE]);

typedef struct {
  uint8_t *bytes;
  size_t count;
  size_t capacity;
} cpng_buffer;

/* Encodes grey (1 channel) or red, green and blue (3 channels; with alpha 4) of bit depth 8.
 * `pixels_per_metre` 0 writes no pHYs. The buffer is the caller's to give to cpng_free, also after a
 * failure. */
cpng_status cpng_write(uint32_t width, uint32_t height, int channels, const uint8_t *rows,
                       uint32_t pixels_per_metre, cpng_buffer *buffer,
                       char message[CPNG_MESSAGE_SIZE]);

/* The same for one bit a pixel, grey or the two colours of the six bytes of `palette`, the
 * first of which may be transparent. `data` are
 * the filtered rows in the zlib format, where zlib itself, which libpng calls, is too slow. */
cpng_status cpng_write_compressed(uint32_t width, uint32_t height, const uint8_t *data,
                                  size_t count, uint32_t pixels_per_metre, const uint8_t *palette,
                                  bool transparent, cpng_buffer *buffer, char message[CPNG_MESSAGE_SIZE]);

void cpng_free(cpng_buffer *buffer);

#endif
