/** Matches the value of a row's button: language, row index and move. */
export const MOVE_BUTTON_PATTERN = /^([\w-]{1,35}):(\d{1,3}):(\w+)$/;

export const MOVE_ARROWS = { up: "↑", down: "↓", level: "→", remove: "×" };
