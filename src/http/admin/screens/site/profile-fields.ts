import type { SiteProfile } from "../../../../content/site/site.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import type { SentForm } from "../../../site/sent-form.ts";
import type { Texts } from "../../texts/english.ts";
import { formField } from "../frame/field.ts";

/** The fields for the licence of the publisher's own texts. Their names start with `prefix`. */
export function licenceFields(
  licence: SiteProfile["licence"],
  { settings }: Texts,
  prefix = "",
): SafeHtml {
  const [name, url] = [`${prefix}licenceName`, `${prefix}licenceUrl`];
  return html`${formField(name, settings.licence, html`<input id="${name}" name="${name}" value="${licence?.name ?? ""}">`, settings.licenceHint)}
${formField(url, settings.licenceUrl, html`<input id="${url}" name="${url}" type="url" value="${licence?.url ?? ""}">`)}`;
}

/**
 * The licence entered in the form, for a settings patch; null: no licence. An address without a
 * name is passed on, so that the schema rejects it.
 */
export function licenceFromForm(
  form: SentForm,
  prefix = "",
): { name: string; url: string | null } | null {
  const name = form.value(`${prefix}licenceName`).trim();
  const url = form.value(`${prefix}licenceUrl`).trim();
  return name === "" && url === "" ? null : { name, url: url || null };
}
