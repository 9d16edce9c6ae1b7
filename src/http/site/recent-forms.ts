import { hash } from "node:crypto";
import type { IssuedKey } from "../../access/keys/keys.ts";

const FORMS_MAX = 1000;
const REPEATABLE_MILLISECONDS = 10_000;

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

interface Claim {
  key: Promise<IssuedKey>;
  at: number;
}

/**
 * Answers a claim that is sent twice within seconds with the same key: a browser shows only the answer to the
 * second tap on a button, and the code is used up by the first. Codes and addresses are kept as digests, keys no
 * longer than that.
 */
export class RecentClaims {
  readonly #claims = new Map<string, Claim>();

  /** Runs `claim`, unless the same code was sent from the same address within the last ten seconds. */
  run(
    { code, address, now }: { code: string; address: string; now: Date },
    claim: () => Promise<IssuedKey>,
  ): Promise<IssuedKey> {
    const digest = formDigest([address, code.trim()]);
    const recent = this.#claims.get(digest);
    if (recent !== undefined && now.getTime() - recent.at < REPEATABLE_MILLISECONDS)
      return recent.key;
    const started: Claim = { key: claim(), at: now.getTime() };
    this.#claims.set(digest, started);
    const forget = () => {
      if (this.#claims.get(digest) === started) this.#claims.delete(digest);
    };
    started.key.then(() => setTimeout(forget, REPEATABLE_MILLISECONDS).unref(), forget);
    return started.key;
  }
}
