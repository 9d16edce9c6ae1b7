import { readdirSync } from "node:fs";
import { basename, extname } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { openSiteLine } from "../support/command-line.ts";
import { serve } from "../support/served.ts";
import { judgeRebuilt } from "./sites/rebuilt-site.ts";
import { type WalkedSite, walkSite } from "./sites/walk-site.ts";
import { announce, type Verdict } from "./verdict.ts";

/**
 * Imports folders of real sites, each with one command into an empty site, and walks what is served: every text
 * is accounted for, no link is broken that led to a file of the folder, no tag of the former program is shown,
 * languages have their direction: `npm run judge:sites -- [--rebuilt FILES] FOLDER…`. With FILES, a folder such as
 * `test/judges/sites/publiccode`, the first site is also imported with its menu and its old addresses.
 */
const TEXTS = new Set([".md", ".markdown", ".mdx", ".html", ".htm"]);
const RIGHT_TO_LEFT = /^(?:ar|fa|he|ur)\b/;
const SHOWN_MAX = 10;

const reportSchema = z.object({
  created: z.number(),
  updated: z.number(),
  unchanged: z.number(),
  conflicts: z.number(),
  failed: z.number(),
  skippedTotal: z.number(),
  drafts: z.number(),
  problems: z.array(
    z.object({ file: z.string(), message: z.string(), severity: z.enum(["error", "warning"]) }),
  ),
  notes: z.array(z.string()),
  writtenFor: z.record(z.string(), z.string()),
});
type Report = z.infer<typeof reportSchema>;

const {
  values: { rebuilt },
  positionals: folders,
} = parseArgs({ options: { rebuilt: { type: "string" } }, allowPositionals: true });
const [first] = folders;
if (first === undefined) throw new Error("Name the folders of sites");
const verdicts: Verdict[] = rebuilt === undefined ? [] : await judgeRebuilt(first, rebuilt);
for (const folder of folders) verdicts.push(...(await judge(folder)));
process.exitCode = announce(verdicts);

async function judge(folder: string): Promise<Verdict[]> {
  using line = await openSiteLine();
  const texts = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => {
    return TEXTS.has(extname(file)) && !/(?:^|\/)\./.test(file);
  });
  const { code, out, err } = await line.spawn("import", "--publish", "--json", folder);
  if (!out.startsWith("{")) return [{ what: folder, passed: false, detail: err.slice(0, 1000) }];
  const report = reportSchema.parse(JSON.parse(out));
  await using server = await serve(line);
  const site = await walkSite(server.origin);
  const generators = Object.values(report.writtenFor).join(", ") || "no program";
  console.log(`${folder}: ${generators}, ${texts.length} texts, exit code ${code}`);
  showFragments(site);
  const named = (what: string) => `${basename(folder)}: ${what}`;
  return [
    accounted(report, texts.length),
    links(report, { site, texts }),
    tags(site),
    directions(site),
  ].map(({ what, ...verdict }) => ({ ...verdict, what: named(what) }));
}

function accounted(report: Report, texts: number): Verdict {
  const { created, updated, unchanged, conflicts, failed, skippedTotal, drafts } = report;
  const terms = report.notes.flatMap((note) => {
    const [, topics, authors] = /new topics: (\d+), new authors: (\d+)/.exec(note) ?? [];
    return topics === undefined ? [] : [Number(topics) + Number(authors)];
  });
  const added = terms.reduce((sum, count) => sum + count, 0);
  const taken = created + updated + unchanged - added;
  return {
    what: "texts are accounted for",
    passed: taken + conflicts + failed + skippedTotal >= texts && failed === 0,
    detail: `${taken} in (${drafts} as drafts), ${skippedTotal} skipped, ${failed} failed, of ${texts}; ${added} topics and authors of theirs`,
  };
}

/** Links that lead nowhere must have been reported, and must not name a file of the folder. */
function links(
  report: Report,
  { site, texts }: { site: WalkedSite; texts: readonly string[] },
): Verdict {
  const reported = report.problems.flatMap(({ message }) => {
    return (
      /link "(.*)" leads to no file|file behind "(.*)" is not imported/
        .exec(message)
        ?.slice(1)
        .find(Boolean) ?? []
    );
  });
  const dead = [...site.statuses].filter(([, status]) => status !== 200);
  const ends = new Set(texts.map((file) => nameOf(file)));
  const told = new Set(reported.map((link) => nameOf(link)));
  const silent = dead.filter(([path]) => !told.has(nameOf(path)));
  const there = reported.filter((link) => !link.includes("://") && ends.has(nameOf(link)));
  show(
    "leads nowhere without a word",
    silent.map(([path, status]) => `${status} ${path}`),
  );
  show("reported, but a file has that name", [...new Set(there)]);
  return {
    what: "links to what the folder has",
    passed: silent.length === 0,
    detail: `${site.statuses.size} addresses, ${dead.length} dead, ${silent.length} of them without a word; ${reported.length} reported, ${new Set(there).size} with the name of some file of the folder`,
  };
}

/** The last part of a path, without its ending: `/docs/faq/` and `docs/faq.md` are `faq`. */
function nameOf(path: string): string {
  const [bare = ""] = decoded(path).split(/[?#]/);
  const parts = bare.split("/").filter((part) => part !== "");
  const last = (parts.at(-1) ?? "").replace(/(?:\.[a-z]{2,8}){1,2}$/i, "").toLowerCase();
  return /^_?(?:index|readme)$/.test(last) ? nameOf(parts.slice(0, -1).join("/")) : last;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Not judged: places that the former page lacked are missing too. */
function showFragments({ pages }: WalkedSite): void {
  const names = new Map(pages.map((page) => [page.path, page.names]));
  const missing = pages.flatMap(({ path, fragments: wanted }) => {
    return wanted
      .filter((each) => names.get(each.path)?.has(each.name) === false)
      .map((each) => `${path}: ${each.path}#${each.name}`);
  });
  show("place that its page lacks", missing);
  const count = pages.reduce((sum, page) => sum + page.fragments.length, 0);
  console.log(`  links to places in pages: ${count - missing.length} of ${count} are there`);
}

function tags({ pages }: WalkedSite): Verdict {
  const shown = pages.flatMap(({ path, rawTags }) => rawTags.map((tag) => `${path}: ${tag}`));
  show("tag that is shown", shown);
  return {
    what: "tags of the former program shown",
    passed: shown.length === 0,
    detail: `${shown.length} on ${pages.length} pages`,
  };
}

function directions({ pages }: WalkedSite): Verdict {
  const wrong = pages.filter(({ language, direction }) => {
    return (direction === "rtl") !== RIGHT_TO_LEFT.test(language);
  });
  const byLanguage = Map.groupBy(pages, ({ language }) => language);
  const counts = [...byLanguage].map(([language, some]) => {
    const linked = some.filter(({ translations }) => translations > 0).length;
    return `${language} ${some.length} (${linked} with translations)`;
  });
  return {
    what: "languages and their direction",
    passed: wrong.length === 0 && pages.length > 0,
    detail: counts.join(", "),
  };
}

function show(what: string, places: readonly string[]): void {
  for (const place of places.slice(0, SHOWN_MAX)) console.log(`  ${what}: ${place}`);
  if (places.length > SHOWN_MAX) console.log(`  ${what}: ${places.length - SHOWN_MAX} more`);
}
