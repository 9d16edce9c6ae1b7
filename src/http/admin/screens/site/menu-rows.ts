/** A row of the Navigation form: a top-level entry, or an entry below the preceding top-level entry. */
export interface MenuRow {
  label: string;
  to: string;
  isBelow: boolean;
}

export const MENU_ROW_ACTIONS = ["up", "down", "level", "remove"] as const;
export type MenuRowAction = (typeof MENU_ROW_ACTIONS)[number];

/** The rows after a move, and the new index of the moved row. */
export interface MenuRowActionResult {
  rows: readonly MenuRow[];
  at: number;
}

/** Whether a row can make this move. */
export function canApplyMenuRowAction(
  rows: readonly MenuRow[],
  at: number,
  move: MenuRowAction,
): boolean {
  if (move === "remove") return true;
  if (move === "level") return at > 0;
  return applyMenuRowAction(rows, at, move).at !== at;
}

/**
 * Moves or removes a row, or changes its level. A top-level entry moves together with the entries below it,
 * and moves past a whole neighbouring group of this kind.
 */
export function applyMenuRowAction(
  rows: readonly MenuRow[],
  at: number,
  move: MenuRowAction,
): MenuRowActionResult {
  const row = rows[at];
  if (row === undefined) return { rows, at };
  switch (move) {
    case "remove":
      return {
        rows: withFirstAtTopLevel(rows.toSpliced(at, 1)),
        at: Math.min(at, rows.length - 2),
      };
    case "level":
      return { rows: withFirstAtTopLevel(rows.with(at, { ...row, isBelow: !row.isBelow })), at };
    case "up":
      return movedTo(rows, at, row.isBelow ? at - 1 : groupStart(rows, at - 1));
    case "down":
      return row.isBelow ? movedTo(rows, at, at + 1) : movedPastNext(rows, at);
  }
}

function movedTo(rows: readonly MenuRow[], at: number, to: number): MenuRowActionResult {
  const length = rows[at]?.isBelow === true ? 1 : groupEnd(rows, at) - at;
  const rest = rows.toSpliced(at, length);
  const isPossible = to >= (rows[at]?.isBelow === true ? 1 : 0) && to <= rest.length;
  if (!isPossible) return { rows, at };
  return { rows: rest.toSpliced(to, 0, ...rows.slice(at, at + length)), at: to };
}

function movedPastNext(rows: readonly MenuRow[], at: number): MenuRowActionResult {
  const next = groupEnd(rows, at);
  if (next >= rows.length) return { rows, at };
  return movedTo(rows, at, at + groupEnd(rows, next) - next);
}

/** Index of the top-level entry that a row belongs to; -1: none. */
function groupStart(rows: readonly MenuRow[], at: number): number {
  return rows.findLastIndex(({ isBelow }, index) => index <= at && !isBelow);
}

/** Index of the first row after a top-level entry and the entries below it. */
function groupEnd(rows: readonly MenuRow[], at: number): number {
  const end = rows.findIndex(({ isBelow }, index) => index > at && !isBelow);
  return end === -1 ? rows.length : end;
}

function withFirstAtTopLevel(rows: readonly MenuRow[]): readonly MenuRow[] {
  return rows.map((row, at) => (at === 0 ? { ...row, isBelow: false } : row));
}
