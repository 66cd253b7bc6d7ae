#ifndef CCRYPTO_H
#define CCRYPTO_H

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <stddef.h>
#include <stdint.h>

/* Makes the public key of a point on a named curve, or returns null with OpenSSL's error queue
 * filled: an OSSL_PARAM keeps the pointers to its name and its text, which Swift lends for the
 * length of one call only.
 *
 * `point` is in the uncompressed form of SEC 1 (2.3.3): 04, x, y. The caller frees the key with
 * EVP_PKEY_free. */
EVP_PKEY *ccrypto_public_key(const char *curve, const uint8_t *point, size_t count);

#endif
