import { buffer } from "node:stream/consumers";
import { requireScope } from "../../../../access/actor.ts";
import {
  countOldAddressOutcomes,
  formatOldAddressesAsCsv,
  OLD_ADDRESS_OUTCOMES,
  type OldAddress,
} from "../../../../content/import/redirects/old-addresses.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import { responseWithContentLength } from "../../../exchange.ts";
import { checkOldAddressesInProcess, OLD_ADDRESSES_MAX } from "../../../site/address-response.ts";
import type { SentForm } from "../../../site/sent-form.ts";
import { ADMIN_HEADERS } from "../../page.ts";
import { numberText } from "../../texts/choose.ts";
import { csrfTokenField, screenResponse } from "../frame/frame.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";

const REDIRECTS_PATH = "/admin/redirects";
export const OLD_ADDRESSES_PATH = `${REDIRECTS_PATH}/check`;
const MISSING_SHOWN_MAX = 100;
const INVALID_SHOWN_MAX = 20;

const openForm: Screen = {
  method: "GET",
  path: OLD_ADDRESSES_PATH,
  scope: "content:publish",
  async answer(visit) {
    requireScope(visit.signedIn.actor, "content:publish");
    const { title, hint } = visit.texts.oldAddresses;
    const content = html`<p class="hint">${hint(numberText(visit.texts, OLD_ADDRESSES_MAX))}</p>\n${listForm(visit, [])}`;
    return screenResponse({ ...visit, url: REDIRECTS_PATH }, { title, content });
  },
};

/**
 * Shows what this site answers at each address of a list. If the form has `download`, sends the report as
 * CSV.
 */
const check: Screen = {
  method: "POST",
  path: OLD_ADDRESSES_PATH,
  scope: "content:publish",
  takesFiles: "whole",
  async answer(visit, form) {
    const { parts, signedIn, texts } = visit;
    const found = await checkOldAddressesInProcess(signedIn.actor, await sentList(form), parts);
    if (form.value("download") === "true") {
      const headers = {
        ...ADMIN_HEADERS,
        "Content-Type": "text/csv; charset=utf-8",
        "Content-Disposition": 'attachment; filename="old-addresses.csv"',
      };
      return responseWithContentLength(200, headers, formatOldAddressesAsCsv(found));
    }
    const t = texts.oldAddresses;
    const counts = countOldAddressOutcomes(found);
    const content = html`<dl>${OLD_ADDRESS_OUTCOMES.map((outcome) => html`<dt>${t.outcomes[outcome]}</dt><dd>${numberText(texts, counts[outcome])}</dd>\n`)}</dl>
${invalidHtml(visit, found)}${missingHtml(visit, found)}${listForm(visit, found)}`;
    return screenResponse({ ...visit, url: REDIRECTS_PATH }, { title: t.title, content });
  },
};

export const oldAddressScreens: readonly Screen[] = [openForm, check];

/** The file of a form, or else the pasted list. */
async function sentList({ files, value }: SentForm): Promise<Buffer> {
  const file = files.find(({ name, isEmpty }) => name !== "" && !isEmpty);
  return file === undefined ? Buffer.from(value("list")) : await buffer(file.stream());
}

function missingHtml({ texts }: ScreenVisit, found: readonly OldAddress[]): SafeHtml {
  const t = texts.oldAddresses;
  const missing = found.filter(({ outcome }) => outcome === "missing");
  if (missing.length === 0) return html`<p>${t.allAnswer}</p>\n`;
  const lines = missing.slice(0, MISSING_SHOWN_MAX).map(({ address, fault }) => {
    const from = new URLSearchParams({ from: address });
    return html`<li><a href="${REDIRECTS_PATH}?${String(from)}">${address}</a>: ${fault?.[texts.language]}</li>\n`;
  });
  return html`<h2>${t.outcomes.missing}</h2>
<p class="hint">${t.advice}</p>
<ul>\n${lines}</ul>
${missing.length > lines.length && html`<p class="hint">${t.shownOf(numberText(texts, lines.length), numberText(texts, missing.length))}</p>\n`}`;
}

/**
 * Lists the lines that are not addresses. The form keeps these lines, so that people can correct
 * them.
 */
function invalidHtml({ texts }: ScreenVisit, found: readonly OldAddress[]): SafeHtml | false {
  const t = texts.oldAddresses;
  const invalid = found.filter(({ outcome }) => outcome === "invalid");
  if (invalid.length === 0) return false;
  const lines = invalid
    .slice(0, INVALID_SHOWN_MAX)
    .map(({ address }) => html`<li>${address}</li>\n`);
  return html`<h2>${t.outcomes.invalid}</h2>
<p class="hint">${t.invalidAdvice}</p>
<ul>\n${lines}</ul>
${invalid.length > lines.length && html`<p class="hint">${t.shownOf(numberText(texts, lines.length), numberText(texts, invalid.length))}</p>\n`}`;
}

/**
 * The form for a list of addresses. After a check, the form keeps the list, to check it again or to
 * download the report.
 */
function listForm(visit: ScreenVisit, checked: readonly OldAddress[]): SafeHtml {
  const t = visit.texts.oldAddresses;
  const list = checked.map(({ address }) => `${address}\n`).join("");
  return html`<form method="post" action="${OLD_ADDRESSES_PATH}" enctype="multipart/form-data" class="action">
${csrfTokenField(visit)}<div class="field"><label for="file">${t.file}</label><p class="hint">${t.fileHint}</p><input id="file" type="file" name="file" accept=".txt,.csv,.tsv,.xml"></div><div class="field"><label for="list">${t.list}</label><textarea id="list" name="list" rows="8">${list}</textarea></div><p><button>${t.check}</button> <button class="quiet" name="download" value="true">${t.download}</button></p>
</form>
<p><a class="button quiet" href="${REDIRECTS_PATH}">${visit.texts.redirects.back}</a></p>
`;
}
