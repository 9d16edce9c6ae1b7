/**
 * Quantizes a vector to one byte per number. The largest number becomes 127, because only the direction of
 * the vector matters. Rounding changes the direction by about a thousandth.
 */
export function quantizeVector(vector: Float32Array): Uint8Array {
  let largest = 0;
  for (const number of vector) largest = Math.max(largest, Math.abs(number));
  const bytes = Int8Array.from(vector, (number) => Math.round((number / largest) * 127));
  return new Uint8Array(bytes.buffer);
}

/** The vector scaled to length 1. */
export function normalizeVector(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((number) => number / length);
}

/** The Euclidean length of a stored vector. */
export function euclideanLength(numbers: Int8Array): number {
  let squares = 0;
  const { length } = numbers;
  for (let n = 0; n < length; n++) {
    const number = numbers[n] ?? 0;
    squares += number * number;
  }
  return Math.sqrt(squares);
}

/**
 * The dot product of a unit vector with the stored vector that begins at `from`. Divided by the length of
 * the stored vector, this is the cosine.
 */
export function dotProduct(unit: Float32Array, numbers: Int8Array, from: number): number {
  let product = 0;
  // Reads the length once, because a lookup per step would cost as much as the product.
  const { length } = unit;
  for (let n = 0; n < length; n++) product += (unit[n] ?? 0) * (numbers[from + n] ?? 0);
  return product;
}

/** A view of the bytes of a stored vector as numbers. */
export function vectorFromBytes(bytes: Uint8Array): Int8Array {
  return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
