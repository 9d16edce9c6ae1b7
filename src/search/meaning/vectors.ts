/**
 * A vector as it is kept: a byte a number, 127 the largest. Only its direction counts, which that
 * changes by a thousandth.
 */
export function vectorBytes(vector: Float32Array): Uint8Array {
  let largest = 0;
  for (const number of vector) largest = Math.max(largest, Math.abs(number));
  const bytes = Int8Array.from(vector, (number) => Math.round((number / largest) * 127));
  return new Uint8Array(bytes.buffer);
}

/** The same direction, 1 long. */
export function unitOf(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((number) => number / length);
}

/** Of a kept vector. */
export function lengthOf(numbers: Int8Array): number {
  let squares = 0;
  const { length } = numbers;
  for (let n = 0; n < length; n++) {
    const number = numbers[n] ?? 0;
    squares += number * number;
  }
  return Math.sqrt(squares);
}

/** The product with the kept vector that begins at `from`; over the length of that, the cosine. */
export function productOf(unit: Float32Array, numbers: Int8Array, from: number): number {
  let product = 0;
  // Asked for each time, the length would cost as much as the product.
  const { length } = unit;
  for (let n = 0; n < length; n++) product += (unit[n] ?? 0) * (numbers[from + n] ?? 0);
  return product;
}

/** A kept vector as it lies in the store. */
export function numbersIn(bytes: Uint8Array): Int8Array {
  return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
