/// The verification of Ed25519 signatures (RFC 8032) in the database, so that no station can claim
/// the result.
///
/// PostgreSQL has only SHA-512 and numbers of any size for this. A signature takes some 30 ms. All
/// values are public, so that the running time may depend on them.
enum PostgreSQLSignatures {
  static let functions: [PostgreSQLGuards.Function] = [
    .init(
      "power", of: "base numeric, exponent numeric, modulus numeric", returns: "numeric",
      """

      DECLARE result numeric := 1; b numeric := base; e numeric := exponent;
      BEGIN
        WHILE e > 0 LOOP
          IF e % 2 = 1 THEN result := result * b % modulus; END IF;
          b := b * b % modulus;
          e := div(e, 2);
        END LOOP;
        RETURN result;
      END
      """),
    .init(
      "little_endian", of: "bytes bytea", returns: "numeric",
      """

      DECLARE n numeric := 0;
      BEGIN
        FOR i IN REVERSE length(bytes) - 1 .. 0 LOOP n := n * 256 + get_byte(bytes, i); END LOOP;
        RETURN n;
      END
      """),
    .init(
      "verifies", of: "key bytea, signature bytea, message bytea", returns: "boolean",
      """

      DECLARE
        p constant numeric := 57896044618658097711785492504343953926634992332820282019728792003956564819949;
        l constant numeric := 7237005577332262213973186563042994240857116359379907606001950938285454250989;
        d constant numeric := 37095705934669439343138083508754565189542113879843219016388785533085940283555;
        root constant numeric := 19681161376707505956807079304988542015446066515923890162744021073123829784752;
        base_x constant numeric := 15112221349535400772501151409588531511454012693041857206046113283949847762202;
        base_y constant numeric := 46316835694926478169428394003475163141307993866256225615783033603165251855960;
        k numeric; s numeric; y numeric; x numeric; u numeric; v numeric; sign int;
        xs numeric[]; ys numeric[]; ts numeric[]; -- B, -A and B - A, with Z = 1
        px numeric := 0; py numeric := 1; pz numeric := 1; pt numeric := 0;
        a numeric; b numeric; c numeric; e numeric; f numeric; g numeric; h numeric; n numeric;
        which int; kbits int[]; result bytea;
      BEGIN
        IF length(key) <> 32 OR length(signature) <> 64 THEN RETURN false; END IF;
        s := little_endian(substr(signature, 33, 32));
        IF s >= l THEN RETURN false; END IF;
        -- The point of the key (RFC 8032, 5.1.3).
        sign := get_byte(key, 31) >> 7;
        y := little_endian(set_byte(key, 31, get_byte(key, 31) & 127));
        IF y >= p THEN RETURN false; END IF;
        u := (y * y - 1) % p; IF u < 0 THEN u := u + p; END IF;
        v := (d * y * y + 1) % p;
        x := u * power(v, p - 2, p) % p;
        a := power(x, div(p + 3, 8), p);
        IF (a * a - x) % p <> 0 THEN a := a * root % p; END IF;
        IF (a * a - x) % p <> 0 THEN RETURN false; END IF;
        x := a;
        IF x = 0 AND sign = 1 THEN RETURN false; END IF;
        IF x % 2 <> sign THEN x := p - x; END IF;
        k := little_endian(sha512(substr(signature, 1, 32) || key || message)) % l;
        x := p - x;
        n := d * (base_x * x % p) % p * (base_y * y % p) % p;
        a := (base_x * y + x * base_y) % p * power((1 + n) % p, p - 2, p) % p;
        b := (base_y * y + base_x * x) % p * power((1 - n + p) % p, p - 2, p) % p;
        xs := ARRAY[base_x, x, a]; ys := ARRAY[base_y, y, b];
        ts := ARRAY[base_x * base_y % p, x * y % p, a * b % p];
        FOR i IN 0..255 LOOP kbits[i] := (k % 2)::int; k := div(k, 2); END LOOP;
        FOR i IN REVERSE 254 .. 0 LOOP
          -- Twice the point (RFC 8032, 5.1.4), and B, -A or both added.
          a := px * px % p; b := py * py % p; c := 2 * pz * pz % p;
          e := ((px + py) * (px + py) - a - b) % p; g := b - a; f := g - c; h := -a - b;
          px := e * f % p; py := g * h % p; pt := e * h % p; pz := f * g % p;
          which := get_bit(signature, 256 + i) + 2 * kbits[i];
          IF which > 0 THEN
            x := xs[which]; y := ys[which];
            a := (py - px) * (y - x) % p; b := (py + px) * (y + x) % p;
            c := 2 * d * pt % p * ts[which] % p; n := 2 * pz;
            e := b - a; f := n - c; g := n + c; h := b + a;
            px := e * f % p; py := g * h % p; pt := e * h % p; pz := f * g % p;
          END IF;
        END LOOP;
        pz := power((pz + p) % p, p - 2, p);
        x := (px * pz % p + p) % p; y := (py * pz % p + p) % p;
        -- Compared as bytes with the first half of the signature.
        IF x % 2 = 1 THEN sign := 128; ELSE sign := 0; END IF;
        result := substr(signature, 1, 32);
        FOR i IN 0..31 LOOP
          which := (y % 256)::int; y := div(y, 256);
          IF i = 31 THEN which := which + sign; END IF;
          IF get_byte(result, i) <> which THEN RETURN false; END IF;
        END LOOP;
        RETURN true;
      END
      """),
    // The heads of a checkpoint signed by a trusted key vouch for chains in this transaction.
    .init(
      "vouch", of: "file bytea", returns: "bigint",
      #"""

      DECLARE content text; lines text[]; statement text; signature bytea; words text[]; taken bigint := 0;
      BEGIN
        content := convert_from(file, 'UTF8');
        lines := string_to_array(content, E'\n');
        IF lines[1] <> 'cliptag checkpoint 1' OR lines[array_length(lines, 1)] <> ''
          OR lines[array_length(lines, 1) - 1] !~ '^signature [A-Za-z0-9+/]+=*$'
        THEN RAISE EXCEPTION 'this is no checkpoint'; END IF;
        statement := left(content, -length(lines[array_length(lines, 1) - 1]) - 1);
        signature := decode(substr(lines[array_length(lines, 1) - 1], 11), 'base64');
        -- The last 32 bytes of SubjectPublicKeyInfo are the key (RFC 8410).
        IF NOT EXISTS (SELECT FROM trusted_key AS trusted
          WHERE verifies(substr(decode(trusted.key, 'base64'), 13), signature, convert_to(statement, 'UTF8')))
        THEN
          RAISE EXCEPTION USING ERRCODE = 'insufficient_privilege',
            MESSAGE = 'no trusted key signed this checkpoint';
        END IF;
        DELETE FROM vouched WHERE transaction <> pg_current_xact_id()::text;
        FOR i IN 3 .. array_length(lines, 1) - 2 LOOP
          words := string_to_array(lines[i], ' ');
          IF words[1] = 'chain' AND array_length(words, 1) = 4 THEN
            INSERT INTO vouched VALUES
              (words[2], words[3]::bigint, decode(words[4], 'hex'), pg_current_xact_id()::text);
            taken := taken + 1;
          END IF;
        END LOOP;
        RETURN taken;
      END
      """#),
  ]
}
