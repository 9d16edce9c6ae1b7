import { Parser } from "htmlparser2";
import { html, type SafeHtml, trustedHtml } from "./html.ts";

type Attributes = Readonly<Record<string, string>>;

/** A tag and its position in the text; `attributes` is null for an end tag. */
interface Tag {
  name: string;
  attributes: Attributes | null;
  from: number;
  to: number;
}

interface Edit {
  from: number;
  to: number;
  text: string;
}

/** A form whose submission was refused. */
export interface RejectedForm {
  /** The path that the form posts to. */
  action: string;
  /**
   * The submitted values. A field that was not submitted keeps its value on the page. Checkboxes and radio
   * buttons that were not submitted are cleared.
   */
  form: { values(name: string): readonly string[] };
  /**
   * Whether the edited object has changed since the form was shown. If so, hidden fields get the
   * values of the new page instead of the submitted ones.
   */
  isOutdated: boolean;
}

/**
 * Returns the next submitted value of the fields with this name; undefined if there are no more.
 */
type NextValue = (name: string) => string | undefined;

/**
 * Fills in a form of a page with the submitted values, so that an error loses no input. Passwords and files
 * are left out. Returns the content of the page.
 */
export function refillForm({ text }: SafeHtml, failed: RejectedForm): SafeHtml {
  const tags = tagsIn(text);
  const at = tags.findIndex(
    ({ name, attributes }) => name === "form" && attributes?.["action"] === failed.action,
  );
  const start = tags[at];
  if (start === undefined) return trustedHtml(text);
  const end = tags.findIndex((tag, index) => index > at && isEnd(tag, "form"));
  const filled = filledControls(tags.slice(at + 1, end), failed);
  return trustedHtml(applyEdits(text, [...openSections(tags.slice(0, at)), ...filled]));
}

function tagsIn(text: string): Tag[] {
  const tags: Tag[] = [];
  const position = () => ({ from: parser.startIndex, to: parser.endIndex + 1 });
  const parser = new Parser({
    onopentag: (name, attributes) => tags.push({ name, attributes, ...position() }),
    onclosetag: (name, isImplied) => {
      if (!isImplied) tags.push({ name, attributes: null, ...position() });
    },
  });
  parser.end(text);
  return tags;
}

/** Returns the edits that open the collapsed sections (`details`) around a form. */
function openSections(before: readonly Tag[]): Edit[] {
  const around: Tag[] = [];
  for (const tag of before) {
    if (tag.name !== "details") continue;
    if (tag.attributes === null) around.pop();
    else around.push(tag);
  }
  return around.map((tag) => startTag(tag, { ...tag.attributes, open: "" }));
}

function filledControls(tags: readonly Tag[], failed: RejectedForm): Edit[] {
  const used = new Map<string, number>();
  const nextValue: NextValue = (name) => {
    const at = used.get(name) ?? 0;
    used.set(name, at + 1);
    return failed.form.values(name)[at];
  };
  return tags.flatMap((tag, at) => {
    if (tag.attributes === null) return [];
    if (tag.name === "input") return filledInput(tag, tag.attributes, { failed, nextValue });
    if (tag.name !== "select" && tag.name !== "textarea") return [];
    const value = nextValue(tag.attributes["name"] ?? "");
    if (value === undefined) return [];
    const end = tags.findIndex((each, index) => index > at && isEnd(each, tag.name));
    if (tag.name === "select") return chosenOption(tags.slice(at + 1, end), value);
    return [{ from: tag.to, to: tags[end]?.from ?? tag.to, text: html`\n${value}`.text }];
  });
}

function filledInput(
  tag: Tag,
  attributes: Attributes,
  { failed: { form, isOutdated }, nextValue }: { failed: RejectedForm; nextValue: NextValue },
): Edit[] {
  const { name = "", type = "text", value = "on", checked: _, ...rest } = attributes;
  const keepsOwn = ["password", "file"].includes(type) || (isOutdated && type === "hidden");
  if (keepsOwn || name === "") return [];
  if (type === "checkbox" || type === "radio") {
    const isChosen = form.values(name).includes(value);
    const unchecked = { type, name, value, ...rest };
    return [startTag(tag, isChosen ? { ...unchecked, checked: "" } : unchecked)];
  }
  const sent = nextValue(name);
  return sent === undefined ? [] : [startTag(tag, { ...attributes, value: sent })];
}

function chosenOption(options: readonly Tag[], value: string): Edit[] {
  return options.flatMap((tag) => {
    if (tag.attributes === null) return [];
    const { selected: _, ...rest } = tag.attributes;
    return [startTag(tag, rest["value"] === value ? { ...rest, selected: "" } : rest)];
  });
}

function isEnd({ name, attributes }: Tag, expected: string): boolean {
  return name === expected && attributes === null;
}

function startTag({ name, from, to }: Tag, attributes: Attributes): Edit {
  const written = Object.entries(attributes).map(
    ([each, value]) => html` ${trustedHtml(each)}="${value}"`,
  );
  return { from, to, text: html`<${trustedHtml(name)}${written}>`.text };
}

function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = "";
  let at = 0;
  for (const { from, to, text: piece } of edits.toSorted((a, b) => a.from - b.from)) {
    result += text.slice(at, from) + piece;
    at = to;
  }
  return result + text.slice(at);
}
