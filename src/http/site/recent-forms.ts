import { hash } from "node:crypto";

const FORMS_MAX = 1000;

/**
 * Keeps recently sent forms, so that a double click is ignored. Forms are equal if they were opened
 * in the same second and have the same content.
 */
export class RecentForms {
  /** Pending or completed saves, keyed by digest, oldest first. */
  readonly #saves = new Map<string, Promise<unknown>>();

  /** The save of an equal form, pending or completed. Undefined: none was sent recently. */
  find(fields: readonly string[]): Promise<unknown> | undefined {
    return this.#saves.get(formDigest(fields));
  }

  /** Stores a save. If the save fails, forgets it, so that the form can be sent again. */
  note(fields: readonly string[], save: Promise<unknown>): void {
    const digest = formDigest(fields);
    this.#saves.set(digest, save);
    save.catch(() => this.#saves.delete(digest));
    for (const oldest of this.#saves.keys()) {
      if (this.#saves.size <= FORMS_MAX) break;
      this.#saves.delete(oldest);
    }
  }
}

export function formDigest(fields: readonly string[]): string {
  return hash("sha256", JSON.stringify(fields), "base64url");
}
