import { type EmbeddedProjection, isForPublic } from "../../projection.ts";
import { spoilt } from "../shared-commits.ts";

export interface HeldProjection extends EmbeddedProjection {
  /** @returns what takes back all that is told to it from now on. */
  mark(): () => void;
}

/**
 * Keeps back what it is told until it has to be worked out, so that a part of it can be taken back. Of
 * a transaction that tells the public nothing, as of most drafts, the other never hears.
 */
export function heldProjection(inner: EmbeddedProjection): HeldProjection {
  let held: (() => void)[] = [];
  let releases = 0;
  let begin: (() => void) | null = null;
  const release = () => {
    const all = held;
    held = [];
    releases += 1;
    begin?.();
    begin = null;
    for (const tell of all) tell();
  };
  const isUntold = () => begin !== null && held.length === 0;
  return {
    ...inner,
    begin(db) {
      held = [];
      begin = () => inner.begin(db);
    },
    put(item, move) {
      if (isForPublic(item, move)) held.push(() => inner.put(item, move));
    },
    putRedirect: (redirect) => void held.push(() => inner.putRedirect(redirect)),
    removeRedirect: (redirect, displaced) =>
      void held.push(() => inner.removeRedirect(redirect, displaced)),
    putMedium: (medium) => void held.push(() => inner.putMedium(medium)),
    removeMedium: (id) => void held.push(() => inner.removeMedium(id)),
    async flush() {
      if (isUntold()) return;
      release();
      await inner.flush();
    },
    async finish() {
      if (isUntold()) return;
      release();
      await inner.finish();
    },
    async saveSite(profile, types, db) {
      release();
      await inner.saveSite(profile, types, db);
    },
    mark() {
      const [length, releasesBefore] = [held.length, releases];
      return () => {
        if (releases !== releasesBefore) throw spoilt();
        held.length = length;
      };
    },
  };
}
