import { isReservedPath } from "../../../addresses/paths.ts";
import type { ContentTypes } from "../../../types/content-type.ts";
import { firstRelationToType } from "../../../types/relation-to.ts";
import { ambiguousNameMessage, type ItemsByName, normalizeTitle } from "../../item-names.ts";
import type { ImportProblem, ParsedItem } from "../../parsed-item.ts";
import type { RedirectPair } from "../../redirects/redirect-rule.ts";
import type { ItemNamedInRows } from "../../tables/named-items.ts";
import { resolveItemReference, slugOfName } from "../../tables/named-items.ts";
import type { SiteGenerator } from "../site-generator.ts";
import type { FileTopicsAndAuthors } from "./file-terms.ts";
import type { NamedTerm } from "./term-values.ts";

/** A file that may name topics and authors; `adapted` is null for a file written for this service. */
interface NamingFile {
  adapted: { terms: FileTopicsAndAuthors } | null;
}

type Target = "topic" | "author";

/** Maximum number of topics and, separately, of authors. No items are created for further names. */
const NAMES_MAX = 200_000;

/**
 * The topics and authors named by the files of a folder, without duplicates, each in the spelling
 * that occurs first.
 */
export class FolderTerms {
  readonly #names = new Map<Target, Map<string, ItemNamedInRows>>();
  readonly #spelling = new Map<string, string>();
  /** Former addresses of tag and author pages, only for tags and authors that a public page names. */
  readonly #lists = new Map<string, { target: Target; name: string }>();
  /** Former addresses of the pages that listed all tags or all authors. */
  readonly #roots = new Map<string, Target>();

  get namedItems(): ReadonlyMap<string, ReadonlyMap<string, ItemNamedInRows>> {
    return this.#names;
  }

  /**
   * Redirects from the former site's tag and author pages, including their numbered pages and
   * feeds, and from the pages that listed all tags or all authors.
   */
  redirects(options: { types: ContentTypes; find: ItemsByName["find"] }): RedirectPair[] {
    const termRedirects = [...this.#lists].flatMap(([list, { target, name }]) => {
      const reference = resolveItemReference(target, name, options);
      if (!("path" in reference) || reference.path === list || isReservedPath(list)) return [];
      return [{ from: `${list}/*`, to: reference.path }];
    });
    const lists = new Set([...options.types.values()].map(({ listPath }) => listPath));
    const rootRedirects = [...this.#roots].flatMap(([from, target]) => {
      const to = options.types.get(target)?.listPath ?? null;
      const isFree = !lists.has(from) && !this.#lists.has(from) && !isReservedPath(from);
      return to === null || !isFree ? [] : [{ from, to }];
    });
    return [...termRedirects, ...rootRedirects];
  }

  add(
    { adapted }: NamingFile,
    conventions: { generator: Pick<SiteGenerator, "listsSections"> } | null,
    isPublic: boolean,
  ): void {
    const hasRoots = isPublic && conventions?.generator.listsSections === true;
    for (const [target, terms] of [
      ["topic", adapted?.terms.topics ?? []],
      ["author", adapted?.terms.authors ?? []],
    ] as const) {
      for (const term of terms) {
        this.#addOne(target, term, isPublic);
        if (hasRoots) this.#addRoots(target, term);
      }
    }
  }

  #addRoots(target: Target, { formerAddresses = [] }: NamedTerm): void {
    for (const list of formerAddresses)
      this.#roots.set(list.slice(0, list.lastIndexOf("/")), target);
  }

  #addOne(target: Target, { name, url, formerAddresses = [] }: NamedTerm, isPublic: boolean): void {
    const names = this.#names.get(target) ?? new Map<string, ItemNamedInRows>();
    this.#names.set(target, names);
    if (isPublic) this.#addLists(target, name, formerAddresses);
    const key = `${target}/${slugOfName(name) || normalizeTitle(name)}`;
    const spelling = this.#spelling.get(key);
    if (spelling === undefined) {
      if (names.size === NAMES_MAX) return;
      this.#spelling.set(key, name);
      const values = url === undefined ? {} : { values: { same_as: [url] } };
      const column = target === "topic" ? "tags" : "author";
      names.set(name, { isPublic: isPublic ? null : false, line: 1, column, ...values });
      return;
    }
    const before = names.get(spelling);
    if (before !== undefined && isPublic) before.isPublic = null;
  }

  #addLists(target: Target, name: string, lists: readonly string[]): void {
    for (const list of lists) {
      const hasRoom = this.#lists.size < NAMES_MAX;
      if (hasRoom && !this.#lists.has(list)) this.#lists.set(list, { target, name });
    }
  }
}

/** Adds links to the topics and authors that an item's file names, if the item's type has such relations. */
export function addTermLinks(
  parsed: ParsedItem,
  { adapted }: NamingFile,
  options: { types: ContentTypes; find: ItemsByName["find"] },
): ParsedItem {
  const { input } = parsed;
  const type = input === null ? undefined : options.types.get(input.type);
  if (input === null || type === undefined || adapted === null) return parsed;
  const { terms } = adapted;
  const problems: ImportProblem[] = [];
  const relations = { ...input.relations };
  for (const [target, named] of [
    ["topic", terms.topics],
    ["author", terms.authors],
  ] as const) {
    const relation = type.name === target ? null : firstRelationToType(type, target);
    if (relation === null || named.length === 0) continue;
    const paths = named.flatMap(({ name }) => {
      const reference = resolveItemReference(target, name, options);
      if ("path" in reference) return [reference.path];
      const message = ambiguousNameMessage(name, reference.several);
      problems.push({ ...parsed.placeOf(relation), message, severity: "warning" });
      return [];
    });
    relations[relation] = [...new Set(paths)];
  }
  return { ...parsed, input: { ...input, relations }, problems: [...parsed.problems, ...problems] };
}
