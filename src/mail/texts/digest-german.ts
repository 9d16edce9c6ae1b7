import type { DigestTexts } from "./digest-english.ts";

export const GERMAN_DIGEST_TEXTS: DigestTexts = {
  language: "de",
  subject: (site) => `${site}: Etwas wartet auf Sie`,
  greeting: (name) => `Guten Tag ${name},`,
  waiting: (site) => `bei ${site} wartet auf Sie:`,
  moreThan: "mehr als ",
  counted: {
    requests: (count) => (count === 1 ? "1 Schlüsselanfrage" : `${count} Schlüsselanfragen`),
    messages: (count) => (count === 1 ? "1 neue Nachricht" : `${count} neue Nachrichten`),
    failed: (count) =>
      count === 1
        ? "1 Entwurf, der zu seiner Zeit nicht veröffentlicht werden konnte"
        : `${count} Entwürfe, die zu ihrer Zeit nicht veröffentlicht werden konnten`,
    asked: (count) =>
      count === 1 ? "1 Entwurf zur Durchsicht" : `${count} Entwürfe zur Durchsicht`,
    reviews: (count) =>
      count === 1
        ? "1 Inhalt, der geprüft werden soll"
        : `${count} Inhalte, die geprüft werden sollen`,
    notes: (count) =>
      count === 1 ? "1 neue Notiz zu einem Entwurf" : `${count} neue Notizen zu Entwürfen`,
  },
  turnOff: (address) =>
    `Diese Mail kommt höchstens einmal am Tag und nur, wenn etwas neu ist. Abschalten können Sie sie hier: ${address}`,
};
