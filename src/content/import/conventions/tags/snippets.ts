import { countLineBreaks } from "../../lines.ts";
import { splitCodeAndProse } from "../code-parts.ts";
import { replaceTags, type UnknownTag, type UntaggedText } from "./replacing.ts";

/**
 * Matches lines that include another file: `--8<-- "a.md"` of MkDocs, `<!--@include: ./a.md-->` and
 * `<<< @/a.js` of VitePress.
 */
const SNIPPET =
  /^[ \t>]*(?:-{1,10}8<-{1,10}[ \t]+["'][^\n]{1,500}|<!--[ \t]{0,20}@include:[^\n]{1,500}-->|<<<[ \t]{0,20}[@.\w/][^\n]{1,500})$/gm;

/** Removes lines that include another file, and reports them. */
export function removeSnippetLines(text: string): UntaggedText {
  const unknown: UnknownTag[] = [];
  let body = "";
  let linesBefore = 0;
  for (const { part, isCode } of splitCodeAndProse(text)) {
    const replaced = isCode ? { body: part, unknown: [] } : replaceTags(part, SNIPPET, () => null);
    for (const { tag, line } of replaced.unknown) {
      unknown.push({ tag: tag.trim(), line: line + linesBefore });
    }
    body += replaced.body;
    linesBefore += countLineBreaks(part);
  }
  return { body, unknown };
}
