import type { EmbeddedProjection } from "../../projection.ts";
import { spoilt } from "../shared-commits.ts";

export interface HeldProjection extends EmbeddedProjection {
  /** @returns what takes back all that is told to it from now on. */
  mark(): () => void;
}

/** Keeps back what it is told until it has to be worked out, so that a part of it can be taken back. */
export function heldProjection(inner: EmbeddedProjection): HeldProjection {
  let held: (() => void)[] = [];
  let releases = 0;
  const release = () => {
    const all = held;
    held = [];
    releases += 1;
    for (const tell of all) tell();
  };
  return {
    ...inner,
    begin(db) {
      held = [];
      inner.begin(db);
    },
    put: (item, move) => void held.push(() => inner.put(item, move)),
    putRedirect: (redirect) => void held.push(() => inner.putRedirect(redirect)),
    removeRedirect: (redirect, displaced) =>
      void held.push(() => inner.removeRedirect(redirect, displaced)),
    putMedium: (medium) => void held.push(() => inner.putMedium(medium)),
    removeMedium: (id) => void held.push(() => inner.removeMedium(id)),
    async flush() {
      release();
      await inner.flush();
    },
    async finish() {
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
