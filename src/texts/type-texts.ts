/**
 * The names of a content type in one language. Missing names come from the declaration of the type.
 */
export interface TypeTexts {
  label: string;
  plural: string;
  description: string;
  fields?: Readonly<Record<string, FieldTexts>>;
  relations?: Readonly<Record<string, RelationTexts>>;
}

export interface FieldTexts {
  label: string;
  description?: string;
  /** Names of the values of an `enum` field. */
  values?: Readonly<Record<string, string>>;
}

export interface RelationTexts {
  label: string;
  /** The label of the relation on the page of its target. */
  inverse?: string;
}
