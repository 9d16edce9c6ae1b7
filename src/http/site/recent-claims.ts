import type { IssuedKey } from "../../access/keys/keys.ts";
import { formDigest } from "./recent-forms.ts";

const REPEATABLE_MILLISECONDS = 10_000;

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
