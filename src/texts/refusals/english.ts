import { nounInSentence } from "../nouns.ts";

/** Reasons for refusing a filter, search or sort that a page address or an agent requests. */
export const ENGLISH_REFUSALS = {
  fullStop: ".",
  filter: (name: string, reason: string) => `Cannot filter by "${name}": ${reason}`,
  argument: (name: string, reason: string) => `Cannot list: ${name}: ${reason}`,
  noFilter: (allowed: string) => `there is no such filter here; ${allowed}`,
  noFilters: "this type has no filters",
  unfit: (value: string, allowed: string) => `"${value}" does not fit; ${allowed}`,
  noRange: (allowed: string) => `give a value, not a range; ${allowed}`,
  order: (from: string, to: string) =>
    `the beginning, ${from}, is after the end, ${to}: exchange them`,
  ambiguous: "it means different relations: name a single type",
  integer: "give a whole number",
  number: "give a number",
  boolean: "give true or false",
  date: "give a date as YYYY, YYYY-MM or YYYY-MM-DD, with a leading - for years BCE",
  text: "give a text",
  orRange: ", or a range from … to …",
  oneOf: (values: string) => `use one of ${values}`,
  onlyValue: (value: string) => `use ${value}`,
  language: "give a language tag, such as en or pt-BR",
  sort: (value: string, sorts: string) =>
    `"${value}" is not an order of this list; use one of ${sorts}`,
  /** `type` is always in English; the texts in other languages leave it out. */
  nobody: (type: string, name: string) => `No ${nounInSentence(type)} is called "${name}"`,
  several: (type: string, name: string) =>
    `More than one ${nounInSentence(type)} answers to "${name}": give the address of one`,
  otherType: (path: string, { type, actual, title }: ItemOfOtherType) =>
    `${path} is not of the type ${type} but ${actual}: "${title}"`,
  perhaps: (message: string, list: string) => `${message}. Perhaps: ${list}`,
  nothingAt: (address: string) => `Nothing is published at ${address}`,
  gone: (address: string) => `${address} is gone for good`,
  withdrawn: (address: string, title: string) =>
    `${address} ("${title}") was published and has been withdrawn`,
  /** Shown instead of reasons that concern only programs. */
  other: "This cannot be listed: the address asks for something that is not there",
};

/** Like {@link ENGLISH_REFUSALS}, but for programs and agents, which specify a range as an object. */
export const REFUSALS_FOR_PROGRAMS: typeof ENGLISH_REFUSALS = {
  ...ENGLISH_REFUSALS,
  orRange: ', or a range as {"from":…,"to":…}',
};

/** An item whose type is not the requested one. The names of both types are in English. */
export interface ItemOfOtherType {
  type: string;
  actual: string;
  title: string;
}
