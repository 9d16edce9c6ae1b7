import type { SiteProfile } from "../../content/site/site.ts";
import type { ContentTypes } from "../../content/types/content-type.ts";
import type { RowNumberOf } from "../reading/row-numbers.ts";
import type { ReadingEntry } from "../reading/writing/changes.ts";
import type { WholeContent } from "../whole-content.ts";

/** How far a reading copy has followed which record. */
export interface Place {
  recordId: string;
  /** The number of the last entry of the log that the copy knows. */
  position: number;
  /** When that was written; tells it from one of the same number after an older state was restored. */
  at: string;
}

export interface LoggedEntry {
  sequence: number;
  at: string;
  /** Null for what this version of the program cannot read. */
  entry: ReadingEntry | null;
}

/** Why no way leads on from a place, so that a copy has to be made anew. */
export interface Lost {
  why: string;
  /** Does this befall all instances alike? Then none is behind another. */
  everywhere: boolean;
}

/** What a look behind a place found. */
export type News =
  | { kind: "current" }
  /** In their order, without gaps, perhaps not all of them. The first was written so long ago. */
  | { kind: "behind"; entries: readonly LoggedEntry[]; lagSeconds: number }
  | ({ kind: "lost" } & Lost);

/** Everything of which a reading copy is made, as it is at one moment. */
export interface SnapshotContent extends WholeContent {
  place: Place;
  /** When anything public changed last, as the copies that followed have it. */
  updatedAt: string;
  site(): Promise<{ profile: SiteProfile; types: ContentTypes } | null>;
  /** Knows the items of the block under way, and those they point at. */
  numberOf: RowNumberOf;
}

/** Where reading copies hear what changed. Faults that pass are thrown as `unavailable`. */
export interface ChangeSource {
  after(place: Place): Promise<News>;
  /** Waits for nobody, and nobody waits for it. */
  snapshot<T>(read: (content: SnapshotContent) => Promise<T>): Promise<T>;
  /** Calls soon after there may be news; not to be relied on. */
  listen(onNews: () => void): Disposable;
}
