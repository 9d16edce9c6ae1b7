import type { z } from "zod";
import { describeIssue, wordingOfIssue } from "../items/issue-messages.ts";
import { cssSchema } from "../site/look/look.ts";
import { parseSiteCss } from "../site/look/site-css.ts";
import { type SiteProfile, siteProfileSchema } from "../site/site.ts";
import { type ContentType, contentTypeSchema } from "../types/content-type.ts";
import { parseYamlMapping } from "./front-matter.ts";
import type { ImportProblem } from "./parsed-item.ts";

/** A parsed file of a site folder; `value` is null if there are problems. */
interface ParsedFile<T> {
  value: T | null;
  problems: ImportProblem[];
}

/** Parses `site.yaml`. */
export function parseSiteProfile(text: string): ParsedFile<SiteProfile> {
  return parseYamlFile(text, siteProfileSchema);
}

/**
 * Adds the rules of `theme.css` to the profile from `site.yaml`. The two files must not both contain CSS
 * rules.
 */
export function parseTheme(text: string, profile: SiteProfile): ParsedFile<SiteProfile> {
  const css = text.replace(/\r\n?/g, "\n");
  if (css.trim() === "") return { value: profile, problems: [] };
  const faults = profile.look.css === undefined ? themeFaults(css) : [STATED_TWICE];
  if (faults.length === 0)
    return { value: { ...profile, look: { ...profile.look, css } }, problems: [] };
  const problems = faults.map((fault) => ({ ...fault, field: "", severity: "error" as const }));
  return { value: null, problems };
}

const STATED_TWICE: ReturnType<typeof themeFaults>[number] = {
  line: 1,
  message: {
    en: "site.yaml states rules too (look.css); keep one of the two",
    de: "auch site.yaml nennt Gestaltungsregeln (look.css); behalten Sie eines von beiden",
  },
};

function themeFaults(css: string) {
  const { error } = cssSchema.safeParse(css, { error: describeIssue });
  if (error === undefined) return parseSiteCss(css).faults;
  return error.issues.map((issue) => ({ line: 1, message: wordingOfIssue(issue) }));
}

/** Parses a file of `types/`. */
export function parseTypeFile(text: string): ParsedFile<ContentType> {
  return parseYamlFile(text, contentTypeSchema);
}

function parseYamlFile<T>(text: string, schema: z.ZodType<T>): ParsedFile<T> {
  const { values, faults: wrong, repeated, lineOf } = parseYamlMapping(text, 0);
  const faults = [...wrong, ...repeated];
  if (faults.length > 0) {
    const problems = faults.map((fault) => ({ ...fault, field: "", severity: "error" as const }));
    return { value: null, problems };
  }
  const parsed = schema.safeParse(values, { error: describeIssue });
  if (parsed.success) return { value: parsed.data, problems: [] };
  const problems = parsed.error.issues.map((issue) => {
    const keys = issue.path.map(String);
    const message = wordingOfIssue(issue);
    const [unknown] = issue.code === "unrecognized_keys" ? issue.keys : [];
    const line = lineOf(unknown === undefined ? keys : [...keys, unknown]);
    return { line, field: keys.join("."), message, severity: "error" as const };
  });
  return { value: null, problems };
}
