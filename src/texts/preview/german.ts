import type { SiteTexts } from "../site/english.ts";

export const GERMAN_PREVIEW: SiteTexts["preview"] = {
  title: "Einen Entwurf ansehen",
  enterCode: "Code eingeben",
  code: "Code",
  codeHint: "Er beginnt mit cplc_ und kam von der Redaktion.",
  show: "Entwurf zeigen",
  intro:
    "Jemand, der für diese Website schreibt, möchte Ihnen eine Seite zeigen, bevor sie öffentlich ist. Geben Sie den Code ein, den Sie bekommen haben. Bis er endet, können Sie wiederkommen und ihn noch einmal eingeben. Bitte geben Sie ihn nicht weiter.",
  codeMissing: "Geben Sie Ihren Code ein",
  codeWrong: "Dieser Code gilt nicht, ist abgelaufen, oder es gibt den Entwurf nicht mehr",
  incomplete:
    "Der Entwurf lässt sich noch nicht zeigen, weil etwas darin fehlt. Fragen Sie, wer Ihnen den Code gegeben hat",
};
