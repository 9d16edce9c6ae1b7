import type { ChangeSource } from "./change-source.ts";
import { readPositionOfAnyCopy } from "./copy-file.ts";

/**
 * Returns the age in seconds of the oldest change that is missing from a reading copy; 0 if no change
 * is missing.
 *
 * @returns null if the copy must be rebuilt, for example because it is unreadable or the log has been
 * pruned.
 */
export async function measureCopyLagSeconds(
  file: string,
  log: Pick<ChangeSource, "after">,
): Promise<number | null> {
  const position = readPositionOfAnyCopy(file);
  if (position === null) return null;
  const tail = await log.after(position);
  switch (tail.kind) {
    case "current":
      return 0;
    case "behind":
      return tail.lagSeconds;
    case "lost":
      return null;
  }
}
