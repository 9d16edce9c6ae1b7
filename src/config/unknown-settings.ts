import { maxTyposFor, typoDistance } from "../search/language/similarity.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Prefixes of setting names. A variable with such a prefix is treated as a setting, because few other
 * programs use these prefixes.
 */
const FAMILIES = ["BACKUP_", "EMBED_", "OIDC_"];
/**
 * In names shorter than this, a replaced letter does not count as a typo: the result may be an unrelated
 * word, such as `SORT` for `PORT`.
 */
const SUBSTITUTED_CHARACTERS_MIN = 6;

/**
 * Returns a message for each variable that was probably meant as a setting but is not one. Messages never
 * contain values, because values may be secrets.
 */
export function describeUnknownSettings(
  environment: Environment,
  known: readonly string[],
): string[] {
  return Object.entries(environment).flatMap(([name, value]) => {
    if (!value || known.includes(name)) return [];
    const nearest = nearestSetting(name, known);
    // The setting with the similar name is given too, so this variable probably belongs to another program.
    if (nearest !== undefined) {
      return environment[nearest] ? [] : [`${name} is not a setting; did you mean ${nearest}?`];
    }
    const family = FAMILIES.find((prefix) => name.startsWith(prefix));
    if (family === undefined) return [];
    const members = known.filter((each) => each.startsWith(family));
    return [`${name} is not a setting; those with ${family} are ${members.join(", ")}`];
  });
}

function nearestSetting(name: string, known: readonly string[]): string | undefined {
  const written = name.toUpperCase().replace(/[-.]/g, "_");
  return known
    .map((setting) => ({ setting, distance: distanceTo(setting, written) }))
    .filter(({ setting, distance }) => distance <= maxTyposFor(setting))
    .sort((one, other) => one.distance - other.distance)[0]?.setting;
}

function distanceTo(setting: string, written: string): number {
  const isShort = setting.length < SUBSTITUTED_CHARACTERS_MIN;
  const isOtherWord =
    setting.length === written.length && lettersOf(setting) !== lettersOf(written);
  if (isShort && isOtherWord) return Number.POSITIVE_INFINITY;
  return typoDistance(written, setting, maxTyposFor(setting));
}

function lettersOf(word: string): string {
  return [...word].sort().join("");
}
