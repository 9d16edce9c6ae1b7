import type { CitedName } from "./reference.ts";

/** A name with the family name first: `Aurelius, Marcus`. */
export function formatFamilyNameFirst(name: CitedName): string {
  return "literal" in name ? name.literal : `${name.family}, ${name.given}`;
}

/** A name with the given name first: `Marcus Aurelius`. */
export function formatGivenNameFirst(name: CitedName): string {
  return "literal" in name ? name.literal : joinGivenAndFamily(name.given, name.family);
}

/**
 * Joins given and family name: `Johann Wolfgang von Goethe`, but `Jean le Rond d’Alembert` without a space.
 */
export function joinGivenAndFamily(given: string, family: string): string {
  return /['’-]$/.test(given) ? `${given}${family}` : `${given} ${family}`;
}

/** A lower-case word in a name, such as `von`, `d’`, `al-`, or each word of `de la`. */
const PARTICLE = /^\p{Ll}[\p{Ll}'’-]*$/u;

/** Divides `Johann Wolfgang von` into `Johann Wolfgang` and the particles at its end. */
export function splitParticles(given: string): { given: string; particles: string } {
  const words = given.trim().split(/\s+/);
  const last = words.findLastIndex((word) => !PARTICLE.test(word));
  // A name all in lower case, such as `bell`, has no particle.
  const end = last < 0 ? words.length : last + 1;
  return { given: words.slice(0, end).join(" "), particles: words.slice(end).join(" ") };
}

/** `Jean-Jacques` becomes `J.-J.`; `Johann Wolfgang von` becomes `J. W. von`. Initials are unchanged. */
export function initialsOf(given: string): string {
  return given
    .split(/\s+/)
    .filter((part) => part !== "")
    .map((part, at) => (at > 0 && PARTICLE.test(part) ? part : initialOf(part)))
    .join(" ");
}

function initialOf(part: string): string {
  return part
    .split("-")
    .map((piece) => (piece === "" ? "" : `${[...piece][0]?.toUpperCase() ?? ""}.`))
    .join("-");
}

/** A list of names: `A`, `A and B`, or `A, B, and C`. */
export function formatNameList(names: readonly string[], conjunction: string): string {
  const [first = "", second = ""] = names;
  if (names.length < 3) return names.length === 2 ? `${first} ${conjunction} ${second}` : first;
  return `${names.slice(0, -1).join(", ")}, ${conjunction} ${names.at(-1) ?? ""}`;
}
