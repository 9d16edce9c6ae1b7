import type { Name } from "./reference.ts";

/** `Aurelius, Marcus`. */
export function familyFirst(name: Name): string {
  return "literal" in name ? name.literal : `${name.family}, ${name.given}`;
}

/** `Marcus Aurelius`. */
export function givenFirst(name: Name): string {
  return "literal" in name ? name.literal : `${name.given} ${name.family}`;
}

/** `Jean-Jacques` becomes `J.-J.`; initials are unchanged. */
export function initialsOf(given: string): string {
  return given
    .split(/\s+/)
    .filter((part) => part !== "")
    .map((part) =>
      part
        .split("-")
        .map((piece) => (piece === "" ? "" : `${[...piece][0]?.toUpperCase() ?? ""}.`))
        .join("-"),
    )
    .join(" ");
}

/** `A`, `A and B`, `A, B, and C`. */
export function joinedNames(names: readonly string[], conjunction: string): string {
  const [first = "", second = ""] = names;
  if (names.length < 3) return names.length === 2 ? `${first} ${conjunction} ${second}` : first;
  return `${names.slice(0, -1).join(", ")}, ${conjunction} ${names.at(-1) ?? ""}`;
}
