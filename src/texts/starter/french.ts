import type { StarterTexts } from "./english.ts";

export const FRENCH_STARTER: StarterTexts = {
  language: "fr",
  site: {
    name: "Nouveau site",
    description: "Un site qui vient d’être créé et qui n’est pas encore décrit.",
    purpose: "voir ce que cette association publie",
  },
  withSiteName: {
    description: (name) => `Ce que publie ${name}, pour les lecteurs et les agents de recherche.`,
    home: (name) => `Voici le site de ${name}. Il vient d’être créé.`,
  },
  home: {
    title: "Nouveau site",
    summary: "Ce site vient d’être créé.",
    body: "La rédaction dira ici à quoi sert le site. Lisez [qui nous sommes](/qui-sommes-nous) ou [écrivez-nous](/contact).",
  },
  about: {
    path: "/qui-sommes-nous",
    title: "Qui sommes-nous\u00a0?",
    summary: "Qui publie ce site.",
    body: "La rédaction dira ici qui elle est et comment elle travaille.",
  },
  contact: {
    title: "Contact",
    summary: "Comment joindre la rédaction et demander une clé pour le service MCP.",
    body: "La rédaction dira ici qui lit ce que vous écrivez. Aucune clé n’est nécessaire pour lire\u00a0; les agents de recherche qui veulent chercher par le service MCP en ont besoin d’une. Utilisez les formulaires ci-dessous.",
  },
  privacy: {
    path: "/confidentialite",
    title: "Confidentialité",
    summary: "Ce que le site conserve sur ses visiteurs.",
    body: "Ce site ne dépose aucun cookie et n’exécute aucun script dans votre navigateur. Le serveur peut tenir un journal des requêtes pour trouver les pannes et les abus. Les mots recherchés sont comptés par jour, sans rien qui dise qui a cherché, et conservés 90 jours.\n\nCe que vous envoyez par les formulaires de [la page de contact](/contact) est conservé pour pouvoir y répondre\u00a0: votre nom, votre adresse électronique et votre message, ou ce que vous dites de votre organisation et de votre projet en demandant une clé. Tout est effacé un an après la dernière suite donnée. Si vous obtenez une clé, votre nom, votre adresse et votre projet restent avec elle. Votre adresse réseau est gardée en mémoire une heure, pour empêcher les abus.",
  },
  imprint: {
    path: "/mentions-legales",
    title: "Mentions légales",
    summary: "Qui est responsable de ce site.",
    body: "Nom de l’association  \nNuméro et rue  \nCode postal et ville\n\nReprésentée par\u00a0: …  \nCourriel\u00a0: …  \nRegistre et numéro\u00a0: …\n\nResponsable du contenu\u00a0: …",
  },
  accessibility: {
    path: "/accessibilite",
    title: "Déclaration d’accessibilité",
    summary: "Dans quelle mesure ce site est accessible à tous, et à qui signaler les obstacles.",
    body: "Cette déclaration a été établie le … après un examen par ….\n\n## Ce qui fonctionne\n\nLes pages n’ont besoin d’aucun script, s’utilisent au clavier, suivent les couleurs et les tailles de texte de votre appareil et indiquent la langue de chaque texte.\n\n## Ce qui ne fonctionne pas\n\nIndiquez ici ce que vous savez, par exemple des images sans texte alternatif ou des documents qui ne peuvent pas être lus à voix haute.\n\n## Écrivez-nous\n\nSi vous rencontrez un obstacle, [écrivez-nous](/contact)\u00a0; nous répondons sous …. Sinon, vous pouvez vous adresser à ….",
  },
};
