import { LOOKS, type LookName } from "../../../src/content/site/look/look.ts";
import type { DemoServer } from "../demo-server.ts";
import type { Shot } from "./photograph.ts";

/** The kinds of pages that docs/looks.md shows in every look. */
const KINDS = {
  home: "/",
  topic: "/topics/time",
  quotation: "/quotations/clock",
  author: "/authors/henry-david-thoreau",
  work: "/works/henry-david-thoreau-walden",
  search: "/search?q=quiet+desperation",
} as const;

/** Each look begins one further, so that every kind is shown in each of them. */
const WINDOWS = [
  { size: "desktop", scheme: "light" },
  { size: "phone", scheme: "dark" },
  { size: "desktop", scheme: "dark" },
  { size: "phone", scheme: "light" },
] as const satisfies Partial<Shot>[];

const ARABIC = new URL("arabic.jsonl", import.meta.url).pathname;

/** The pictures of a look in docs/looks.md. */
export function docsShots(look: LookName): Shot[] {
  return Object.entries(KINDS).flatMap(([kind, path], at) => {
    const seen = WINDOWS[(at + LOOKS.indexOf(look)) % WINDOWS.length];
    return seen === undefined ? [] : [{ path, ...seen, file: `${look}-${kind}.webp` }];
  });
}

/** The page on paper and the page from right to left, each with its look. */
export const PRINTED: Shot = {
  path: KINDS.topic,
  ...{ size: "paper", scheme: "light", media: "print", file: "printed.webp" },
};
export const RIGHT_TO_LEFT: Shot = {
  path: "/ar/authors/al-mutanabbi",
  ...{ size: "desktop", scheme: "light", file: "right-to-left.webp" },
};

/** Adds an edition in Arabic to the demo, with an author and lines of his. */
export async function addArabic({ commonplace }: DemoServer): Promise<void> {
  const patch = JSON.stringify({
    languages: ["ar", "de"],
    translations: { ar: { name: "جمعية المختارات", description: "أقوال مأثورة بحسب الموضوع." } },
  });
  await commonplace("api", "PATCH", "/settings", "--header", "If-Match: *", "--data", patch);
  await commonplace("import", ARABIC);
}
