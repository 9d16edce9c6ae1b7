import type { CollaborationTexts } from "./english.ts";

export const GERMAN_COLLABORATION_TEXTS: CollaborationTexts = {
  presence: {
    here: (names: string, count: number) =>
      count === 1 ? `${names} ist auch hier.` : `${names} sind auch hier.`,
  },
  review: {
    title: (count: string) => `Zur Durchsicht: ${count}`,
    asked: (name: string, when: string) => `${name} bittet um Durchsicht, ${when}`,
    ask: "Um Durchsicht bitten",
    askOther: "Zuerst andere um Durchsicht bitten",
    hint: "Veröffentlicht wird der Entwurf von der Redaktion. Ist er fertig, bitten Sie um Durchsicht: Er wartet dann auf dem Schreibtisch der Redaktion.",
    note: "Worauf zu achten ist; kann leer bleiben",
    withdraw: "Bitte zurücknehmen",
    sendBackNote: "Was noch zu ändern ist",
    sendBack: "Zurückgeben",
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
      "Wer kein Konto hat, kann diesen Entwurf als Seite sehen, so wie er in dem Augenblick ist. Dazu braucht es einen Code; er gilt, bis er abläuft oder Sie ihn widerrufen.",
    note: "Für wen",
    ends: "Läuft ab nach",
    days: (days: number, count: string) => (days === 1 ? `${count} Tag` : `${count} Tagen`),
    issue: "Code erstellen",
    handOver:
      "Dieser Code wird nur jetzt angezeigt. Geben Sie ihn weiter; eingegeben wird er unter",
    present: "Codes",
    none: "Es gibt keine Codes.",
    anyone: "Ohne Namen",
    until: (when: string) => `bis ${when}`,
    seen: (when: string) => `zuletzt gesehen ${when}`,
    unseen: "noch nicht gesehen",
    revoke: "Widerrufen",
  },
};
