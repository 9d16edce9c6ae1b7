/** Possible plurals and singulars of an English name: `authors` for `author`, `query` for `queries`. */
export function singularAndPluralForms(name: string): string[] {
  const singularOfIes = name.endsWith("ies") ? [`${name.slice(0, -3)}y`] : [];
  const singularOfS = name.endsWith("s") ? [name.slice(0, -1)] : [];
  const pluralOfY = name.endsWith("y") ? [`${name.slice(0, -1)}ies`] : [];
  return [...singularOfIes, ...singularOfS, ...pluralOfY, `${name}s`];
}
