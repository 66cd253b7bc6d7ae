#include "CQREncode.h"

#include <COnDemand.h>
#include <errno.h>

const int cqrencode_out_of_memory = ENOMEM;

/* Each function by the name and type that the header gives it. */
#define FUNCTIONS(X)                                                                               \
  X(QRinput_new2) X(QRinput_append) X(QRinput_free) X(QRcode_encodeInput) X(QRcode_free)

CONDEMAND_TABLE(FUNCTIONS, qrencode)

#ifdef __APPLE__
static const char *const names[] = {"libqrencode.4.dylib", NULL};
#else
static const char *const names[] = {"libqrencode.so.4", NULL};
#endif

CONDEMAND_LOAD(cqrencode_load, qrencode, names)

/* Called right after a failed call; a failure without an errno is reported as EIO. */
static int failure(void) { return errno != 0 ? errno : EIO; }

int cqrencode_new(int version, QRecLevel level, QRinput **input) {
  errno = 0;
  *input = qrencode.QRinput_new2(version, level);
  return *input != NULL ? 0 : failure();
}

int cqrencode_append(QRinput *input, QRencodeMode mode, int size, const unsigned char *data) {
  errno = 0;
  return qrencode.QRinput_append(input, mode, size, data) == 0 ? 0 : failure();
}

void cqrencode_free(QRinput *input) { qrencode.QRinput_free(input); }

int cqrencode_encode(QRinput *input, QRcode **symbol) {
  errno = 0;
  *symbol = qrencode.QRcode_encodeInput(input);
  return *symbol != NULL ? 0 : failure();
}

void cqrencode_symbol_free(QRcode *symbol) { qrencode.QRcode_free(symbol); }
