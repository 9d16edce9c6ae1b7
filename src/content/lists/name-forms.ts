/** Possible plurals and singulars of an English name: `authors` of `author`, `query` of `queries`. */
export function singularOrPlural(name: string): string[] {
  const singular = name.endsWith("ies") ? [`${name.slice(0, -3)}y`] : [];
  const bare = name.endsWith("s") ? [name.slice(0, -1)] : [];
  const plural = name.endsWith("y") ? [`${name.slice(0, -1)}ies`] : [];
  return [...singular, ...bare, ...plural, `${name}s`];
}
