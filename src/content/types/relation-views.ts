import type { ContentTypes } from "./content-type.ts";

/** A relation as seen from one of its two types. */
export interface RelationView {
  /** Name of the view, such as `authors` for the view from a work, or `works` for the view from an author. */
  name: string;
  label: string;
  /** `out`: this type declares the relation; `in`: the other type declares it. */
  direction: "out" | "in";
  /** The name under which the relation is declared and stored. */
  relation: string;
  /** The type of the items at the other end of the relation. */
  otherType: string;
  many: boolean;
}

const knownViews = new WeakMap<ContentTypes, Map<string, readonly RelationView[]>>();

/** All relation views of a type: its own relations, then the relations whose target is this type. */
export function relationViews(types: ContentTypes, typeName: string): readonly RelationView[] {
  const byType = knownViews.get(types) ?? new Map<string, readonly RelationView[]>();
  knownViews.set(types, byType);
  const views = byType.get(typeName) ?? findViews(types, typeName);
  byType.set(typeName, views);
  return views;
}

function findViews(types: ContentTypes, typeName: string): RelationView[] {
  const own = Object.entries(types.get(typeName)?.relations ?? {}).map(
    ([name, relation]): RelationView => ({
      name,
      label: relation.label,
      direction: "out",
      relation: name,
      otherType: relation.target,
      many: relation.many,
    }),
  );
  const inverse = [...types.values()].flatMap((other) =>
    Object.entries(other.relations)
      .filter(([, relation]) => relation.target === typeName)
      .flatMap(([name, relation]): RelationView[] =>
        relation.inverse === undefined
          ? []
          : [
              {
                name: relation.inverse.name,
                label: relation.inverse.label,
                direction: "in",
                relation: name,
                otherType: other.name,
                many: true,
              },
            ],
      ),
  );
  const views = [...own, ...inverse];
  const otherNames = new Set(
    views.flatMap((view) => (isDeclaredByPages(view, typeName) ? [] : [view.name])),
  );
  return views.filter((view) => !isDeclaredByPages(view, typeName) || !otherNames.has(view.name));
}

/** Whether the type `page` declares a view's relation. Other views of the same name replace such a view. */
function isDeclaredByPages({ direction, otherType }: RelationView, typeName: string): boolean {
  return (direction === "out" ? typeName : otherType) === "page";
}
