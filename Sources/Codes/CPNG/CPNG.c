#include "CPNG.h"

#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const uint8_t *bytes;
  size_t count;
  size_t position;
} source;

static void read_bytes(png_structp png, png_bytep out, size_t wanted) {
  source *from = png_get_io_ptr(png);
  if (from->count - from->position < wanted) png_error(png, "the data ends early");
  memcpy(out, from->bytes + from->position, wanted);
  from->position += wanted;
}

static void keep_error(png_structp png, png_const_charp text) {
  char *message = png_get_error_ptr(png);
  if (message) snprintf(message, CPNG_MESSAGE_SIZE, "%s", text);
  png_longjmp(png, 1);
}

static void drop_warning(png_structp png, png_const_charp text) {
  (void)png;
  (void)text;
}

static png_structp open_reader(png_infop *info, source *from, char *message) {
  png_structp png =
      png_create_read_struct(PNG_LIBPNG_VER_STRING, message, keep_error, drop_warning);
  if (!png) return NULL;
  *info = png_create_info_struct(png);
  if (!*info) {
    png_destroy_read_struct(&png, NULL, NULL);
    return NULL;
  }
  /* The caller has its own limit on pixels; libpng's default of a million columns or rows would
   * only change the wording of the refusal. */
  png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
  /* Text, profiles and other ancillary data are never needed. */
  png_set_chunk_cache_max(png, 64);
  png_set_chunk_malloc_max(png, 4 << 20);
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, 0);
  png_set_read_fn(png, from, read_bytes);
  return png;
}

cpng_status cpng_read_header(const uint8_t *bytes, size_t count, cpng_header *header,
                             char message[CPNG_MESSAGE_SIZE]) {
  /* The fixed layout of PNG 5.2 and 11.2.2: signature, length 13, "IHDR", fields, CRC. Reading it
   * through libpng would also read every chunk up to the first IDAT. */
  static const uint8_t start[16] = {0x89, 'P', 'N', 'G', 13, 10, 26, 10, 0, 0, 0, 13,
                                    'I', 'H', 'D', 'R'};
  if (count < 33 || memcmp(bytes, start, 16) != 0) {
    snprintf(message, CPNG_MESSAGE_SIZE, "%s",
             count < 33 ? "the data ends early" : "the header chunk is missing");
    return CPNG_DAMAGED;
  }
  header->width = png_get_uint_32(bytes + 16);
  header->height = png_get_uint_32(bytes + 20);
  header->bit_depth = bytes[24];
  header->color_type = bytes[25];
  header->interlaced = bytes[28] == 1;
  return CPNG_DONE;
}

static uint8_t over_white(unsigned grey, unsigned alpha) {
  return (uint8_t)((grey * alpha + 255 * (255 - alpha) + 127) / 255);
}

/* ITU-R BT.601 luma in 16-bit fixed point; the three weights add to 65536. */
static uint8_t luma(const uint8_t *rgb) {
  return (uint8_t)((19595u * rgb[0] + 38470u * rgb[1] + 7471u * rgb[2] + 32768u) >> 16);
}

static void place_row(const uint8_t *row, int channels, uint8_t *to, size_t step, size_t columns,
                      int planes, size_t plane) {
  if (channels == 1 && planes == 1 && step == 1) {
    memcpy(to, row, columns);
    return;
  }
  int light = channels >= 3 ? 3 : 1;
  for (size_t i = 0; i < columns; i++, row += channels, to += step) {
    unsigned alpha = channels == light ? 255 : row[light];
    if (planes == 1) {
      to[0] = over_white(light == 3 ? luma(row) : row[0], alpha);
    } else if (planes == 4) {
      for (int p = 0; p < 3; p++) to[(size_t)p * plane] = row[light == 3 ? p : 0];
      to[3 * plane] = (uint8_t)alpha;
    } else {
      for (int p = 0; p < 3; p++) {
        to[(size_t)p * plane] = over_white(row[light == 3 ? p : 0], alpha);
      }
    }
  }
}

cpng_status cpng_read(const uint8_t *bytes, size_t count, int planes, uint8_t *pixels,
                      size_t plane, size_t *pixels_written, char message[CPNG_MESSAGE_SIZE]) {
  source from = {bytes, count, 0};
  png_infop info = NULL;
  *pixels_written = 0;
  png_structp png = open_reader(&info, &from, message);
  if (!png) return CPNG_NO_MEMORY;
  /* Volatile: set after setjmp and read after the jump. */
  uint8_t *volatile row = NULL;
  if (setjmp(png_jmpbuf(png))) {
    free(row);
    png_destroy_read_struct(&png, &info, NULL);
    return CPNG_DAMAGED;
  }
  png_read_info(png, info);
  png_uint_32 width = png_get_image_width(png, info);
  png_uint_32 height = png_get_image_height(png, info);
  if ((size_t)width * height > plane) png_error(png, "the size changed while reading");
  png_set_expand(png);
  png_set_scale_16(png);
  int passes = png_get_interlace_type(png, info) == PNG_INTERLACE_ADAM7 ? 7 : 1;
  /* Without png_set_interlace_handling libpng hands out the rows of each Adam7 pass as they are
   * stored, so one row of memory is enough and each pixel is placed once. */
  png_read_update_info(png, info);
  int channels = png_get_channels(png, info);
  if (png_get_bit_depth(png, info) != 8) png_error(png, "the bit depth is not supported");
  row = malloc((size_t)png_get_rowbytes(png, info) + 8);
  if (!row) {
    png_destroy_read_struct(&png, &info, NULL);
    return CPNG_NO_MEMORY;
  }
  for (int pass = 0; pass < passes; pass++) {
    png_uint_32 columns = passes == 1 ? width : PNG_PASS_COLS(width, pass);
    png_uint_32 rows = passes == 1 ? height : PNG_PASS_ROWS(height, pass);
    if (columns == 0) continue;
    for (png_uint_32 y = 0; y < rows; y++) {
      png_read_row(png, row, NULL);
      png_uint_32 line = passes == 1 ? y : PNG_ROW_FROM_PASS_ROW(y, pass);
      png_uint_32 first = passes == 1 ? 0 : PNG_COL_FROM_PASS_COL(0, pass);
      size_t step = passes == 1 ? 1 : (size_t)1 << PNG_PASS_COL_SHIFT(pass);
      place_row(row, channels, pixels + (size_t)line * width + first, step, columns, planes, plane);
      *pixels_written += columns;
    }
  }
  free(row);
  png_destroy_read_struct(&png, &info, NULL);
  return CPNG_DONE;
}

cpng_status cpng_read_reduced(const uint8_t *bytes, size_t count, uint32_t factor, uint8_t *out,
                              size_t out_count, char message[CPNG_MESSAGE_SIZE]) {
  source from = {bytes, count, 0};
  png_infop info = NULL;
  if (factor < 1 || factor > 56) return CPNG_OTHER_KIND;
  png_structp png = open_reader(&info, &from, message);
  if (!png) return CPNG_NO_MEMORY;
  /* Volatile: set after setjmp and read after the jump. */
  uint8_t *volatile row = NULL;
  uint32_t *volatile ones = NULL;
  if (setjmp(png_jmpbuf(png))) {
    free(row);
    free(ones);
    png_destroy_read_struct(&png, &info, NULL);
    return CPNG_DAMAGED;
  }
  png_read_info(png, info);
  png_uint_32 width = png_get_image_width(png, info);
  png_uint_32 height = png_get_image_height(png, info);
  int type = png_get_color_type(png, info);
  png_colorp colours = NULL;
  int colour_count = 0;
  if (type == PNG_COLOR_TYPE_PALETTE) png_get_PLTE(png, info, &colours, &colour_count);
  png_uint_32 columns = width / factor, rows = height / factor;
  if (png_get_bit_depth(png, info) != 1 || png_get_valid(png, info, PNG_INFO_tRNS) ||
      png_get_interlace_type(png, info) != PNG_INTERLACE_NONE ||
      (type != PNG_COLOR_TYPE_GRAY && colour_count != 2) ||
      (size_t)columns * rows != out_count || out_count == 0) {
    png_destroy_read_struct(&png, &info, NULL);
    return CPNG_OTHER_KIND;
  }
  uint32_t level[2] = {0, 255};
  for (int i = 0; colours && i < 2; i++) {
    uint8_t colour[3] = {colours[i].red, colours[i].green, colours[i].blue};
    level[i] = luma(colour);
  }
  /* Eight bytes more, because bits are taken out of eight bytes at a time. */
  row = calloc((width + 7) / 8 + 8, 1);
  ones = malloc(columns * sizeof *ones);
  if (!row || !ones) {
    free(row);
    free(ones);
    png_destroy_read_struct(&png, &info, NULL);
    return CPNG_NO_MEMORY;
  }
  uint32_t area = factor * factor;
  for (png_uint_32 y = 0; y < rows; y++) {
    memset(ones, 0, columns * sizeof *ones);
    for (uint32_t line = 0; line < factor; line++) {
      png_read_row(png, row, NULL);
      for (png_uint_32 x = 0; x < columns; x++) {
        size_t bit = (size_t)x * factor;
        uint64_t bits;
        memcpy(&bits, row + bit / 8, 8);
        bits = __builtin_bswap64(bits) << (bit % 8) >> (64 - factor);
        ones[x] += (uint32_t)__builtin_popcountll(bits);
      }
    }
    for (png_uint_32 x = 0; x < columns; x++)
      out[(size_t)y * columns + x] =
          (uint8_t)((ones[x] * level[1] + (area - ones[x]) * level[0] + area / 2) / area);
  }
  for (png_uint_32 y = rows * factor; y < height; y++) png_read_row(png, row, NULL);
  free(row);
  free(ones);
  png_destroy_read_struct(&png, &info, NULL);
  return CPNG_DONE;
}

static void append_bytes(png_structp png, png_bytep bytes, size_t count) {
  cpng_buffer *to = png_get_io_ptr(png);
  if (to->capacity - to->count < count) {
    size_t capacity = to->capacity * 2 + count + 1024;
    uint8_t *larger = realloc(to->bytes, capacity);
    if (!larger) png_error(png, "no memory");
    to->bytes = larger;
    to->capacity = capacity;
  }
  memcpy(to->bytes + to->count, bytes, count);
  to->count += count;
}

static void flush_nothing(png_structp png) { (void)png; }

static png_structp open_writer(png_infop *info, cpng_buffer *buffer, char *message) {
  png_structp png =
      png_create_write_struct(PNG_LIBPNG_VER_STRING, message, keep_error, drop_warning);
  if (!png) return NULL;
  *info = png_create_info_struct(png);
  if (!*info) {
    png_destroy_write_struct(&png, NULL);
    return NULL;
  }
  png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
  png_set_write_fn(png, buffer, append_bytes, flush_nothing);
  return png;
}

static void write_header(png_structp png, png_infop info, uint32_t width, uint32_t height,
                         int bit_depth, int type, uint32_t pixels_per_metre,
                         const uint8_t *palette, bool transparent) {
  png_set_IHDR(png, info, width, height, bit_depth, type, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (pixels_per_metre > 0)
    png_set_pHYs(png, info, pixels_per_metre, pixels_per_metre, PNG_RESOLUTION_METER);
  if (palette) {
    png_color colours[2] = {{palette[0], palette[1], palette[2]},
                            {palette[3], palette[4], palette[5]}};
    png_set_PLTE(png, info, colours, 2);
    static const png_byte clear = 0;
    if (transparent) png_set_tRNS(png, info, &clear, 1, NULL);
  }
  png_write_info(png, info);
}

cpng_status cpng_write(uint32_t width, uint32_t height, int channels, const uint8_t *rows,
                       uint32_t pixels_per_metre, cpng_buffer *buffer,
                       char message[CPNG_MESSAGE_SIZE]) {
  png_infop info = NULL;
  png_structp png = open_writer(&info, buffer, message);
  if (!png) return CPNG_NO_MEMORY;
  if (setjmp(png_jmpbuf(png))) {
    png_destroy_write_struct(&png, &info);
    return CPNG_DAMAGED;
  }
  int type = channels == 4   ? PNG_COLOR_TYPE_RGB_ALPHA
             : channels == 3 ? PNG_COLOR_TYPE_RGB
                             : PNG_COLOR_TYPE_GRAY;
  write_header(png, info, width, height, 8, type, pixels_per_metre, NULL, false);
  size_t row_bytes = (size_t)width * (size_t)channels;
  for (uint32_t y = 0; y < height; y++) png_write_row(png, rows + (size_t)y * row_bytes);
  png_write_end(png, NULL);
  png_destroy_write_struct(&png, &info);
  return CPNG_DONE;
}

cpng_status cpng_write_compressed(uint32_t width, uint32_t height, const uint8_t *data,
                                  size_t count, uint32_t pixels_per_metre, const uint8_t *palette,
                                  bool transparent, cpng_buffer *buffer, char message[CPNG_MESSAGE_SIZE]) {
  static const png_byte data_name[] = "IDAT", end_name[] = "IEND";
  png_infop info = NULL;
  png_structp png = open_writer(&info, buffer, message);
  if (!png) return CPNG_NO_MEMORY;
  if (setjmp(png_jmpbuf(png))) {
    png_destroy_write_struct(&png, &info);
    return CPNG_DAMAGED;
  }
  int type = palette ? PNG_COLOR_TYPE_PALETTE : PNG_COLOR_TYPE_GRAY;
  write_header(png, info, width, height, 1, type, pixels_per_metre, palette, transparent);
  /* libpng has no call for data that is compressed already; png_write_end would miss it. */
  png_write_chunk(png, data_name, data, count);
  png_write_chunk(png, end_name, NULL, 0);
  png_destroy_write_struct(&png, &info);
  return CPNG_DONE;
}

void cpng_free(cpng_buffer *buffer) {
  free(buffer->bytes);
  buffer->bytes = NULL;
  buffer->count = buffer->capacity = 0;
}
