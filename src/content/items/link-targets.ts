import type { Problem, Wording } from "../../errors.ts";
import type { ContentTransaction, ItemReference } from "../record.ts";
import type { ContentType, Relation } from "../types/content-type.ts";
import type { ItemInput, Link } from "./item.ts";
import { findOriginalId } from "./translations.ts";
import { cleanText, invalidInputError } from "./validation.ts";

interface Source {
  type: ContentType;
  ownId: string;
  /** The item's name in messages. */
  subject: string;
}

interface ParsedLink {
  relation: string;
  declared: Relation;
  where: string;
  name: string;
  note: string | null;
}

export interface ResolvedLinks {
  relations: Record<string, readonly Link[]>;
  missing: readonly string[];
}

/**
 * Resolves the link targets of an input by path, source key or id.
 *
 * @throws {AppError} `invalid`, with a problem for each invalid relation or target.
 */
export async function resolveLinks(
  transaction: ContentTransaction,
  inputLinks: ItemInput["relations"],
  source: Source & { missingTargets: "refuse" | "leave_out" },
): Promise<ResolvedLinks> {
  const problems: Problem[] = [];
  const missing: string[] = [];
  const relations: Record<string, Link[]> = {};
  const links = parseLinks(inputLinks, source.type, problems);
  const found = await transaction.references(links.map(({ name }) => name));
  for (const link of links) {
    const target = found.get(link.name);
    if (target === undefined && source.missingTargets === "leave_out") {
      missing.push(link.name);
      continue;
    }
    const group = relations[link.relation] ?? [];
    const fault = linkFault(link, target, { ownId: source.ownId, group });
    if (fault !== null) problems.push({ where: link.where, message: fault });
    else if (target !== undefined) {
      relations[link.relation] = [...group, { to: target.id, note: link.note }];
    }
  }
  if (problems.length > 0) throw invalidInputError(source.subject, problems);
  return { relations, missing };
}

/**
 * Finds the item that an input translates. If the found item is itself a translation, returns the
 * original of that translation.
 *
 * @throws {AppError} `invalid` if the input would translate itself or an item of another type, or
 * if the item is unknown and `missingTargets` is `refuse`.
 */
export async function resolveOriginal(
  transaction: ContentTransaction,
  originalName: string | undefined,
  { type, ownId, subject, missingTargets }: Source & { missingTargets: "refuse" | "leave_out" },
): Promise<{ original: string | null; missing: readonly string[] }> {
  if (originalName === undefined) return { original: null, missing: [] };
  const name = originalName.normalize("NFC");
  const target = (await transaction.references([name])).get(name);
  if (target === undefined && missingTargets === "leave_out") {
    return { original: null, missing: [name] };
  }
  const original = target === undefined ? null : await findOriginalId(transaction, target.id);
  const fault = originalFault({ name, target, original }, { type, ownId });
  if (fault !== null)
    throw invalidInputError(subject, [{ where: "translationOf", message: fault }]);
  return { original, missing: [] };
}

function originalFault(
  {
    name,
    target,
    original,
  }: { name: string; target: ItemReference | undefined; original: string | null },
  { type, ownId }: Pick<Source, "type" | "ownId">,
): Wording | null {
  if (target === undefined) return unknownTarget(name);
  if (target.id === ownId) {
    return {
      en: "an item cannot be a translation of itself",
      de: "Ein Inhalt kann nicht die Übersetzung von sich selbst sein",
    };
  }
  if (target.type !== type.name) {
    return {
      en: `${name} is of the type ${target.type}, not ${type.name}`,
      de: `${name} ist vom Typ ${target.type}, nicht ${type.name}`,
    };
  }
  return original === ownId
    ? { en: `${name} is a translation of it`, de: `${name} ist eine Übersetzung davon` }
    : null;
}

/** The links in an input, in the order in which its type declares relations. */
function parseLinks(
  inputLinks: ItemInput["relations"],
  type: ContentType,
  problems: Problem[],
): ParsedLink[] {
  const knownRelations = Object.keys(type.relations);
  for (const name of Object.keys(inputLinks)) {
    if (knownRelations.includes(name)) continue;
    problems.push({
      where: `relations.${name}`,
      message: {
        en: `${type.plural} have no such relation (they have: ${knownRelations.join(", ") || "none"})`,
        de: `Diese Verknüpfung gibt es hier nicht; es gibt: ${knownRelations.join(", ") || "keine"}`,
      },
    });
  }
  return Object.entries(type.relations).flatMap(([relation, declared]) => {
    const targets = inputLinks[relation] ?? [];
    if (!declared.many && targets.length > 1) {
      problems.push({
        where: `relations.${relation}`,
        message: { en: "takes one item only", de: "nimmt nur einen Inhalt" },
      });
    }
    return targets.map((target, position) => ({
      relation,
      declared,
      where: `relations.${relation}[${position}]`,
      name: targetNameOf(target),
      note: typeof target === "string" ? null : (target.note ?? null),
    }));
  });
}

/** The normalised path, source key or id by which a link names its target. */
export function targetNameOf(link: string | { to: string }): string {
  return (typeof link === "string" ? link : link.to).normalize("NFC");
}

function linkFault(
  { name, declared, note }: ParsedLink,
  target: ItemReference | undefined,
  { ownId, group }: { ownId: string; group: readonly Link[] },
): Wording | null {
  if (target === undefined) return unknownTarget(name);
  if (target.id === ownId) {
    return {
      en: "an item cannot be related to itself",
      de: "Ein Inhalt kann nicht mit sich selbst verknüpft sein",
    };
  }
  if (target.type !== declared.target) {
    return {
      en: `${name} is of the type ${target.type}, not ${declared.target}`,
      de: `${name} ist vom Typ ${target.type}, nicht ${declared.target}`,
    };
  }
  if (group.some(({ to }) => to === target.id)) {
    return { en: `${name} is here twice`, de: `${name} steht doppelt da` };
  }
  return note !== null && cleanText(note) === null
    ? { en: "the note contains control characters", de: "Die Anmerkung enthält Steuerzeichen" }
    : null;
}

function unknownTarget(name: string): Wording {
  return name.startsWith("/")
    ? { en: `no item has the path "${name}"`, de: `Kein Inhalt hat die Adresse „${name}“` }
    : {
        en: `no item has the source key "${name}"`,
        de: `Den verknüpften Inhalt gibt es nicht (${name})`,
      };
}
