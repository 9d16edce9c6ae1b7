/** The outcome of a sync for an item. */
export interface SyncStep {
  did:
    | "created on the site"
    | "changed on the site"
    | "deleted on the site"
    | "created in the folder"
    | "changed in the folder"
    | "merged on both sides"
    | "moved in the folder"
    | "deleted in the folder"
    | "brought back in the folder";
  file: string;
  path: string;
  /** The parts that changed on the site, as `title` or `fields.year`. */
  parts?: readonly string[];
}

/** A part that both sides changed in different ways. */
export interface SyncConflict {
  file: string;
  path: string;
  parts: readonly { part: string; site: unknown; folder: unknown }[];
}

/** Folder and site after a sync. */
export interface SyncReport {
  /** Items that are the same on both sides. */
  same: number;
  steps: readonly SyncStep[];
  conflicts: readonly SyncConflict[];
  /** Items changed on one side and deleted on the other. */
  deletedThere: readonly { file: string; path: string }[];
  /** Items deleted on one side, which `--prune` would delete on the other. */
  pending: readonly { file: string; path: string; on: "the site" | "the folder" }[];
  /** Files that could not be imported, with the reason. */
  failed: readonly { file: string; message: string }[];
  /** Comments in files, which an item cannot store. */
  dropped: readonly { file: string; comment: string }[];
  /** Files with items in other formats, which a sync ignores. */
  others: readonly string[];
}

/** The outcome of one pass: its actions, and the state of both sides afterwards. */
export type PassReport = {
  [Key in keyof SyncReport]: SyncReport[Key] extends readonly (infer Entry)[]
    ? Entry[]
    : SyncReport[Key];
};

export function emptyPass(): PassReport {
  return {
    same: 0,
    steps: [],
    conflicts: [],
    deletedThere: [],
    pending: [],
    failed: [],
    dropped: [],
    others: [],
  };
}
