/** Matches the id of an item, as opposed to a typed name or text. */
export const ITEM_ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;
