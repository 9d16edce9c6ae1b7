import { numberOf } from "../../storage/sqlite/columns.ts";
import type { StatementCache } from "../../storage/sqlite/statements.ts";
import { BestResults } from "../ranking/best-results.ts";
import type { Embedding } from "./embedding.ts";
import { dotProduct, euclideanLength, normalizeVector, vectorFromBytes } from "./vectors.ts";

/**
 * Limit on the number of components of all vectors together. Up to this limit, all vectors are cached in
 * memory (16 MB) and compared by brute force (about 15 ms).
 */
const COMPARED_NUMBERS_MAX = 2 ** 24;

/** Compares the vectors of items with that of a query. */
export class VectorSearch {
  readonly #sql: StatementCache;
  #vectors: Vectors | null = null;
  /**
   * Identifies the model, the number of dimensions and the state of the store from which `#vectors` was
   * read.
   */
  #state = "";

  constructor(sql: StatementCache) {
    this.#sql = sql;
  }

  /** The cosine similarity of each row that has a vector. */
  cosines(rows: readonly number[], { model, vector }: Embedding): Map<number, number> {
    const unit = normalizeVector(vector);
    this.#refresh(model, vector.length);
    if (this.#vectors !== null) return this.#vectors.cosines(unit, rows);
    const found = this.#sql
      .of(
        `SELECT v.row, v.numbers FROM json_each(?) r
         CROSS JOIN reading_vector v ON v.row = r.value
         WHERE v.model = ? AND length(v.numbers) = ?`,
      )
      .all(JSON.stringify(rows), model, unit.length);
    const cosines = new Map<number, number>();
    for (const { row, numbers } of found) {
      if (!(numbers instanceof Uint8Array)) continue;
      const stored = vectorFromBytes(numbers);
      const length = euclideanLength(stored);
      if (length > 0) cosines.set(Number(row), dotProduct(unit, stored, 0) / length);
    }
    return cosines;
  }

  /** The rows of the nearest items, nearest first; empty if there are too many vectors to compare. */
  nearest(
    { model, vector }: Embedding,
    { limit, isAllowed }: { limit: number; isAllowed: ((row: number) => boolean) | null },
  ): number[] {
    this.#refresh(model, vector.length);
    return this.#vectors?.nearest(normalizeVector(vector), limit, isAllowed) ?? [];
  }

  /** Updates the vectors in memory. Drops them if there are too many. */
  #refresh(model: string, dimensions: number): void {
    const found = this.#sql
      .of(
        `SELECT (SELECT version FROM reading_state) AS version,
           (SELECT coalesce(max(number), 0) FROM reading_vector) AS last`,
      )
      .get();
    const state = JSON.stringify([model, dimensions, found]);
    if (state === this.#state) return;
    this.#state = state;
    const countMax = Math.floor(COMPARED_NUMBERS_MAX / dimensions);
    const count = this.#count(model, countMax + 1);
    if (count > countMax) {
      this.#vectors = null;
      return;
    }
    if (this.#vectors?.matches(model, dimensions) !== true) {
      this.#vectors = new Vectors(model, dimensions);
    }
    this.#load(this.#vectors);
    if (this.#vectors.count === count) return;
    // Some vectors were removed from the store, so all are read again.
    this.#vectors = new Vectors(model, dimensions);
    this.#load(this.#vectors);
  }

  #count(model: string, limit: number): number {
    const found = this.#sql
      .of("SELECT count(*) AS n FROM (SELECT 1 FROM reading_vector WHERE model = ? LIMIT +?)")
      .get(model, limit);
    return numberOf(found ?? {}, "n");
  }

  #load(vectors: Vectors): void {
    const found = this.#sql
      .of(
        `SELECT number, row, numbers FROM reading_vector NOT INDEXED
         WHERE number > ? AND model = ?`,
      )
      .iterate(vectors.last, vectors.model);
    for (const { number, row, numbers } of found) {
      if (numbers instanceof Uint8Array) vectors.put(Number(row), numbers, Number(number));
    }
  }
}

/** The vectors of one model in one contiguous array. */
class Vectors {
  readonly model: string;
  readonly #dimensions: number;
  readonly #positions = new Map<number, number>();
  #rows: number[] = [];
  #lengths: number[] = [];
  #numbers = new Int8Array();
  /** Sequence number of the newest vector. */
  last = 0;

  constructor(model: string, dimensions: number) {
    this.model = model;
    this.#dimensions = dimensions;
  }

  get count(): number {
    return this.#rows.length;
  }

  matches(model: string, dimensions: number): boolean {
    return this.model === model && this.#dimensions === dimensions;
  }

  put(row: number, bytes: Uint8Array, number: number): void {
    this.last = Math.max(this.last, number);
    const position = this.#positions.get(row) ?? this.#rows.length;
    const numbers = vectorFromBytes(bytes);
    const isComparable = numbers.length === this.#dimensions;
    this.#positions.set(row, position);
    this.#rows[position] = row;
    this.#lengths[position] = isComparable ? euclideanLength(numbers) : 0;
    this.#growToFit();
    if (isComparable) this.#numbers.set(numbers, position * this.#dimensions);
  }

  cosines(unit: Float32Array, rows: readonly number[]): Map<number, number> {
    const cosines = new Map<number, number>();
    for (const row of rows) {
      const position = this.#positions.get(row);
      const cosine = position === undefined ? null : this.#cosine(unit, position);
      if (cosine !== null) cosines.set(row, cosine);
    }
    return cosines;
  }

  nearest(
    unit: Float32Array,
    limit: number,
    isAllowed: ((row: number) => boolean) | null,
  ): number[] {
    const best = new BestResults(limit);
    for (let position = 0; position < this.#rows.length; position++) {
      const cosine = this.#cosine(unit, position);
      if (cosine === null) continue;
      const row = this.#rows[position] ?? 0;
      if (cosine > best.scoreMin && (isAllowed === null || isAllowed(row))) best.offer(row, cosine);
    }
    return best.inOrder().map(({ row }) => row);
  }

  /**
   * The cosine with the vector at a position; null if that vector is empty or has another number of
   * dimensions.
   */
  #cosine(unit: Float32Array, position: number): number | null {
    const length = this.#lengths[position] ?? 0;
    return length === 0 ? null : dotProduct(unit, this.#numbers, position * unit.length) / length;
  }

  #growToFit(): void {
    const needed = this.#rows.length * this.#dimensions;
    if (needed <= this.#numbers.length) return;
    const longer = new Int8Array(Math.max(2 * this.#numbers.length, needed, 4096));
    longer.set(this.#numbers);
    this.#numbers = longer;
  }
}
