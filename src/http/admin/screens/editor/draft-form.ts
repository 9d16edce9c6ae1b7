import type { DraftedItemParts } from "../../../../content/drafts/draft.ts";
import { isTitledFromText } from "../../../../content/items/first-words.ts";
import { enumValueName } from "../../../../content/pages/field-values.ts";
import type { ContentType, Field } from "../../../../content/types/content-type.ts";
import { isTimeOfDayField } from "../../../../content/types/date-fields.ts";
import { isPictureField } from "../../../../content/types/portrait.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import type { Texts } from "../../texts/english.ts";
import { formField } from "../frame/field.ts";
import { optionElement } from "../frame/option.ts";
import { expiryAndReviewControls } from "./date-fields.ts";
import { type RelationFieldLink, relationField } from "./relation-field.ts";
import { pictureButton, toolbarHtml } from "./toolbar.ts";

export interface DraftFormContent {
  type: ContentType;
  parts: DraftedItemParts;
  links: Readonly<Record<string, readonly RelationFieldLink[]>>;
  texts: Texts;
  timeZone: string;
  /** Whether the item does not exist yet. If so, an empty title or text field gets the focus. */
  isNew: boolean;
}

/** The form fields of an item, generated from the declaration of its type. */
export function draftFieldsHtml({
  type,
  parts,
  links,
  texts,
  timeZone,
  isNew,
}: DraftFormContent): SafeHtml {
  const t = texts.draft;
  const text = (part: string) => controlText(parts[part]);
  const first = isNew ? ["title", "body"].find((part) => text(part) === "") : undefined;
  const focus = (part: string) => part === first && html` autofocus`;
  return html`${formField("title", t.title, html`<input id="title" name="title" value="${text("title")}" maxlength="300"${focus("title")}>`, isNew && isTitledFromText(type) ? t.titleHint : undefined)}
${formField("body", t.body, html`${toolbarHtml("body", texts)}<textarea id="body" name="body" data-markdown${focus("body")}>\n${text("body")}</textarea>`, t.bodyHint)}
${writingHelp(texts)}${Object.entries(type.relations).map(([name, relation]) => relationField(name, relation, { links: links[name] ?? [], texts }))}${Object.entries(
  type.fields,
).map(([name, declared]) =>
  valueField(name, declared, {
    value: parts[`fields.${name}`],
    texts,
    type,
  }),
)}${formField("summary", t.summary, html`<textarea id="summary" name="summary" rows="3">\n${text("summary")}</textarea>`, t.summaryHint)}
<details><summary>${t.more}</summary>
${formField("path", t.path, html`<input id="path" name="path" value="${text("path")}">`, t.pathHint)}
${formField("language", t.language, html`<input id="language" name="language" value="${text("language")}">`, t.languageHint)}
${expiryAndReviewControls(parts, { texts, timeZone })}</details>
`;
}

function writingHelp({ draft: t }: Texts): SafeHtml {
  const lines = t.helpLines.map(
    ([written = "", meaning = ""]) => html`<dt>${meaning}</dt><dd><pre>${written}</pre></dd>\n`,
  );
  return html`<details class="writing-help"><summary>${t.help}</summary>
<dl>${lines}</dl></details>
`;
}

/** Whether the control of a field is a text area. */
export function isTextAreaField({ kind }: Field): boolean {
  return kind === "markdown" || kind === "text_list";
}

/** The name of the control for a part of an item, such as `f.year` for `fields.year`. */
export function controlName(part: string): string {
  return part.replace(/^fields\./, "f.").replace(/^relations\./, "r.");
}

/** The text that a control shows for a value. */
export function controlText(value: unknown): string {
  if (Array.isArray(value)) return value.join("\n");
  return value === null || value === undefined ? "" : String(value).replaceAll(/\r\n?/g, "\n");
}

function valueField(
  name: string,
  declared: Field,
  { value, texts, type }: { value: unknown; texts: Texts; type: ContentType },
): SafeHtml {
  const { kind, label, description, values = [] } = declared;
  const t = texts.draft;
  const id = `f-${name}`;
  const attributes = html` id="${id}" name="f.${name}"`;
  const text = controlText(value);
  if (kind === "enum" || kind === "boolean") {
    const choices =
      kind === "enum"
        ? values.map((each) => [each, enumValueName(declared, each)] as const)
        : ([
            ["true", t.yes],
            ["false", t.no],
          ] as const);
    const options = choices.map(([each, shown]) => optionElement(each, shown, each === text));
    return formField(
      id,
      label,
      html`<select${attributes}>${optionElement("", t.none, text === "")}${options}</select>`,
      description,
    );
  }
  if (isTextAreaField(declared)) {
    const hint = kind === "text_list" ? t.oneEach : description;
    const isMarkdown = kind === "markdown";
    const area = html`${isMarkdown && toolbarHtml(id, texts)}<textarea${attributes} rows="4"${isMarkdown && html` data-markdown`}>\n${text}</textarea>`;
    return formField(id, label, area, hint);
  }
  const hint = kind === "partial_date" ? t.partialDate : description;
  const picker = isPictureField(type, name) && pictureButton(id, texts);
  const inputMode = (kind === "integer" || kind === "number") && html` inputmode="numeric"`;
  return formField(
    id,
    label,
    html`<input${attributes} type="${inputType(declared, text, isTimeOfDayField(type, name))}"${inputMode} value="${text}">${picker}`,
    hint,
  );
}

/**
 * The type of a control. An invalid time gets a text control, because a time control would show it
 * as empty.
 */
function inputType({ kind }: Field, text: string, isTime: boolean): string {
  if (kind === "date" || kind === "url") return kind;
  return isTime && /^(?:\d{2}:\d{2})?$/.test(text) ? "time" : "text";
}
