/** The other grammatical number of an English name: `authors` for `author`, `query` for `queries`. */
export function otherNumber(name: string): string[] {
  const singular = name.endsWith("ies") ? [`${name.slice(0, -3)}y`] : [];
  const bare = name.endsWith("s") ? [name.slice(0, -1)] : [];
  const plural = name.endsWith("y") ? [`${name.slice(0, -1)}ies`] : [];
  return [...singular, ...bare, ...plural, `${name}s`];
}
