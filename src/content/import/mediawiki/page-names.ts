/** The name of a page: its namespace, and its title within the namespace. */
export interface PageName {
  /** 0 for articles, 6 for files, 10 for templates, 14 for categories. */
  namespace: number;
  /** The title without the namespace, such as `Roses`. */
  title: string;
}

/** Numbers of the namespaces that MediaWiki itself treats specially. */
export const NAMESPACES = {
  ...{ media: -2, special: -1, article: 0, project: 4, file: 6, template: 10, category: 14 },
} as const;

/** Kinds of pages without text for readers, keyed by namespace number. */
const KINDS_WITHOUT_TEXT: Readonly<Record<number, string>> = {
  ...{ 2: "wiki user", 8: "wiki system", 10: "wiki template", 828: "wiki template" },
};

/** The kind of pages in a namespace without texts for readers; undefined for all other namespaces. */
export function kindOfNamespaceWithoutText(namespace: number): string | undefined {
  return namespace % 2 === 1 ? "wiki talk" : KINDS_WITHOUT_TEXT[namespace];
}

/** Names of namespaces that wikis in every language accept. */
const CANONICAL_NAMES: Readonly<Record<string, number>> = {
  ...{ media: -2, special: -1, talk: 1, user: 2, "user talk": 3, project: 4, "project talk": 5 },
  ...{ file: 6, image: 6, "file talk": 7, mediawiki: 8, "mediawiki talk": 9, template: 10 },
  ...{ "template talk": 11, help: 12, "help talk": 13, category: 14, "category talk": 15 },
  ...{ module: 828, "module talk": 829 },
  /** Former names, in several languages, of the namespace for files. Dumps do not list former names. */
  ...{ bild: 6, imagen: 6, immagine: 6, imagem: 6, afbeelding: 6, grafika: 6 },
};

/** Reads and writes titles as the wiki does. */
export class PageNames {
  readonly #byName: ReadonlyMap<string, number>;
  readonly #names: ReadonlyMap<number, string>;

  constructor(namespaces: ReadonlyMap<number, string>) {
    this.#names = namespaces;
    this.#byName = new Map([
      ...Object.entries(CANONICAL_NAMES),
      ...[...namespaces].map(([number, name]): [string, number] => [name.toLowerCase(), number]),
    ]);
  }

  /** Reads a title as written in a text, such as `category:roses_and more`. */
  parse(written: string, defaultNamespace: number = NAMESPACES.article): PageName {
    const spaced = written.replaceAll(/[\s_]+/g, " ").trim();
    const colon = spaced.indexOf(":");
    const prefix = spaced.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    const namespace = colon === -1 ? undefined : this.#byName.get(prefix);
    if (namespace === undefined) return { namespace: defaultNamespace, title: capitalised(spaced) };
    return { namespace, title: capitalised(spaced.slice(colon + 1).trim()) };
  }

  /** The title with the namespace, such as `Category:Roses and more`. */
  full({ namespace, title }: PageName): string {
    const name = this.nameOf(namespace);
    return name === "" ? title : `${name}:${title}`;
  }

  /** The name of a namespace in the language of the wiki; empty for articles. */
  nameOf(namespace: number): string {
    const canonical = Object.entries(CANONICAL_NAMES).find(([, number]) => number === namespace);
    return this.#names.get(namespace) ?? capitalised(canonical?.[0] ?? "");
  }
}

/** Capitalises the first letter of a title, as the wiki does. */
function capitalised(title: string): string {
  const [first = ""] = title;
  const upper = first.toUpperCase();
  return upper.length === first.length ? upper + title.slice(first.length) : title;
}
