import { type Actor, requireScope } from "../../access/actor.ts";
import { starterTexts } from "../../texts/starter/starter-texts.ts";
import type { Item } from "../items/item.ts";
import type { ContentReader } from "../record.ts";
import type { SiteProfile } from "./site.ts";
import { editorsEmail } from "./starter-site.ts";

/** Progress in setting up a new site. */
export interface FirstStepsProgress {
  /**
   * Whether an editor has named the site: true once the editors' email address, which the same form asks for, is
   * no longer the placeholder.
   */
  isNamed: boolean;
  /** Whether the site's appearance was changed from the default. */
  hasLook: boolean;
  /** Whether the site's time zone was changed from the default. */
  hasTimeZone: boolean;
  /** The home page if its initial text was not changed yet, otherwise null. */
  unwrittenHome: Item | null;
  isOpen: boolean;
}

/**
 * Reads the progress in setting up a site. Null if the site is set up, or has no profile.
 *
 * @throws {AppError} `forbidden`.
 */
export async function readFirstStepsProgress(
  content: ContentReader,
  actor: Actor,
): Promise<FirstStepsProgress | null> {
  requireScope(actor, "content:read");
  const profile = await content.site();
  if (profile === null) return null;
  const home = await content.itemAt("/");
  const isNamed = editorsEmail(profile) !== null;
  const unwrittenHome = home !== null && isUnwritten(home) ? home : null;
  if (isNamed && unwrittenHome === null && !profile.hidden) return null;
  return {
    ...{ isNamed, hasLook: hasOwnLook(profile), hasTimeZone: profile.timeZone !== "UTC" },
    ...{ unwrittenHome, isOpen: !profile.hidden },
  };
}

/** Whether the home page still has its initial text. */
function isUnwritten({ body: stored, language }: Item): boolean {
  const body = stored.trim();
  const { home, withSiteName } = starterTexts(language);
  const [before = "", after = ""] = withSiteName.home("\0").split("\0");
  return body === home.body || (body.startsWith(before) && body.endsWith(after));
}

function hasOwnLook({ look }: SiteProfile): boolean {
  const { name, accent, logo } = look;
  return name !== "classic" || accent !== undefined || logo !== undefined;
}
