import type { ChangeSource } from "./change-source.ts";
import { storedPosition } from "./copy-file.ts";

/**
 * How long the oldest change that a reading copy lacks has waited, in seconds.
 *
 * @returns null if the copy must be rebuilt: it is unreadable, or the log no longer reaches back to it.
 */
export async function copyLagSeconds(
  file: string,
  log: Pick<ChangeSource, "after">,
): Promise<number | null> {
  const place = storedPosition(file);
  if (place === null) return null;
  const tail = await log.after(place);
  switch (tail.kind) {
    case "current":
      return 0;
    case "behind":
      return tail.lagSeconds;
    case "lost":
      return null;
  }
}
