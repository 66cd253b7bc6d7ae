#include "CQREncode.h"

#include <errno.h>
#include <stddef.h>

const int cqrencode_out_of_memory = ENOMEM;

// Called right after a failed call; a failure without an errno is reported as EIO.
static int failure(void) { return errno != 0 ? errno : EIO; }

int cqrencode_new(int version, QRecLevel level, QRinput **input) {
  errno = 0;
  *input = QRinput_new2(version, level);
  return *input != NULL ? 0 : failure();
}

int cqrencode_append(QRinput *input, QRencodeMode mode, int size, const unsigned char *data) {
  errno = 0;
  return QRinput_append(input, mode, size, data) == 0 ? 0 : failure();
}

int cqrencode_encode(QRinput *input, QRcode **symbol) {
  errno = 0;
  *symbol = QRcode_encodeInput(input);
  return *symbol != NULL ? 0 : failure();
}
