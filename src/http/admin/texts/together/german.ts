import type { TogetherTexts } from "./english.ts";

export const TOGETHER_GERMAN: TogetherTexts = {
  presence: {
    here: (names: string, count: number) =>
      count === 1 ? `${names} ist auch hier.` : `${names} sind auch hier.`,
  },
  draftNotes: {
    title: "Notizen",
    label: "Notiz für die anderen Redaktionsmitglieder",
    add: "Notiz hinterlassen",
    remove: "Entfernen",
  },
  share: {
    link: "Jemandem zeigen",
    title: "Entwurf zeigen",
    intro:
      "Wer kein Konto hat, kann diesen Entwurf als Seite sehen, so wie er in dem Augenblick ist. Dazu braucht es einen Code; er gilt, bis er endet oder Sie ihn zurückziehen.",
    note: "Für wen",
    ends: "Endet nach",
    days: (days: number, count: string) => (days === 1 ? `${count} Tag` : `${count} Tagen`),
    issue: "Code erstellen",
    handOver: "Dieser Code wird nur jetzt gezeigt. Geben Sie ihn weiter; einzugeben ist er auf",
    present: "Codes",
    none: "Es gibt keine Codes.",
    anyone: "Ohne Namen",
    until: (when: string) => `bis ${when}`,
    seen: (when: string) => `zuletzt gesehen ${when}`,
    unseen: "noch nicht gesehen",
    revoke: "Zurückziehen",
  },
};
