import type { Wording } from "../../errors.ts";
import { translateLinkError } from "../../links/link-errors.ts";

export const FORBIDDEN_BY_ROBOTS_TXT: Wording = {
  en: "robots.txt forbids it",
  de: "die robots.txt der Website verbietet es",
};

const COPY_FAULTS: readonly Wording[] = [
  FORBIDDEN_BY_ROBOTS_TXT,
  { en: "It redirects in a circle", de: "Die Weiterleitungen führen im Kreis" },
  { en: "it redirects without end", de: "Die Weiterleitungen nehmen kein Ende" },
  {
    en: "The host asks to be left alone",
    de: "Der Rechner bittet darum, nicht weiter gefragt zu werden",
  },
  { en: "the host no longer answers", de: "der Rechner antwortet nicht mehr" },
  {
    en: "they are neither pages nor files for readers",
    de: "sie sind weder Seiten noch Dateien für Leser",
  },
  { en: "their names are reserved", de: "ihre Namen sind vergeben" },
  { en: "their paths have too many parts", de: "ihre Adressen haben zu viele Teile" },
  { en: "they have a query", de: "sie haben eine Abfrage (?…)" },
  { en: "they are too long", de: "sie sind zu lang" },
  { en: "the site names too many others", de: "die Website nennt zu viele andere" },
  {
    en: "The answer is not as WordPress writes it",
    de: "Die Antwort ist nicht so, wie WordPress sie schreibt",
  },
  { en: "The list has no end", de: "Die Liste nimmt kein Ende" },
  {
    en: "The host asks to be left alone, or sends elsewhere",
    de: "Der Rechner bittet darum, nicht weiter gefragt zu werden, oder verweist woandershin",
  },
  { en: "there are too many sitemaps", de: "es gibt zu viele Sitemaps" },
];

const COUNTED_FAULTS: readonly [RegExp, (value: string) => string][] = [
  [/^The host answers (\d+)$/, (status) => `Der Rechner antwortet mit ${status}`],
  [
    /^It takes longer than ([\d.]+) seconds$/,
    (seconds) => `Es dauert länger als ${seconds} Sekunden`,
  ],
  [/^It is longer than ([\d.]+) MiB$/, (size) => `Sie ist länger als ${size} MiB`],
  [/^they are not below (.+)$/, (folder) => `sie stehen nicht unter ${folder}`],
  [/^they are more than (\d+)$/, (count) => `es sind mehr als ${count}`],
  [/^they are more than (\d+) links away$/, (count) => `sie sind mehr als ${count} Links entfernt`],
];

/** Translates the English reason for a fault into every language. Unknown texts stay unchanged. */
export function translateCopyError(english: string): Wording {
  for (const [pattern, german] of COUNTED_FAULTS) {
    const value = pattern.exec(english)?.[1];
    if (value !== undefined) return { en: english, de: german(value) };
  }
  const known = COPY_FAULTS.find(({ en }) => en === english);
  return (
    known ?? translateLinkError({ fault: english, status: null }) ?? { en: english, de: english }
  );
}

/** The message for a fault that prevents the whole copy. */
export function cannotCopyMessage(url: string, { en, de }: Wording): Wording {
  return { en: `Cannot copy ${url}: ${en}`, de: `${url} lässt sich nicht kopieren: ${de}` };
}
