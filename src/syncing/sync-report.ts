/** The result of a sync for one item. */
export interface SyncAction {
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
  /** The parts of the item that changed on the site, such as `title` or `fields.year`. */
  parts?: readonly string[];
}

/** The parts of an item that the two sides changed in different ways. */
export interface SyncConflict {
  file: string;
  path: string;
  parts: readonly { part: string; site: unknown; folder: unknown }[];
}

/** The state of folder and site after a sync. */
export interface SyncReport {
  /** Number of items that are equal on both sides. */
  same: number;
  steps: readonly SyncAction[];
  conflicts: readonly SyncConflict[];
  /** Items that were deleted on the site although their files changed in the folder. */
  deletedThere: readonly { file: string; path: string }[];
  /**
   * Items that were deleted on one side only. With `--prune`, a sync deletes these items on the other
   * side.
   */
  pending: readonly { file: string; path: string; on: "the site" | "the folder" }[];
  /** Files that could not be imported, with the reason. */
  failed: readonly { file: string; message: string }[];
  /** Comments that were lost when a file was rewritten, because an item cannot store them. */
  dropped: readonly { file: string; comment: string }[];
  /** Files with items in formats other than Markdown, which a sync ignores. */
  others: readonly string[];
}

/** The outcome of one pass: its actions, and the state of both sides afterwards. */
export type SyncPassReport = {
  [Key in keyof SyncReport]: SyncReport[Key] extends readonly (infer Entry)[]
    ? Entry[]
    : SyncReport[Key];
};

export function createSyncPassReport(): SyncPassReport {
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
