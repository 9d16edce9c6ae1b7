import { defaultHandlers, type Handle } from "hast-util-to-mdast";

/** Conversion of tables to Markdown, with the captions that the default conversion loses above them. */
export const TABLE_HANDLERS: Readonly<Record<string, Handle>> = {
  table(state, node) {
    const captions = node.children.flatMap((child) =>
      child.type === "element" && child.tagName === "caption" ? state.all(child) : [],
    );
    return [...state.toFlow(captions), defaultHandlers.table(state, node)];
  },
};
