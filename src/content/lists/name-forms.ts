/** Possible plurals and singulars of an English name: `authors` for `author`, `query` for `queries`. */
export function singularOrPlural(name: string): string[] {
  const yForIes = name.endsWith("ies") ? [`${name.slice(0, -3)}y`] : [];
  const withoutS = name.endsWith("s") ? [name.slice(0, -1)] : [];
  const iesForY = name.endsWith("y") ? [`${name.slice(0, -1)}ies`] : [];
  return [...yForIes, ...withoutS, ...iesForY, `${name}s`];
}
