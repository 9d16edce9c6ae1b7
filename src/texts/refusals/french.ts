import type { SiteTexts } from "../site/english.ts";

export const FRENCH_REFUSALS: SiteTexts["refusals"] = {
  fullStop: ".",
  filter: (name, reason) => `Impossible de filtrer par «\u00a0${name}\u00a0»\u00a0: ${reason}`,
  argument: (name, reason) => `Liste impossible\u00a0: ${name}\u00a0: ${reason}`,
  noFilter: (allowed) => `ce filtre n’existe pas ici\u00a0; ${allowed}`,
  noFilters: "ce type n’a pas de filtres",
  unfit: (value, allowed) => `«\u00a0${value}\u00a0» ne convient pas\u00a0; ${allowed}`,
  noRange: (allowed) => `indiquez une valeur, non un intervalle\u00a0; ${allowed}`,
  order: (from, to) => `de ${from} vient après à ${to}\u00a0: échangez-les`,
  ambiguous: "ce nom désigne plusieurs relations\u00a0: choisissez un seul type",
  integer: "indiquez un nombre entier",
  number: "indiquez un nombre",
  boolean: "indiquez true ou false",
  date: "indiquez une date sous la forme AAAA, AAAA-MM ou AAAA-MM-JJ, précédée de - pour les années av. J.-C.",
  text: "indiquez un texte",
  orRange: ", ou un intervalle de … à …",
  oneOf: (values) => `valeurs possibles\u00a0: ${values}`,
  onlyValue: (value) => `valeur possible\u00a0: ${value}`,
  language: "indiquez un code de langue, comme en ou pt-BR",
  sort: (value, sorts) =>
    `«\u00a0${value}\u00a0» n’est pas un ordre de cette liste\u00a0; valeurs possibles\u00a0: ${sorts}`,
  nobody: (_type, name) => `Rien ne porte le nom «\u00a0${name}\u00a0»`,
  several: (_type, name) =>
    `Plusieurs portent le nom «\u00a0${name}\u00a0»\u00a0: indiquez l’adresse de l’un d’eux`,
  otherType: (path, { title }) => `${path} est d’un autre type\u00a0: «\u00a0${title}\u00a0»`,
  perhaps: (message, list) => `${message}. Peut-être\u00a0: ${list}`,
  nothingAt: (address) => `Rien n’est publié à l’adresse ${address}`,
  gone: (address) => `${address} n’existe plus`,
  withdrawn: (address, title) => `${address} («\u00a0${title}\u00a0») a été retiré`,
  other: "Liste impossible\u00a0: l’adresse demande quelque chose qui n’existe pas",
};
