import type { ScreenLanguage } from "../errors.ts";
import type { HealthTexts } from "./texts/english.ts";

/** All checks, in report order. */
export const HEALTH_CHECKS = [
  "server",
  "disk",
  "backup",
  "certificate",
  "record",
  "copies",
  "mail",
  "webhooks",
  "jobs",
  "clock",
  "files",
  "version",
] as const;

export type HealthCheck = (typeof HEALTH_CHECKS)[number];

/** `warn`: needs attention soon; `bad`: something is lost or about to be. */
export type HealthState = "good" | "warn" | "bad";

/** The language of a report, with its texts and its formats for numbers and times. */
export interface HealthLocale {
  language: ScreenLanguage;
  texts: HealthTexts;
  number(value: number): string;
  bytes(value: number): string;
  moment(iso: string): string;
}

/** A function that returns a sentence in the language of `words`. */
export type LocalizedSentence = (words: HealthLocale) => string;

/** The result of one check. */
export interface HealthFinding {
  check: HealthCheck;
  state: HealthState;
  /** The result, as a sentence. */
  meaning: LocalizedSentence;
  /** The recommended action; null: none. */
  advice: LocalizedSentence | null;
}

/** The worst state of several findings. */
export function worstState(findings: readonly Pick<HealthFinding, "state">[]): HealthState {
  const states = findings.map(({ state }) => state);
  if (states.includes("bad")) return "bad";
  return states.includes("warn") ? "warn" : "good";
}

export function createUnknownFinding(check: HealthCheck): HealthFinding {
  return { check, state: "warn", meaning: ({ texts }) => texts.unknown, advice: null };
}

/** The advice; null if the state is `good`. */
export function adviceUnlessGood(
  state: HealthState,
  advice: LocalizedSentence,
): LocalizedSentence | null {
  return state === "good" ? null : advice;
}
