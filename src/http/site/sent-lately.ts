import { hash } from "node:crypto";

const KEPT_MAX = 1000;

/**
 * Forms that were sent lately, so that a second click does not send one twice. Two are the same when
 * they were opened at the same second and say the same.
 */
export class SentLately {
  /** Until each is kept, by its digest; the one sent first comes first. */
  readonly #keeping = new Map<string, Promise<unknown>>();

  /** Resolves once the same form is kept; undefined: it has not been sent. */
  find(fields: readonly string[]): Promise<unknown> | undefined {
    return this.#keeping.get(digestOf(fields));
  }

  /** What cannot be kept may be sent again. */
  note(fields: readonly string[], keeping: Promise<unknown>): void {
    const digest = digestOf(fields);
    this.#keeping.set(digest, keeping);
    keeping.catch(() => this.#keeping.delete(digest));
    for (const oldest of this.#keeping.keys()) {
      if (this.#keeping.size <= KEPT_MAX) break;
      this.#keeping.delete(oldest);
    }
  }
}

export function digestOf(fields: readonly string[]): string {
  return hash("sha256", JSON.stringify(fields), "base64url");
}
