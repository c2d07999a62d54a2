/** A prime field curve y² = x³ - 3x + b, as Go supports them. */
interface Curve {
  /** Bytes of one coordinate. */
  readonly size: number;
  readonly p: bigint;
  readonly b: bigint;
}

/** Whether `point` is an uncompressed point on the named curve; false for curves that Go does not have. */
export function isPointOn(curveOid: string, point: Buffer): boolean {
  const curve = CURVES.get(curveOid);
  if (curve === undefined || point[0] !== 4 || point.length !== 1 + 2 * curve.size) return false;
  const x = BigInt(`0x${point.toString('hex', 1, 1 + curve.size)}`);
  const y = BigInt(`0x${point.toString('hex', 1 + curve.size)}`);
  if (x >= curve.p || y >= curve.p) return false;
  return (y * y - (x * x * x - 3n * x + curve.b)) % curve.p === 0n;
}

/** Whether Go knows the curve. */
export function isKnownCurve(curveOid: string): boolean {
  return CURVES.has(curveOid);
}

// FIPS 186-4, appendix D.1.2.
const CURVES: ReadonlyMap<string, Curve> = new Map([
  [
    '1.3.132.0.33',
    {
      size: 28,
      p: 2n ** 224n - 2n ** 96n + 1n,
      b: 0xb4050a850c04b3abf54132565044b0b7d7bfd8ba270b39432355ffb4n,
    },
  ],
  [
    '1.2.840.10045.3.1.7',
    {
      size: 32,
      p: 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n,
      b: 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn,
    },
  ],
  [
    '1.3.132.0.34',
    {
      size: 48,
      p: 2n ** 384n - 2n ** 128n - 2n ** 96n + 2n ** 32n - 1n,
      b: 0xb3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aefn,
    },
  ],
  [
    '1.3.132.0.35',
    {
      size: 66,
      p: 2n ** 521n - 1n,
      b: 0x0051953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e156193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00n,
    },
  ],
]);
