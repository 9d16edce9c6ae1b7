import { type EmbeddedProjection, isPublicChange } from "../../projection.ts";
import { groupRolledBackError } from "../group-commit.ts";

export interface DeferredProjection extends EmbeddedProjection {
  /** @returns a function that discards everything queued after this call. */
  mark(): () => void;
}

/**
 * Returns a projection that queues updates, and passes them to `inner` on `flush` or `finish`. A rollback
 * to a savepoint can therefore discard the updates that were queued after it. If a transaction has no
 * public changes, as with most edits of drafts, `inner` is never called.
 */
export function createDeferredProjection(inner: EmbeddedProjection): DeferredProjection {
  let queued: (() => void)[] = [];
  let applied = 0;
  let begin: (() => void) | null = null;
  const apply = () => {
    const all = queued;
    queued = [];
    applied += 1;
    begin?.();
    begin = null;
    for (const update of all) update();
  };
  const isEmpty = () => begin !== null && queued.length === 0;
  return {
    ...inner,
    begin(db) {
      queued = [];
      begin = () => inner.begin(db);
    },
    put(item, move) {
      if (isPublicChange(item, move)) queued.push(() => inner.put(item, move));
    },
    putRedirect: (redirect) => void queued.push(() => inner.putRedirect(redirect)),
    removeRedirect: (redirect, displaced) =>
      void queued.push(() => inner.removeRedirect(redirect, displaced)),
    putMedium: (medium) => void queued.push(() => inner.putMedium(medium)),
    removeMedium: (id) => void queued.push(() => inner.removeMedium(id)),
    async flush() {
      if (isEmpty()) return;
      apply();
      await inner.flush();
    },
    async finish() {
      if (isEmpty()) return;
      apply();
      await inner.finish();
    },
    async saveSite(profile, types, db) {
      apply();
      await inner.saveSite(profile, types, db);
    },
    mark() {
      const [length, appliedBefore] = [queued.length, applied];
      return () => {
        if (applied !== appliedBefore) throw groupRolledBackError();
        queued.length = length;
      };
    },
  };
}
