import type { SiteTexts } from "../site/english.ts";

export const FRENCH_PREVIEW: SiteTexts["preview"] = {
  title: "Voir un brouillon",
  enterCode: "Saisissez votre code",
  code: "Code",
  codeHint: "Il commence par cplc_ et vous vient de la rédaction.",
  show: "Afficher le brouillon",
  intro:
    "Une personne qui écrit pour ce site veut vous montrer une page avant sa publication. Saisissez le code qu’elle vous a donné. Vous pouvez revenir et le saisir de nouveau jusqu’à son expiration. Merci de ne pas le transmettre.",
  codeMissing: "Saisissez votre code",
  codeWrong: "Ce code n’est pas valable, a expiré, ou le brouillon n’existe plus",
  incomplete:
    "Le brouillon ne peut pas encore être montré, car il y manque quelque chose. Demandez à la personne qui vous a donné le code",
};
