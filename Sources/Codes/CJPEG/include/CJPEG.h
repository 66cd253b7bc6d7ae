#ifndef CJPEG_H
#define CJPEG_H

#include <stddef.h>
#include <stdint.h>

/* libjpeg reports errors through a callback that must not return. So each task is one C function
 * here, and every jump starts and ends inside it. Nothing is printed. */

#define CJPEG_MESSAGE_SIZE 256

typedef enum {
  CJPEG_DONE = 0,
  /* Decoded, but the data were damaged: what is missing was filled by the decoder. */
  CJPEG_PATCHED = 1,
  /* Not decodable. */
  CJPEG_DAMAGED = 2,
  /* A JPEG of a kind that this decoder does not read. */
  CJPEG_UNSUPPORTED = 3,
} cjpeg_status;

/* Whether the colours are cyan, magenta, yellow and black, and 255 is all or none of an ink. */
typedef enum { CJPEG_NO_INKS, CJPEG_INKS, CJPEG_INVERTED_INKS } cjpeg_inks;

typedef struct {
  uint32_t width;
  uint32_t height;
  cjpeg_inks inks;
} cjpeg_size;

/* Reads the header. The size is the one that cjpeg_read makes when asked to divide both
 * sides by `reduction` (1, 2, 4 or 8), rounded up. */
cjpeg_status cjpeg_read_size(const uint8_t *bytes, size_t count, int reduction, cjpeg_size *size,
                             char message[CJPEG_MESSAGE_SIZE]);

/* Decodes to one plane of 8-bit grey, or to three planes: red, green, blue. `plane` is how many
 * bytes each plane has in `pixels`, one plane after the other; it must be at least width * height of
 * cjpeg_read_size with the same reduction. */
cjpeg_status cjpeg_read(const uint8_t *bytes, size_t count, int reduction, int planes,
                        uint8_t *pixels, size_t plane, char message[CJPEG_MESSAGE_SIZE]);

typedef struct {
  uint8_t *bytes;
  size_t count;
  size_t capacity;
} cjpeg_buffer;

/* Encodes three planes of `width` * `height` bytes as a baseline JPEG, its colours at half the
 * resolution down and across (4:2:0), with Huffman tables of its own. `quality` is libjpeg's, 1 to
 * 100. The buffer is the caller's to give to cjpeg_free, also after a failure. */
cjpeg_status cjpeg_write(uint32_t width, uint32_t height, const uint8_t *red, const uint8_t *green,
                         const uint8_t *blue, int quality, cjpeg_buffer *buffer,
                         char message[CJPEG_MESSAGE_SIZE]);

void cjpeg_free(cjpeg_buffer *buffer);

#endif
