import { z } from "zod";
import { type Actor, actorName, requireScope } from "../../access/actor.ts";
import type { ChangeContext } from "../../access/audit.ts";
import { AppError, englishOnlyWording, inputError, type Problem } from "../../errors.ts";
import {
  createIssueMessage,
  describeIssue,
  formatInputPath,
  wordingOfIssue,
} from "../items/issue-messages.ts";
import type { ItemOutline } from "../items/item.ts";
import { applyMergePatch, type MergePatch } from "../items/merge-patch.ts";
import type { ContentReader, ContentRecord, ContentTransaction } from "../record.ts";
import type { ContentType } from "../types/content-type.ts";
import { findLookProblems } from "./look/look-faults.ts";
import {
  isLanguageChange,
  swapMainLanguageTexts,
  translatePlaceholderTexts,
  translateStarterPages,
} from "./main-language.ts";
import { listNavigationPages, setNavigationPages } from "./navigation-order.ts";
import { type SiteProfile, siteProfileSchema } from "./site.ts";
import { saveSiteInTransaction, withoutBuiltInTypes } from "./site-saving.ts";

/** The settings that administrators can edit: site profile and navigation. */
export interface Settings {
  profile: SiteProfile;
  /** The pages in the navigation, in order and in every status. */
  navigation: readonly ItemOutline[];
}

const navigationSchema = z
  .array(
    z.union(
      [
        z.string().min(1).max(1000),
        z.looseObject({ id: z.string().min(1).max(1000) }).transform(({ id }) => id),
      ],
      {
        error: createIssueMessage({
          en: 'name the page by path, source key or id, as "/about"',
          de: "Nennen Sie die Seite mit ihrer Adresse, zum Beispiel /ueber-uns",
        }),
      },
    ),
  )
  .max(50);

const PROFILE_KEYS = Object.keys(siteProfileSchema.shape);

export async function readSettings(content: ContentReader, actor: Actor): Promise<Settings> {
  requireScope(actor, "settings:write");
  return { profile: await profileOf(content), navigation: await listNavigationPages(content) };
}

/**
 * Applies a merge patch to the settings. `navigation`, a list of pages, is replaced as a whole.
 *
 * @throws {AppError} `invalid`, with a problem for each fault.
 */
export async function changeSettings(
  record: ContentRecord,
  actor: Actor,
  patch: MergePatch,
  { now, requestId }: ChangeContext,
): Promise<void> {
  requireScope(actor, "settings:write");
  await record.write(async (transaction) => {
    const before = await profileOf(transaction);
    const { navigation, ...profilePatch } = patch;
    const problems = unknownKeys(profilePatch);
    const patched = applyMergePatch(before, profilePatch);
    const profile = siteProfileSchema.safeParse(
      "translations" in patch ? patched : swapMainLanguageTexts(patched, before),
      { error: describeIssue },
    );
    problems.push(...(problems.length > 0 ? [] : problemsOf(profile.error, [])));
    const pages = navigationSchema.safeParse(navigation ?? [], { error: describeIssue });
    problems.push(...problemsOf(pages.error, ["navigation"]));
    if (!profile.success || !pages.success || problems.length > 0) throw settingsError(problems);
    const types = withoutBuiltInTypes(await transaction.types());
    const { language } = before;
    const isTranslated = isLanguageChange(language, profile.data.language);
    const next = isTranslated ? translatePlaceholderTexts(profile.data, language) : profile.data;
    await saveSiteInTransaction(transaction, { profile: next, types, actor, now, requestId });
    if (isTranslated) {
      const change = { from: language, to: next.language, now, requestId };
      await translateStarterPages(transaction, actor, change);
    }
    if (navigation !== undefined) {
      await setNavigationPages(transaction, pages.data, {
        at: now.toISOString(),
        actor: actorName(actor),
        requestId: requestId ?? null,
      });
    }
  });
}

/**
 * Returns the profile as a patch would change it, without saving it. The profile is null if it would be
 * invalid; `problems` says what prevents saving it.
 */
export async function previewProfile(
  content: ContentReader,
  actor: Actor,
  patch: MergePatch,
): Promise<{ profile: SiteProfile | null; problems: Problem[] }> {
  requireScope(actor, "settings:write");
  const patchedProfile = applyMergePatch(await profileOf(content), patch);
  const { data, error } = siteProfileSchema.safeParse(patchedProfile, { error: describeIssue });
  if (data === undefined) return { profile: null, problems: problemsOf(error, []) };
  return { profile: data, problems: findLookProblems(data.look) };
}

/** The content types declared by the site. */
export async function readDeclaredTypes(
  content: ContentReader,
  actor: Actor,
): Promise<readonly ContentType[]> {
  requireScope(actor, "settings:write");
  return withoutBuiltInTypes(await content.types());
}

/** @throws {AppError} as {@link saveSiteInTransaction}. */
export async function changeDeclaredTypes(
  record: ContentRecord,
  actor: Actor,
  types: readonly ContentType[],
  { now, requestId }: ChangeContext,
): Promise<void> {
  requireScope(actor, "settings:write");
  await record.write(async (transaction: ContentTransaction) => {
    const profile = await profileOf(transaction);
    await saveSiteInTransaction(transaction, { profile, types, actor, now, requestId });
  });
}

async function profileOf(content: ContentReader): Promise<SiteProfile> {
  const profile = await content.site();
  if (profile !== null) return profile;
  throw new AppError("conflict", {
    en: "The site has no profile yet: import one first",
    de: "Die Website hat noch keine Einstellungen: Spielen Sie zuerst eine Website ein",
  });
}

function unknownKeys(patch: MergePatch): Problem[] {
  const known = [...PROFILE_KEYS, "navigation"].join(", ");
  return Object.keys(patch)
    .filter((key) => !PROFILE_KEYS.includes(key))
    .map((where) => ({
      where,
      message: englishOnlyWording(`is not a setting; there are ${known}`),
    }));
}

function problemsOf(error: z.ZodError | undefined, pathPrefix: readonly string[]): Problem[] {
  return (error?.issues ?? []).map((issue) => ({
    where: formatInputPath([...pathPrefix, ...issue.path]),
    message: wordingOfIssue(issue),
  }));
}

function settingsError(problems: readonly Problem[]): AppError {
  const heading = {
    en: "Cannot change the settings",
    de: "Die Einstellungen lassen sich so nicht speichern",
  };
  return inputError(heading, problems);
}
