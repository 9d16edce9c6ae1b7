import type { Element } from "hast";
import { defaultHandlers, type Handle } from "hast-util-to-mdast";

/**
 * Converts tables to Markdown and puts their captions above them, because the library's own
 * conversion drops captions. Replaces a table within a cell by the contents of its cells.
 */
export const TABLE_HANDLERS: Readonly<Record<string, Handle>> = {
  table(state, node) {
    const captions = node.children.flatMap((child) =>
      child.type === "element" && child.tagName === "caption" ? state.all(child) : [],
    );
    const table = state.inTable
      ? cellsIn(node).flatMap((cell) => state.toFlow(state.all(cell)))
      : [defaultHandlers.table(state, node)];
    return [...state.toFlow(captions), ...table];
  },
};

function cellsIn({ children }: Element): Element[] {
  const elements = children.filter((child) => child.type === "element");
  return elements.flatMap((each) => {
    if (each.tagName === "caption") return [];
    return each.tagName === "td" || each.tagName === "th" ? [each] : cellsIn(each);
  });
}
