import { dirname } from "node:path";
import type { Actor } from "../../access/actor.ts";
import type { ParsedItem } from "../../content/import/parsed-item.ts";
import { NEWS_TYPE } from "../../content/import/posts/post-type.ts";
import type { RedirectPair } from "../../content/import/redirects/redirect-rule.ts";
import { buildFormerAddressRedirects } from "../../content/import/wordpress/former-addresses.ts";
import { OldLinkResolver, uploadPathOf } from "../../content/import/wordpress/old-links.ts";
import type { PostTextContext } from "../../content/import/wordpress/post-text.ts";
import { mapPostTypes } from "../../content/import/wordpress/type-mapping.ts";
import {
  buildAuthorAndTopicItems,
  readPostItems,
  type WordPressOptions,
} from "../../content/import/wordpress/wordpress-items.ts";
import {
  type OmittedRecords,
  planWordPressImport,
  type WordPressImportPlan,
} from "../../content/import/wordpress/wordpress-plan.ts";
import { readWordPressSite } from "../../content/import/wordpress/wordpress-site.ts";
import type { ContentRecord } from "../../content/record.ts";
import { saveSite, withoutBuiltInTypes } from "../../content/site/site-saving.ts";
import { readSiteTimeZone } from "../../content/site/time-zone.ts";
import type { Wording } from "../../errors.ts";
import type { FilePublisher } from "../publish-files.ts";
import { convertPostWithinLimits } from "./convert-post.ts";
import { readExportRecords } from "./export-files.ts";
import { openWordPressUploads, type UploadSource, type WordPressUploads } from "./uploads.ts";

export interface WordPressChoices {
  /** Pairs of a type in the exports and a type of the site, such as `post=page`. */
  as: readonly string[];
  importsAsDrafts: boolean;
  now: Date;
  publisher: FilePublisher;
  /** The sources of uploaded files, in addition to the folders of the exports. */
  uploads: UploadSource;
  onBytes: (bytes: number) => void;
  onNote: (message: Wording) => void;
}

/** The exports of a WordPress site, ready to be imported. */
export interface WordPressImport {
  items(): AsyncGenerator<ParsedItem>;
  /** Must be called after all items are read. @returns the redirects, and what was left out. */
  end(): Promise<WordPressResult>;
}

export interface WordPressResult {
  redirects: RedirectPair[];
  leftOut: OmittedRecords[];
}

/**
 * Reads the exports once to plan paths, links and redirects; texts are converted later, one at a
 * time. Declares a type for posts if the site has none.
 *
 * @throws {AppError} `invalid` for a damaged export, or types that do not exist.
 */
export async function openWordPressExports(
  record: ContentRecord,
  actor: Actor,
  files: readonly string[],
  choices: WordPressChoices,
): Promise<WordPressImport> {
  const { now, onNote } = choices;
  const site = await readWordPressSite(readExportRecords(files));
  const { mapping, needsNews } = mapPostTypes(site, await record.types(), choices.as);
  const profile = await record.site();
  if (needsNews && profile !== null) {
    const declared = withoutBuiltInTypes(await record.types());
    await saveSite(record, actor, profile, [...declared, NEWS_TYPE], now);
    onNote(NEWS_ADDED);
  }
  const types = await record.types();
  const plan = planWordPressImport(site, { types, mapping, now });
  const main = profile?.language ?? "en";
  const language = languageOf(site.language, main);
  if (language !== main) {
    onNote({
      en: `The texts are in "${language}", the site's main language is "${main}"`,
      de: `Die Texte sind in der Sprache „${language}“, die Hauptsprache der Website ist „${main}“`,
    });
  }
  const folders = [...choices.uploads.folders, ...new Set(files.map((file) => dirname(file)))];
  const uploads = openWordPressUploads({ ...choices.uploads, folders }, choices.publisher);
  const shownUploads = new Map<string, string>();
  const usedBlocks = new Set<string>();
  const texts = textsOf(plan, uploads, { shownUploads, usedBlocks });
  const options = {
    ...{ types, now, plan, language, texts, importsAsDrafts: choices.importsAsDrafts },
    timeZone: await readSiteTimeZone(record),
  };
  return {
    items: () => itemsOf(files, options, choices.onBytes),
    async end() {
      for (const post of plan.files.values()) {
        const upload = uploadPathOf(post);
        if (upload !== null) await uploads.publish(upload, post);
      }
      const redirects = buildFormerAddressRedirects(plan, shownUploads, types);
      const blocks = blocksLeftOut(plan.blocks, usedBlocks);
      const leftOut = [...plan.leftOut, ...blocks, ...filesLeftOut(uploads)];
      return { redirects, leftOut };
    },
  };
}

async function* itemsOf(
  files: readonly string[],
  options: WordPressOptions,
  onBytes: (bytes: number) => void,
): AsyncGenerator<ParsedItem> {
  const [first = ""] = files;
  yield* buildAuthorAndTopicItems(first, options);
  for (const file of files) yield* readPostItems(readExportRecords([file], onBytes), file, options);
}

/**
 * Reduces the language tag `raw` of an export to its language, without the region. Returns the site's own
 * tag `main` if both tags have the same language, or if `raw` is not a language tag.
 */
function languageOf(raw: string, main: string): string {
  const primary = /^[a-z]{2,3}(?=$|[-_])/i.exec(raw)?.[0].toLowerCase();
  return primary === undefined || main.split("-")[0] === primary ? main : primary;
}

function textsOf(
  plan: WordPressImportPlan,
  uploads: WordPressUploads,
  { shownUploads, usedBlocks }: { shownUploads: Map<string, string>; usedBlocks: Set<string> },
): PostTextContext {
  const filesByPost = Map.groupBy(plan.files.values(), ({ parent }) => parent);
  return {
    links: new OldLinkResolver(plan),
    uploadsOf: (id) => (id === "0" ? [] : (filesByPost.get(id) ?? []).map((file) => file.id)),
    convert: convertPostWithinLimits,
    publish: (upload, file) => uploads.publish(upload, file),
    onBlock: (id) => usedBlocks.add(id),
    onShown: (upload, address) => shownUploads.set(upload, address),
  };
}

const NEWS_ADDED: Wording = {
  en: 'The type "news" was added to the site for the posts; for pages instead, choose what posts become as post=page',
  de: "Für die Beiträge wurde der Website die Art „news“ hinzugefügt; sollen sie Seiten werden, wählen Sie als das, was aus Beiträgen wird, post=page",
};
const FILES_LABEL: Wording = { en: "files", de: "Dateien" };
const FILES_MISSING: Wording = {
  en: "they are missing: put the folder that has them, such as uploads, beside the export, and import both together, as one folder or ZIP",
  de: "sie liegen nicht vor: Legen Sie den Ordner, in dem sie sind, etwa uploads, neben den Export, und importieren Sie beide zusammen, als einen Ordner oder ein ZIP",
};
const FETCHED_LATER: Wording = { en: "a run fetches them", de: "ein Import holt sie" };

function filesLeftOut(uploads: WordPressUploads): OmittedRecords[] {
  const { missing, pending } = uploads.counts();
  const all = [
    {
      count: missing,
      reason: FILES_MISSING,
      isContent: true,
    },
    { count: pending, reason: FETCHED_LATER, isContent: false },
  ];
  return all.filter(({ count }) => count > 0).map((each) => ({ what: FILES_LABEL, ...each }));
}

const BLOCKS_LABEL: Wording = { en: "reusable blocks", de: "wiederverwendbare Blöcke" };
const BLOCKS_IN_PLACE: Wording = {
  en: "their texts are put in place",
  de: "ihr Text steht dort, wo sie benutzt werden",
};
const BLOCKS_UNUSED: Wording = {
  en: "no imported text uses them, so that their texts are nowhere",
  de: "kein übernommener Text benutzt sie, ihr Text steht also nirgends",
};

function blocksLeftOut(blocks: readonly string[], used: ReadonlySet<string>): OmittedRecords[] {
  const usedCount = blocks.filter((id) => used.has(id)).length;
  return [
    { count: usedCount, reason: BLOCKS_IN_PLACE },
    { count: blocks.length - usedCount, reason: BLOCKS_UNUSED },
  ]
    .filter(({ count }) => count > 0)
    .map((each) => ({ what: BLOCKS_LABEL, isContent: false, ...each }));
}
