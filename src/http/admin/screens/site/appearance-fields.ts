import type { MediaFile } from "../../../../content/media/media.ts";
import { mediaFilePath } from "../../../../content/media/media-kinds.ts";
import {
  FONT_PAIRS,
  LOOKS,
  type Look,
  MARKDOWN_SLOTS,
  PAGE_WIDTHS,
} from "../../../../content/site/look/look.ts";
import { type BaseColours, baseColours } from "../../../../content/site/look/palette.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import type { SentForm } from "../../../site/sent-form.ts";
import type { Texts } from "../../texts/english.ts";
import { formField } from "../frame/field.ts";
import { optionElement } from "../frame/option.ts";

const COLOUR_FIELDS = ["accent", "paper", "ink"] as const satisfies readonly (keyof BaseColours)[];

/**
 * Adds the alternative text to the name of a picture, because names given by cameras are only
 * numbers.
 */
function shownName({ alt, name }: MediaFile): string {
  return alt === "" ? name : `${alt} (${name})`;
}

/** The fields of the Appearance screen, filled from a look. */
export function appearanceFields(
  look: Look,
  { texts, pictures }: { texts: Texts; pictures: readonly MediaFile[] },
): SafeHtml {
  const t = texts.appearance;
  const colours = baseColours(look, "light");
  const missingPictures = [
    ...new Set([look.logo, look.favicon].filter((path) => path !== undefined)),
  ]
    .filter((path) => pictures.every((picture) => mediaFilePath(picture) !== path))
    .map((path) => ({ path, name: path }));
  const pictureOptions = [
    ...pictures.map((each) => ({ path: mediaFilePath(each), name: shownName(each) })),
    ...missingPictures,
  ];
  const pictureField = (name: "logo" | "favicon", label: string) =>
    formField(
      name,
      label,
      html`<select id="${name}" name="${name}"><option value="">${t.none}</option>${pictureOptions.map(
        (each) => optionElement(each.path, each.name, each.path === look[name]),
      )}</select>`,
    );
  return html`<fieldset class="field"><legend>${t.look}</legend>
<div class="looks">${LOOKS.map((name) => lookChoice(name, { look, texts }))}</div></fieldset>
<fieldset class="field"><legend>${t.colours}</legend><p class="hint">${t.coloursHint}</p>
${COLOUR_FIELDS.map(
  (name) =>
    html`<div class="choice"><input type="checkbox" id="own-${name}" name="own-${name}" value="yes"${look[name] !== undefined && html` checked`}><label for="own-${name}">${t.own[name]}</label><input type="color" name="${name}" value="${colours[name]}" data-own="own-${name}" aria-label="${t[name]}"></div>\n`,
)}</fieldset>
${formField(
  "fonts",
  t.fonts,
  html`<select id="fonts" name="fonts"><option value="">${t.asLook}</option>${FONT_PAIRS.map((name) => optionElement(name, t.fontPairs[name], name === look.fonts))}</select>`,
)}${formField(
  "width",
  t.width,
  html`<select id="width" name="width"><option value="">${t.asLook}</option>${PAGE_WIDTHS.map((name) => optionElement(name, t.widths[name], name === look.width))}</select>`,
)}${pictureField("logo", t.logo)}${pictureField("favicon", t.favicon)}<p class="hint">${t.picturesHint} <a href="/admin/media">${texts.media.title}</a></p>
<fieldset class="field"><legend>${t.slots}</legend><p class="hint">${t.slotsHint}</p>
${MARKDOWN_SLOTS.map((name) =>
  formField(
    `slot-${name}`,
    t.slot[name],
    html`<textarea id="slot-${name}" name="slot-${name}" rows="3" maxlength="2000">\n${look.slots[name] ?? ""}</textarea>`,
  ),
)}</fieldset>
<div class="field"><label class="choice"><input type="checkbox" name="picturesFromElsewhere" value="yes"${look.picturesFromElsewhere && html` checked`}>${t.picturesFromElsewhere}</label></div>
${formField("css", t.css, html`<textarea id="css" name="css" rows="8" spellcheck="false" maxlength="20000">\n${look.css ?? ""}</textarea>`, t.cssHint)}`;
}

/** Returns the values of the form as the `look` of a settings patch, in which null removes a value. */
export function lookFromForm(form: SentForm): Record<string, unknown> {
  const orNull = (name: string) => form.value(name).trim() || null;
  return {
    name: form.value("name"),
    ...Object.fromEntries(
      COLOUR_FIELDS.map((name) => [name, form.value(`own-${name}`) === "" ? null : orNull(name)]),
    ),
    fonts: orNull("fonts"),
    width: orNull("width"),
    logo: orNull("logo"),
    favicon: orNull("favicon"),
    picturesFromElsewhere: form.value("picturesFromElsewhere") === "yes",
    slots: Object.fromEntries(MARKDOWN_SLOTS.map((name) => [name, orNull(`slot-${name}`)])),
    css: orNull("css"),
  };
}

/** An option for a look, with a thumbnail in its colours. */
function lookChoice(name: Look["name"], { look, texts }: { look: Look; texts: Texts }): SafeHtml {
  const { paper, ink, accent } = baseColours({ ...withoutOwnChoices(look), name }, "light");
  const t = texts.appearance.looks[name];
  return html`<label class="look"><input type="radio" name="name" value="${name}"${name === look.name && html` checked`}>
<svg viewBox="0 0 96 60" aria-hidden="true"><rect width="96" height="60" fill="${paper}" stroke="${ink}" stroke-opacity="0.3"/><rect x="10" y="10" width="40" height="6" fill="${ink}"/><rect x="10" y="24" width="3" height="24" fill="${accent}"/><path d="M18 27h62M18 35h66M18 43h44" stroke="${ink}" stroke-width="2.5"/></svg>
<span><strong>${t.name}</strong> ${t.about}</span></label>
`;
}

/** The look without the site's own choices, such as colours. */
function withoutOwnChoices({ picturesFromElsewhere, slots, name }: Look): Look {
  return { picturesFromElsewhere, slots, name };
}
