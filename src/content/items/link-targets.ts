import type { Problem } from "../../errors.ts";
import type { ContentTransaction, ItemReference } from "../record.ts";
import type { ContentType, Relation } from "../types/content-type.ts";
import type { ItemInput, Link } from "./item.ts";
import { cleanText, invalid } from "./validation.ts";

interface Source {
  type: ContentType;
  ownId: string;
  /** The item's name in messages. */
  subject: string;
}

interface StatedLink {
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
  stated: ItemInput["relations"],
  source: Source & { missingTargets: "refuse" | "leave_out" },
): Promise<ResolvedLinks> {
  const problems: Problem[] = [];
  const missing: string[] = [];
  const relations: Record<string, Link[]> = {};
  const links = statedLinks(stated, source.type, problems);
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
  if (problems.length > 0) throw invalid(source.subject, problems);
  return { relations, missing };
}

/** @throws {AppError} `invalid` if the original is unknown or of another type. */
export async function resolveTranslation(
  transaction: ContentTransaction,
  stated: string | undefined,
  { type, ownId, subject }: Source,
): Promise<string | null> {
  if (stated === undefined) return null;
  const name = stated.normalize("NFC");
  const target = (await transaction.references([name])).get(name);
  const fault =
    target === undefined
      ? unknownTarget(name)
      : target.id === ownId
        ? "an item is no translation of itself"
        : target.type === type.name
          ? null
          : `${name} is of the type ${target.type}, not ${type.name}`;
  if (fault !== null) throw invalid(subject, [{ where: "translationOf", message: fault }]);
  const original = target === undefined ? null : await transaction.item(target.id);
  return original?.translationOf ?? original?.id ?? null;
}

/** In the order of the type's declaration. */
function statedLinks(
  stated: ItemInput["relations"],
  type: ContentType,
  problems: Problem[],
): StatedLink[] {
  const known = Object.keys(type.relations);
  for (const name of Object.keys(stated)) {
    if (known.includes(name)) continue;
    problems.push({
      where: `relations.${name}`,
      message: `${type.plural} have no such relation (they have: ${known.join(", ") || "none"})`,
    });
  }
  return Object.entries(type.relations).flatMap(([relation, declared]) => {
    const targets = stated[relation] ?? [];
    if (!declared.many && targets.length > 1) {
      problems.push({ where: `relations.${relation}`, message: "takes one item only" });
    }
    return targets.map((target, position) => ({
      relation,
      declared,
      where: `relations.${relation}[${position}]`,
      name: (typeof target === "string" ? target : target.to).normalize("NFC"),
      note: typeof target === "string" ? null : (target.note ?? null),
    }));
  });
}

function linkFault(
  { name, declared, note }: StatedLink,
  target: ItemReference | undefined,
  { ownId, group }: { ownId: string; group: readonly Link[] },
): string | null {
  if (target === undefined) return unknownTarget(name);
  if (target.id === ownId) return "an item cannot be related to itself";
  if (target.type !== declared.target) {
    return `${name} is of the type ${target.type}, not ${declared.target}`;
  }
  if (group.some(({ to }) => to === target.id)) return `${name} is here twice`;
  return note !== null && cleanText(note) === null ? "the note contains control characters" : null;
}

function unknownTarget(name: string): string {
  return name.startsWith("/")
    ? `no item has the path "${name}"`
    : `no item has the source key "${name}"`;
}
