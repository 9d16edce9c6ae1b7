import { isDeepStrictEqual } from "node:util";
import { type Actor, requireScope } from "../../access/actor.ts";
import { auditEntryForChange, type ChangeContext } from "../../access/audit.ts";
import { AppError, type EnglishProblem, englishOnlyWording, inputError } from "../../errors.ts";
import { isReservedPath } from "../addresses/paths.ts";
import type { ContentRecord, ContentTransaction } from "../record.ts";
import { BUILT_IN_TYPES } from "../types/built-in.ts";
import type { ContentType, ContentTypes } from "../types/content-type.ts";
import { relationViews } from "../types/relation-views.ts";
import { applyListMoves, findListMoves, planListMoves } from "./list-moves.ts";
import { findLookProblems } from "./look/look-faults.ts";
import type { SiteProfile } from "./site.ts";

/**
 * Saves the site profile and the declared content types. Idempotent. An existing site keeps its
 * `hidden` setting. It also keeps its import choices if the profile has none.
 *
 * @returns whether anything changed.
 * @throws {AppError} `invalid` for contradictory declarations; `conflict` if a removed type still
 * has items, or if a list or its items would move to a taken address.
 */
export async function saveSite(
  record: ContentRecord,
  actor: Actor,
  profile: SiteProfile,
  declaredTypes: readonly ContentType[],
  now: Date,
): Promise<boolean> {
  requireScope(actor, "settings:write");
  return await record.write(async (transaction) => {
    const before = (await transaction.site()) ?? profile;
    const saved = { ...importChoicesOf(before), ...profile, hidden: before.hidden };
    return await saveSiteInTransaction(transaction, {
      profile: saved,
      types: declaredTypes,
      actor,
      now,
    });
  });
}

/**
 * The import choices in a profile: `tables` and `sources`. A site keeps its choices if `site.yaml` omits
 * them.
 */
export function importChoicesOf({
  tables,
  sources,
}: Pick<SiteProfile, "tables" | "sources">): Pick<SiteProfile, "tables" | "sources"> {
  return {
    ...(tables === undefined ? {} : { tables }),
    ...(sources === undefined ? {} : { sources }),
  };
}

interface SiteChange extends ChangeContext {
  profile: SiteProfile;
  types: readonly ContentType[];
  actor: Actor;
}

/**
 * Saves the profile and types as given, without a permission check. If the path of a list changes,
 * the items below it move too, and their former addresses redirect. Returns and throws as
 * `saveSite`.
 */
export async function saveSiteInTransaction(
  transaction: ContentTransaction,
  { profile, types, actor, now, requestId }: SiteChange,
): Promise<boolean> {
  checkDeclarations(types, profile);
  checkLook(profile);
  const declaredBefore = withoutBuiltInTypes(await transaction.types());
  const before = await transaction.site();
  if (isDeepStrictEqual(before, profile) && isDeepStrictEqual(declaredBefore, types)) return false;
  const dropped = declaredBefore.filter(({ name }) => types.every((type) => type.name !== name));
  const counts = dropped.length === 0 ? [] : await transaction.typeCounts();
  for (const { name, plural } of dropped) {
    if (counts.some(({ type }) => type === name)) {
      throw new AppError(
        "conflict",
        englishOnlyWording(
          `Cannot drop the content type ${name}: there are ${plural} in the record, deleted ones included`,
        ),
      );
    }
  }
  const entry = auditEntryForChange(actionOf(before, profile), "site", { actor, now, requestId });
  const allTypes = new Map([...BUILT_IN_TYPES, ...types].map((type) => [type.name, type]));
  const moves = findListMoves(declaredBefore, types);
  const added = types.filter(({ name }) => declaredBefore.every((type) => type.name !== name));
  const plan = await planListMoves(transaction, actor, moves, { types: allTypes, added, profile });
  await transaction.saveSite(profile, types, entry);
  await applyListMoves(transaction, actor, plan, { now, requestId });
  return true;
}

function actionOf(before: SiteProfile | null, { hidden }: SiteProfile): string {
  if (before === null || before.hidden === hidden) return "site.update";
  return hidden ? "site.hide" : "site.open";
}

/** The types declared by the site, without the built-in ones. */
export function withoutBuiltInTypes(types: ContentTypes): ContentType[] {
  return [...types.values()].slice(BUILT_IN_TYPES.length);
}

function checkLook({ look }: SiteProfile): void {
  const problems = findLookProblems(look);
  const heading = { en: "Cannot use this look", de: "Dieses Erscheinungsbild geht so nicht" };
  if (problems.length > 0) throw inputError(heading, problems);
}

function checkDeclarations(
  declaredTypes: readonly ContentType[],
  { languages = [] }: SiteProfile,
): void {
  const allTypes = [...BUILT_IN_TYPES, ...declaredTypes];
  const types = new Map(allTypes.map((type) => [type.name, type]));
  const faults = [
    ...duplicates(allTypes.map(({ name }) => name)).map((name) => ({
      where: `types.${name}`,
      message: "is declared twice; built-in types cannot be declared again",
    })),
    ...duplicates(allTypes.flatMap(({ listPath }) => listPath ?? [])).map((listPath) => ({
      where: "listPath",
      message: `${listPath} is used by two types`,
    })),
    ...declaredTypes.flatMap((type) => declarationFaults(type, types)),
    ...declaredTypes.flatMap((type) => languageFaults(type, languages)),
    ...allTypes.flatMap((type) => viewFaults(type, types)),
  ];
  if (faults.length === 0) return;
  throw inputError(
    englishOnlyWording("Cannot use these content types"),
    faults.map(({ where, message }) => ({ where, message: englishOnlyWording(message) })),
  );
}

function declarationFaults(type: ContentType, types: ContentTypes): EnglishProblem[] {
  const unknown = Object.entries(type.relations).filter(([, { target }]) => !types.has(target));
  const problems = unknown.map(([name, { target }]) => ({
    where: `types.${type.name}.relations.${name}`,
    message: `there is no content type "${target}"`,
  }));
  if (type.listPath !== null && isReservedPath(type.listPath)) {
    problems.push({
      where: `types.${type.name}.listPath`,
      message: `${type.listPath} is reserved for the service`,
    });
  }
  return problems;
}

/**
 * Refuses a list path that begins with a language of the site, because such paths belong to an
 * edition.
 */
function languageFaults(
  { name, listPath }: ContentType,
  languages: readonly string[],
): EnglishProblem[] {
  const isOfEdition = languages.some((tag) => `${listPath}/`.startsWith(`/${tag.toLowerCase()}/`));
  const message = `${listPath} begins with a language of the site`;
  return isOfEdition ? [{ where: `types.${name}.listPath`, message }] : [];
}

/** Fields and relation views share a namespace, so names must be unique. */
function viewFaults(type: ContentType, types: ContentTypes): EnglishProblem[] {
  const views = relationViews(types, type.name).map(({ name }) => name);
  return duplicates([...Object.keys(type.fields), ...views]).map((name) => ({
    where: `types.${type.name}`,
    message: `two of its fields and relations, with those others state of it, are called "${name}"`,
  }));
}

function duplicates(names: readonly string[]): string[] {
  return [...new Set(names.filter((name, position) => names.indexOf(name) !== position))];
}
