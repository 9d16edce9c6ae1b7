import type { Wording } from "../../../errors.ts";
import { isNestedTooDeeply } from "../html/html-page.ts";
import { isRecord } from "../item-parsing.ts";
import type { LinkedMediaFile } from "../markdown-links.ts";
import { hasBlocks, replaceDynamicBlocks } from "./blocks.ts";
import { type OldLinkResolver, uploadPathOf } from "./old-links.ts";
import { extractUrlsFromHtml, type PostHtml, type PostMarkdown } from "./post-markdown.ts";
import { escapeHtml, expandShortcodes } from "./shortcodes.ts";
import type { PlannedPost, WordPressImportPlan } from "./wordpress-plan.ts";
import type { WordPressPost } from "./wordpress-site.ts";
import type { WxrRecord } from "./wxr-records.ts";

/** Dependencies for converting the texts of posts. */
export interface PostTextContext {
  links: OldLinkResolver;
  /** Returns the ids of the uploads that belong to the post with this id. */
  uploadsOf(id: string): readonly string[];
  convert(text: PostHtml): Promise<PostMarkdown | { refusal: Wording }>;
  /**
   * Publishes an upload. Returns `pending` if the upload must be downloaded first; null if it is
   * missing.
   */
  publish(upload: string, file: WordPressPost | null): Promise<LinkedMediaFile | "pending" | null>;
  /** Called for each reusable block that a text inserts. */
  onBlock(id: string): void;
  /** Called for each upload that a public text shows, with its new address. */
  onShown(upload: string, address: string): void;
}

/** Limit on the HTML of a text; longer texts are refused. */
export const HTML_CHARACTERS_MAX = 2 * 1024 * 1024;
const TOO_LONG: Wording = { en: "is longer than 2 MiB", de: "ist länger als 2 MB" };
/** Bounds the memory of the conversion, which takes about 5 kB for each element. */
const ELEMENTS_MAX = 60_000;
const TOO_MANY_ELEMENTS: Wording = {
  en: `has more than ${ELEMENTS_MAX.toLocaleString("en")} elements`,
  de: `hat mehr als ${ELEMENTS_MAX.toLocaleString("de")} Elemente`,
};
const TOO_DEEP: Wording = { en: "nests too deep", de: "ist zu tief verschachtelt" };

/** The text of a post as Markdown, with notes on what was changed or left out. */
export async function convertPostWithNotes(
  record: WxrRecord,
  { post, outcome }: PlannedPost,
  { plan, texts }: { plan: WordPressImportPlan; texts: PostTextContext },
): Promise<{ markdown: string; notes: Wording[] } | { refusal: Wording }> {
  const content = record.fields.get("content:encoded") ?? "";
  if (record.isCut || content.length > HTML_CHARACTERS_MAX) return { refusal: TOO_LONG };
  const blocks = replaceDynamicBlocks(content, (id) => {
    texts.onBlock(id);
    return plan.site.blocks.get(id);
  });
  const shortcodes = expandShortcodes(blocks.html, {
    fileOf(id) {
      const file = plan.files.get(id);
      return file?.file ? { ...file.file, title: file.title } : undefined;
    },
    ownFiles: () => texts.uploadsOf(post.id),
  });
  const html = withMainPicture(shortcodes.html, record, plan);
  const footnotes = footnotesIn(record.meta);
  const isPublic = outcome.visibility.status === "published";
  const allHtml = [html, ...footnotes.map((note) => note.content)].join("\n");
  if (hasTooManyElements(allHtml)) return { refusal: TOO_MANY_ELEMENTS };
  if (isNestedTooDeeply(allHtml)) return { refusal: TOO_DEEP };
  const { addresses, notes } = await newAddresses(allHtml, texts, isPublic);
  const converted = await texts.convert({
    html,
    hasBlocks: hasBlocks(content),
    addresses,
    footnotes,
  });
  if ("refusal" in converted) return converted;
  const leftOut = countedNotes([
    ...blocks.leftOut,
    ...[...shortcodes.leftOut, ...converted.leftOut].map((tag) => ({ en: tag, de: tag })),
  ]);
  const missing = shortcodes.missing.length > 0 ? [missingUploads(shortcodes.missing)] : [];
  return {
    markdown: converted.markdown,
    notes: [...(record.notes ?? []), ...leftOut, ...missing, ...notes],
  };
}

const IDS_SHOWN_MAX = 10;

function missingUploads(ids: readonly string[]): Wording {
  const more = ids.length > IDS_SHOWN_MAX ? ", …" : "";
  const shown = ids.slice(0, IDS_SHOWN_MAX).join(", ").slice(0, 200) + more;
  return {
    en: `a gallery or playlist shows files that the export does not have; they are left out: ${ids.length} (ids ${shown})`,
    de: `eine Galerie oder Wiedergabeliste zeigt Dateien, die in der exportierten Datei fehlen; sie werden weggelassen: ${ids.length} (Nummern ${shown})`,
  };
}

function hasTooManyElements(html: string): boolean {
  let elements = 0;
  for (const _ of html.matchAll(/<[a-z]/gi)) {
    elements += 1;
    if (elements > ELEMENTS_MAX) return true;
  }
  return false;
}

function countedNotes(leftOut: readonly Wording[]): Wording[] {
  const groups = Map.groupBy(leftOut, ({ en }) => en);
  return [...groups.values()].flatMap((each) => {
    const times = each.length === 1 ? { en: "", de: "" } : repeatCount(each.length);
    return each.slice(0, 1).map(({ en, de }) => ({
      en: `${en}${times.en} shows something that the former site made; it is left out`,
      de: `${de}${times.de} zeigt etwas, das die frühere Website erzeugt hat; es wird weggelassen`,
    }));
  });
}

function repeatCount(count: number): Wording {
  return { en: ` (${count} times)`, de: ` (${count}-mal)` };
}

/** Adds the featured image above a text, as themes do, unless the text contains the image. */
function withMainPicture(html: string, { meta }: WxrRecord, plan: WordPressImportPlan): string {
  const id = meta.findLast(([key]) => key === "_thumbnail_id")?.[1].trim() ?? "";
  const post = plan.files.get(id);
  const upload = post === undefined ? null : uploadPathOf(post);
  if (!post?.file || upload === null) return html;
  const stem = upload.replace(/(?:-scaled)?\.\w+$/, "");
  if (html.includes(stem) || html.includes(encodeURI(stem))) return html;
  const { url, alt } = post.file;
  return `<p><img src="${escapeHtml(url)}" alt="${escapeHtml(alt)}"></p>\n\n${html}`;
}

/** Returns the footnotes that the block editor stores as JSON: `[{"id":"…","content":"…"}]`. */
function footnotesIn(meta: WxrRecord["meta"]): { id: string; content: string }[] {
  const raw = meta.findLast(([key]) => key === "footnotes")?.[1] ?? "";
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch {
    return [];
  }
  return (Array.isArray(value) ? value : [])
    .filter(isRecord)
    .flatMap(({ id, content }) =>
      typeof id === "string" && typeof content === "string" ? [{ id, content }] : [],
    );
}

/** Publishes the files that a text links to, and returns the new address of each link. */
async function newAddresses(
  html: string,
  texts: PostTextContext,
  isPublic: boolean,
): Promise<{ addresses: Map<string, string>; notes: Wording[] }> {
  const addresses = new Map<string, string>();
  const notes: Wording[] = [];
  const missing: string[] = [];
  for (const link of extractUrlsFromHtml(html)) {
    const found = await newAddress(link, texts, isPublic);
    if (found.address !== undefined) addresses.set(link, found.address);
    if (found.note !== undefined) notes.push(found.note);
    if (found.isMissing === true) missing.push(link);
  }
  const [first] = missing;
  if (first !== undefined) notes.push(missingFiles(first, missing.length));
  return { addresses, notes };
}

interface NewAddress {
  address?: string;
  note?: Wording;
  /** Whether the link leads to a file that is missing. */
  isMissing?: boolean;
}

async function newAddress(
  link: string,
  texts: PostTextContext,
  isPublic: boolean,
): Promise<NewAddress> {
  const target = texts.links.targetOf(link);
  switch (target.kind) {
    case "elsewhere":
      return {};
    case "path":
      return { address: target.path };
    case "unknown":
      return {
        address: target.path,
        note: {
          en: `the link "${shown(link)}" leads to nothing in the export`,
          de: `der Link „${shown(link)}“ führt zu nichts in der exportierten Datei`,
        },
      };
    case "file": {
      const named = await texts.publish(target.upload, target.post);
      if (named === "pending") return {};
      if (named === null) return { isMissing: true };
      if ("fault" in named) {
        const { en, de } = named.fault;
        return {
          note: {
            en: `the file "${shown(link)}" is not imported: ${en}`,
            de: `die Datei „${shown(link)}“ wird nicht übernommen: ${de}`,
          },
        };
      }
      if (isPublic) texts.onShown(target.upload, named.address);
      return { address: named.address };
    }
  }
}

function missingFiles(first: string, count: number): Wording {
  return count === 1
    ? {
        en: `the file "${shown(first)}" is missing; its link stays`,
        de: `die Datei „${shown(first)}“ liegt nicht vor; der Link darauf bleibt`,
      }
    : {
        en: `${count} files, as "${shown(first)}", are missing; their links stay`,
        de: `${count} Dateien, etwa „${shown(first)}“, liegen nicht vor; die Links darauf bleiben`,
      };
}

function shown(link: string): string {
  return link.length <= 200 ? link : `${link.slice(0, 199)}…`;
}
