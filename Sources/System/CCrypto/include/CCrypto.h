#ifndef CCRYPTO_H
#define CCRYPTO_H

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <stddef.h>
#include <stdint.h>

/* Makes the public key of a point on a named curve, or returns null with OpenSSL's error queue
 * filled: an OSSL_PARAM keeps the pointers to its name and its text, which Swift lends for the
 * length of one call only.
 *
 * `point` is in the uncompressed form of SEC 1 (2.3.3): 04, x, y. The caller frees the key with
 * EVP_PKEY_free. */
EVP_PKEY *ccrypto_public_key(const char *curve, const uint8_t *point, size_t count);

/* Reads an unencrypted private key on an elliptic curve, PKCS #8 in PEM, or returns null with
 * OpenSSL's error queue filled: a decoder keeps the pointers to its names and to where the key goes,
 * which Swift lends for the length of one call only. Nobody is asked for a passphrase.
 *
 * The caller frees the key with EVP_PKEY_free. */
EVP_PKEY *ccrypto_private_key(const uint8_t *file, size_t count);

/* Reads an Ed25519 key in PEM, or returns null with OpenSSL's error queue filled: an unencrypted
 * private one (PKCS #8), or a public one (SubjectPublicKeyInfo). Nobody is asked for a passphrase.
 *
 * The caller frees the key with EVP_PKEY_free. */
EVP_PKEY *ccrypto_ed25519_key(const uint8_t *file, size_t count, int is_private);

/* Computes the SHA-256 of bytes.
 *
 * By OpenSSL's functions for this one algorithm: those for any algorithm read OpenSSL's configuration and
 * load its providers first, which takes longer than everything else that a short command does with
 * digests.
 *
 * Returns 1, or 0 when OpenSSL fails. */
int ccrypto_sha256(const uint8_t *bytes, size_t count, uint8_t digest[32]);

/* Verifies a reply of a time-stamp authority (RFC 3161, DER) over data: that it was granted, that its
 * imprint is the data's, and that its signer's certificate leads to one of the authorities in PEM and is
 * meant for time stamps.
 *
 * Returns 1 with the time it states in seconds since 1970; 0 with the reason, a static text, when it does
 * not verify; -1 when there are no authorities to verify it with. */
int ccrypto_time_stamp(const uint8_t *reply, size_t reply_count, const uint8_t *data, size_t data_count,
                       const uint8_t *authorities, size_t authorities_count, int64_t *seconds,
                       const char **reason);

#endif
