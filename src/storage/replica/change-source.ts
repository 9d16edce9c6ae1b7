import type { SiteProfile } from "../../content/site/site.ts";
import type { ContentTypes } from "../../content/types/content-type.ts";
import type { RowNumberOf } from "../reading/row-numbers.ts";
import type { ChangeLogEntry } from "../reading/writing/changes.ts";
import type { WholeContent } from "../whole-content.ts";

/** A reading copy's position in a record's log. */
export interface LogPosition {
  recordId: string;
  /** Sequence number of the last applied entry. */
  position: number;
  /**
   * Time at which the last applied entry was written. After a restore, another entry may have the same
   * number. The time distinguishes the two entries.
   */
  at: string;
}

export interface LoggedEntry {
  sequence: number;
  at: string;
  /** Null if this version of the program cannot read the entry. */
  entry: ChangeLogEntry | null;
}

/** Why a copy cannot be updated from the log and must be rebuilt. */
export interface RebuildReason {
  why: string;
  /** Whether every instance must rebuild its copy. During such a rebuild, the old copies count as current. */
  everywhere: boolean;
}

/**
 * The content of the log after a position. `current`: nothing. `behind`: further entries. `lost`: the
 * log cannot bring the copy up to date.
 */
export type ChangeLogReadResult =
  | { kind: "current" }
  /** The next entries in order, perhaps not all of them. `lagSeconds` is the age of the first. */
  | { kind: "behind"; entries: readonly LoggedEntry[]; lagSeconds: number }
  | ({ kind: "lost" } & RebuildReason);

/** A consistent snapshot of everything a reading copy is built from. */
export interface SnapshotContent extends WholeContent {
  logPosition: LogPosition;
  /** Time of the last public change, equal in all reading copies. */
  updatedAt: string;
  site(): Promise<{ profile: SiteProfile; types: ContentTypes } | null>;
  /** Returns the row numbers of the items in the current batch, and of the items that these link to. */
  rowNumberOf: RowNumberOf;
}

/** Source of changes for reading copies. Throws transient faults as `unavailable`. */
export interface ChangeSource {
  after(logPosition: LogPosition): Promise<ChangeLogReadResult>;
  /** Reads a snapshot without waiting for writers or blocking them. */
  snapshot<T>(read: (content: SnapshotContent) => Promise<T>): Promise<T>;
  /** Calls `onNotification` soon after a possible change. Delivery is not guaranteed. */
  listen(onNotification: () => void): Disposable;
}
