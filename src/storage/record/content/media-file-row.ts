import type { Generated } from "kysely";

/** A withdrawn file. */
export interface RemovedMediaFileRow {
  id: string;
  type: string;
  /** The file's row of `media` as JSON; null if an earlier version withdrew the file and kept no row. */
  medium: string | null;
  removed_at: string | null;
  /** Whether the file itself was moved to the trash. */
  in_trash: Generated<0 | 1>;
}

export interface MediaFileRow {
  id: string;
  type: string;
  bytes: number;
  width: number | null;
  height: number | null;
  name: string;
  alt: string;
  credit: string;
  added_by: string;
  added_at: string;
  updated_at: string;
  revision: number;
  always_public: 0 | 1;
  decorative: 0 | 1;
}
